package sqlite_test

import (
	"fmt"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// The shelf of the test: each good begins with a receipt that nothing can use up.
const (
	receipt = 100_000
	qtyEach = 2
)

func basketPromises() (list []domain.Claim) {
	add := func(at, payBy, by domain.Instant) {
		list = append(list, domain.Claim{BookedAt: at, PayBy: payBy, CheckInBy: by})
	}
	for _, by := range []domain.Instant{ends, domain.Never} {
		add(booked, payBy, by)
		add(booked, by, by)
		for _, at := range []domain.Instant{booked, doorFrom, ends - 1, ends, ends + 1} {
			add(at, 0, by) // born paid
		}
		add(booked, booked, by)
		add(booked, by+1, by)
	}
	return list
}

// basketOf is a basket of the domain: being handed over ends it then and there.
func basketOf(c domain.Claim) domain.Basket {
	c.EndsAt = c.CheckedInAt
	return domain.Basket{Claim: c}
}

// canBeABasket says what can become of goods; they are handed over before the
// last slot ends, and nobody cancels what has been handed over.
func canBeABasket(c domain.Claim) bool {
	if c.PayBy.IsSet() && !(c.BookedAt < c.PayBy && c.PayBy <= c.CheckInBy) {
		return false
	}
	if c.CheckedInAt.IsSet() && c.CancelledAt.IsSet() {
		return false
	}
	return canHappen(basketOf(c).Claim, func(soFar domain.Claim, at domain.Instant) bool { return at < soFar.ReleaseAt() })
}

func basketID(c domain.Claim) string {
	return fmt.Sprintf("%d %d %d %d %d %d %t", c.BookedAt, c.PayBy, c.CheckInBy, c.PaidAt, c.CheckedInAt, c.CancelledAt, c.Moved)
}

func insertEveryBasket(c club) {
	setUpLine(c)
	c.exec(`CREATE TEMP TABLE promise (booked, pay_by, by_)`)
	for _, p := range basketPromises() {
		c.exec(`INSERT INTO promise VALUES (?,?,?)`, p.BookedAt, p.PayBy, p.CheckInBy)
	}
	c.order(c.exec, "o", 1)
	c.exec(`WITH offered AS (
		SELECT printf('%d %d %d %d %d %d %s', booked, pay_by, by_, paid.at, in_.at, out_.at, iif(moved.on_, 'true', 'false')) AS id,
			row_number() OVER () AS seq, p.*, paid.at AS paid, in_.at AS in_, out_.at AS out_, moved.on_ AS moved
		FROM promise p, line paid, line in_, line out_, flag moved)
		INSERT OR IGNORE INTO baskets (id, order_id, seq, customer_id, has_goods, discount_fen,
			booked_at, pay_by, check_in_by, paid_at, handed_over_at, cancelled_at, moved)
		SELECT id, 'o', seq, 'u', 1, 0, booked, pay_by, by_, paid, in_, out_, moved FROM offered`)
	// Baskets that end alike share a good.
	c.exec(`INSERT INTO goods (id, name, price_fen, position) SELECT DISTINCT ending || ' ' || release_at, 'G', 0, 1 FROM baskets`)
	c.exec(`INSERT INTO basket_lines SELECT id, ending || ' ' || release_at, ?, 0, 'G' FROM baskets`, qtyEach)
	c.exec(`INSERT INTO stock_moves (good_id, kind, qty, balance, at) SELECT id, 'receipt', ?1, ?1, 1 FROM goods`, receipt)
}

func TestRuleOfBaskets(t *testing.T) {
	c := openClub(t)
	insertEveryBasket(c)
	wrong := &complain{t: t}
	kept := map[string]ruled{}
	each(c, `SELECT id, booked_at, pay_by, check_in_by, paid_at, handed_over_at, cancelled_at, moved, release_at, ending FROM baskets`,
		func(r *ruled) []any {
			return []any{&r.id, &r.claim.BookedAt, &r.claim.PayBy, &r.claim.CheckInBy, &r.claim.PaidAt, &r.claim.CheckedInAt,
				&r.claim.CancelledAt, &r.claim.Moved, &r.release, &r.ending}
		}, func(r ruled) {
			r.claim = basketOf(r.claim).Claim
			kept[r.id] = r
			if r.release != r.claim.ReleaseAt() || r.ending != string(r.claim.Ending()) {
				wrong.errorf("%s: the database says %s at %d, the domain %s at %d", r.id, r.ending, r.release, r.claim.Ending(), r.claim.ReleaseAt())
			}
		})
	refused := 0
	for _, p := range basketPromises() {
		facts(func(paid, in, out domain.Instant) {
			for n := range 2 {
				claim := p
				claim.PaidAt, claim.CheckedInAt, claim.CancelledAt, claim.Moved = paid, in, out, n == 1
				want := canBeABasket(claim)
				id := basketID(claim)
				if _, ok := kept[id]; ok != want {
					wrong.errorf("%s: the database keeps it: %v, it can happen: %v", id, ok, want)
				}
				if !want {
					refused++
					continue
				}
				for at := claim.BookedAt; at <= lineEnd; at++ {
					if _, ok := kept[basketID(basketOf(claim).AsOf(at))]; !ok {
						wrong.errorf("%s as known at %d could not have been", id, at)
					}
				}
			}
		})
	}
	if refused == 0 || len(kept) == 0 {
		t.Fatalf("kept %d rows and refused %d: the test has covered nothing", len(kept), refused)
	}
	t.Logf("%d combinations: %d kept, %d refused", len(kept)+refused, len(kept), refused)
	basketsOnTheLine(c, wrong, kept)
}

// basketsOnTheLine compares every basket, and the shelf, with the views. No view is
// asked about an instant before something that its row already knows.
func basketsOnTheLine(c club, wrong *complain, kept map[string]ruled) {
	states := coverage{}
	compare := func(at domain.Instant) {
		shown := c.states(`SELECT id, state FROM basket_now`)
		if len(shown) != len(kept) {
			c.t.Fatalf("the view shows %d of %d baskets", len(shown), len(kept))
		}
		shelf := map[string]int{}
		for id, r := range kept {
			good := fmt.Sprintf("%s %d", r.ending, r.release)
			if r.claim.ReleaseAt() <= at && domain.GivesGoodsBack(r.claim.Ending()) {
				shelf[good] += qtyEach
			} else {
				shelf[good] += 0
			}
			if max(r.claim.PaidAt, r.claim.CheckedInAt, r.claim.CancelledAt) > at {
				continue
			}
			state := r.claim.State(at)
			states[state]++
			if shown[id] != sqlState(state) {
				wrong.errorf("%s at %d: the view says %s, the domain %q", id, at, shown[id], state)
			}
		}
		compareShelf(c, wrong, at, shelf)
	}
	for at := dawn; at <= lineEnd; at++ {
		c.freeze(at)
		compare(at)
	}
	// Putting back what ended claims owe changes no answer.
	c.exec(`INSERT INTO stock_moves (good_id, kind, qty, balance, at)
		SELECT good_id, 'receipt', sum(qty), ?1 + sum(qty), 2 FROM basket_lines JOIN baskets ON id = basket_id
		WHERE release_at <= ?2 AND ending IN ('lapsed', 'cancelled', 'no_show') GROUP BY good_id`, receipt, int64(lineEnd))
	c.exec(`UPDATE baskets SET settled_at = ?1 WHERE release_at <= ?1`, int64(lineEnd))
	compare(lineEnd)
	states.wantAll(c.t, "baskets", domain.None, domain.Held, domain.Confirmed,
		domain.Lapsed, domain.Cancelled, domain.Moved, domain.NoShow, domain.Completed)
}

func compareShelf(c club, wrong *complain, at domain.Instant, back map[string]int) {
	type stock struct {
		id        string
		available int
	}
	n := 0
	each(c, `SELECT id, available FROM stock_now`, func(s *stock) []any { return []any{&s.id, &s.available} }, func(s stock) {
		n++
		if want := receipt + back[s.id]; s.available != want {
			wrong.errorf("good %q at %d: the view says %d, the domain %d", s.id, at, s.available, want)
		}
	})
	if n != len(back) || n == 0 {
		c.t.Fatalf("the view shows %d of %d goods", n, len(back))
	}
	err := c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		goods, err := s.Goods()
		for _, g := range goods {
			if want := receipt + back[g.ID]; g.Available() != want {
				wrong.errorf("good %q at %d: the door says %d, the domain %d", g.ID, at, g.Available(), want)
			}
		}
		return err
	})
	if err != nil {
		c.t.Error(err)
	}
}
