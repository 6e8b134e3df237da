package desk_test

import (
	"courtd/web/pages/clubtest"
	"strings"
	"testing"
)

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
	}
	b := k.Browser()
	b.Post("/desk/login", "username", "desk", "password", "wrong password").Want(401).Says("用户名或密码错误").Has(`value="desk"`)
	b.Get("/desk").Want(303)
}
