package app_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// A walk of moves, most of which cannot be made: what the preview says is what the
// act does, to the fen and to the reason.
func TestPreviewOfMoveIsTheMove(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.eveningPrices()
	c.coupon("TEN", 10, 0, 0)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.policy(func(p *domain.Policy) { p.MaxSlotsPerDay, p.ReleaseAfterMinutes = 20, 15 })
	first := c.payFor(a, c.book(a, basket("TEN", goods("g1", 1), slot("c1", "17:30"), slot("c1", "19:00"))))
	c.paidAt(b, slot("c2", "13:00"))
	c.book(b, slots(slot("c3", "19:00"), slot("c4", "19:00")))
	_, err := c.deskSale(slot("c5", "11:30"))
	must(t, err)
	_, _, err = c.app.DeskOrder(ctx, c.desk, slots(slot("c6", "16:00")), app.Caller{Name: "电话"}, "on_arrival", "")
	must(t, err)
	_, err = c.close("14:30", "17:30", false, "c6")
	must(t, err)
	dice := rand.New(rand.NewPCG(3, 1))
	seen := map[string]int{}
	clocks := []string{"12:04:00", "12:11:00", "13:05:00", "13:20:00", "17:40:00", "19:16:00"}
	for step := range 900 {
		if step%150 == 0 {
			c.clock(clocks[step/150])
		}
		if o := c.order(c.desk, first.ID); step%50 == 25 && o.Paid > o.Refunded+o.RefundPending {
			_, err := c.app.Goodwill(ctx, c.desk, o.ID, o.Paid-o.Refunded-o.RefundPending, "等太久", "")
			must(t, err)
		}
		row := c.anyRow(dice)
		to := app.SlotRef{Court: fmt.Sprintf("c%d", 1+dice.IntN(6)), Start: at("2026-12-10T08:30:00+08:00") + domain.Instant(dice.IntN(9)*90*60)}
		switch dice.IntN(20) {
		case 0:
			to.Start += 86400
		case 1:
			to.Start += 60
		case 2:
			to.Court = "c9"
		}
		preview, refused := c.app.PreviewMove(ctx, c.desk, row, to)
		before := c.count("SELECT coalesce(sum(amount_fen), 0) FROM payments WHERE via = 'cash' AND purpose = 'move'")
		back := c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE purpose = 'move'")
		made, err := c.move(row, to)
		if (err == nil) != (refused == nil) || (err != nil && err.Error() != refused.Error()) {
			t.Fatalf("step %d, %s to %v: the preview says %v, the move says %v", step, row, to, refused, err)
		}
		if err != nil {
			e, _ := domain.AsError(err)
			seen[e.Reason]++
			continue
		}
		want(t, "difference", preview.Difference, made.Difference)
		want(t, "taken in cash", preview.Take, int64(c.count("SELECT coalesce(sum(amount_fen), 0) FROM payments WHERE via = 'cash' AND purpose = 'move'")-before))
		want(t, "given back", preview.Back, int64(c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE purpose = 'move'")-back))
		switch {
		case preview.Paid && preview.Back < -preview.Difference:
			seen["nothing left"]++
		case preview.Take > 0:
			seen["take"]++
		case preview.Back > 0:
			seen["back"]++
		case preview.Difference != 0:
			seen["unpaid"]++
		default:
			seen["level"]++
		}
	}
	for _, what := range []string{"take", "back", "nothing left", "unpaid", "level", "too_late", "slot_taken", "slot_closed", "slot_past", "invalid_field"} {
		if seen[what] == 0 {
			t.Errorf("the walk never met %s: %v", what, seen)
		}
	}
	c.sound()
}

// anyRow picks one of all reservations there are.
func (c *club) anyRow(dice *rand.Rand) (id string) {
	c.t.Helper()
	n := c.count("SELECT count(*) FROM reservations")
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		return s.QueryRow("SELECT id FROM reservations ORDER BY id LIMIT 1 OFFSET ?", dice.IntN(n)).Scan(&id)
	}))
	return id
}

func TestPreviewsOfTheDeskAreForTheDesk(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	_, err := c.app.PreviewMove(ctx, a, o.Reservations[0].ID, slot("c2", "17:30"))
	wantReason(t, err, "forbidden")
	_, err = c.app.PreviewCancel(ctx, a, o.ID)
	wantReason(t, err, "forbidden")
	_, err = c.app.FindOrders(ctx, a, o.Number)
	wantReason(t, err, "forbidden")
}

// Whoever cancels at whatever time: what was shown before is what goes back.
func TestPreviewOfCancelIsTheCancel(t *testing.T) {
	t.Parallel()
	amounts := map[int64]bool{}
	for i, clock := range []string{"11T17:30:00", "11T17:30:00", "11T17:30:01", "12T05:30:01", "12T12:30:01", "12T17:45:00"} {
		for j, by := range []string{"customer", "venue"} {
			c := newClub(t)
			c.price(6000)
			c.coupon("TEN", 10, 0, 0)
			a := c.customer(fmt.Sprintf("1380000%02d%02d", i, j))
			o := c.payFor(a, c.book(a, basket("TEN", goods("g1", 1), slotOn("2026-12-12", "c1", "17:30"))))
			if i == 1 || i == 5 {
				_, err := c.app.Goodwill(ctx, c.desk, o.ID, 5000, "等太久", "")
				must(t, err)
			}
			c.wall.set(at("2026-12-" + clock + "+08:00"))
			preview, err := c.app.PreviewCancel(ctx, c.desk, o.ID)
			must(t, err)
			shown := map[string]int64{"customer": preview.ByCustomer.Amount, "venue": preview.ByVenue.Amount}[by]
			_, err = c.app.CancelAtDesk(ctx, c.desk, o.ID, by, "test", "")
			must(t, err)
			gone := int64(c.count("SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE purpose = 'cancel'"))
			if shown != gone {
				t.Errorf("%s by %s: %d was shown, %d goes back", clock, by, shown, gone)
			}
			amounts[gone] = true
			_, err = c.app.PreviewCancel(ctx, c.desk, o.ID)
			wantReason(t, err, "already_cancelled")
		}
	}
	if len(amounts) < 5 {
		t.Errorf("only the amounts %v were met", amounts)
	}
}
