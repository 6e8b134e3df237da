package records_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/pages/clubtest"
	"courtd/web/pages/records"
)

// tenpay is the sandbox under WeChat's name.
type tenpay struct {
	*sandbox.Provider
	bill string
	err  error
}

func (*tenpay) Name() string  { return "wechat" }
func (*tenpay) Via() []string { return []string{"wechat_jsapi"} }
func (p *tenpay) FetchTradeBill(context.Context, string) ([]byte, error) {
	return []byte(p.bill), p.err
}

// counter is a hall that takes money by WeChat: one payment of ￥60 that WeChat told of
// and one that it did not.
type counter struct {
	*hall
	wechat     *tenpay
	told, lost string
}

func openCounter(t *testing.T) *counter {
	t.Helper()
	h := &counter{hall: &hall{Club: clubtest.Open(t, true), t: t}}
	bank, err := sandbox.New(h.DB)
	clubtest.Must(t, err)
	h.wechat = &tenpay{Provider: bank}
	h.App.AddProvider(h.wechat)
	quiet := slog.New(slog.DiscardHandler)
	rounds := reconciler.New(h.App, quiet)
	h.HTTP, err = web.New(web.Config{App: h.App, Log: quiet, Run: func(ctx context.Context, _, _ bool) (any, error) { return rounds.RunOnce(ctx) }})
	clubtest.Must(t, err)
	h.owner = h.Owner()
	h.me, err = h.App.WhoIs(t.Context(), h.owner.Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, h.told = h.attempt("13800138000", "c1")
	headers, body, err := bank.Succeed(t.Context(), h.told)
	clubtest.Must(t, err)
	clubtest.Must(t, h.App.TakeNotice(t.Context(), "wechat", func(k string) string { return headers[k] }, body))
	_, h.lost = h.attempt("13900139000", "c2")
	_, _, err = bank.Succeed(t.Context(), h.lost)
	clubtest.Must(t, err)
	h.SetClock("2026-12-11T10:00:00+08:00")
	return h
}

func (h *counter) attempt(phone, court string) (order, payment string) {
	h.t.Helper()
	b := h.Customer(phone)
	order = strings.TrimPrefix(b.Book("slot", clubtest.SlotOn(h.t, court, "2026-12-12", "19:00")), "/orders/")
	who, err := h.App.WhoIs(h.t.Context(), b.Cookies["courtd_session"])
	clubtest.Must(h.t, err)
	p, err := h.App.OpenPayment(h.t.Context(), who, order, "wechat_jsapi", "", "")
	clubtest.Must(h.t, err)
	return order, p.OutTradeNo
}

func billFile(pairs ...string) string {
	rows := []string{"交易时间,商户号,微信订单号,商户订单号,交易状态,商户退款单号,退款金额,退款状态,订单金额,商品名称"}
	for i := 0; i < len(pairs); i += 2 {
		rows = append(rows, "`"+strings.Join([]string{"2026-12-10 10:00:00", "sandbox-merchant", "4200", pairs[i], "SUCCESS", "", "0.00", "", pairs[i+1], "场地,<b>"}, ",`"))
	}
	return strings.Join(append(rows, "总交易单数", fmt.Sprintf("`%d", len(pairs)/2)), "\n")
}

func TestADayIsClosedOnThePage(t *testing.T) {
	h := openCounter(t)
	h.owner.Get("/owner").HasNot("微信账单对不上")
	h.owner.Get("/owner/bills").Want(200).Says("每天上午 10 点以后", "待处理 0", "2026-12-10 缺账单", "还没有账单可核对").
		Has(`enctype="multipart/form-data"`, `value="2026-12-10"`, `<a href="/owner/bills" aria-current="page">`)
	h.owner.Upload("/owner/bills/upload", "file", []byte(billFile(h.told, "59.00", h.lost, "80.00", "elsewhere-1", "12.34"))).WantRedirect("/owner/bills?said=asks")
	h.owner.Get("/owner/bills?said=asks").Says("下一轮对账会去问微信", "待处理 3", "已说明 0", "2026-12-10 已导入 3 · ￥151.34",
		"金额不同", "微信 ￥59 · 这里 ￥", "微信收到了，这里没有", "商户订单号 elsewhere-1", "微信 ￥12.34 · 这里 没有", h.lost).HasNot("<b>,")
	h.owner.Get("/owner").Says("3 笔与微信账单对不上").Has(`href="/owner/bills"`)
	// The same file again.
	h.owner.Upload("/owner/bills/upload", "file", []byte(billFile(h.told, "59.00", h.lost, "80.00", "elsewhere-1", "12.34")), "day", "2026-12-10").
		WantRedirect("/owner/bills?said=again")
	// The question to WeChat flags what is not the amount that was asked for, or finds it.
	h.owner.Post("/owner/reconciler/run").Want(303)
	h.owner.Get("/owner/bills").Says("金额不同").HasNot("下一轮对账会去问微信")

	key := "payment:elsewhere-1:there_not_here"
	h.owner.Post("/owner/bills/explain", "key", key, "text", "").Want(422).Says("还没有保存，请改正以下 1 处", "不能为空").Has(`aria-invalid="true"`)
	h.owner.Post("/owner/bills/explain", "key", key, "text", "前台扫码<i>收的").WantRedirect("/owner/bills?said=explained")
	h.owner.Get("/owner/bills?said=explained").Says("说明已保存", "已说明 1").HasNot("elsewhere-1")
	p := h.owner.Get("/owner/bills?state=explained").Says("前台扫码<i>收的", "改写说明").HasNot("<i>")
	if !strings.Contains(p.Text(), "2026-12-11 10:00:00") {
		t.Errorf("the page does not say when:\n%s", p.Text())
	}
	h.owner.Post("/owner/bills/explain", "key", key, "text", "不知道前面说过", "seen", "").Want(409).Says("别人改了这里")
	h.owner.Post("/owner/bills/explain", "key", key, "text", "=1+1", "seen", "前台扫码<i>收的").WantRedirect("/owner/bills?said=explained")
	h.owner.Post("/owner/bills/explain", "key", "payment:nobody:amount", "text", "x").Want(404).Says("这条差异已经不存在了")
	file := h.owner.Get("/owner/bills/differences.csv").Want(200)
	if !strings.Contains(file.Body, `"elsewhere-1","","4200","",12.34,"","'=1+1"`) || strings.Count(file.Body, "\r\n") != 3 {
		t.Errorf("the table is\n%s", file.Body)
	}
	h.owner.Get("/owner/audit").Says("导入微信账单", "说明对账差异", "原说明 前台扫码<i>收的", "来源 上传的文件", "差异 微信收到了，这里没有")
	h.owner.Get("/owner/bills?lang=en").Want(303)
	h.owner.Get("/owner/bills").Says("WeChat bills", "The amounts differ", "To explain")
}

func TestABillIsFetchedOnThePage(t *testing.T) {
	h := openCounter(t)
	h.wechat.err = errors.New("wechat pay: cannot be reached")
	h.owner.Post("/owner/bills/fetch", "day", "2026-12-10").Want(503).Says("微信没有给出账单").Has(`value="2026-12-10"`)
	h.owner.Post("/owner/bills/fetch", "day", "2026-12-11").Want(422).Says("上午 10:00（北京时间）之后才出账单").Has(`value="2026-12-11"`)
	h.owner.Post("/owner/bills/fetch", "day", "").Want(422)
	h.wechat.err, h.wechat.bill = nil, "<html>"
	h.owner.Post("/owner/bills/fetch", "day", "2026-12-10").Want(422).Says("不是微信支付的交易账单")
	h.wechat.bill = billFile(h.told, "60.00", h.lost, "60.00")
	var price int64
	clubtest.Must(t, h.DB.Read(t.Context(), func(s *sqlite.Snapshot) error {
		p, _, err := s.Payment(h.told)
		price = p.AmountFen
		return err
	}))
	yuan := fmt.Sprintf("%d.%02d", price/100, price%100)
	h.wechat.bill = billFile(h.told, yuan, h.lost, yuan)
	h.owner.Post("/owner/bills/fetch", "day", "2026-12-10").WantRedirect("/owner/bills?said=asks")
	h.round()
	h.owner.Get("/owner/bills").Says("待处理 0")
	h.owner.Post("/owner/bills/fetch", "day", "2026-12-10").WantRedirect("/owner/bills?said=already")
	// Without a provider there is only the file.
	none := open(t)
	none.owner.Get("/owner/bills").Says("还没有微信支付的收款").HasNot("/owner/bills/fetch")
	none.owner.Post("/owner/bills/fetch", "day", "2026-12-08").Want(409).Says("请上传文件")
	none.owner.Upload("/owner/bills/upload", "file", []byte(billFile()), "day", "2026-12-08").Want(422).Says("本馆没有微信支付的收款")
}

func TestWhatIsUploadedInsteadOfABill(t *testing.T) {
	h := openCounter(t)
	up := func(file string, pairs ...string) clubtest.Page {
		t.Helper()
		return h.owner.Upload("/owner/bills/upload", "file", []byte(file), pairs...)
	}
	up("").Want(422).Says("必填")
	up("\x1f\x8b").Want(422).Says("是压缩文件")
	up(billFile(h.told, "60.00"), "day", "2026-12-09").Want(422).Says("文件第 2 行是 2026-12-10 的，不是 2026-12-09 的").Has(`value="2026-12-09"`)
	up(strings.ReplaceAll(billFile(h.told, "60.00"), "sandbox-merchant", "1900000109")).Want(422).Says("是商户号 1900000109 的账单，不是本馆的")
	h.owner.Post("/owner/bills/upload", "day", "2026-12-10").Want(422).Says("必填") // a form without a file
	// A file that is too large is told on the page, up to some megabytes it is read.
	many := strings.Repeat("x", 3<<20)
	up(many).Want(422).Says("不是微信支付的交易账单")
	if p := up(strings.Repeat("x", domain.MaxBillBytes+domain.MaxBodyBytes)); p.Status != 413 {
		t.Errorf("far too large: %d", p.Status)
	}
	// Nobody else may send as much, and a form of another site is none of ours.
	if p := h.Desk().Upload("/owner/bills/upload", "file", []byte(many)); p.Status != 413 {
		t.Errorf("the desk's upload: %d", p.Status)
	}
	h.Desk().Upload("/owner/bills/upload", "file", []byte(billFile(h.told, "60.00"))).Want(403)
	h.owner.SendFile("/owner/bills/upload", "file", []byte(billFile(h.told, "60.00"))).Want(403)
	h.owner.SendFile("/owner/bills/upload", "file", []byte(billFile(h.told, "60.00")), "csrf", "x").Want(403)
	h.owner.SendFile("/owner/bills/upload?csrf="+h.owner.Token(), "file", []byte(billFile(h.told, "60.00"))).Want(403)
	var n int
	clubtest.Must(t, h.DB.Read(t.Context(), func(s *sqlite.Snapshot) error { return s.QueryRow("SELECT count(*) FROM bills").Scan(&n) }))
	if n != 0 {
		t.Errorf("%d bills were kept", n)
	}
	for _, path := range []string{"/owner/bills/upload", "/owner/bills/fetch", "/owner/bills/explain"} {
		h.owner.Get(path).WantRedirect("/owner/bills")
	}
	h.Desk().Get("/owner/bills").Want(403)
	h.Desk().Get("/owner/bills/differences.csv").Want(403)
	h.owner.Get("/owner/bills?days=x").Want(422)
	h.owner.Get("/owner/bills?cursor=x").Want(422)
}

// Code and words: each kind of difference has words, and what to do.
func TestEveryDifferenceHasWords(t *testing.T) {
	for _, code := range []string{app.ThereNotHere, app.HereNotThere, app.AmountDiffers, app.RefundThereNotHere, app.RefundHereNotThere, app.RefundDiffers, app.Flagged} {
		if what, do := records.DifferenceWords(code); what[0] == "" || what[1] == "" || do[0] == "" || do[1] == "" {
			t.Errorf("%s has no words", code)
		}
	}
}

var _ pay.Provider = (*tenpay)(nil)
