package app_test

import (
	"flag"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"

	"courtd/app"
	wechatpay "courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

var (
	stormOrders = flag.Int("storm", 200, "orders of the storm")
	stormSeed   = flag.Uint64("seed", 20261210, "seed of the storm")
)

// storm is a venue with WeChat Pay while everything goes wrong at once.
type storm struct {
	*club
	bank *standin.Server
	apps []*app.App // two processes on one file
	recs []*reconciler.Reconciler

	mu      sync.Mutex
	orders  []app.OrderView
	who     map[string]app.Actor
	crowd   []app.Actor
	courts  int
	refused map[string]int // by reason
	did     map[string]int // by act
}

func newStorm(t *testing.T, orders int) *storm {
	t.Helper()
	s := &storm{club: newClub(t), who: map[string]app.Actor{}, refused: map[string]int{}, did: map[string]int{}, courts: 6 + orders/40}
	w := s.withWeChat()
	s.bank = w.bank
	for _, c := range []*club{s.club, s.second()} {
		a, rec := c.wechatApp(w.provider)
		s.apps, s.recs = append(s.apps, a), append(s.recs, rec)
	}
	s.app, s.rec = s.apps[0], s.recs[0]
	for i := 6; i < s.courts; i++ {
		_, err := s.app.AddCourt(ctx, s.owner, fmt.Sprintf("%d号场", i+1), "")
		must(t, err)
	}
	s.policy(func(p *domain.Policy) { p.MaxLiveOrders, p.MaxSlotsPerDay, p.Strikes = 5, 8, 0 })
	s.coupon("TEN", 10, 0, 0)
	s.coupon("ONE", 50, 1, 1)
	_, err := s.app.MoveStock(ctx, s.owner, "g1", "receipt", orders/10, "", "")
	must(t, err)
	s.crowd = s.club.crowd(orders)
	s.sql("UPDATE customers SET openid = 'openid-' || substr(id, -20)")
	return s
}

// ok takes note of a refusal, which is an answer; anything else is a fault.
func (s *storm) ok(act string, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.did[act]++
	refusal, refused := domain.AsError(err)
	switch {
	case err == nil:
		return true
	case refused:
		s.refused[refusal.Reason]++
	default:
		s.t.Errorf("%s: %v", act, err)
	}
	return false
}

func (s *storm) anyOrder(r *mathrand.Rand) (app.OrderView, app.Actor, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.orders) == 0 {
		return app.OrderView{}, app.Actor{}, false
	}
	o := s.orders[len(s.orders)-1-r.IntN(min(len(s.orders), 24))] // one of the latest
	return o, s.who[o.ID], true
}

func (s *storm) place(r *mathrand.Rand) app.SlotRef {
	day := at("2026-12-10T08:30:00+08:00") + domain.Instant(r.IntN(9))*86400
	return app.SlotRef{Court: fmt.Sprintf("c%d", 1+r.IntN(s.courts)), Start: day + domain.Instant(r.IntN(9)*5400)}
}

func (s *storm) book(a *app.App, r *mathrand.Rand) {
	req := app.OrderRequest{Slots: []app.SlotRef{s.place(r)}}
	if r.IntN(3) == 0 {
		next := req.Slots[0]
		next.Start += 5400
		req.Slots = append(req.Slots, next)
	}
	if r.IntN(4) == 0 {
		req.Goods = goods("g1", 1+r.IntN(2))
	}
	switch r.IntN(10) {
	case 0:
		req.Coupon = "TEN"
	case 1:
		req.Coupon = "ONE"
	}
	who := s.crowd[r.IntN(len(s.crowd))]
	o, _, err := a.CreateOrder(ctx, who, req, "")
	if s.ok("book", err) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, known := s.who[o.ID]; !known {
			s.orders, s.who[o.ID] = append(s.orders, o), who
		}
	}
}

// pay has a customer's bank pay some attempt, in time or not.
func (s *storm) pay(r *mathrand.Rand) {
	var waiting []string
	for no, account := range s.bank.Ledger() {
		if account.PaidFen == 0 {
			waiting = append(waiting, no)
		}
	}
	if len(waiting) == 0 {
		return
	}
	slices.Sort(waiting)
	no := waiting[len(waiting)-1-r.IntN(min(len(waiting), 16))]
	if r.IntN(3) == 0 {
		_ = s.bank.PayAnyway(no) // after its close or expiry, too
	} else {
		_ = s.bank.Pay(no)
	}
}

