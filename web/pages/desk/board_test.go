package desk_test

import (
	"fmt"
	"html"
	"net/http/httptest"
	"strings"
	"testing"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func TestBoardSaysWhatEverySlotIs(t *testing.T) {
	d := open(t)
	a, b := d.Customer("13800138000"), d.Customer("13900139000")
	code, _ := a.Ticket("slot", clubtest.Slot(t, "c1", "11:30"))
	b.Ticket("slot", clubtest.Slot(t, "c2", "11:30"))
	d.sold("早走的", "", "cash", "c3", "10:00")
	d.sold("王小明", "13611112222", "on_arrival", "c3", "14:30")
	d.sold("李雷", "", "cash", "c4", "14:30")
	owner := d.Owner()
	boss, err := d.App.WhoIs(t.Context(), owner.Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = d.App.MakeClosure(t.Context(), boss, app.ClosureRequest{Courts: []string{"c6"}, From: clubtest.At(t, "2026-12-10T13:00:00+08:00"),
		To: clubtest.At(t, "2026-12-10T16:00:00+08:00"), Reason: "换灯"}, "")
	clubtest.Must(t, err)
	d.SetClock("2026-12-10T11:20:00+08:00")
	d.desk.Post("/desk/checkins", "code", code).Want(200)
	d.SetClock("2026-12-10T13:05:00+08:00")
	b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	b.Book("slot", clubtest.Slot(t, "c2", "17:30"))
	p := d.desk.Get("/desk").Want(200)
	d.says(p, "c1", "08:30", "past", "– 空场")
	d.says(p, "c3", "10:00", "completed", "■ 打完 · 现金 早走的 10:00 到")
	d.says(p, "c1", "11:30", "completed", "■ 打完 · 沙箱 13800138000 11:20 到")
	d.says(p, "c2", "11:30", "no_show", "! 爽约 · 沙箱 13900139000")
	d.says(p, "c1", "13:00", "free", "+ 可订 ￥40")
	d.says(p, "c3", "14:30", "held", "… 待付款 · 到场付 王小明 13611112222 至 14:30")
	d.says(p, "c4", "14:30", "confirmed", "✓ 已付 · 现金 李雷")
	d.says(p, "c1", "17:30", "held", "… 待付款 · 未付 13900139000 至 13:15")
	d.says(p, "c6", "14:30", "closed", "✕ 封场")
	p.Says("可订 30", "待付款 3", "已付 1", "在场 0", "打完 2", "爽约 1")
	if strings.Count(p.Body, `<tr class="now">`) != 1 || !strings.Contains(clubtest.Around(p.Body, `<tr class="now">`, "</tr>"), "13:00") {
		t.Error("the row of now is not marked")
	}
	d.SetClock("2026-12-10T14:35:00+08:00")
	p = d.desk.Get("/desk")
	d.says(p, "c4", "14:30", "late", "? 未到 · 现金 李雷")
	d.says(p, "c3", "14:30", "free", "+ 可订 ￥40 另有记录 +1")
	p.Says("已付 1 未到 1")
}

func TestBoardInEnglish(t *testing.T) {
	d := open(t)
	d.desk.Cookies["courtd_lang"] = "en"
	d.sold("Anna", "13611112222", "cash", "c1", "14:30")
	p := d.desk.Get(d.at("c1", "14:30")).Want(200)
	d.says(p, "c1", "14:30", "confirmed open", "✓ paid · cash Anna 13611112222")
	wantPanel(t, p, "Today 12-10", "paid", "Move", "Give money back", "Cancel the order", "It is paid, and nobody has checked in: if nobody does, it is a no-show at 16:00.")
	for _, zh := range []string{"取消", "付款", "看板", "现金"} {
		if strings.Contains(p.Text(), zh) {
			t.Errorf("the English page says %q", zh)
		}
	}
}

// The board at another instant is unmistakable, and nothing can be done on it.
func TestBoardAsOf(t *testing.T) {
	d := open(t)
	a := d.Customer("13800138000")
	a.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	d.SetClock("2026-12-10T10:05:00+08:00")
	for _, row := range []struct{ at, class, words, banner string }{
		{"2026-12-10T09:59", "free", "+ 可订 ￥60", "这是 2026-12-10 09:59:00 的看板"},
		{"2026-12-10T10:00:00", "held", "… 待付款 · 未付 13800138000 至 10:10", "这是 2026-12-10 10:00:00 的看板"},
		{"2026-12-10T10:05", "held", "… 待付款 · 未付 13800138000 至 10:10", "这是 2026-12-10 10:05:00 的看板"},
		{"2026-12-10T10:09:59", "held", "… 待付款 · 未付 13800138000 至 10:10", "如果从现在起没有人操作"},
		{"2026-12-10T10:10:00", "free", "+ 可订 ￥60 另有记录 +1", "如果从现在起没有人操作"},
	} {
		p := d.desk.Get(d.at("c1", "17:30", "at", row.at)).Want(200).Says(row.banner, "只能看，不能操作", "回到现在")
		d.says(p, "c1", "17:30", row.class+" open", row.words)
		if strings.Contains(clubtest.Around(p.Body, `<aside`, `</aside>`), "<form") || strings.Contains(p.Body, "data-move=") || strings.Contains(p.Body, " data-free") {
			t.Errorf("at %s something can be done", row.at)
		}
		wantPanel(t, p, "不能操作", "为什么是这样")
	}
	p := d.desk.Get("/desk?at=2026-12-10T10:00").Has(`data-changes-at="0"`, "at=2026-12-10T09%3A45", "at=2026-12-10T10%3A15", `下次变化 10:10`)
	if strings.Contains(d.cell(p, "c1", "17:30"), "10:10") == false || !strings.Contains(d.cell(p, "c1", "17:30"), "at=2026-12-10T10%3A00") {
		t.Error("the cells do not keep the instant")
	}
	d.desk.Get("/desk?at=2026-12-11T09:00").Says("明天 12-11")
	d.desk.Get("/desk").Has(`value="2026-12-10T10:05"`).HasNot("这是 2026")
	for _, bad := range []string{"at=noon", "at=1960-01-01T00:00", "date=2026-13-01", "date=1999-01-01"} {
		d.desk.Get("/desk?" + bad).Want(422)
	}
}

// The part that asks for itself again is answered 304 until something changes.
func TestBoardKeepsItselfFresh(t *testing.T) {
	d := open(t)
	d.Customer("13800138000").Book("slot", clubtest.Slot(t, "c1", "17:30"))
	p := d.desk.Get("/desk")
	p.Has(fmt.Sprintf(`data-changes-at="%d"`, clubtest.At(t, "2026-12-10T10:10:00+08:00")), `hx-get="/desk/board?date=2026-12-10"`)
	etag := html.UnescapeString(clubtest.Around(p.Body, `data-etag="`, `"`))
	d.SetClock("2026-12-10T10:09:59+08:00")
	if again := d.part("/desk/board?date=2026-12-10", etag).Want(304); again.Body != "" || again.Header.Get("X-Courtd-Now") == "" {
		t.Errorf("304 with %d bytes", len(again.Body))
	}
	d.SetClock("2026-12-10T10:10:00+08:00")
	p = d.part("/desk/board?date=2026-12-10", etag).Want(200).Has(`id="board"`, `data-live`).HasNot("<html")
	d.says(p, "c1", "17:30", "free", "+ 可订 ￥60 另有记录 +1")
	etag = p.Header.Get("ETag")
	d.sold("王小明", "", "cash", "c2", "17:30")
	d.part("/desk/board?date=2026-12-10", etag).Want(200).Says("王小明")
	d.desk.Get("/desk/board?date=nonsense").Want(422)
}

func TestPanelAlone(t *testing.T) {
	d := open(t)
	d.sold("王小明", "", "cash", "c2", "17:30")
	at := strings.Replace(d.at("c2", "17:30"), "/desk?", "/desk/slot?", 1)
	d.part(at, "").Want(200).Says("2号场 17:30–19:00", "王小明").HasNot("<html", `data-board`)
	d.desk.Get(at).WantRedirect(d.at("c2", "17:30"))
	wantPanel(t, d.desk.Get(d.at("c9", "17:30")), "这一天没有这个场次")
	wantPanel(t, d.desk.Get(d.at("c2", "17:30", "date", "2026-12-11")), "这一天没有这个场次")
	d.desk.Get("/desk").HasNot(`class="panel"`)
}

func TestDaysWithoutSlots(t *testing.T) {
	d := open(t)
	owner := d.Owner()
	boss, err := d.App.WhoIs(t.Context(), owner.Cookies["courtd_session"])
	clubtest.Must(t, err)
	p := d.desk.Get("/desk?date=2026-12-20").Want(200)
	d.says2(p, "c1", "2026-12-20", "08:30", "not_open", "+ 未开放 ￥80")
	for n := 1; n <= 6; n++ {
		_, err := d.App.ChangeCourt(t.Context(), boss, fmt.Sprintf("c%d", n), func(c *sqlite.Court) error { c.Active = false; return nil })
		clubtest.Must(t, err)
	}
	d.desk.Get("/desk").Want(200).Says("还没有场地")
}

// Where a slot is given up by whoever is late, it can be sold again, and the one who
// was late can still be let in until it is.
func TestSlotThatWasGivenUp(t *testing.T) {
	d := open(t)
	boss, err := d.App.WhoIs(t.Context(), d.Owner().Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = d.App.ChangeVenue(t.Context(), boss, "policy", func(v *sqlite.Venue) error { v.Policy.ReleaseAfterMinutes = 15; return nil })
	clubtest.Must(t, err)
	o := d.sold("王小明", "", "cash", "c1", "14:30")
	d.SetClock("2026-12-10T14:45:00+08:00")
	p := d.desk.Get(d.at("c1", "14:30"))
	d.says(p, "c1", "14:30", "free open", "+ 可订 ￥40 另有记录 +1")
	wantPanel(t, p, "为顾客预订", "王小明", "撤销爽约")
	d.wantSaid(d.submit(p, "/desk/orders", "name", "李雷", "pay", "cash"), "booked", "已预订")
	p = d.desk.Get(d.at("c1", "14:30"))
	d.says(p, "c1", "14:30", "playing open", "▶ 在场 · 现金 李雷 14:45 到 另有记录 +1")
	wantPanel(t, p, "这个场次的其他订单", o.Number+" 王小明")
	undo := "/desk/reservations/" + o.Reservations[0].ID + "/undo-no-show"
	p = d.submit(d.desk.Get("/desk/orders/"+o.ID), undo, "reason", "来了").Want(409).Says("场次已被占用")
	p.Has(`value="来了"`)
}

func (d day) says2(p clubtest.Page, court, date, clock, class, words string) {
	d.t.Helper()
	cell := clubtest.Around(p.Body, `<a id="s-`+clubtest.SlotOn(d.t, court, date, clock)+`"`, "</a>")
	got := strings.Join(strings.Fields(html.UnescapeString(clubtest.Tags.ReplaceAllString("<"+cell, " "))), " ")
	if !strings.Contains(cell, `class="cell `+class+`"`) || got != words {
		d.t.Errorf("%s %s %s reads %q: %s", court, date, clock, got, cell)
	}
}

// Names are text wherever they stand, long ones whole for whoever asks.
func TestHostileNamesOnTheBoard(t *testing.T) {
	d := open(t)
	nasty, long := `<script>alert("a")</script>`, strings.Repeat("🏸", 40)
	d.sold(nasty, "", "cash", "c1", "17:30")
	o := d.sold(long, "", "cash", "c2", "17:30")
	p := d.desk.Get(d.at("c1", "17:30")).HasNot("<script>alert").Has("&lt;script&gt;alert(&#34;a&#34;)&lt;/script&gt;", long)
	if !strings.Contains(d.cell(p, "c2", "17:30"), `title="`+o.Number+` `+long) {
		t.Error("a long name is not whole in its title")
	}
	d.desk.Get("/desk/find?q=%3Cscript").HasNot("<script>alert").Says(nasty)
	d.desk.Get("/desk/orders/" + o.ID).Says(long)
	d.submit(d.desk.Get(d.at("c3", "17:30")), "/desk/orders", "name", nasty+"\x00", "phone", nasty, "pay", "cash").Want(422).HasNot("<script>alert")
}

func TestDeskIsForStaff(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "13611112222", "on_arrival", "c1", "17:30")
	r := o.Reservations[0].ID
	for _, b := range []*clubtest.Browser{d.Browser(), d.Customer("13611112222")} {
		b.Get("/desk").WantRedirect("/desk/login?next=%2Fdesk")
		for _, path := range []string{"/desk/board", "/desk/slot", "/desk/find", "/desk/orders/" + o.ID} {
			if p := b.Get(path).Want(303); !strings.HasPrefix(p.Location, "/desk/login?next=") {
				t.Errorf("%s goes on to %s", path, p.Location)
			}
		}
		for _, path := range []string{"/desk/orders", "/desk/orders/" + o.ID + "/paid", "/desk/orders/" + o.ID + "/cancel", "/desk/orders/" + o.ID + "/handover",
			"/desk/orders/" + o.ID + "/forgive", "/desk/orders/" + o.ID + "/refunds", "/desk/orders/" + o.ID + "/refunds/x/confirm",
			"/desk/reservations/" + r + "/move", "/desk/reservations/" + r + "/undo-no-show"} {
			b.Post(path, "by", "venue", "reason", "x", "due", "6000").WantRedirect("/desk/login?next=%2Fdesk")
		}
	}
	if d.order(o.ID).State != "held" {
		t.Error("somebody else acted on the order")
	}
	b := d.Browser()
	b.Post("/desk/login", "username", "desk", "password", "wrong password").Want(401).Says("用户名或密码错误").Has(`value="desk"`)
	b.Get("/desk").Want(303)
	// The desk sees nothing of the owner's pages; the owner sees the desk's.
	d.desk.Get("/desk").HasNot(`href="/owner`)
	d.desk.Get("/owner").Want(403)
	d.Owner().Get("/desk").Want(200).Has(`href="/owner"`)
}

// Whoever comes back by address to where only forms lead finds a page.
func TestFormsByAddress(t *testing.T) {
	d := open(t)
	o := d.sold("王小明", "", "cash", "c1", "17:30")
	for _, act := range []string{"paid", "cancel", "handover", "forgive", "refunds", "refunds/x/confirm"} {
		d.desk.Get("/desk/orders/" + o.ID + "/" + act).WantRedirect("/desk/orders/" + o.ID)
	}
	d.desk.Get("/desk/orders").WantRedirect("/desk")
	d.desk.Get("/desk/reservations/x/move").WantRedirect("/desk")
	d.desk.Get("/desk/orders/nonsense").Want(404)
	d.desk.Do(httptest.NewRequest("HEAD", "/desk", nil)).Want(200)
}
