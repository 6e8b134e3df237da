package door_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// scan sends a code as a script does and gives the part that is the answer.
func scan(b *clubtest.Browser, code, nonce string) clubtest.Page {
	form := url.Values{"csrf": {b.Token()}, "code": {code}, "nonce": {nonce}}
	r := httptest.NewRequest("POST", "/desk/checkins", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("HX-Request", "true")
	return b.Do(r)
}

func nonceOf(p clubtest.Page) string { return clubtest.Around(p.Body, `name="nonce" value="`, `"`) }

func TestEveryResultOfAScan(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b, desk := k.Customer("13800138000"), k.Customer("13900139000"), k.Desk()
	today, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	late, _ := a.Ticket("slot", clubtest.Slot(t, "c2", "11:30"))
	tomorrow, _ := b.Ticket("date", "2026-12-11", "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"))
	off, offOrder := b.Ticket("slot", clubtest.Slot(t, "c4", "20:30"))
	goods, _ := b.Ticket("qty.g3", "1")
	b.Cancel(offOrder).Want(303)

	check := func(code, result, tone string, words ...string) {
		t.Helper()
		// The page, without scripts, and then the part alone: one scan of one nonce.
		nonce := nonceOf(desk.Get("/desk/scan"))
		page := desk.Post("/desk/checkins", "code", code, "nonce", nonce).Want(200)
		page.Has(`data-result="`+result+`"`, `class="answer `+tone+`"`, "autofocus", "<!doctype html>").Says(words...)
		if mark := map[string]string{"yes": "✓", "no": "✕"}[tone]; clubtest.Around(page.Body, `class="mark" aria-hidden="true">`, "<") != mark {
			t.Errorf("%s: the mark is not %s", result, mark)
		}
		part := scan(desk, code, nonce).Want(200)
		part.Has(`data-result="`+result+`"`, `class="answer `+tone+`"`).HasNot("<html", "<script", "<form").Says(words...)
		if !strings.HasPrefix(part.Body, `<section class="answer`) || part.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: the part is %q with Cache-Control %q", result, part.Body, part.Header.Get("Cache-Control"))
		}
	}
	check("nonsense", "unknown", "no", "没有这个核销码", "这不是本馆的核销码")
	check("https://example.com/menu", "unknown", "no", "没有这个核销码", "这不是本馆的核销码")
	check(today[:25]+"*", "unknown", "no", "没有这个核销码", "这不是本馆的核销码")
	check("0000 0000 0000 0000 0000 0000 00", "unknown", "no", "没有这个核销码", "改期后旧码作废")
	check(today, "too_early", "no", "还没到核销时间", "17:00 起可核销", "12-10 周四 17:30–19:00 1号场", "138****8000")
	check(tomorrow, "wrong_day", "no", "不是今天的场次", "场次在 明天 12-11", "12-11 周五 17:30–19:00 1号场")
	check(off, "cancelled", "no", "订单已取消", "20:30–22:00 4号场")
	check(goods, "ok", "yes", "交付商品", "请交付商品", "矿泉水 × 1")
	check(goods, "already_in", "no", "商品已领取", "已于 10:00:00 领取")
	k.SetClock("2026-12-10T17:10:00+08:00")
	check(strings.ToLower(today[:4]+" "+today[4:]), "ok", "yes", "请进", "请交付商品", "羽毛球 一筒 × 2", "138****8000")
	k.SetClock("2026-12-10T17:12:00+08:00")
	check(today, "already_in", "no", "已经核销过", "已于 17:10:00 入场")
	check(late, "too_late", "no", "已过核销时间", "核销截止 13:00", "撤销爽约")
	k.SetClock("2026-12-11T10:00:00+08:00")
	check(goods, "already_in", "no", "已于 12-10 10:00:00 领取")
}

// shut closes a court from one time to another and cancels what it hits.
func shut(t *testing.T, k *clubtest.Club, court, from, to string) {
	t.Helper()
	owner, err := k.App.WhoIs(t.Context(), k.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = k.App.MakeClosure(t.Context(), owner, app.ClosureRequest{Courts: []string{court}, From: clubtest.At(t, from), To: clubtest.At(t, to),
		Reason: "维修", CancelBookings: true}, "")
	clubtest.Must(t, err)
}

// A ticket of another day says which day, and not the one that was called off.
func TestTheWrongDayNamesTheRightOnes(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	code, _ := a.Ticket("slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"), "slot", clubtest.SlotOn(t, "c2", "2026-12-11", "17:30"),
		"slot", clubtest.SlotOn(t, "c1", "2026-12-12", "17:30"))
	p := scan(desk, code, "one").Has(`data-result="wrong_day"`).Says("场次在 明天 12-11", "场次在 周六 12-12")
	if n := strings.Count(p.Text(), "场次在 明天"); n != 1 {
		t.Errorf("a day with two slots is named %d times", n)
	}
	shut(t, k, "c1", "2026-12-12T17:30:00+08:00", "2026-12-12T19:00:00+08:00")
	p = scan(desk, code, "two").Has(`data-result="wrong_day"`).Says("场次在 明天 12-11")
	if strings.Contains(p.Text(), "12-12") {
		t.Errorf("a slot that was called off is named: %s", p.Text())
	}
}

