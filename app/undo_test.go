package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

// missed is a club where the door shuts 15 minutes after the start and somebody
// with a slot at 17:30 and two tubes has not come.
func missed(t *testing.T, clock string) (*club, app.Actor, app.OrderView) {
	t.Helper()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, basket("", goods("g1", 2), slot("c1", "17:30"))))
	c.clock(clock)
	return c, a, o
}

func (c *club) undo(o app.OrderView, i int) error {
	_, err := c.app.UndoNoShow(ctx, c.desk, o.Reservations[i].ID, "was here", "")
	return err
}

func TestUndo_WhileTheSlotRuns(t *testing.T) {
	t.Parallel()
	for name, settled := range map[string]bool{"settled": true, "unsettled": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, a, o := missed(t, "17:44:59")
			wantReason(t, c.undo(o, 0), "not_no_show")
			c.clock("17:45:00")
			want(t, "goods wait until the end", c.stock("g1"), 8)
			if settled {
				c.round()
				want(t, "told", c.mail.kinds()["no_show"], 1)
			}
			want(t, "the desk may sell", c.board("c1", "17:30").Sellable, true)
			must(t, c.undo(o, 0))
			got := c.order(a, o.ID)
			want(t, "state", got.State+got.Reservations[0].State, "paid"+"playing")
			want(t, "goods handed over", got.GoodsState, "completed")
			want(t, "blocked again", c.board("c1", "17:30").Sellable, false)
			_, err := c.deskSale(slot("c1", "17:30"))
			wantReason(t, err, "slot_taken")
			// Once only, by either name of it.
			wantReason(t, c.undo(o, 0), "already_undone")
			wantReason(t, c.undo(got, 0), "not_no_show")
			c.clock("19:00:00")
			c.round()
			want(t, "state", c.order(a, o.ID).State, "completed")
			want(t, "stock", c.stock("g1"), 8)
			if !settled {
				want(t, "nobody is told of a no-show that was undone", c.mail.kinds()["no_show"], 0)
			}
			want(t, "record", c.count("SELECT count(*) FROM audit WHERE action = 'undo no-show' AND reason = 'was here'"), 1)
			c.sound()
		})
	}
}

// board is what the desk sees of a slot now.
func (c *club) board(court, clock string) app.BoardSlot {
	c.t.Helper()
	day, err := domain.ParseDate("date", "2026-12-10")
	must(c.t, err)
	view, err := c.app.DeskDay(ctx, day, 0)
	must(c.t, err)
	for _, row := range view.Courts {
		for _, s := range row.Slots {
			if row.ID == court && s.Label == clock {
				return s
			}
		}
	}
	c.t.Fatalf("no slot %s %s on the board", court, clock)
	return app.BoardSlot{}
}

func TestUndo_NotWhenResold(t *testing.T) {
	t.Parallel()
	c, a, o := missed(t, "17:45:00")
	sold, err := c.deskSale(slot("c1", "17:30"))
	must(t, err)
	wantReason(t, c.undo(o, 0), "slot_taken")
	c.clock("19:00:00")
	wantReason(t, c.undo(o, 0), "slot_taken") // two cannot have played there
	c.clock("23:00:00")
	wantReason(t, c.undo(o, 0), "slot_taken")
	want(t, "a", c.order(a, o.ID).State, "no_show")
	want(t, "the buyer", c.order(c.desk, sold.ID).State, "completed")
	c.sound()

	// What was sold and cancelled again is not resold.
	c, a, o = missed(t, "17:45:00")
	sold, err = c.deskSale(slot("c1", "17:30"))
	must(t, err)
	_, err = c.app.CancelAtDesk(ctx, c.desk, sold.ID, "venue", "mistake", "")
	must(t, err)
	must(t, c.undo(o, 0))
	want(t, "a", c.order(a, o.ID).State, "paid")
	c.sound()
}

func TestUndo_AfterTheEndMendsTheRecordOnly(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.NoShowRefundPercent = 50 })
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, basket("", goods("g1", 2), slot("c1", "17:30"))))
	c.clock("19:00:00")
	c.round()
	want(t, "stock", c.stock("g1"), 10)
	want(t, "refund", c.refunded(o.ID), 3000)
	moves := c.count("SELECT count(*) FROM stock_moves")
	must(t, c.undo(o, 0))
	got := c.order(a, o.ID)
	want(t, "state", got.State+got.Reservations[0].State, "completedcompleted")
	want(t, "no stock", c.count("SELECT count(*) FROM stock_moves"), moves)
	want(t, "no refund taken back", c.refunded(o.ID), 3000)
	want(t, "blocks nothing", c.count("SELECT count(*) FROM reservations WHERE release_at > ? OR settled_at IS NULL", int64(c.wall.now)), 0)
	wantReason(t, c.undo(o, 0), "already_undone")
	c.round()
	want(t, "state", c.order(a, o.ID).State, "completed")
	c.sound()
}

func TestUndo_OneOfTwo(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, slots(slot("c1", "17:30"), slot("c2", "17:30"))))
	c.clock("19:00:00")
	want(t, "state", c.order(a, o.ID).State, "no_show")
	must(t, c.undo(o, 1))
	got := c.order(a, o.ID)
	want(t, "state", got.State, "completed")
	want(t, "slots", len(got.Reservations), 2)
	must(t, c.undo(o, 0))
	want(t, "state", c.order(a, o.ID).State, "completed")
	c.sound()
}

func TestUndo_AClosedSlotAndAReason(t *testing.T) {
	t.Parallel()
	c, _, o := missed(t, "17:50:00")
	_, err := c.app.UndoNoShow(ctx, c.desk, o.Reservations[0].ID, " ", "")
	wantReason(t, err, "invalid_field")
	_, err = c.app.UndoNoShow(ctx, c.desk, "nobody", "was here", "")
	wantReason(t, err, "not_found")
	_, err = c.close("17:50", "18:00", false, "c1")
	must(t, err)
	wantReason(t, c.undo(o, 0), "slot_closed")
	c.clock("19:00:00")
	must(t, c.undo(o, 0))
}

func TestUndo_AtOnce(t *testing.T) {
	t.Parallel()
	for range 4 {
		c, a, o := missed(t, "18:00:00")
		other := c.second()
		errs := race(9, func(i int) error {
			via := both(c, other, i)
			if i%3 == 0 {
				_, err := via.deskSale(slot("c1", "17:30"))
				return err
			}
			return via.undo(o, 0)
		})
		got := tally(errs)
		if got["ok"] != 1 || got["ok"]+got["slot_taken"]+got["already_undone"] != 9 {
			t.Fatalf("outcomes: %v", got)
		}
		want(t, "live", c.count("SELECT count(*) FROM reservations WHERE release_at > ?", int64(c.wall.now)), 1)
		c.order(a, o.ID)
		c.sound()
	}
}
