package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// Acts of the owner, of the bank, of the clock and of the reconciler.

// done ends an act that gives nothing to compare.
func (w *world) done(act string, err error, want oVerdict) error {
	_, err = w.saw(act, err, want)
	return err
}

// unlessBehind is what an act comes to that only the clock can keep from being done.
func (o *oracle) unlessBehind() oVerdict {
	if o.behind() {
		return no("clock_behind")
	}
	return oVerdict{}
}

func simClose(w *world, n [5]uint32) error {
	s := w.spot(n[0])
	from, to := s.start-oTime(n[1]%3)*oHour, s.start+oTime(n[1]/3%4)*oHour
	courts := []string{s.court}
	if n[1]/16%3 == 0 {
		courts = []string{"c1", "c2"}
	}
	cancel := n[1]/64%2 == 0
	w.line = fmt.Sprintf("the owner closes %v from %d to %d, cancelling %t", courts, from, to, cancel)
	req := app.ClosureRequest{Courts: courts, From: from, To: to, Reason: "rain", CancelBookings: cancel}
	p := w.proc(n[4])
	if n[2]%16 == 0 && to > from && to > w.o.now && !slices.Contains(courts, "c9") && !w.o.behind() {
		req.Seen = "something else"
		_, err := p.app.MakeClosure(ctx, w.owner, req, "")
		return w.done("close", err, no("changed_meanwhile"))
	}
	hits, want := w.o.close(courts, from, to, cancel)
	made, err := p.app.MakeClosure(ctx, w.owner, req, "")
	done, err := w.saw("close", err, want)
	if !done || err != nil {
		return err
	}
	w.o.closures[len(w.o.closures)-1].id = made.Closure.ID
	if len(made.Hits) != hits {
		return fmt.Errorf("close: the program says that it hits %d, the oracle %d", len(made.Hits), hits)
	}
	if hits > 0 {
		w.seen[fmt.Sprint("close/cancelling ", cancel)]++
	}
	return nil
}

func simLift(w *world, n [5]uint32) error {
	all := w.o.closures
	id, want := "none", w.o.unlessBehind()
	if len(all) == 0 || n[1]%32 == 0 {
		if want.reason == "" {
			want = no("not_found")
		}
	} else {
		c := all[len(all)-1-int(n[0])%min(len(all), 8)]
		if id = c.id; want.reason == "" && c.lifted == 0 {
			c.lifted = w.o.now
		}
	}
	w.line = "the owner lifts a closure"
	_, err := w.proc(n[4]).app.LiftClosure(ctx, w.owner, id)
	return w.done("lift", err, want)
}

func simPolicy(w *world, n [5]uint32) error {
	want := w.o.unlessBehind()
	p := simPolicies[n[0]%uint32(len(simPolicies))]
	if want.reason == "" {
		w.o.policy = p
	}
	w.line = fmt.Sprintf("the owner sets policy %d", n[0]%uint32(len(simPolicies)))
	_, err := w.proc(n[4]).app.ChangeVenue(ctx, w.owner, "policy", func(v *sqlite.Venue) error {
		v.Policy = realPolicy(p)
		return nil
	})
	return w.done("policy", err, want)
}

func simPrice(w *world, n [5]uint32) error {
	want, list := w.o.unlessBehind(), simPrices[n[0]%uint32(len(simPrices))]
	grid := w.o.grid
	if n[1]%4 == 0 {
		grid = simGrids[n[1]/4%2]
	}
	if want.reason == "" {
		w.o.prices, w.o.grid = list, grid
	}
	w.line = fmt.Sprintf("the owner sets prices %d and slots of %d minutes", n[0]%uint32(len(simPrices)), minutesOf(grid.length))
	_, err := w.proc(n[4]).app.ChangeVenue(ctx, w.owner, "prices", func(v *sqlite.Venue) error {
		v.Prices, v.Calendar.Hours = realPrices(list), realHours(grid)
		return nil
	})
	return w.done("prices", err, want)
}

func simCourt(w *world, n [5]uint32) error {
	want, c := w.o.unlessBehind(), &w.o.courts[n[0]%3]
	on := n[1]%4 != 0
	if want.reason == "" {
		c.active = on
	}
	w.line = fmt.Sprintf("the owner switches court %s: %t", c.id, on)
	_, err := w.proc(n[4]).app.ChangeCourt(ctx, w.owner, c.id, func(c *sqlite.Court) error {
		c.Active = on
		return nil
	})
	return w.done("court", err, want)
}

