package pages_test

import (
	"context"
	"database/sql"
	"net/url"
	"regexp"
	"strconv"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// turnBack sets a running clock back by an hour: nothing can be written until it has
// caught up with the last record.
func turnBack(t *testing.T, k *clubtest.Club) {
	t.Helper()
	before := clubtest.At(t, clubtest.Opening) - 3600
	clubtest.Must(t, k.DB.SetDemoClock(context.Background(), func(sqlite.ClockState) (domain.Instant, bool) { return before, false }))
}

// wantBack holds a page to what a form that could not be written comes back as: with
// what was typed, why, and how long to wait.
func wantBack(t *testing.T, name string, p clubtest.Page, kept ...string) {
	t.Helper()
	if p.Status != 503 {
		t.Errorf("%s: status %d, want 503:\n%s", name, p.Status, p.Text())
		return
	}
	checkMarkup(t, name, p)
	p.Says("系统时钟异常，暂停受理").Has(kept...)
	// Five seconds are let pass, and some may have gone by since.
	if wait, err := strconv.Atoi(p.Header.Get("Retry-After")); err != nil || wait > 3595 || wait < 3500 {
		t.Errorf("%s: Retry-After %q, want about an hour", name, p.Header.Get("Retry-After"))
	}
}

// Whatever is sent while nothing can be written comes back to be sent again.
func TestFormsComeBackWhileNothingCanBeWritten(t *testing.T) {
	k := clubtest.Open(t, true)
	customer, desk, owner := k.Customer("13800138000"), k.Desk(), k.Owner()
	order := customer.Book("slot", clubtest.Slot(t, "c3", "17:30"))
	customer.Pay(order)
	unpaid := customer.Book("slot", clubtest.Slot(t, "c4", "17:30"))
	evening := clubtest.Slot(t, "c1", "17:30")
	desked := desk.Get("/desk?"+url.Values{"slot": {evening}}.Encode()).Form("/desk/orders", "name", "王小明", "phone", "13611112222", "pay", "cash", "qty.g1", "2")
	goodwill := desk.Get("/desk"+order).Form("/desk"+order+"/refunds", "amount", "12.50", "reason", "灯坏了")
	closure := url.Values{"court": {"c2"}, "from_day": {"2026-12-10"}, "to_day": {"2026-12-10"}, "from_time": {"17:30"}, "to_time": {"20:30"}, "reason": {"漏水"}}
	confirm := owner.Get("/owner/closures/preview?"+closure.Encode()).Want(200).Form("/owner/closures", "bookings", "none")
	venue := owner.Get("/owner/venue").Form("/owner/venue", "name", "新的馆名", "address", "新的地址", "phone", "021-5555 0199")
	page := owner.Get("/owner/policy")
	policy := page.Form("/owner/policy")
	for _, field := range filledIn.FindAllStringSubmatch(page.Body, -1) {
		policy.Set(field[1], field[2])
	}
	policy.Set("max_live_orders", "7")
	budgets := owner.Get("/owner/messages").Form("/owner/messages/daily", "wechat", "11", "sms", "22", "mail", "33")
	turnBack(t, k)

	wantBack(t, "an order", customer.Post("/orders", "nonce", "the-first-form", "slot", evening, "qty.g1", "2", "coupon", "WELCOME", "name", "张三"),
		`value="`+evening+`" data-price="6000" data-end="1796900400" checked`, `name="qty.g1" min="0" max="12" value="2"`, `value="WELCOME"`, `value="张三"`, `name="nonce" value="the-first-form"`)
	wantBack(t, "a login code", k.Browser().Post("/login/code", "phone", "13700137000"), `value="13700137000"`)
	wantBack(t, "a payment", customer.Post(unpaid+"/pay"), "￥60")
	wantBack(t, "a booking at the desk", desk.Send("/desk/orders", desked), `value="王小明"`, `value="13611112222"`, `name="nonce" value="`+desked.Get("nonce")+`"`)
	wantBack(t, "goodwill", desk.Send("/desk"+order+"/refunds", goodwill), `value="12.50"`, `灯坏了`)
	wantBack(t, "a ticket", desk.Post("/desk/checkins", "code", "ABCD-EFGH", "nonce", "n1"), `value="ABCD-EFGH"`)
	wantBack(t, "a notice", desk.Post("/desk/notices/1/resend", "nonce", "n1"), "待办")

	wantBack(t, "staff", owner.Post("/owner/staff", "username", "li", "name", "李", "password", "a-long-password", "role", "owner", "nonce", "n2"),
		`value="li"`, `value="李"`, `value="a-long-password"`, `value="owner" checked`, `name="nonce" value="n2"`)
	wantBack(t, "a password", owner.Post("/owner/staff/"+staffID(t, k, "desk")+"/password", "password", "another-password"), `value="another-password"`)
	wantBack(t, "a good", owner.Post("/owner/goods", "name", "手胶", "price", "12.5"), `value="手胶"`, `value="12.5"`)
	wantBack(t, "the place of a good", owner.Post("/owner/goods/g1/move", "place", "2"))
	wantBack(t, "a price", owner.Post("/owner/goods/g1", "name", "新名", "price", "13.5"), `value="新名"`, `value="13.5"`)
	wantBack(t, "a receipt", owner.Post("/owner/goods/g1/receipts", "qty", "12", "note", "周四到货"), `value="12"`, `value="周四到货"`)
	wantBack(t, "a coupon", owner.Post("/owner/coupons", "code", "XMAS", "name", "圣诞", "kind", "amount", "value", "20"), `value="XMAS"`, `value="圣诞"`, `value="20"`)
	wantBack(t, "a closure", owner.Send("/owner/closures", confirm), "确认封场", `name="reason" value="漏水"`, `name="seen" value="`+confirm.Get("seen")+`"`)

	wantBack(t, "the venue", owner.Send("/owner/venue", venue), `value="新的馆名"`, `value="新的地址"`, `value="021-5555 0199"`)
	wantBack(t, "what goes where", owner.Post("/owner/messages", "paid", "sms"), `name="paid" value="sms" checked`)
	wantBack(t, "daily budgets", owner.Send("/owner/messages/daily", budgets), `name="sms" value="22"`, `name="mail" value="33"`)
	wantBack(t, "shipping", owner.Post("/owner/messages/shipping", "ship", "on"), `name="ship" value="on" checked`)
	wantBack(t, "own words", owner.Post("/owner/messages/paid/texts", "title", "订好了", "text", "正文<b>", "title_en", "Booked", "text_en", "Text", "act", "save"),
		`value="订好了"`, `正文&lt;b&gt;</textarea>`, `value="Booked"`)
	wantBack(t, "a template", owner.Post("/owner/messages/paid/sms", "id", "20001", "p.0.from", "{number}", "act", "save"), `value="20001"`, `value="{number}"`)
	wantBack(t, "a notice of the outbox", owner.Post("/owner/outbox/resend", "notice", "1", "nonce", "n3"), "发送记录")
	wantBack(t, "a court", owner.Post("/owner/courts", "name", "新场地"), `value="新场地"`)
	wantBack(t, "the policy", owner.Send("/owner/policy", policy), `name="max_live_orders" value="7"`)
}

// What came back and is sent again is one act, also if the first has been done after all.
func TestAFormThatCameBackIsStillTheSameAct(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	form := owner.Get("/owner/goods").Form("/owner/goods", "name", "手胶", "price", "12.5")
	turnBack(t, k)
	again := owner.Send("/owner/goods", form).Want(503).Form("/owner/goods", "name", "手胶", "price", "12.5")
	k.SetClock("2026-12-10T10:05:00+08:00")
	first := owner.Send("/owner/goods", form).Want(303).Location
	owner.Send("/owner/goods", again).WantRedirect(first)
	var n int
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) error {
		return s.QueryRow(`SELECT COUNT(*) FROM goods WHERE name = '手胶'`).Scan(&n)
	}))
	if n != 1 {
		t.Errorf("the good is there %d times", n)
	}
}

