package web_test

import (
	"net/http"
	"strings"
	"testing"
)

const reports = "/api/v1/owner/reports/"

func TestReports(t *testing.T) {
	s := open(t)
	s.send(ask{method: http.MethodPut, path: "/api/v1/owner/goods/g1", token: s.owner, body: `{"name":"=HYPERLINK(\"x\")"}`}).wants(200)
	id := s.post("/api/v1/orders", s.customer, `{"slots":[{"court":"c1","start":"`+evening+`"}],"goods":[{"id":"g1","qty":2}]}`).wants(201).str("id")
	s.pay(s.customer, id)
	span := "?from=2026-12-10&until=2026-12-11"

	takings := s.get(reports+"takings"+span, s.owner).wants(200)
	if total := takings.json["total"].(map[string]any); total["in"] != 12000.0 || total["net"] != 12000.0 || len(takings.json["days"].([]any)) != 2 {
		t.Errorf("takings %s", takings.text)
	}
	use := s.get(reports+"utilisation"+span+"&court=c1", s.owner).wants(200)
	if total := use.json["total"].(map[string]any); total["used"] != 1.0 || total["offered"] != 18.0 || total["percent"] != 5.6 || use.str("court", "id") != "c1" {
		t.Errorf("utilisation %s", use.text)
	}
	rates := s.get(reports+"rates"+span, s.owner).wants(200)
	if total := rates.json["total"].(map[string]any); total["lapse_percent"] != 0.0 || total["no_show_percent"] != nil {
		t.Errorf("rates %s", rates.text)
	}
	goods := s.get(reports+"goods"+span, s.owner).wants(200)
	if goods.str("goods", "id") != "g1" || goods.json["total"].(map[string]any)["revenue"] != 6000.0 || goods.str("from") != "2026-12-10" {
		t.Errorf("goods %s", goods.text)
	}
	for name, row := range map[string]string{
		"takings": "\"2026-12-10\",\"sandbox\",120.00,1,0.00,0,120.00,0.00,0,0.00,0\r\n", "utilisation": "\"全部 All\",\"周四 Thu\",\"17:30\",1,6,16.7\r\n",
		"rates": "\"合计 Total\",1,0,1,", "goods": "\"g1\",\"'=HYPERLINK(\"\"x\"\")\",2,60.00,0,0.00\r\n",
	} {
		table := s.get(reports+name+".csv"+span, s.owner).wants(200)
		if !strings.HasPrefix(table.text, "\uFEFF\"") || !strings.Contains(table.text, row) || !strings.HasSuffix(table.text, "\r\n") {
			t.Errorf("%s: %q lacks %q", name, table.text, row)
		}
		if got := table.header.Get("Content-Type"); got != "text/csv; charset=utf-8" {
			t.Errorf("%s is %s", name, got)
		}
		if got := table.header.Get("Content-Disposition"); got != `attachment; filename="courtd-`+name+`-2026-12-10-to-2026-12-11.csv"` {
			t.Errorf("%s is sent as %s", name, got)
		}
		for query, field := range map[string]string{"": "from", "?from=2026-12-10": "until", "?from=2026-12-11&until=2026-12-10": "until",
			"?from=2026-01-01&until=2027-01-02": "until", "?from=10.12.2026&until=2026-12-10": "from", span + "&to=x": "to"} {
			for _, suffix := range []string{"", ".csv"} {
				s.get(reports+name+suffix+query, s.owner).wants(422, "invalid_field").blames(field)
			}
		}
	}
	s.get(reports+"utilisation"+span+"&court=c9", s.owner).wants(422, "invalid_field").blames("court")
}

func TestAuditSearch(t *testing.T) {
	s := open(t)
	s.put("/api/v1/owner/goods/g1", `{"name":"<b>毛巾</b>"}`).wants(200)
	s.post("/api/v1/owner/goods/g1/receipts", s.owner, `{"qty":5}`).wants(200)
	s.post("/api/v1/owner/goods/g2/receipts", s.owner, `{"qty":5}`).wants(200)
	me := "" // two have signed in, which is recorded too
	for query, want := range map[string]int{
		"": 5, "?q=%E6%AF%9B%E5%B7%BE": 1, "?q=%3Cb%3E": 1, "?q=RECEIPT": 2, "?q=%25": 0, "?actor=nobody": 0, "?action=stock+receipt": 2, "?action=stock": 0,
		"?from=2026-12-10&until=2026-12-10": 5, "?until=2026-12-09": 0, "?from=2026-12-11": 0, "?q=receipt&limit=1": 1,
	} {
		got := s.get("/api/v1/owner/audit"+query, s.owner).wants(200)
		if items := got.json["items"].([]any); len(items) != want {
			t.Errorf("%q finds %d, want %d: %s", query, len(items), want, got.text)
		} else if want > 0 {
			if got.str("items", "actor_name") != "馆主" {
				t.Errorf("by whom: %s", got.text)
			}
			me = got.str("items", "actor")
		}
	}
	if got := s.get("/api/v1/owner/audit?q=receipt&actor="+me, s.owner).wants(200); len(got.json["items"].([]any)) != 2 {
		t.Errorf("by me: %s", got.text)
	}
	first := s.get("/api/v1/owner/audit?q=receipt&limit=1", s.owner).wants(200)
	second := s.get("/api/v1/owner/audit?q=receipt&limit=1&cursor="+first.str("next"), s.owner).wants(200)
	if second.str("items", "target") != "g1" || second.json["next"] != nil {
		t.Errorf("the second page: %s", second.text)
	}
	for query, field := range map[string]string{"?from=x": "from", "?until=2026-2-3": "until", "?from=2026-12-10&until=2026-12-09": "until", "?q=" + strings.Repeat("a", 201): "q"} {
		s.get("/api/v1/owner/audit"+query, s.owner).wants(422, "invalid_field").blames(field)
	}
}

func TestReconcilerViewSaysWhenItIsLate(t *testing.T) {
	s := open(t)
	if got := s.get("/api/v1/owner/reconciler", s.owner).wants(200); got.json["late"] != false || got.str("late_why") != "" {
		t.Errorf("at once: %s", got.text)
	}
	s.post("/demo/clock", "", `{"advance":"15m"}`).wants(200)
	if got := s.get("/api/v1/owner/reconciler", s.owner).wants(200); got.json["late"] != true || got.str("late_why") != "never_ran" || got.json["late_after_seconds"] != 900.0 {
		t.Errorf("after a quarter: %s", got.text)
	}
}
