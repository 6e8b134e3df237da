package sandbox_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"courtd/app/pay"
)

func TestRefund(t *testing.T) {
	bank, _ := newBank(t)
	mustOpen(t, bank, "order-1")
	mustSucceed(t, bank, "order-1")
	for range 2 {
		result, err := bank.Refund(t.Context(), refundRequest("order-1-r1", "order-1", 4000))
		if err != nil || result != (pay.RefundResult{OutRefundNo: "order-1-r1", State: pay.RefundProcessing, AmountFen: 4000}) {
			t.Fatalf("asking for a refund: %+v, %v", result, err)
		}
	}
	headers, body, err := bank.SignRefundNotice(t.Context(), "order-1-r1")
	if err != nil {
		t.Fatal(err)
	}
	notice, err := bank.ParseNotice(asHeader(headers).Get, body)
	if err != nil || notice.Payment != nil || notice.Refund == nil || notice.Refund.State != pay.RefundProcessing {
		t.Fatalf("notice of a refund under way is %+v, %v", notice, err)
	}
	for range 2 {
		result, err := bank.QueryRefund(t.Context(), "order-1-r1")
		if err != nil || result != (pay.RefundResult{OutRefundNo: "order-1-r1", State: pay.RefundSucceeded, AmountFen: 4000}) {
			t.Fatalf("asking what has become of it: %+v, %v", result, err)
		}
	}
	result, err := bank.Refund(t.Context(), refundRequest("order-1-r1", "order-1", 4000))
	if err != nil || result.State != pay.RefundSucceeded {
		t.Fatalf("asking once more for what is done: %+v, %v", result, err)
	}
	wantState(t, bank, "order-1", pay.Succeeded)
}

func TestRefundRefusals(t *testing.T) {
	bank, _ := newBank(t)
	mustOpen(t, bank, "pending-1")
	mustOpen(t, bank, "order-1")
	mustOpen(t, bank, "order-2")
	mustSucceed(t, bank, "order-1")
	mustSucceed(t, bank, "order-2")
	if _, err := bank.Refund(t.Context(), refundRequest("r1", "order-1", 4000)); err != nil {
		t.Fatal(err)
	}
	wrongTotal := refundRequest("r2", "order-1", 1000)
	wrongTotal.PaymentFen = 5999
	cases := []struct {
		name    string
		request pay.RefundRequest
		cause   error // nil: any
	}{
		{"unknown payment", refundRequest("r2", "nobody-1", 1000), pay.ErrUnknownPayment},
		{"payment not paid", refundRequest("r2", "pending-1", 1000), nil},
		{"same number, other amount", refundRequest("r1", "order-1", 3999), nil},
		{"same number, other payment", refundRequest("r1", "order-2", 4000), nil},
		{"wrong total", wrongTotal, nil},
		{"a fen more than is left", refundRequest("r2", "order-1", 2001), nil},
		{"nothing", refundRequest("r2", "order-1", 0), nil},
	}
	for _, c := range cases {
		if result, err := bank.Refund(t.Context(), c.request); err == nil || (c.cause != nil && !errors.Is(err, c.cause)) {
			t.Errorf("%s: got %+v, %v", c.name, result, err)
		}
	}
	if result, err := bank.QueryRefund(t.Context(), "r2"); err != nil || result.State != pay.RefundUnknown {
		t.Errorf("a refused refund is %+v, %v", result, err)
	}
	if _, err := bank.Refund(t.Context(), refundRequest("r3", "order-1", 2000)); err != nil {
		t.Errorf("refunding exactly what is left: %v", err)
	}
	if _, err := bank.Refund(t.Context(), refundRequest("r4", "order-1", 1)); err == nil {
		t.Error("a fen was refunded of nothing left")
	}
}

// Of twenty refunds of 10 yuan at once, exactly six fit into 60 yuan.
func TestRefundsAtOnceNeverExceedThePayment(t *testing.T) {
	bank, _ := newBank(t)
	mustOpen(t, bank, "order-1")
	mustSucceed(t, bank, "order-1")
	var accepted atomic.Int32
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			number := fmt.Sprintf("r%d", i)
			if _, err := bank.Refund(t.Context(), refundRequest(number, "order-1", 1000)); err == nil {
				accepted.Add(1)
			}
		})
	}
	wait.Wait()
	if accepted.Load() != 6 {
		t.Fatalf("%d refunds were accepted, want 6", accepted.Load())
	}
}
