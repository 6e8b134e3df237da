package app_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func TestC32_TwoScansMakeOneEntry(t *testing.T) {
	c := newClub(t)
	other := c.second()
	a := c.customer("13800000001")
	o := c.payFor(a, c.book(a, app.OrderRequest{Slots: []app.SlotRef{slot("c1", "17:30")}, Goods: []app.GoodRef{{ID: "g1", Qty: 2}}}))
	c.wall.set(at("2026-12-10T17:10:00+08:00"))
	const phones = 12
	results := make([]app.ScanResult, phones)
	together(t, phones, func(i int) (err error) {
		where := c
		if i%2 == 1 {
			where = other
		}
		who := c.desk
		who.Session = fmt.Sprintf("phone-%d", i)
		results[i], err = where.app.CheckIn(ctx, who, o.Ticket.Code, "nonce")
		return err
	})
	winner := -1
	for i, r := range results {
		switch r.Result {
		case "ok":
			want(t, "winners before this one", winner, -1)
			winner = i
			want(t, "goods handed over by the one scan", len(r.GoodsOut), 1)
		case "already_in":
			want(t, "first entry", domain.InstantOf(*r.CheckedInAt), at("2026-12-10T17:10:00+08:00"))
			want(t, "goods handed over twice", len(r.GoodsOut), 0)
		default:
			t.Fatalf("phone %d: %s", i, r.Result)
		}
	}
	if winner < 0 {
		t.Fatal("nobody let the customer in")
	}
	// A lost reply: the same phone and nonce see their own success, even later.
	c.wall.set(at("2026-12-10T17:20:00+08:00"))
	again := c.scanBy(fmt.Sprintf("phone-%d", winner), o.Ticket.Code, "nonce")
	want(t, "retry", again.Result, "ok")
	want(t, "retry is the first answer", domain.InstantOf(again.At), at("2026-12-10T17:10:00+08:00"))
	// The same nonce on another phone, and another nonce on the same phone, are scans of their own.
	for _, r := range []app.ScanResult{c.scanBy("phone-new", o.Ticket.Code, "nonce"), c.scanBy(fmt.Sprintf("phone-%d", winner), o.Ticket.Code, "other")} {
		want(t, "second look", r.Result, "already_in")
		want(t, "still the first entry", domain.InstantOf(*r.CheckedInAt), at("2026-12-10T17:10:00+08:00"))
	}
	want(t, "entries recorded", c.count("SELECT count(*) FROM audit WHERE action = 'check in'"), 1)
	want(t, "stock", c.stock("g1"), 8)
}

func TestC32_ANonceBelongsToOneCode(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	one, two := c.paidAt(a, slot("c1", "17:30")), c.paidAt(a, slot("c2", "17:30"))
	c.wall.set(at("2026-12-10T17:10:00+08:00"))
	want(t, "first code", c.scanBy("phone", one.Ticket.Code, "n").Result, "ok")
	r := c.scanBy("phone", two.Ticket.Code, "n")
	want(t, "second code with the same nonce", r.Result, "ok")
	want(t, "its order", r.Order.ID, two.ID)
}

func TestC33_CodesThatAreNoLongerGood(t *testing.T) {
	c := newClub(t)
	ticket := func(order string) (code string) {
		must(t, c.app.DB().Read(ctx, func(s *sqlite.Snapshot) error {
			return s.QueryRow("SELECT ticket_code FROM orders WHERE id = ?", order).Scan(&code)
		}))
		return code
	}
	customer := func(n int) app.Actor { return c.customer(fmt.Sprintf("1380000010%d", n)) }
	lapsed := c.book(customer(1), slots(slot("c1", "17:30")))
	cancelled := c.paidAt(customer(2), slot("c2", "17:30"))
	c.cancel(customer(2), cancelled.ID)
	want(t, "its refund is not finished", c.order(customer(2), cancelled.ID).RefundPending > 0, true)
	closed := c.paidAt(customer(3), slot("c3", "17:30"))
	_, err := c.app.MakeClosure(ctx, c.owner, app.ClosureRequest{Courts: []string{"c3"}, From: at("2026-12-10T17:30:00+08:00"),
		To: at("2026-12-10T19:00:00+08:00"), Reason: "漏水", CancelBookings: true}, "")
	must(t, err)
	withGoods := app.OrderRequest{Slots: []app.SlotRef{slot("c4", "17:30")}, Goods: []app.GoodRef{{ID: "g1", Qty: 1}}}
	inThenOut := c.payFor(customer(4), c.book(customer(4), withGoods))
	goods := c.payFor(customer(5), c.book(customer(5), app.OrderRequest{Goods: []app.GoodRef{{ID: "g2", Qty: 1}}}))
	c.cancel(customer(5), goods.ID)
	plain := c.paidAt(customer(7), slot("c6", "17:30"))

	c.wall.set(at("2026-12-10T17:10:00+08:00"))
	unpaid := c.book(customer(6), slots(slot("c5", "17:30")))
	for _, o := range []app.OrderView{inThenOut, plain} {
		want(t, "let in", c.scanBy("phone", o.Ticket.Code, "").Result, "ok")
		_, err = c.app.CancelAtDesk(ctx, c.desk, o.ID, "venue", "打架", "")
		must(t, err)
	}
	for _, look := range []struct{ name, order, result string }{
		{"a hold", unpaid.ID, "not_paid"},
		{"a lapsed hold", lapsed.ID, "lapsed"},
		{"cancelled, refund under way", cancelled.ID, "cancelled"},
		{"closed by the venue", closed.ID, "cancelled"},
		{"let in and then cancelled", plain.ID, "cancelled"},
		{"let in with goods and then cancelled", inThenOut.ID, "cancelled"},
		{"goods cancelled", goods.ID, "cancelled"},
	} {
		// Before and after anybody settles, the answer is the same.
		want(t, look.name, c.scanBy("phone", ticket(look.order), "").Result, look.result)
		c.round()
		want(t, look.name+" after a round", c.scanBy("phone", ticket(look.order), "").Result, look.result)
	}
	want(t, "rubbish", c.scanBy("phone", "NO-SUCH-CODE", "").Result, "unknown")
}

