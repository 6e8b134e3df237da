package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// tokenFor gives a token that lets one make a call.
func (s *site) tokenFor(line string) string {
	switch who[line] {
	case "customer", "signed in":
		return s.customer
	case "desk", "owner":
		return s.owner
	}
	return ""
}

// TestEveryBodyIsReadStrictly sends every call with a body what no call can use.
func TestEveryBodyIsReadStrictly(t *testing.T) {
	s := open(t)
	before, n := s.rows(), 0
	s.calls(func(line, method, path string, op operation) {
		if op.RequestBody == nil || strings.HasSuffix(line, "notify") || line == "POST /api/v1/owner/bills" {
			return
		}
		n++
		to := func(body string, header map[string]string) answer {
			return s.send(ask{method: method, path: path, token: s.tokenFor(line), body: body, header: header})
		}
		to(`{"surprise":1}`, nil).wants(422, "invalid_field").blames("surprise")
		to(`[1]`, nil).wants(422, "invalid_field").blames("body")
		to(`"text"`, nil).wants(422, "invalid_field")
		to(`{"a":`, nil).wants(400, "malformed")
		to(`not json`, nil).wants(400, "malformed")
		to(strings.Repeat("x", 1<<20), nil).wants(413, "body_too_large")
		to(`{}`, map[string]string{"Content-Type": "text/plain"}).wants(415, "unsupported_media_type")
		to(`{}`, map[string]string{"Content-Encoding": "gzip"}).wants(415, "unsupported_media_type")
		to(`a=b`, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}).wants(415, "unsupported_media_type")
		if op.RequestBody.Required {
			to("", nil).wants(400, "malformed")
		}
		wrong := to(strings.Repeat(`{"a":`, 10000)+"1"+strings.Repeat("}", 10000), nil)
		if wrong.status < 400 || wrong.status > 499 {
			t.Errorf("%s with a deep body: %d", line, wrong.status)
		}
	})
	if n < 30 {
		t.Errorf("only %d calls have bodies", n)
	}
	if s.rows() != before {
		t.Error("something was written")
	}
}

func TestEveryPathKnowsItsMethods(t *testing.T) {
	s := open(t)
	before := s.rows()
	s.calls(func(line, _, path string, _ operation) {
		for _, method := range []string{http.MethodPatch, http.MethodOptions, http.MethodTrace} {
			a := s.send(ask{method: method, path: path, token: s.tokenFor(line)}).wants(405, "method_not_allowed")
			if allow := a.header.Get("Allow"); !strings.Contains(allow, strings.Fields(line)[0]) {
				t.Errorf("%s %s: Allow %q", method, path, allow)
			}
		}
	})
	s.send(ask{method: http.MethodDelete, path: "/api/v1/orders", token: s.customer}).wants(405, "method_not_allowed")
	s.get("/api/v1/nothing", s.customer).wants(404, "not_found")
	if s.rows() != before {
		t.Error("something was written")
	}
}

