package office_test

import (
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func coupon(t *testing.T, k *clubtest.Club, code string) domain.Coupon {
	t.Helper()
	return read(t, k, func(s *sqlite.Snapshot) (domain.Coupon, error) {
		c, _, err := s.Coupon(code)
		return c, err
	})
}

func TestWhatACouponDoesIsSaid(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	for _, row := range []struct {
		form   []string
		zh, en string
	}{
		{[]string{"kind", "amount", "value", "20", "min_total", "100", "max_per_person", "1"}, "满 100 元减 20 元，每人一次", "20 yuan off from 100 yuan, once for each customer"},
		{[]string{"kind", "amount", "value", "5.5"}, "减 5.50 元", "5.50 yuan off"},
		{[]string{"kind", "percent", "value", "10"}, "打 9 折", "10% off"},
		{[]string{"kind", "percent", "value", "12", "max_uses", "100", "max_per_person", "2"}, "打 8.8 折，每人 2 次，共 100 次", "12% off, 2 times for each customer, 100 times in all"},
		{[]string{"kind", "percent", "value", "95", "max_uses", "1"}, "打 0.5 折，只能用一次", "95% off, once in all"},
		{[]string{"kind", "percent", "value", "100"}, "全免", "free of charge"},
		{[]string{"kind", "percent", "value", "50", "valid_from", "2026-12-20", "valid_until", "2026-12-25"}, "打 5 折，2026-12-20 至 2026-12-25", "50% off, 2026-12-20 to 2026-12-25"},
		{[]string{"kind", "percent", "value", "50", "valid_until", "2026-12-25"}, "打 5 折，至 2026-12-25", "50% off, until 2026-12-25"},
		{[]string{"kind", "percent", "value", "50", "valid_from", "2026-12-20"}, "打 5 折，2026-12-20 起", "50% off, from 2026-12-20"},
	} {
		code := "C" + strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, strings.Join(row.form, ""))
		owner.Post("/owner/coupons", append([]string{"code", strings.ToLower(code), "name", "试"}, row.form...)...).WantRedirect("/owner/coupons/" + code + "?said=added")
		owner.Cookies["courtd_lang"] = "en"
		owner.Get("/owner/coupons/" + code).Want(200).Says(row.en + " ")
		owner.Cookies["courtd_lang"] = "zh"
		p := owner.Get("/owner/coupons/" + code).Says(row.zh + " 已用")
		// Saved as it is shown, it stays what it is.
		before := coupon(t, k, code)
		form := []string{"mark", field(t, p, "mark"), "kind", map[bool]string{true: "percent", false: "amount"}[before.Percent > 0]}
		for _, name := range []string{"name", "value", "min_total", "valid_from", "valid_until", "max_uses", "max_per_person"} {
			form = append(form, name, clubtest.Around(clubtest.Around(p.Body, `name="`+name+`"`, ">"), `value="`, `"`))
		}
		owner.Post("/owner/coupons/"+code, form...).WantRedirect("/owner/coupons/" + code + "?said=saved")
		if after := coupon(t, k, code); after != before {
			t.Errorf("%s was %+v and is %+v", code, before, after)
		}
		owner.Post("/owner/coupons/"+code+"/switch", "active", "0").Want(303) // codes share the list
	}
}

func TestCouponDaysAreTheVenues(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	owner.Post("/owner/coupons", "code", "xmas", "name", "圣诞", "kind", "amount", "value", "20", "valid_from", "2026-12-24", "valid_until", "2026-12-25").Want(303)
	c := coupon(t, k, "XMAS")
	if c.ValidFrom != clubtest.At(t, "2026-12-24T00:00:00+08:00") || c.ValidUntil != clubtest.At(t, "2026-12-26T00:00:00+08:00") || c.AmountFen != 2000 || !c.Active {
		t.Errorf("%+v", c)
	}
	// Bounds that the API has set between midnights stay unless the day is changed.
	boss := actorOf(t, k, owner)
	from, until := clubtest.At(t, "2026-12-24T08:00:00+08:00"), clubtest.At(t, "2026-12-25T17:30:00+08:00")
	_, err := k.App.ChangeCoupon(t.Context(), boss, "XMAS", func(c *domain.Coupon) error { c.ValidFrom, c.ValidUntil = from, until; return nil })
	clubtest.Must(t, err)
	p := owner.Get("/owner/coupons/XMAS").Says("2026-12-24 08:00 至 2026-12-25 17:30").Has(`name="valid_from" value="2026-12-24"`, `name="valid_until" value="2026-12-25"`)
	save := func(p clubtest.Page, from, until string) clubtest.Page {
		t.Helper()
		return owner.Post("/owner/coupons/xmas", "mark", field(t, p, "mark"), "name", "圣诞节", "kind", "percent", "value", "10", "valid_from", from, "valid_until", until)
	}
	save(p, "2026-12-24", "2026-12-25").WantRedirect("/owner/coupons/XMAS?said=saved")
	if c := coupon(t, k, "XMAS"); c.ValidFrom != from || c.ValidUntil != until || c.Percent != 10 || c.AmountFen != 0 || c.Name != "圣诞节" {
		t.Errorf("%+v", c)
	}
	save(p, "2026-12-24", "2026-12-26").Want(409).Says("别人改了这里")
	save(owner.Get("/owner/coupons/XMAS"), "", "2026-12-31").Want(303)
	if c := coupon(t, k, "XMAS"); c.ValidFrom != 0 || c.ValidUntil != clubtest.At(t, "2027-01-01T00:00:00+08:00") {
		t.Errorf("%+v", c)
	}
	save(owner.Get("/owner/coupons/XMAS"), "2026-12-24", "2026-12-23").Want(422).Says("须晚于开始时间").Has(`value="2026-12-23"`)
	for when, standing := range map[string]string{"2026-12-31T23:59:59+08:00": "可用", "2027-01-01T00:00:00+08:00": "已过期"} {
		k.SetClock(when)
		owner.Get("/owner/coupons/XMAS").Says("XMAS 圣诞节 " + standing)
	}
}

