package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
	"courtd/web/api"
)

// busyDays is how long the club of a busy demonstration has been open; its
// customers book busyAhead days ahead at most.
const (
	busyDays  = 7
	busyAhead = 3
)

var busyNames = []string{"王芳", "李伟", "张敏", "刘洋", "陈静", "杨磊", "赵倩", "黄强", "周婷", "吴昊", "徐丽", "孙鹏", "胡雪", "朱勇", "高洁", "林涛"}

// busy fills a new demonstration with what a week would have brought: people book,
// pay, come, stay away, cancel and let holds lapse, each at their own instant and
// by the ordinary use cases. The clock, which moves meanwhile, ends where it was.
type busy struct {
	app   *app.App
	bank  api.Demo
	dice  *rand.Rand
	desk  app.Actor
	zone  *time.Location
	until domain.Instant // the present

	evening domain.Instant // tomorrow's last slot

	customers []app.Actor
	acts      []busyAct // in no order
}

// busyAct is something that somebody does at an instant.
type busyAct struct {
	at domain.Instant
	do func(context.Context) error
}

// showing moves the clock of a demonstration.
func showing(ctx context.Context, db *sqlite.DB, now domain.Instant, frozen bool) error {
	return db.SetDemoClock(ctx, func(sqlite.ClockState) (domain.Instant, bool) { return now, frozen })
}

// weekAgo sets a new demonstration's clock back by a week, before anything is written
// that has an instant, and gives the present.
func weekAgo(ctx context.Context, db *sqlite.DB) (sqlite.ClockState, error) {
	present, err := db.ClockState(ctx)
	if err != nil {
		return present, err
	}
	return present, showing(ctx, db, present.Clock.Add(-busyDays*24*time.Hour), true)
}

// liveThrough lives through the week up to the present.
func liveThrough(ctx context.Context, db *sqlite.DB, bank *sandbox.Provider, present sqlite.ClockState) error {
	a := newApp(db, slog.New(slog.DiscardHandler), appParts{bank: bank}) // a week of log lines would hide the address
	b := &busy{app: a, bank: api.Demo{Sandbox: bank}, dice: rand.New(rand.NewPCG(8, 30)), until: present.Clock}
	if err := b.gather(ctx); err != nil {
		return fmt.Errorf("fill the demonstration: %w", err)
	}
	for len(b.acts) > 0 {
		slices.SortStableFunc(b.acts, func(x, y busyAct) int { return cmp.Compare(x.at, y.at) })
		next := b.acts[0]
		b.acts = b.acts[1:]
		if next.at > b.until {
			break
		}
		if err := showing(ctx, db, next.at, true); err != nil {
			return err
		}
		// A refusal is life: the slot is gone, the limit reached.
		if err := next.do(ctx); err != nil && !isRefusal(err) {
			return fmt.Errorf("fill the demonstration: %w", err)
		}
	}
	if err := showing(ctx, db, present.Clock, present.Frozen); err != nil {
		return err
	}
	// Messages of the week go out silently too.
	_, err := reconciler.New(a, slog.New(slog.DiscardHandler)).RunOnce(ctx)
	return err
}

func isRefusal(err error) bool {
	refusal, ok := domain.AsError(err)
	return ok && (refusal.Kind == domain.Conflict || refusal.Kind == domain.TooMany)
}

// then lets something be done at an instant; what lies before the week is done as it begins.
func (b *busy) then(at domain.Instant, do func(context.Context) error) {
	at = max(at, b.until.Add(-busyDays*24*time.Hour))
	b.acts = append(b.acts, busyAct{at, do})
}

// gather signs everybody in and thinks up what they want: a slot is wanted the more
// the later in the day and at weekends, and the less the further ahead it lies.
func (b *busy) gather(ctx context.Context) error {
	desk := app.Demo().Accounts["desk"]
	in, err := b.app.LogInStaff(ctx, desk.Username, desk.Password)
	if err != nil {
		return err
	}
	if b.desk, err = b.app.WhoIs(ctx, in.Token); err != nil {
		return err
	}
	for n := range busyNames {
		code, err := b.app.SendLoginCode(ctx, busyPhone(n), "")
		if err != nil {
			return err
		}
		in, err := b.app.LogIn(ctx, busyPhone(n), code.Code, "")
		if err != nil {
			return err
		}
		customer, err := b.app.WhoIs(ctx, in.Token)
		if err != nil {
			return err
		}
		b.customers = append(b.customers, customer)
	}
	for n := range 2 { // holds that wait for money now
		b.then(b.until.Add(time.Duration(n-4)*time.Minute), func(ctx context.Context) error {
			_, _, err := b.app.CreateOrder(ctx, b.customers[n], app.OrderRequest{Slots: []app.SlotRef{{Court: fmt.Sprintf("c%d", 3+n), Start: b.evening}}}, "")
			return err
		})
	}
	return b.app.DB().Read(ctx, func(s *sqlite.Snapshot) error {
		venue, _, err := s.Venue()
		if err != nil {
			return err
		}
		courts, err := s.Courts()
		b.zone = venue.Calendar.Zone
		today := venue.Calendar.LocalDate(b.until)
		for n := -busyDays + 1; n <= busyAhead; n++ {
			for _, slot := range venue.Calendar.Slots(today.AddDays(n)) {
				if n == 1 {
					b.evening = slot.Start
				}
				for _, court := range courts {
					if b.dice.Float64() < wanted(slot.Start.In(b.zone))/float64(max(n, 0)+1) {
						b.want(app.SlotRef{Court: court.ID, Start: slot.Start}, slot)
					}
				}
			}
		}
		return err
	})
}

