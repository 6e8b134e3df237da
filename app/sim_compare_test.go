package app_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// differ keeps the first difference between the program and the oracle.
type differ struct {
	about string
	err   error
}

func differs[T comparable](d *differ, what string, program, oracle T) {
	if program != oracle && d.err == nil {
		d.err = fmt.Errorf("%s: %s: the program says %v, the oracle %v", d.about, what, program, oracle)
	}
}

func simInstant(t *time.Time) oTime {
	if t == nil {
		return 0
	}
	return domain.InstantOf(*t)
}

func dateOfDay(day oTime) domain.Date {
	t := time.Unix(int64(day*oDay), 0).UTC()
	return domain.Date{Year: t.Year(), Month: t.Month(), Day: t.Day()}
}

// sameOrder holds an order as the program shows it against the oracle's. exact says that
// a round has just run, so that what no-shows get back must be on its way.
func (w *world) sameOrder(order *oOrder, v app.OrderView, actor app.Actor, exact bool) error {
	o, t := w.o, w.o.now
	order.noShows(t)
	d := &differ{about: "order " + order.number}
	differs(d, "id", v.ID, order.id)
	differs(d, "state", v.State, order.state(t))
	w.seen["order was/"+v.State]++
	differs(d, "now", domain.InstantOf(v.Now), t)
	differs(d, "booked at", domain.InstantOf(v.BookedAt), order.booked)
	differs(d, "pay by", simInstant(v.PayBy), order.payBy(t))
	differs(d, "how to pay", v.Pay, order.pay)
	differs(d, "total", v.Total, order.total(t))
	due := int64(0)
	if order.state(t) == "held" {
		due = order.payable(t)
	}
	differs(d, "due", v.Due, due)
	differs(d, "paid", v.Paid, order.paidFen())
	var noShows int64
	for _, r := range v.Refunds {
		if r.Purpose == "no_show" {
			noShows += r.Amount
		}
	}
	owed := order.backFen("no_show")
	differs(d, "back", v.Refunded+v.RefundPending-noShows, order.backFen("")-owed)
	if exact || noShows > owed {
		differs(d, "back for no-shows", noShows, owed)
	}
	w.sameClaims(d, order, v)
	differs(d, "ticket", v.Ticket != nil, order.state(t) == "paid")
	if v.Ticket != nil {
		differs(d, "ticket's code", v.Ticket.Code, order.ticket)
	}
	differs(d, "actions", strings.Join(v.Actions, " "), o.actions(order, actor.IsStaff()))
	differs(d, "late money", lateWords(v), o.lateMoney(order))
	if d.err == nil {
		o.nothingBefore(d, simInstant(v.ChangesAt), o.deadlines(order), func() string { return o.orderWords(order) })
	}
	return d.err
}

func (w *world) sameClaims(d *differ, order *oOrder, v app.OrderView) {
	t := w.o.now
	all := order.slots(t)
	differs(d, "slots", len(v.Reservations), len(all))
	if d.err != nil {
		return
	}
	var discount int64
	for i, c := range all {
		r := v.Reservations[i]
		c.id = cmp.Or(c.id, r.ID)
		w.seen["slot was/"+r.State]++
		differs(d, "slot's id", r.ID, c.id)
		got := fmt.Sprint(r.Court.ID, " ", r.Start.Unix(), r.End.Unix(), " ", r.State, " ", r.Price, r.Discount, " ", r.PriceRule, " ", r.CheckInFrom.Unix(), r.CheckInBy.Unix(), simInstant(r.CheckedInAt), simInstant(r.CancelledAt))
		want := fmt.Sprint(c.court, " ", c.start, c.end, " ", c.at(t), " ", c.price, c.discount, " ", c.rule, " ", c.from, c.by, c.in, c.gone)
		differs(d, "slot", got, want)
		discount += c.discount
	}
	var lines, state, coupon string
	if b := order.basket(t); b != nil {
		for _, l := range slices.SortedFunc(slices.Values(b.lines), func(a, b oLine) int { return cmp.Compare(a.good, b.good) }) {
			lines += fmt.Sprint(" ", l.good, " ", l.qty, " ", l.price)
		}
		if coupon = b.coupon; len(b.lines) > 0 {
			state = b.at(t)
			w.seen["goods were/"+state]++
		}
		discount += b.discount
	}
	var got, gotCoupon string
	for _, l := range v.Goods {
		got += fmt.Sprint(" ", l.ID, " ", l.Qty, " ", l.Price)
	}
	if v.Coupon != nil {
		gotCoupon = *v.Coupon
	}
	differs(d, "goods", got, lines)
	differs(d, "goods' state", v.GoodsState, state)
	differs(d, "coupon", gotCoupon, coupon)
	differs(d, "discount", v.Discount, discount)
}

