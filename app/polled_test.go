package app_test

import (
	"fmt"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// What pages ask for again every few seconds takes as many statements for many rows as
// for one, and names the right order in each.
func TestPolledListsReadTheirOrdersAtOnce(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	must(t, c.db.Close())
	taken := 0
	db, err := sqlite.Open(ctx, sqlite.Options{Path: c.path, Wall: c.wall.time, ObserveRead: func(n int) { taken = n }})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	c.use(db)

	var board app.BoardView
	var todo app.TodoView
	look := func() (onBoard, onTodo int) {
		t.Helper()
		board, err = c.app.DeskDay(ctx, domain.Date{Year: 2026, Month: 12, Day: 10}, 0)
		must(t, err)
		onBoard = taken
		todo, err = c.app.Todo(ctx, c.desk)
		must(t, err)
		return onBoard, taken
	}
	numbers := map[string]string{} // of the orders, by whose they are
	add := func(n int, court string) {
		t.Helper()
		name := func(what string) string { return fmt.Sprintf("%s %d", what, n) }
		sell := func(who, court, clock string) app.OrderView {
			t.Helper()
			req := slots(slot(court, clock))
			req.Goods = goods("g1", 1)
			o, _, err := c.app.DeskOrder(ctx, c.desk, req, app.Caller{Name: who}, "cash", "")
			must(t, err)
			numbers[who] = o.Number
			return o
		}
		sell(name("plays"), court, "17:30")
		back := sell(name("cash back"), court, "19:00")
		_, err := c.app.CancelAtDesk(ctx, c.desk, back.ID, "venue", "rain", "")
		must(t, err)
		flagged := sell(name("flagged"), court, "20:30")
		must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
			_, err := tx.Exec("UPDATE payments SET verdict = 'flagged', verdict_reason = 'amount' WHERE order_id = ?", flagged.ID)
			return err
		}))
	}
	add(1, "c1")
	look() // the venue is parsed once
	board1, todo1 := look()
	for n := 2; n <= 5; n++ {
		add(n, fmt.Sprint("c", n))
	}
	board5, todo5 := look()
	if board1 == 0 || board1 != board5 || todo1 != todo5 {
		t.Errorf("statements for one and for five: board %d, %d; to do %d, %d", board1, board5, todo1, todo5)
	}

	met := map[string]int{}
	know := func(what, who, number string) {
		t.Helper()
		met[what]++
		if numbers[who] == "" || numbers[who] != number {
			t.Errorf("%s: %s has %q, want %q", what, who, number, numbers[who])
		}
	}
	for _, court := range board.Courts {
		for _, slot := range court.Slots {
			for _, b := range slot.Bookings {
				know("board", b.Customer.Name, b.Number)
			}
		}
	}
	for _, r := range todo.Refunds {
		know("refunds", r.Order.Customer, r.Order.Number)
	}
	for _, f := range todo.Flagged {
		know("flagged", f.Order.Customer, f.Order.Number)
	}
	for _, g := range todo.Goods {
		know("goods", g.Order.Customer, g.Order.Number)
		if len(g.Lines) != 1 || g.Lines[0].ID != "g1" || g.Lines[0].Qty != 1 {
			t.Errorf("goods of %s: %+v", g.Order.Customer, g.Lines)
		}
	}
	if met["board"] != 15 || met["refunds"] != 5 || met["flagged"] != 5 || met["goods"] != 10 {
		t.Errorf("met %v", met)
	}
}
