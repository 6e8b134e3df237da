package office_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// figures are what the list says of a good: available, kept, on the shelf, sold.
func figures(p clubtest.Page, id string) string {
	card := clubtest.Around(p.Body, `id="good-`+id+`"`, "</li>")
	var out []string
	for _, part := range strings.Split(card, "<dd")[1:] {
		out = append(out, clubtest.Around("<dd"+part, ">", "<"))
	}
	return strings.Join(out, " ")
}

func TestWhereThePiecesAre(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, a, b := k.Owner(), k.Customer("13800138000"), k.Customer("13900139000")
	says := func(when, want string) {
		t.Helper()
		if got := figures(owner.Get("/owner/goods").Want(200), "g1"); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}
	says("at first", "12 0 12 0")
	a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	code, order := b.Ticket("slot", clubtest.Slot(t, "c2", "17:30"), "qty.g1", "3")
	says("two orders", "7 5 12 0")
	k.SetClock("2026-12-10T10:10:00+08:00")
	says("a hold has ended and no round was run", "9 3 12 0")
	k.SetClock("2026-12-10T17:30:00+08:00")
	_, err := k.App.CheckIn(t.Context(), actorOf(t, k, k.Desk()), code, "n")
	clubtest.Must(t, err)
	says("handed over", "9 0 9 3")
	number := clubtest.Around(b.Get(order).Body, `class="num">`, "<")
	owner.Get("/owner/goods/g1").Has(`href="`+order+`"`).Says("按账应有 9 件", number)
}

func TestGoodsAreAddedOrderedAndChanged(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	p := owner.Post("/owner/goods", "name", " ", "price", "三十", "nonce", "n1").Want(422)
	p.Says("还没有保存", "不能为空", "须为金额").Has(`value="三十"`, `id="add-price"`, `href="#add-name"`, "<details class=\"card add\" open")
	if got := strings.Count(p.Body, `aria-invalid="true"`); got != 2 {
		t.Errorf("%d fields are marked, want 2", got)
	}
	owner.Post("/owner/goods", "name", "毛巾", "price", "100000.01", "nonce", "n1").Want(422).Says("最多 100000 元")
	for range 2 { // the button was pressed twice
		owner.Post("/owner/goods", "name", " 毛巾 ", "price", "１５．5", "nonce", "n1").WantRedirect("/owner/goods/g4?said=added")
	}
	owner.Get("/owner/goods/g4?said=added").Says("毛巾 ￥15.50", "商品已添加", "还没有进出")
	if got := count(t, k, "SELECT count(*) FROM goods"); got != 4 {
		t.Errorf("%d goods, want 4", got)
	}

	for range 2 { // the button was pressed twice
		owner.Post("/owner/goods/g4/move", "place", "3").WantRedirect("/owner/goods?said=moved")
		body := owner.Get("/owner/goods").Has(`action="/owner/goods/g4/move"`, `name="place" value="2"`).Body
		if at := strings.Index(body, `id="good-g4"`); at > strings.Index(body, `id="good-g3"`) || at < strings.Index(body, `id="good-g2"`) {
			t.Error("the good is not third")
		}
	}
	owner.Post("/owner/goods/g4/move", "place", "nowhere").Want(422)

	mark := field(t, owner.Get("/owner/goods/g4"), "mark")
	owner.Post("/owner/goods/g4", "mark", mark, "name", "大毛巾", "price", "16").WantRedirect("/owner/goods/g4?said=saved")
	p = owner.Post("/owner/goods/g4", "mark", mark, "name", "小毛巾", "price", "12").Want(409).Says("别人改了这里", "大毛巾 ￥16").Has(`value="小毛巾"`, `value="12"`)
	owner.Post("/owner/goods/g4", "mark", field(t, p, "mark"), "name", "小毛巾", "price", "12").WantRedirect("/owner/goods/g4?said=saved")
	owner.Post("/owner/goods/g4", "mark", "", "name", "小毛巾", "price", "-1").Want(422).Has(`value="-1"`)
	// What comes back because of a wrong field has not seen what changed meanwhile.
	p = owner.Post("/owner/goods/g4", "mark", mark, "name", "小毛巾", "price", "much").Want(422)
	owner.Post("/owner/goods/g4", "mark", field(t, p, "mark"), "name", "大毛巾", "price", "15").Want(409)

	owner.Post("/owner/goods/g4/sale", "active", "0").WantRedirect("/owner/goods/g4?said=out")
	owner.Get("/owner/goods/g4").Says("已停售", "恢复出售")
	k.Browser().Get("/").HasNot("小毛巾")
	mark = field(t, owner.Get("/owner/goods/g4"), "mark") // being out of sale is no change of the form
	owner.Post("/owner/goods/g4/sale", "active", "1").WantRedirect("/owner/goods/g4?said=back")
	owner.Post("/owner/goods/g4", "mark", mark, "name", "小毛巾", "price", "13").Want(303)
	owner.Post("/owner/goods/g9", "mark", mark, "name", "x", "price", "1").Want(404)
}

