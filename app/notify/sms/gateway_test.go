package sms

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"courtd/app/notify"
)

const gatewaySecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

// leaks fails if an error repeats a secret or a whole phone number.
func leaks(t *testing.T, err error, secrets ...string) {
	t.Helper()
	for _, word := range append(secrets, gatewaySecret, "MfKQ9r8GKYqrTwjUPD8", "13812345678", "8613812345678", "token-in-path") {
		if err != nil && strings.Contains(err.Error(), word) {
			t.Errorf("%q is in the error %q", word, err)
		}
	}
}

func notice() notify.Message {
	return notify.Message{ID: "n-42", Kind: "paid", CustomerName: "王小明", Phone: "13812345678", OpenID: "oABC", Email: "wang@example.com",
		Title: "预订成功", Text: "订单 1210-0042 已确认 <&>", TitleEN: "Booked", TextEN: "Order 1210-0042 is booked",
		Template: &notify.Template{ID: "2012345", Values: []notify.Value{{Name: "b", Text: "1210-0042"}, {Name: "a", Text: "1号场"}}}}
}

func TestE164(t *testing.T) {
	for phone, want := range map[string]string{
		"13812345678": "+8613812345678", "+8613812345678": "+8613812345678", "8613812345678": "+8613812345678", "008613812345678": "+8613812345678",
		"138 1234-5678": "+8613812345678", "+85291234567": "+85291234567", "+1 415 555 0100": "+14155550100",
		"": "", "01012345678": "", "12345": "", "+0123456789": "", "+86138": "", "1381234567": "", "138123456789": "", "+8613812345678;rm": "", "+12345678901234567": "",
	} {
		got, err := E164(phone)
		if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, notify.ErrRefused) {
			t.Errorf("%q: %q %v", phone, got, err)
		}
		if err != nil && len(phone) >= 10 && strings.Contains(err.Error(), phone) {
			t.Errorf("%q is whole in %v", phone, err)
		}
	}
}

func TestGatewaySend(t *testing.T) {
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	gateway := NewGateway(GatewayConfig{URL: server.URL, Secret: gatewaySecret, Now: time.Now})
	if gateway.Name() != "sms" {
		t.Error(gateway.Name())
	}
	if err := gateway.Send(t.Context(), notice()); err != nil {
		t.Fatal(err)
	}
	verifier, err := standardwebhooks.NewWebhook(gatewaySecret)
	if err != nil {
		t.Fatal(err)
	}
	if err := verifier.Verify(body, header); err != nil || header.Get("webhook-id") != "n-42" {
		t.Errorf("%v %v", err, header)
	}
	want := map[string]any{"id": "n-42", "kind": "paid", "phone": "+8613812345678", "template": "2012345",
		"params": []any{"1210-0042", "1号场"}, "text": "订单 1210-0042 已确认 <&>", "text_en": "Order 1210-0042 is booked"}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v %v, want %v", got, err, want)
	}
	// Without a template the words go alone, and params is a list all the same.
	plain := notice()
	plain.Template = nil
	if err := gateway.Send(t.Context(), plain); err != nil || !strings.Contains(string(body), `"template":"","params":[]`) {
		t.Errorf("%v %s", err, body)
	}
}

func TestGatewayErrors(t *testing.T) {
	code, header := 200, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", header)
		w.WriteHeader(code)
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body) // an answer that repeats everything
	}))
	defer server.Close()
	gateway := NewGateway(GatewayConfig{URL: server.URL + "/token-in-path", Secret: gatewaySecret, Now: time.Now})
	for c, want := range map[int]error{200: nil, 204: nil, 302: notify.ErrDown, 400: notify.ErrRefused, 401: notify.ErrDown, 403: notify.ErrDown, 404: notify.ErrDown,
		410: notify.ErrDown, 422: notify.ErrRefused, 429: notify.ErrDown, 500: notify.ErrDown, 503: notify.ErrDown} {
		code = c
		err := gateway.Send(t.Context(), notice())
		leaks(t, err)
		if !errors.Is(err, want) {
			t.Errorf("%d: got %v, want %v", c, err, want)
		}
	}
	code, header = 429, "30"
	var later notify.LaterError
	if err := gateway.Send(t.Context(), notice()); !errors.As(err, &later) || later.After != 30*time.Second || !errors.Is(err, notify.ErrDown) {
		t.Errorf("got %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	nobody := NewGateway(GatewayConfig{URL: "http://" + listener.Addr().String() + "/token-in-path", Secret: gatewaySecret, Now: time.Now})
	err = nobody.Send(t.Context(), notice())
	leaks(t, err)
	if !errors.Is(err, notify.ErrDown) {
		t.Errorf("nobody there: %v", err)
	}
	for _, phone := range []string{"", "01012345678"} {
		m := notice()
		m.Phone = phone
		if err := gateway.Send(t.Context(), m); !errors.Is(err, notify.ErrRefused) || phone != "" && strings.Contains(err.Error(), phone) {
			t.Errorf("%q: %v", phone, err)
		}
	}
}

func TestGatewayCheck(t *testing.T) {
	if problems := (GatewayConfig{URL: "https://sms.example.com/send", Secret: gatewaySecret}).Check(); problems != nil {
		t.Errorf("got %v", problems)
	}
	problems := (GatewayConfig{URL: "sms.example.com", Secret: "hunter2"}).Check()
	if len(problems) != 2 || problems[0].Setting != "COURTD_SMS_URL" || problems[1].Setting != "COURTD_SMS_SECRET" {
		t.Errorf("got %v", problems)
	}
	for _, p := range problems {
		if p.ZH == "" || p.EN == "" || strings.Contains(p.String(), "hunter2") {
			t.Errorf("got %v", p)
		}
	}
}
