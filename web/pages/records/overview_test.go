package records_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/pages/clubtest"
)

var pagesOfOwner = []string{"/owner", "/owner/glance", "/owner/reports", "/owner/reports/takings.csv", "/owner/reports/utilisation", "/owner/reports/utilisation.csv",
	"/owner/reports/rates", "/owner/reports/rates.csv", "/owner/reports/goods", "/owner/reports/goods.csv", "/owner/reconciler", "/owner/reconciler/rounds",
	"/owner/reconciler/foresee", "/owner/clock", "/owner/audit", "/owner/audit.csv"}

func TestOnlyTheOwnerSeesThem(t *testing.T) {
	h := open(t)
	desk, customer, anyone := h.Desk(), h.Customer("13800138000"), h.Browser()
	for _, path := range pagesOfOwner {
		h.owner.Get(path).Want(200)
		p := desk.Get(path).Want(403).HasNot("Content-Disposition", "￥")
		if kind := p.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
			t.Errorf("%s for the desk: %s", path, kind)
		}
		customer.Get(path).Want(303)
		anyone.Get(path).Want(303)
	}
	for _, path := range []string{"/owner/reconciler/run", "/owner/clock/accept"} {
		desk.Post(path).Want(403)
		customer.Post(path).Want(303)
		h.owner.Send(path, nil).Want(403) // without the token of its form
	}
}

func TestTheDayAtAGlance(t *testing.T) {
	h := open(t)
	h.twoDays()
	h.SetClock("2026-12-12T12:30:00+08:00")
	h.owner.Get("/owner").Want(200).Says("今天 12-12", "今日净收入 ￥0", "已订场次 0 / 54", "已到场 0", "占位中 0", "没有待办").HasNot("接下来可以做")
	h.Customer("13600136000").Book("slot", clubtest.SlotOn(t, "c1", "2026-12-12", "17:30"))
	h.Customer("13500135000").Book("slot", clubtest.SlotOn(t, "c1", "2026-12-13", "17:30"))
	sold := h.sell("李雷", "c2", "2026-12-12", "13:00")
	code := h.sell("韩梅梅", "c3", "2026-12-12", "13:00").Ticket.Code
	h.SetClock("2026-12-12T12:31:00+08:00")
	h.scan(code)
	// Saturdays cost ￥80.
	p := h.owner.Get("/owner").Says("今日净收入 ￥160", "已订场次 2 / 54", "使用率 3.7%", "已到场 1 还有 1 场待核销", "占位中 2 待付款，其中今天 1 场", "今日爽约 0")
	changes := clubtest.At(t, "2026-12-12T12:40:00+08:00")
	p.Has(`data-changes-at="` + itoa(changes) + `"`)
	h.SetClock("2026-12-12T14:30:00+08:00")
	h.owner.Get("/owner").Says("占位中 0", "今日爽约 1", "已到场 1 还有 0 场待核销")
	_, err := h.App.Goodwill(t.Context(), h.me, sold.ID, 1500, "换场地", "")
	clubtest.Must(t, err)
	h.owner.Get("/owner").Says("1 笔退款要交给顾客或人工处理").Has(`href="/desk/todo"`)
}

