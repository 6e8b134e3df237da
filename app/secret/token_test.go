package secret_test

import (
	"encoding/base32"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"courtd/app/secret"
)

func TestNewToken(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		token, hash := secret.NewToken()
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil || len(raw) != 32 {
			t.Fatalf("token %q: %d bytes, %v; want 32 bytes of base64url", token, len(raw), err)
		}
		if hash != secret.HashToken(token) || hash == token {
			t.Fatalf("hash %q does not belong to the token", hash)
		}
		if seen[token] {
			t.Fatalf("token %q came twice", token)
		}
		seen[token] = true
	}
}

func TestHashTokenIsSHA256(t *testing.T) {
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := secret.HashToken("abc"); got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
}

func TestEqualHash(t *testing.T) {
	a := secret.HashToken("a")
	for _, c := range []struct {
		other string
		want  bool
	}{{a, true}, {secret.HashToken("b"), false}, {a[:63], false}, {"", false}} {
		if got := secret.EqualHash(a, c.other); got != c.want {
			t.Errorf("EqualHash(a, %q) = %v, want %v", c.other, got, c.want)
		}
	}
}

func TestNewPassword(t *testing.T) {
	shape := regexp.MustCompile(`^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$`)
	seen := map[string]bool{}
	for range 1000 {
		password := secret.NewPassword()
		if !shape.MatchString(password) || seen[password] {
			t.Fatalf("password %q", password)
		}
		seen[password] = true
	}
}

func TestNewTicketCode(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)
	digits := base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)
	seen := map[string]bool{}
	for range 1000 {
		code := secret.NewTicketCode()
		if !shape.MatchString(code) {
			t.Fatalf("code %q has the wrong shape", code)
		}
		if raw, err := digits.DecodeString(code); err != nil || len(raw) != 16 {
			t.Fatalf("code %q: %d bytes, %v; want 16", code, len(raw), err)
		}
		if seen[code] {
			t.Fatalf("code %q came twice", code)
		}
		seen[code] = true
	}
}

// Every digit has to turn up at every place; a code cut from a number without
// its leading zeros would fail here.
func TestNewLoginCode(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9]{6}$`)
	var count [6][10]int
	for range 20_000 {
		code := secret.NewLoginCode()
		if !shape.MatchString(code) {
			t.Fatalf("code %q has the wrong shape", code)
		}
		for place, digit := range code {
			count[place][digit-'0']++
		}
	}
	// 2,000 expected each; 400 off would be more than nine standard deviations.
	for place := range count {
		for digit, n := range count[place] {
			if n < 1600 || n > 2400 {
				t.Errorf("digit %d came %d times at place %d, want about 2000", digit, n, place)
			}
		}
	}
}

func TestNewID(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9a-v]{26}$`)
	last := ""
	for range 10_000 {
		id := secret.NewID()
		if !shape.MatchString(id) {
			t.Fatalf("id %q has the wrong shape", id)
		}
		if id <= last {
			t.Fatalf("id %q does not sort after %q", id, last)
		}
		last = id
	}
	raw, err := base32.HexEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(last))
	if err != nil || len(raw) != 16 || raw[6]>>4 != 7 {
		t.Fatalf("id %q is not a version 7 UUID: %x, %v", last, raw, err)
	}
}