func TestUnpaidTicketsStayOut(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	order := a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	var held string
	clubtest.Must(t, k.DB.Read(t.Context(), func(s *sqlite.Snapshot) error {
		o, err := s.Order(strings.TrimPrefix(order, "/orders/"))
		held = o.TicketCode
		return err
	}))
	scan(desk, held, "one").Want(200).Has(`data-result="not_paid"`).Says("订单未付款", "请先收款 ￥60")
	k.SetClock("2026-12-10T12:00:00+08:00")
	scan(desk, held, "two").Want(200).Has(`data-result="lapsed"`).Says("订单已失效")
}

func TestAnEmptyCodeAsksForOne(t *testing.T) {
	k := clubtest.Open(t, true)
	desk := k.Desk()
	desk.Post("/desk/checkins", "code", "  ").Want(422).Says("请扫码或输入核销码").Has(`id="code"`)
	scan(desk, " ", "one").Want(422).Says("请扫码或输入核销码").HasNot("<html")
	scan(desk, strings.Repeat("A", 200), "two").Want(422)
}

func TestOneNonceIsOneScan(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk, other := k.Customer("13800138000"), k.Desk(), k.Owner()
	code, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "11:30"))
	k.SetClock("2026-12-10T11:20:00+08:00")
	nonce := nonceOf(desk.Get("/desk/scan"))
	if again := nonceOf(desk.Get("/desk/scan")); nonce == "" || again == nonce {
		t.Fatalf("two forms carry the nonces %q and %q", nonce, again)
	}
	scan(desk, code, nonce).Has(`data-result="ok"`)
	k.SetClock("2026-12-10T11:25:00+08:00")
	desk.Post("/desk/checkins", "code", code, "nonce", nonce).Has(`data-result="ok"`, `data-at="11:20:00"`)
	scan(desk, code, nonce+"x").Has(`data-result="already_in"`).Says("已于 11:20:00 入场")
	scan(other, code, nonce).Has(`data-result="already_in"`) // a nonce belongs to one session
}

func TestTheDoorCountsWhoHasCome(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	numbers := func() string {
		t.Helper()
		p := desk.Get("/desk/scan/count").Want(200).Has(`id="scan-count"`)
		return strings.Join(strings.Fields(strings.ReplaceAll(p.Text(), "今日应到", "of")), " ")
	}
	const before = "0 已到 0 of"
	if got := numbers(); got != before {
		t.Fatalf("at first: %s", got)
	}
	first, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "11:30"))
	a.Ticket("slot", clubtest.Slot(t, "c2", "11:30"), "slot", clubtest.Slot(t, "c3", "11:30"))
	a.Ticket("date", "2026-12-11", "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"))
	k.SetClock("2026-12-10T11:20:00+08:00")
	scan(desk, first, "one").Has(`data-result="ok"`)
	if got := numbers(); got != "1 已到 3 of" {
		t.Errorf("one of three in: %s", got)
	}
	k.SetClock("2026-12-10T13:00:00+08:00")
	if got := numbers(); got != "1 已到 3 of 2 未到" {
		t.Errorf("after the end: %s", got)
	}
	desk.Get("/desk/scan").Says("3 今日应到")
	tag := desk.Get("/desk/scan/count").Header.Get("ETag")
	r := httptest.NewRequest("GET", "/desk/scan/count", nil)
	r.Header.Set("If-None-Match", tag)
	if p := desk.Do(r); p.Status != 304 || p.Header.Get("X-Courtd-Now") == "" {
		t.Errorf("nothing new: status %d, now %q", p.Status, p.Header.Get("X-Courtd-Now"))
	}
}

func TestTheDoorIsForStaff(t *testing.T) {
	k := clubtest.Open(t, true)
	customer := k.Customer("13800138000")
	code, _ := customer.Ticket("slot", clubtest.Slot(t, "c1", "11:30"))
	k.SetClock("2026-12-10T11:20:00+08:00")
	for name, b := range map[string]*clubtest.Browser{"anyone": k.Browser(), "a customer": customer} {
		for _, page := range []string{"/desk/scan", "/desk/scan/count", "/desk/todo", "/desk/todo/waiting"} {
			b.Get(page).WantRedirect("/desk/login?next=" + url.QueryEscape(page))
		}
		for _, form := range []string{"/desk/checkins", "/desk/refunds/x/confirm", "/desk/notices/x/resend"} {
			b.Post(form, "code", code, "nonce", "one").WantRedirect("/desk/login?next=%2Fdesk")
		}
		if p := scan(b, code, "one"); p.Status != 303 {
			t.Errorf("%s scans: status %d", name, p.Status)
		}
	}
	for name, b := range map[string]*clubtest.Browser{"desk": k.Desk(), "owner": k.Owner()} {
		for _, page := range []string{"/desk/scan", "/desk/todo"} {
			b.Get(page).Want(200)
		}
		for from, to := range map[string]string{"/desk/checkins": "/desk/scan", "/desk/refunds/x/confirm": "/desk/todo", "/desk/notices/x/resend": "/desk/todo"} {
			b.Get(from).WantRedirect(to)
		}
		if b.Send("/desk/checkins", url.Values{"code": {code}}).Status != 403 {
			t.Errorf("%s: a form without a token is taken", name)
		}
	}
	scan(k.Desk(), code, "one").Has(`data-result="ok"`) // nobody has come in before
}

func TestTheScannerInEnglish(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	code, _ := a.Ticket("date", "2026-12-11", "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"))
	desk.Cookies["courtd_lang"] = "en"
	scan(desk, code, "one").Says("Not for today", "It is for Tomorrow 12-11", "Fri 11 Dec 17:30–19:00")
	desk.Get("/desk/scan").Says("Open camera", "0 expected").HasNot("打开摄像头")
}
