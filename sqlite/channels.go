package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"courtd/domain"
)

// ChannelState is what is known of a channel as a whole.
type ChannelState struct {
	Channel     string
	Fails       int            // tries in a row that failed because of the channel
	PausedUntil domain.Instant // it is left alone until then
	Day         string         // the business day that SentToday counts
	SentToday   int
	LastSentAt  domain.Instant
	LastErrorAt domain.Instant
	LastError   string
	Refused     []string // whose messages it has refused since it took one, the most as domain.RefusalsToFail says
}

const channelColumns = `SELECT channel, fails, paused_until, day, sent_today, last_sent_at, last_error_at, last_error, refused FROM channel_state`

func scanChannel(row interface{ Scan(...any) error }) (c ChannelState, err error) {
	var refused string
	err = row.Scan(&c.Channel, &c.Fails, &c.PausedUntil, &c.Day, &c.SentToday, &c.LastSentAt, &c.LastErrorAt, &c.LastError, &refused)
	c.Refused = strings.Fields(refused)
	return c, err
}

// Channel gives the state of a channel; one of which nothing is known is well.
func (s *Snapshot) Channel(name string) (ChannelState, error) {
	c, err := scanChannel(s.QueryRow(channelColumns+" WHERE channel = ?", name))
	if errors.Is(err, sql.ErrNoRows) {
		return ChannelState{Channel: name}, nil
	}
	if err != nil {
		return c, fmt.Errorf("read channel: %w", err)
	}
	return c, nil
}

// ChannelSent records that a channel took a message on a business day: it is well.
func (t *Tx) ChannelSent(name, day string) error {
	_, err := t.Exec(`INSERT INTO channel_state (channel, day, sent_today, last_sent_at) VALUES (?1, ?2, 1, ?3)
		ON CONFLICT (channel) DO UPDATE SET fails = 0, paused_until = NULL, refused = '', last_sent_at = ?3, day = ?2,
		sent_today = CASE day WHEN ?2 THEN sent_today + 1 ELSE 1 END`, name, day, t.Now)
	if err != nil {
		return fmt.Errorf("channel sent: %w", err)
	}
	return nil
}

// ChannelFailed records that a channel did not work, and until when it is left alone;
// zero is not at all.
func (t *Tx) ChannelFailed(name string, fails int, pausedUntil domain.Instant, problem string) error {
	_, err := t.Exec(`INSERT INTO channel_state (channel, fails, paused_until, last_error_at, last_error) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (channel) DO UPDATE SET fails = ?2, paused_until = ?3, last_error_at = ?4, last_error = ?5`,
		name, fails, pausedUntil, t.Now, problem)
	if err != nil {
		return fmt.Errorf("channel failed: %w", err)
	}
	return nil
}

// ChannelRefused records that a channel has refused for good what was for somebody. It is
// the message's fault or its receiver's, until so many receivers in a row were refused that
// it must be the channel's: then it has its words. It is no reason to leave it alone.
func (t *Tx) ChannelRefused(name, receiver, problem string) error {
	state, err := t.Channel(name)
	if err != nil {
		return err
	}
	of := state.Refused
	if !slices.Contains(of, receiver) && len(of) < domain.RefusalsToFail {
		of = append(of, receiver)
	}
	_, err = t.Exec(`INSERT INTO channel_state (channel, refused) VALUES (?1, ?2) ON CONFLICT (channel) DO UPDATE SET refused = ?2`, name, strings.Join(of, " "))
	if err == nil && len(of) >= domain.RefusalsToFail {
		_, err = t.Exec("UPDATE channel_state SET last_error_at = ?2, last_error = ?3 WHERE channel = ?1", name, t.Now, problem)
	}
	if err != nil {
		return fmt.Errorf("channel refused: %w", err)
	}
	return nil
}

// CodeNotCarried records that a channel did not take a code. It is no reason to leave the
// channel alone: a code that is late is of no use, and the next is tried anyhow.
func (t *Tx) CodeNotCarried(name, problem string) error {
	_, err := t.Exec(`INSERT INTO channel_state (channel, last_error_at, last_error) VALUES (?1, ?2, ?3)
		ON CONFLICT (channel) DO UPDATE SET last_error_at = ?2, last_error = ?3`, name, t.Now, problem)
	if err != nil {
		return fmt.Errorf("code not carried: %w", err)
	}
	return nil
}

// CodeCarried records that a channel took a code after it had failed or refused something. Codes are not
// counted among its messages: they have limits of their own.
func (t *Tx) CodeCarried(name string) error {
	_, err := t.Exec("UPDATE channel_state SET last_sent_at = ?2, refused = '' WHERE channel = ?1 AND (last_error_at >= coalesce(last_sent_at, 0) OR refused <> '')", name, t.Now)
	if err != nil {
		return fmt.Errorf("code carried: %w", err)
	}
	return nil
}

// Failing reports whether the last that a channel was asked to carry did not go: a
// message, or a code; or whether it refuses whatever it is given.
func (c ChannelState) Failing() bool {
	return c.Fails > 0 || c.RefusesAll() || (c.LastErrorAt.IsSet() && c.LastErrorAt > c.LastSentAt)
}

// RefusesAll reports whether a channel has refused so many receivers in a row that it must
// be the channel's own fault.
func (c ChannelState) RefusesAll() bool { return len(c.Refused) >= domain.RefusalsToFail }

// ForgetChannel forgets how a channel did that is no more.
func (t *Tx) ForgetChannel(name string) error {
	_, err := t.Exec("DELETE FROM channel_state WHERE channel = ?", name)
	if err != nil {
		return fmt.Errorf("forget channel: %w", err)
	}
	return nil
}

// WakeChannel ends the pause of a channel, for somebody who says that it is mended, and
// makes all that waits for it due now, but for what somebody has just taken: that is due
// within NoticeLease.
func (t *Tx) WakeChannel(name string) error {
	_, err := t.Exec("UPDATE channel_state SET paused_until = NULL, fails = 0, refused = '', last_error_at = NULL, last_error = '' WHERE channel = ?", name)
	if err != nil {
		return fmt.Errorf("wake channel: %w", err)
	}
	leased := t.Now.Add(domain.NoticeLease)
	_, err = t.Exec(`UPDATE notices SET next_try_at = ?1 WHERE id IN (SELECT d.notice_id FROM deliveries d INDEXED BY deliveries_outbox
		WHERE d.channel = ?2 AND `+stillWaiting+` AND d.next_try_at > ?3)`, t.Now, name, leased)
	if err == nil {
		_, err = t.Exec("UPDATE deliveries AS d SET next_try_at = ?1 WHERE d.channel = ?2 AND "+stillWaiting+" AND d.next_try_at > ?3", t.Now, name, leased)
	}
	if err != nil {
		return fmt.Errorf("wake what waits for a channel: %w", err)
	}
	return nil
}
