package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/wechat/bill"
	"courtd/domain"
	"courtd/sqlite"
)

// ourMerchant is the account that the sandbox's money goes to.
const ourMerchant = "sandbox-merchant"

// tenpay is the sandbox under WeChat's name, which hands out bills.
type tenpay struct {
	pay.Provider
	asked []string
	bill  string
	err   error
	then  func()
}

func (*tenpay) Name() string  { return "wechat" }
func (*tenpay) Via() []string { return []string{"wechat_jsapi"} }

func (p *tenpay) FetchTradeBill(_ context.Context, day string) ([]byte, error) {
	p.asked = append(p.asked, day)
	if p.then != nil {
		p.then()
	}
	return []byte(p.bill), p.err
}

// billed is a club that takes money by WeChat.
type billed struct {
	*club
	wechat *tenpay
	seats  []string // slots that are left of the eleventh
	n      int
}

func newBilled(t *testing.T) *billed {
	t.Helper()
	b := &billed{club: newClub(t)}
	b.wechat = &tenpay{Provider: b.bank}
	b.app.AddProvider(b.wechat)
	b.price(6000)
	return b
}

// attempt books a slot of the eleventh and opens a payment by WeChat.
func (b *billed) attempt() (who app.Actor, order, payment string) {
	b.t.Helper()
	starts := []string{"13:00", "14:30", "16:00", "17:30", "19:00", "20:30"}
	b.n++
	who = b.customer(fmt.Sprintf("138001380%02d", b.n))
	o := b.book(who, slots(slotOn("2026-12-11", fmt.Sprintf("c%d", 1+b.n%6), starts[b.n/6%len(starts)])))
	p, err := b.app.OpenPayment(ctx, who, o.ID, "wechat_jsapi", "", "")
	must(b.t, err)
	return who, o.ID, p.OutTradeNo
}

func (b *billed) hear(n news) {
	b.t.Helper()
	must(b.t, b.app.TakeNotice(ctx, "wechat", func(k string) string { return n.headers[k] }, n.body))
}

// takes has WeChat take 60 yuan and tell us.
func (b *billed) takes() (order, payment string) {
	b.t.Helper()
	_, order, payment = b.attempt()
	b.hear(b.succeed(payment))
	return order, payment
}

// gives has money go back and gives the refund's number.
func (b *billed) gives(order string, fen int64) string {
	b.t.Helper()
	_, err := b.app.Goodwill(ctx, b.desk, order, fen, "灯坏了", "")
	must(b.t, err)
	b.round()
	var id string
	must(b.t, b.db.Read(ctx, func(s *sqlite.Snapshot) error {
		refunds, err := s.RefundsOfOrder(order)
		for _, r := range refunds {
			if r.AmountFen == fen && r.DoneAt.IsSet() {
				id = r.ID
			}
		}
		if err == nil && id == "" {
			err = errors.New("the refund is not done")
		}
		return err
	}))
	return id
}

const (
	billHead = "交易时间,商户号,微信订单号,商户订单号,交易状态,商户退款单号,退款金额,退款状态,订单金额,商品名称,申请退款金额"
	billSums = "总交易单数,订单总金额"
)

func billPaid(payment, yuan, at string) string {
	return "`" + strings.Join([]string{at, ourMerchant, "420000" + payment, payment, "SUCCESS", "", "0.00", "", yuan, "场地,两小时", "0.00"}, ",`")
}

func billBack(payment, refund, yuan, state, at string) string {
	return "`" + strings.Join([]string{at, ourMerchant, "420000" + payment, payment, "REFUND", refund, yuan, state, "0.00", "场地", yuan}, ",`")
}

func billOf(lines ...string) string {
	return strings.Join(append(append([]string{billHead}, lines...), billSums, fmt.Sprintf("`%d,`0.00", len(lines))), "\n")
}

func (b *billed) imports(day string, lines ...string) app.BillImported {
	b.t.Helper()
	got, err := b.app.ImportBill(ctx, b.owner, day, []byte(billOf(lines...)))
	must(b.t, err)
	return got
}

