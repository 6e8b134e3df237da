package door_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// rows counts rows of the club's database.
func rows(t *testing.T, k *clubtest.Club, query string, args ...any) (n int) {
	t.Helper()
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) error { return s.QueryRow(query, args...).Scan(&n) }))
	return n
}

// change does something to the club's database that nobody does on a page.
func change(t *testing.T, k *clubtest.Club, query string, args ...any) {
	t.Helper()
	clubtest.Must(t, k.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// cashBack is an order that was paid in cash and cancelled: its money waits.
func cashBack(t *testing.T, k *clubtest.Club, name string) app.OrderView {
	t.Helper()
	staff, err := k.App.WhoIs(t.Context(), k.Desk().Cookies["courtd_session"])
	clubtest.Must(t, err)
	req := app.OrderRequest{Slots: []app.SlotRef{{Court: "c1", Start: clubtest.At(t, "2026-12-10T20:30:00+08:00")}}}
	order, _, err := k.App.DeskOrder(t.Context(), staff, req, app.Caller{Name: name, Phone: "13700137000"}, "cash", "")
	clubtest.Must(t, err)
	_, err = k.App.CancelAtDesk(t.Context(), staff, order.ID, "venue", "下雨", "")
	clubtest.Must(t, err)
	return order
}

func TestNothingToDo(t *testing.T) {
	desk := clubtest.Open(t, true).Desk()
	desk.Get("/desk/todo").Want(200).Says("没有要退的钱。", "没有要交付的商品。", "没有发送失败的通知。").HasNot("对不上的收款")
	desk.Get("/desk/todo?notices=waiting").Want(200).Says("没有等待发送的通知。")
	desk.Get("/desk/todo?notices=nonsense").Want(422)
	desk.Get("/desk/todo?cursor=nonsense").Want(422)
}

func TestCashIsHandedBackOnce(t *testing.T) {
	k := clubtest.Open(t, true)
	desk, order := k.Desk(), cashBack(t, k, "王小明")
	p := desk.Get("/desk/todo").Says("要退给顾客的钱 (1)", "￥60", "王小明", "订单 "+order.Number, "以现金收的款", "下雨")
	desk.Get("/desk").Has(`待办 <b class="waiting num">1</b>`)
	k.Browser().Get("/").HasNot("waiting num")
	act := clubtest.Around(p.Body, `<form method="post" action="/desk/refunds/`, `"`)
	before := desk.Get("/desk/todo/waiting").Header.Get("ETag")
	for range 2 { // the same form twice is one act
		desk.Post("/desk/refunds/"+act, "nonce", nonceOf(p)).WantRedirect("/desk/todo?notices=gave_up&said=refund")
	}
	desk.Get("/desk/todo?said=refund").Says("已确认退款", "没有要退的钱。").HasNot("待办 <b")
	if n := rows(t, k, "SELECT count(*) FROM audit WHERE action = 'confirm refund'"); n != 1 {
		t.Errorf("%d records of one refund", n)
	}
	if after := desk.Get("/desk/todo/waiting").Header.Get("ETag"); after == before {
		t.Error("the list does not notice that something was done")
	}
	desk.Post("/desk/refunds/nonsense/confirm").Want(404).Says("待办", "没有要退的钱。")
}

func TestRefundsThatTheProviderGaveUp(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	_, order := a.Ticket("slot", clubtest.Slot(t, "c4", "20:30"))
	a.Cancel(order).Want(303)
	var id string
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) error { return s.QueryRow("SELECT id FROM refunds").Scan(&id) }))
	// The provider is still at it: nobody at the desk hands that money out.
	desk.Get("/desk/todo").Says("没有要退的钱。")
	desk.Post("/desk/refunds/"+id+"/confirm").Want(409).Says("退款处理中", "没有要退的钱。")
	change(t, k, "UPDATE refunds SET abnormal_at = ?, last_error = 'account closed' WHERE id = ?", clubtest.At(t, clubtest.Opening), id)
	desk.Get("/desk/todo").Says("支付渠道退不回去", "￥30", "account closed")
	desk.Post("/desk/refunds/" + id + "/confirm").WantRedirect("/desk/todo?notices=gave_up&said=refund")
	desk.Get("/desk/todo").Says("没有要退的钱。")
}