// TestC33_AClosedSlotIsNoSlotOfTheDay: the rest of the order is good on its own day.
func TestC33_AClosedSlotIsNoSlotOfTheDay(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"), slotOn("2026-12-11", "c1", "17:30"))
	_, err := c.close("17:00", "22:00", true, "c1")
	must(t, err)
	c.clock("17:10:00")
	want(t, "on the closed day", c.scan(o.Ticket.Code).Result, "wrong_day")
	c.wall.set(at("2026-12-11T17:10:00+08:00"))
	want(t, "on the other day", c.scan(o.Ticket.Code).Result, "ok")
}

func TestC33_CancelAndScanAtOnce(t *testing.T) {
	c := newClub(t)
	other := c.second()
	a := []app.Actor{}
	for i := range 12 {
		a = append(a, c.customer(fmt.Sprintf("139000000%02d", i)))
	}
	for n, clock := range []string{"13:00", "14:30", "16:00"} {
		for i := range 6 {
			o := c.paidAt(a[(n%2)*6+i], slot(fmt.Sprintf("c%d", i+1), clock))
			c.wall.set(at("2026-12-10T"+clock+":00+08:00") - 600)
			var scan app.ScanResult
			var cancelErr error
			var wg sync.WaitGroup
			wg.Go(func() { _, cancelErr = other.app.CancelOrder(ctx, a[(n%2)*6+i], o.ID, "") })
			wg.Go(func() {
				var err error
				if scan, err = c.app.CheckIn(ctx, c.desk, o.Ticket.Code, ""); err != nil {
					t.Error(err)
				}
			})
			wg.Wait()
			state := c.order(a[(n%2)*6+i], o.ID).State
			switch scan.Result {
			case "ok":
				wantReason(t, cancelErr, "too_late")
				want(t, "let in", state, "paid")
			case "cancelled":
				must(t, cancelErr)
				want(t, "not let in", state, "cancelled")
			default:
				t.Fatalf("scan says %s", scan.Result)
			}
		}
	}
}

// TestC34_OneCutOffForALateArrival lets customers come at every moment while two
// processes run rounds: what was scanned and what was told never differ.
func TestC34_OneCutOffForALateArrival(t *testing.T) {
	for _, come := range []struct {
		clock  string
		result string
	}{{"18:10:00", "ok"}, {"18:59:58", "ok"}, {"18:59:59", "ok"}, {"19:00:00", "too_late"}, {"19:00:01", "too_late"}, {"19:05:00", "too_late"}} {
		t.Run(come.clock, func(t *testing.T) {
			c := newClub(t)
			other := c.second()
			a := c.customer("13800000001")
			o := c.paidAt(a, slot("c1", "17:30"))
			c.wall.set(at("2026-12-10T" + come.clock + "+08:00"))
			var scan app.ScanResult
			together(t, 3, func(i int) (err error) {
				switch i {
				case 0:
					scan, err = c.app.CheckIn(ctx, c.desk, o.Ticket.Code, "")
				case 1:
					_, err = c.rec.RunOnce(ctx)
				case 2:
					_, err = other.rec.RunOnce(ctx)
				}
				return err
			})
			want(t, "scan", scan.Result, come.result)
			c.wall.set(at("2026-12-10T19:30:00+08:00"))
			c.round()
			state, told := c.order(a, o.ID).State, c.mail.kinds()["no_show"]+other.mail.kinds()["no_show"]
			if come.result == "ok" {
				want(t, "state", state, "completed")
				want(t, "told of a no-show", told, 0)
				return
			}
			want(t, "state", state, "no_show")
			want(t, "told of a no-show", told, 1)
			id := o.Reservations[0].ID
			_, err := c.app.UndoNoShow(ctx, c.desk, id, "他在场", "")
			must(t, err)
			want(t, "undone", c.order(a, o.ID).State, "completed")
			_, err = c.app.UndoNoShow(ctx, c.desk, id, "再来一次", "")
			wantReason(t, err, "already_undone")
			want(t, "records", c.count("SELECT count(*) FROM audit WHERE action = 'undo no-show' AND reason = '他在场'"), 1)
		})
	}
}