// found lists the differences in a state as "key there/here", in order.
func (b *billed) found(state string) []string {
	b.t.Helper()
	list, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{State: state}, app.Page{})
	must(b.t, err)
	var out []string
	for _, d := range list.Items {
		out = append(out, fmt.Sprintf("%s %s/%s", d.Key, fenText(d.There), fenText(d.Here)))
	}
	slices.Sort(out)
	return out
}

func fenText(fen *int64) string {
	if fen == nil {
		return "-"
	}
	return fmt.Sprint(*fen)
}

func (b *billed) wants(state string, keys ...string) {
	b.t.Helper()
	keys = slices.Sorted(slices.Values(keys))
	if got := b.found(state); !slices.Equal(got, keys) {
		b.t.Fatalf("%s differences:\n%s\nwant\n%s", state, strings.Join(got, "\n"), strings.Join(keys, "\n"))
	}
}

const onTenth = "2026-12-10 12:00:00"

func TestABillThatAgrees(t *testing.T) {
	b := newBilled(t)
	order, one := b.takes()
	_, two := b.takes()
	refund := b.gives(order, 1500)
	lines := []string{billPaid(one, "60.00", onTenth), billPaid(two, "60.00", onTenth), billBack(one, refund, "15.00", "SUCCESS", onTenth)}
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	got := b.imports("", lines...)
	want(t, "the bill", got, app.BillImported{Bill: got.Bill, Day: "2026-12-10", Merchant: ourMerchant, Payments: 2, Refunds: 1, Matched: 3})
	b.wants("")
	// The same file again is the same import.
	again := b.imports("2026-12-10", lines...)
	got.Already = true
	want(t, "the same bill", again, got)
	want(t, "bills", b.count("SELECT count(*) FROM bills"), 1)
	want(t, "lines", b.count("SELECT count(*) FROM bill_lines"), 3)
	want(t, "acts", b.count("SELECT count(*) FROM audit WHERE action = 'import bill' AND target = '2026-12-10' AND actor = ?", b.owner.ID), 1)
}

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

func TestWhatNoBillMayBe(t *testing.T) {
	b := newBilled(t)
	_, paid := b.takes()
	_, _, lost := b.attempt()
	b.succeed(lost)
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	good := billOf(billPaid(paid, "60.00", onTenth), billPaid(lost, "60.00", onTenth))
	for name, c := range map[string]struct{ day, file, field string }{
		"another merchant's": {"", strings.ReplaceAll(good, ourMerchant, "1900000110"), "file"},
		"cut off":            {"", strings.Replace(good, "`2,", "`3,", 1), "file"},
		"a bad last line":    {"", strings.Replace(good, billSums, "`x\n"+billSums, 1), "file"},
		"of another day":     {"2026-12-09", good, "day"},
		"of today":           {"", strings.ReplaceAll(good, onTenth, "2026-12-11 00:00:00"), "day"},
		"no day":             {"tomorrow", good, "day"},
		"nothing":            {"2026-12-10", "", "file"},
	} {
		_, err := b.app.ImportBill(ctx, b.owner, c.day, []byte(c.file))
		refusal, ok := domain.AsError(err)
		if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Field != c.field {
			t.Errorf("%s: %v, want a refusal of %s", name, err, c.field)
		}
	}
	for name, rows := range map[string]int{"bills": b.count("SELECT count(*) FROM bills"), "lines": b.count("SELECT count(*) FROM bill_lines"),
		"acts": b.count("SELECT count(*) FROM audit WHERE action = 'import bill'"), "looks": b.count("SELECT count(*) FROM payments WHERE look_again_at IS NOT NULL")} {
		want(t, name+" after what was refused", rows, 0)
	}
	for _, who := range []app.Actor{{}, b.desk, b.customer("13900139000")} {
		_, err := b.app.ImportBill(ctx, who, "", []byte(good))
		wantReason(t, err, "forbidden")
		_, err = b.app.FetchBill(ctx, who, "2026-12-10")
		wantReason(t, err, "forbidden")
		_, err = b.app.Bills(ctx, who, app.Page{})
		wantReason(t, err, "forbidden")
		_, err = b.app.Differences(ctx, who, app.DifferenceFilter{}, app.Page{})
		wantReason(t, err, "forbidden")
		_, err = b.app.AllDifferences(ctx, who)
		wantReason(t, err, "forbidden")
		_, err = b.app.ExplainDifference(ctx, who, app.Explaining{Key: "payment:" + lost + ":there_not_here", Text: "x"}, "")
		wantReason(t, err, "forbidden")
	}
	// A club that has nothing to do with WeChat has no bills to compare.
	_, err := newClub(t).app.ImportBill(ctx, b.owner, "2026-12-09", []byte(billOf()))
	if refusal, ok := domain.AsError(err); !ok || !strings.Contains(refusal.Message, "no payments by WeChat") {
		t.Errorf("a club without WeChat: %v", err)
	}
}

