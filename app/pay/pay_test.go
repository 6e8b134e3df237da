package pay_test

import (
	"encoding/json"
	"strings"
	"testing"

	"courtd/app/pay"
)

func goodRequest() pay.Request {
	return pay.Request{Via: "sandbox", OutTradeNo: "06f3k2v9-1", OrderID: "06f3k2v9", OrderNumber: "1210-0042",
		Description: "场地预订 1210-0042", AmountFen: 6000, Currency: "CNY", ExpiresAt: 1_796_900_000}
}

func goodRefund() pay.RefundRequest {
	return pay.RefundRequest{OutRefundNo: "06f3k2v9-1-r1", OutTradeNo: "06f3k2v9-1",
		AmountFen: 3000, PaymentFen: 6000, Currency: "CNY", Reason: "取消"}
}

func TestRequestValidate(t *testing.T) {
	cases := []struct {
		name string
		edit func(*pay.Request)
		ok   bool
	}{
		{"as it is", func(*pay.Request) {}, true},
		{"number of 6", func(r *pay.Request) { r.OutTradeNo = "abc-12" }, true},
		{"number of 5", func(r *pay.Request) { r.OutTradeNo = "abc-1" }, false},
		{"number of 32", func(r *pay.Request) { r.OutTradeNo = strings.Repeat("a", 32) }, true},
		{"number of 33", func(r *pay.Request) { r.OutTradeNo = strings.Repeat("a", 33) }, false},
		{"number with all signs", func(r *pay.Request) { r.OutTradeNo = "aZ09_-|*" }, true},
		{"number with a space", func(r *pay.Request) { r.OutTradeNo = "abc 123" }, false},
		{"number with a line break", func(r *pay.Request) { r.OutTradeNo = "abc1234\n" }, false},
		{"one fen", func(r *pay.Request) { r.AmountFen = 1 }, true},
		{"nothing to pay", func(r *pay.Request) { r.AmountFen = 0 }, false},
		{"negative", func(r *pay.Request) { r.AmountFen = -1 }, false},
		{"dollars", func(r *pay.Request) { r.Currency = "USD" }, false},
		{"no description", func(r *pay.Request) { r.Description = "" }, false},
		{"description of 127 bytes", func(r *pay.Request) { r.Description = strings.Repeat("a", 127) }, true},
		{"description of 128 bytes", func(r *pay.Request) { r.Description = strings.Repeat("a", 128) }, false},
		{"no expiry", func(r *pay.Request) { r.ExpiresAt = 0 }, false},
	}
	for _, c := range cases {
		request := goodRequest()
		c.edit(&request)
		if err := request.Validate(); (err == nil) != c.ok {
			t.Errorf("%s: got %v, want ok=%v", c.name, err, c.ok)
		}
	}
}

func TestRefundRequestValidate(t *testing.T) {
	cases := []struct {
		name string
		edit func(*pay.RefundRequest)
		ok   bool
	}{
		{"as it is", func(*pay.RefundRequest) {}, true},
		{"whole payment", func(r *pay.RefundRequest) { r.AmountFen = 6000 }, true},
		{"more than the payment", func(r *pay.RefundRequest) { r.AmountFen = 6001 }, false},
		{"nothing", func(r *pay.RefundRequest) { r.AmountFen = 0 }, false},
		{"no number", func(r *pay.RefundRequest) { r.OutRefundNo = "" }, false},
		{"number of 65", func(r *pay.RefundRequest) { r.OutRefundNo = strings.Repeat("a", 65) }, false},
		{"no payment", func(r *pay.RefundRequest) { r.OutTradeNo = "" }, false},
		{"dollars", func(r *pay.RefundRequest) { r.Currency = "USD" }, false},
	}
	for _, c := range cases {
		request := goodRefund()
		c.edit(&request)
		if err := request.Validate(); (err == nil) != c.ok {
			t.Errorf("%s: got %v, want ok=%v", c.name, err, c.ok)
		}
	}
}

// A stored request is replayed byte for byte, so a round trip through JSON may
// not change it.
func TestRequestSurvivesStorage(t *testing.T) {
	request := goodRequest()
	request.PayerOpenID, request.ClientIP = "o-123", "203.0.113.7"
	first, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var read pay.Request
	if err := json.Unmarshal(first, &read); err != nil {
		t.Fatal(err)
	}
	if read != request {
		t.Fatalf("read back %+v, want %+v", read, request)
	}
	second, err := json.Marshal(read)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Fatalf("stored %s, replayed %s", first, second)
	}
}
