// Package standin plays the part of WeChat's mini-program servers that courtd calls, for
// tests and demonstrations. It is as strict as WeChat is known to be, and misbehaves when
// it is told to.
package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	codeLife  = 5 * time.Minute
	tokenLife = 2 * time.Hour
)

// Trouble is a way to misbehave.
type Trouble string

// The ways to misbehave.
const (
	Fine    Trouble = ""
	Down    Trouble = "down"    // answers 502
	Slow    Trouble = "slow"    // answers when the caller has given up
	Busy    Trouble = "busy"    // errcode -1
	Quota   Trouble = "quota"   // errcode 45009
	TooFast Trouble = "toofast" // errcode 45011
	BadIP   Trouble = "badip"   // errcode 40164
	Garbage Trouble = "garbage" // no JSON
	Null    Trouble = "null"    // the JSON null
	List    Trouble = "list"    // a JSON array
	NoToken Trouble = "notoken" // errcode 40001, whatever the token
	Echo    Trouble = "echo"    // an unknown errcode whose text repeats the whole request
)

// Message is one subscribed message that arrived.
type Message struct {
	OpenID, TemplateID, Page string
	Data                     map[string]string
}

// Shipment is one word that an order can be picked up.
type Shipment struct {
	TransactionID, MchID, OutTradeNo, OpenID, Description, UploadTime string
}

// payment is one that can be picked up.
type payment struct {
	openid  string
	shipped int
	said    string
}

type code struct {
	openid string
	until  time.Time
	used   bool
}

// WeChat is the stand-in. Its zero value is of no use; see New.
type WeChat struct {
	appID, secret string
	now           func() time.Time

	mu         sync.Mutex
	trouble    map[string]Trouble
	codes      map[string]*code
	token      string
	tokens     int // how many were made
	fetches    int // how often one was asked for
	tokenUntil time.Time
	revoked    bool
	templates  map[string][]string
	allowances map[[2]string]int
	known      map[string]bool
	payments   map[string]*payment
	messages   []Message
	shipments  []Shipment
}

// New makes a stand-in for one mini-program. now is its clock.
func New(appID, secret string, now func() time.Time) *WeChat {
	return &WeChat{appID: appID, secret: secret, now: now, trouble: map[string]Trouble{}, codes: map[string]*code{},
		templates: map[string][]string{}, allowances: map[[2]string]int{}, known: map[string]bool{}, payments: map[string]*payment{}}
}

// AddCode makes a sign-in code that is good once, for five minutes. An empty openid is a
// user whom WeChat has blocked.
func (w *WeChat) AddCode(text, openid string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.codes[text] = &code{openid: openid, until: w.now().Add(codeLife)}
	w.known[openid] = openid != ""
}

// AddUser makes an openid known that has signed in before.
func (w *WeChat) AddUser(openid string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[openid] = true
}

// AddTemplate makes a template with these parameters, such as "thing1", "time2".
func (w *WeChat) AddTemplate(id string, names ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.templates[id] = names
}

// Allow lets n more messages of a template to a user through.
func (w *WeChat) Allow(openid, template string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.allowances[[2]string{openid, template}] += n
	w.known[openid] = true
}

// AddPayment makes a payment that can be picked up.
func (w *WeChat) AddPayment(transactionID, mchID, outTradeNo, openid string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &payment{openid: openid}
	w.payments[transactionID] = p
	w.payments[mchID+"/"+outTradeNo] = p
}

// Misbehave has every call with this path end in trouble, until it is told Fine.
func (w *WeChat) Misbehave(path string, how Trouble) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trouble[path] = how
}

// ExpireToken ends the token's life. Whoever asks gets the next one.
func (w *WeChat) ExpireToken() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.token = ""
}

// RevokeToken has the token refused while it is still given out, until a new one is
// forced.
func (w *WeChat) RevokeToken() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.revoked = true
}

// Token is the access token that is good now.
func (w *WeChat) Token() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.token
}

// TokenFetches is how often a token was asked for.
func (w *WeChat) TokenFetches() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fetches
}

// TokensMade is how many different ones were given out.
func (w *WeChat) TokensMade() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tokens
}

// Messages are those that arrived, in order.
func (w *WeChat) Messages() []Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Message(nil), w.messages...)
}

// Shipments are what was said of orders to pick up, in order.
func (w *WeChat) Shipments() []Shipment {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Shipment(nil), w.shipments...)
}

// refusal is an answer with an errcode; 0 is "ok".
type refusal struct {
	Code int    `json:"errcode"`
	Text string `json:"errmsg"`
}

var ok = refusal{0, "ok"}

// ServeHTTP answers one call. What is wrong with it is answered with status 200, as
// WeChat does.
func (w *WeChat) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	raw := map[string]json.RawMessage{}
	_ = json.NewDecoder(http.MaxBytesReader(out, r.Body, 1<<20)).Decode(&raw)
	w.mu.Lock()
	trouble := w.trouble[r.URL.Path]
	if trouble == Slow {
		w.mu.Unlock()
		<-r.Context().Done()
		return
	}
	defer w.mu.Unlock()
	var answer any
	switch trouble {
	case Down:
		http.Error(out, "bad gateway", http.StatusBadGateway)
		return
	case Garbage:
		fmt.Fprint(out, "<html>")
		return
	case Null:
		fmt.Fprint(out, "null")
		return
	case List:
		fmt.Fprint(out, "[]")
		return
	case NoToken:
		answer = refusal{40001, "invalid credential, access_token is invalid or not latest"}
	case Busy:
		answer = refusal{-1, "system error"}
	case Quota:
		answer = refusal{45009, "reach max api daily quota limit"}
	case TooFast:
		answer = refusal{45011, "api minute-quota reach limit"}
	case BadIP:
		answer = refusal{40164, "invalid ip 203.0.113.9, not in whitelist"}
	case Echo:
		text, _ := json.Marshal(raw)
		answer = refusal{99999, "of " + r.URL.String() + " " + r.URL.Query().Encode() + " " + string(text)}
	default:
		answer = w.answer(r, raw)
	}
	out.Header().Set("Content-Type", "text/plain") // as WeChat has it
	_ = json.NewEncoder(out).Encode(answer)
}

func (w *WeChat) answer(r *http.Request, raw map[string]json.RawMessage) any {
	type handler struct {
		method string
		token  bool
		do     func(*http.Request, map[string]json.RawMessage) any
	}
	h, found := map[string]handler{
		"/sns/jscode2session":                 {http.MethodGet, false, w.session},
		"/cgi-bin/stable_token":               {http.MethodPost, false, w.stableToken},
		"/cgi-bin/message/subscribe/send":     {http.MethodPost, true, w.send},
		"/wxa/sec/order/upload_shipping_info": {http.MethodPost, true, w.ship},
	}[r.URL.Path]
	if !found {
		return refusal{40066, "invalid url"}
	}
	if r.Method != h.method {
		return refusal{43002, "require " + h.method + " method"}
	}
	if h.token {
		given := r.URL.Query().Get("access_token")
		switch {
		case given == "":
			return refusal{41001, "access_token missing"}
		case w.token == "" || w.revoked || given != w.token:
			return refusal{40001, "invalid credential, access_token is invalid or not latest: " + given}
		case !w.now().Before(w.tokenUntil):
			return refusal{42001, "access_token expired"}
		}
	}
	return h.do(r, raw)
}
