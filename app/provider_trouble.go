package app

import (
	"context"
	"errors"
	"slices"
	"sync"

	"courtd/app/pay"
	"courtd/app/pay/wechat/bill"
	"courtd/domain"
)

// What a provider is called for, in a word.
const (
	CallOpen   = "open"   // let a payment begin
	CallAsk    = "ask"    // tell of a payment, or close it
	CallRefund = "refund" // make a refund, or tell of it
	CallBill   = "bill"   // hand out a day's bill
)

// ProviderTrouble is a kind of call that a provider did not carry out the last time it was
// made. Customers are only told to try again; what has to be mended is for the owner.
type ProviderTrouble struct {
	Provider string
	Call     string
	Said     string // what the provider said, or that nobody answered; nothing secret
	Count    int    // calls in a row
	Since    domain.Instant
	Last     domain.Instant
}

// providerTrouble remembers what has failed since the program started, until the same kind
// of call succeeds or a day has passed. Nothing depends on it but what the owner reads.
type providerTrouble struct {
	mu    sync.Mutex
	found []ProviderTrouble
}

// wellAnswered are errors that are an answer: the provider is well.
var wellAnswered = []error{pay.ErrAlreadyPaid, pay.ErrUnknownPayment, pay.ErrNeedsNewNumber, bill.ErrNone, bill.ErrNotReady}

// noteCall takes note of how a call ended.
func (a *App) noteCall(ctx context.Context, provider, call string, err error) {
	if slices.ContainsFunc(wellAnswered, func(answer error) bool { return errors.Is(err, answer) }) {
		err = nil
	}
	var now domain.Instant
	if err != nil {
		var unread error
		if now, unread = a.Now(context.WithoutCancel(ctx)); unread != nil {
			return
		}
	}
	t := &a.calls
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.found, func(p ProviderTrouble) bool { return p.Provider == provider && p.Call == call })
	if err == nil {
		if i >= 0 {
			t.found = slices.Delete(t.found, i, i+1)
		}
		return
	}
	if i < 0 {
		i, t.found = len(t.found), append(t.found, ProviderTrouble{Provider: provider, Call: call, Since: now})
	}
	t.found[i].Count++
	t.found[i].Last, t.found[i].Said = now, firstLine(err)
}

// ProviderTroubles gives what providers did not carry out, if anything.
func (a *App) ProviderTroubles(ctx context.Context) []ProviderTrouble {
	a.calls.mu.Lock()
	found := slices.Clone(a.calls.found)
	a.calls.mu.Unlock()
	if len(found) == 0 {
		return nil
	}
	now, err := a.Now(ctx)
	if err != nil {
		return found
	}
	return slices.DeleteFunc(found, func(t ProviderTrouble) bool { return now.Sub(t.Last) >= troubleLasts })
}
