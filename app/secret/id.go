package secret

import (
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

// Base32hex keeps the order of the bytes, so ids sort by the time they were made.
var idEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

// NewID makes an id: a version 7 UUID as 26 lowercase base32hex characters.
// Ids of one process are strictly ascending, which keeps inserts at the end of
// an index; they are not secret.
func NewID() string {
	id := uuid.Must(uuid.NewV7())
	return strings.ToLower(idEncoding.EncodeToString(id[:]))
}
