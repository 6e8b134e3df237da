package desk_test

import (
	"strings"
	"testing"
)

func TestFindLeadsToOrderAndBoard(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "13611112222", "cash", "c1", "17:30")
	goods := strings.TrimPrefix(d.Customer("13800138000").Book("qty.g3", "2"), "/orders/")
	d.desk.Get("/desk").Has(`action="/desk/find"`)
	for _, q := range []string{o.Number, "2222", "1", "%E5%B0%8F%E6%98%8E"} {
		d.desk.Get("/desk/find?q="+q).Want(200).Says(o.Number, "王小明", "13611112222", "￥60", "12-10 周四 17:30–19:00 1号场").
			Has(`href="/desk/orders/`+o.ID+`"`, `href="`+strings.ReplaceAll(d.at("c1", "17:30"), "&", "&amp;")+`"`)
	}
	d.desk.Get("/desk/find?q=8000").Says("矿泉水 × 2").Has(`href="/desk/orders/` + goods + `"`)
	d.desk.Get("/desk/find?q=nobody").Want(200).Says("没有找到").Has(`value="nobody"`)
	d.desk.Get("/desk/find").Want(200).HasNot("没有找到")
	d.desk.Get("/desk/find?q=" + strings.Repeat("x", 41)).Want(422).Says("填写有误")
	for _, clock := range []string{"13:00", "14:30", "16:00", "20:30"} {
		for _, court := range []string{"c1", "c2", "c3", "c4", "c5"} {
			d.sold("王小明", "", "cash", court, clock)
		}
	}
	p := d.desk.Get("/desk/find?q=%E5%B0%8F%E6%98%8E").Says("只显示最新的 20 张")
	if n := strings.Count(p.Body, `<a class="tap" href="/desk/orders/`); n != 20 || strings.Contains(p.Body, "/desk/orders/"+o.ID) {
		t.Errorf("%d orders are shown", n)
	}
}
