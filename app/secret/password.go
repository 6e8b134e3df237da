package secret

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// What a new hash costs: 19 MiB, two passes, one lane, as OWASP advises for
// argon2id.
const (
	argonMemoryKiB = 19 * 1024
	argonPasses    = 2
	argonLanes     = 1
	saltBytes      = 16
	keyBytes       = 32
)

// What a stored hash may cost at most. A damaged row must not be able to take
// the machine's memory.
const (
	maxArgonMemoryKiB = 64 * 1024
	maxArgonPasses    = 10
	maxArgonLanes     = 4
	maxSaltBytes      = 64
	maxKeyBytes       = 64
)

// maxHashing is how many passwords are hashed at once; the others wait, so a
// burst of sign-ins takes 38 MiB and not the whole server.
const maxHashing = 2

var hashing = make(chan struct{}, maxHashing)

var errMalformedHash = errors.New("password hash is not an argon2id PHC string")

type argonHash struct {
	memoryKiB uint32
	passes    uint32
	lanes     uint8
	salt      []byte
	key       []byte
}

// HashPassword gives the argon2id hash of a password as a PHC string with a
// fresh salt. It takes tens of milliseconds and waits while others hash.
func HashPassword(password string) string {
	h := argonHash{memoryKiB: argonMemoryKiB, passes: argonPasses, lanes: argonLanes, salt: RandomBytes(saltBytes)}
	h.key = h.derive(password, keyBytes)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, h.memoryKiB, h.passes, h.lanes, encode(h.salt), encode(h.key))
}

// CheckPassword reports whether hash, as made by HashPassword, belongs to
// password. The error says that the hash is damaged or costs too much.
func CheckPassword(hash, password string) (bool, error) {
	h, err := parseHash(hash)
	if err != nil {
		return false, fmt.Errorf("checking a password: %w", err)
	}
	return subtle.ConstantTimeCompare(h.key, h.derive(password, uint32(len(h.key)))) == 1, nil
}

// CheckNobody takes as long as CheckPassword on a new hash. Calling it for a
// user name that does not exist keeps the answer's time from telling which
// names do.
func CheckNobody(password string) {
	h := argonHash{memoryKiB: argonMemoryKiB, passes: argonPasses, lanes: argonLanes, salt: make([]byte, saltBytes)}
	h.derive(password, keyBytes)
}

func (h argonHash) derive(password string, length uint32) []byte {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memoryKiB, h.lanes, length)
}

func parseHash(hash string) (argonHash, error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return argonHash{}, errMalformedHash
	}
	if parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return argonHash{}, fmt.Errorf("%w: version %q is not supported", errMalformedHash, parts[2])
	}
	var h argonHash
	_, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memoryKiB, &h.passes, &h.lanes)
	if err != nil || parts[3] != fmt.Sprintf("m=%d,t=%d,p=%d", h.memoryKiB, h.passes, h.lanes) {
		return argonHash{}, fmt.Errorf("%w: parameters %q", errMalformedHash, parts[3])
	}
	if h.memoryKiB < 8*uint32(h.lanes) || h.memoryKiB > maxArgonMemoryKiB ||
		h.passes < 1 || h.passes > maxArgonPasses || h.lanes < 1 || h.lanes > maxArgonLanes {
		return argonHash{}, fmt.Errorf("%w: cost %q is out of bounds", errMalformedHash, parts[3])
	}
	if h.salt, err = decodeBounded(parts[4], 8, maxSaltBytes); err != nil {
		return argonHash{}, fmt.Errorf("%w: salt: %w", errMalformedHash, err)
	}
	if h.key, err = decodeBounded(parts[5], 16, maxKeyBytes); err != nil {
		return argonHash{}, fmt.Errorf("%w: key: %w", errMalformedHash, err)
	}
	return h, nil
}

// decodeBounded never puts the text into its errors: they go to the log.
func decodeBounded(text string, least, most int) ([]byte, error) {
	b, err := base64.RawStdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errors.New("is not base64")
	}
	if len(b) < least || len(b) > most {
		return nil, fmt.Errorf("has %d bytes, want %d to %d", len(b), least, most)
	}
	return b, nil
}
