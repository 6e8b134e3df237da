// Package wechatapi calls the servers of WeChat's mini-program platform: who signs in,
// messages that were subscribed to, and word that an order can be picked up. The secret
// and the access token travel in addresses there, so that no error of this package
// repeats an address; nor does it repeat a secret, a token, a code or an openid.
package wechatapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"courtd/app/notify"
	"courtd/app/notify/outpost"
	"courtd/domain"
)

const (
	// DefaultURL is where WeChat listens.
	DefaultURL = "https://api.weixin.qq.com"
	// Timeout is how long one call may take.
	Timeout = 10 * time.Second
	// mostAnswer is how much of an answer is read, in bytes.
	mostAnswer = 1 << 20
)

var (
	// ErrDown is notify.ErrDown: WeChat does not answer, or the mini-program is not set up
	// as it should be.
	ErrDown = notify.ErrDown
	// ErrBadCode says that a sign-in code is unknown, used or too old. The user has to try
	// again, with a fresh one.
	ErrBadCode = errors.New("the WeChat sign-in code is not valid any more; try again")
	// ErrBlocked is an ErrBadCode of a user whom WeChat lets sign in nowhere. A fresh code
	// will not help.
	ErrBlocked = fmt.Errorf("%w: WeChat has blocked this user", ErrBadCode)
)

// Config is a mini-program.
type Config struct {
	AppID   string           // COURTD_WECHAT_APP_ID
	Secret  string           // COURTD_WECHAT_APP_SECRET
	BaseURL string           // COURTD_WECHAT_API_BASE_URL: scheme and host; "" is DefaultURL
	Now     func() time.Time // by which the access token's life is counted
}

var (
	appIDForm  = regexp.MustCompile(`^wx[0-9a-zA-Z]{16}$`)
	secretForm = regexp.MustCompile(`^[0-9a-zA-Z]{32}$`)
)

// Check says everything that is wrong with the settings; nothing is nil. It repeats no
// setting's value.
func (c Config) Check() []notify.Problem {
	var problems []notify.Problem
	if !appIDForm.MatchString(c.AppID) {
		problems = append(problems, notify.Problem{Setting: "COURTD_WECHAT_APP_ID", ZH: "小程序 AppID 应为 wx 开头的 18 位字符", EN: "the mini-program's AppID must be wx and 16 characters"})
	}
	if !secretForm.MatchString(c.Secret) {
		problems = append(problems, notify.Problem{Setting: "COURTD_WECHAT_APP_SECRET", ZH: "小程序 AppSecret 应为 32 位字母和数字", EN: "the mini-program's AppSecret must be 32 letters and digits"})
	}
	if c.BaseURL != "" {
		if zh, en := outpost.CheckURL(c.BaseURL); en != "" {
			problems = append(problems, notify.Problem{Setting: "COURTD_WECHAT_API_BASE_URL", ZH: "微信接口地址" + zh, EN: "the address of WeChat's API " + en})
		}
	}
	return problems
}

// Client calls WeChat for one mini-program. It may be used by several at once.
type Client struct {
	config Config
	http   *http.Client

	turn    chan struct{} // held by whoever fetches a token
	mu      sync.Mutex
	token   token
	forced  time.Time // when a token was forced the last time
	until   time.Time // no call that needs a token is made before
	refusal Error     // of the last fresh token
}

