package records_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
	"courtd/web/pages/records"
)

// actsOfTheProgram finds what the audit can say was done, in the program's source.
// Where an action is put together, the parts that come after are given in ends.
func actsOfTheProgram(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	var changes []string // what ChangeVenue is told
	ends := map[string][]string{"change ": nil, "stock ": {"receipt", "adjust"}}
	text := func(e ast.Expr) (string, bool) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(lit.Value)
		return s, err == nil
	}
	var prefixes []string
	look := func(place string, e ast.Expr) {
		if s, ok := text(e); ok {
			out[s] = true
			return
		}
		if sum, ok := e.(*ast.BinaryExpr); ok {
			if s, ok := text(sum.X); ok {
				if _, known := ends[s]; known {
					prefixes = append(prefixes, s)
					return
				}
			}
		}
		if name, ok := e.(*ast.Ident); !ok || name.Name != "action" {
			t.Errorf("%s: an action of the audit that this test cannot read", place)
		}
	}
	walk := func(path string, n ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			fun, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return
			}
			switch {
			case fun.Sel.Name == "audit" && len(n.Args) == 4:
				look(path, n.Args[0])
			case fun.Sel.Name == "onOrder" && len(n.Args) >= 7:
				look(path, n.Args[3])
			case (fun.Sel.Name == "ChangeVenue" || fun.Sel.Name == "ChangeMessages") && len(n.Args) >= 4:
				if what, ok := text(n.Args[2]); ok {
					changes = append(changes, what)
				} else {
					t.Errorf("%s: a change is told something that this test cannot read", path)
				}
			}
		case *ast.CompositeLit:
			if row, ok := n.Type.(*ast.SelectorExpr); !ok || row.Sel.Name != "AuditRow" {
				return
			}
			for _, field := range n.Elts {
				if pair, ok := field.(*ast.KeyValueExpr); ok && pair.Key.(*ast.Ident).Name == "Action" {
					look(path, pair.Value)
				}
			}
		}
	}
	for _, top := range []string{"../../../app", "../../../web"} {
		clubtest.Must(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "pages/records") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				ast.Inspect(file, func(n ast.Node) bool { walk(path, n); return true })
			}
			return err
		}))
	}
	ends["change "] = changes
	for _, prefix := range prefixes {
		for _, end := range ends[prefix] {
			out[prefix+end] = true
		}
	}
	return out
}

func TestEveryActHasWords(t *testing.T) {
	found, words := actsOfTheProgram(t), records.Acts()
	if len(found) < 20 {
		t.Fatalf("only %d acts were found in the source", len(found))
	}
	for action := range found {
		if w := words[action]; w[0] == "" || w[1] == "" || w[0] == w[1] {
			t.Errorf("%q has no words in both languages", action)
		}
	}
	for action := range words {
		if !found[action] {
			t.Errorf("there are words for %q, which nothing does", action)
		}
	}
}

// record writes an act straight into the audit.
func (h *hall) record(a sqlite.AuditRow) {
	h.t.Helper()
	clubtest.Must(h.t, h.DB.Write(h.t.Context(), func(tx *sqlite.Tx) error { return tx.Audit(a) }))
}

