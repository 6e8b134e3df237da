package sandbox_test

import (
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/sqlite"
)

// noon is 2026-12-10 12:00:00 in Shanghai.
const noon domain.Instant = 1_796_875_200

// clock is the machine's clock as the tests set it.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.set(noon)
	return c
}

func (c *clock) set(at domain.Instant) { c.at.Store(int64(at)) }
func (c *clock) wall() time.Time       { return time.Unix(c.at.Load(), 0) }

func openBank(t *testing.T, path string, c *clock) (*sandbox.Provider, *sqlite.DB) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Wall: c.wall, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("closing the database: %v", err)
		}
	})
	bank, err := sandbox.New(db)
	if err != nil {
		t.Fatal(err)
	}
	return bank, db
}

func newBank(t *testing.T) (*sandbox.Provider, *clock) {
	t.Helper()
	c := newClock()
	bank, _ := openBank(t, filepath.Join(t.TempDir(), "club.db"), c)
	return bank, c
}

// request is for 60 yuan and expires ten minutes past noon.
func request(outTradeNo string) pay.Request {
	return pay.Request{Via: "sandbox", OutTradeNo: outTradeNo, OrderID: "order", OrderNumber: "1210-0042",
		Description: "场地预订", AmountFen: 6000, Currency: "CNY", ExpiresAt: noon + 600}
}

func refundRequest(outRefundNo, outTradeNo string, amountFen int64) pay.RefundRequest {
	return pay.RefundRequest{OutRefundNo: outRefundNo, OutTradeNo: outTradeNo, AmountFen: amountFen,
		PaymentFen: 6000, Currency: "CNY", Reason: "取消"}
}

func mustOpen(t *testing.T, bank *sandbox.Provider, outTradeNo string) {
	t.Helper()
	if _, err := bank.Open(t.Context(), request(outTradeNo)); err != nil {
		t.Fatal(err)
	}
}

func mustSucceed(t *testing.T, bank *sandbox.Provider, outTradeNo string) (http.Header, []byte) {
	t.Helper()
	headers, body, err := bank.Succeed(t.Context(), outTradeNo)
	if err != nil {
		t.Fatal(err)
	}
	return asHeader(headers), body
}

func asHeader(headers map[string]string) http.Header {
	h := http.Header{}
	for name, value := range headers {
		h.Set(name, value)
	}
	return h
}

func wantState(t *testing.T, bank *sandbox.Provider, outTradeNo string, want pay.State) pay.Result {
	t.Helper()
	result, err := bank.Query(t.Context(), outTradeNo)
	if err != nil {
		t.Fatal(err)
	}
	if result.State != want || result.OutTradeNo != outTradeNo {
		t.Fatalf("payment %s is %+v, want %s", outTradeNo, result, want)
	}
	return result
}
