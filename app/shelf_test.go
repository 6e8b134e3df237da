package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// shelf is where the pieces of a good are: available, owed, kept for orders, sold.
func (c *club) shelf(id string) (out [4]int) {
	c.t.Helper()
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		g, err := s.Good(id)
		must(c.t, err)
		pieces, err := s.Pieces()
		must(c.t, err)
		out = [4]int{g.Available(), g.Owed, pieces[id].Kept, pieces[id].Sold}
		var came int
		must(c.t, s.QueryRow("SELECT sum(qty) FROM stock_moves WHERE good_id = ? AND kind IN ('receipt', 'adjust')", id).Scan(&came))
		want(c.t, "whatever came in is somewhere", out[0]+out[2]+out[3], came)
		return nil
	}))
	return out
}

// TestEveryPieceIsSomewhere follows pieces from the shelf to the customer and back,
// with no round of the reconciler in between.
func TestEveryPieceIsSomewhere(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	want(t, "at first", c.shelf("g1"), [4]int{10, 0, 0, 0})
	c.book(a, basket("", goods("g1", 3), slot("c1", "17:30"))) // never paid
	paid := c.payFor(b, c.book(b, basket("", goods("g1", 2), slot("c2", "17:30"))))
	want(t, "two orders keep some", c.shelf("g1"), [4]int{5, 0, 5, 0})
	c.clock("12:09:59")
	want(t, "a second before the hold ends", c.shelf("g1"), [4]int{5, 0, 5, 0})
	c.clock("12:10:00")
	want(t, "when it has ended", c.shelf("g1"), [4]int{8, 3, 2, 0})
	c.clock("17:30:00")
	want(t, "scan", c.scan(paid.Ticket.Code).Result, "ok")
	want(t, "handed over", c.shelf("g1"), [4]int{8, 3, 0, 2})
	c.round()
	want(t, "settled", c.shelf("g1"), [4]int{8, 0, 0, 2})
	c.sound()
}

// TestAnAdjustmentFindsWhatEndedOrdersOwe: pieces that lie on the shelf can be counted
// away though no round has booked them back yet; those that orders keep cannot.
func TestAnAdjustmentFindsWhatEndedOrdersOwe(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.book(a, basket("", goods("g1", 8), slot("c1", "17:30")))
	c.payFor(b, c.book(b, basket("", goods("g1", 1), slot("c2", "17:30"))))
	_, err := c.app.MoveStock(ctx, c.owner, "g1", "adjust", -2, "少了", "")
	wantReason(t, err, "out_of_stock")
	c.clock("12:10:00")
	_, err = c.app.MoveStock(ctx, c.owner, "g1", "adjust", -10, "少了", "")
	wantReason(t, err, "out_of_stock")
	g, err := c.app.MoveStock(ctx, c.owner, "g1", "adjust", -9, "少了", "")
	must(t, err)
	want(t, "left", g.Available(), 0)
	want(t, "where they are", c.shelf("g1"), [4]int{0, 0, 1, 0})
	c.sound()
}

func TestGoodsAreMovedInTheirList(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	for _, step := range []struct {
		id   string
		to   int
		want string
	}{{"g1", 0, "g1 g2 g3"}, {"g3", 4, "g1 g2 g3"}, {"g3", 2, "g1 g3 g2"}, {"g3", 2, "g1 g3 g2"}, {"g1", 9, "g3 g2 g1"}} {
		must(t, c.app.MoveGood(ctx, c.owner, step.id, step.to))
		got := ""
		must(t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
			all, err := s.Goods()
			for _, g := range all {
				got += " " + g.ID
			}
			return err
		}))
		want(t, step.id, got, " "+step.want)
	}
	wantReason(t, c.app.MoveGood(ctx, c.owner, "g9", 1), "not_found")
	_, err := c.app.AddGood(ctx, c.owner, sqlite.Good{Name: "拍线"}, "")
	must(t, err)
	must(t, c.app.MoveGood(ctx, c.owner, "g4", 1))
	want(t, "the new one was last", c.count("SELECT detail ->> 'from' FROM audit ORDER BY id DESC LIMIT 1"), 4)
}

