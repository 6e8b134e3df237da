package sandbox_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"courtd/app/pay"
	"courtd/domain"
)

func TestOpenAgain(t *testing.T) {
	cases := []struct {
		name string
		edit func(*pay.Request)
		ok   bool
	}{
		{"identical", func(*pay.Request) {}, true},
		{"other amount", func(r *pay.Request) { r.AmountFen++ }, false},
		{"other expiry", func(r *pay.Request) { r.ExpiresAt++ }, false},
		{"other description", func(r *pay.Request) { r.Description = "商品" }, false},
		{"other payer", func(r *pay.Request) { r.PayerOpenID = "o-1" }, false},
		{"other address", func(r *pay.Request) { r.ClientIP = "203.0.113.7" }, false},
		{"other order", func(r *pay.Request) { r.OrderID = "other" }, false},
	}
	bank, _ := newBank(t)
	opened, err := bank.Open(t.Context(), request("order-1"))
	if err != nil {
		t.Fatal(err)
	}
	if opened.Params["out_trade_no"] != "order-1" || opened.Params["amount"] != int64(6000) {
		t.Errorf("parameters are %v", opened.Params)
	}
	for _, c := range cases {
		again := request("order-1")
		c.edit(&again)
		if _, err := bank.Open(t.Context(), again); (err == nil) != c.ok {
			t.Errorf("%s: got %v, want ok=%v", c.name, err, c.ok)
		}
	}
	result := wantState(t, bank, "order-1", pay.Pending)
	if result.AmountFen != 6000 || result.SuccessTime.IsSet() || result.TransactionID != "" {
		t.Errorf("pending payment is %+v", result)
	}
}

func TestOpenRefusesWhatNoProviderTakes(t *testing.T) {
	bank, _ := newBank(t)
	bad := request("order-1")
	bad.AmountFen = 0
	if _, err := bank.Open(t.Context(), bad); err == nil {
		t.Fatal("a payment of nothing was opened")
	}
	wantState(t, bank, "order-1", pay.Unknown)
}

// Expiry is half-open, and does not close what was opened before it.
func TestOpenAroundExpiry(t *testing.T) {
	for _, c := range []struct {
		at domain.Instant
		ok bool
	}{{noon + 599, true}, {noon + 600, false}, {noon + 601, false}} {
		bank, wall := newBank(t)
		mustOpen(t, bank, "before")
		wall.set(c.at)
		for _, number := range []string{"before", "after-1"} {
			if _, err := bank.Open(t.Context(), request(number)); (err == nil) != c.ok {
				t.Errorf("opening %s at noon+%d: got %v, want ok=%v", number, c.at-noon, err, c.ok)
			}
		}
		wantState(t, bank, "before", pay.Pending)
	}
}

func TestClose(t *testing.T) {
	bank, _ := newBank(t)
	if err := bank.Close(t.Context(), "nobody-1"); !errors.Is(err, pay.ErrUnknownPayment) {
		t.Errorf("closing an unknown payment: got %v", err)
	}
	mustOpen(t, bank, "order-1")
	for range 2 {
		if err := bank.Close(t.Context(), "order-1"); err != nil {
			t.Fatal(err)
		}
	}
	wantState(t, bank, "order-1", pay.Closed)
	if _, err := bank.Open(t.Context(), request("order-1")); err == nil {
		t.Error("a closed number was opened again")
	}

	mustOpen(t, bank, "order-2")
	mustSucceed(t, bank, "order-2")
	if err := bank.Close(t.Context(), "order-2"); !errors.Is(err, pay.ErrAlreadyPaid) {
		t.Errorf("closing a paid payment: got %v", err)
	}
	if _, err := bank.Open(t.Context(), request("order-2")); !errors.Is(err, pay.ErrAlreadyPaid) {
		t.Errorf("opening a paid payment: got %v", err)
	}
	wantState(t, bank, "order-2", pay.Succeeded)
}