// What waits is counted, not listed: a list has a last row.
func TestTheDayAtAGlanceCountsMoreThanAPage(t *testing.T) {
	h := open(t)
	sold := h.sell("李雷", "c2", "2026-12-12", "13:00")
	const many = domain.MaxPageItems + 5
	for range many {
		_, err := h.App.Goodwill(t.Context(), h.me, sold.ID, 10, "换场地", "")
		clubtest.Must(t, err)
	}
	// Money that the provider sends back waits for nobody.
	b := h.Customer("13800138000")
	_, gone := b.Ticket("slot", clubtest.Slot(t, "c1", "17:30"))
	actor, err := h.App.WhoIs(t.Context(), b.Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = h.App.CancelOrder(t.Context(), actor, strings.TrimPrefix(gone, "/orders/"), "")
	clubtest.Must(t, err)
	v, err := h.App.Reconciler(t.Context())
	clubtest.Must(t, err)
	if v.RefundsForStaff != many || v.RefundsUnderWay != many+1 {
		t.Errorf("for staff %d of %d, want %d of %d", v.RefundsForStaff, v.RefundsUnderWay, many, many+1)
	}
	h.owner.Get("/owner").Says(fmt.Sprint(many, " 笔退款要交给顾客或人工处理"))
}

func TestTheGlanceKeepsItselfFresh(t *testing.T) {
	h := open(t)
	for path, part := range map[string]string{"/owner": "/owner/glance", "/owner/reconciler": "/owner/reconciler/rounds"} {
		page := h.owner.Get(path).Want(200).Has(`hx-get="` + part + `"`)
		tag := clubtest.Around(page.Body, `data-etag="`, `"`)
		ask := func() clubtest.Page {
			r := httptest.NewRequest("GET", part, nil)
			r.Header.Set("If-None-Match", strings.ReplaceAll(tag, "&#34;", `"`))
			return h.owner.Do(r)
		}
		if p := ask(); p.Status != 304 || p.Body != "" {
			t.Errorf("%s: status %d with %d bytes, though nothing has changed", part, p.Status, len(p.Body))
		}
		h.Customer("13800138000").Book("slot", clubtest.Slot(t, map[string]string{"/owner": "c1", "/owner/reconciler": "c2"}[path], "17:30"))
		if p := ask(); p.Status != 200 || !strings.HasPrefix(p.Body, `<div class="live"`) {
			t.Errorf("%s after a booking: status %d: %s", part, p.Status, p.Text())
		}
	}
}

// A venue that has just been set up is told what is left to do, one thing less
// with each that is done.
func TestNextStepsOfANewVenue(t *testing.T) {
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "new.db")})
	clubtest.Must(t, err)
	t.Cleanup(func() { db.Close() })
	quiet := slog.New(slog.DiscardHandler)
	a := app.New(app.Config{DB: db, Providers: []pay.Provider{}, Log: quiet})
	const password = "a-long-password"
	clubtest.Must(t, a.SetUpVenue(t.Context(), app.SetUp{Name: "新馆", Zone: "Asia/Shanghai", Courts: []string{"1号场"},
		Owner: app.NewStaff{Username: "boss", Name: "老板", Password: password}}))
	h := &hall{Club: clubtest.Of(t, a, db), t: t}
	h.HTTP, err = web.New(web.Config{App: a, Log: quiet})
	clubtest.Must(t, err)
	owner := h.Browser()
	owner.Post("/desk/login", "username", "boss", "password", password).WantRedirect("/desk")
	h.me, err = a.WhoIs(t.Context(), owner.Cookies["courtd_session"])
	clubtest.Must(t, err)
	desk := ""
	steps := []struct {
		href, words string
		do          func() error
	}{
		{"/owner/venue", "填写地址和电话", func() error {
			_, err := a.ChangeVenue(t.Context(), h.me, "venue", func(v *sqlite.Venue) error { v.Phone, v.Address = "021", "路 1 号"; return nil })
			return err
		}},
		{"/owner/prices", "设置不同时段的价格", func() error {
			_, err := a.ChangeVenue(t.Context(), h.me, "price rules", func(v *sqlite.Venue) error {
				v.Prices = append(domain.PriceRules{{Name: "周末", Weekdays: []int{0, 6}, PriceFen: 8000}}, v.Prices...)
				return nil
			})
			return err
		}},
		{"/owner/staff", "给前台开一个账号", func() error {
			m, err := a.AddStaff(t.Context(), h.me, app.NewStaff{Username: "desk", Password: password, Role: "desk"}, "")
			desk = m.ID
			return err
		}},
		{"/owner/goods", "添加可以一起买的商品", func() error {
			_, err := a.AddGood(t.Context(), h.me, sqlite.Good{Name: "水", PriceFen: 300, Active: true}, "")
			return err
		}},
	}
	for i := range steps {
		p := owner.Get("/owner").Want(200).Says("接下来可以做")
		for k, s := range steps {
			if there := strings.Contains(p.Text(), s.words); there != (k >= i) {
				t.Errorf("after %d steps: %q is there: %t", i, s.words, there)
			}
		}
		clubtest.Must(t, steps[i].do())
	}
	// Nobody can pay this club online: that step stays.
	p := owner.Get("/owner").Want(200).Says("接下来可以做", "还没有接通网上付款")
	for _, s := range steps {
		if strings.Contains(p.Text(), s.words) {
			t.Errorf("after all steps %q is there", s.words)
		}
	}
	gone := false
	_, err = a.ChangeStaff(t.Context(), h.me, desk, app.StaffChange{Active: &gone})
	clubtest.Must(t, err)
	owner.Get("/owner").Says("接下来可以做", "给前台开一个账号")
}
