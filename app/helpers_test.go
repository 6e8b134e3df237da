package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"courtd/app"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
)

var ctx = context.Background()

// clock sets the time of day on 10 December 2026, venue time: "17:30:00".
func (c *club) clock(s string) { c.wall.set(at("2026-12-10T" + s + "+08:00")) }

// policy changes settings as the owner would.
func (c *club) policy(change func(*domain.Policy)) {
	c.t.Helper()
	_, err := c.app.ChangeVenue(ctx, c.owner, "policy", func(v *sqlite.Venue) error {
		change(&v.Policy)
		return nil
	})
	must(c.t, err)
}

// price sets one price for every slot.
func (c *club) price(fen int64) { c.prices(domain.PriceRule{Name: "标准价", PriceFen: fen}) }

func (c *club) prices(rules ...domain.PriceRule) {
	c.t.Helper()
	_, err := c.app.ChangeVenue(ctx, c.owner, "prices", func(v *sqlite.Venue) error {
		v.Prices = rules
		return nil
	})
	must(c.t, err)
}

// coupon adds a coupon that takes a share off.
func (c *club) coupon(code string, percent, maxUses, perCustomer int) {
	c.t.Helper()
	_, err := c.app.AddCoupon(ctx, c.owner, domain.Coupon{Code: code, Name: code, Percent: percent, MaxUses: maxUses,
		MaxUsesPerCustomer: perCustomer, Active: true}, "")
	must(c.t, err)
}

// crowd signs many people up in one go.
func (c *club) crowd(n int) []app.Actor {
	c.t.Helper()
	out := make([]app.Actor, n)
	must(c.t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		for i := range out {
			id := app.NewID()
			if err := tx.InsertCustomer(sqlite.Customer{ID: id, Phone: fmt.Sprintf("139%08d", i)}); err != nil {
				return err
			}
			out[i] = app.Actor{Role: app.RoleCustomer, ID: id, Session: "session-" + id}
		}
		return nil
	}))
	return out
}

// deskSale sells for cash at the desk.
func (c *club) deskSale(refs ...app.SlotRef) (app.OrderView, error) {
	o, _, err := c.app.DeskOrder(ctx, c.desk, slots(refs...), app.Caller{Name: "散客"}, "cash", "")
	return o, err
}

// scan shows a ticket code at the door.
func (c *club) scan(code string) app.ScanResult {
	c.t.Helper()
	r, err := c.app.CheckIn(ctx, c.desk, code, "")
	must(c.t, err)
	return r
}

func (c *club) move(reservation string, to app.SlotRef) (app.MoveResult, error) {
	return c.app.MoveReservation(ctx, c.desk, reservation, to, "test", "")
}

func (c *club) close(from, to string, cancel bool, courts ...string) (app.ClosureMade, error) {
	return c.app.MakeClosure(ctx, c.owner, app.ClosureRequest{Courts: courts, From: at("2026-12-10T" + from + ":00+08:00"),
		To: at("2026-12-10T" + to + ":00+08:00"), Reason: "维修", CancelBookings: cancel}, "")
}

// basket is an order of slots, goods and a coupon, each of which may be missing.
func basket(coupon string, goods []app.GoodRef, refs ...app.SlotRef) app.OrderRequest {
	return app.OrderRequest{Slots: refs, Goods: goods, Coupon: coupon}
}

func goods(id string, qty int) []app.GoodRef { return []app.GoodRef{{ID: id, Qty: qty}} }

// race makes n calls at the same moment and gives what each came to.
func race(n int, call func(i int) error) []error {
	errs := make([]error, n)
	var ready, done sync.WaitGroup
	gun := make(chan struct{})
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			<-gun
			errs[i] = call(i)
		})
	}
	ready.Wait()
	close(gun)
	done.Wait()
	return errs
}

// tally counts outcomes by reason: "ok", a refusal's reason, or the fault itself.
func tally(errs []error) map[string]int {
	out := map[string]int{}
	for _, err := range errs {
		e, refused := domain.AsError(err)
		switch {
		case err == nil:
			out["ok"]++
		case refused:
			out[e.Reason]++
		default:
			out["fault: "+err.Error()]++
		}
	}
	return out
}

// wantTally wants exactly these outcomes.
func wantTally(t *testing.T, errs []error, want map[string]int) {
	t.Helper()
	got := tally(errs)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("outcomes: got %v, want %v", got, want)
	}
}