// TestBadOrders is the table of orders that cannot be, by whose field is at fault.
func TestBadOrders(t *testing.T) {
	s := open(t)
	before := s.rows()
	good := `{"court":"c1","start":"` + evening + `"}`
	for name, c := range map[string]struct{ body, field string }{
		"nothing":               {`{}`, "slots"},
		"empty lists":           {`{"slots":[],"goods":[]}`, "slots"},
		"null":                  {`null`, "body"},
		"half a second":         {slot("c1", "2026-12-10T17:30:00.5+08:00"), "slots[0].start"},
		"no offset":             {slot("c1", "2026-12-10T17:30:00"), "slots[0].start"},
		"no time":               {slot("c1", "2026-12-10"), "slots[0].start"},
		"a blank for the T":     {slot("c1", "2026-12-10 17:30:00+08:00"), "slots[0].start"},
		"unix seconds":          {`{"slots":[{"court":"c1","start":1796895000}]}`, "slots[0].start"},
		"year 0":                {slot("c1", "0000-01-01T00:00:00Z"), "slots[0].start"},
		"30 February":           {slot("c1", "2027-02-30T17:30:00+08:00"), "slots[0].start"},
		"off the grid":          {slot("c1", "2026-12-10T17:31:00+08:00"), "slots[0].start"},
		"on the grid elsewhere": {slot("c1", "2026-12-10T17:30:00Z"), "slots[0].start"},
		"no such court":         {slot("c9", evening), "slots[0].court"},
		"court with NUL":        {slot("c1\\u0000", evening), "slots[0].court"},
		"no court":              {`{"slots":[{"start":"` + evening + `"}]}`, "slots[0].court"},
		"no start":              {`{"slots":[{"court":"c1"}]}`, "slots[0].start"},
		"slot twice":            {`{"slots":[` + good + `,` + good + `]}`, "slots[1]"},
		"slot twice in UTC":     {`{"slots":[` + good + `,{"court":"c1","start":"2026-12-10T09:30:00Z"}]}`, "slots[1]"},
		"nine slots":            {`{"slots":[` + strings.Repeat(good+",", 8) + good + `]}`, "slots"},
		"slots no list":         {`{"slots":` + good + `}`, "slots"},
		"slots null":            {`{"slots":[null]}`, "slots[0]"},
		"unknown in a slot":     {`{"slots":[{"court":"c1","start":"` + evening + `","price":0}]}`, "slots[0].price"},
		"capitals":              {`{"SLOTS":[` + good + `]}`, "SLOTS"},
		"negative quantity":     {`{"goods":[{"id":"g1","qty":-1}]}`, "goods[0].qty"},
		"quantity 0":            {`{"goods":[{"id":"g1","qty":0}]}`, "goods[0].qty"},
		"half a piece":          {`{"goods":[{"id":"g1","qty":1.5}]}`, "goods[0].qty"},
		"quantity as text":      {`{"goods":[{"id":"g1","qty":"2"}]}`, "goods[0].qty"},
		"far too many":          {`{"goods":[{"id":"g1","qty":1e30}]}`, "goods[0].qty"},
		"a second quantity":     {`{"goods":[{"id":"g1","qty":1,"QTY":-5}]}`, "goods[0].QTY"},
		"good twice":            {`{"goods":[{"id":"g1","qty":1},{"id":"g1","qty":1}]}`, "goods[1].id"},
		"no such good":          {`{"goods":[{"id":"g9","qty":1}]}`, "goods[0].id"},
		"coupon too long":       {`{"goods":[{"id":"g1","qty":1}],"coupon":"` + strings.Repeat("a", 200) + `"}`, "coupon"},
		"coupon of marks":       {`{"goods":[{"id":"g1","qty":1}],"coupon":"\u202eABC"}`, "coupon"},
		"a price of one's own":  {`{"slots":[` + good + `],"total":1}`, "total"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/api/v1/orders", "/api/v1/quotes"} {
				a := s.post(path, s.customer, c.body).wants(422, "invalid_field").blames(c.field)
				if strings.Contains(a.text, "e30") || strings.Contains(a.text, "struct") {
					t.Errorf("it tells too much: %s", a.text)
				}
			}
		})
	}
	if s.rows() != before {
		t.Error("something was written")
	}
}

