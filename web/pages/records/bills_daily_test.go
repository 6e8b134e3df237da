package records_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/pay/wechat/bill"
	"courtd/web/pages/records"
)

// What the rounds could not fetch is said on both pages, in words, and gone once it is here.
func TestABillThatTheRoundsCouldNotFetchIsShown(t *testing.T) {
	h := openCounter(t)
	both := func(says ...string) {
		t.Helper()
		h.round()
		for _, page := range []string{"/owner/bills", "/owner/reconciler"} {
			h.owner.Get(page).Want(200).Says(says...).HasNot("<b>502")
		}
	}
	h.wechat.err = fmt.Errorf("wechat pay: %w", bill.ErrNotReady)
	both("微信还没有出 2026-12-10 的账单（已试 1 次，12-11 11:00 后再试）")
	h.owner.Get("/owner/reconciler").Says("1 份微信账单还没出")
	h.SetClock("2026-12-11T11:00:00+08:00")
	h.wechat.err = errors.New("wechat pay: <b>502")
	both("没能从微信获取 2026-12-10 的账单：wechat pay: <b>502（已试 2 次，12-11 12:00 后再试）")
	h.owner.Get("/owner/reconciler").Says("成功", "1 份微信账单没能获取，将重试")
	h.SetClock("2026-12-11T12:00:00+08:00")
	h.wechat.err, h.wechat.bill = nil, "<b>502"
	both("微信给出的 2026-12-10 的账单不能导入：文件不是微信支付的交易账单", "已试 3 次")
	h.owner.Get("/owner/bills?lang=en").Want(303)
	both("What WeChat handed out as the bill of 2026-12-10 cannot be imported: the file is no trade bill", "tried 3 times, again after 12-11 13:00")
	h.owner.Get("/owner/bills?lang=zh").Want(303)
	h.SetClock("2026-12-11T13:00:00+08:00")
	h.wechat.bill = billFile(h.told, "60.00", h.lost, "60.00")
	h.round()
	h.owner.Get("/owner/bills").Says("2026-12-10 已导入 2", "自动").HasNot("不能导入", "已试")
	h.owner.Get("/owner/reconciler").Says("1 份微信账单已获取").HasNot("不能导入")
}

// The table holds a year at most, and says which days.
func TestTheTableOfDifferencesIsOfSomeDays(t *testing.T) {
	h := openCounter(t)
	h.owner.Get("/owner/bills").HasNot("differences.csv")
	h.owner.Upload("/owner/bills/upload", "file", []byte(billFile(h.told, "60.00", "elsewhere-1", "12.34"))).Want(303)
	h.owner.Get("/owner/bills").Has(`action="/owner/bills/differences.csv"`, `name="from"`, `value="2025-12-10"`, `name="until"`).
		Says("最多 366 天")
	table := func(query, name string, has bool) {
		t.Helper()
		file := h.owner.Get("/owner/bills/differences.csv" + query).Want(200)
		if got := file.Header.Get("Content-Disposition"); !strings.Contains(got, name) {
			t.Errorf("%s is called %s", query, got)
		}
		if strings.Contains(file.Body, "elsewhere-1") != has {
			t.Errorf("%s holds\n%s", query, file.Body)
		}
	}
	table("", "courtd-differences-2025-12-10-2026-12-10.csv", true)
	table("?from=2026-12-10&until=2026-12-10", "courtd-differences-2026-12-10-2026-12-10.csv", true)
	table("?from=2026-12-11&until=2027-01-31", "courtd-differences-2026-12-11-2027-01-31.csv", false)
	table("?from=2026-01-01&until=2026-12-09", "courtd-differences-2026-01-01-2026-12-09.csv", false)
	for _, query := range []string{"?from=2025-12-09&until=2026-12-10", "?from=2026-12-10", "?until=2026-12-10", "?from=x&until=y", "?from=2026-12-11&until=2026-12-10"} {
		h.owner.Get("/owner/bills/differences.csv" + query).Want(422)
	}
	h.Desk().Get("/owner/bills/differences.csv?from=2026-12-10&until=2026-12-10").Want(403)
}

// Whatever a bill names is text on the page and in the table.
func TestABillOfMarkupAndFormulas(t *testing.T) {
	h := openCounter(t)
	for i, no := range []string{"=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1)", "<script>alert(1)</script>", `"><img src=x>`, "=HYPERLINK(\"http://x\")", "'quoted", "；，全角"} {
		h.owner.Upload("/owner/bills/upload", "file", []byte(strings.ReplaceAll(billFile(no, "12.34"), "4200", no))).WantRedirect("/owner/bills?said=differs")
		page := h.owner.Get("/owner/bills").Says("待处理 2", no).HasNot("<script>alert", "<img src=x")
		if !strings.Contains(page.Text(), no) {
			t.Errorf("the page has not %q", no)
		}
		file := h.owner.Get("/owner/bills/differences.csv").Want(200)
		for _, cell := range strings.Split(file.Body, ",") {
			if strings.ContainsAny(strings.TrimLeft(cell, `"`)[:min(1, len(strings.TrimLeft(cell, `"`)))], "=+-@") {
				t.Errorf("%d: a cell begins a formula: %s", i, cell)
			}
		}
		if want := strings.ReplaceAll(no, `"`, `""`); !strings.Contains(file.Body, want) {
			t.Errorf("the table has not %q:\n%s", no, file.Body)
		}
	}
}

// Whatever comes of a bill, the page has a word for it, in both languages.
func TestWhatIsSaidOfABill(t *testing.T) {
	for want, b := range map[string]app.BillImported{
		"agrees":  {Payments: 2, Matched: 2},
		"differs": {Payments: 2, Matched: 1, Differences: 1},
		"asks":    {Payments: 2, Matched: 1, Differences: 1, WillAsk: 1},
		"already": {Payments: 2, Already: true, Differences: 1},
		"again":   {Payments: 2, Already: true, Differences: 1, WillAsk: 1},
		"older":   {Payments: 2, Already: true, Superseded: true, WillAsk: 1},
	} {
		word, says := records.SaidOfBill(b)
		if word != want || says[0] == "" || says[1] == "" {
			t.Errorf("%+v: %q, %q; want %q", b, word, says, want)
		}
	}
}

func TestWhatIsSaidOfABillThatWasImportedBefore(t *testing.T) {
	h := openCounter(t)
	says := func(file string, word, text string) {
		t.Helper()
		h.owner.Upload("/owner/bills/upload", "file", []byte(file)).WantRedirect("/owner/bills?said=" + word)
		h.owner.Get("/owner/bills?said=" + word).Says(text)
	}
	one, two := billFile("elsewhere-1", "12.34"), billFile("elsewhere-2", "1.00")
	says(one, "differs", "有对不上的，见下面")
	says(one, "already", "这份账单以前导入过，没有重复登记")
	says(two, "differs", "有对不上的，见下面")
	says(one, "older", "现在以同一天更新的账单为准")
	asks := billFile(h.lost, "60.00")
	says(asks, "asks", "下一轮对账会去问微信")
	says(asks, "again", "这份账单以前导入过")
	h.owner.Get("/owner/bills").Says("下一轮对账会去问微信")
}
