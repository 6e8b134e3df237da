package httpx_test

import (
	"encoding/base64"
	"net/http"
	"testing"

	"courtd/web/httpx"
)

// Pages are packed, so a token must look another in every answer: the length of the
// answer would give a fixed one away, byte by byte.
func TestEveryAnswerCarriesAnotherToken(t *testing.T) {
	f := newForm(t)
	cookies := map[string]string{httpx.SessionCookie: f.session("13800000001")}
	var tokens [][]byte
	for range 8 {
		token := text(t, f.do(http.MethodGet, "", cookies, nil))
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			t.Fatal(err)
		}
		for _, older := range tokens {
			same := 0
			for i := range raw {
				if raw[i] == older[i] {
					same++
				}
			}
			// By chance one byte in 256 is the same.
			if same > len(raw)/4 {
				t.Errorf("two tokens have %d of %d bytes in common", same, len(raw))
			}
		}
		tokens = append(tokens, raw)
		if status := f.do(http.MethodPost, token, cookies, nil).StatusCode; status != 200 {
			t.Errorf("a token of this session: status %d", status)
		}
	}
	// All of them stay good: a page may lie open for a while.
	for _, raw := range tokens {
		if status := f.do(http.MethodPost, base64.RawURLEncoding.EncodeToString(raw), cookies, nil).StatusCode; status != 200 {
			t.Errorf("an older token of this session: status %d", status)
		}
	}
	refuse := func(what string, raw []byte) {
		t.Helper()
		if status := f.do(http.MethodPost, base64.RawURLEncoding.EncodeToString(raw), cookies, nil).StatusCode; status != 403 {
			t.Errorf("%s: status %d", what, status)
		}
	}
	for i := range tokens[0] {
		changed := append([]byte(nil), tokens[0]...)
		changed[i] ^= 1 << (i % 8)
		refuse("a token with a changed byte", changed)
	}
	half := len(tokens[0]) / 2
	refuse("half a token", tokens[0][:half])
	refuse("a token and a byte", append(append([]byte(nil), tokens[0]...), 0))
	refuse("halves of two tokens", append(append([]byte(nil), tokens[0][:half]...), tokens[1][half:]...))
	refuse("nothing but zeros", make([]byte, len(tokens[0])))
}