func (s *storm) deliver(a *app.App) {
	s.bank.Deliver(func(request *http.Request) int {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return 0
		}
		if s.ok("notice", a.TakeNotice(ctx, "wechat", request.Header.Get, body)) {
			return http.StatusNoContent
		}
		return http.StatusBadRequest
	})
}

// act is one thing that somebody does.
func (s *storm) act(n int, r *mathrand.Rand) {
	which := r.IntN(2)
	a := s.apps[which]
	order, who, some := s.anyOrder(r)
	switch what := r.IntN(100); {
	case what < 34 || !some:
		s.book(a, r)
	case what < 58:
		via := []string{wechatpay.ViaJSAPI, wechatpay.ViaNative, wechatpay.ViaH5}[r.IntN(3)]
		_, err := a.OpenPayment(ctx, who, order.ID, via, fmt.Sprintf("192.0.2.%d", 1+r.IntN(2)), app.Key(fmt.Sprint("pay", n)))
		s.ok("open payment", err)
	case what < 76:
		s.pay(r)
	case what < 80:
		_, err := a.CancelOrder(ctx, who, order.ID, app.Key(fmt.Sprint("cancel", n)))
		s.ok("cancel", err)
	case what < 82:
		_, err := a.CancelAtDesk(ctx, s.desk, order.ID, []string{"venue", "customer"}[r.IntN(2)], "storm", "")
		s.ok("cancel at the desk", err)
	case what < 86:
		_, err := a.CheckPayments(ctx, who, order.ID)
		s.ok("check", err)
	case what < 88:
		_, err := a.Goodwill(ctx, s.desk, order.ID, int64(1+r.IntN(3000)), "storm", app.Key(fmt.Sprint("goodwill", n)))
		s.ok("goodwill", err)
	case what < 89:
		slot := s.place(r)
		_, err := a.MakeClosure(ctx, s.owner, app.ClosureRequest{Courts: []string{slot.Court}, From: slot.Start, To: slot.Start + 5400, Reason: "storm", CancelBookings: true}, "")
		s.ok("close", err)
	case what < 96:
		s.deliver(a)
	default:
		_, err := s.recs[which].RunOnce(ctx)
		s.ok("round", err)
	}
}

// TestStorm: some hundreds of orders while WeChat loses, delays, doubles, reorders and
// corrupts notices, times out after accepting, answers 5xx, refuses to close and takes
// money afterwards; two processes, and customers and staff who change their minds. At the
// end every fen there is a fen here.
func TestStorm(t *testing.T) {
	orders := *stormOrders
	s := newStorm(t, orders)
	random := mathrand.New(mathrand.NewPCG(*stormSeed, 1))
	s.bank.Misbehave(mathrand.New(mathrand.NewPCG(*stormSeed, 2)), standin.Odds{
		FailBefore: .02, FailAfter: .02, HangBefore: .005, HangAfter: .01, CorruptAnswer: .01, TooOften: .01,
		RefuseClose: .05, NotEnough: .05, Abnormal: .03,
		LoseNotice: .15, DelayNotice: .10, DoubleNotice: .10, ReorderNotice: .10, CorruptNotice: .05})
	n := 0
	for made := 0; made < orders; {
		var all sync.WaitGroup
		for range 8 {
			n++
			number, own := n, mathrand.New(mathrand.NewPCG(*stormSeed, uint64(n)+100))
			all.Go(func() { s.act(number, own) })
		}
		all.Wait()
		s.wall.set(domain.InstantOf(s.wall.time()) + domain.Instant(1+random.IntN(90)))
		s.mu.Lock()
		made = len(s.orders)
		s.mu.Unlock()
		if n > orders*100 {
			t.Fatalf("after %d acts there are %d orders", n, made)
		}
	}
	s.calm(random)
	t.Logf("%d acts %v, refused %v, asked of the bank: %d open, %d close, %d query, %d refund", n, s.did, s.refused,
		s.bank.Calls(standin.CallOpen), s.bank.Calls(standin.CallClose), s.bank.Calls(standin.CallQuery), s.bank.Calls(standin.CallRefund))
	s.everyFen()
	s.nobodyHasBoth()
	s.sound()
}

