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
	id, bodyHash := commandID(actor.Role, actor.ID, key), hash(command+"|"+string(text))
	kept, result, found, err := answered(tx, actor, key)
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

func commandID(role Role, account string, key Key) string {
	return hash(string(role) + "|" + account + "|" + string(key))
}

// answered looks for what a command came to, also under the names of customers who have
// been merged into the one who asks: the command may have been carried out before that.
func answered(tx *sqlite.Tx, actor Actor, key Key) (bodyHash, result string, found bool, err error) {
	names := []string{actor.ID}
	if actor.Role == RoleCustomer {
		merged, err := tx.MergedInto(actor.ID)
		if err != nil {
			return "", "", false, err
		}
		names = append(names, merged...)
	}
	for _, name := range names {
		bodyHash, result, found, err = tx.Answered(commandID(actor.Role, name, key), tx.Now.Add(-domain.IdempotencyLife))
		if found || err != nil {
			return bodyHash, result, found, err
		}
	}
	return "", "", false, nil
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
