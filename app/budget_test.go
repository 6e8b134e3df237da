package app_test

import (
	"context"
	"path/filepath"
	"testing"

	"courtd/app"
	"courtd/sqlite"
)

// A command holds the only write lock, so each use case has a budget of
// statements. Raise one only with a reason.
func TestStatementBudgets(t *testing.T) {
	most := 0 // statements of the dearest command since the last look
	c := newClub(t)
	must(t, c.db.Close())
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(filepath.Dir(c.path), "club.db"), Wall: c.wall.time,
		Observe: func(n int) { most = max(most, n) }})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	c.use(db)
	ctx := context.Background()
	a := c.customer("13800000001")

	most = 0
	within := func(what string, budget int) {
		t.Helper()
		if most == 0 || most > budget {
			t.Errorf("%s took %d statements, budget %d", what, most, budget)
		}
		most = 0
	}
	one := c.book(a, slots(slot("c1", "17:30")))
	within("book one slot", 22)
	c.book(a, app.OrderRequest{Slots: []app.SlotRef{slot("c2", "17:30"), slot("c2", "19:00")}, Goods: []app.GoodRef{{ID: "g1", Qty: 1}, {ID: "g2", Qty: 1}}})
	within("book two slots and two goods", 44)
	no := c.open(a, one)
	within("open a payment", 12)
	c.tell(c.succeed(no))
	within("take a notice", 32)
	c.wall.set(at("2026-12-10T17:10:00+08:00"))
	_, err = c.app.CheckIn(ctx, c.desk, c.order(a, one.ID).Ticket.Code, "n")
	must(t, err)
	within("check in", 20)
	two := c.payFor(a, c.book(a, slots(slot("c3", "19:00"))))
	c.cancel(a, two.ID)
	within("cancel a paid order", 32)
}
