package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"courtd/domain"
	"courtd/sqlite"
)

// Key is a client's Idempotency-Key; the empty Key asks for no such care.
type Key string

// once carries a command out at most once for an account and key, and gives the
// same reference again when the same command comes again. A refusal is not kept:
// the command may be tried again under the same key.
func once(tx *sqlite.Tx, actor Actor, key Key, command string, body any, run func() (ref string, err error)) (ref string, repeated bool, err error) {
	if key == "" {
		ref, err = run()
		return ref, false, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return "", false, fmt.Errorf("hash of %s: %w", command, err)
	}
	id, bodyHash := hash(string(actor.Role)+"|"+actor.ID+"|"+string(key)), hash(command+"|"+string(text))
	kept, result, found, err := tx.Answered(id, tx.Now.Add(-domain.IdempotencyLife))
	if err != nil {
		return "", false, err
	}
	if found && kept != bodyHash {
		return "", false, domain.Refuse(domain.Invalid, "key_reused", "this Idempotency-Key came with another request before")
	}
	if found {
		return result, true, nil
	}
	if ref, err = run(); err != nil {
		return "", false, err
	}
	return ref, false, tx.KeepAnswer(id, bodyHash, ref)
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
