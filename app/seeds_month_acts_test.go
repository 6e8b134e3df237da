package app_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"courtd/app"
	"courtd/domain"
)

func (m *month) cancel() {
	o, ok := m.some(func(o app.OrderView) bool { return o.State == "held" || o.State == "paid" })
	if !ok {
		return
	}
	back := o.RefundPending
	var err error
	what := "cancel"
	if m.rng.IntN(2) == 0 {
		who := app.Actor{Role: app.RoleCustomer, ID: o.Customer.ID}
		var preview app.RefundPreview
		if preview, err = m.c.app.PreviewRefund(ctx, who, o.ID); err == nil {
			_, err = m.c.app.CancelOrder(ctx, who, o.ID, "")
			back = preview.Amount
		}
	} else {
		what = "desk cancel"
		// The venue gives back the whole of what has not ended.
		back = 0
		for _, r := range o.Reservations {
			if o.State == "paid" && (r.State == "confirmed" || r.State == "playing") {
				back += r.Price - r.Discount
			}
		}
		if o.GoodsState == "confirmed" {
			back += m.goodsFen(o)
		}
		_, err = m.c.app.CancelAtDesk(ctx, m.c.desk, o.ID, "venue", "天气", "")
	}
	if m.tried(what, err) {
		m.owed[o.ID] += back
	}
}

// goodsFen is what an order's goods cost less their part of the discount.
func (m *month) goodsFen(o app.OrderView) int64 {
	sum := -o.Discount
	for _, r := range o.Reservations {
		sum += r.Discount
	}
	for _, g := range o.Goods {
		sum += g.Price * int64(g.Qty)
	}
	return sum
}

func (m *month) move() {
	o, ok := m.some(func(o app.OrderView) bool { return len(o.Reservations) > 0 && (o.State == "held" || o.State == "paid") })
	if !ok {
		return
	}
	r := o.Reservations[m.rng.IntN(len(o.Reservations))]
	to := slotOn(m.date(m.rng.IntN(3)), fmt.Sprintf("c%d", 1+m.rng.IntN(6)), []string{"11:30", "14:30", "19:00"}[m.rng.IntN(3)])
	moved, err := m.c.move(r.ID, to)
	if m.tried("move", err) && o.State == "paid" && moved.Difference < 0 {
		m.owed[o.ID] -= moved.Difference
	}
}

func (m *month) undo() {
	o, ok := m.some(func(o app.OrderView) bool { return strings.Contains(strings.Join(o.Actions, " "), "undo_no_show") })
	if !ok {
		return
	}
	for _, r := range o.Reservations {
		if r.State == "no_show" {
			_, err := m.c.app.UndoNoShow(ctx, m.c.desk, r.ID, "在场", "")
			if m.tried("undo", err) {
				// It takes back no refund of the no-show that was.
				m.owed[o.ID] += (r.Price - r.Discount) / 2
			}
			return
		}
	}
}

func (m *month) goodwill() {
	o, ok := m.some(func(o app.OrderView) bool { return o.State == "completed" && o.Paid-o.Refunded-o.RefundPending >= 100 })
	if !ok {
		return
	}
	if _, err := m.c.app.Goodwill(ctx, m.c.desk, o.ID, 100, "灯坏了", ""); m.tried("goodwill", err) {
		m.owed[o.ID] += 100
	}
}

func (m *month) close() {
	from := domain.InstantOf(m.c.wall.time()) + 3600
	made, err := m.c.app.MakeClosure(ctx, m.c.owner, app.ClosureRequest{Courts: []string{fmt.Sprintf("c%d", 1+m.rng.IntN(6))},
		From: from, To: from + 2*3600, Reason: "维修", CancelBookings: true}, "")
	if !m.tried("close", err) {
		return
	}
	whole := map[string]bool{}
	for _, h := range made.Hits {
		m.owed[h.Order] += h.Refund
		whole[h.Order] = true
	}
	for id := range whole {
		o := m.c.order(m.c.desk, id)
		// Goods come back with the last reservation, and only then.
		if o.State == "cancelled" && len(o.Goods) > 0 && o.Paid > 0 {
			m.owed[id] += m.goodsFen(o)
		}
	}
}

// answers are all that anybody may ask: grids, stock, coupons, orders, and what
// each customer would be refused.
func (m *month) answers() map[string]string {
	m.t.Helper()
	out := map[string]string{}
	for day := -monthDays; day < 7; day++ {
		date := m.date(day)
		parsed, err := domain.ParseDate("date", date)
		must(m.t, err)
		board, err := m.c.app.DeskDay(ctx, parsed, 0)
		must(m.t, err)
		for _, court := range board.Courts {
			for _, s := range court.Slots {
				key := s.ID
				out["slot "+key] = s.State
				for _, b := range s.Bookings {
					out["booking "+b.ID] = fmt.Sprint(b.State, b.Blocks)
				}
			}
		}
		feed := m.c.day(date)
		feed.Now = board.Now
		text, err := json.Marshal(feed)
		must(m.t, err)
		out["feed "+date] = string(text)
	}
	for _, o := range m.orders {
		v := m.c.order(m.c.desk, o.ID)
		out["order "+o.ID] = fmt.Sprint(v.State, v.GoodsState, v.Total, v.Actions, v.PayBy, v.Ticket != nil)
	}
	for _, code := range []string{"ONCE", "EACH", "MANY"} {
		out["coupon "+code] = fmt.Sprint(m.c.uses(code))
		for _, who := range m.people {
			out["coupon "+code+" of "+who.ID] = m.refusal(who, basket(code, goods("g1", 999)))
		}
	}
	for _, who := range m.people {
		out["fairness "+who.ID] = m.refusal(who, basket("", goods("g1", 999)))
		for day := range 3 {
			var free []app.SlotRef
			for _, court := range m.c.day(m.date(day)).Courts {
				for _, s := range court.Slots {
					if s.State == "free" && !s.SaleEnded && len(free) < 4 {
						free = append(free, app.SlotRef{Court: court.ID, Start: domain.InstantOf(s.Start)})
					}
				}
			}
			out[fmt.Sprint("day limit ", day, " ", who.ID)] = m.refusal(who, basket("", goods("g1", 999), free...))
		}
	}
	return out
}