// The first set-up tells it too, although it is no field's fault.
func TestTheSetUpSaysWhyNothingWasWritten(t *testing.T) {
	k := clubtest.OpenEmpty(t, "the-token")
	k.SetClock(clubtest.Opening)
	clubtest.Must(t, k.DB.Write(t.Context(), func(*sqlite.Tx) error { return nil }))
	b := k.Browser()
	page := b.Get("/setup?token=the-token").Want(200)
	form := page.Form("/setup")
	for _, field := range filledIn.FindAllStringSubmatch(page.Body, -1) {
		form.Set(field[1], field[2])
	}
	for name, value := range map[string]string{"name": "新馆", "day_price": "40", "username": "boss", "password": "a-long-password", "again": "a-long-password"} {
		form.Set(name, value)
	}
	turnBack(t, k)
	wantBack(t, "the set-up", b.Send("/setup", form), `value="新馆"`, `value="boss"`)
}

var filledIn = regexp.MustCompile(`<input type="text"[^>]* name="([^"]+)" value="([^"]*)"`)

func staffID(t *testing.T, k *clubtest.Club, username string) (id string) {
	t.Helper()
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) error {
		return s.QueryRow(`SELECT id FROM staff WHERE username = ?`, username).Scan(&id)
	}))
	return id
}

// A database that another program has locked can be read: the form comes back, too.
func TestAFormComesBackFromALockedDatabase(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	var path string
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) error {
		return s.QueryRow(`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path)
	}))
	other, err := sql.Open("sqlite3", "file:"+path+"?_txlock=immediate")
	clubtest.Must(t, err)
	defer other.Close()
	lock, err := other.Begin()
	clubtest.Must(t, err)
	p := owner.Post("/owner/goods", "name", "手胶", "price", "12.5", "nonce", "n1").Want(503).Has(`value="手胶"`, `value="12.5"`, `name="nonce" value="n1"`)
	if wait := p.Header.Get("Retry-After"); wait != "5" {
		t.Errorf("Retry-After %q; nobody knows how long it takes", wait)
	}
	clubtest.Must(t, lock.Rollback())
	owner.Post("/owner/goods", "name", "手胶", "price", "12.5", "nonce", "n1").Want(303)
}