func TestCouponsThatCannotBe(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	good := map[string]string{"code": "NEW-1", "name": "新", "kind": "amount", "value": "5"}
	for _, row := range []struct{ field, value, says, marked string }{
		{"code", "", "须为 1 到 32 个字符", "add-code"}, {"code", "五折", "只能由字母、数字", "add-code"}, {"code", "new10", "这个优惠码已经有了", "add-code"},
		{"name", "", "不能为空", "add-name"}, {"value", "", "须为金额", "add-value"}, {"value", "0", "须大于 0", "add-value"},
		{"value", "100001", "最多 100000 元", "add-value"}, {"min_total", "x", "须为金额", "add-min_total"}, {"valid_from", "12-24", "须为日期", "add-valid_from"},
		{"valid_until", "2026-02-30", "须为日期", "add-valid_until"}, {"max_uses", "-1", "须为 0 到 1000000 的整数", "add-max_uses"},
		{"max_per_person", "x", "须为 0 到 1000000 的整数", "add-max_per_person"},
	} {
		var form []string
		for name, value := range good {
			if name != row.field {
				form = append(form, name, value)
			}
		}
		p := owner.Post("/owner/coupons", append(form, row.field, row.value)...)
		if p.Status != 422 && p.Status != 409 {
			t.Errorf("%s %q: status %d", row.field, row.value, p.Status)
		}
		p.Says("还没有保存", row.says).Has(`href="#`+row.marked+`"`, `id="`+row.marked+`-about"`)
		if row.field != "value" {
			p.Has(`name="value" value="5"`)
		}
		if strings.Count(p.Body, `aria-invalid="true"`) != 1 {
			t.Errorf("%s %q marks %d fields", row.field, row.value, strings.Count(p.Body, `aria-invalid="true"`))
		}
	}
	for _, percent := range []string{"0", "101", "9.5"} {
		owner.Post("/owner/coupons", "code", "P", "name", "p", "kind", "percent", "value", percent).Want(422).Says("须为 1 到 100 的整数").Has(`value="percent" checked`)
	}
	if got := count(t, k, "SELECT count(*) FROM coupons"); got != 3 {
		t.Errorf("%d coupons, want the demonstration's 3", got)
	}
}

func TestUsesFollowTheOrders(t *testing.T) {
	k := clubtest.Open(t, true)
	owner, a, b := k.Owner(), k.Customer("13800138000"), k.Customer("13900139000")
	owner.Post("/owner/coupons", "code", "TWO", "name", "两次", "kind", "percent", "value", "10", "max_uses", "2").Want(303)
	card := func() string {
		t.Helper()
		list := owner.Get("/owner/coupons").Want(200)
		return strings.Join(strings.Fields(clubtest.Tags.ReplaceAllString(clubtest.Around(list.Body, `href="/owner/coupons/TWO"`, "</li>"), " ")), " ")
	}
	says := func(when, want string) {
		t.Helper()
		if got := card(); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	says("new", "可用 打 9 折，共 2 次 已用 0 / 2 次")
	a.Book("slot", clubtest.Slot(t, "c1", "17:30"), "coupon", "TWO")
	b.Book("slot", clubtest.Slot(t, "c2", "17:30"), "coupon", "two")
	says("two holds", "已用完 打 9 折，共 2 次 已用 2 / 2 次")
	k.SetClock("2026-12-10T10:10:00+08:00")
	says("the holds have lapsed", "可用 打 9 折，共 2 次 已用 0 / 2 次")
	b.Ticket("slot", clubtest.Slot(t, "c3", "17:30"), "coupon", "TWO")
	owner.Post("/owner/coupons/TWO/switch", "active", "0").WantRedirect("/owner/coupons/TWO?said=off")
	says("off", "已停用 打 9 折，共 2 次 已用 1 / 2 次")
	b.Post("/orders", "slot", clubtest.Slot(t, "c4", "17:30"), "coupon", "TWO").Want(409)
	owner.Post("/owner/coupons/TWO/switch", "active", "1").WantRedirect("/owner/coupons/TWO?said=on")
	says("on", "可用 打 9 折，共 2 次 已用 1 / 2 次")
}

func TestCouponsComeInPages(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	boss := actorOf(t, k, owner)
	for i := range 60 {
		_, err := k.App.AddCoupon(t.Context(), boss, domain.Coupon{Code: "B" + string(rune('A'+i/26)) + string(rune('A'+i%26)), Name: "批", Percent: 1, Active: true}, "")
		clubtest.Must(t, err)
	}
	seen := map[string]bool{}
	next := "/owner/coupons"
	for pages := 0; next != ""; pages++ {
		p := owner.Get(next).Want(200)
		for _, part := range strings.Split(p.Body, `<h2><a href="/owner/coupons/`)[1:] {
			code, _, _ := strings.Cut(part, `"`)
			if seen[code] {
				t.Errorf("%s twice", code)
			}
			seen[code] = true
		}
		next = ""
		if at := clubtest.Around(p.Body, `href="/owner/coupons?skip=`, `"`); at != "" && pages < 3 {
			next = "/owner/coupons?skip=" + at
		}
	}
	if len(seen) != 63 {
		t.Errorf("%d coupons are listed, want 63", len(seen))
	}
}
