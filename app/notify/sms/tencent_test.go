package sms

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"courtd/app/notify"
)

const (
	tencentID  = "AKIDexampleexample"
	tencentKey = "Gu5t9xGARNpq86cd98joQYCN3example"
)

var tencentNow = time.Date(2026, 12, 10, 17, 30, 0, 0, time.FixedZone("CST", 8*3600))

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

var authorization = regexp.MustCompile(`^TC3-HMAC-SHA256 Credential=` + tencentID + `/(\d{4}-\d\d-\d\d)/sms/tc3_request, SignedHeaders=content-type;host, Signature=([0-9a-f]{64})$`)

// signed works the signature out again, after the published rules.
func signed(r *http.Request, body []byte) error {
	found := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if found == nil {
		return fmt.Errorf("malformed: %q", r.Header.Get("Authorization"))
	}
	canonical := fmt.Sprintf("POST\n/\n\ncontent-type:%s\nhost:%s\n\ncontent-type;host\n%s", r.Header.Get("Content-Type"), r.Host, hash(body))
	scope := found[1] + "/sms/tc3_request"
	text := fmt.Sprintf("TC3-HMAC-SHA256\n%s\n%s\n%s", r.Header.Get("X-TC-Timestamp"), scope, hash([]byte(canonical)))
	key := mac(mac(mac([]byte("TC3"+tencentKey), found[1]), "sms"), "tc3_request")
	if want := hex.EncodeToString(mac(key, text)); want != found[2] {
		return fmt.Errorf("signature %s, want %s", found[2], want)
	}
	return nil
}

// tencent plays Tencent Cloud: it checks what arrives and answers as it is told.
type tencent struct {
	*httptest.Server
	status int
	answer string
	action string // that is wanted; SendSms
	locked bool   // answers to another key as Tencent does
	seen   map[string]any
	calls  int
}

