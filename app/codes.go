package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"courtd/app/notify"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// madeCode is a code that is about to be sent. An address is a phone, or mailto: and an
// address of mail.
type madeCode struct {
	id, code string
	expires  time.Time
	shown    string // the code, in a demonstration only
}

// newCode makes a code that proves an address.
func (a *App) newCode(ctx context.Context, address string, from From) (madeCode, error) {
	made := madeCode{id: secret.NewID(), code: secret.NewLoginCode()}
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		if err := a.refuseTwoCodes(tx, address, from); err != nil {
			return err
		}
		if err := a.refuseManyCodes(tx, address, from); err != nil {
			return err
		}
		expires := tx.Now.Add(domain.LoginCodeLife)
		made.expires = expires.In(venue.Calendar.Zone)
		return tx.InsertLoginCode(sqlite.LoginCode{ID: made.id, Phone: address, CodeHash: secret.HashToken(address + made.code),
			AskedFrom: from.about(address), CreatedAt: tx.Now, ExpiresAt: expires})
	})
	if a.demo {
		made.shown = made.code
	}
	return made, err
}

// sendNewCode has a code carried to its address.
func (a *App) sendNewCode(ctx context.Context, made madeCode, channel string, m notify.Message) error {
	var err error
	if m.Template, err = a.templateOfCode(ctx, channel, m.Kind, made.code); err == nil {
		m.ID = made.id
		err = a.sendCode(ctx, channel, m)
	}
	if err == nil {
		return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return tx.CodeCarried(channel) })
	}
	a.log.Warn("code not sent", "channel", channel, "kind", m.Kind, "error", err)
	// A code that nobody has serves nobody, and stands in no other's way. That it could not
	// be sent is seen nowhere else: a code has no row in the outbox.
	ended := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		if a.channels[channel] != nil {
			if err := tx.CodeNotCarried(channel, firstLine(err)); err != nil {
				return err
			}
		}
		return tx.LoseLoginCode(made.id)
	})
	return domain.Refuse(domain.Unavailable, "code_not_sent", "the code could not be sent; try again").Because(errors.Join(err, ended))
}

// refuseTwoCodes refuses another code while one is on its way that serves whoever asks.
func (a *App) refuseTwoCodes(tx *sqlite.Tx, address string, from From) error {
	if a.demo {
		return nil
	}
	codes, err := serving(&tx.Snapshot, address, from)
	if err != nil || len(codes) == 0 {
		return err
	}
	if wait := int(codes[0].CreatedAt + CodePause - tx.Now); wait > 0 {
		return domain.Refuse(domain.TooMany, "code_just_sent", "a code was sent there just now; wait for it").With("retry_after", wait)
	}
	return nil
}

// refuseManyCodes refuses what is more than a phone or mail address gets in a day.
func (a *App) refuseManyCodes(tx *sqlite.Tx, address string, from From) error {
	if a.demo {
		return nil
	}
	all, here, err := tx.CountLoginCodes(address, from.about(address), tx.Now.Add(-domain.LoginCodesWindow))
	if err != nil {
		return err
	}
	if all >= domain.LoginCodesPerDay || here >= domain.LoginCodesPerAddress {
		return domain.Refuse(domain.TooMany, "too_many_codes", "too many codes were sent there today")
	}
	return nil
}

// serving gives the codes of an address that can sign in whoever asks from a place, the
// newest first. Who has guessed wrong too often needs another one; the others go on
// with theirs until everybody together has guessed far too often.
func serving(s *sqlite.Snapshot, address string, from From) ([]sqlite.LoginCode, error) {
	codes, err := s.LoginCodes(address, from.about(address))
	return slices.DeleteFunc(codes, func(c sqlite.LoginCode) bool {
		return c.TriesFrom >= domain.MaxLoginCodeTries || c.Tries >= domain.MaxLoginCodeTriesAnyhow
	}), err
}

// proving runs what a code proves. A code serves once and bears a few wrong guesses from
// each place; the guess is counted, which a rollback would undo. What is refused for
// another reason uses no code up.
func (a *App) proving(ctx context.Context, address, code string, from From, run func(*sqlite.Tx, sqlite.Venue) error) error {
	var right bool
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) (err error) {
		if right, err = prove(tx, address, code, from); err != nil || !right {
			return err
		}
		return run(tx, venue)
	})
	if err == nil && !right {
		err = domain.Refuse(domain.Unauthenticated, "code_invalid", "this code is wrong or no longer valid; ask for a new one")
	}
	return err
}

// prove reports whether a code was sent to an address, and uses it up. One that was not
// is counted against all that were.
func prove(tx *sqlite.Tx, address, code string, from From) (bool, error) {
	codes, err := serving(&tx.Snapshot, address, from)
	if err != nil {
		return false, err
	}
	codeHash := secret.HashToken(address + code)
	right := slices.IndexFunc(codes, func(c sqlite.LoginCode) bool { return secret.EqualHash(c.CodeHash, codeHash) })
	if right < 0 {
		return false, miss(tx, codes, address, from)
	}
	return tx.UseLoginCode(codes[right].ID)
}

// miss counts a guess that was none of the codes against each of them.
func miss(tx *sqlite.Tx, codes []sqlite.LoginCode, address string, from From) error {
	for _, c := range codes {
		if err := tx.MissLoginCode(c.ID, from.about(address)); err != nil {
			return err
		}
	}
	return nil
}
