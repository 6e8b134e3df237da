// Package secret makes what must not be guessed (tokens, ticket codes, login
// codes, password hashes) and the ids that need not be secret at all.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
)

const (
	tokenBytes      = 32 // 256 bits
	ticketBytes     = 16 // 128 bits, 26 characters
	passwordBytes   = 10 // 80 bits, 16 characters
	loginCodeBound  = 1_000_000
	crockfordDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// Without I, L, O and U a code can be read aloud and typed from a screen.
var crockford = base32.NewEncoding(crockfordDigits).WithPadding(base32.NoPadding)

// NewToken makes a bearer token of 256 random bits in base64url, and the hash
// under which it is stored. The token itself is shown once and kept nowhere.
func NewToken() (token, hash string) {
	token = base64.RawURLEncoding.EncodeToString(RandomBytes(tokenBytes))
	return token, HashToken(token)
}

// HashToken gives the SHA-256 of a token in lowercase hex. A plain hash is
// enough because a token has as many random bits as the hash.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// EqualHash compares two hashes in a time that depends only on their length.
func EqualHash(a, b string) bool {
	return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// NewTicketCode makes a ticket code: 128 random bits as 26 uppercase
// Crockford base32 characters.
func NewTicketCode() string { return crockford.EncodeToString(RandomBytes(ticketBytes)) }

// NewPassword makes a password that can be read out and typed: 80 random bits as four
// groups of four characters.
func NewPassword() string {
	text := strings.ToLower(crockford.EncodeToString(RandomBytes(passwordBytes)))
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// NewLoginCode makes a login code of six decimal digits, every value equally
// likely. It is short, so it lives for minutes and allows few tries.
func NewLoginCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(loginCodeBound))
	if err != nil {
		panic("secret: drawing a login code: " + err.Error())
	}
	return fmt.Sprintf("%06d", n.Int64())
}

// RandomBytes are n bytes that nobody can guess.
func RandomBytes(count int) []byte {
	b := make([]byte, count)
	// rand.Read fills b or ends the process; it has no error to return.
	_, _ = rand.Read(b)
	return b
}
