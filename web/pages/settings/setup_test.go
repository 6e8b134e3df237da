package settings_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/clubtest"
)

const token = "a-token-nobody-can-guess"

// setUpForm is the page of the first set-up with what an owner types.
func setUpForm(t *testing.T, b *clubtest.Browser, pairs ...string) url.Values {
	t.Helper()
	form := formOf(b.Get("/setup?token="+token).Want(200).Says("设置场馆"), "/setup")
	for _, name := range []string{"token", "csrf", "zone", "courts", "opens", "closes", "slot_minutes", "hold_minutes"} {
		if form.Get(name) == "" {
			t.Fatalf("the form has no %s: %v", name, form)
		}
	}
	pairs = append([]string{"name", "新馆", "day_price", "40", "username", "boss", "password", "a-long-password", "again", "a-long-password"}, pairs...)
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

func TestFirstSetUp(t *testing.T) {
	k := clubtest.OpenEmpty(t, token)
	b := k.Browser()
	form := setUpForm(t, b, "address", "新路 1 号", "phone", "021-1", "courts", "3", "opens", "9:00", "closes", "2300", "slot_minutes", "60",
		"peak_price", "60.5", "peak_from", "18", "peak_weekend", "on", "hold_minutes", "15")
	pressedTwice := k.Browser() // what is sent before the answer to the first is there
	pressedTwice.Cookies = maps.Clone(b.Cookies)
	b.Send("/setup", form).WantRedirect("/owner/start?said=made")
	if b.Cookies[httpx.BrowserCookie] == "" {
		t.Error("the browser in which the owner set the venue up is not known for them")
	}
	pressedTwice.Send("/setup", form).WantRedirect("/owner/start?said=made")
	stranger, guessed := k.Browser(), maps.Clone(form)
	guessed.Set("csrf", stranger.Token())
	guessed.Set("password", "another-password")
	guessed.Set("again", "another-password")
	stranger.Send("/setup", guessed).Want(404)
	b.Get("/owner/start?said=made").Want(200).Says("场馆已建好，您已登录", "商品", "员工", "规则", "封场").Has(`href="/owner/goods"`, `href="/owner/staff"`, `href="/owner/policy"`, `href="/owner/closures"`)
	v, courts, _, err := k.App.Venue(t.Context())
	clubtest.Must(t, err)
	evening := domain.Band{From: 18 * 60, To: 24 * 60}
	if v.Name != "新馆" || v.Address != "新路 1 号" || v.Phone != "021-1" || v.Zone != "Asia/Shanghai" || v.Policy.HoldMinutes != 15 || v.Policy.GoodsHoldMinutes != 30 ||
		v.Calendar.Hours.SlotMinutes != 60 || v.Calendar.Hours.Weekly[3] != (domain.DayHours{Opens: 9 * 60, Closes: 23 * 60}) || len(courts) != 3 || courts[2].Name != "3号场" {
		t.Errorf("%+v %+v", v, courts)
	}
	if p := v.Prices; len(p) != 3 || p[0].Name != "周末" || p[0].PriceFen != 6050 || len(p[0].Weekdays) != 2 || p[1].Band != evening || p[1].PriceFen != 6050 || p[2].PriceFen != 4000 || !p[2].Unconditional() {
		t.Errorf("%+v", p)
	}
	// It is gone, whoever asks and with whatever.
	for _, by := range []*clubtest.Browser{b, k.Browser()} {
		by.Get("/setup?token=" + token).Want(404).Says("场馆已设置")
		by.Get("/setup").Want(404)
	}
	b.Send("/setup", form).Want(403) // the form was a visitor's
	again := b.Post("/setup", "token", token, "name", "again").Want(404)
	if strings.Contains(again.Body, token) {
		t.Error("the token is told")
	}
	k.Browser().Get("/").Want(200).Says("新馆")
	desk := k.Browser()
	desk.Post("/desk/login", "username", "boss", "password", "a-long-password").WantRedirect("/desk")
}

func TestNothingButTheSetUpIsServedBefore(t *testing.T) {
	k := clubtest.OpenEmpty(t, token)
	b := k.Browser()
	for _, path := range []string{"/", "/login", "/desk", "/desk/login", "/owner/venue", "/orders"} {
		p := b.Get(path).Want(503).Says("场馆尚未设置")
		if strings.Contains(p.Body, token) || strings.Contains(p.Body, "/setup") {
			t.Errorf("%s leads to the set-up", path)
		}
	}
	for _, path := range []string{"/api/v1/venue", "/api/v1/owner/policy", "/openapi.json", "/docs"} {
		if p := b.Get(path).Want(503); !strings.Contains(p.Body, `"reason":"not_set_up"`) || strings.Contains(p.Body, token) {
			t.Errorf("%s: %s", path, p.Body)
		}
	}
	if p := b.Get("/healthz").Want(200); !strings.Contains(p.Body, `"status":"ok"`) {
		t.Errorf("%s", p.Body)
	}
	for _, path := range []string{"/setup", "/setup?token=", "/setup?token=x", "/setup?token=" + token + "x", "/setup?token=" + token[1:]} {
		p := b.Get(path).Want(403).Says("完整链接").HasNot(`name="password"`)
		if !strings.Contains(path, token) && strings.Contains(p.Body, token[1:]) && !strings.Contains(path, token[1:]) {
			t.Errorf("%s: the token is told", path)
		}
	}
	form := setUpForm(t, b)
	for _, wrong := range []string{"", "x"} {
		form.Set("token", wrong)
		b.Send("/setup", form).Want(403)
	}
	form.Set("token", token)
	form.Set("csrf", "x")
	b.Send("/setup", form).Want(403)
	if _, _, _, err := k.App.Venue(t.Context()); !domain.IsReason(err, "not_set_up") {
		t.Errorf("a venue was made: %v", err)
	}
	// A site that was not started for it has no such page.
	clubtest.OpenEmpty(t, "").Browser().Get("/setup?token=").Want(404)
}

func TestSetUpSaysEverythingThatIsWrongAtOnce(t *testing.T) {
	k := clubtest.OpenEmpty(t, token)
	b := k.Browser()
	form := setUpForm(t, b, "name", "", "zone", "Mars/Base", "courts", "201", "opens", "late", "slot_minutes", "2", "day_price", "dear", "username", "a b", "password", "short", "again", "shirt")
	p := b.Send("/setup", form).Want(422)
	for id, words := range map[string]string{"name": "不能为空", "zone": "须为时区", "courts": "须在 1 到 200 之间", "opens": "须为时间", "day_price": "须为金额",
		"username": "不能有空格", "password": "须为 10 到 200 个字符", "again": "两次输入不一致"} {
		wantFault(t, p, id, words)
	}
	p.Has(`value="Mars/Base"`, `value="late"`, `value="dear"`, `value="a b"`).HasNot("short", "shirt")
	form = setUpForm(t, b, "names", "甲\r\n\r\n"+strings.Repeat("长", 41), "opens", "22:00", "closes", "21:00", "peak_price", "1", "peak_from", "25:00")
	p = b.Send("/setup", form).Want(422)
	wantFault(t, p, "closes", "须晚于开门时间")
	wantFault(t, p, "names", "不能超过 40 个字符")
	wantFault(t, p, "peak_from", "须晚于开始时间")
	if _, _, _, err := k.App.Venue(t.Context()); !domain.IsReason(err, "not_set_up") {
		t.Errorf("half a venue was made: %v", err)
	}
	form = setUpForm(t, b, "names", " 甲 \r\n乙\n", "courts", "nonsense")
	b.Send("/setup", form).WantRedirect("/owner/start?said=made")
	v, courts, _, err := k.App.Venue(t.Context())
	clubtest.Must(t, err)
	if len(courts) != 2 || courts[0].Name != "甲" || courts[1].Name != "乙" || len(v.Prices) != 1 || v.Prices[0].PriceFen != 4000 {
		t.Errorf("%+v %+v", courts, v.Prices)
	}
}

// TestHoursThatLeaveARemainder: what makes no slot is said while the form is filled in,
// and again once the venue is there; so is that nobody can pay online.
func TestHoursThatLeaveARemainder(t *testing.T) {
	k := clubtest.OpenEmpty(t, token)
	b := k.Browser()
	form := setUpForm(t, b)
	b.Send("/setup/hours", form).Want(200).Says("每天 9 场，最后一场 20:30–22:00").HasNot("不成一场", "<html")
	form.Set("opens", "9:00")
	b.Send("/setup/hours", form).Want(200).Says("每天 8 场", "最后 60 分钟不成一场")
	for _, wrong := range [][2]string{{"opens", "25"}, {"opens", "late"}, {"slot_minutes", ""}, {"closes", "8:00"}} {
		bad := url.Values{"token": {token}, "csrf": form["csrf"], "opens": {"9:00"}, "closes": {"22:00"}, "slot_minutes": {"90"}}
		bad.Set(wrong[0], wrong[1])
		b.Send("/setup/hours", bad).Want(200).HasNot("不成一场", "每天")
	}
	b.Send("/setup/hours", url.Values{"csrf": form["csrf"], "opens": {"9:00"}, "closes": {"22:00"}, "slot_minutes": {"90"}}).Want(403)
	form.Set("password", "short")
	b.Send("/setup", form).Want(422).Says("最后 60 分钟不成一场")
	form.Set("password", "a-long-password")
	b.Send("/setup", form).WantRedirect("/owner/start?said=made")
	b.Get("/owner/start").Says("周一 09:00–22:00", "最后 60 分钟不成一场")
	b.Send("/setup/hours", url.Values{"csrf": {b.Token()}, "token": {token}}).Want(404)
}

func TestNobodyCanPayOnlineYet(t *testing.T) {
	real, demo := clubtest.Open(t, false).Owner(), clubtest.Open(t, true).Owner()
	const says = "还没有接通网上付款"
	real.Get("/owner/start").Want(200).Says(says, "10 分钟内要到前台付款")
	real.Get("/owner").Want(200).Says(says)
	demo.Get("/owner/start").Want(200).HasNot(says)
	demo.Get("/owner").Want(200).HasNot(says)
}
