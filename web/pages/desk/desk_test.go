package desk_test

import (
	"courtd/web/pages/clubtest"
	"strings"
	"testing"
)

func TestDeskAnswers(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b, desk := k.Customer("13800138000"), k.Customer("13900139000"), k.Desk()
	today, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	late, _ := a.Ticket("slot", clubtest.Slot(t, "c2", "11:30"))
	tomorrow, _ := b.Ticket("date", "2026-12-11", "slot", clubtest.SlotOn(t, "c1", "2026-12-11", "17:30"))
	off, offOrder := b.Ticket("slot", clubtest.Slot(t, "c4", "20:30"))
	goods, _ := b.Ticket("qty.g3", "1")
	b.Post(offOrder+"/cancel", "amount", "3000").Want(303)

	scan := func(code, result, tone string, words ...string) {
		t.Helper()
		p := desk.Post("/desk/checkins", "code", code, "nonce", clubtest.Around(desk.Get("/desk").Body, `name="nonce" value="`, `"`)).Want(200)
		p.Has(`data-result="`+result+`"`, `class="answer `+tone+`"`).Says(words...)
		p.Has("autofocus")
	}
	scan("nonsense", "unknown", "no", "没有这个核销码")
	scan(today, "too_early", "no", "还没到核销时间", "17:00 起可核销", "12-10 周四 17:30–19:00 1号场")
	scan(tomorrow, "wrong_day", "no", "不是今天的场次", "12-11 周五 17:30–19:00 1号场")
	scan(off, "cancelled", "no", "订单已取消")
	scan(goods, "ok", "yes", "交付商品", "矿泉水 × 1")
	scan(goods, "already_in", "no", "商品已领取", "10:00:00")
	k.SetClock("2026-12-10T17:10:00+08:00")
	scan(strings.ToLower(today[:4]+" "+today[4:]), "ok", "yes", "请进", "请交付商品", "羽毛球 一筒 × 2", "138****8000")
	k.SetClock("2026-12-10T17:12:00+08:00")
	scan(today, "already_in", "no", "已经核销过", "核销时间 17:10:00")
	scan(late, "too_late", "no", "已过核销时间")
	desk.Post("/desk/checkins", "code", "  ").Want(422).Says("请扫码或输入核销码")
}

func TestOneFormIsOneScan(t *testing.T) {
	k := clubtest.Open(t, true)
	a, desk := k.Customer("13800138000"), k.Desk()
	code, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "11:30"))
	k.SetClock("2026-12-10T11:20:00+08:00")
	nonce := clubtest.Around(desk.Get("/desk").Body, `name="nonce" value="`, `"`)
	if again := clubtest.Around(desk.Get("/desk").Body, `name="nonce" value="`, `"`); nonce == "" || again == nonce {
		t.Fatalf("two forms carry the nonces %q and %q", nonce, again)
	}
	for range 2 {
		desk.Post("/desk/checkins", "code", code, "nonce", nonce).Has(`data-result="ok"`)
	}
	desk.Post("/desk/checkins", "code", code, "nonce", nonce+"x").Has(`data-result="already_in"`)
}

func TestDeskListsTheDay(t *testing.T) {
	k := clubtest.Open(t, true)
	a, b, desk := k.Customer("13800138000"), k.Customer("13900139000"), k.Desk()
	a.Ticket("slot", clubtest.Slot(t, "c2", "11:30"))
	b.Book("slot", clubtest.Slot(t, "c1", "11:30"))
	given := b.Book("slot", clubtest.Slot(t, "c3", "14:30"))
	b.Post(given+"/cancel", "amount", "0").Want(303)
	p := desk.Get("/desk").Says("预订 今天 12-10", "11:30–13:00 1号场", "待付款", "10:10 前付款", "待核销", "13800138000", "另有 1 条")
	if first, second := strings.Index(p.Text(), "11:30–13:00 1号场"), strings.Index(p.Text(), "11:30–13:00 2号场"); first < 0 || second < first {
		t.Errorf("the courts are not in their order: %d, %d", first, second)
	}
	p.HasNot("14:30–16:00")
	desk.Get("/desk?date=2026-12-11").Says("预订 明天 12-11", "没有预订", "‹ 前一天 今天")
}

func TestDeskIsForStaff(t *testing.T) {
	k := clubtest.Open(t, true)
	for _, b := range []*clubtest.Browser{k.Browser(), k.Customer("13800138000")} {
		b.Get("/desk").WantRedirect("/desk/login?next=%2Fdesk")
		b.Post("/desk/checkins", "code", "x").WantRedirect("/desk/login?next=%2Fdesk")
	}
	b := k.Browser()
	b.Post("/desk/login", "username", "desk", "password", "wrong password").Want(401).Says("用户名或密码错误").Has(`value="desk"`)
	b.Get("/desk").Want(303)
}