// refusal asks for more than there can be, so that every rule is asked and nothing is made.
func (m *month) refusal(who app.Actor, req app.OrderRequest) string {
	m.t.Helper()
	_, _, err := m.c.app.CreateOrder(ctx, who, req, "")
	e, ok := domain.AsError(err)
	if !ok {
		m.t.Fatalf("asking for 999 pieces came to %v", err)
	}
	return fmt.Sprint(e.Reason, " ", e.Detail["until"], e.Detail["limit"])
}

func (m *month) same(before, after map[string]string) {
	m.t.Helper()
	if len(before) < 2000 {
		m.t.Fatalf("only %d answers were compared", len(before))
	}
	for k, v := range before {
		if after[k] != v {
			m.t.Errorf("%s was %s and is %s", k, v, after[k])
		}
	}
	if len(after) != len(before) {
		m.t.Errorf("%d answers became %d", len(before), len(after))
	}
	refused := map[string]int{}
	for k, v := range before {
		if strings.HasPrefix(k, "fairness") {
			refused[strings.Fields(v)[0]]++
		}
	}
	if len(refused) < 2 {
		m.t.Errorf("fairness said nothing but %v", refused)
	}
}

// effects counts every row that a round may make.
func (m *month) effects() string {
	m.t.Helper()
	return strings.Join(m.c.column(`SELECT count(*) FROM stock_moves UNION ALL SELECT count(*) || '/' || sum(amount_fen) || '/' || count(done_at) FROM refunds
		UNION ALL SELECT count(*) || '/' || count(sent_at) || '/' || count(dropped_at) FROM notices
		UNION ALL SELECT count(*) || '/' || count(settled_at) FROM reservations UNION ALL SELECT count(*) || '/' || count(settled_at) FROM baskets
		UNION ALL SELECT count(*) || '/' || count(succeeded_at) || '/' || count(closed_at) FROM payments`), " ")
}

// once checks that every effect of every exit is there, and none twice.
func (m *month) once(told map[string]int) {
	m.t.Helper()
	c := m.c
	for id, n := range told {
		if n != 1 {
			m.t.Errorf("message %s went out %d times", id, n)
		}
	}
	now := c.wall.time().Unix()
	want(m.t, "due", c.count("SELECT (SELECT count(*) FROM reservations WHERE settled_at IS NULL AND release_at <= ?1) + (SELECT count(*) FROM baskets WHERE settled_at IS NULL AND release_at <= ?1)", now), 0)
	want(m.t, "baskets whose goods came back wrongly", c.count(`SELECT count(*) FROM baskets b WHERE b.settled_at IS NOT NULL AND b.has_goods = 1 AND
		(SELECT count(*) FROM stock_moves s WHERE s.basket_id = b.id AND s.kind = 'restock')
		<> CASE WHEN b.ending IN ('lapsed', 'cancelled', 'no_show') THEN (SELECT count(*) FROM basket_lines l WHERE l.basket_id = b.id) ELSE 0 END`), 0)
	want(m.t, "no-shows without their one notice", c.count(`SELECT count(*) FROM reservations r WHERE r.settled_at IS NOT NULL AND r.ending = 'no_show' AND
		(SELECT count(*) FROM notices n WHERE n.reservation_id = r.id AND n.kind = 'no_show') <> 1`), 0)
	lapsed := 0
	for _, o := range m.orders {
		v := c.order(c.desk, o.ID)
		owed := m.owed[o.ID]
		for _, r := range v.Reservations {
			if r.State == "no_show" && v.Paid > 0 {
				owed += (r.Price - r.Discount) / 2
			}
		}
		given := v.Refunded + v.RefundPending
		for _, p := range v.Payments { // a closure took a slot out of an open attempt
			if p.Verdict == "paid" || p.Verdict == "revived" {
				for _, f := range v.Refunds {
					if f.Purpose == "closure" && f.Reason == "slot_closed" {
						given -= f.Amount
					}
				}
			}
		}
		if given != owed {
			m.t.Errorf("order %s (%s): %d fen went back, its exits demand %d: %+v", o.ID, v.State, given, owed, v.Refunds)
		}
		if v.State == "lapsed" {
			lapsed++
			want(m.t, "lapse notices", c.notices(o.ID, "lapsed"), 1)
		}
	}
	if lapsed < 20 {
		m.t.Errorf("only %d orders lapsed", lapsed)
	}
}