func TestABillIsFetched(t *testing.T) {
	b := newBilled(t)
	_, paid := b.takes()
	fetch := func(day string) (app.BillImported, error) { return b.app.FetchBill(ctx, b.owner, day) }
	refused := func(day, says string) {
		t.Helper()
		_, err := fetch(day)
		if refusal, ok := domain.AsError(err); !ok || !strings.Contains(refusal.Message, says) {
			t.Errorf("%s at %s: %v, want %q", day, b.wall.time().UTC(), err, says)
		}
	}
	refused("2026-12-10", "is not over yet")
	refused("2026-12-11", "is not over yet")
	b.wall.set(at("2026-12-11T09:59:59+08:00"))
	refused("2026-12-10", "is not over yet")
	refused("2026-09-11", "too far back")
	refused("10.12.", "must be a date")
	want(t, "questions so far", len(b.wechat.asked), 0)
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.wechat.err = errors.New("wechat pay: cannot be reached")
	_, err := fetch("2026-12-10")
	wantReason(t, err, "bill_unavailable")
	b.wechat.err = fmt.Errorf("wechat pay: %w", bill.ErrNotReady)
	refused("2026-12-10", "is not ready yet")
	b.wechat.err, b.wechat.then = nil, func() { panic("in the library") }
	_, err = fetch("2026-12-10")
	wantReason(t, err, "bill_unavailable")
	b.wechat.then = func() { b.customer("13911112222") } // it can write: no transaction is open
	b.wechat.bill = "<html>502</html>"
	refused("2026-12-10", "no trade bill")
	b.wechat.bill = billOf(billPaid(paid, "60.00", "2026-12-09 12:00:00"))
	refused("2026-12-10", "line 2 of the file is of 2026-12-09")
	want(t, "bills so far", b.count("SELECT count(*) FROM bills"), 0)
	// No trades at all, says WeChat; so the payment is missed there.
	b.wechat.err = fmt.Errorf("wechat pay: %w", bill.ErrNone)
	got, err := fetch("2026-12-10")
	must(t, err)
	want(t, "an empty bill", got, app.BillImported{Bill: got.Bill, Day: "2026-12-10", Merchant: ourMerchant, Differences: 1})
	b.wants("open", "payment:"+paid+":here_not_there -/6000")
	b.wechat.err, b.wechat.bill = nil, billOf(billPaid(paid, "60.00", onTenth))
	if got, err = fetch("2026-12-10"); err != nil || got.Matched != 1 || got.Already {
		t.Fatalf("the bill: %+v, %v", got, err)
	}
	b.wants("open")
	// The same bill as a file is the same import.
	if again := b.imports("", billPaid(paid, "60.00", onTenth)); !again.Already || again.Bill != got.Bill {
		t.Errorf("the same file: %+v", again)
	}
	_, err = newClub(t).app.FetchBill(ctx, b.owner, "2026-12-09")
	wantReason(t, err, "no_bills")
}