func TestC34_NothingElseIsANoShow(t *testing.T) {
	c := newClub(t)
	a, b, d := c.customer("13800000001"), c.customer("13800000002"), c.customer("13800000003")
	lapsed := c.book(a, slots(slot("c1", "17:30")))
	cancelled := c.paidAt(b, slot("c2", "17:30"))
	c.cancel(b, cancelled.ID)
	closed := c.paidAt(d, slot("c3", "17:30"))
	_, err := c.app.MakeClosure(ctx, c.owner, app.ClosureRequest{Courts: []string{"c3"},
		From: at("2026-12-10T17:00:00+08:00"), To: at("2026-12-10T20:00:00+08:00"), CancelBookings: true}, "")
	must(t, err)
	moved := c.paidAt(d, slot("c4", "17:30"))
	_, err = c.app.MoveReservation(ctx, c.desk, moved.Reservations[0].ID, slotOn("2026-12-11", "c4", "17:30"), "", "")
	must(t, err)
	came := c.paidAt(a, slot("c5", "17:30"))
	c.wall.set(at("2026-12-10T17:30:00+08:00"))
	want(t, "scan", c.scanBy("phone", came.Ticket.Code, "").Result, "ok")
	c.wall.set(at("2026-12-10T22:00:00+08:00"))
	for range 2 {
		for _, look := range []struct {
			id, state string
		}{{lapsed.ID, "lapsed"}, {cancelled.ID, "cancelled"}, {closed.ID, "cancelled"}, {moved.ID, "paid"}, {came.ID, "completed"}} {
			want(t, "state", c.order(c.desk, look.id).State, look.state)
		}
		c.round()
	}
	want(t, "no-show notices", c.count("SELECT count(*) FROM notices WHERE kind = 'no_show'"), 0)
}

func TestC35_OldAndSharedCodes(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	o := c.paidAt(a, slot("c1", "17:30"))
	_, err := c.app.MoveReservation(ctx, c.desk, o.Reservations[0].ID, slot("c2", "17:30"), "", "")
	must(t, err)
	fresh := c.order(a, o.ID).Ticket.Code
	c.wall.set(at("2026-12-10T17:10:00+08:00"))
	want(t, "the old code", c.scanBy("phone", o.Ticket.Code, "").Result, "unknown")
	want(t, "the new code", c.scanBy("phone", strings.ToLower(fresh[:5])+" "+fresh[5:9]+"-"+fresh[9:], "").Result, "ok")
	want(t, "the new code's screenshot", c.scanBy("another phone", fresh, "").Result, "already_in")
}

func TestC35_CodesCannotBeGuessed(t *testing.T) {
	c := newClub(t)
	seen := map[string]bool{}
	columns := make([]map[byte]bool, 26)
	c.manyOrders(200, "g1", "online")
	must(t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query("SELECT id, number, ticket_code FROM orders")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id, number, code string
			if err := rows.Scan(&id, &number, &code); err != nil {
				return err
			}
			want(t, "length", len(code), 26)
			want(t, "seen before", seen[code], false)
			want(t, "shows the number", strings.Contains(code, strings.ReplaceAll(number, "-", "")), false)
			seen[code] = true
			for i := range code {
				if columns[i] == nil {
					columns[i] = map[byte]bool{}
				}
				columns[i][code[i]] = true
			}
		}
		return rows.Err()
	}))
	want(t, "codes", len(seen), 200)
	for i, letters := range columns[:25] {
		if len(letters) < 16 {
			t.Fatalf("place %d of the codes takes only %d values in 200", i, len(letters))
		}
	}
	var log bytes.Buffer
	c.app = app.New(app.Config{DB: c.db, Channel: c.mail, Log: slog.New(slog.NewTextHandler(io.MultiWriter(&log), nil)), Demo: true})
	guess := "0123456789ABCDEFGHJKMNPQRS"
	want(t, "a guess", c.scanBy("phone", guess, "").Result, "unknown")
	want(t, "a guess is logged with who made it", strings.Contains(log.String(), c.desk.ID), true)
	want(t, "the log keeps codes", strings.Contains(log.String(), guess), false)
}
