package settings_test

import (
	"reflect"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// The example is three days ahead: Sunday 13 December, 19:00 to 20:30, at ￥80.
func TestPolicyInWords(t *testing.T) {
	o := open(t)
	o.Get("/owner/policy").Want(200).Says("周日 12-13 19:00–20:30",
		"09:00 下单，须在 09:10 前付款；到 09:10 整还没付，场次就放出来了", "付款期限不会晚于开场 19:00", "只买商品：09:00 下单，须在 09:30 前付款",
		"这一场从 周一 12-07 07:00 起可以订", "网上卖到 18:57", "18:30 起可以核销入场", "直到散场 20:30", "17:00 发一条提醒",
		"周六 12-12 19:00 及以前取消：退 100%（￥80）", "07:00 及以前取消：退 80%（￥64）", "14:00 及以前取消：退 50%（￥40）", "再晚取消：不退", "没来：不退",
		"记一次爽约，算到 周二 01-12 20:30", "30 天里爽约 3 次", "已作出的承诺不变")
	form := o.fill("/owner/policy", "hold_minutes", "20", "goods_hold_minutes", "45", "release_after_minutes", "15", "sale_ends_before_minutes", "0", "reminder_before_minutes", "0",
		"days_ahead", "3", "opens_at", "12:00", "strikes", "0", "no_show_refund_percent", "25", "ladder.0.hours", "", "ladder.0.percent", "", "ladder.2.hours", "0", "ladder.2.percent", "33")
	p := o.ask("/owner/policy/preview", form).Want(200).HasNot("<html").Says("09:00 下单，须在 09:20 前付款", "只买商品：09:00 下单，须在 09:45 前付款",
		"这一场从 今天 12-10 12:00 起可以订", "网上一直卖到开场 19:00", "到 19:15 还没到场就放出", "不发提醒", "07:00 及以前取消：退 80%", "19:00 及以前取消：退 33%（￥26.40）",
		"再晚，直到开场：退 33%", "没来：退 25%（￥20）", "爽约不影响以后订场")
	if strings.Contains(p.Text(), "退 100%") {
		t.Error("a step that was taken away is told")
	}
	if v, _ := o.venue(); v.Policy.HoldMinutes != 10 {
		t.Error("a preview saves")
	}
	o.Send("/owner/policy", form).WantRedirect("/owner/policy?said=saved")
	v, _ := o.venue()
	if v.Policy.HoldMinutes != 20 || v.Policy.OpensAt != clock(t, "12:00") || len(v.Policy.RefundLadder) != 2 || v.Policy.RefundLadder[1] != (domain.RefundStep{HoursBefore: 0, Percent: 33}) {
		t.Errorf("%+v", v.Policy)
	}
	o.Get("/owner/policy?said=saved").Says("已作出的承诺不变")
	o.Get("/owner/policy?lang=en")
	o.Get("/owner/policy").Says("Booked at 09:00, it must be paid before 09:20", "If nobody has come by 19:15 the slot is given up")
}

func TestStepsMayBeTypedInAnyOrder(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/policy", "ladder.3.hours", "48", "ladder.3.percent", "100", "ladder.0.percent", "90")
	o.Send("/owner/policy", form).WantRedirect("/owner/policy?said=saved")
	v, _ := o.venue()
	if got := v.Policy.RefundLadder; len(got) != 4 || got[0] != (domain.RefundStep{HoursBefore: 48, Percent: 100}) || got[1] != (domain.RefundStep{HoursBefore: 24, Percent: 90}) {
		t.Errorf("%+v", got)
	}
}

func TestPolicySaysWhatIsWrong(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/policy", "hold_minutes", "ten", "opens_at", "25:00", "ladder.4.hours", "3")
	p := o.Send("/owner/policy", form).Want(422)
	wantFault(t, p, "hold_minutes", "须为整数")
	wantFault(t, p, "ladder.4.percent", "须为整数")
	p.Has(`value="ten"`, `value="25:00"`).Says("有几处还填得不对，改好后显示")
	form.Set("hold_minutes", "0")
	form.Set("ladder.4.hours", "24")
	form.Set("ladder.4.percent", "101")
	p = o.Send("/owner/policy", form).Want(422)
	wantFault(t, p, "hold_minutes", "须在 1 到 1440 之间")
	wantFault(t, p, "opens_at", "须在 00:00 到 23:59 之间")
	wantFault(t, p, "ladder.4.percent", "须在 0 到 100 之间")
	wantFault(t, p, "ladder.4.hours", "小时数须比上一档少")
	o.ask("/owner/policy/preview", form).Want(200).Has(`href="#hold_minutes"`)
	if v, _ := o.venue(); !reflect.DeepEqual(v.Policy, domain.DefaultPolicy()) {
		t.Errorf("%+v", v.Policy)
	}
}

func TestPolicyOfTwoOwners(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/policy", "strikes", "5")
	o.change("prices", func(v *sqlite.Venue) { v.Prices[0].PriceFen++ })
	o.change("policy", func(v *sqlite.Venue) { v.Policy.HoldMinutes = 25 })
	p := o.Send("/owner/policy", form).Want(409).Says("别人改了这里", "有场次的订单，保留多久等付款：25 分钟", "爽约几次就暂停订场：3 次").Has(`value="5"`)
	if lines := clubtest.Around(p.Body, `class="card theirs"`, "</section>"); strings.Count(lines, "<li>") != 2 {
		t.Errorf("more than what differs: %s", lines)
	}
	if v, _ := o.venue(); v.Policy.Strikes != 3 || v.Policy.HoldMinutes != 25 {
		t.Errorf("%+v", v.Policy)
	}
	o.Send("/owner/policy", formOf(p, "/owner/policy")).WantRedirect("/owner/policy?said=saved")
	if v, _ := o.venue(); v.Policy.Strikes != 5 || v.Policy.HoldMinutes != 10 {
		t.Errorf("%+v", v.Policy)
	}
}

func TestPromisesStandWhenThePolicyChanges(t *testing.T) {
	o := open(t)
	order := o.k.Customer("13800138000")
	at := order.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	o.Send("/owner/policy", o.fill("/owner/policy", "hold_minutes", "1")).WantRedirect("/owner/policy?said=saved")
	o.k.SetClock("2026-12-10T10:09:59+08:00")
	order.Get(at).Says("待付款")
	o.k.SetClock("2026-12-10T10:10:00+08:00")
	order.Get(at).Says("已失效")
}