func simStock(w *world, n [5]uint32) error {
	want, id := w.o.unlessBehind(), fmt.Sprint("g", 1+n[0]%3)
	kind, qty, note := []string{"receipt", "adjust"}[n[1]%2], []int{1, 2, -1, -2, -9, 0}[n[2]%6], "counted"
	if n[2]/8%24 == 0 {
		note = ""
	}
	if n[2]/256%32 == 0 {
		id = "g9"
	}
	g := w.o.good(id)
	switch {
	case qty == 0, kind == "receipt" && qty < 0, kind == "adjust" && note == "":
		want = no(badField)
	case want.reason != "":
	case g == nil:
		want = no("not_found")
	case w.o.available(id, w.o.now)+qty < 0:
		want = no("out_of_stock")
	default:
		g.received += qty
	}
	w.line = fmt.Sprintf("%s of %d %s", kind, qty, id)
	_, err := w.proc(n[4]).app.MoveStock(ctx, w.owner, id, kind, qty, note, "")
	return w.done("stock", err, want)
}

func simGood(w *world, n [5]uint32) error {
	want, g := w.o.unlessBehind(), w.o.goods[n[0]%3]
	next := *g
	next.active, next.price = n[1]%4 != 0, []int64{501, 1200, 0, 99}[n[1]/4%4]
	if want.reason == "" {
		*g = next
	}
	w.line = fmt.Sprintf("the owner changes good %s: %+v", g.id, next)
	_, err := w.proc(n[4]).app.ChangeGood(ctx, w.owner, g.id, func(r *sqlite.Good) error {
		r.PriceFen, r.Active = next.price, next.active
		return nil
	})
	return w.done("good", err, want)
}

func simCoupon(w *world, n [5]uint32) error {
	want, c := w.o.unlessBehind(), w.o.coupons[n[0]%uint32(len(w.o.coupons))]
	p := w.proc(n[4])
	switch n[1] % 8 {
	case 0:
		if want.reason == "" {
			want = no("code_exists")
		}
		w.line = "the owner adds a coupon that exists"
		_, err := p.app.AddCoupon(ctx, w.owner, realCoupon(*c), "")
		return w.done("coupon", err, want)
	case 1:
		if want.reason == "" {
			want = no("not_found")
		}
		w.line = "the owner changes a coupon that does not exist"
		_, err := p.app.ChangeCoupon(ctx, w.owner, "NONE", func(*domain.Coupon) error { return nil })
		return w.done("coupon", err, want)
	}
	next := *c
	next.active = n[1]%8 != 2
	next.maxUses = []int{0, 1, 2, 3, 30}[n[2]%5]
	next.maxPerCustomer = []int{0, 1, 2}[n[2]/5%3]
	if want.reason == "" {
		*c = next
	}
	w.line = fmt.Sprintf("the owner changes coupon %+v", next)
	_, err := p.app.ChangeCoupon(ctx, w.owner, c.code, func(r *domain.Coupon) error {
		*r = realCoupon(next)
		return nil
	})
	return w.done("coupon", err, want)
}

// simOpen opens a payment; sometimes the bank is not there, or its answer is lost.
func simOpen(w *world, n [5]uint32) error {
	order := w.orderThat(n[0], w.held)
	if order == nil {
		return nil
	}
	who, key := order.customer, simKey(n[2])
	if n[1]%64 == 0 {
		who = int(n[1] / 64 % simPeople)
	}
	via, o := "sandbox", w.o
	if n[1]/2%64 == 0 {
		via = "gold"
	}
	var shown *int64
	var agreed []app.Shown
	if n[3]%16 == 0 {
		fen := order.payable(o.now) + int64(n[3]/16%2)
		shown, agreed = &fen, []app.Shown{app.Shown(fen)}
	}
	if n[3]/64%16 == 0 {
		w.trouble = trouble{at: 1, how: []string{"before", "after"}[n[3]/1024%2]}
	}
	w.line = fmt.Sprintf("customer %d opens a payment of order %s under %q", who, order.number, key)
	p, want := (*oPay)(nil), no(badField)
	if via == "sandbox" {
		p, want = o.openPayment(order, who, key, shown)
	}
	bank := ""
	if p != nil {
		bank = p.bank
	}
	r, err := w.proc(n[4]).app.OpenPayment(ctx, w.people[who], order.id, via, "", app.Key(key), agreed...)
	if want.reason == "" {
		if p == nil && w.asked != "" {
			p = o.opened(order, who, key, w.asked, want.fen)
		}
		if p == nil || p.id != w.asked {
			return fmt.Errorf("pay: the bank was asked to open %q", w.asked)
		}
		if p.bank == "" && !(w.trouble.struck && w.trouble.how == "before") {
			p.bank = "pending"
		}
		switch {
		case w.trouble.struck, bank == "failed", bank == "closed":
			want = no("provider_unavailable")
		case bank == "succeeded":
			if want = no("already_paid"); p.verdict == "flagged" || p.told == 0 {
				want = no("provider_unavailable")
			}
		}
	}
	done, err := w.saw("pay", err, want)
	if done && err == nil && (r.OutTradeNo != p.id || r.Amount != p.amount || domain.InstantOf(r.ExpiresAt) > order.payBy(o.now)) {
		return fmt.Errorf("pay: the program says %+v, the oracle %+v", r, *p)
	}
	w.touched = order
	return err
}

