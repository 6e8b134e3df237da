package sqlite_test

import (
	"fmt"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// The time line of the exhaustive tests, in whole seconds. Promises lie on it two
// apart, so that its instants are one before, at and one after each of them.
const (
	dawn     domain.Instant = 1000
	lineEnd                 = dawn + 13
	booked                  = dawn + 1
	payBy                   = dawn + 3
	doorFrom                = dawn + 5
	starts                  = dawn + 7
	doorBy                  = dawn + 9 // release_after is shorter than the slot
	ends                    = dawn + 11
)

// setUpLine makes a temporary table of all instants of the line and "never happened".
func setUpLine(c club) {
	c.exec(`CREATE TEMP TABLE line (at INTEGER); INSERT INTO line VALUES (NULL)`)
	for at := dawn; at <= lineEnd; at++ {
		c.exec(`INSERT INTO line VALUES (?)`, int64(at))
	}
	c.exec(`CREATE TEMP TABLE flag (on_ INTEGER); INSERT INTO flag VALUES (0), (1)`)
}

// facts gives every combination of three facts on the line.
func facts(yield func(paid, in, out domain.Instant)) {
	line := []domain.Instant{0}
	for at := dawn; at <= lineEnd; at++ {
		line = append(line, at)
	}
	for _, paid := range line {
		for _, in := range line {
			for _, out := range line {
				yield(paid, in, out)
			}
		}
	}
}

// reservationPromises are the promises of the test, kept and impossible ones.
func reservationPromises() (list []domain.Claim) {
	usual := domain.Claim{BookedAt: booked, PayBy: payBy, CheckInFrom: doorFrom, CheckInBy: doorBy, StartsAt: starts, EndsAt: ends}
	add := func(change func(*domain.Claim)) {
		c := usual
		change(&c)
		list = append(list, c)
	}
	for _, by := range []domain.Instant{doorBy, ends} {
		add(func(c *domain.Claim) { c.CheckInBy = by })
		add(func(c *domain.Claim) { c.CheckInBy, c.PayBy = by, starts })
		// Born paid, by a revival, a move, an undo or for cash: at any time.
		for _, at := range []domain.Instant{booked, doorFrom, starts, doorBy - 1, doorBy, ends - 1, ends, ends + 1} {
			add(func(c *domain.Claim) { c.CheckInBy, c.BookedAt, c.PayBy = by, at, 0 })
		}
	}
	for _, change := range []func(*domain.Claim){
		func(c *domain.Claim) { c.PayBy = booked },
		func(c *domain.Claim) { c.PayBy = starts + 1 },
		func(c *domain.Claim) { c.CheckInBy = starts },
		func(c *domain.Claim) { c.CheckInBy = ends + 1 },
		func(c *domain.Claim) { c.CheckInFrom = starts + 1 },
		func(c *domain.Claim) { c.EndsAt, c.CheckInBy = starts, starts },
	} {
		add(change)
	}
	return list
}

// canBePromised says what a club can promise about a slot.
func canBePromised(c domain.Claim) bool {
	if c.PayBy.IsSet() && !(c.BookedAt < c.PayBy && c.PayBy <= c.StartsAt) {
		return false
	}
	return c.CheckInFrom <= c.StartsAt && c.StartsAt < c.CheckInBy && c.CheckInBy <= c.EndsAt
}

// canHappen lets the facts of a claim happen one after the other and asks the
// domain before each whether the claim was still there: a fact may be set
// only before the release that the row had until then.
func canHappen(c domain.Claim, checkIn func(soFar domain.Claim, at domain.Instant) bool) bool {
	soFar := c
	soFar.PaidAt, soFar.CheckedInAt, soFar.CancelledAt, soFar.Moved = 0, 0, 0, false
	latest := c.BookedAt
	if !c.PayBy.IsSet() && c.PaidAt != c.BookedAt {
		return false // a row without a deadline was born paid
	}
	if c.PaidAt.IsSet() {
		if c.PayBy.IsSet() && !soFar.Live(c.PaidAt) {
			return false
		}
		soFar.PaidAt, latest = c.PaidAt, c.PaidAt
	}
	if c.CheckedInAt.IsSet() {
		if !soFar.PaidAt.IsSet() || c.CheckedInAt < latest || !checkIn(soFar, c.CheckedInAt) {
			return false
		}
		soFar.CheckedInAt, latest = c.CheckedInAt, c.CheckedInAt
	}
	if c.CancelledAt.IsSet() {
		return latest <= c.CancelledAt && c.CancelledAt < soFar.ReleaseAt()
	}
	return !c.Moved
}

// atTheDoor says when a customer can be checked in: while the door is open, or
// outside the window while the row is live or as the row is born (an undo).
func atTheDoor(outOfWindow bool) func(domain.Claim, domain.Instant) bool {
	return func(soFar domain.Claim, at domain.Instant) bool {
		if outOfWindow {
			return at < soFar.ReleaseAt() || at == soFar.BookedAt
		}
		return soFar.DoorOpen(at)
	}
}

func reservationID(c domain.Claim, outOfWindow bool) string {
	return fmt.Sprintf("%d %d %d %d %d %d %d %d %d %t %t", c.BookedAt, c.PayBy, c.CheckInFrom, c.CheckInBy, c.StartsAt, c.EndsAt,
		c.PaidAt, c.CheckedInAt, c.CancelledAt, c.Moved, outOfWindow)
}

// insertEveryReservation offers every combination to the database, which keeps what
// its CHECKs let through. Each row has a court of its own.
func insertEveryReservation(c club) {
	setUpLine(c)
	c.exec(`CREATE TEMP TABLE promise (booked, pay_by, from_, by_, starts, ends)`)
	for _, p := range reservationPromises() {
		c.exec(`INSERT INTO promise VALUES (?,?,?,?,?,?)`, p.BookedAt, p.PayBy, p.CheckInFrom, p.CheckInBy, p.StartsAt, p.EndsAt)
	}
	c.order(c.exec, "o", 1)
	c.exec(`WITH offered AS (
		SELECT printf('%d %d %d %d %d %d %d %d %d %s %s', booked, pay_by, from_, by_, starts, ends, paid.at, in_.at, out_.at,
			iif(moved.on_, 'true', 'false'), iif(oow.on_, 'true', 'false')) AS id,
			row_number() OVER () AS seq, p.*, paid.at AS paid, in_.at AS in_, out_.at AS out_, moved.on_ AS moved, oow.on_ AS oow
		FROM promise p, line paid, line in_, line out_, flag moved, flag oow)
		INSERT OR IGNORE INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule,
			booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at, paid_at, checked_in_at, cancelled_at, moved, out_of_window)
		SELECT id, 'o', seq, 'u', id, '2026-12-10', 0, 0, '', booked, pay_by, from_, by_, starts, ends, paid, in_, out_, moved, oow FROM offered`)
	c.exec(`INSERT INTO courts (id, name, position) SELECT id, id, 1 FROM reservations`)
}

type ruled struct {
	id      string
	claim   domain.Claim
	release domain.Instant
	ending  string
}

func TestRuleOfReservations(t *testing.T) {
	c := openClub(t)
	insertEveryReservation(c)
	wrong := &complain{t: t}
	kept := map[string]ruled{}
	each(c, `SELECT id, booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at, paid_at, checked_in_at, cancelled_at, moved,
		release_at, ending FROM reservations`,
		func(r *ruled) []any {
			return []any{&r.id, &r.claim.BookedAt, &r.claim.PayBy, &r.claim.CheckInFrom, &r.claim.CheckInBy, &r.claim.StartsAt, &r.claim.EndsAt,
				&r.claim.PaidAt, &r.claim.CheckedInAt, &r.claim.CancelledAt, &r.claim.Moved, &r.release, &r.ending}
		}, func(r ruled) {
			kept[r.id] = r
			if r.release != r.claim.ReleaseAt() || r.ending != string(r.claim.Ending()) {
				wrong.errorf("%s: the database says %s at %d, the domain %s at %d", r.id, r.ending, r.release, r.claim.Ending(), r.claim.ReleaseAt())
			}
		})
	refused := 0
	for _, p := range reservationPromises() {
		facts(func(paid, in, out domain.Instant) {
			for n := range 4 {
				claim, outOfWindow := p, n >= 2
				claim.PaidAt, claim.CheckedInAt, claim.CancelledAt, claim.Moved = paid, in, out, n%2 == 1
				want := canBePromised(claim) && canHappen(claim, atTheDoor(outOfWindow))
				id := reservationID(claim, outOfWindow)
				if _, ok := kept[id]; ok != want {
					wrong.errorf("%s: the database keeps it: %v, it can happen: %v", id, ok, want)
				}
				if !want {
					refused++
					continue
				}
				for at := claim.BookedAt; at <= lineEnd; at++ {
					if _, ok := kept[reservationID(claim.AsOf(at), outOfWindow)]; !ok {
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
	reservationsOnTheLine(c, wrong, kept)
	scannedReservations(c, len(kept))
}

// reservationsOnTheLine compares every row with the view at every instant.
func reservationsOnTheLine(c club, wrong *complain, kept map[string]ruled) {
	type seen struct {
		id, state        string
		blocks, replaced bool
	}
	states := coverage{}
	compare := func(at domain.Instant) {
		n := 0
		each(c, `SELECT id, state, blocks, replaced FROM reservation_now`,
			func(s *seen) []any { return []any{&s.id, &s.state, &s.blocks, &s.replaced} },
			func(s seen) {
				n++
				claim := kept[s.id].claim
				if want := claim.State(at); s.state != sqlState(want) {
					wrong.errorf("%s at %d: the view says %s, the domain %q", s.id, at, s.state, want)
				}
				if s.blocks != claim.Live(at) || s.replaced {
					wrong.errorf("%s at %d: the view says it blocks %v, the domain %v", s.id, at, s.blocks, claim.Live(at))
				}
				states[claim.State(at)]++
			})
		if n != len(kept) {
			c.t.Fatalf("the view shows %d of %d rows", n, len(kept))
		}
	}
	for at := dawn; at <= lineEnd; at++ {
		c.freeze(at)
		compare(at)
	}
	// Writing down what time has decided changes no answer.
	c.exec(`UPDATE reservations SET settled_at = ?1 WHERE release_at <= ?1`, int64(lineEnd))
	compare(lineEnd)
	states.wantAll(c.t, "reservations", domain.None, domain.Held, domain.Confirmed, domain.Playing,
		domain.Lapsed, domain.Cancelled, domain.Moved, domain.NoShow, domain.Completed)
}

// scannedReservations reads every row through the scanner, which compares for itself.
func scannedReservations(c club, want int) {
	err := c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.ReservationsOfOrder("o")
		for _, r := range rows {
			if r.ID != reservationID(r.Claim, r.OutOfWindow) {
				c.t.Fatalf("row %s was scanned as %+v", r.ID, r.Claim)
			}
		}
		if len(rows) != want && err == nil {
			c.t.Errorf("scanned %d rows, want %d", len(rows), want)
		}
		return err
	})
	if err != nil {
		c.t.Error(err)
	}
}
