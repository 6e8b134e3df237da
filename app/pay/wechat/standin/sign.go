package standin

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// window is how far the time of a merchant's signature may be from ours.
const window = 5 * time.Minute

type signer struct{ key *rsa.PrivateKey }

func (k signer) sign(text string) string {
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, k.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // the key is too short for SHA-256
	}
	return base64.StdEncoding.EncodeToString(signature)
}

// Sign gives the headers that prove any body under a key, at a time: for messages that
// WeChat would not send.
func Sign(keyID string, key *rsa.PrivateKey, at time.Time, body []byte) http.Header {
	timestamp, nonce := strconv.FormatInt(at.Unix(), 10), random(16)
	h := http.Header{}
	h.Set("Wechatpay-Timestamp", timestamp)
	h.Set("Wechatpay-Nonce", nonce)
	h.Set("Wechatpay-Serial", keyID)
	h.Set("Wechatpay-Signature-Type", "WECHATPAY2-SHA256-RSA2048")
	h.Set("Wechatpay-Signature", signer{key}.sign(timestamp+"\n"+nonce+"\n"+string(body)+"\n"))
	h.Set("Request-ID", random(16))
	return h
}

// UseKey changes the key that answers and notices are signed with from now on.
func (s *Server) UseKey(keyID string, key *rsa.PrivateKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keyID, s.key = keyID, signer{key}
}

// Drift makes the time of signatures and of the Date header differ from Wall.
func (s *Server) Drift(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skew = by
}

// now signs a body at this moment.
func (s *Server) sign(body []byte) (http.Header, time.Time) {
	s.mu.Lock()
	keyID, key, at := s.keyID, s.key.key, s.config.Wall().Add(s.skew)
	s.mu.Unlock()
	return Sign(keyID, key, at, body), at
}

var authorization = regexp.MustCompile(`^WECHATPAY2-SHA256-RSA2048 mchid="([^"]*)",nonce_str="([^"]*)",timestamp="(\d+)",serial_no="([^"]*)",signature="([^"]*)"$`)

// checkAuthorization proves the merchant, or gives the refusal.
func (s *Server) checkAuthorization(r *http.Request, body []byte) *answer {
	parts := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if parts == nil {
		return signError(r, "Http头Authorization认证类型不正确")
	}
	mchID, nonce, timestamp, serial, signature := parts[1], parts[2], parts[3], parts[4], parts[5]
	at, err := strconv.ParseInt(timestamp, 10, 64)
	s.mu.Lock()
	wall := s.config.Wall().Add(s.skew)
	s.mu.Unlock()
	if age := wall.Sub(time.Unix(at, 0)); err != nil || age > window || age < -window {
		return signError(r, "Http头Authorization中的timestamp与发起请求的时间不得超过5分钟")
	}
	if mchID != s.config.MchID {
		refusal := refuse(http.StatusUnauthorized, "SIGN_ERROR", "商户号不存在或与证书不匹配")
		return &refusal
	}
	if serial != s.config.Serial {
		return signError(r, "商户证书序列号有误")
	}
	bytes, err := base64.StdEncoding.DecodeString(signature)
	sum := sha256.Sum256([]byte(r.Method + "\n" + r.URL.RequestURI() + "\n" + timestamp + "\n" + nonce + "\n" + string(body) + "\n"))
	if err != nil || rsa.VerifyPKCS1v15(s.config.MerchantKey, crypto.SHA256, sum[:], bytes) != nil {
		return signError(r, "错误的签名，验签失败")
	}
	return nil
}

// signError answers as WeChat does, with the merchant's own signature in the details.
func signError(r *http.Request, message string) *answer {
	refusal := refuse(http.StatusUnauthorized, "SIGN_ERROR", message)
	refusal.detail = map[string]any{"field": "signature", "value": r.Header.Get("Authorization"), "issue": "sign not match",
		"sign_information": map[string]any{"method": r.Method, "url": r.URL.RequestURI()}}
	return &refusal
}

// answer is what a call comes to: a status and either a body or a refusal.
type answer struct {
	status  int
	body    any
	raw     []byte // instead of body, unsigned: a download
	code    string
	message string
	detail  any
}

func refuse(status int, code, message string) answer {
	return answer{status: status, code: code, message: message}
}

func (a answer) bytes() []byte {
	switch {
	case a.raw != nil:
		return a.raw
	case a.code != "":
		refusal := map[string]any{"code": a.code, "message": a.message}
		if a.detail != nil {
			refusal["detail"] = a.detail
		}
		a.body = refusal
	case a.body == nil:
		return nil
	}
	text, err := json.Marshal(a.body)
	if err != nil {
		panic(fmt.Sprintf("standin: encoding an answer: %v", err))
	}
	return text
}

// send answers, signed.
func (s *Server) send(w http.ResponseWriter, a answer) {
	s.write(w, a, func(body []byte) []byte { return body })
}

// sendCorrupt answers with one bit changed after signing.
func (s *Server) sendCorrupt(w http.ResponseWriter, a answer) {
	s.write(w, a, corrupted)
}

func (s *Server) write(w http.ResponseWriter, a answer, last func([]byte) []byte) {
	body := a.bytes()
	header, at := s.sign(body)
	if a.raw == nil {
		for name, values := range header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.Header().Set("Date", at.UTC().Format(http.TimeFormat))
	w.WriteHeader(a.status)
	_, _ = w.Write(last(body)) // the client may have gone
}

// corrupted changes one bit in the middle.
func corrupted(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	other := append([]byte{}, body...)
	other[len(other)/2] ^= 1
	return other
}
