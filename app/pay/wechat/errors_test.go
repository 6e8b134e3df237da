package wechat_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
)

// answering is a provider whose every call gets the same answer of somebody.
func answering(t *testing.T, status int, body string) *wechat.Provider {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Repeats", r.Header.Get("Authorization"))
		w.WriteHeader(status)
		_, _ = w.Write([]byte(strings.ReplaceAll(body, "AUTHORIZATION", strconv.Quote(r.Header.Get("Authorization")))))
	}))
	t.Cleanup(server.Close)
	p, err := wechat.New(goodConfig(server.URL))
	must(t, err)
	return p
}

// Answers repeat what they were sent, and the library's errors hold all of it.
func TestErrorsHoldNoSecret(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"signature in the message": {401, `{"code":"SIGN_ERROR","message":AUTHORIZATION,"detail":{"value":AUTHORIZATION}}`},
		"openid and key": {400, `{"code":"PARAM_ERROR","message":"openid ` + openID + ` of ` + apiV3Key + ` does not belong` +
			`\nto appid","detail":{"openid":"` + openID + `"}}`},
		"a page of a proxy":    {502, "<html>" + openID + " " + apiV3Key + "</html>"},
		"a page that is fine":  {200, "<html>" + openID + "</html>"},
		"unsigned":             {200, `{"prepay_id":"wx1","out_trade_no":"trade-1","trade_state":"SUCCESS"}`},
		"a redirect":           {302, ""},
		"not found by a proxy": {404, "no such page"},
		"an endless code":      {400, `{"code":"` + strings.Repeat("X", 5000) + `","message":"` + strings.Repeat("长", 5000) + `"}`},
	} {
		p := answering(t, c.status, c.body)
		w := newWorld(t)
		_, open := p.Open(t.Context(), w.request(wechat.ViaJSAPI, "trade-1"))
		result, query := p.Query(t.Context(), "trade-1")
		_, refund := p.Refund(t.Context(), refundRequest("refund-1", "trade-1", 1))
		refundResult, queryRefund := p.QueryRefund(t.Context(), "refund-1")
		_, bill := p.FetchTradeBill(t.Context(), "2026-12-10")
		for _, err := range []error{open, query, refund, queryRefund, bill, p.Close(t.Context(), "trade-1")} {
			if err == nil {
				t.Errorf("%s: was taken: %+v %+v", name, result, refundResult)
				continue
			}
			wantNoSecret(t, err.Error())
			if errors.Is(err, pay.ErrUnknownPayment) || errors.Is(err, pay.ErrAlreadyPaid) || errors.Is(err, pay.ErrNeedsNewNumber) {
				t.Errorf("%s: says more than is known: %v", name, err)
			}
		}
	}
}

func TestErrorsNameCodeAndMeaning(t *testing.T) {
	p := answering(t, 403, `{"code":"NO_AUTH","message":"商户无权限"}`)
	_, err := p.Query(t.Context(), "trade-1")
	var refusal *wechat.Error
	if !errors.As(err, &refusal) || refusal.Code != "NO_AUTH" || refusal.Status != 403 || refusal.Message != "商户无权限" {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"trade-1", "403", "NO_AUTH", "商户无权限", "has not been given"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	wantNoSecret(t, p.String())
}
