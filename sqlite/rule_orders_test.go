package sqlite_test

import (
	"fmt"
	"slices"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// basketParts are the lives that a basket can have.
func basketParts() []part {
	var list []part
	for _, p := range parts(0) {
		switch p.name {
		case "cancelled while playing", "undone":
			continue // nobody takes back goods that were handed over
		}
		list = append(list, p)
	}
	return append(list, part{name: "coupon", claims: list[3].claims})
}

// addSlot writes the claims of one part into an order, each on a court of its own.
func addSlot(l *life, o *domain.Order, p part) {
	for i, claim := range p.claims {
		seq := len(o.Reservations) + 1
		r := domain.Reservation{ID: fmt.Sprintf("%s-%d", o.ID, seq), OrderID: o.ID, CustomerID: "u", Seq: seq,
			PriceFen: 6000, DiscountFen: 500, Claim: claim}
		r.CourtID = r.ID
		if i > 0 {
			before := &o.Reservations[seq-2]
			r.Replaces, r.ReplacedAs, r.OutOfWindow = before.ID, p.as, p.as == "undone"
			before.ReplacedAt = claim.BookedAt
		}
		o.Reservations = append(o.Reservations, r)
	}
}

func addBasket(o *domain.Order, p part) {
	for i, claim := range p.claims {
		b := domain.Basket{ID: fmt.Sprintf("%s-b%d", o.ID, i+1), OrderID: o.ID, CustomerID: "u", Seq: i + 1, Claim: claim}
		b.CheckInFrom, b.StartsAt, b.CheckInBy, b.EndsAt = 0, 0, ends, b.CheckedInAt
		if p.name == "coupon" {
			b.Coupon = "TEN"
		} else {
			b.Lines, b.DiscountFen = []domain.BasketLine{{GoodID: "g", Name: "G", Qty: 2, PriceFen: 300}}, 50
		}
		if i > 0 {
			b.Replaces = o.Baskets[i-1].ID
			o.Baskets[i-1].ReplacedAt = claim.BookedAt
		}
		o.Baskets = append(o.Baskets, b)
	}
}

// everyMix makes an order of each two slots and each basket.
func everyMix() (l life, orders []domain.Order) {
	slots := parts(0)
	for i, first := range slots {
		for _, second := range slots[i:] {
			for _, basket := range basketParts() {
				o := domain.Order{ID: fmt.Sprintf("%s+%s+%s", first.name, second.name, basket.name)}
				addSlot(&l, &o, first)
				addSlot(&l, &o, second)
				addBasket(&o, basket)
				l.reservations = append(l.reservations, o.Reservations...)
				l.baskets = append(l.baskets, o.Baskets...)
				orders = append(orders, o)
			}
		}
	}
	return l, orders
}

// orderSeen is an order as the view or the domain shows it.
type orderSeen struct {
	id, state string
	payBy     domain.Instant
	totalFen  int64
}

func seenByDomain(o domain.Order, at domain.Instant) orderSeen {
	return orderSeen{o.ID, string(o.State(at)), o.PayBy(at), o.TotalFen(at)}
}

func TestRuleOfOrders(t *testing.T) {
	c := openClub(t)
	l, orders := everyMix()
	c.must(func(exec func(string, ...any)) {
		exec(`INSERT INTO goods (id, name, price_fen, position) VALUES ('g', 'G', 300, 1)`)
		exec(`INSERT INTO coupons (code, name, created_at) VALUES ('TEN', 'T', 1)`)
		for i, o := range orders {
			c.order(exec, o.ID, i+1)
		}
		for _, r := range l.reservations {
			exec(`INSERT INTO courts (id, name, position) VALUES (?1, ?1, 1)`, r.CourtID)
		}
	})
	wrong, states := &complain{t: t}, coverage{}
	shown := map[domain.Instant]map[string]orderSeen{}
	for at := dawn; at <= lineEnd; at++ {
		l.advance(c, at)
		shown[at] = map[string]orderSeen{}
		each(c, `SELECT id, state, pay_by, total_fen FROM order_now`,
			func(s *orderSeen) []any { return []any{&s.id, &s.state, &s.payBy, &s.totalFen} },
			func(s orderSeen) { shown[at][s.id] = s })
		for _, o := range orders {
			states[o.State(at)]++
			want, got := seenByDomain(o, at), shown[at][o.ID]
			if o.State(at) == domain.None {
				want = orderSeen{} // the view has no line for an order of which nothing is left to count
			}
			if got != want {
				wrong.errorf("%s at %d: the view says %+v, the domain %+v", o.ID, at, got, want)
			}
		}
	}
	states.wantAll(t, "orders", domain.None, domain.Held, domain.Lapsed, domain.Cancelled, domain.Paid, domain.NoShow, domain.Completed)
	t.Logf("%d orders of %d reservations and %d baskets at %d instants", len(orders), len(l.reservations), len(l.baskets), lineEnd-dawn+1)
	lookBack(c, wrong, orders, shown)
}

// lookBack reads every order through the door when all is over: what it says as of each
// instant must be what the view had shown then.
func lookBack(c club, wrong *complain, orders []domain.Order, shown map[domain.Instant]map[string]orderSeen) {
	err := c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		for _, o := range orders {
			read, err := s.Order(o.ID)
			if err != nil {
				return err
			}
			if len(read.Reservations) != len(o.Reservations) || len(read.Baskets) != len(o.Baskets) {
				wrong.errorf("%s: read with %d slots and %d baskets", o.ID, len(read.Reservations), len(read.Baskets))
				continue
			}
			for i, r := range read.Reservations {
				if r.Claim != o.Reservations[i].Claim || r.ReplacedAt != o.Reservations[i].ReplacedAt {
					wrong.errorf("%s: read %+v, written %+v", r.ID, r, o.Reservations[i])
				}
			}
			for i, b := range read.Baskets {
				if b.Claim != o.Baskets[i].Claim || b.ReplacedAt != o.Baskets[i].ReplacedAt || !slices.Equal(b.Lines, o.Baskets[i].Lines) {
					wrong.errorf("%s: read %+v, written %+v", b.ID, b, o.Baskets[i])
				}
			}
			for at := dawn; at <= lineEnd; at++ {
				if was, ok := shown[at][o.ID]; ok && seenByDomain(read, at) != was {
					wrong.errorf("%s as of %d: the domain says %+v, the view had said %+v", o.ID, at, seenByDomain(read, at), was)
				}
			}
		}
		return nil
	})
	if err != nil {
		c.t.Error(err)
	}
}