func TestActsAreToldWithNames(t *testing.T) {
	h := open(t)
	made := h.sell("李雷", "c1", "2026-12-10", "17:30")
	_, err := h.App.MoveReservation(t.Context(), h.me, made.Reservations[0].ID, app.SlotRef{Court: "c2", Start: clubtest.At(t, "2026-12-10T11:30:00+08:00")}, "要早点", "")
	clubtest.Must(t, err)
	_, err = h.App.Goodwill(t.Context(), h.me, made.ID, 500, "灯坏了", "")
	clubtest.Must(t, err)
	_, err = h.App.MakeClosure(t.Context(), h.me, app.ClosureRequest{Courts: []string{"c3", "c4"}, From: clubtest.At(t, "2026-12-11T08:30:00+08:00"),
		To: clubtest.At(t, "2026-12-11T12:00:00+08:00"), Reason: "地板翻新"}, "")
	clubtest.Must(t, err)
	_, err = h.App.MoveStock(t.Context(), h.me, "g1", "receipt", 24, "进货", "")
	clubtest.Must(t, err)
	h.record(sqlite.AuditRow{Actor: "gone", Role: "owner", Action: "tame a dragon", Target: "Smaug", Detail: map[string]any{"heads": 3, "of": map[string]any{"fire": true}}})
	p := h.owner.Get("/owner/audit").Want(200)
	p.Says("代客订场", "订单 "+made.Number+" · 馆主 (馆主)", "名称 李雷 付款 现金",
		"改期", "原因: 要早点", "差价 −￥20 原场地 1号场 原开始 2026-12-10 17:30 到场地 2号场 开始 2026-12-10 11:30",
		"额外退款", "原因: 灯坏了 金额 ￥5",
		"封场", "场地 3号场、4号场 从 2026-12-11 08:30 到 2026-12-11 12:00 涉及场次 0",
		"商品进货", "羽毛球 一筒 · 馆主", "数量 24",
		"tame a dragon", "Smaug · gone", `heads 3 of {"fire":true}`)
	p.Has(`href="/orders/`+made.ID+`"`, `href="/owner/closures"`, `href="/owner/goods"`)
	if newest, oldest := strings.Index(p.Text(), "tame a dragon"), strings.Index(p.Text(), "订单 "+made.Number); newest > oldest {
		t.Error("the newest act does not come first")
	}
	h.owner.Get("/owner/audit?lang=en").Want(303)
	h.owner.Get("/owner/audit").Says("Booked for a caller", "Order "+made.Number+" · 馆主 (owner)", "Name 李雷 Payment cash", "Courts 3号场, 4号场 From 2026-12-11 08:30", "Refunded out of goodwill")
	file := h.owner.Get("/owner/audit.csv").Want(200)
	if !strings.HasPrefix(file.Body, "\xef\xbb\xbf") || strings.Count(file.Body, "\r\n") < 7 {
		t.Errorf("the file: %q", file.Body)
	}
	file.Has(`"代客订场 Booked for a caller","订单 ` + made.Number)
}

// TestChangesOfSettingsAreTold as they were and as they are, and no setting besides.
func TestChangesOfSettingsAreTold(t *testing.T) {
	h := open(t)
	_, err := h.App.ChangeVenue(t.Context(), h.me, "policy", func(v *sqlite.Venue) error {
		v.Policy.HoldMinutes, v.Policy.RefundLadder[0].Percent = 15, 90
		return nil
	})
	clubtest.Must(t, err)
	_, err = h.App.ChangeVenue(t.Context(), h.me, "hours", func(v *sqlite.Venue) error {
		v.Calendar.Hours.Weekly[1].Closed = true
		return nil
	})
	clubtest.Must(t, err)
	_, err = h.App.ChangeMessages(t.Context(), h.me, "messages", func(m *domain.Messages) error {
		m.Routes = map[string][]string{"paid": {"sms", "mail"}, "held": {}}
		m.Texts = map[string]domain.MessageText{"paid": {Title: "<b>好</b>", Text: strings.Repeat("长", 150), TitleEN: "Good", TextEN: "Paid"}}
		return nil
	})
	clubtest.Must(t, err)
	_, err = h.App.ChangeMessages(t.Context(), app.Actor{Role: app.RoleSystem, ID: "start"}, "channels", func(m *domain.Messages) error {
		m.SetUp = []string{"sms"}
		return nil
	})
	clubtest.Must(t, err)
	_, err = h.App.ChangeMessages(t.Context(), h.me, "webhooks", func(m *domain.Messages) error {
		m.Webhooks = []domain.Webhook{{ID: "w", URL: "https://venue.example/hook?token=hunter2", Kinds: []string{"order.paid"}, Generation: 1, Active: true}}
		return nil
	})
	clubtest.Must(t, err)
	h.owner.Get("/owner/audit").Says("事件推送 · w · 地址 无 → https://venue.example/hook?…").HasNot("hunter2", "事件推送 · w · 编号")
	page := h.owner.Get("/owner/audit").Says("消息设置 · 程序 已接通的渠道 无 → sms", "规则 · 付款时限（分钟） 10 → 15 规则 · 退款阶梯 · 1 · 退还（%） 100 → 90",
		"营业时间 · 每周 · 周一 · 停业 否 → 是", "渠道 · held 无 → 空 渠道 · paid 无 → sms, mail",
		"文案 · paid · 标题 无 → <b>好</b>", strings.Repeat("长", 120)+"…")
	if strings.Contains(page.Text(), strings.Repeat("长", 121)) || strings.Count(page.Text(), "→") != 14 {
		t.Errorf("too much is told: %s", page.Text())
	}
	h.owner.Get("/owner/audit?lang=en").Want(303)
	h.owner.Get("/owner/audit").Says("hours · weekly · Monday · closed no → yes")
	h.owner.Get("/owner/audit.csv").Want(200).Has("规则 · 付款时限（分钟） policy · minutes to pay: 10 → 15")
}

