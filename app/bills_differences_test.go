package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func TestEveryDifferenceByItsRightValues(t *testing.T) {
	b := newBilled(t)
	_, fine := b.takes()
	absentOrder, absent := b.takes()
	_, cheap := b.takes()
	_, _, odd := b.attempt()
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.FlagPayment(odd, "amount 1 instead of 6000 fen") }))
	order, paid := b.takes()
	gone := b.gives(order, 1000)
	less := b.gives(order, 1100)
	// One that the desk handed back, because WeChat gave up, is in no bill.
	byDesk := b.gives(order, 1200)
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE refunds SET abnormal_at = sent_at WHERE id = ?", byDesk)
		return err
	}))
	_, _, lost := b.attempt()
	b.succeed(lost)
	_, err := b.app.Goodwill(ctx, b.desk, absentOrder, 500, "灯坏了", "")
	must(t, err)
	var waiting string
	must(t, b.db.Read(ctx, func(s *sqlite.Snapshot) error {
		refunds, err := s.RefundsOfOrder(absentOrder)
		waiting = refunds[0].ID
		return err
	}))
	b.wall.set(at("2026-12-12T10:00:00+08:00"))
	got := b.imports("2026-12-10", billPaid(fine, "60.00", onTenth), billPaid(lost, "60.00", onTenth), billPaid("elsewhere-1", "12.34", onTenth),
		billPaid(cheap, "59.99", onTenth), billPaid(odd, "0.01", onTenth), billPaid(paid, "60.00", onTenth),
		billBack(paid, less, "10.99", "SUCCESS", onTenth), billBack(paid, "refund-elsewhere", "3.00", "PROCESSING", onTenth),
		billBack(paid, "refund-failed", "4.00", "FAIL", onTenth), billBack(absent, waiting, "5.00", "SUCCESS", onTenth))
	flagged := "payment:" + odd + ":flagged 1/6000"
	open := []string{
		"payment:" + lost + ":there_not_here 6000/6000",
		"payment:elsewhere-1:there_not_here 1234/-",
		"payment:" + absent + ":here_not_there -/6000",
		"payment:" + cheap + ":amount 5999/6000",
		flagged,
		"refund:" + less + ":refund_amount 1099/1100",
		"refund:refund-elsewhere:refund_there_not_here 300/-",
		"refund:" + waiting + ":refund_there_not_here 500/500",
	}
	b.wants("open", open...)
	want(t, "matched", got.Matched, 3) // fine, paid, and the one that failed and moved nothing
	want(t, "differences", got.Differences, 8)
	want(t, "to be asked about", got.WillAsk, 1)

	// A refund is missed only when the bills of the days around it are here too.
	b.imports("2026-12-09")
	b.wants("open", open...)
	b.imports("2026-12-11")
	missed := "refund:" + gone + ":refund_here_not_there -/1000"
	b.wants("open", append(open, missed)...)

	// WeChat is asked about what it has and we do not; then it is a difference no more.
	b.round()
	b.wants("open", open[1], open[2], open[3], flagged, open[5], open[6], missed)
	want(t, "what was lost", b.count("SELECT count(*) FROM payments WHERE id = ? AND succeeded_at IS NOT NULL", lost), 1)

	// A newer bill of the day counts instead of the older one.
	fixed := b.imports("2026-12-10", billPaid(fine, "60.00", onTenth), billPaid(lost, "60.00", onTenth), billPaid(absent, "60.00", onTenth),
		billPaid(cheap, "60.00", onTenth), billPaid(paid, "60.00", onTenth), billBack(paid, gone, "10.00", "PROCESSING", onTenth),
		billBack(paid, less, "11.00", "SUCCESS", onTenth), billBack(absent, waiting, "5.00", "SUCCESS", onTenth))
	want(t, "matched of the newer", fixed.Matched, 8)
	b.wants("open", "payment:"+odd+":flagged -/6000")
	old := b.imports("2026-12-10", billPaid(fine, "60.00", onTenth), billPaid(lost, "60.00", onTenth), billPaid("elsewhere-1", "12.34", onTenth),
		billPaid(cheap, "59.99", onTenth), billPaid(odd, "0.01", onTenth), billPaid(paid, "60.00", onTenth),
		billBack(paid, less, "10.99", "SUCCESS", onTenth), billBack(paid, "refund-elsewhere", "3.00", "PROCESSING", onTenth),
		billBack(paid, "refund-failed", "4.00", "FAIL", onTenth), billBack(absent, waiting, "5.00", "SUCCESS", onTenth))
	want(t, "the older one again", [2]bool{old.Already, old.Superseded}, [2]bool{true, true})
	b.wants("open", "payment:"+odd+":flagged -/6000")
	b.sound()
}

