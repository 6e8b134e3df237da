package app_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/sqlite"
)

func TestC20_NothingIsAcknowledgedUnlessItIsStored(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	n := c.succeed(c.open(a, o))

	// Somebody else holds the file's write lock for longer than courtd waits.
	db, err := sqlite.Open(ctx, sqlite.Options{Path: c.path, Wall: c.wall.time, BusyTimeout: 30 * time.Millisecond})
	must(t, err)
	defer db.Close()
	bank, err := sandbox.New(db)
	must(t, err)
	hurried := app.New(app.Config{DB: db, Channel: c.mail, Log: quiet})
	hurried.AddProvider(bank)
	raw, err := sql.Open("sqlite3", "file:"+c.path+"?_txlock=immediate")
	must(t, err)
	defer raw.Close()
	tx, err := raw.Begin()
	must(t, err)
	err = hurried.TakeNotice(ctx, "sandbox", func(k string) string { return n.headers[k] }, n.body)
	if e, ok := domain.AsError(err); !ok || e.Kind != domain.Unavailable {
		t.Fatalf("busy: got %v, want a refusal of kind Unavailable", err)
	}
	must(t, tx.Rollback())
	want(t, "stored", c.count("SELECT count(*) FROM provider_events"), 0)
	want(t, "state", c.order(a, o.ID).State, "held")
	must(t, hurried.TakeNotice(ctx, "sandbox", func(k string) string { return n.headers[k] }, n.body))
	want(t, "state", c.order(a, o.ID).State, "paid")
}

// panicky is a log that fails in the middle of what it is told about.
type panicky struct{ slog.Handler }

func (panicky) Handle(_ context.Context, r slog.Record) error { panic("while logging: " + r.Message) }
func (panicky) Enabled(context.Context, slog.Level) bool      { return true }

func TestC20_APanicWhileItIsHandled(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, slots(slot("c1", "17:30")))
	n := c.succeed(c.open(a, o))
	c.alter("UPDATE payments SET merchant = 'somebody else'") // so that it is logged
	shaky := app.New(app.Config{DB: c.db, Channel: c.mail, Log: slog.New(panicky{})})
	shaky.AddProvider(c.bank)
	err := shaky.TakeNotice(ctx, "sandbox", func(k string) string { return n.headers[k] }, n.body)
	var p *sqlite.PanicError
	if !errors.As(err, &p) {
		t.Fatalf("got %v, want the panic", err)
	}
	want(t, "stored", c.count("SELECT count(*) FROM provider_events"), 0)
	want(t, "flagged", c.count("SELECT count(*) FROM payments WHERE verdict IS NOT NULL"), 0)
	c.tell(n) // the retry
	want(t, "flagged", c.count("SELECT count(*) FROM payments WHERE verdict = 'flagged'"), 1)
	c.tell(n) // a retry after the commit
	want(t, "flagged", c.count("SELECT count(*) FROM payments WHERE verdict = 'flagged'"), 1)
}

// Every statement of taking a success may be the last one before the file fails.
func TestC20_AFailureAtAnyStatement(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, basket("", goods("g1", 1), slot("c1", "17:30")))
	n := c.succeed(c.open(a, o))
	for _, on := range []string{"UPDATE ON payments", "UPDATE ON reservations", "UPDATE ON baskets", "INSERT ON notices", "INSERT ON provider_events"} {
		for _, how := range []string{"ABORT", "ROLLBACK"} { // the statement alone, or everything before it too
			c.alter("CREATE TRIGGER crash AFTER " + on + " BEGIN SELECT RAISE(" + how + ", 'crash'); END")
			if err := c.take(n); err == nil {
				t.Fatalf("%s failed and the notice was acknowledged", on)
			}
			c.cure("crash")
			want(t, "after "+on, c.order(a, o.ID).State, "held")
			want(t, "stored", c.count("SELECT (SELECT count(*) FROM provider_events) + (SELECT count(*) FROM payments WHERE succeeded_at > 0)"), 0)
		}
	}
	c.tell(n)
	want(t, "state", c.order(a, o.ID).State, "paid")
	want(t, "paid notices", c.notices(o.ID, "paid"), 1)
	c.sound()
}

func TestC21_TheProcessDiesAfterTheBankAccepted(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.cancel(a, c.paidAt(a, slotOn("2026-12-12", "c1", "17:30")).ID)
	bank := c.moody()
	var numbers []string
	bank.after = func(op, no string) error {
		if op == "refund" {
			numbers = append(numbers, no)
			runtime.Goexit() // as far as this process is concerned
		}
		return nil
	}
	died := make(chan struct{})
	go func() {
		defer close(died)
		_, _ = c.app.DriveRefunds(ctx)
	}()
	<-died
	want(t, "the bank accepted", c.count("SELECT count(*) FROM sandbox_refunds WHERE state = 'processing'"), 1)
	want(t, "courtd does not know", c.count("SELECT count(*) FROM refunds WHERE sent_at IS NULL AND id = ?", numbers[0]), 1)
	restarted := c.second()
	restarted.round()
	want(t, "refunded", c.order(a, o.ID).Refunded, 6000)
	want(t, "refunds at the bank", c.count("SELECT count(*) FROM sandbox_refunds"), 1)
	want(t, "money back", c.count("SELECT sum(amount_fen) FROM sandbox_refunds WHERE state = 'succeeded'"), 6000)
	restarted.round()
	want(t, "told once", restarted.mail.kinds()["refunded"], 1)
}

