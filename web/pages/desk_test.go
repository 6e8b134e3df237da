package pages_test

import (
	"strings"
	"testing"
)

// ticket books and pays one slot and gives the code of its ticket.
func (b *browser) ticket(pairs ...string) (code, order string) {
	b.club.t.Helper()
	order = b.book(pairs...)
	b.pay(order)
	return strings.Join(b.get(order).codeGroups(), ""), order
}

func TestDeskAnswers(t *testing.T) {
	k := openClub(t, true)
	a, b, desk := k.customer("13800138000"), k.customer("13900139000"), k.desk()
	today, _ := a.ticket("slot", slot(t, "c1", "17:30"), "qty.g1", "2")
	late, _ := a.ticket("slot", slot(t, "c2", "11:30"))
	tomorrow, _ := b.ticket("date", "2026-12-11", "slot", slotOn(t, "c1", "2026-12-11", "17:30"))
	off, offOrder := b.ticket("slot", slot(t, "c4", "20:30"))
	goods, _ := b.ticket("qty.g3", "1")
	b.post(offOrder+"/cancel", "amount", "3000").want(303)

	scan := func(code, result, tone string, words ...string) {
		t.Helper()
		p := desk.post("/desk/checkins", "code", code, "nonce", around(desk.get("/desk").body, `name="nonce" value="`, `"`)).want(200)
		p.has(`data-result="`+result+`"`, `class="answer `+tone+`"`).says(words...)
		p.has("autofocus")
	}
	scan("nonsense", "unknown", "no", "没有这个核销码", "No such ticket")
	scan(today, "too_early", "no", "还没到核销时间", "17:00 起可核销", "12-10 周四 17:30–19:00 1号场")
	scan(tomorrow, "wrong_day", "no", "不是今天的场次", "12-11 周五 17:30–19:00 1号场")
	scan(off, "cancelled", "no", "订单已取消")
	scan(goods, "ok", "yes", "交付商品", "矿泉水 × 1")
	scan(goods, "already_in", "no", "商品已领取", "10:00:00")
	k.setClock("2026-12-10T17:10:00+08:00")
	scan(strings.ToLower(today[:4]+" "+today[4:]), "ok", "yes", "请进", "请交付商品", "羽毛球 一筒 × 2", "138****8000")
	k.setClock("2026-12-10T17:12:00+08:00")
	scan(today, "already_in", "no", "已经核销过", "核销时间 17:10:00")
	scan(late, "too_late", "no", "已过核销时间")
	desk.post("/desk/checkins", "code", "  ").want(422).says("请扫码或输入核销码")
}

func TestOneFormIsOneScan(t *testing.T) {
	k := openClub(t, true)
	a, desk := k.customer("13800138000"), k.desk()
	code, _ := a.ticket("slot", slot(t, "c1", "11:30"))
	k.setClock("2026-12-10T11:20:00+08:00")
	nonce := around(desk.get("/desk").body, `name="nonce" value="`, `"`)
	if again := around(desk.get("/desk").body, `name="nonce" value="`, `"`); nonce == "" || again == nonce {
		t.Fatalf("two forms carry the nonces %q and %q", nonce, again)
	}
	for range 2 {
		desk.post("/desk/checkins", "code", code, "nonce", nonce).has(`data-result="ok"`)
	}
	desk.post("/desk/checkins", "code", code, "nonce", nonce+"x").has(`data-result="already_in"`)
}

func TestDeskListsTheDay(t *testing.T) {
	k := openClub(t, true)
	a, b, desk := k.customer("13800138000"), k.customer("13900139000"), k.desk()
	a.ticket("slot", slot(t, "c2", "11:30"))
	b.book("slot", slot(t, "c1", "11:30"))
	given := b.book("slot", slot(t, "c3", "14:30"))
	b.post(given+"/cancel", "amount", "0").want(303)
	p := desk.get("/desk").says("今天 12-10 预订", "11:30–13:00 1号场", "待付款", "10:10 前付款", "待核销", "13800138000", "另有 1 条")
	if first, second := strings.Index(p.text(), "11:30–13:00 1号场"), strings.Index(p.text(), "11:30–13:00 2号场"); first < 0 || second < first {
		t.Errorf("the courts are not in their order: %d, %d", first, second)
	}
	p.hasNot("14:30–16:00")
	desk.get("/desk?date=2026-12-11").says("明天 12-11 预订", "没有预订", "今天 Today")
}

func TestDeskIsForStaff(t *testing.T) {
	k := openClub(t, true)
	for _, b := range []*browser{k.browser(), k.customer("13800138000")} {
		b.get("/desk").wantRedirect("/desk/login?next=%2Fdesk")
		b.post("/desk/checkins", "code", "x").wantRedirect("/desk/login?next=%2Fdesk")
	}
	b := k.browser()
	b.post("/desk/login", "username", "desk", "password", "wrong password").want(401).says("用户名或密码错误").has(`value="desk"`)
	b.get("/desk").want(303)
}