func TestDaysWithAndWithoutBills(t *testing.T) {
	b := newBilled(t)
	_, paid := b.takes()
	states := func() string {
		t.Helper()
		view, err := b.app.Bills(ctx, b.owner, app.Page{Limit: 1})
		must(t, err)
		var out []string
		for page := view; ; {
			for _, d := range page.Items {
				out = append(out, fmt.Sprintf("%s %s %d %d/%d %d", d.Day, d.State, d.Payments, d.Here, d.HereSum, d.Differences))
			}
			if page.Next == nil {
				break
			}
			page, err = b.app.Bills(ctx, b.owner, app.Page{Cursor: *page.Next, Limit: 1})
			must(t, err)
		}
		return fmt.Sprintf("%s; last ready %s, open %d", strings.Join(out, ", "), view.LastReady, view.Differences)
	}
	want(t, "on the day", states(), "2026-12-10 not_yet 0 1/6000 0; last ready 2026-12-09, open 0")
	b.wall.set(at("2026-12-11T09:59:59+08:00"))
	want(t, "too early", states(), "2026-12-10 not_yet 0 1/6000 0; last ready 2026-12-09, open 0")
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	want(t, "when it should be there", states(), "2026-12-10 missing 0 1/6000 0; last ready 2026-12-10, open 0")
	b.imports("2026-12-10", billPaid("elsewhere-1", "1.00", onTenth))
	b.imports("2026-12-09")
	want(t, "with a bill", states(), "2026-12-10 imported 1 1/6000 2, 2026-12-09 imported 0 0/0 0; last ready 2026-12-10, open 2")
	b.wants("open", "payment:"+paid+":here_not_there -/6000", "payment:elsewhere-1:there_not_here 100/-")
	// Page by page, the list is the same.
	one, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{State: "open"}, app.Page{Limit: 1})
	must(t, err)
	two, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{State: "open"}, app.Page{Limit: 1, Cursor: *one.Next})
	must(t, err)
	if two.Next != nil || one.Items[0].Key == two.Items[0].Key {
		t.Errorf("two pages: %+v, %+v", one, two)
	}
	for _, f := range []app.DifferenceFilter{{State: "closed"}, {Day: "today"}} {
		_, err = b.app.Differences(ctx, b.owner, f, app.Page{})
		wantReason(t, err, "invalid_field")
	}
	only, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{Code: app.HereNotThere, Day: "2026-12-10"}, app.Page{})
	must(t, err)
	want(t, "by code and day", len(only.Items), 1)
}

