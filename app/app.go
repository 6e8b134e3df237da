// Package app holds the use cases of the club. Each is one exported method, one
// transaction and one instant; whatever must happen outside the database is a
// row first and is carried out after the commit.
package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

// App carries out the use cases on one database.
type App struct {
	db         *sqlite.DB
	providers  map[string]pay.Provider // by via
	byName     map[string]pay.Provider
	trouble    noticeTrouble
	channel    notify.Channel // the page and the log, for whoever has no other
	channels   map[string]notify.Channel
	webhooks   Webhooks
	shipper    Shipper
	wechat     WeChat
	log        *slog.Logger
	demo       bool
	followUp   time.Duration   // between questions about a refund
	calls      providerTrouble // of payments
	passBudget time.Duration   // for one channel in one pass over the outbox
	lateAfter  time.Duration   // without a good round, the reconciler is late
	woken      chan struct{}
	passes     passes
	asked      lately
	selfDiffs  atomic.Int64
	counts     differenceCounts
	days       days
}

// Config is what an App is made of.
type Config struct {
	DB        *sqlite.DB
	Providers []pay.Provider
	Channel   notify.Channel   // of a venue that has no other, and of whoever is on no other
	Channels  []notify.Channel // by Name: domain.ChannelWeChat, ChannelSMS, ChannelMail
	Webhooks  Webhooks         // nil where the venue's own software is not told
	Shipper   Shipper          // nil where WeChat is not told that customers have come
	WeChat    WeChat           // nil where nobody signs in with WeChat
	Log       *slog.Logger
	Demo      bool // codes are shown, refunds are followed up at once
	// RoundsEvery is how often rounds of the reconciler are run; 0 if it is not known.
	RoundsEvery time.Duration
	// NoKeptDays has every answer about a day worked out, to measure what keeping them saves.
	NoKeptDays bool
}

// New makes an App.
func New(c Config) *App {
	a := &App{db: c.DB, providers: map[string]pay.Provider{}, byName: map[string]pay.Provider{},
		channel: c.Channel, channels: map[string]notify.Channel{}, webhooks: c.Webhooks, shipper: c.Shipper, wechat: c.WeChat,
		log: c.Log, demo: c.Demo,
		followUp: domain.RefundFollowUp, passBudget: domain.ChannelPassBudget, woken: make(chan struct{}, 1),
		lateAfter: max(domain.ReconcilerLate, domain.LateAfterRounds*c.RoundsEvery),
		days:      days{kept: map[domain.Date]*dayPlace{}, off: c.NoKeptDays}}
	if c.Demo {
		a.followUp = 0
	}
	for _, channel := range c.Channels {
		a.channels[channel.Name()] = channel
	}
	for _, p := range c.Providers {
		a.AddProvider(p)
	}
	return a
}

// AddProvider offers a provider's ways to pay. It belongs to the start, before
// anybody asks.
func (a *App) AddProvider(p pay.Provider) {
	a.byName[p.Name()] = p
	for _, via := range p.Via() {
		a.providers[via] = p
	}
}

// DB is the door to the rows, for reads that are no use case.
func (a *App) DB() *sqlite.DB { return a.db }

// Demo reports whether this is a demonstration.
func (a *App) Demo() bool { return a.demo }

// Woken signals that a use case has caused messages or refunds that may go out now.
func (a *App) Woken() <-chan struct{} { return a.woken }

func (a *App) wake() {
	select {
	case a.woken <- struct{}{}:
	default:
	}
}

// write runs one use case's transaction and, when it has been committed, wakes
// whoever carries out what it caused.
func (a *App) write(ctx context.Context, run func(*sqlite.Tx, sqlite.Venue) error) error {
	err := a.db.Write(ctx, func(tx *sqlite.Tx) error {
		venue, err := mustVenue(&tx.Snapshot)
		if err != nil {
			return err
		}
		return run(tx, venue)
	})
	if err == nil {
		a.wake()
	}
	return err
}

// read runs one use case's questions on one snapshot.
func (a *App) read(ctx context.Context, run func(*sqlite.Snapshot, sqlite.Venue) error) error {
	return a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		venue, err := mustVenue(s)
		if err != nil {
			return err
		}
		return run(s, venue)
	})
}

// stops reports whether a pass over many rows must end with an error: the store
// cannot serve, or nobody wants the pass any more. Any other error is one row's own.
func stops(ctx context.Context, err error) bool { return isUnavailable(err) || ctx.Err() != nil }

func mustVenue(s *sqlite.Snapshot) (sqlite.Venue, error) {
	venue, found, err := s.Venue()
	if err == nil && !found {
		err = domain.Refuse(domain.Unavailable, "not_set_up", "this venue has not been set up yet")
	}
	return venue, err
}