// A bill that a newer one has replaced speaks for nothing any more.
func TestOnlyTheNewestBillOfADayCounts(t *testing.T) {
	b := newBilled(t)
	_, paid := b.takes()
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.imports("2026-12-10", billPaid(paid, "60.00", onTenth))
	b.wants("open")
	b.imports("2026-12-10", billPaid("elsewhere-1", "1.00", onTenth))
	b.wants("open", "payment:"+paid+":here_not_there -/6000", "payment:elsewhere-1:there_not_here 100/-")
}

// Money for an attempt that was closed long ago is found by the bill alone.
func TestMoneyForAClosedAttemptIsAskedAboutAfterItsBill(t *testing.T) {
	b := newBilled(t)
	_, _, late := b.attempt()
	b.wall.set(at("2026-12-10T13:00:00+08:00"))
	b.round()
	want(t, "closed", b.count("SELECT count(*) FROM payments WHERE id = ? AND closed_at IS NOT NULL", late), 1)
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.LookAgain(late, 0) })) // no look is left
	b.succeed(late)
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.round()
	want(t, "before the bill", b.count("SELECT count(*) FROM payments WHERE id = ? AND succeeded_at IS NOT NULL", late), 0)
	want(t, "to be asked about", b.imports("", billPaid(late, "60.00", onTenth)).WillAsk, 1)
	b.wants("open", "payment:"+late+":there_not_here 6000/6000")
	b.round()
	want(t, "after it", b.count("SELECT count(*) FROM payments WHERE id = ? AND succeeded_at IS NOT NULL", late), 1)
	b.wants("open")
}

// A question that found no answer is asked again by the same file, and nothing claims
// that the next round asks while the next look is hours away.
func TestTheSameFileAsksAgain(t *testing.T) {
	b := newBilled(t)
	_, _, late := b.attempt()
	b.wall.set(at("2026-12-10T13:00:00+08:00"))
	b.round()
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	line := billPaid(late, "60.00", onTenth)
	want(t, "asks at first", b.imports("", line).WillAsk, 1)
	ahead := at("2026-12-12T09:00:00+08:00")
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.LookAgain(late, ahead) }))
	says := func() bool {
		t.Helper()
		list, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{}, app.Page{})
		must(t, err)
		want(t, "differences", len(list.Items), 1)
		return list.Items[0].WillAsk
	}
	want(t, "the next round asks, a day ahead", says(), false)
	again := b.imports("", line)
	want(t, "the same file", again.Already, true)
	want(t, "asks again", again.WillAsk, 1)
	want(t, "the next round asks, after the file", says(), true)
	b.succeed(late)
	b.round()
	b.wants("open")
}

// A difference of a day that is not looked at live any more is still counted and listed.
func TestAnOldDifferenceIsNotHidden(t *testing.T) {
	b := newBilled(t)
	b.takes()
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.imports("", billPaid("elsewhere-1", "1.00", onTenth))
	b.wall.set(at("2027-06-01T10:00:00+08:00"))
	list, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{State: "open"}, app.Page{})
	must(t, err)
	want(t, "listed", len(list.Items), 2)
	counted := func() int {
		t.Helper()
		n, err := b.app.CountDifferences(ctx)
		must(t, err)
		return n
	}
	want(t, "counted", counted(), 2)
	_, err = b.app.ExplainDifference(ctx, b.owner, app.Explaining{Key: list.Items[0].Key, Text: "asked"}, "")
	must(t, err)
	want(t, "counted after one is explained", counted(), 1)
	one, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{}, app.Page{Limit: 1})
	must(t, err)
	two, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{}, app.Page{Limit: 1, Cursor: *one.Next})
	must(t, err)
	want(t, "the second page", len(two.Items), 1)
	want(t, "has the other one", two.Items[0].Key != one.Items[0].Key && two.Next == nil, true)
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
