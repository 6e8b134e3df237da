package settings_test

import (
	"strings"
	"testing"

	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func TestVenue(t *testing.T) {
	o := open(t)
	o.Get("/owner/venue").Want(200).Says("Asia/Shanghai", "CNY", "时区和货币在建馆时定下").Has(`value="晨光羽毛球馆"`)
	form := o.fill("/owner/venue", "name", "  新馆 ", "address", "新路 2 号", "phone", "０21-5555 0101")
	o.Send("/owner/venue", form).WantRedirect("/owner/venue?said=saved")
	o.Get("/owner/venue?said=saved").Says("已保存")
	if v, _ := o.venue(); v.Name != "新馆" || v.Address != "新路 2 号" || v.Phone != "021-5555 0101" || v.Zone != "Asia/Shanghai" {
		t.Errorf("%+v", v)
	}
	// The same form again is out of date now, and nothing of it is kept.
	form.Set("name", "别的馆")
	p := o.Send("/owner/venue", form).Want(409)
	p.Says("别人改了这里", "名称 新馆").Has(`value="别的馆"`)
	if v, _ := o.venue(); v.Name != "新馆" {
		t.Errorf("an old form has changed the name to %s", v.Name)
	}
	o.Send("/owner/venue", formOf(p, "/owner/venue")).WantRedirect("/owner/venue?said=saved") // knowing it
	if v, _ := o.venue(); v.Name != "别的馆" {
		t.Errorf("%s", v.Name)
	}
}

func TestVenueSaysWhatIsWrongWhereItIsWrong(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/venue", "name", "", "phone", strings.Repeat("1", 41))
	p := o.Send("/owner/venue", form).Want(422)
	wantFault(t, p, "name", "不能为空")
	wantFault(t, p, "phone", "不能超过 40 个字符")
	p.Says("请改正以下 2 处").Has(`value="示例路 1 号"`, `value="`+strings.Repeat("1", 41)+`"`)
	o.Get("/owner/venue?lang=en")
	p = o.Send("/owner/venue", form).Want(422)
	wantFault(t, p, "name", "must not be empty")
	if o.Send("/owner/venue", nil).Status != 403 {
		t.Error("a form without a token is taken")
	}
}

// What cannot be saved now is not lost either.
func TestWhatWasTypedOutlivesTrouble(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/venue", "name", "慢慢写的名字")
	o.k.SetClock("2026-12-09T10:00:00+08:00") // behind what was handed out
	o.Send("/owner/venue", form).Want(503).Says("系统时钟异常").Has(`value="慢慢写的名字"`)
	policy := o.fill("/owner/policy", "strikes", "7")
	o.Send("/owner/policy", policy).Want(503).Has(`value="7"`)
	o.k.SetClock(clubtest.Opening)
	o.Send("/owner/venue", form).Want(303)
}

func (o owner) courts() string {
	var out []string
	_, courts := o.venue()
	for _, c := range courts {
		name := c.Name
		if !c.Active {
			name = "(" + name + ")"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestCourts(t *testing.T) {
	o := open(t)
	a := o.k.Customer("13800138000")
	a.Book("slot", clubtest.Slot(t, "c2", "17:30"), "slot", clubtest.Slot(t, "c2", "19:00"))
	p := o.Get("/owner/courts").Want(200).Says("有 2 个未开始的预订", "已经订好的照常有效")
	nonce := clubtest.Around(p.Body, `name="nonce" value="`, `"`)
	for range 2 { // pressed twice
		o.Post("/owner/courts", "name", "7号场", "nonce", nonce).WantRedirect("/owner/courts?said=added")
	}
	o.Post("/owner/courts/c7/move", "place", "6").WantRedirect("/owner/courts?said=moved")
	o.Post("/owner/courts/c1/move", "place", "0").WantRedirect("/owner/courts?said=moved")
	for range 2 { // the button was pressed twice
		o.Post("/owner/courts/c1/move", "place", "2").WantRedirect("/owner/courts?said=moved")
	}
	o.Post("/owner/courts/c1/move", "to", "down").Want(422)
	o.Post("/owner/courts/c3", "name", "甲 <b>", "was", "3号场").WantRedirect("/owner/courts?said=renamed")
	o.Post("/owner/courts/c2/sale", "active", "0").WantRedirect("/owner/courts?said=out")
	if got := o.courts(); got != "(2号场) 1号场 甲 <b> 4号场 5号场 7号场 6号场" {
		t.Errorf("%s", got)
	}
	o.Get("/owner/courts?said=out").Says("已有的预订照常有效", "甲 <b>").HasNot("甲 <b>")
	a.Get("/?date=2026-12-10").HasNot("2号场")
	if got := len(strings.Split(a.Get("/orders").Want(200).Body, `class="card" href="/orders/`)); got != 2 {
		t.Errorf("the order is gone")
	}
	o.Post("/owner/courts/c2/sale", "active", "1").WantRedirect("/owner/courts?said=back")
	a.Get("/?date=2026-12-10").Says("2号场")

	p = o.Post("/owner/courts/c4", "name", " ", "was", "4号场").Want(422)
	wantFault(t, p, "name.c4", "不能为空")
	p = o.Post("/owner/courts", "name", strings.Repeat("长", 41)).Want(422)
	wantFault(t, p, "new-court", "不能超过 40 个字符")
	o.Post("/owner/courts/c4", "name", "丁", "was", "别的名字").Want(409).Says("别人改了这里").Has(`value="丁"`)
	o.Post("/owner/courts/c99/move", "place", "1").Want(404)
	o.Get("/owner/courts/c4").WantRedirect("/owner/courts")
	o.Get("/owner/courts/c4/move").WantRedirect("/owner/courts")
}

func TestSettingsAreTheOwnersAlone(t *testing.T) {
	o := open(t)
	desk, anyone := o.k.Desk(), o.k.Browser()
	for _, page := range []string{"/owner/venue", "/owner/courts", "/owner/hours", "/owner/prices", "/owner/policy", "/owner/start"} {
		p := o.Get(page).Want(200).HasNot(" style=", "javascript:", " onclick", "ZgotmplZ", "<style")
		if forms := strings.Count(p.Body, `<form method="post"`); forms != strings.Count(p.Body, `name="csrf"`) {
			t.Errorf("%s: a form without a token", page)
		}
		desk.Get(page).Want(403)
		anyone.Get(page).Want(303)
		if page == "/owner/start" {
			continue
		}
		desk.Post(page, "name", "x", "act", "save").Want(403)
		anyone.Post(page, "name", "x", "act", "save").Want(303)
	}
	for _, path := range []string{"/owner/courts/c1", "/owner/courts/c1/move", "/owner/courts/c1/sale", "/owner/hours/preview", "/owner/prices/preview", "/owner/policy/preview"} {
		desk.Post(path, "name", "x").Want(403)
		o.Get(path).Want(303)
	}
	for _, path := range []string{"/setup", "/setup?token=", "/setup?token=x"} {
		if p := o.Get(path); p.Status != 404 {
			t.Errorf("%s of a venue that exists: %d", path, p.Status)
		}
	}
	if got := o.courts(); strings.Contains(got, "x") {
		t.Errorf("%s", got)
	}
}

// Names that try to be more than text stay text, everywhere.
func TestHostileNames(t *testing.T) {
	o := open(t)
	nasty := `<script>alert(1)</script>"'` + strings.Repeat("🏸", 13)
	o.change("venue", func(v *sqlite.Venue) {
		v.Name, v.Address = nasty, nasty
		for i := range v.Prices {
			v.Prices[i].Name = nasty
		}
		v.Calendar.Hours.Holidays = map[_date]string{mustDate(t, "2026-12-12"): nasty}
	})
	o.Post("/owner/courts/c1", "name", nasty, "was", "1号场").Want(303)
	for _, page := range []string{"/owner/venue", "/owner/courts", "/owner/hours", "/owner/prices", "/owner/policy", "/owner/start"} {
		o.Get(page).Want(200).HasNot("<script>alert")
	}
	form := o.fill("/owner/prices")
	form.Set("act", "add")
	p := o.ask("/owner/prices", form).Want(200).HasNot("<script>alert")
	p.Says(nasty)
}