func newTencent(t *testing.T) *tencent {
	s := &tencent{status: 200, answer: sent("Ok"), action: "SendSms"}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls++
		body, _ := io.ReadAll(r.Body)
		if err := signed(r, body); err != nil && s.locked {
			_, _ = io.WriteString(w, failed("AuthFailure.SignatureFailure"))
			return
		} else if err != nil {
			t.Error(err)
		}
		for name, want := range map[string]string{"X-TC-Action": s.action, "X-TC-Version": "2021-01-11", "X-TC-Region": "ap-guangzhou",
			"X-TC-Timestamp": fmt.Sprint(tencentNow.Unix())} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		s.seen = nil
		if err := json.Unmarshal(body, &s.seen); err != nil {
			t.Error(err)
		}
		w.Header().Set("Location", "http://127.0.0.1:1/")
		w.WriteHeader(s.status)
		_, _ = io.WriteString(w, s.answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func sent(code string) string {
	return `{"Response":{"SendStatusSet":[{"SerialNo":"1","PhoneNumber":"+8613812345678","Fee":1,"SessionContext":"","Code":"` + code +
		`","Message":"to +8613812345678","IsoCode":"CN"}],"RequestId":"r"}}`
}

func failed(code string) string {
	return `{"Response":{"Error":{"Code":"` + code + `","Message":"of ` + tencentID + ` to +8613812345678"},"RequestId":"r"}}`
}

func (s *tencent) channel() *Tencent {
	return NewTencent(TencentConfig{SecretID: tencentID, SecretKey: tencentKey, AppID: "1400006666", SignName: "晨光羽毛球馆", Endpoint: s.URL,
		Now: func() time.Time { return tencentNow }})
}

func TestTencentSend(t *testing.T) {
	s := newTencent(t)
	if err := s.channel().Send(t.Context(), notice()); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"SmsSdkAppId": "1400006666", "SignName": "晨光羽毛球馆", "TemplateId": "2012345",
		"TemplateParamSet": []any{"1210-0042", "1号场"}, "PhoneNumberSet": []any{"+8613812345678"}}
	if !reflect.DeepEqual(s.seen, want) {
		t.Errorf("got %v, want %v", s.seen, want)
	}
	if name := s.channel().Name(); name != "sms" {
		t.Error(name)
	}
}

func TestTencentNeedsATemplateAndAMobile(t *testing.T) {
	s := newTencent(t)
	for name, spoil := range map[string]func(*notify.Message){
		"no template":    func(m *notify.Message) { m.Template = nil },
		"no template id": func(m *notify.Message) { m.Template.ID = "" },
		"no phone":       func(m *notify.Message) { m.Phone = "" },
		"a landline":     func(m *notify.Message) { m.Phone = "01012345678" },
	} {
		m := notice()
		spoil(&m)
		if err := s.channel().Send(t.Context(), m); !errors.Is(err, notify.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.calls != 0 {
		t.Error("something was sent")
	}
}

func TestTencentCodes(t *testing.T) {
	s := newTencent(t)
	plain := errors.New("a failed try")
	for code, want := range map[string]error{
		"FailedOperation.PhoneNumberInBlacklist":                   notify.ErrRefused,
		"InvalidParameterValue.IncorrectPhoneNumber":               notify.ErrRefused,
		"LimitExceeded.PhoneNumberDailyLimit":                      notify.ErrRefused,
		"LimitExceeded.PhoneNumberSameContentDailyLimit":           notify.ErrRefused,
		"FailedOperation.TemplateParamSetNotMatchApprovedTemplate": notify.ErrRefused,
		"InvalidParameterValue.TemplateParameterFormatError":       notify.ErrRefused,
		"LimitExceeded.PhoneNumberThirtySecondLimit":               plain,
		"LimitExceeded.PhoneNumberOneHourLimit":                    plain,
		"FailedOperation.FailResolvePacket":                        plain,
		"LimitExceeded.AppDailyLimit":                              notify.LaterError{},
		"LimitExceeded.DailyLimit":                                 notify.LaterError{},
		"RequestLimitExceeded":                                     notify.LaterError{},
		"AuthFailure.SecretIdNotFound":                             notify.ErrDown,
		"AuthFailure.SignatureFailure":                             notify.ErrDown,
		"AuthFailure.SignatureExpire":                              notify.ErrDown,
		"FailedOperation.InsufficientBalanceInSmsPackage":          notify.ErrDown,
		"FailedOperation.SignatureIncorrectOrUnapproved":           notify.ErrDown,
		"FailedOperation.TemplateIncorrectOrUnapproved":            notify.ErrDown,
		"UnauthorizedOperation.SmsSdkAppIdVerifyFail":              notify.ErrDown,
		"UnauthorizedOperation.RequestIpNotInWhitelist":            notify.ErrDown,
		"InternalError.Timeout":                                    notify.ErrDown,
		"+8613812345678":                                           notify.ErrDown, // no code at all
	} {
		for _, answer := range []string{sent(code), failed(code)} {
			s.answer = answer
			err := s.channel().Send(t.Context(), notice())
			leaks(t, err, tencentID, tencentKey)
			var later notify.LaterError
			switch {
			case err == nil:
				t.Errorf("%s: accepted", code)
			case want == plain:
				if errors.Is(err, notify.ErrRefused) || errors.Is(err, notify.ErrDown) {
					t.Errorf("%s: %v", code, err)
				}
			case reflect.TypeOf(want) == reflect.TypeOf(later):
				if !errors.As(err, &later) || later.After <= 0 || !errors.Is(err, notify.ErrDown) {
					t.Errorf("%s: %v", code, err)
				}
			case !errors.Is(err, want) || errors.As(err, &later):
				t.Errorf("%s: got %v, want %v", code, err, want)
			}
			if err != nil && code[0] != '+' && !strings.Contains(err.Error(), code) {
				t.Errorf("%s is not in %v", code, err)
			}
		}
	}
}

// What comes first must not hide what comes after it.
func TestTencentCodesAreAllReached(t *testing.T) {
	for i, code := range tencentCodes {
		for _, before := range tencentCodes[:i] {
			if strings.HasPrefix(code.prefix, before.prefix) {
				t.Errorf("%s hides %s", before.prefix, code.prefix)
			}
		}
	}
}

func TestTencentMisbehaves(t *testing.T) {
	s := newTencent(t)
	for name, c := range map[string]struct {
		status int
		answer string
	}{
		"no JSON":     {200, "<html>13812345678"},
		"no status":   {200, `{"Response":{"RequestId":"r"}}`},
		"two":         {200, `{"Response":{"SendStatusSet":[{"Code":"Ok"},{"Code":"Ok"}]}}`},
		"empty":       {200, ""},
		"null":        {200, "null"},
		"a list":      {200, `[{"Response":{}}]`},
		"a number":    {200, "42"},
		"null within": {200, `{"Response":null}`},
		"list within": {200, `{"Response":[]}`},
		"null status": {200, `{"Response":{"SendStatusSet":[null]}}`},
		"null, 500":   {500, "null"},
		"an error":    {500, "13812345678 " + tencentID},
		"a redirect":  {302, ""},
		"without end": {200, `{"Response":"` + strings.Repeat("x", 2<<20)},
	} {
		s.status, s.answer = c.status, c.answer
		err := s.channel().Send(t.Context(), notice())
		leaks(t, err, tencentID, tencentKey, s.URL)
		if !errors.Is(err, notify.ErrDown) || errors.Is(err, notify.ErrRefused) || strings.Contains(err.Error(), "redirects") != (c.status == 302) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.Close()
	err := s.channel().Send(t.Context(), notice())
	leaks(t, err, tencentID, tencentKey)
	if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "refused") {
		t.Errorf("nobody there: %v", err)
	}
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer slow.Close()
	defer close(held)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	s.Server.URL = slow.URL
	err = s.channel().Send(ctx, notice())
	leaks(t, err, tencentID, tencentKey)
	if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("too slow: %v", err)
	}
}

func TestTencentCheck(t *testing.T) {
	good := TencentConfig{SecretID: tencentID, SecretKey: tencentKey, AppID: "1400006666", SignName: "晨光", Now: time.Now}
	if problems := good.Check(); problems != nil {
		t.Errorf("got %v", problems)
	}
	bad := TencentConfig{SecretID: "hunter 2", SecretKey: "", AppID: "hunter2", SignName: "【晨光】", Region: "a b", Endpoint: "https://hunter2.example/path"}
	problems := bad.Check()
	if len(problems) != 6 {
		t.Errorf("got %v", problems)
	}
	for _, p := range problems {
		if p.ZH == "" || p.EN == "" || !strings.HasPrefix(p.Setting, "COURTD_SMS_TENCENT_") || strings.Contains(p.String(), "hunter") {
			t.Errorf("got %v", p)
		}
	}
	err := NewTencent(bad).Send(t.Context(), notice())
	leaks(t, err)
	if !errors.Is(err, notify.ErrDown) || strings.Contains(err.Error(), "hunter") {
		t.Errorf("got %v", err)
	}
}