func TestMoneyThatDoesNotMatch(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	a.Post(order + "/pay").WantRedirect(order)
	change(t, k, "UPDATE payments SET verdict = 'flagged', verdict_reason = 'amount 5900 instead of 6000 fen'")
	desk.Get("/desk/todo").Says("对不上的收款 (1)", "到账 ￥59，应为 ￥60", "13800138000", "商户后台核对").Has(`href="/desk` + order + `"`)
	change(t, k, `UPDATE payments SET verdict_reason = 'merchant "x" instead of "y"'`)
	desk.Get("/desk/todo").Says(`账户或币种不符：merchant "x" instead of "y"`)
}

func TestGoodsToHandOver(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b, desk := k.Customer("13800138000"), k.Customer("13900139000"), k.Desk()
	code, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "11:30"), "qty.g1", "2", "qty.g3", "1")
	a.Book("slot", clubtest.Slot(t, "c3", "11:30"), "qty.g1", "1") // not paid
	b.Ticket("date", "2026-12-11", "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"), "qty.g1", "3")
	p := desk.Get("/desk/todo").Says("今天要交付的商品 (1)", "羽毛球 一筒 × 2、矿泉水 × 1", "13800138000", "领取截止 12-10 13:00")
	if strings.Contains(p.Text(), "× 3") {
		t.Error("tomorrow's goods are today's")
	}
	k.SetClock("2026-12-10T11:20:00+08:00")
	scan(desk, code, "one").Has(`data-result="ok"`)
	desk.Get("/desk/todo").Says("没有要交付的商品。")
	k.SetClock("2026-12-11T09:00:00+08:00")
	desk.Get("/desk/todo").Says("羽毛球 一筒 × 3")
}

// Goods of an order with a slot today are today's, however long they can be collected;
// those that nobody collected in time are back on the shelf, written down or not.
func TestGoodsOfSeveralDays(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b, desk := k.Customer("13800138000"), k.Customer("13900139000"), k.Desk()
	a.Ticket("slot", clubtest.Slot(t, "c1", "11:30"), "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"), "qty.g1", "2")
	b.Ticket("slot", clubtest.Slot(t, "c2", "11:30"), "qty.g3", "5")
	desk.Get("/desk/todo").Says("今天要交付的商品 (2)", "羽毛球 一筒 × 2", "领取截止 12-11 19:00", "矿泉水 × 5")
	k.SetClock("2026-12-10T12:59:59+08:00")
	desk.Get("/desk/todo").Says("矿泉水 × 5")
	k.SetClock("2026-12-10T13:00:00+08:00")
	if p := desk.Get("/desk/todo").Says("今天要交付的商品 (1)", "羽毛球 一筒 × 2"); strings.Contains(p.Text(), "矿泉水") {
		t.Error("goods that are back on the shelf are to be handed over")
	}
}

func TestGoodsOfADayThatWasCalledOff(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	a.Ticket("slot", clubtest.Slot(t, "c1", "17:30"), "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"), "qty.g1", "2")
	desk.Get("/desk/todo").Says("羽毛球 一筒 × 2")
	shut(t, k, "c1", "2026-12-10T17:30:00+08:00", "2026-12-10T19:00:00+08:00")
	desk.Get("/desk/todo").Says("没有要交付的商品。")
}

