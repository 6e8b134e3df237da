package app_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

func (c *club) reconcilerView() app.ReconcilerView {
	c.t.Helper()
	v, err := c.app.Reconciler(ctx)
	must(c.t, err)
	return v
}

func TestReconcilerIsLate(t *testing.T) {
	limit := domain.Instant(domain.ReconcilerLate / time.Second)
	c := newClub(t)
	late := func(when domain.Instant, want_ string) {
		t.Helper()
		c.wall.set(when)
		v := c.reconcilerView()
		want(t, fmt.Sprintf("%d s after noon", when-noon), v.LateWhy, want_)
		want(t, "late", v.Late, want_ != "")
	}
	// The venue was set up at noon and has never had a round.
	late(noon, "")
	late(noon+limit-1, "")
	late(noon+limit, "never_ran")
	late(noon+limit+1, "never_ran")
	c.round()
	ran := noon + limit + 1
	late(ran, "")
	late(ran+limit-1, "")
	late(ran+limit, "no_good_run")
	want(t, "limit", c.reconcilerView().LateAfter, int64(900))
	c.round()

	// A round that leaves what is due alone is good, and late all the same.
	must(t, c.app.RecordRun(ctx, ran+limit, nil, ""))
	a := c.customer("13800000001")
	c.wall.set(ran + limit + 10)
	c.book(a, slots(slot("c1", "17:30")))
	ends := ran + limit + 10 + 600
	c.wall.set(ends + limit - 1)
	must(t, c.app.RecordRun(ctx, ends+limit-1, nil, ""))
	late(ends+limit-1, "")
	late(ends+limit, "behind")
	v := c.reconcilerView()
	want(t, "due and lag", fmt.Sprint(v.Due, v.LagSeconds), fmt.Sprint(1, " ", int64(limit)))
	// What was given up is a person's, and is not waited for.
	must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`INSERT INTO parked_effects (claim_id, effect, order_id, tries, at, error)
			SELECT id, 'settle', order_id, ?, ?, 'disk' FROM reservations`, domain.MaxEffectTries, int64(noon))
		return err
	}))
	late(ends+limit, "")
	v = c.reconcilerView()
	want(t, "state", v.State, "parked")
	row := v.ParkedRows[0]
	want(t, "parked", fmt.Sprint(row.Number, row.Effect, row.GivenUp, row.Error, domain.InstantOf(*row.Since)), fmt.Sprint("1210-0001settle", true, "disk", ends))
}

// Rounds that are asked for more seldom are late later.
func TestReconcilerIsLateByItsOwnSchedule(t *testing.T) {
	c := newClub(t)
	for every, wanted := range map[time.Duration]int64{0: 900, time.Minute: 900, 5 * time.Minute: 900, time.Hour: 3 * 3600} {
		a := app.New(app.Config{DB: c.db, RoundsEvery: every})
		v, err := a.Reconciler(ctx)
		must(t, err)
		want(t, fmt.Sprint("every ", every), v.LateAfter, wanted)
	}
}

func TestReconcilerListsMoneyAndNotices(t *testing.T) {
	c := newClub(t)
	m := c.moody()
	a := c.customer("13800000001")
	c.mail.fail = func(n notify.Message) error { return errors.New("no signal") }
	o := c.payFor(a, c.book(a, slots(slotOn("2026-12-12", "c1", "17:30"))))
	cash, err := c.deskSale(slotOn("2026-12-12", "c2", "17:30"))
	must(t, err)
	c.wall.set(noon + 60)
	c.cancel(a, o.ID)
	_, err = c.app.CancelAtDesk(ctx, c.desk, cash.ID, "venue", "停电", "")
	must(t, err)
	m.before = func(op, _ string) error {
		if op == "refund" {
			return errors.New("bank is closed")
		}
		return nil
	}
	c.wall.set(noon + 120)
	c.round()
	c.wall.set(noon + 150)
	v := c.reconcilerView()
	want(t, "refunds", len(v.Refunds), 2)
	byVia := map[string]app.RefundOnItsWay{}
	for _, r := range v.Refunds {
		byVia[r.Via] = r
	}
	sand := byVia["sandbox"]
	want(t, "the bank's", fmt.Sprint(sand.Number, sand.Order == o.ID, sand.Amount, sand.AgeSeconds, sand.Tries, sand.State, sand.ForStaff, sand.Problem),
		fmt.Sprint(o.Number, true, 6000, 90, 1, "pending", false, "bank is closed"))
	desk := byVia["cash"]
	want(t, "the desk's", fmt.Sprint(desk.Number, desk.Amount, desk.ForStaff, desk.NextTry == nil), fmt.Sprint(cash.Number, 6000, true, true))
	// held is dropped when the order is paid at the latest; the others failed once.
	waiting := c.count("SELECT count(*) FROM notices WHERE sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL")
	retrying := c.count("SELECT count(*) FROM notices WHERE tries > 0 AND sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL")
	dropped := c.count("SELECT count(*) FROM notices WHERE dropped_at IS NOT NULL")
	if waiting == 0 || retrying == 0 || dropped == 0 {
		t.Fatalf("the test has covered nothing: %d waiting, %d retrying, %d dropped", waiting, retrying, dropped)
	}
	want(t, "notices", v.Notices, app.NoticeCounts{Waiting: waiting, Retrying: retrying, Dropped: dropped})
	c.mail.fail = nil
	c.wall.set(noon + 86400)
	c.round()
	v = c.reconcilerView()
	want(t, "sent at last", fmt.Sprint(v.Notices.Waiting, v.Notices.Sent > 0), "0 true")
	c.wall.set(noon + 3*86400)
	want(t, "only what is recent", c.reconcilerView().Notices, app.NoticeCounts{})
}

func TestReconcilerListsFlaggedMoney(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	no := c.open(a, o)
	must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.FlagPayment(no, "amount 1 instead of 6000 fen") }))
	v := c.reconcilerView()
	want(t, "flagged", len(v.FlaggedMoney), 1)
	f := v.FlaggedMoney[0]
	want(t, "which", fmt.Sprint(f.Payment == no, f.Number, f.Via, f.Amount, f.Reason, domain.InstantOf(f.OpenedAt)),
		fmt.Sprint(true, o.Number, "sandbox", 6000, "amount 1 instead of 6000 fen", noon))
}