// A bill's day is China's, wherever the venue is.
func TestTheMidnightOfChinaInAVenueElsewhere(t *testing.T) {
	for _, zone := range []string{"Asia/Tokyo", "Asia/Kolkata"} {
		b := newBilled(t)
		_, err := b.app.ChangeVenue(ctx, b.owner, "venue", func(v *sqlite.Venue) (err error) {
			v.Calendar.Zone, err = time.LoadLocation(zone)
			v.Calendar.Hours.Weekly = [7]domain.DayHours{}
			for i := range v.Calendar.Hours.Weekly {
				v.Calendar.Hours.Weekly[i] = domain.DayHours{Opens: 0, Closes: 1440}
			}
			return err
		})
		must(t, err)
		b.wall.set(at("2026-12-10T23:55:00+08:00"))
		pays := func(instant string) string {
			t.Helper()
			b.n++
			who := b.customer(fmt.Sprintf("138001381%02d", b.n))
			day, _ := domain.ParseDate("day", "2026-12-12")
			list, err := b.app.Availability(ctx, day)
			must(t, err)
			o := b.book(who, slots(app.SlotRef{Court: fmt.Sprintf("c%d", b.n), Start: domain.InstantOf(list.Courts[0].Slots[3].Start)}))
			p, err := b.app.OpenPayment(ctx, who, o.ID, "wechat_jsapi", "", "")
			must(t, err)
			b.wall.set(at(instant))
			b.hear(b.succeed(p.OutTradeNo))
			return p.OutTradeNo
		}
		last := pays("2026-12-10T23:59:59+08:00")
		first := pays("2026-12-11T00:00:00+08:00")
		b.wall.set(at("2026-12-12T10:00:00+08:00"))
		b.imports("2026-12-10")
		b.wants("open", "payment:"+last+":here_not_there -/6000")
		b.imports("2026-12-11")
		b.wants("open", "payment:"+last+":here_not_there -/6000", "payment:"+first+":here_not_there -/6000")
		b.wall.set(at("2026-12-12T10:00:01+08:00"))
		b.imports("", billPaid(last, "60.00", "2026-12-10 23:59:59"))
		b.imports("", billPaid(first, "60.00", "2026-12-11 00:00:00"))
		b.wants("open")
		view, err := b.app.Bills(ctx, b.owner, app.Page{})
		must(t, err)
		want(t, "days", fmt.Sprintf("%s %d %s %d %d", view.Items[0].Day, view.Items[0].Here, view.Items[1].Day, view.Items[1].Here, len(view.Items)), "2026-12-11 1 2026-12-10 1 2")
	}
}

func TestADifferenceIsExplained(t *testing.T) {
	b := newBilled(t)
	_, paid := b.takes()
	_, _, lost := b.attempt()
	b.succeed(lost)
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.imports("", billPaid(lost, "60.00", onTenth))
	key, other := "payment:"+paid+":here_not_there", "payment:"+lost+":there_not_here"
	say := func(key, text, seen string, k app.Key) (app.DifferenceView, error) {
		return b.app.ExplainDifference(ctx, b.owner, app.Explaining{Key: key, Text: text, Seen: seen}, k)
	}
	for _, none := range []string{"", "payment:" + paid + ":amount", "payment:nobody:there_not_here"} {
		_, err := say(none, "x", "", "")
		wantReason(t, err, "no_difference")
	}
	for _, text := range []string{"", " \n", strings.Repeat("长", 201)} {
		_, err := say(key, text, "", "")
		wantReason(t, err, "invalid_field")
	}
	acts := func() int { return b.count("SELECT count(*) FROM audit WHERE action = 'explain difference'") }
	for range 2 { // a form that is sent twice
		got, err := say(key, "已问微信", "", "key-1")
		must(t, err)
		if e := got.Explained; e == nil || e.Text != "已问微信" || e.By != b.owner.ID || e.ByName != "馆主" || domain.InstantOf(e.At) != at("2026-12-11T10:00:00+08:00") {
			t.Fatalf("explained as %+v", e)
		}
	}
	want(t, "acts", acts(), 1)
	b.wants("open", other+" 6000/6000")
	b.wants("explained", key+" -/6000")
	// Who has not seen it does not write over it; who has may, and both stay in the audit.
	_, err := say(key, "另一位馆主这样说", "", "key-2")
	wantReason(t, err, "changed_meanwhile")
	_, err = say(key, "微信已补账", "已问微信", "key-3")
	must(t, err)
	want(t, "acts", acts(), 2)
	want(t, "what it said before", b.count("SELECT count(*) FROM audit WHERE action = 'explain difference' AND target = ? AND reason = '微信已补账' AND detail ->> 'before' = '已问微信'", key), 1)
	// What resolves itself is listed nowhere, explained or not.
	_, err = say(other, "等微信", "", "")
	must(t, err)
	b.round()
	b.wants("", key+" -/6000")
	b.imports("", billPaid(lost, "60.00", onTenth), billPaid(paid, "60.00", onTenth))
	b.wants("")
	_, err = say(key, "再说一次", "微信已补账", "")
	wantReason(t, err, "no_difference")
}