// simMoney lets money come at the bank, or fail, and the club be told of it: now, never,
// or twice. A sum may be the wrong one.
func simMoney(w *world, n [5]uint32) error {
	order := w.orderThat(n[0], func(order *oOrder) bool {
		return slices.ContainsFunc(order.payments, func(p *oPay) bool { return p.bank == "pending" })
	})
	p := attemptOf(order, n[1])
	if p == nil {
		return nil
	}
	b := w.proc(n[4]).bank
	w.line = fmt.Sprintf("the bank is paid for %s of order %s", p.id, order.number)
	want := w.o.unlessBehind()
	if p.bank == "" && want.reason == "" {
		want = no("not_found")
	}
	if n[2]%12 == 0 { // the customer's bank refuses
		w.line = "the bank refuses payment " + p.id
		if p.bank == "succeeded" && want.reason == "" {
			want = no("already_paid")
		}
		_, _, err := b.Fail(ctx, p.id)
		done, err := w.saw("bank refuses", err, want)
		if done && p.bank == "pending" {
			p.bank = "failed"
		}
		return err
	}
	headers, body, err := b.Succeed(ctx, p.id)
	done, err := w.saw("bank is paid", err, want)
	if !done || err != nil {
		return err
	}
	if p.bank = "succeeded"; n[2]/16%24 == 0 && p.told == 0 && !p.crooked {
		p.crooked = true
		if err := w.procs[0].db.Write(ctx, func(tx *sqlite.Tx) error {
			_, err := tx.Exec("UPDATE sandbox_payments SET amount_fen = amount_fen - 1 WHERE out_trade_no = ?", p.id)
			return err
		}); err != nil {
			return err
		}
		headers = nil
	}
	if headers != nil && n[2]/16%8 == 1 {
		w.stale, w.staleNo, w.staleAt = &news{headers, body}, p.id, w.o.now
	}
	for range []int{1, 1, 2, 0}[n[3]%4] {
		if err := w.tell(w.proc(n[4]/2), order, p); err != nil {
			return err
		}
	}
	return nil
}

// tell brings the bank's notice of an attempt as it stands.
func (w *world) tell(p *process, order *oOrder, attempt *oPay) error {
	headers, body, err := p.bank.SignNotice(ctx, attempt.id)
	if err != nil {
		return err
	}
	want := w.o.unlessBehind()
	came := w.o.hear(attempt.id)
	if want.reason == "" {
		w.line += ", told: " + came
		w.seen["money/"+came]++
		w.touched = order
	}
	return w.done("notice", p.take(news{headers, body}), want)
}

func (p *process) take(n news) error {
	return p.app.TakeNotice(ctx, "sandbox", func(k string) string { return n.headers[k] }, n.body)
}