func TestSucceed(t *testing.T) {
	bank, wall := newBank(t)
	mustOpen(t, bank, "order-1")
	wall.set(noon + 30)
	mustSucceed(t, bank, "order-1")
	first := wantState(t, bank, "order-1", pay.Succeeded)
	merchant, app := bank.Merchant()
	if first.SuccessTime != noon+30 || first.TransactionID == "" || first.AmountFen != 6000 ||
		first.Currency != "CNY" || first.Merchant != merchant || first.App != app || merchant == "" || app == "" {
		t.Errorf("paid payment is %+v", first)
	}
	wall.set(noon + 90)
	mustSucceed(t, bank, "order-1")
	if second := wantState(t, bank, "order-1", pay.Succeeded); second != first {
		t.Errorf("paying twice made %+v of %+v", second, first)
	}
}

// Money may come after everything: this is how late money is played.
func TestSucceedAfterTheEnd(t *testing.T) {
	cases := []struct {
		name string
		end  func(*testing.T, pay.Provider, *clock)
	}{
		{"expiry", func(_ *testing.T, _ pay.Provider, wall *clock) { wall.set(noon + 7200) }},
		{"close", func(t *testing.T, bank pay.Provider, _ *clock) {
			if err := bank.Close(t.Context(), "order-1"); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, c := range cases {
		bank, wall := newBank(t)
		mustOpen(t, bank, "order-1")
		c.end(t, bank, wall)
		mustSucceed(t, bank, "order-1")
		wantState(t, bank, "order-1", pay.Succeeded)
	}
}

func TestFail(t *testing.T) {
	bank, _ := newBank(t)
	mustOpen(t, bank, "order-1")
	headers, body, err := bank.Fail(t.Context(), "order-1")
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, bank, "order-1", pay.Closed)
	notice, err := bank.ParseNotice(asHeader(headers).Get, body)
	if err != nil || notice.Payment == nil || notice.Payment.State != pay.Closed {
		t.Fatalf("notice of a failure is %+v, %v", notice, err)
	}
	if _, err := bank.Open(t.Context(), request("order-1")); err == nil {
		t.Error("a failed number was opened again")
	}
	mustSucceed(t, bank, "order-1")
	wantState(t, bank, "order-1", pay.Succeeded)
	_, _, err = bank.Fail(t.Context(), "order-1")
	if !domain.IsReason(err, "already_paid") || !errors.Is(err, pay.ErrAlreadyPaid) {
		t.Errorf("failing a paid payment: got %v", err)
	}
	wantState(t, bank, "order-1", pay.Succeeded)
}

func TestBankKnowsOnlyWhatWasOpened(t *testing.T) {
	bank, _ := newBank(t)
	wantState(t, bank, "nobody-1", pay.Unknown)
	_, _, succeedErr := bank.Succeed(t.Context(), "nobody-1")
	_, _, failErr := bank.Fail(t.Context(), "nobody-1")
	_, _, signErr := bank.SignNotice(t.Context(), "nobody-1")
	_, _, refundErr := bank.SignRefundNotice(t.Context(), "nobody-1")
	for i, err := range []error{succeedErr, failErr, signErr, refundErr} {
		if refusal, ok := domain.AsError(err); !ok || refusal.Kind != domain.NotFound {
			t.Errorf("call %d: got %v, want a NotFound refusal", i, err)
		}
	}
	wantState(t, bank, "nobody-1", pay.Unknown)
	if !slices.Equal(bank.Via(), []string{"sandbox"}) {
		t.Errorf("via is %v", bank.Via())
	}
}

// Two processes on one file are one bank with one key.
func TestTwoProvidersShareTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "club.db")
	wall := newClock()
	one, _ := openBank(t, path, wall)
	two, _ := openBank(t, path, wall)
	mustOpen(t, one, "order-1")
	header, body := mustSucceed(t, two, "order-1")
	wantState(t, one, "order-1", pay.Succeeded)
	if _, err := one.ParseNotice(header.Get, body); err != nil {
		t.Errorf("one refuses what two has signed: %v", err)
	}
}

// A restart while the clock is behind must not fail for want of a key.
func TestNewWhileTheClockIsBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "club.db")
	wall := newClock()
	bank, _ := openBank(t, path, wall)
	mustOpen(t, bank, "order-1")
	wall.set(noon - 3600)
	again, _ := openBank(t, path, wall)
	wantState(t, again, "order-1", pay.Pending)
	if err := again.Close(t.Context(), "order-1"); !domain.IsReason(err, "clock_behind") {
		t.Errorf("a write while the clock is behind: got %v", err)
	}
}