func TestC21_ARefundThatDoesNotComeThrough(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	poor := c.cancel(a, c.paidAt(a, slotOn("2026-12-12", "c1", "17:30")).ID)
	bank := c.moody()
	var numbers []string
	bank.before = func(op, no string) error {
		numbers = append(numbers, no)
		return errors.New("balance too low")
	}
	c.round()
	o := c.order(a, poor.ID)
	want(t, "not refunded", o.Refunded, 0)
	want(t, "pending", o.RefundPending, 6000)
	want(t, "not hammered", c.round().Refunds.Failed, 0)
	c.wall.set(noon + domain.Instant(domain.FirstRetry.Seconds()))
	c.round()
	want(t, "tries", len(numbers), 2)
	want(t, "one number", numbers[0], numbers[1])

	// Abnormal: the bank has given up, a person must act, nobody says it is done.
	bank.before, bank.after = nil, func(op, no string) error {
		if op == "refund" {
			c.alter("UPDATE sandbox_refunds SET state = 'abnormal' WHERE out_refund_no = ?", no)
		}
		return nil
	}
	c.wall.set(noon + 3600)
	c.round()
	o = c.order(a, poor.ID)
	want(t, "refunded", o.Refunded, 0)
	want(t, "state", o.Refunds[0].State, "abnormal")
	want(t, "told", c.mail.kinds()["refunded"], 0)
	waiting, err := c.app.RefundsForStaff(ctx, c.desk)
	must(t, err)
	want(t, "waits for staff", len(waiting.Items), 1)
	c.wall.set(noon + 7200)
	want(t, "not sent again", c.round().Refunds.Sent, 0)
	_, err = c.app.ConfirmRefund(ctx, c.desk, o.Refunds[0].ID)
	must(t, err)
	_, err = c.app.ConfirmRefund(ctx, c.desk, o.Refunds[0].ID)
	must(t, err)
	c.round()
	want(t, "refunded", c.order(a, poor.ID).Refunded, 6000)
	want(t, "told", c.mail.kinds()["refunded"], 1)
}

func TestC22_TwoStaffRefundAtOnce(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other := c.second()
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	errs := race(2, func(i int) error {
		_, err := both(c, other, i).app.Goodwill(ctx, c.desk, o.ID, 3600, "rain", app.Key("k"+strings.Repeat("x", i+1)))
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 1, "refund_exceeds_paid": 1})
	want(t, "refunds", c.refunded(o.ID), 3600)
	c.sound()
}

func TestC22_NeverMoreThanWasPaid(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(c *club, a app.Actor, o app.OrderView) error{
		"customer": func(c *club, a app.Actor, o app.OrderView) error {
			_, err := c.app.CancelOrder(ctx, a, o.ID, "")
			return err
		},
		"venue": func(c *club, _ app.Actor, o app.OrderView) error {
			_, err := c.app.CancelAtDesk(ctx, c.desk, o.ID, "venue", "rain", "")
			return err
		},
		"closure": func(c *club, _ app.Actor, o app.OrderView) error {
			s := o.Reservations[0]
			_, err := c.app.MakeClosure(ctx, c.owner, app.ClosureRequest{Courts: []string{s.Court.ID}, From: domain.InstantOf(s.Start),
				To: domain.InstantOf(s.End), CancelBookings: true}, "")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a := c.customer("13800000001")
			o := c.paidAt(a, slotOn("2026-12-12", "c1", "17:30"))
			_, err := c.app.Goodwill(ctx, c.desk, o.ID, 3600, "rain", "")
			must(t, err)
			preview, err := c.app.PreviewRefund(ctx, a, o.ID)
			must(t, err)
			want(t, "preview", preview.Amount, 2400)
			// What was given for goodwill does not keep anybody from cancelling.
			must(t, give(c, a, o))
			want(t, "state", c.order(a, o.ID).State, "cancelled")
			want(t, "refunds", c.refunded(o.ID), 6000)
			_, err = c.app.Goodwill(ctx, c.desk, o.ID, 1, "rain", "")
			wantReason(t, err, "refund_exceeds_paid")
			c.round()
			want(t, "at the bank", c.count("SELECT sum(amount_fen) FROM sandbox_refunds"), 6000)
			c.sound()
		})
	}
}

func TestC22_DoubleTapAndASecondPayment(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other := c.second()
	a := c.customer("13800000001")
	o := c.book(a, slots(slotOn("2026-12-12", "c1", "17:30")))
	n := c.succeed(c.open(a, o))
	h, b, err := c.bank.Fail(ctx, c.open(a, o))
	must(t, err)
	c.tell(news{h, b})
	second := c.succeed(c.open(a, o))
	c.tell(n)
	errs := race(6, func(i int) error {
		if i < 2 {
			return both(c, other, i).take(second)
		}
		_, err := both(c, other, i).app.CancelOrder(ctx, a, o.ID, "")
		return err
	})
	wantTally(t, errs, map[string]int{"ok": 3, "already_cancelled": 3})
	want(t, "both payments are back, once", c.refunded(o.ID), 12000)
	want(t, "refunds", c.count("SELECT count(*) FROM refunds"), 2)
	c.round()
	c.round()
	o = c.order(a, o.ID)
	want(t, "refunded", o.Refunded, 12000)
	want(t, "at the bank", c.count("SELECT sum(amount_fen) FROM sandbox_refunds WHERE state = 'succeeded'"), 12000)
	c.sound()
}
