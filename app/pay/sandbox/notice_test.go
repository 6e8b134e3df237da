package sandbox_test

import (
	"errors"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"

	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
)

func TestNoticeTellsThePayment(t *testing.T) {
	bank, _ := newBank(t)
	mustOpen(t, bank, "order-1")
	header, body := mustSucceed(t, bank, "order-1")
	first, err := bank.ParseNotice(header.Get, body)
	if err != nil {
		t.Fatal(err)
	}
	want := wantState(t, bank, "order-1", pay.Succeeded)
	if first.Refund != nil || first.Payment == nil || *first.Payment != want || first.ID == "" {
		t.Fatalf("notice is %+v, want %+v", first, want)
	}
	headers, again, err := bank.SignNotice(t.Context(), "order-1")
	if err != nil {
		t.Fatal(err)
	}
	second, err := bank.ParseNotice(asHeader(headers).Get, again)
	if err != nil || second.ID != first.ID || *second.Payment != *first.Payment {
		t.Fatalf("told again it is %+v, %v; want %+v", second, err, first)
	}
	if headers[sandbox.HeaderNonce] == header.Get(sandbox.HeaderNonce) {
		t.Error("two notices share a nonce")
	}
}

func TestNoticeWithWrongSignature(t *testing.T) {
	bank, _ := newBank(t)
	mustOpen(t, bank, "order-1")
	header, body := mustSucceed(t, bank, "order-1")
	changed := func(name, value string) http.Header {
		other := header.Clone()
		other.Set(name, value)
		return other
	}
	later := strconv.FormatInt(int64(noon+1), 10)
	oneByte := append([]byte{}, body...)
	oneByte[len(oneByte)/2] ^= 1
	cases := []struct {
		name   string
		header http.Header
		body   []byte
	}{
		{"no headers", http.Header{}, body},
		{"no signature", changed(sandbox.HeaderSignature, ""), body},
		{"signature is no base64", changed(sandbox.HeaderSignature, "***"), body},
		{"signature of something else", changed(sandbox.HeaderSignature, "AAAA"), body},
		{"other time", changed(sandbox.HeaderTimestamp, later), body},
		{"no time", changed(sandbox.HeaderTimestamp, ""), body},
		{"other nonce", changed(sandbox.HeaderNonce, "x"), body},
		{"one bit of the body", header, oneByte},
		{"a space after the body", header, append(append([]byte{}, body...), ' ')},
		{"no body", header, nil},
	}
	for _, c := range cases {
		notice, err := bank.ParseNotice(c.header.Get, c.body)
		if !errors.Is(err, pay.ErrBadSignature) || notice.Payment != nil {
			t.Errorf("%s: got %+v, %v", c.name, notice, err)
		}
	}
	if _, err := bank.ParseNotice(header.Get, body); err != nil {
		t.Errorf("unchanged: %v", err)
	}
}

func TestNoticeOfAnotherBank(t *testing.T) {
	bank, _ := newBank(t)
	other, _ := newBank(t)
	mustOpen(t, other, "order-1")
	header, body := mustSucceed(t, other, "order-1")
	if _, err := bank.ParseNotice(header.Get, body); !errors.Is(err, pay.ErrBadSignature) {
		t.Errorf("got %v, want a bad signature", err)
	}
}

func TestNoticeWindow(t *testing.T) {
	bank, wall := newBank(t)
	mustOpen(t, bank, "order-1")
	header, body := mustSucceed(t, bank, "order-1")
	for _, c := range []struct {
		at domain.Instant
		ok bool
	}{{noon, true}, {noon + 299, true}, {noon + 300, false}, {noon + 301, false}} {
		wall.set(c.at)
		_, err := bank.ParseNotice(header.Get, body)
		if (err == nil) != c.ok || (!c.ok && !errors.Is(err, pay.ErrBadSignature)) {
			t.Errorf("at noon+%d: got %v, want ok=%v", c.at-noon, err, c.ok)
		}
	}
}

// A notice from a clock that runs ahead is refused at the same distance. The
// sender's clock is another process's, 300 s ahead, which has written nothing.
func TestNoticeFromTheFuture(t *testing.T) {
	path := filepath.Join(t.TempDir(), "club.db")
	here, there := newClock(), newClock()
	bank, _ := openBank(t, path, here)
	mustOpen(t, bank, "order-1")
	sender, _ := openBank(t, path, there)
	for _, c := range []struct {
		ahead domain.Instant
		ok    bool
	}{{299, true}, {300, false}} {
		there.set(noon + c.ahead)
		headers, body, err := sender.SignNotice(t.Context(), "order-1")
		if err != nil {
			t.Fatal(err)
		}
		_, err = bank.ParseNotice(asHeader(headers).Get, body)
		if (err == nil) != c.ok || (!c.ok && !errors.Is(err, pay.ErrBadSignature)) {
			t.Errorf("%d s ahead: got %v, want ok=%v", c.ahead, err, c.ok)
		}
	}
}

// The raw bytes count: spacing and the order of keys are the sender's business.
func TestSignedBodies(t *testing.T) {
	bank, _ := newBank(t)
	cases := []struct {
		name string
		body string
		ok   bool
	}{
		{"odd spacing and order", "{ \"payment\" :\n{\"state\":\"succeeded\",\"note\":\"场\\u5730\",\"out_trade_no\":\"order-1\"},\t\"id\":\"n-1\"}", true},
		{"a refund", `{"id":"n-2","refund":{"out_refund_no":"r1","state":"abnormal","amount_fen":1}}`, true},
		{"no id", `{"payment":{"out_trade_no":"order-1"}}`, false},
		{"about nothing", `{"id":"n-3"}`, false},
		{"about two things", `{"id":"n-4","payment":{},"refund":{}}`, false},
		{"not JSON", `SIGNTEST`, false},
	}
	for _, c := range cases {
		headers, err := bank.Sign(t.Context(), []byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		notice, err := bank.ParseNotice(asHeader(headers).Get, []byte(c.body))
		if (err == nil) != c.ok || (c.ok && (notice.Payment == nil) == (notice.Refund == nil)) {
			t.Errorf("%s: got %+v, %v; want ok=%v", c.name, notice, err, c.ok)
		}
		if errors.Is(err, pay.ErrBadSignature) {
			t.Errorf("%s: a good signature was refused: %v", c.name, err)
		}
	}
}
