package sandbox_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"courtd/app/pay/sandbox"
	"courtd/sqlite"
)

// FuzzNotice sends the sandbox's address anything: without its key nothing is believed.
func FuzzNotice(f *testing.F) {
	c := newClock()
	db, err := sqlite.Open(f.Context(), sqlite.Options{Path: filepath.Join(f.TempDir(), "club.db"), Wall: c.wall, Create: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	bank, err := sandbox.New(db)
	if err != nil {
		f.Fatal(err)
	}
	if _, err := bank.Open(f.Context(), request("trade-1")); err != nil {
		f.Fatal(err)
	}
	if _, _, err = bank.Succeed(f.Context(), "trade-1"); err != nil {
		f.Fatal(err)
	}
	good, body, err := bank.SignNotice(f.Context(), "trade-1")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good[sandbox.HeaderTimestamp], good[sandbox.HeaderNonce], good[sandbox.HeaderSignature], body)
	f.Add(good[sandbox.HeaderTimestamp], good[sandbox.HeaderNonce], "AAAA", body)
	f.Add(good[sandbox.HeaderTimestamp], good[sandbox.HeaderNonce], good[sandbox.HeaderSignature], append([]byte(" "), body...))
	f.Add("", "", "", []byte("{}"))
	f.Add("99999999999999999999", "\n", "AA==", []byte{})
	f.Fuzz(func(t *testing.T, at, nonce, signature string, sent []byte) {
		header := http.Header{}
		for name, value := range map[string]string{sandbox.HeaderTimestamp: at, sandbox.HeaderNonce: nonce, sandbox.HeaderSignature: signature} {
			header.Set(name, value)
		}
		n, err := bank.ParseNotice(header.Get, sent)
		same := at == good[sandbox.HeaderTimestamp] && nonce == good[sandbox.HeaderNonce] && signature == good[sandbox.HeaderSignature] && string(sent) == string(body)
		if same != (err == nil) {
			t.Errorf("%q %q %q %q: %+v, %v", at, nonce, signature, sent, n, err)
		}
	})
}