func TestTheAuditIsSearched(t *testing.T) {
	h := open(t)
	desk := h.Desk()
	at := func(clock string) { h.SetClock("2026-12-" + clock + ":00+08:00") }
	at("10T10:30")
	made := h.sell("李雷", "c1", "2026-12-12", "17:30")
	at("11T10:30")
	staff, err := h.App.WhoIs(t.Context(), desk.Cookies["courtd_session"])
	clubtest.Must(t, err)
	_, err = h.App.CancelAtDesk(t.Context(), staff, made.ID, "venue", "漏水 100%", "")
	clubtest.Must(t, err)
	const booked, cancelled = "名称 李雷", "原因: 漏水 100%"
	for query, want := range map[string][2]bool{
		"": {true, true}, "?q=" + made.Number: {true, true}, "?q=100%25": {false, true}, "?q=%E6%9D%8E%E9%9B%B7": {true, false}, "?q=nothing": {false, false},
		"?actor=" + staff.ID: {false, true}, "?actor=" + h.me.ID: {true, false}, "?action=cancel+order": {false, true}, "?action=cancel": {false, false},
		"?from=2026-12-11": {false, true}, "?until=2026-12-10": {true, false}, "?from=2026-12-10&until=2026-12-11": {true, true}, "?from=2026-12-12": {false, false},
	} {
		p := h.owner.Get("/owner/audit" + query).Want(200)
		text := p.Text()
		if got := [2]bool{strings.Contains(text, booked), strings.Contains(text, cancelled)}; got != want {
			t.Errorf("%s finds %v, want %v", query, got, want)
		}
		if want == [2]bool{} {
			p.Says("没有找到操作记录").HasNot(".csv")
		}
	}
	h.owner.Get("/owner/audit?q=%22%3E%3Cb%3E&action=cancel+order&actor=nobody").Has(`value="&#34;&gt;&lt;b&gt;"`, `<option value="cancel order" selected>`, `<option value="nobody" selected>`)
	for query, field := range map[string]string{"?from=2026-12-11&until=2026-12-10": "until", "?from=now": "from", "?q=" + strings.Repeat("x", domain.MaxNoteChars+1): "q"} {
		h.owner.Get("/owner/audit" + query).Want(422).Has(`id="` + field + `-wrong"`)
	}
	h.owner.Get("/owner/audit?cursor=x").Want(422)
}

func TestTheAuditIsPaged(t *testing.T) {
	h := open(t)
	for range 120 {
		h.record(sqlite.AuditRow{Actor: h.me.ID, Role: "owner", Action: "change policy", Target: "venue"})
	}
	path, seen, turns := "/owner/audit?action=change+policy", 0, 0
	for path != "" {
		p := h.owner.Get(path).Want(200)
		seen += strings.Count(p.Body, `<li class="card">`)
		path = ""
		for _, link := range strings.Split(p.Body, `href="`)[1:] {
			if address, rest, _ := strings.Cut(link, `"`); strings.HasPrefix(rest, ">更早") {
				path = html.UnescapeString(address)
			}
		}
		if turns++; turns > 3 {
			t.Fatal("the list does not end")
		}
	}
	if seen != 120 || turns != 3 {
		t.Errorf("%d acts on %d pages", seen, turns)
	}
	if n := strings.Count(h.owner.Get("/owner/audit.csv?action=change+policy").Body, "\r\n"); n != 121 {
		t.Errorf("%d lines in the file, want a heading and 120 acts", n)
	}
}

// The file holds everything that was asked for, however much that is.
func TestTheAuditFileIsWhole(t *testing.T) {
	h := open(t)
	const many = 10_503
	clubtest.Must(t, h.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
			INSERT INTO audit (at, actor, role, action, target, reason, detail) SELECT ?2, '', 'system', 'change policy', 'venue', 'act ' || i || '.', '{}' FROM n`,
			many, tx.Now)
		return err
	}))
	lines := strings.Split(strings.TrimSuffix(h.owner.Get("/owner/audit.csv?action=change+policy").Want(200).Body, "\r\n"), "\r\n")
	if len(lines) != many+1 {
		t.Fatalf("%d lines in the file, want a heading and %d acts", len(lines), many)
	}
	for i, line := range lines[1:] {
		if want := fmt.Sprintf(`"act %d."`, many-i); !strings.Contains(line, want) {
			t.Fatalf("line %d is %s, want %s", i+2, line, want)
		}
	}
}
