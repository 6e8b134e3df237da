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

// newCode makes a code that proves an address, to be carried by a channel.
func (a *App) newCode(ctx context.Context, channel, address string, from From) (madeCode, error) {
	made := madeCode{id: secret.NewID(), code: secret.NewLoginCode()}
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		if channel == domain.ChannelSMS && a.channels[channel] != nil && !venue.Messages.GetsCodes(address) {
			return domain.Refuse(domain.Conflict, "no_codes_there", "no codes are sent to this number; the desk can book for whoever has it")
		}
		for _, refuse := range []func(*sqlite.Tx, string, From) error{a.refuseTwoCodes, a.refuseManyCodes} {
			if err := refuse(tx, address, from); err != nil {
				return err
			}
		}
		if err := a.refuseCodesForAll(tx, venue.Messages, channel, from); err != nil {
			return err
		}
		expires := tx.Now.Add(domain.LoginCodeLife)
		made.expires = expires.In(venue.Calendar.Zone)
		return tx.InsertLoginCode(sqlite.LoginCode{ID: made.id, Phone: address, CodeHash: secret.HashToken(address + made.code),
			AskedFrom: from.about(address), Place: from.place(), CreatedAt: tx.Now, ExpiresAt: expires})
	})
	if a.demo {
		made.shown = made.code
	}
	return made, err
}

// sendNewCode has a code carried to its address.
//
// What was surely not sent serves nobody and stands in no other's way. Of every other
// failure nobody knows: the code may have arrived, so that it serves, and counts like one
// that has. A gateway that sends and answers with an error would be a flood otherwise.
func (a *App) sendNewCode(ctx context.Context, made madeCode, channel string, m notify.Message) error {
	var asked bool
	var err error
	if m.Template, err = a.templateOfCode(ctx, channel, m.Kind, made.code); err == nil {
		m.ID, asked = made.id, true
		err = a.sendCode(ctx, channel, m)
	}
	if err == nil {
		return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error { return tx.CodeCarried(channel) })
	}
	lost := !asked || errors.Is(err, notify.ErrRefused) || notify.IsUnreached(err)
	a.log.Warn("code not sent", "channel", channel, "kind", m.Kind, "in doubt", !lost, "error", err)
	ended := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		if a.channels[channel] != nil { // it is seen nowhere else: a code has no row in the outbox
			if err := tx.CodeNotCarried(channel, firstLine(err)); err != nil {
				return err
			}
		}
		if !lost {
			return nil
		}
		return tx.LoseLoginCode(made.id)
	})
	err = errors.Join(err, ended)
	if lost {
		return domain.Refuse(domain.Unavailable, "code_not_sent", "the code could not be sent; try again").Because(err)
	}
	return domain.Refuse(domain.Unavailable, "code_in_doubt", "it is not certain that the code was sent: enter it if it comes, or try again in a minute").
		With("retry_after", CodePause).Because(err)
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

// refuseCodesForAll refuses what is more than a channel carries in a day, to whomever,
// or than one place may cause of it. Neither counts among a channel's other messages: no
// code takes the place of a notice, and no notice that of a code.
func (a *App) refuseCodesForAll(tx *sqlite.Tx, m domain.Messages, channel string, from From) error {
	if a.demo {
		return nil
	}
	all, here, err := tx.CountCodes(channel == domain.ChannelMail, from.place(), tx.Now.Add(-domain.LoginCodesWindow))
	switch {
	case err != nil:
		return err
	case here >= m.CodesFromOnePlace():
		return domain.Refuse(domain.TooMany, "too_many_codes_here", "too many codes were asked for from this address today")
	case all >= m.DailyCodes():
		return domain.Refuse(domain.TooMany, "codes_used_up", "this venue has sent all codes that it sends in a day")
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