// calm ends the storm: the bank behaves, abnormal refunds are made good there by hand,
// and rounds go on until a day and more has passed.
func (s *storm) calm(random *mathrand.Rand) {
	s.t.Helper()
	s.bank.Behave()
	for _, wait := range []domain.Instant{60, 600, 600, 900, 900, 3600, 7200, 6 * 3600, 6 * 3600, 6 * 3600, 24 * 3600, 600, 600} {
		for range 3 {
			s.deliver(s.apps[random.IntN(2)])
		}
		for _, no := range s.column("SELECT id FROM refunds WHERE abnormal_at IS NOT NULL AND done_at IS NULL") {
			must(s.t, s.bank.FinishRefund(no, standin.Success))
		}
		s.wall.set(domain.InstantOf(s.wall.time()) + wait)
		_, err := s.recs[random.IntN(2)].RunOnce(ctx)
		must(s.t, err)
	}
	want(s.t, "attempts without an answer", s.count("SELECT count(*) FROM payments WHERE succeeded_at IS NULL AND closed_at IS NULL"), 0)
	want(s.t, "refunds under way", s.count("SELECT count(*) FROM refunds WHERE done_at IS NULL"), 0)
}

// everyFen compares the two ledgers line by line.
func (s *storm) everyFen() {
	s.t.Helper()
	ledger := s.bank.Ledger()
	var paid, back int64
	for no, there := range ledger {
		var here struct {
			paid, back int64
			known      int
		}
		must(s.t, s.db.Read(ctx, func(snap *sqlite.Snapshot) error {
			return snap.QueryRow(`SELECT count(*), coalesce(sum(CASE WHEN succeeded_at IS NOT NULL THEN amount_fen END), 0),
				(SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE payment_id = ?1 AND done_at IS NOT NULL) FROM payments WHERE id = ?1`, no).Scan(&here.known, &here.paid, &here.back)
		}))
		if here.known != 1 || here.paid != there.PaidFen || here.back != there.RefundedFen || there.LeavingFen != 0 {
			s.t.Errorf("%s: there %d paid, %d back, %d leaving; here %d paid, %d back (%d rows): %s", no, there.PaidFen, there.RefundedFen, there.LeavingFen, here.paid, here.back, here.known, there.State)
		}
		ours := s.column("SELECT id FROM refunds WHERE payment_id = ? ORDER BY id", no)
		slices.Sort(there.Refunds)
		if !slices.Equal(ours, there.Refunds) {
			s.t.Errorf("%s: refunded there under %v, here under %v", no, there.Refunds, ours)
		}
		paid, back = paid+there.PaidFen, back+there.RefundedFen
	}
	want(s.t, "paid in all", int64(s.count("SELECT coalesce(sum(amount_fen), 0) FROM payments WHERE succeeded_at IS NOT NULL")), paid)
	want(s.t, "back in all", int64(s.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE done_at IS NOT NULL")), back)
	if paid == 0 || back == 0 {
		s.t.Errorf("%d fen came in and %d went back: nothing was tried", paid, back)
	}
	for _, verdict := range []string{"paid", "revived", "refunded"} {
		if s.count("SELECT count(*) FROM payments WHERE verdict = ?", verdict) == 0 {
			s.t.Errorf("no payment was judged %s", verdict)
		}
	}
}

// nobodyHasBoth: what stands is paid for, whatever went back, and what was never had is
// not paid for.
func (s *storm) nobodyHasBoth() {
	s.t.Helper()
	for _, o := range s.orders {
		var order domain.Order
		var kept int64
		var now domain.Instant
		must(s.t, s.db.Read(ctx, func(snap *sqlite.Snapshot) (err error) {
			if order, err = snap.Order(o.ID); err != nil {
				return err
			}
			now = snap.Now
			return snap.QueryRow(`SELECT (SELECT coalesce(sum(amount_fen), 0) FROM payments WHERE order_id = ?1 AND succeeded_at IS NOT NULL)
				- (SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE order_id = ?1 AND purpose <> 'goodwill')`, o.ID).Scan(&kept)
		}))
		var standing int64
		everPaid := false
		for _, r := range order.Slots(now) {
			everPaid = everPaid || r.PaidAt.IsSet()
			if r.PaidAt.IsSet() && !r.CancelledAt.IsSet() {
				standing += r.NetFen()
			}
		}
		if b, ok := order.Basket(now); ok && b.PaidAt.IsSet() && !b.CancelledAt.IsSet() {
			standing += b.GoodsFen() - b.DiscountFen
		}
		if kept < standing {
			s.t.Errorf("order %s stands for %d fen and %d were kept", o.Number, standing, kept)
		}
		if !everPaid && kept != 0 {
			s.t.Errorf("order %s was never confirmed and %d fen were kept", o.Number, kept)
		}
	}
}