// simTell tells what the club was not told, or was; a notice that somebody has kept; or
// one about nothing.
func simTell(w *world, n [5]uint32) error {
	p := w.proc(n[4])
	switch kind := n[2] % 12; {
	case kind == 0 && w.stale != nil:
		w.line = "a kept notice comes again"
		want := oVerdict{}
		if age := w.o.now - w.staleAt; age >= 5*oMinute || age <= -5*oMinute {
			want = no("bad_signature")
		} else if w.o.behind() {
			want = no("clock_behind")
		} else {
			w.seen["money/"+w.o.hear(w.staleNo)]++
			w.touched, _ = w.o.attempt(w.staleNo)
		}
		return w.done("notice", p.take(*w.stale), want)
	case kind == 1:
		body := []byte(`{"id":"x","payment":{"out_trade_no":"nobody's","state":"succeeded"}}`)
		want := no("unknown_payment")
		if n[3]%2 == 0 {
			body, want = []byte(`{"id":"x"`), no("bad_notice")
		}
		w.line = "the bank tells of nothing"
		headers, err := p.bank.Sign(ctx, body)
		if err != nil {
			return err
		}
		if want.reason == "unknown_payment" && w.o.behind() {
			want = no("clock_behind")
		}
		return w.done("notice", p.take(news{headers, body}), want)
	}
	order := w.order(n[0])
	attempt := attemptOf(order, n[1])
	if attempt == nil || attempt.bank == "" {
		return nil
	}
	w.line = fmt.Sprintf("the bank tells of %s of order %s", attempt.id, order.number)
	return w.tell(p, order, attempt)
}

// simAsk is a customer who looks at the page of their order: the bank is asked.
func simAsk(w *world, n [5]uint32) error {
	order := w.order(n[0])
	if order == nil {
		return nil
	}
	open := 0
	for _, p := range order.payments {
		if !p.cash && p.open() {
			open++
		}
	}
	if open > 1 || w.o.behind() {
		return nil // they would be asked about at the same time
	}
	w.line = fmt.Sprintf("customer %d asks about order %s", order.customer, order.number)
	v, err := w.proc(n[4]).app.CheckPayments(ctx, w.people[order.customer], order.id)
	return w.did("ask", v, w.people[order.customer], err, oVerdict{order: order})
}

// simConfirm hands back by hand what waits for that.
func simConfirm(w *world, n [5]uint32) error {
	order := w.order(n[0])
	if order == nil {
		return nil
	}
	p := w.proc(n[4])
	v, err := p.app.Order(ctx, w.desk, order.id)
	if err != nil {
		return err
	}
	for _, r := range v.Refunds {
		if r.State != "done" && r.ByHand && r.Via == "cash" {
			w.line = fmt.Sprintf("the desk hands back %d of order %s", r.Amount, order.number)
			w.touched = order
			_, err := p.app.ConfirmRefund(ctx, w.desk, r.ID)
			return w.done("confirm", err, w.o.unlessBehind())
		}
	}
	return nil
}

// simRound is a round of the reconciler: whole, dry, cut short, or killed in the middle.
func simRound(w *world, n [5]uint32) error {
	p, kind := w.proc(n[4]), n[0]%10
	days := []oTime{w.today(), w.today() + oTime(n[1]%3)}
	for _, day := range days {
		if err := w.sameDay(p, day, false); err != nil {
			return err
		}
	}
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	what := "whole"
	if kind >= 6 {
		what = []string{"panic", "cancel", "before", "abnormal"}[kind-6]
		w.trouble = trouble{at: 1 + int(n[2]%3), how: what, cancel: cancel}
	}
	w.line = "a round: " + what
	if kind == 5 {
		w.line = "a dry round"
		_, _, err := p.app.Foresee(ctx)
		return w.done("dry round", err, oVerdict{})
	}
	behind := w.o.behind()
	rep, err := p.rec.RunOnce(c)
	if rep.Settled.Differences != 0 || rep.Settled.Parked != 0 {
		return fmt.Errorf("the round changed answers: %+v", rep.Settled)
	}
	if err != nil && !behind && !(w.trouble.struck && what == "cancel") {
		return fmt.Errorf("round: %w", err)
	}
	if w.trouble.struck {
		w.seen["round/"+what]++
	} else if !behind {
		w.seen["round/whole"]++
	}
	for _, day := range days {
		if err := w.sameDay(p, day, false); err != nil {
			return errors.Join(errors.New("after a round"), err)
		}
	}
	return nil
}

// simRestart ends one of the processes and starts it again.
func simRestart(w *world, n [5]uint32) error {
	i := int(n[4] % 2)
	w.line = fmt.Sprintf("process %d is started again", i)
	w.seen["restart/done"]++
	if err := w.procs[i].db.Close(); err != nil {
		return err
	}
	return w.start(i)
}
