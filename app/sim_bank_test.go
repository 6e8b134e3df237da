package app_test

import (
	"fmt"
	"slices"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

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
	order := w.orderThat(n[0], func(order *oOrder) bool { // a third of the money comes late
		waits := slices.ContainsFunc(order.payments, func(p *oPay) bool { return p.bank == "pending" || p.bank == "closed" })
		return waits && (n[2]/256%3 != 0 || order.state(w.o.now) == "lapsed")
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
		w.came(came)
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
			w.came(w.o.hear(w.staleNo))
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
