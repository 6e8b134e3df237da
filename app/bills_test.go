package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

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
	total := 0.0
	for _, line := range lines {
		if values := strings.Split(line, ",`"); len(values) == strings.Count(billHead, ",")+1 {
			yuan, _ := strconv.ParseFloat(values[8], 64)
			total += yuan
		}
	}
	return strings.Join(append(append([]string{billHead}, lines...), billSums, fmt.Sprintf("`%d,`%.2f", len(lines), total)), "\n")
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
		_, err = b.app.AllDifferences(ctx, who, domain.DateSpan{})
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