// New makes a client. It calls nobody.
func New(c Config) *Client {
	if c.BaseURL == "" {
		c.BaseURL = DefaultURL
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{config: c, http: &http.Client{Timeout: Timeout, CheckRedirect: stay}, turn: make(chan struct{}, 1)}
}

// Error is what WeChat answered to a call that it did not carry out.
type Error struct {
	Call string // the last part of the call's path
	Code int    // WeChat's errcode; 0 if it gave none
	Text string // WeChat's words, without anything private
}

func (e Error) Error() string {
	return strings.TrimSpace(fmt.Sprintf("WeChat %s: errcode %d %s", e.Call, e.Code, e.Text))
}

// request is one call.
type request struct {
	method  string
	path    string
	query   url.Values
	body    any      // written as JSON; nil is no body
	private []string // what WeChat's words must not repeat to us
}

// do makes one call and reads the answer into out, unless it is nil. An Error says that
// WeChat refused. Everything else is an ErrDown, or a plain error if ctx was cancelled.
func (c *Client) do(ctx context.Context, r request, out any) error {
	call := r.path[strings.LastIndex(r.path, "/")+1:]
	var body bytes.Buffer
	if r.body != nil {
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(r.body); err != nil {
			return fmt.Errorf("WeChat %s: what is sent cannot be written as JSON", call)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, r.method, c.config.BaseURL+r.path+"?"+r.query.Encode(), &body)
	if err != nil {
		return fmt.Errorf("%w: the address of WeChat's API cannot be read", ErrDown)
	}
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("WeChat %s: %w", call, outpost.Unreached(err))
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return fmt.Errorf("WeChat %s: %w", call, outpost.Unreached(err))
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: WeChat %s answered %d", ErrDown, call, answer.StatusCode)
	}
	// Refusals come with status 200 as well.
	var refusal struct {
		Code *int   `json:"errcode"`
		Text string `json:"errmsg"`
	}
	if err := json.Unmarshal(text, &refusal); err != nil {
		return fmt.Errorf("%w: WeChat %s gave an answer that cannot be read", ErrDown, call)
	}
	if refusal.Code != nil && *refusal.Code != 0 {
		return Error{Call: call, Code: *refusal.Code, Text: notify.OneLine(refusal.Text, 120, append(r.private, c.config.Secret)...)}
	}
	if out == nil && refusal.Code == nil {
		return fmt.Errorf("%w: WeChat %s gave an answer without errcode", ErrDown, call)
	}
	if out != nil && json.Unmarshal(text, out) != nil {
		return fmt.Errorf("%w: WeChat %s gave an answer that cannot be read", ErrDown, call)
	}
	return nil
}

// JSCode2Session exchanges the code that a mini-program got from wx.login, which is good
// once and for five minutes, for the user's openid. The session key that comes with it is
// neither kept nor shown. Its errors are ErrBadCode, ErrBlocked, and ErrDown; a
// notify.LaterError if the user signs in too often.
func (c *Client) JSCode2Session(ctx context.Context, code string) (openid string, err error) {
	if code == "" || len(code) > domain.MaxWeChatCodeChars {
		return "", ErrBadCode
	}
	var session struct {
		OpenID string `json:"openid"`
	}
	err = c.do(ctx, request{method: http.MethodGet, path: "/sns/jscode2session", private: []string{code},
		query: url.Values{"appid": {c.config.AppID}, "secret": {c.config.Secret}, "js_code": {code}, "grant_type": {"authorization_code"}}}, &session)
	var refusal Error
	if errors.As(err, &refusal) {
		switch refusal.Code {
		case 40029, 40163, 41008:
			return "", fmt.Errorf("%w (errcode %d)", ErrBadCode, refusal.Code)
		case 40226:
			return "", fmt.Errorf("%w (errcode %d)", ErrBlocked, refusal.Code)
		}
		if err = down(refusal); !errors.Is(err, ErrDown) {
			err = fmt.Errorf("%w: %w", ErrDown, err)
		}
		return "", err
	}
	if err != nil {
		return "", err
	}
	if session.OpenID == "" {
		return "", fmt.Errorf("%w: WeChat jscode2session gave no openid", ErrDown)
	}
	return session.OpenID, nil
}

// down says what a refusal means that can come from every call: a notify.LaterError if
// WeChat wants to be left alone, an ErrDown if the mini-program is not set up right, and
// the refusal as it is for everything else.
func down(e Error) error {
	words := ""
	switch e.Code {
	case 45009: // the day's quota, which is given anew at midnight
		return notify.LaterError{After: time.Hour, Err: e}
	case 45011:
		return notify.LaterError{After: time.Minute, Err: e}
	case 40013, 41002:
		words = "the AppID is wrong"
	case 40125, 41004:
		words = "the AppSecret is wrong"
	case 40164:
		words = "this machine's address is not on the mini-program's list of IP addresses"
	case 40001, 40014, 42001, 41001, 40002:
		words = "WeChat does not take the access token"
	case 48001, 48004, 61024, 50002, 89503, 89506, 89507:
		words = "the mini-program may not make this call"
	default:
		return e
	}
	return fmt.Errorf("%w: %s: %w", ErrDown, words, e)
}