func wanted(start time.Time) float64 {
	switch day := start.Weekday(); {
	case start.Hour() >= 17:
		return 0.75
	case day == time.Saturday || day == time.Sunday:
		return 0.6
	}
	return 0.35
}

func busyPhone(n int) string { return fmt.Sprintf("1380000%04d", 1000+n*137) }

// want lets somebody book a slot, in one of the ways in which people do.
func (b *busy) want(ref app.SlotRef, slot domain.Slot) {
	who := b.dice.IntN(len(b.customers))
	booked := slot.Start.Add(-time.Duration(30+b.dice.IntN(40*60)) * time.Minute)
	order := app.OrderRequest{Slots: []app.SlotRef{ref}}
	if n := b.dice.IntN(50); n < 10 { // mostly water
		order.Goods = []app.GoodRef{{ID: [...]string{"g1", "g1", "g2", "g3"}[min(n, 3)], Qty: 1 + n%2}}
	}
	fate := b.dice.IntN(100)
	b.then(booked, func(ctx context.Context) error {
		if fate < 30 { // a caller, or somebody at the counter
			how := "cash"
			if fate < 12 {
				how = "on_arrival"
			}
			return b.caller(ctx, order, who, how, slot, fate)
		}
		made, _, err := b.app.CreateOrder(ctx, b.customers[who], order, "")
		if err != nil || fate >= 94 { // lapses
			return err
		}
		b.then(booked.Add(time.Minute), func(ctx context.Context) error { return b.pays(ctx, who, made.ID) })
		switch {
		case fate >= 90:
			b.then(booked.Add(2*time.Hour), func(ctx context.Context) error {
				_, err := b.app.CancelOrder(ctx, b.customers[who], made.ID, "")
				return err
			})
		case fate >= 36: // the others do not come
			b.comes(made.ID, slot)
		}
		return nil
	})
}

func (b *busy) caller(ctx context.Context, order app.OrderRequest, who int, how string, slot domain.Slot, fate int) error {
	made, _, err := b.app.DeskOrder(ctx, b.desk, order, app.Caller{Name: busyNames[who], Phone: busyPhone(who)}, how, "")
	if err != nil || fate%10 == 0 { // does not come, or never pays
		return err
	}
	if how == "on_arrival" {
		b.then(slot.Start.Add(-10*time.Minute), func(ctx context.Context) error {
			_, err := b.app.MarkPaid(ctx, b.desk, made.ID, "")
			return err
		})
	}
	b.comes(made.ID, slot)
	return nil
}

// comes has an order's ticket read shortly before or after the start.
func (b *busy) comes(orderID string, slot domain.Slot) {
	b.then(slot.Start.Add(time.Duration(b.dice.IntN(15)-8)*time.Minute), func(ctx context.Context) error {
		order, err := b.app.Order(ctx, b.desk, orderID)
		if err != nil || order.Ticket == nil {
			return err
		}
		_, err = b.app.CheckIn(ctx, b.desk, order.Ticket.Code, "")
		return err
	})
}

func (b *busy) pays(ctx context.Context, who int, orderID string) error {
	opened, err := b.app.OpenPayment(ctx, b.customers[who], orderID, pay.ViaSandbox, "", "")
	if err != nil {
		return err
	}
	return b.bank.Play(ctx, b.app, opened.OutTradeNo, true, true)
}

// couponWords lists the coupons of the demonstration in one line.
func couponWords(coupons []app.DemoCoupon) string {
	var codes []string
	for _, c := range coupons {
		codes = append(codes, c.Code)
	}
	return strings.Join(codes, " ")
}
