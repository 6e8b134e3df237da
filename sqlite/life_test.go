package sqlite_test

import (
	"courtd/domain"
)

// life is what will happen to some orders. It is written into the database as it
// happens, through the triggers, while the domain knows all of it from the start:
// what the domain says as of an instant must be what the views show then.
type life struct {
	reservations []domain.Reservation
	baskets      []domain.Basket
	closures     []domain.Closure
}

func instantOrNull(i domain.Instant) any { v, _ := i.Value(); return v }

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// advance writes down what happens at one instant: facts first, then new rows.
func (l life) advance(c club, at domain.Instant) {
	c.t.Helper()
	c.freeze(at)
	c.must(func(exec func(string, ...any)) {
		for _, r := range l.reservations {
			happen(exec, "reservations", "checked_in_at", r.ID, r.Claim, at)
		}
		for _, b := range l.baskets {
			happen(exec, "baskets", "handed_over_at", b.ID, b.Claim, at)
		}
		for _, r := range l.reservations {
			if r.BookedAt != at {
				continue
			}
			exec(`UPDATE reservations SET settled_at = ?1 WHERE court_id = ?2 AND settled_at IS NULL AND release_at <= ?1`, int64(at), r.CourtID)
			f := r.AsOf(at)
			exec(`INSERT INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule,
				booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at, paid_at, checked_in_at, cancelled_at, out_of_window, replaces, replaced_as)
				VALUES (?,?,?,'u',?,'2026-12-10',?,?,'',?,?,?,?,?,?,?,?,?,?,?,?)`,
				r.ID, r.OrderID, r.Seq, r.CourtID, r.PriceFen, r.DiscountFen, f.BookedAt, f.PayBy, f.CheckInFrom, f.CheckInBy, f.StartsAt, f.EndsAt,
				f.PaidAt, f.CheckedInAt, f.CancelledAt, r.OutOfWindow, textOrNull(r.Replaces), textOrNull(r.ReplacedAs))
		}
		for _, b := range l.baskets {
			if b.BookedAt == at {
				insertBasket(exec, b, b.AsOf(at))
			}
		}
		for _, k := range l.closures {
			if k.MadeAt == at {
				exec(`INSERT INTO closures (id, from_at, to_at, made_at) VALUES (?,?,?,?)`, k.ID, k.From, k.To, k.MadeAt)
				for _, court := range k.Courts {
					exec(`INSERT INTO closure_courts VALUES (?,?)`, k.ID, court)
				}
			}
			if k.LiftedAt == at {
				exec(`UPDATE closures SET lifted_at = ? WHERE id = ?`, k.LiftedAt, k.ID)
			}
		}
	})
}

func insertBasket(exec func(string, ...any), b domain.Basket, f domain.Claim) {
	exec(`INSERT INTO baskets (id, order_id, seq, customer_id, coupon_code, has_goods, discount_fen, booked_at, pay_by, check_in_by,
		paid_at, handed_over_at, replaces) VALUES (?,?,?,'u',?,?,?,?,?,?,?,?,?)`,
		b.ID, b.OrderID, b.Seq, textOrNull(b.Coupon), len(b.Lines) > 0, b.DiscountFen, f.BookedAt, f.PayBy, f.CheckInBy,
		f.PaidAt, f.CheckedInAt, textOrNull(b.Replaces))
	for _, line := range b.Lines {
		exec(`INSERT INTO basket_lines VALUES (?,?,?,?,?)`, b.ID, line.GoodID, line.Qty, line.PriceFen, line.Name)
	}
}

// happen sets the facts of a claim that happen at one instant, after its birth.
func happen(exec func(string, ...any), table, checkedIn, id string, f domain.Claim, at domain.Instant) {
	if f.BookedAt >= at {
		return
	}
	if f.PaidAt == at {
		exec("UPDATE "+table+" SET paid_at = ? WHERE id = ?", int64(at), id)
	}
	if f.CheckedInAt == at {
		exec("UPDATE "+table+" SET "+checkedIn+" = ? WHERE id = ?", int64(at), id)
	}
	if f.CancelledAt == at {
		exec("UPDATE "+table+" SET cancelled_at = ?, moved = ? WHERE id = ?", int64(at), f.Moved, id)
	}
}

// A part is one or two claims on the same thing, the second in place of the first.
type part struct {
	name   string
	claims []domain.Claim
	as     string // how the second replaced the first
}

// usualClaim is the line of the exhaustive test, its slot later by shift.
func usualClaim(shift domain.Instant) domain.Claim {
	return domain.Claim{BookedAt: booked, PayBy: payBy, CheckInFrom: doorFrom + shift, CheckInBy: doorBy + shift,
		StartsAt: starts + shift, EndsAt: ends + shift}
}

// parts are the lives that a slot can have.
func parts(shift domain.Instant) []part {
	claim := func(change ...func(*domain.Claim)) domain.Claim {
		c := usualClaim(shift)
		for _, f := range change {
			f(&c)
		}
		return c
	}
	paid := func(c *domain.Claim) { c.PaidAt = payBy - 1 }
	in := func(c *domain.Claim) { c.CheckedInAt = doorFrom + 1 + shift }
	out := func(at domain.Instant) func(*domain.Claim) { return func(c *domain.Claim) { c.CancelledAt = at } }
	moved := func(at domain.Instant) func(*domain.Claim) {
		return func(c *domain.Claim) { c.CancelledAt, c.Moved = at, true }
	}
	born := func(at domain.Instant) func(*domain.Claim) {
		return func(c *domain.Claim) { c.BookedAt, c.PayBy, c.PaidAt = at, 0, at }
	}
	one := func(name string, c domain.Claim) part { return part{name, []domain.Claim{c}, ""} }
	return []part{
		{name: "none"},
		one("lapsed", claim()),
		one("given up", claim(out(payBy-1))),
		one("no-show", claim(paid)),
		one("played", claim(paid, in)),
		one("cancelled", claim(paid, out(payBy+1))),
		one("cancelled while playing", claim(paid, in, out(doorFrom+2+shift))),
		one("for cash", claim(born(booked))),
		{"revived", []domain.Claim{claim(), claim(born(payBy + 1))}, "revived"},
		{"moved", []domain.Claim{claim(paid, moved(payBy)), claim(born(payBy))}, "moved"},
		{"undone", []domain.Claim{claim(paid), claim(born(doorBy+shift), func(c *domain.Claim) { c.CheckedInAt = c.BookedAt })}, "undone"},
	}
}