// TestBadTexts tries names, notes, phones and keys that nobody has.
func TestBadTexts(t *testing.T) {
	s := open(t)
	long := strings.Repeat("场", 200)
	order := `{"slots":[{"court":"c1","start":"` + evening + `"}],"pay":"cash","customer":{"name":"NAME","phone":"PHONE"}}`
	deskOrder := func(name, phone string) string {
		return strings.NewReplacer("NAME", name, "PHONE", phone).Replace(order)
	}
	before := s.rows()
	for name, c := range map[string]struct{ method, path, token, body, field string }{
		"name of 200":          {"PUT", "/api/v1/me", s.customer, `{"name":"` + long + `"}`, "name"},
		"name with NUL":        {"PUT", "/api/v1/me", s.customer, `{"name":"a\u0000b"}`, "name"},
		"name turned round":    {"PUT", "/api/v1/me", s.customer, `{"name":"a\u202eb"}`, "name"},
		"name of two lines":    {"PUT", "/api/v1/me", s.customer, `{"name":"a\nb"}`, "name"},
		"name of a line break": {"PUT", "/api/v1/me", s.customer, `{"name":"\n"}`, "name"},
		"half a surrogate":     {"PUT", "/api/v1/me", s.customer, `{"name":"a\ud800"}`, "name"},
		"no UTF-8":             {"PUT", "/api/v1/me", s.customer, "{\"name\":\"a\xff\"}", "name"},
		"caller's name":        {"POST", "/api/v1/desk/orders", s.desk, deskOrder(long, "13800000003"), "customer.name"},
		"caller's phone":       {"POST", "/api/v1/desk/orders", s.desk, deskOrder("王", "12"), "customer.phone"},
		"pay with shells":      {"POST", "/api/v1/desk/orders", s.desk, strings.ReplaceAll(deskOrder("王", "13800000003"), "cash", "shells"), "pay"},
		"phone of letters":     {"POST", "/api/v1/login/code", "", `{"phone":"abcdefg"}`, "phone"},
		"phone as a number":    {"POST", "/api/v1/login/code", "", `{"phone":13800000001}`, "phone"},
		"court name":           {"POST", "/api/v1/owner/courts", s.owner, `{"name":"` + long + `"}`, "name"},
		"negative price":       {"POST", "/api/v1/owner/goods", s.owner, `{"name":"x","price":-1}`, "price"},
		"price of a fraction":  {"POST", "/api/v1/owner/goods", s.owner, `{"name":"x","price":0.5}`, "price"},
		"closure's reason":     {"POST", "/api/v1/owner/closures", s.owner, `{"courts":["c1"],"from":"` + evening + `","to":"2026-12-10T19:00:00+08:00","reason":"` + long + long + `"}`, "reason"},
		"closure backwards":    {"POST", "/api/v1/owner/closures", s.owner, `{"courts":["c1"],"to":"` + evening + `","from":"2026-12-10T19:00:00+08:00"}`, "to"},
		"short password":       {"POST", "/api/v1/owner/staff", s.owner, `{"username":"x","password":"short","role":"desk"}`, "password"},
		"a new role":           {"POST", "/api/v1/owner/staff", s.owner, `{"username":"x","password":"long enough","role":"king"}`, "role"},
		"a long password":      {"POST", "/api/v1/login/staff", "", `{"username":"owner","password":"` + long + long + `"}`, "password"},
		"no code":              {"POST", "/api/v1/desk/checkins", s.desk, `{"code":""}`, "code"},
		"nonce of blanks":      {"POST", "/api/v1/desk/checkins", s.desk, `{"code":"x","nonce":"a b"}`, "nonce"},
		"both discounts":       {"POST", "/api/v1/owner/coupons", s.owner, `{"code":"x","name":"x","percent":10,"amount":5}`, "percent"},
		"coupon's amount":      {"POST", "/api/v1/owner/coupons", s.owner, `{"code":"x","name":"x","amount":-5}`, "amount"},
		"policy":               {"PUT", "/api/v1/owner/policy", s.owner, `{"hold_minutes":0}`, "hold_minutes"},
		"receipt of nothing":   {"POST", "/api/v1/owner/goods/g1/receipts", s.owner, `{"qty":0}`, "qty"},
		"rule's price":         {"PUT", "/api/v1/owner/price-rules", s.owner, `{"rules":[{"name":"x","price":-1}]}`, "rules[0].price"},
		"no rules":             {"PUT", "/api/v1/owner/price-rules", s.owner, `{"rules":[]}`, "rules"},
		"25 o'clock to 24":     {"PUT", "/api/v1/owner/hours", s.owner, `{"weekly":[{"weekday":1,"opens":"25:00","closes":"24:00"}]}`, "weekly[1].opens"},
	} {
		t.Run(name, func(t *testing.T) {
			s.send(ask{method: c.method, path: c.path, token: c.token, body: c.body}).wants(422, "invalid_field").blames(c.field)
		})
	}
	for _, key := range []string{"a b", strings.Repeat("k", 65), "é"} {
		s.send(ask{method: http.MethodPost, path: "/api/v1/orders", token: s.customer, body: slot("c1", evening),
			header: map[string]string{"Idempotency-Key": key}}).wants(422, "invalid_field").blames("Idempotency-Key")
	}
	if s.rows() != before {
		t.Error("something was written")
	}
}

func TestBadQueries(t *testing.T) {
	s := open(t)
	for path, field := range map[string]string{
		"/api/v1/availability":                                               "date",
		"/api/v1/availability?date=":                                         "date",
		"/api/v1/availability?date=tomorrow":                                 "date",
		"/api/v1/availability?date=2026-12-1":                                "date",
		"/api/v1/availability?date=2026-02-30":                               "date",
		"/api/v1/availability?date=2028-12-10":                               "date",
		"/api/v1/availability?date=2024-12-10":                               "date",
		"/api/v1/availability?date=2026-12-10&court=c1":                      "court",
		"/api/v1/desk/day?at=now":                                            "at",
		"/api/v1/desk/day?at=1999-12-31T23:59:59Z":                           "at",
		"/api/v1/desk/day?date=x":                                            "date",
		"/api/v1/desk/why?court=c1":                                          "start",
		"/api/v1/desk/why?court=c1&start=2026-12-10T17:30:00":                "start",
		"/api/v1/desk/why?court=c1&start=2026-12-10T17:31:00Z":               "start",
		"/api/v1/owner/closures/preview?courts=c1&from=2026-12-10T17:30:00Z": "to",
		"/api/v1/owner/audit?cursor=x":                                       "cursor",
		"/api/v1/owner/audit?limit=1000":                                     "limit",
		"/api/v1/owner/audit?limit=many":                                     "limit",
	} {
		s.get(path, s.owner).wants(422, "invalid_field").blames(field)
	}
	for _, path := range []string{"/api/v1/orders/%zz", "/api/v1/orders/%00", "/api/v1/orders/..%2f..", "/api/v1/orders/" + strings.Repeat("a", 3000)} {
		req := ask{method: http.MethodGet, path: "/", token: s.customer}
		if a := s.sendRaw(req, path); a.status < 400 || a.status > 499 || a.json["reason"] == nil {
			t.Errorf("%.40s: %d %.300s", path, a.status, a.text)
		}
	}
}