func TestReceiptsAndCounts(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	for _, qty := range []string{"", "0", "-3", "1.5", "很多", "1000001"} {
		owner.Post("/owner/goods/g1/receipts", "qty", qty, "note", "批发").Want(422).Says("须为 1 到 1000000 的整数").Has(`value="批发"`, `aria-invalid="true"`)
	}
	for range 2 {
		owner.Post("/owner/goods/g1/receipts", "qty", "２4", "note", "批发", "nonce", "n").WantRedirect("/owner/goods/g1?said=received")
	}
	owner.Get("/owner/goods/g1?said=received").Says("进货已登记", "进货 批发 馆主", "+24 36")
	owner.Post("/owner/goods/g1/receipts", "qty", "1", "note", strings.Repeat("长", 201), "nonce", "n").Want(422).Says("不能超过 200 个字符")

	// Somebody takes two from the shelf between the counting and the booking of it.
	shown := field(t, owner.Get("/owner/goods/g1"), "expected")
	customer := k.Customer("13800138000")
	code, order := customer.Ticket("slot", clubtest.Slot(t, "c1", "11:30"), "qty.g1", "2")
	k.SetClock("2026-12-10T11:30:00+08:00")
	_, err := k.App.CheckIn(t.Context(), actorOf(t, k, owner), code, "n")
	clubtest.Must(t, err)
	owner.Post("/owner/goods/g1/count", "counted", "33", "expected", shown, "note", "").Want(422).Says("必须填写说明").Has(`value="33"`)
	owner.Post("/owner/goods/g1/count", "counted", "33", "expected", shown, "note", "少了三筒", "nonce", "m").WantRedirect("/owner/goods/g1?said=counted")
	if got := figures(owner.Get("/owner/goods"), "g1"); got != "31 0 31 2" {
		t.Errorf("after the count: %s", got)
	}
	owner.Get("/owner/goods/g1").Says("盘点 少了三筒 馆主 -3 31").Has(`href="` + order + `"`)
	owner.Post("/owner/goods/g1/count", "counted", "31", "expected", "31").WantRedirect("/owner/goods/g1?said=same")
	owner.Post("/owner/goods/g1/count", "counted", "", "expected", "31").Want(422)
	owner.Post("/owner/goods/g1/count", "counted", "3").Want(422)

	// What orders keep cannot be counted away.
	customer.Ticket("slot", clubtest.Slot(t, "c1", "19:00"), "qty.g1", "8")
	owner.Get("/owner/goods/g1").Says("按账应有 31 件，含已留给订单的 8 件")
	owner.Post("/owner/goods/g1/count", "counted", "7", "expected", "31", "note", "被盗").Want(409).Says("其余的已经留给订单").Has(`value="被盗"`)
}

func TestTheLedgerGoesOn(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	boss := actorOf(t, k, owner)
	for i := range 60 {
		_, err := k.App.MoveStock(t.Context(), boss, "g3", "receipt", i+1, fmt.Sprintf("第%d批", i+1), "")
		clubtest.Must(t, err)
	}
	first := owner.Get("/owner/goods/g3").Says("第60批", "第11批").HasNot("第10批<")
	older := clubtest.Around(first.Body, `href="/owner/goods/g3?before=`, `"`)
	second := owner.Get("/owner/goods/g3?before="+older).Says("第10批", "开业进货").HasNot("第11批")
	second.HasNot("更早")
	last := read(t, k, func(s *sqlite.Snapshot) (sqlite.Good, error) { return s.Good("g3") })
	first.Says(fmt.Sprintf("+60 %d", last.Balance))
}
