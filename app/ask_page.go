package app

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"courtd/domain"
	"courtd/sqlite"
)

// askPause is how many seconds an order's payments are not asked about again for a page.
const askPause = 10

// lately remembers the orders that were asked about a moment ago, and how that went.
type lately struct {
	mu sync.Mutex
	at map[string]asking
}

type asking struct {
	at      domain.Instant
	unheard bool // the provider did not answer
}

// first reports whether an order was not asked about in the last askPause seconds, and
// remembers that it is now; else unheard says whether it was asked about in vain.
func (l *lately) first(orderID string, now domain.Instant) (first, unheard bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last, ok := l.at[orderID]; ok && last.at <= now && now < last.at+askPause {
		return false, last.unheard
	}
	if l.at == nil {
		l.at = map[string]asking{}
	}
	for id, last := range l.at { // what is older than the pause serves nobody
		if now >= last.at+askPause {
			delete(l.at, id)
		}
	}
	l.at[orderID] = asking{at: now}
	return true, false
}

// note remembers how it went to ask about an order.
func (l *lately) note(orderID string, unheard bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last, ok := l.at[orderID]; ok {
		last.unheard = unheard
		l.at[orderID] = last
	}
}

// CheckPaymentsNowAndThen is CheckPayments for a page that asks for itself again and
// again: about one order the provider is asked every ten seconds at most. It reports
// whether the provider had not answered when it was asked last.
func (a *App) CheckPaymentsNowAndThen(ctx context.Context, actor Actor, orderID string) (unheard bool, err error) {
	now, err := a.Now(ctx)
	if err != nil {
		return false, err
	}
	first, unheard := a.asked.first(orderID, now)
	if !first {
		return unheard, nil
	}
	unheard, err = a.askForPage(ctx, actor, orderID)
	a.asked.note(orderID, unheard)
	return unheard, err
}

// CheckPayments asks the provider about an order's open attempts because
// somebody wants to know now, and gives the order as it is then.
func (a *App) CheckPayments(ctx context.Context, actor Actor, orderID string) (OrderView, error) {
	unheard, err := a.askForPage(ctx, actor, orderID)
	if err != nil {
		return OrderView{}, err
	}
	view, err := a.Order(ctx, actor, orderID)
	view.Unheard = unheard
	return view, err
}

// askForPage asks about all open attempts of an order at once and waits no longer than
// domain.PageAsks in all. What is not answered by then is said to be unheard, and changes
// nothing: the rounds ask when they would have asked.
func (a *App) askForPage(ctx context.Context, actor Actor, orderID string) (unheard bool, err error) {
	var open []question
	err = a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
		order, err := s.Order(orderID)
		if err != nil {
			return err
		}
		if err := mayActNow(s, actor, order); err != nil {
			return err
		}
		payments, err := s.PaymentsOfOrder(orderID)
		open = nil
		for _, p := range payments {
			if p.Open() && p.Via != payCash {
				open = append(open, questionAbout(s, p))
			}
		}
		return err
	})
	if err != nil || len(open) == 0 {
		return false, err
	}
	// Whoever has gone away is answered all the same: the next one on the page sees it.
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), domain.PageAsks)
	defer cancel()
	errs := make([]error, len(open))
	places := make(chan struct{}, domain.PageAsksAtOnce)
	var all sync.WaitGroup
	for i, q := range open {
		q.within = within
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			errs[i] = a.askOnce(within, q)
		})
	}
	all.Wait()
	for _, err := range errs {
		switch {
		case err == nil || errors.Is(err, errUndecided):
		case isUnavailable(err):
			return false, err
		default:
			unheard = true
		}
	}
	return unheard, nil
}

// askOnce asks about an attempt and judges the answer; that there is none leaves no trace.
func (a *App) askOnce(ctx context.Context, q question) (err error) {
	defer func() { // it runs beside the request, which nothing else would catch
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while asking about payment %s: %v", q.payment.ID, r)
		}
	}()
	result, err := a.closeOrQuery(ctx, q)
	if err == nil {
		err = a.write(context.WithoutCancel(ctx), func(tx *sqlite.Tx, venue sqlite.Venue) error {
			_, err := a.applyResult(tx, venue, result)
			return err
		})
	}
	if err != nil && !isUnavailable(err) && !errors.Is(err, errStopped) {
		a.log.Warn("no answer about a payment", "payment", q.payment.ID, "order", q.payment.OrderID, "error", err)
	}
	return err
}
