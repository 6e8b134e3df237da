package wechat_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
)

func TestRefundStates(t *testing.T) {
	w := newWorld(t)
	w.mustPay(t, "trade-1")
	w.bank.HoldRefunds(true)
	for i, c := range []struct {
		end  string
		want pay.RefundState
	}{{standin.Success, pay.RefundSucceeded}, {standin.Closed, pay.RefundClosed}, {standin.AbnormalRefund, pay.RefundAbnormal}} {
		number := fmt.Sprintf("refund-%d", i)
		request := refundRequest(number, "trade-1", 1000)
		request.Reason = strings.Repeat("退款原因", 20) // longer than WeChat takes
		got, err := w.provider.Refund(t.Context(), request)
		if want := (pay.RefundResult{OutRefundNo: number, State: pay.RefundProcessing, AmountFen: 1000}); err != nil || got != want {
			t.Fatalf("accepted: %+v, %v", got, err)
		}
		if got, err := w.provider.QueryRefund(t.Context(), number); err != nil || got.State != pay.RefundProcessing {
			t.Errorf("held: %+v, %v", got, err)
		}
		must(t, w.bank.FinishRefund(number, c.end))
		if got, err := w.provider.QueryRefund(t.Context(), number); err != nil || got.State != c.want || got.AmountFen != 1000 {
			t.Errorf("%s: %+v, %v", c.end, got, err)
		}
		if got, err := w.provider.Refund(t.Context(), request); err != nil || got.State != c.want {
			t.Errorf("asked again: %+v, %v", got, err)
		}
	}
	if got, err := w.provider.QueryRefund(t.Context(), "never-seen"); err != nil || got.State != pay.RefundUnknown {
		t.Errorf("unknown: %+v, %v", got, err)
	}
	if a := w.bank.Ledger()["trade-1"]; a.PaidFen != 6000 || a.RefundedFen != 1000 || a.LeavingFen != 1000 || len(a.Refunds) != 3 {
		t.Errorf("the account is %+v", a)
	}
}

func TestRefundsThatAreRefused(t *testing.T) {
	w := newWorld(t)
	w.mustPay(t, "trade-1")
	w.mustOpen(t, "trade-2")
	_, err := w.provider.Refund(t.Context(), refundRequest("refund-1", "trade-1", 4000))
	must(t, err)
	for name, r := range map[string]pay.RefundRequest{
		"another amount": refundRequest("refund-1", "trade-1", 3999),
		"too much":       refundRequest("refund-2", "trade-1", 2001),
	} {
		if got, err := w.provider.Refund(t.Context(), r); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, number := range []string{"trade-2", "never-seen"} {
		if _, err := w.provider.Refund(t.Context(), refundRequest("refund-3", number, 1)); !errors.Is(err, pay.ErrUnknownPayment) {
			t.Errorf("%s: %v", number, err)
		}
	}
	if a := w.bank.Ledger()["trade-1"]; len(a.Refunds) != 1 {
		t.Errorf("the account is %+v", a)
	}
}

// Errors that pass: the same number is sent again and asks only once.
func TestRefundsTriedAgain(t *testing.T) {
	w := newWorld(t)
	w.mustPay(t, "trade-1")
	r := refundRequest("refund-1", "trade-1", 4000)
	for _, c := range []struct {
		what  standin.Misbehaviour
		words string
	}{
		{standin.NotEnough, "余额不足"},
		{standin.TooOften, "请求太频繁"},
		{standin.FailBefore, "系统繁忙"},
		{standin.FailAfter, "系统繁忙"},
	} {
		w.bank.On(standin.CallRefund, "refund-1", c.what, 1)
		_, err := w.provider.Refund(t.Context(), r)
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Fatalf("%s: %v", c.what, err)
		}
		wantNoSecret(t, err.Error())
	}
	_, err := w.provider.Refund(t.Context(), r)
	must(t, err)
	got, err := w.provider.QueryRefund(t.Context(), "refund-1")
	if err != nil || got.State != pay.RefundSucceeded {
		t.Errorf("got %+v, %v", got, err)
	}
	w.bank.On(standin.CallRefund, "", standin.Abnormal, 1)
	_, err = w.provider.Refund(t.Context(), refundRequest("refund-2", "trade-1", 1))
	must(t, err)
	if got, err := w.provider.QueryRefund(t.Context(), "refund-2"); err != nil || got.State != pay.RefundAbnormal {
		t.Errorf("got %+v, %v", got, err)
	}
	if a := w.bank.Ledger()["trade-1"]; a.RefundedFen != 4000 || len(a.Refunds) != 2 {
		t.Errorf("the account is %+v", a)
	}
}

func TestBill(t *testing.T) {
	w := newWorld(t)
	w.mustPay(t, "trade-1")
	_, err := w.provider.Refund(t.Context(), refundRequest("refund-1", "trade-1", 1050))
	must(t, err)
	w.clock.move(12*time.Hour + time.Minute) // past midnight in China
	if _, err := w.provider.FetchTradeBill(t.Context(), "2026-12-10"); !errors.Is(err, wechat.ErrBillNotReady) {
		t.Errorf("at midnight: %v", err)
	}
	w.clock.move(10 * time.Hour)
	bill, err := w.provider.FetchTradeBill(t.Context(), "2026-12-10")
	must(t, err)
	for _, want := range []string{"交易时间,公众账号ID", "`trade-1,", "`60.00,", "`refund-1,`10.50,", "总交易单数", "`2,`60.00,`10.50,`0.00,`0.30,`60.00,`10.50"} {
		if !strings.Contains(string(bill), want) {
			t.Errorf("no %q in\n%s", want, bill)
		}
	}
	if lines := strings.Split(strings.TrimSpace(string(bill)), "\r\n"); len(lines) != 5 ||
		strings.Count(lines[1], ",") != strings.Count(lines[0], ",") || strings.Count(lines[2], ",") != strings.Count(lines[0], ",") {
		t.Errorf("%d lines, or the columns do not fit", len(lines))
	}
	if _, err := w.provider.FetchTradeBill(t.Context(), "2026-12-09"); !errors.Is(err, wechat.ErrNoBill) {
		t.Errorf("the day before: %v", err)
	}
	w.bank.On(standin.CallDownload, "", standin.CorruptAnswer, 1)
	if _, err := w.provider.FetchTradeBill(t.Context(), "2026-12-10"); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("damaged: %v", err)
	}
	if _, err := w.provider.FetchTradeBill(t.Context(), "10.12."); err == nil {
		t.Error("a day that is none")
	}
}
