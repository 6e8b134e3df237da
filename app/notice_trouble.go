package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// What can be wrong with a provider's notices as a whole, in a word.
const (
	TroubleClockDrift    = "clock_drift"    // every notice is refused until the clock is right
	TroubleUnknownKey    = "unknown_key"    // notices came under a key that is not set up
	TroubleUnreadable    = "unreadable"     // a proven notice could not be opened: the API key is wrong
	TroubleNotUnderstood = "not_understood" // a proven notice says what this program does not know
)

// troubleLasts is how long after its last notice a trouble is told of. A provider repeats
// a refused notice for about a day, with pauses of six hours at most, so that a trouble
// that goes on is never silent for so long while there is anything to tell.
const troubleLasts = 24 * time.Hour

// NoticeTrouble is one of them.
type NoticeTrouble struct {
	Provider string
	What     string
	Count    int // notices refused for it since it began
	Last     domain.Instant
}

// noticeTrouble remembers what was wrong since the program started. It is not in the
// file: who sends bad notices shall write nothing there by that.
//
// What begins a trouble is a notice that its provider has made, and that tells something
// new. Anybody else can cause none, so that nobody can plant an alarm or bury one:
//
//   - A notice under a key that is not set up counts only if its content was sealed with
//     the secret that the provider and we share (see pay.ErrUnknownKey).
//   - A notice that says what is recorded already is somebody's repetition, and neither
//     its age nor its key is news.
//
// What ends it:
//
//   - A good notice shows that the clock is right, and one whose content was opened that
//     the API key is.
//   - It does not show that a second key is known, because while keys change both sign,
//     nor that another kind of notice is understood. These two end a day after the last of
//     their notices (troubleLasts), as the others do when no notice comes at all.
type noticeTrouble struct {
	mu    sync.Mutex
	found []NoticeTrouble
}

// troubleOf names the trouble that an error shows, or "".
func troubleOf(err error) string {
	switch {
	case errors.Is(err, pay.ErrClockDrift):
		return TroubleClockDrift
	case errors.Is(err, pay.ErrUnknownKey):
		return TroubleUnknownKey
	case errors.Is(err, pay.ErrBadSignature):
		return "" // anybody can cause it, and the provider does, to see whether we look
	case errors.Is(err, pay.ErrUnreadable):
		return TroubleUnreadable
	case err != nil:
		return TroubleNotUnderstood
	}
	return ""
}

// ends reports whether a good notice shows that a trouble is over.
func ends(n pay.Notice, what string) bool {
	opened := n.Payment != nil || n.Refund != nil
	return what == TroubleClockDrift || what == TroubleUnreadable && opened
}

// noteNotice takes note of whether a notice could be used.
func (a *App) noteNotice(ctx context.Context, provider string, n pay.Notice, body []byte, err error) {
	what := troubleOf(err)
	if what == "" && err != nil {
		return
	}
	var now domain.Instant
	repeated := false
	// If it cannot be read whether it is one, it is none: an alarm too many is the lesser evil.
	_ = a.db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		now = s.Now
		if what == TroubleClockDrift || what == TroubleUnknownKey {
			repeated, err = recorded(s, provider, n, body)
		}
		return err
	})
	if repeated {
		return
	}
	a.trouble.mu.Lock()
	defer a.trouble.mu.Unlock()
	var kept []NoticeTrouble
	known := false
	for _, t := range a.trouble.found {
		if t.over(now) || t.Provider == provider && what == "" && ends(n, t.What) {
			continue
		}
		if t.Provider == provider && t.What == what {
			t.Count, t.Last, known = t.Count+1, now, true
		}
		kept = append(kept, t)
	}
	if what != "" && !known {
		kept = append(kept, NoticeTrouble{Provider: provider, What: what, Count: 1, Last: now})
		a.log.Error("a provider's notice was refused", "provider", provider, "why", what)
	}
	a.trouble.found = kept
}

// recorded reports whether a notice says nothing that was not recorded before: it came
// already, or what it says of its payment or refund has been found out by asking.
func recorded(s *sqlite.Snapshot, provider string, n pay.Notice, body []byte) (bool, error) {
	if n.ID == "" {
		return false, nil // it could not be opened
	}
	about := ""
	switch {
	case n.Payment != nil:
		about = n.Payment.OutTradeNo
	case n.Refund != nil:
		about = n.Refund.OutRefundNo
	}
	if heard, err := s.HeardOf(sqlite.EventIn{Provider: provider, NoticeID: n.ID, Body: body, About: about}); heard || err != nil {
		return heard, err
	}
	switch {
	case n.Payment != nil:
		p, found, err := s.Payment(about)
		return found && n.Payment.State == pay.Succeeded && p.SucceededAt.IsSet() && p.TransactionID == n.Payment.TransactionID, err
	case n.Refund != nil:
		r, err := s.Refund(about)
		if domain.IsReason(err, "not_found") {
			return false, nil
		}
		return err == nil && (n.Refund.State == pay.RefundSucceeded && r.DoneAt.IsSet() && (r.ConfirmedBy == "" || r.TwiceAt.IsSet()) || n.Refund.State == pay.RefundAbnormal && r.AbnormalAt.IsSet()), err
	}
	return false, nil
}

// over reports whether nothing more has come of a trouble for so long that it is told of
// no more.
func (t NoticeTrouble) over(now domain.Instant) bool {
	return now.IsSet() && t.Last.IsSet() && now.Sub(t.Last) >= troubleLasts
}

// NoticeTroubles gives what is wrong with the notices of providers, if anything.
func (a *App) NoticeTroubles(ctx context.Context) []NoticeTrouble {
	a.trouble.mu.Lock()
	found := append([]NoticeTrouble{}, a.trouble.found...)
	a.trouble.mu.Unlock()
	if len(found) == 0 {
		return found
	}
	now, err := a.Now(ctx)
	if err != nil {
		return found
	}
	return slices.DeleteFunc(found, func(t NoticeTrouble) bool { return t.over(now) })
}

// parseNotice verifies and reads a notice; a panic in a provider is an error.
func parseNotice(p pay.Provider, header func(string) string, body []byte) (n pay.Notice, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic while a notice of %s was read: %v", p.Name(), v)
		}
	}()
	return p.ParseNotice(header, body)
}
