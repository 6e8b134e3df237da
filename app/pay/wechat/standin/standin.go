// Package standin plays WeChat Pay (api.mch.weixin.qq.com, API v3) for one merchant,
// so that everything around money can be tried without any. It checks and makes real
// signatures, keeps books to the fen, and misbehaves on command. It is for tests and
// knows no clock of its own.
package standin

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Config is the merchant as WeChat knows it, and WeChat's own key.
type Config struct {
	MchID, AppID string
	Serial       string         // serial number of the merchant's certificate
	MerchantKey  *rsa.PublicKey // checks what the merchant signs
	APIv3Key     string         // encrypts notices; 32 bytes
	KeyID        string         // the id of Key, or a certificate's serial number
	Key          *rsa.PrivateKey
	// Wall is the time of signatures and of the Date header: the machine's own.
	Wall func() time.Time
	// Now is the time of business: expiry, success, bills. A test may move it. nil: Wall.
	Now func() time.Time
}

// Server is the stand-in, an http.Handler. It is safe for concurrent use.
type Server struct {
	config Config

	mu      sync.Mutex
	keyID   string
	key     signer
	skew    time.Duration
	orders  map[string]*order
	refunds map[string]*refund
	bills   map[string][]byte // by the token of their download address
	queue   []*queued
	faults  []*fault
	chaos   *chaos
	hold    bool // refunds are settled by command only
	serial  int  // of transactions, refunds and notices
	calls   map[Call]int
}

// New makes a stand-in. It panics when a key or the clock is missing: that is a defect
// of the test.
func New(c Config) *Server {
	if c.MerchantKey == nil || c.Key == nil || c.Wall == nil || len(c.APIv3Key) != 32 {
		panic("standin: needs MerchantKey, Key, Wall and an APIv3Key of 32 bytes")
	}
	if c.Now == nil {
		c.Now = c.Wall
	}
	return &Server{config: c, keyID: c.KeyID, key: signer{c.Key}, orders: map[string]*order{}, refunds: map[string]*refund{},
		bills: map[string][]byte{}, calls: map[Call]int{}}
}

// Call is one of the things that a merchant asks.
type Call string

// The calls, to be counted and spoilt.
const (
	CallOpen        Call = "open"
	CallClose       Call = "close"
	CallQuery       Call = "query"
	CallRefund      Call = "refund"
	CallQueryRefund Call = "query refund"
	CallBill        Call = "bill"
	CallDownload    Call = "download"
)

// request is one call that has been understood and proven.
type request struct {
	call   Call
	number string // out_trade_no, out_refund_no, or the day of a bill
	via    string // jsapi, native or h5
	body   []byte
	query  map[string]string
}

const (
	maxBodyBytes = 64 << 10
	tradePath    = "/v3/pay/transactions/"
	numberPath   = tradePath + "out-trade-no/"
	refundPath   = "/v3/refund/domestic/refunds"
	billPath     = "/v3/bill/tradebill"
	downloadPath = "/v3/billdownload/file"
)

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes))
	if err != nil {
		return
	}
	req, ok := route(r)
	switch {
	case !ok:
		s.send(w, refuse(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "没有这个接口"))
		return
	case r.Header.Get("Accept") == "" || r.Header.Get("User-Agent") == "":
		s.send(w, refuse(http.StatusBadRequest, "PARAM_ERROR", "Http头缺少Accept或User-Agent"))
		return
	}
	if refusal := s.checkAuthorization(r, body); refusal != nil {
		s.send(w, *refusal)
		return
	}
	req.body = body
	spoil := s.spoil(req)
	if spoil == FailBefore {
		s.send(w, refuse(http.StatusInternalServerError, "SYSTEM_ERROR", "系统异常，请稍后重试"))
		return
	}
	if spoil == HangBefore {
		<-r.Context().Done()
		return
	}
	answer := s.answer(req, spoil)
	switch spoil {
	case HangAfter: // it is done, and nobody hears of it
		<-r.Context().Done()
	case FailAfter:
		s.send(w, refuse(http.StatusInternalServerError, "SYSTEM_ERROR", "系统异常，请稍后重试"))
	case CorruptAnswer:
		s.sendCorrupt(w, answer)
	default:
		s.send(w, answer)
	}
}

// route finds out what is asked, from method and path alone.
func route(r *http.Request) (request, bool) {
	req := request{query: map[string]string{}}
	for name, values := range r.URL.Query() {
		req.query[name] = values[0]
	}
	rest, isNumber := strings.CutPrefix(r.URL.Path, numberPath)
	toClose, isClose := strings.CutSuffix(rest, "/close")
	via, isOpen := strings.CutPrefix(r.URL.Path, tradePath)
	refundNo, isRefund := strings.CutPrefix(r.URL.Path, refundPath+"/")
	switch get, post := r.Method == http.MethodGet, r.Method == http.MethodPost; {
	case post && isNumber && isClose:
		req.call, req.number = CallClose, toClose
	case get && isNumber:
		req.call, req.number = CallQuery, rest
	case post && isOpen && (via == "jsapi" || via == "native" || via == "h5"):
		req.call, req.via = CallOpen, via
	case post && r.URL.Path == refundPath:
		req.call = CallRefund
	case get && isRefund:
		req.call, req.number = CallQueryRefund, refundNo
	case get && r.URL.Path == billPath:
		req.call, req.number = CallBill, req.query["bill_date"]
	case get && r.URL.Path == downloadPath:
		req.call, req.number = CallDownload, req.query["token"]
	default:
		return req, false
	}
	return req, true
}

// answer carries the call out.
func (s *Server) answer(req request, spoil Misbehaviour) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[req.call]++
	switch {
	case spoil == Refuse:
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "请求被拒绝")
	case spoil == NotEnough && req.call == CallRefund:
		return refuse(http.StatusForbidden, "NOT_ENOUGH", "基本账户余额不足，请充值后重新发起")
	case spoil == TooOften:
		return refuse(http.StatusTooManyRequests, "FREQUENCY_LIMITED", "频率超限")
	}
	switch req.call {
	case CallOpen:
		return s.open(req)
	case CallClose:
		return s.close(req)
	case CallQuery:
		return s.query(req)
	case CallRefund:
		return s.refund(req, spoil == Abnormal)
	case CallQueryRefund:
		return s.queryRefund(req)
	case CallBill:
		return s.bill(req)
	}
	return s.download(req)
}

// Calls counts the calls that were carried out.
func (s *Server) Calls(call Call) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[call]
}

// errNoSuch is what commands say of a number that was never used.
var errNoSuch = errors.New("standin: there is no such number")

// random gives n random bytes in hex.
func random(n int) string {
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes) // never fails
	return hex.EncodeToString(bytes)
}
