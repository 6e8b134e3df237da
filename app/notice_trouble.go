package app

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"courtd/app/pay"
	"courtd/domain"
)

// What can be wrong with a provider's notices as a whole, in a word.
const (
	TroubleClockDrift    = "clock_drift"    // every notice is refused until the clock is right
	TroubleUnknownKey    = "unknown_key"    // notices came under a key that is not set up
	TroubleUnreadable    = "unreadable"     // a proven notice could not be opened: the API key is wrong
	TroubleNotUnderstood = "not_understood" // a proven notice says what this program does not know
)

// NoticeTrouble is one of them.
type NoticeTrouble struct {
	Provider string         `json:"provider"`
	What     string         `json:"what" enum:"clock_drift,unknown_key,unreadable,not_understood"`
	Count    int            `json:"count" doc:"notices refused for it since the program started or the last good one"`
	Last     domain.Instant `json:"-"`
}

// noticeTrouble remembers what was wrong since the program started. It is not in the
// file: anybody can send bad notices, and nobody shall write there by that.
type noticeTrouble struct {
	mu    sync.Mutex
	found []NoticeTrouble
}

// noteNotice takes note of whether a notice could be used. A good one says that the
// clock and the API key are right; it says nothing about a key that is not set up, nor
// about a notice of another form.
func (a *App) noteNotice(ctx context.Context, provider string, err error) {
	what := ""
	switch {
	case errors.Is(err, pay.ErrClockDrift):
		what = TroubleClockDrift
	case errors.Is(err, pay.ErrUnknownKey):
		what = TroubleUnknownKey
	case errors.Is(err, pay.ErrBadSignature):
		return // anybody can cause it, and the provider does, to see whether we look
	case errors.Is(err, pay.ErrUnreadable):
		what = TroubleUnreadable
	case err != nil:
		what = TroubleNotUnderstood
	}
	now, nowErr := a.Now(ctx)
	if nowErr != nil {
		now = 0
	}
	a.trouble.mu.Lock()
	defer a.trouble.mu.Unlock()
	var kept []NoticeTrouble
	known := false
	for _, t := range a.trouble.found {
		if t.Provider == provider && what == "" && (t.What == TroubleClockDrift || t.What == TroubleUnreadable) {
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

// NoticeTroubles gives what is wrong with the notices of providers, if anything.
func (a *App) NoticeTroubles() []NoticeTrouble {
	a.trouble.mu.Lock()
	defer a.trouble.mu.Unlock()
	return append([]NoticeTrouble{}, a.trouble.found...)
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
