// Package sandbox is a payment provider for demonstrations and tests. It keeps
// the habits of a real one that catch careless callers: a number belongs to one
// request for ever, an accepted refund is not done yet, and money can arrive
// after everything is over. It is the customer's bank too (see bank.go).
//
// Its books are tables of the club's own file, so two processes on one file
// share one sandbox.
package sandbox

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"courtd/app/pay"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

const (
	via      = pay.ViaSandbox
	merchant = "sandbox-merchant"
	app      = "sandbox-app"
	keyName  = "sandbox_key" // of the row in meta
)

// Provider is the sandbox. It is safe for use by many goroutines.
type Provider struct {
	db  *sqlite.DB
	key []byte // signs notices
}

var _ pay.Provider = (*Provider)(nil)

// New opens the sandbox in a database and makes its signing key if there is
// none yet.
func New(db *sqlite.DB) (*Provider, error) {
	key, err := loadKey(context.Background(), db)
	if err != nil {
		return nil, fmt.Errorf("sandbox: loading the signing key: %w", err)
	}
	return &Provider{db: db, key: key}, nil
}

// Name names the sandbox in records.
func (p *Provider) Name() string { return via }

// Rules asks nothing: every opening is an attempt of its own, until the last second.
func (p *Provider) Rules(string) pay.Rules { return pay.Rules{} }

// Via names the one way to pay.
func (p *Provider) Via() []string { return []string{via} }

// Merchant gives the account and app that every result names.
func (p *Provider) Merchant() (string, string) { return merchant, app }

// loadKey writes only when no process has made a key before, so that a server
// whose clock has gone back can still start and say so.
func loadKey(ctx context.Context, db *sqlite.DB) ([]byte, error) {
	const selectKey = `SELECT value FROM meta WHERE key = ?`
	var stored string
	err := db.Read(ctx, func(snap *sqlite.Snapshot) error {
		return snap.QueryRow(selectKey, keyName).Scan(&stored)
	})
	if errors.Is(err, sql.ErrNoRows) {
		_, fresh := secret.NewToken() // 64 hex digits, 256 bits
		err = db.Write(ctx, func(tx *sqlite.Tx) error {
			_, err := tx.Exec(`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING`, keyName, fresh)
			if err != nil {
				return err
			}
			return tx.QueryRow(selectKey, keyName).Scan(&stored)
		})
	}
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(stored)
}

func errNotFound(what, no string) error {
	return domain.Refuse(domain.NotFound, "not_found", "the sandbox knows no %s %s", what, no)
}