// sound checks what must hold after anything at all: no two claims on a slot ever
// were live together, every piece of every good is accounted for, and no payment
// gave back more than it brought.
func (c *club) sound() {
	c.t.Helper()
	want(c.t, "slots sold twice", c.count(`SELECT count(*) FROM reservations a JOIN reservations b ON a.court_id = b.court_id AND a.id < b.id
		WHERE a.starts_at < b.ends_at AND b.starts_at < a.ends_at AND max(a.booked_at, b.booked_at) < min(a.release_at, b.release_at)`), 0)
	want(c.t, "payments overdrawn", c.count(`SELECT count(*) FROM payments p
		WHERE (SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE payment_id = p.id) > p.amount_fen`), 0)
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		out, err := withCustomers(s)
		if err != nil {
			return err
		}
		all, err := s.Goods()
		for _, g := range all {
			received := 0
			if err := s.QueryRow("SELECT coalesce(sum(qty), 0) FROM stock_moves WHERE good_id = ? AND kind IN ('receipt', 'adjust')", g.ID).Scan(&received); err != nil {
				return err
			}
			if g.Available()+out[g.ID] != received {
				c.t.Fatalf("good %s: %d on the shelf, %d owed to it, %d with customers, %d received", g.ID, g.Balance, g.Owed, out[g.ID], received)
			}
		}
		return err
	}))
}

// withCustomers counts the pieces that are sold or held, from the orders alone.
func withCustomers(s *sqlite.Snapshot) (map[string]int, error) {
	rows, err := s.Query("SELECT id FROM orders")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	out := map[string]int{}
	for _, id := range ids {
		o, err := s.Order(id)
		if err != nil {
			return nil, err
		}
		b, ok := o.Basket(s.Now)
		if state := b.State(s.Now); ok && (state == domain.Held || state == domain.Confirmed || state == domain.Completed) {
			for _, l := range b.Lines {
				out[l.GoodID] += l.Qty
			}
		}
	}
	return out, rows.Err()
}

// uses counts the uses of a coupon now.
func (c *club) uses(code string) (n int) {
	c.t.Helper()
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		baskets, err := s.BasketsWithCoupon(code)
		for _, b := range baskets {
			if b.UsesCoupon(s.Now) {
				n++
			}
		}
		return err
	}))
	return n
}

// notices counts the rows of the outbox of one order and kind, sent or not.
func (c *club) notices(order, kind string) int {
	c.t.Helper()
	return c.count("SELECT count(*) FROM notices WHERE order_id = ? AND kind = ?", order, kind)
}

// refunded adds up all refunds of an order, done or under way.
func (c *club) refunded(order string) int {
	c.t.Helper()
	return c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE order_id = ?", order)
}

// moodyBank is the sandbox with a say of the test before and after each call.
type moodyBank struct {
	pay.Provider
	before func(op, no string) error
	after  func(op, no string) error
}

// moody puts a moodyBank in the sandbox's place.
func (c *club) moody() *moodyBank {
	m := &moodyBank{Provider: c.bank}
	c.app.AddProvider(m)
	return m
}

func moodily[T any](m *moodyBank, op, no string, call func() (T, error)) (out T, err error) {
	if m.before != nil {
		if err = m.before(op, no); err != nil {
			return out, err
		}
	}
	if out, err = call(); err == nil && m.after != nil {
		err = m.after(op, no)
	}
	return out, err
}

func (m *moodyBank) Open(ctx context.Context, r pay.Request) (pay.Opened, error) {
	return moodily(m, "open", r.OutTradeNo, func() (pay.Opened, error) { return m.Provider.Open(ctx, r) })
}

func (m *moodyBank) Close(ctx context.Context, no string) error {
	_, err := moodily(m, "close", no, func() (struct{}, error) { return struct{}{}, m.Provider.Close(ctx, no) })
	return err
}

func (m *moodyBank) Query(ctx context.Context, no string) (pay.Result, error) {
	return moodily(m, "query", no, func() (pay.Result, error) { return m.Provider.Query(ctx, no) })
}

func (m *moodyBank) Refund(ctx context.Context, r pay.RefundRequest) (pay.RefundResult, error) {
	return moodily(m, "refund", r.OutRefundNo, func() (pay.RefundResult, error) { return m.Provider.Refund(ctx, r) })
}

func (m *moodyBank) QueryRefund(ctx context.Context, no string) (pay.RefundResult, error) {
	return moodily(m, "query refund", no, func() (pay.RefundResult, error) { return m.Provider.QueryRefund(ctx, no) })
}