// TestTheLedgerTellsWhoAndForWhichOrder.
func TestTheLedgerTellsWhoAndForWhichOrder(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.book(a, basket("", goods("g2", 3), slot("c1", "17:30")))
	_, err := c.app.MoveStock(ctx, c.owner, "g2", "adjust", -1, "断线", "")
	must(t, err)
	must(t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Ledger("g2", 0, 2)
		must(t, err)
		want(t, "rows", len(rows), 2)
		want(t, "who", rows[0].StaffName+rows[0].Note+rows[0].OrderID, "馆主断线")
		want(t, "order", rows[1].OrderID+rows[1].OrderNumber+rows[1].StaffName, o.ID+o.Number)
		want(t, "balances", [2]int{rows[0].Balance, rows[1].Balance}, [2]int{6, 7})
		rest, err := s.Ledger("g2", rows[1].ID, 9)
		want(t, "the rest", len(rest), 1)
		want(t, "kind", rest[0].Kind, "receipt")
		return err
	}))
}

// TestCouponsTellTheirUses: uses follow the orders, and so does whether it can be used.
func TestCouponsTellTheirUses(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.coupon("TWICE", 10, 2, 0)
	c.clock("12:00:01")
	c.coupon("LATER", 10, 0, 0)
	must(t, errOf(c.app.ChangeCoupon(ctx, c.owner, "LATER", func(k *domain.Coupon) error {
		k.ValidFrom, k.ValidUntil = at("2026-12-11T00:00:00+08:00"), at("2026-12-12T00:00:00+08:00")
		return nil
	})))
	told := func(code string, uses int, standing domain.CouponStanding) {
		t.Helper()
		all, _, _, err := c.app.Coupons(ctx, 0, 50)
		must(t, err)
		one, err := c.app.Coupon(ctx, code)
		must(t, err)
		want(t, "newest first", all[0].Code+all[1].Code, "LATERTWICE")
		for _, k := range all {
			if k.Code == code {
				want(t, "alone and in the list", k, one)
			}
		}
		want(t, code, [2]any{one.Uses, one.Standing}, [2]any{uses, standing})
	}
	told("TWICE", 0, domain.CouponUsable)
	told("LATER", 0, domain.CouponNotYet)
	o := c.payFor(a, c.book(a, basket("TWICE", nil, slot("c1", "17:30"))))
	c.book(b, basket("TWICE", nil, slot("c2", "17:30")))
	told("TWICE", 2, domain.CouponUsedUp)
	c.clock("12:10:01")
	told("TWICE", 1, domain.CouponUsable)
	_, err := c.app.CancelOrder(ctx, a, o.ID, "")
	must(t, err)
	c.clock("23:59:59")
	told("LATER", 0, domain.CouponNotYet)
	c.wall.set(at("2026-12-11T00:00:00+08:00"))
	told("LATER", 0, domain.CouponUsable)
	c.wall.set(at("2026-12-12T00:00:00+08:00") - 1)
	told("LATER", 0, domain.CouponUsable)
	c.wall.set(at("2026-12-12T00:00:00+08:00"))
	told("LATER", 0, domain.CouponOver)
	must(t, errOf(c.app.ChangeCoupon(ctx, c.owner, "TWICE", func(k *domain.Coupon) error { k.Active = false; return nil })))
	told("TWICE", 1, domain.CouponOff)
	page, more, _, err := c.app.Coupons(ctx, 1, 1)
	must(t, err)
	want(t, "second page", page[0].Code, "TWICE")
	want(t, "more", more, false)
	page, more, _, err = c.app.Coupons(ctx, 0, 1)
	must(t, err)
	want(t, "first page", len(page), 1)
	want(t, "more", more, true)
	_, err = c.app.Coupon(ctx, "NONE")
	wantReason(t, err, "not_found")
}

func errOf[T any](_ T, err error) error { return err }

// TestStaffAreAddedOnce: a form that is sent twice is one person.
func TestStaffAreAddedOnce(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	n := newStaff("li", "desk")
	one, err := c.app.AddStaff(ctx, c.owner, n, "k")
	must(t, err)
	two, err := c.app.AddStaff(ctx, c.owner, n, "k")
	must(t, err)
	want(t, "the same", two, one)
	_, err = c.app.AddStaff(ctx, c.owner, n, "k2")
	wantReason(t, err, "username_exists")
	n.Password = "another-password"
	three, err := c.app.AddStaff(ctx, c.owner, n, "k")
	must(t, err)
	want(t, "whatever the password", three, one)
}

func newStaff(username, role string) app.NewStaff {
	return app.NewStaff{Username: username, Name: "李雷", Password: "a-password-of-li", Role: role}
}