func lateWords(v app.OrderView) string {
	if v.LateMoney == nil {
		return ""
	}
	reason, _, _ := strings.Cut(v.LateMoney.Reason, " ")
	return fmt.Sprint(v.LateMoney.Amount, " ", v.LateMoney.Verdict, " ", reason)
}

func (o *oracle) lateMoney(order *oOrder) (words string) {
	all := slices.Clone(order.payments)
	slices.SortStableFunc(all, func(a, b *oPay) int { return cmp.Or(cmp.Compare(a.opened, b.opened), cmp.Compare(a.id, b.id)) })
	for _, p := range all {
		if p.verdict != "" && p.verdict != "paid" {
			words = fmt.Sprint(p.amount, " ", p.verdict, " ", p.reason)
		}
	}
	return words
}

// actions are what a customer, or the desk, may do with an order now.
func (o *oracle) actions(order *oOrder, desk bool) string {
	var out []string
	add := func(ok bool, what string) {
		if ok {
			out = append(out, what)
		}
	}
	held := order.state(o.now) == "held"
	add(held, "pay")
	add(o.notCancellable(order, desk) == "", "cancel")
	if !desk {
		return strings.Join(out, " ")
	}
	is := func(what ...string) bool {
		return slices.ContainsFunc(order.slots(o.now), func(c *oClaim) bool { return slices.Contains(what, c.at(o.now)) })
	}
	add(held, "mark_paid")
	add(is("held", "confirmed"), "move")
	add(is("no_show"), "undo_no_show")
	add(is("no_show") && !order.forgiven, "forgive")
	b := order.basket(o.now)
	add(b != nil && len(b.lines) > 0 && b.at(o.now) == "confirmed", "handover")
	add(order.anyPaid(o.now), "refund")
	return strings.Join(out, " ")
}

// orderWords is all that time alone may change about an order.
func (o *oracle) orderWords(order *oOrder) string {
	s := order.state(o.now) + o.actions(order, false)
	for _, c := range order.parts(o.now) {
		s += " " + c.at(o.now)
		if c.slot && c.at(o.now) == "confirmed" && c.from <= o.now {
			s += "!"
		}
	}
	return s
}

func (o *oracle) deadlines(orders ...*oOrder) (out []oTime) {
	for _, order := range orders {
		for _, c := range order.claims {
			out = append(out, c.until(), c.start)
			if c.slot {
				out = append(out, c.from, c.by)
			}
		}
	}
	return out
}

// nothingBefore checks that an answer stays as it is until the instant at which the
// program says that it changes, and changes then.
func (o *oracle) nothingBefore(d *differ, changes oTime, deadlines []oTime, words func() string) {
	now, before := o.now, words()
	defer func() { o.now = now }()
	for _, at := range deadlines {
		if at <= now || at == never {
			continue
		}
		if o.now = at; (changes == 0 || at < changes) && words() != before {
			differs(d, "changes at", fmt.Sprint(changes), fmt.Sprint(at))
		}
	}
}

// sameDay holds a business day's list against the oracle.
func (w *world) sameDay(p *process, day oTime, ahead bool) error {
	o := w.o
	v, err := p.app.Availability(ctx, dateOfDay(day))
	if err != nil {
		return err
	}
	d := &differ{about: "day " + v.Date}
	differs(d, "now", domain.InstantOf(v.Now), o.now)
	i := 0
	for _, c := range o.courts {
		if !c.active {
			continue
		}
		if i >= len(v.Courts) {
			return fmt.Errorf("day %s: court %s is missing", v.Date, c.id)
		}
		court := v.Courts[i]
		i++
		differs(d, "court", court.ID, c.id)
		starts := o.grid.starts(day)
		differs(d, "slots", len(court.Slots), len(starts))
		for j, start := range starts {
			if d.err != nil {
				return d.err
			}
			s, want, price := court.Slots[j], o.look(c.id, day, start, o.now), o.priceOf(c.id, day, start)
			d.about = fmt.Sprintf("slot %s %s of %s", c.id, s.Label, v.Date)
			if w.seen["list said/"+s.State]++; s.SaleEnded {
				w.seen["list said/ended"]++
			}
			differs(d, "start", domain.InstantOf(s.Start), start)
			differs(d, "what it is", oCell{s.State, simInstant(s.FreeAt), simInstant(s.OpensAt), s.SaleEnded}, want)
			differs(d, "price", oPrice{name: s.PriceRule, fen: s.Price}, oPrice{name: price.name, fen: price.fen})
		}
	}
	d.about = "day " + v.Date
	differs(d, "courts", len(v.Courts), i)
	w.sameGoods(d, v)
	if ahead && d.err == nil {
		o.nothingBefore(d, simInstant(v.ChangesAt), o.dayDeadlines(day), func() string { return o.dayWords(day) })
	}
	return d.err
}