func TestNoticesByState(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	a.Ticket("slot", clubtest.Slot(t, "c1", "17:30")) // one notice to pay by, one that it is paid
	_, err := k.App.DeliverNotices(t.Context())
	clubtest.Must(t, err)
	desk.Get("/desk/todo?notices=dropped").Says("不再需要", "订单已付款").Has(`data-notice="dropped"`).HasNot(`data-notice="sent"`, `/resend`)
	p := desk.Get("/desk/todo?notices=sent").Has(`data-notice="sent"`).HasNot(`data-notice="dropped"`)
	id := clubtest.Around(p.Body, `action="/desk/notices/`, "/resend")
	const want = "/desk/todo?notices=sent&said=resend"
	sent := len(k.Texts)
	for range 2 { // the same form twice, with the message gone out in between, is sent once
		desk.Post("/desk/notices/"+id+"/resend?notices=sent", "nonce", nonceOf(p)).WantRedirect(want)
		_, err = k.App.DeliverNotices(t.Context())
		clubtest.Must(t, err)
	}
	if n := len(k.Texts) - sent; n != 1 {
		t.Errorf("one form sent %d messages", n)
	}
	desk.Post("/desk/notices/"+id+"/resend?notices=sent", "nonce", nonceOf(desk.Get("/desk/todo?notices=sent"))).WantRedirect(want)
	desk.Get("/desk/todo?notices=waiting").Has(`id="notice-` + id + `"`)
	desk.Get(want).Says("通知已重新排队发送")
	change(t, k, "UPDATE notices SET gave_up_at = next_try_at, tries = 8, last_error = 'number out of service' WHERE id = ?", id)
	desk.Get("/desk/todo").Has(`data-notice="gave_up"`).Says("发送失败", "试过 8 次：number out of service")
	desk.Post("/desk/notices/nonsense/resend").Want(404).Says("待办")
}

func TestNoticesArePaged(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	order := strings.TrimPrefix(a.Book("slot", clubtest.Slot(t, "c1", "17:30")), "/orders/")
	for i := range 44 {
		change(t, k, `INSERT INTO notices (id, customer_id, order_id, kind, occasion, created_at, title, text, title_en, text_en, next_try_at, gave_up_at)
			SELECT ?, customer_id, id, 'paid', ?, booked_at, 't', 't', 't', 't', booked_at, booked_at FROM orders WHERE id = ?`,
			fmt.Sprintf("%s-x%03d", order, i), fmt.Sprint(i), order)
	}
	seen := map[string]bool{}
	pages := 0
	for at := "/desk/todo?notices=gave_up"; at != ""; pages++ {
		p := desk.Get(at).Want(200)
		for _, piece := range strings.Split(p.Body, `<li id="notice-`)[1:] {
			id, _, _ := strings.Cut(piece, `"`)
			if seen[id] {
				t.Errorf("%s is on two pages", id)
			}
			seen[id] = true
		}
		// The part that asks for itself again stays on its page of the list.
		part := strings.ReplaceAll(clubtest.Around(p.Body, `hx-get="`, `"`), "&amp;", "&")
		if again := desk.Do(httptest.NewRequest("GET", part, nil)); strings.Count(again.Body, `<li id="notice-`) != strings.Count(p.Body, `<li id="notice-`) {
			t.Errorf("%s shows other notices than %s", part, at)
		}
		at = ""
		if next := clubtest.Around(p.Body, `href="/desk/todo?notices=gave_up&amp;cursor=`, "#"); next != "" {
			at = "/desk/todo?notices=gave_up&cursor=" + next
		}
	}
	if len(seen) != 44 || pages != 3 {
		t.Errorf("%d notices on %d pages", len(seen), pages)
	}
}

func TestHostileNamesAreText(t *testing.T) {
	k := clubtest.Open(t, true)
	desk := k.Desk()
	cashBack(t, k, `<script>alert("x")</script>`)
	desk.Get("/desk/todo").HasNot("<script>alert").Has("&lt;script&gt;")
	desk.Cookies["courtd_lang"] = "en"
	desk.Get("/desk/todo").Says("Money to hand back (1)", "hand the cash back", "Gave up").HasNot("ZgotmplZ", "退给")
}
