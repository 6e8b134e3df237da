package standin

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Notice is one message as it goes over the wire.
type Notice struct {
	ID     string
	Event  string // TRANSACTION.SUCCESS, REFUND.SUCCESS, REFUND.ABNORMAL or REFUND.CLOSED
	About  string // out_trade_no or out_refund_no
	URL    string
	Header http.Header
	Body   []byte
}

// Request makes an HTTP request of the notice.
func (n Notice) Request() *http.Request {
	r, err := http.NewRequest(http.MethodPost, n.URL, bytes.NewReader(n.Body))
	if err != nil {
		panic(fmt.Sprintf("standin: a notice to %q: %v", n.URL, err)) // it was checked when it was opened
	}
	r.Header = n.Header.Clone()
	r.Header.Set("Content-Type", "application/json")
	return r
}

// queued is a notice that has not been taken yet. Its ID and content stay the same
// however often it is sent; its signature is made each time.
type queued struct {
	id, event, about, url string
	body                  []byte
	delay                 int // deliveries to sit out
	corrupt               bool
}

// enqueue writes a notice down, or what misbehaviour makes of it.
func (s *Server) enqueue(event, resource, about, url string, content map[string]any) {
	s.serial++
	n := &queued{id: fmt.Sprintf("EV-%s-%06d", random(8), s.serial), event: event, about: about, url: url}
	n.body = s.sealed(n.id, event, resource, content)
	switch s.draw(CallNotice, about) {
	case LoseNotice:
		return
	case DelayNotice:
		n.delay = DelayRounds
	case CorruptNotice:
		n.corrupt = true
	case ReorderNotice:
		s.queue = append([]*queued{n}, s.queue...)
		return
	case DoubleNotice:
		twin := *n
		s.queue = append(s.queue, &twin)
	}
	s.queue = append(s.queue, n)
}

// sealed makes the body of a notice: what it tells is encrypted.
func (s *Server) sealed(id, event, resource string, content map[string]any) []byte {
	plaintext, err := json.Marshal(content)
	if err != nil {
		panic(fmt.Sprintf("standin: encoding a notice: %v", err))
	}
	nonce := random(6) // 12 characters, as many bytes as GCM takes
	body, err := json.Marshal(map[string]any{
		"id": id, "create_time": s.config.Now().In(china).Format(time.RFC3339), "event_type": event,
		"resource_type": "encrypt-resource", "summary": summaries[event],
		"resource": map[string]any{"algorithm": "AEAD_AES_256_GCM", "original_type": resource, "associated_data": resource,
			"nonce": nonce, "ciphertext": encrypt(s.config.APIv3Key, nonce, resource, plaintext)},
	})
	if err != nil {
		panic(fmt.Sprintf("standin: encoding a notice: %v", err))
	}
	return body
}

var summaries = map[string]string{"TRANSACTION.SUCCESS": "支付成功", "REFUND.SUCCESS": "退款成功",
	"REFUND.ABNORMAL": "退款异常", "REFUND.CLOSED": "退款关闭"}

func encrypt(key, nonce, associated string, plaintext []byte) string {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		panic(err) // New has checked the length
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(gcm.Seal(nil, []byte(nonce), plaintext, []byte(associated)))
}

// Seal makes a signed notice of any event and content, under any APIv3 key ("" for the
// merchant's own): for notices that WeChat would send somebody else, or never.
func (s *Server) Seal(apiV3Key, event, resource, url string, content map[string]any) Notice {
	s.mu.Lock()
	other := &Server{config: s.config}
	s.serial++
	id := fmt.Sprintf("EV-%s-%06d", random(8), s.serial)
	s.mu.Unlock()
	if apiV3Key != "" {
		other.config.APIv3Key = apiV3Key
	}
	body := other.sealed(id, event, resource, content)
	header, _ := s.sign(body)
	return Notice{ID: id, Event: event, URL: url, Header: header, Body: body}
}

// NoticeOf makes the notice of a payment or a refund as it stands, signed now, whether
// or not one is waiting. It has a new ID.
func (s *Server) NoticeOf(number string) (Notice, error) {
	s.mu.Lock()
	var event, resource, url string
	var content map[string]any
	if o := s.orders[number]; o != nil {
		event, resource, url, content = "TRANSACTION.SUCCESS", "transaction", o.notifyURL, s.account(o)
	} else if r := s.refunds[number]; r != nil {
		event, resource, url, content = "REFUND."+r.state, "refund", r.noticeAddress(s.orders[r.trade]), s.refundNotice(r)
	}
	s.mu.Unlock()
	if content == nil {
		return Notice{}, errNoSuch
	}
	n := s.Seal("", event, resource, url, content)
	n.About = number
	return n, nil
}

// take gives the waiting notices that are due, and keeps the delayed ones.
func (s *Server) take() []*queued {
	s.mu.Lock()
	defer s.mu.Unlock()
	var due, later []*queued
	for _, n := range s.queue {
		if n.delay > 0 {
			n.delay--
			later = append(later, n)
		} else {
			due = append(due, n)
		}
	}
	s.queue = later
	return due
}

// signed puts a waiting notice on the wire.
func (s *Server) signed(n *queued) Notice {
	header, _ := s.sign(n.body)
	body := n.body
	if n.corrupt {
		body, n.corrupt = corrupted(body), false
	}
	return Notice{ID: n.id, Event: n.event, About: n.about, URL: n.url, Header: header, Body: body}
}

// Notices takes the notices that are due, signed now. They are not sent again.
func (s *Server) Notices() []Notice {
	var list []Notice
	for _, n := range s.take() {
		list = append(list, s.signed(n))
	}
	return list
}

// Waiting is how many notices are still to be taken, the delayed ones included.
func (s *Server) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// Deliver sends every notice that is due once; handler gives the status of the answer.
// What is not answered with 2xx waits for the next delivery. It returns how many were
// taken.
func (s *Server) Deliver(handler func(*http.Request) int) int {
	taken := 0
	for _, n := range s.take() {
		if status := handler(s.signed(n).Request()); status >= 200 && status <= 299 {
			taken++
			continue
		}
		s.mu.Lock()
		s.queue = append(s.queue, n)
		s.mu.Unlock()
	}
	return taken
}

// Post makes a handler for Deliver that sends notices to their addresses. No answer is
// status 0.
func Post(client *http.Client) func(*http.Request) int {
	return func(r *http.Request) int {
		answer, err := client.Do(r)
		if err != nil {
			return 0
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
}