func (w *world) sameGoods(d *differ, v app.DayView) {
	var got, want string
	for _, g := range v.Goods {
		got += fmt.Sprint(" ", g.ID, ":", g.Available, "@", g.Price)
	}
	for _, g := range w.o.goods {
		if g.active {
			want += fmt.Sprint(" ", g.id, ":", w.o.available(g.id, w.o.now), "@", g.price)
		}
	}
	differs(d, "goods", got, want)
}

func (o *oracle) dayDeadlines(day oTime) []oTime {
	out := append(o.deadlines(o.orders...), o.bookableFrom(day))
	for _, s := range o.grid.starts(day) {
		out = append(out, s, s-o.policy.saleEnds)
	}
	return out
}

func (o *oracle) dayWords(day oTime) string {
	var s strings.Builder
	for _, c := range o.courts {
		for _, start := range o.grid.starts(day) {
			if c.active {
				fmt.Fprint(&s, o.look(c.id, day, start, o.now))
			}
		}
	}
	for _, g := range o.goods {
		if g.active {
			fmt.Fprint(&s, " ", o.available(g.id, o.now))
		}
	}
	return s.String()
}

// sameBoard holds the desk's view of a day at an instant, past or to come, against the oracle.
func (w *world) sameBoard(p *process, day, t oTime) error {
	o := w.o
	v, err := p.app.DeskDay(ctx, dateOfDay(day), t)
	if err != nil {
		return err
	}
	for _, court := range v.Courts {
		for _, s := range court.Slots {
			start := domain.InstantOf(s.Start)
			end := start + o.grid.length
			d := &differ{about: fmt.Sprintf("board of %s %s %s at %d", court.ID, v.Date, s.Label, t)}
			differs(d, "state", s.State, o.look(court.ID, day, start, t).state)
			differs(d, "sellable", s.Sellable, o.refuseDesk(court.ID, start, end, t, nil) == "")
			var got, want []string
			for _, b := range s.Bookings {
				got = append(got, fmt.Sprint(b.Number, " ", b.State, " ", b.Blocks))
			}
			for _, order := range o.orders {
				for _, c := range order.claims {
					if c.slot && c.court == court.ID && c.start < end && start < c.end && c.stands(t) {
						want = append(want, fmt.Sprint(order.number, " ", c.at(t), " ", c.live(t)))
					}
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			differs(d, "bookings", strings.Join(got, ", "), strings.Join(want, ", "))
			if d.err != nil {
				return d.err
			}
		}
	}
	return nil
}

// soundNow is what must hold at every instant: no slot has two live claims, and no payment
// has given back more than came. Each must be 0. ?1 is now.
const soundNow = `WITH live AS (SELECT id, court_id, starts_at, ends_at FROM reservations WHERE settled_at IS NULL AND release_at > ?1)
SELECT (SELECT last_instant FROM clock),
 (SELECT count(*) FROM live a JOIN live b ON b.court_id = a.court_id AND b.id > a.id AND b.starts_at < a.ends_at AND a.starts_at < b.ends_at),
 (SELECT count(*) FROM refunds f JOIN payments p ON p.id = f.payment_id WHERE f.done_at IS NULL
   AND (SELECT sum(amount_fen) FROM refunds WHERE payment_id = p.id) > p.amount_fen)`

// soundRows is what stays wrong once it is: an effect that is missing or there twice, and
// pieces that got lost. It is looked for every few steps.
const soundRows = `SELECT
 (SELECT count(*) FROM baskets b WHERE b.has_goods = 1 AND
   (SELECT count(*) FROM stock_moves m WHERE m.basket_id = b.id AND m.kind = 'restock') <>
   CASE WHEN b.settled_at IS NOT NULL AND b.ending IN ('lapsed', 'cancelled', 'no_show') THEN (SELECT count(*) FROM basket_lines l WHERE l.basket_id = b.id) ELSE 0 END),
 (SELECT count(*) FROM goods g WHERE coalesce((SELECT sum(qty) FROM stock_moves m WHERE m.good_id = g.id AND m.kind IN ('receipt', 'adjust')), 0) <>
   coalesce((SELECT balance FROM stock_moves m WHERE m.good_id = g.id ORDER BY m.id DESC LIMIT 1), 0)
   + coalesce((SELECT sum(l.qty) FROM basket_lines l JOIN baskets b ON b.id = l.basket_id WHERE l.good_id = g.id AND
       ((b.settled_at IS NULL AND b.release_at <= ?1 AND b.ending IN ('lapsed', 'cancelled', 'no_show')) OR b.release_at > ?1 OR b.ending = 'completed')), 0)),
 (SELECT count(*) FROM payments p WHERE (SELECT sum(amount_fen) FROM refunds WHERE payment_id = p.id) > p.amount_fen),
 (SELECT count(*) FROM parked_effects)`

var soundWords = []string{"slots with two live claims", "payments with more back than came", "baskets whose restock is missing or twice",
	"goods of which pieces got lost", "payments with more back than came", "parked effects"}

// sound checks the rows, that the last instant handed out is right and, with all, that no
// coupon has come to be used more often than it may.
func (w *world) sound(all bool) error {
	var last oTime
	bad := make([]int, len(soundWords))
	err := w.procs[w.steps%2].db.Read(ctx, func(s *sqlite.Snapshot) error {
		if err := s.QueryRow(soundNow, int64(s.Now)).Scan(&last, &bad[0], &bad[1]); err != nil || !all {
			return err
		}
		if err := s.QueryRow(soundRows, int64(s.Now)).Scan(&bad[2], &bad[3], &bad[4], &bad[5]); err != nil {
			return err
		}
		return w.couponsSound(s)
	})
	if err != nil {
		return err
	}
	for i, n := range bad {
		if n != 0 {
			return fmt.Errorf("%d %s", n, soundWords[i])
		}
	}
	if last != w.o.last && (last != w.o.now || w.o.behind()) {
		return fmt.Errorf("the last instant went from %d to %d at %d", w.o.last, last, w.o.now)
	}
	w.o.last = last
	return nil
}

// couponsSound counts uses by the rows' own endings. Uses may come to be too many only by
// a limit that was lowered, and then no more are added.
func (w *world) couponsSound(s *sqlite.Snapshot) error {
	rows, err := s.Query(`SELECT c.code, count(b.id) FROM coupons c LEFT JOIN baskets b ON b.coupon_code = c.code AND NOT EXISTS (SELECT 1 FROM baskets x WHERE x.replaces = b.id)
		AND (b.release_at > ?1 OR b.ending IN ('no_show', 'completed') OR (b.ending = 'cancelled' AND b.coupon_kept)) GROUP BY c.code`, int64(s.Now))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var code string
		var n int
		if err := rows.Scan(&code, &n); err != nil {
			return err
		}
		if want, _ := w.o.uses(code, 0, nil, w.o.now); n != want {
			return fmt.Errorf("coupon %s: by the rows %d orders use it, by the oracle %d", code, n, want)
		}
		c := w.o.coupon(code)
		if c.maxUses > 0 && n > max(c.maxUses, w.uses[code]) {
			return fmt.Errorf("coupon %s was used %d times and may be %d times", code, n, c.maxUses)
		}
		if w.uses[code] = max(w.uses[code], c.maxUses); c.maxUses == 0 {
			w.uses[code] = 1 << 30 // it had no limit once
		}
	}
	return rows.Err()
}

// today is the business day of now.
func (w *world) today() oTime { return w.o.grid.dayOf(w.o.now) }

// whole compares every answer there is.
func (w *world) whole(exact bool) error {
	for day := range oTime(5) {
		if err := w.sameDay(w.proc(uint32(day)), w.today()-1+day, true); err != nil {
			return err
		}
	}
	if err := w.sameBoard(w.procs[1], w.today(), w.o.now); err != nil {
		return err
	}
	for i, order := range w.o.orders {
		v, err := w.proc(uint32(i)).app.Order(ctx, w.desk, order.id)
		if err == nil {
			err = w.sameOrder(order, v, w.desk, exact)
		}
		if err != nil {
			return err
		}
	}
	return w.sound(true)
}