// cases of slot_now: what stands on a court, and when it is closed.
func everyCourt() (l life, courts []string) {
	closures := []domain.Closure{
		{},
		{From: starts, To: ends, MadeAt: booked + 1},
		{From: starts, To: ends, MadeAt: booked + 1, LiftedAt: doorFrom},
		{From: starts - 3, To: starts, MadeAt: booked + 1},
		{From: ends, To: ends + 3, MadeAt: booked + 1},
		{From: ends - 1, To: ends + 3, MadeAt: starts - 1},
	}
	for _, shift := range []domain.Instant{-4, -3, 0, 3, 4} {
		for _, p := range parts(shift) {
			for n, k := range closures {
				court := fmt.Sprintf("%s%+d/%d", p.name, shift, n)
				o := domain.Order{ID: court}
				addSlot(&l, &o, p)
				k.ID, k.Courts = court, []string{court}
				if p.as != "" && n > 0 && k.Covers(court, o.Reservations[1].Slot(), o.Reservations[1].BookedAt) {
					continue // nothing comes back to a court that is closed
				}
				for _, r := range o.Reservations {
					r.CourtID = court
					l.reservations = append(l.reservations, r)
				}
				if n > 0 {
					l.closures = append(l.closures, k)
				}
				courts = append(courts, court)
			}
		}
	}
	return l, courts
}

func TestRuleOfSlots(t *testing.T) {
	c := openClub(t)
	l, courts := everyCourt()
	evening := domain.Slot{Start: starts, End: ends}
	opens := map[string]domain.Instant{"always": dawn - 1, "later": booked + 1, "last": starts - 1}
	c.must(func(exec func(string, ...any)) {
		for _, court := range courts {
			exec(`INSERT INTO courts (id, name, position) VALUES (?1, ?1, 1)`, court)
		}
		for i, r := range l.reservations {
			if r.Seq == 1 {
				c.order(exec, r.OrderID, i+1)
			}
		}
		for day, from := range opens {
			exec(`INSERT INTO grid_days VALUES (?,?,?,?,?)`, day, evening.Start, evening.End, evening.End-evening.Start, from)
		}
	})
	byCourt, closed := map[string][]domain.Reservation{}, map[string][]domain.Closure{}
	for _, r := range l.reservations {
		byCourt[r.CourtID] = append(byCourt[r.CourtID], r)
	}
	for _, k := range l.closures {
		closed[k.ID] = []domain.Closure{k}
	}
	wrong, states := &complain{t: t}, map[domain.SlotState]int{}
	for at := dawn; at <= lineEnd; at++ {
		l.advance(c, at)
		n := 0
		each(c, `SELECT day, court_id, starts_at, ends_at, state FROM slot_now`, func(s *slotSeen) []any {
			return []any{&s.day, &s.court, &s.slot.Start, &s.slot.End, &s.state}
		}, func(s slotSeen) {
			n++
			cell := domain.Judge(s.court, evening, opens[s.day], evening.Start, at, byCourt[s.court], closed[s.court])
			states[cell.State()]++
			if s.slot != evening || s.state != cell.State() {
				wrong.errorf("%s on day %s at %d: the view says %s, the domain %s", s.court, s.day, at, s.state, cell.State())
			}
		})
		if want := len(courts) * len(opens); n != want {
			t.Fatalf("the view shows %d cells, want %d", n, want)
		}
	}
	for _, state := range []domain.SlotState{domain.SlotPast, domain.SlotClosed, domain.SlotNotOpen, domain.SlotHeld, domain.SlotTaken, domain.SlotFree} {
		if states[state] == 0 {
			t.Errorf("no slot was ever %s: the test has covered nothing", state)
		}
	}
	t.Logf("%d courts, %d reservations, slots by state: %v", len(courts), len(l.reservations), states)
}

type slotSeen struct {
	day, court string
	slot       domain.Slot
	state      domain.SlotState
}
