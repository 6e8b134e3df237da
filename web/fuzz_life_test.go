package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func mustURL(path string) *url.URL {
	at, err := url.Parse(path)
	if err != nil {
		panic(err)
	}
	return at
}

// mustGet reads an answer as JSON into places.
func (v *fuzzed) mustGet(path, role string, into ...any) {
	v.t.Helper()
	a := v.ask(asked{method: http.MethodGet, path: path, role: role})
	for _, place := range into {
		if err := json.Unmarshal([]byte(a.text), place); err != nil || a.status != http.StatusOK {
			v.t.Fatalf("GET %s: %d %v %.300s", path, a.status, err, a.text)
		}
	}
}

// mustPost does something of which the venue's life is made.
func (v *fuzzed) mustPost(path, role, body string) map[string]any {
	v.t.Helper()
	a := v.ask(asked{method: http.MethodPost, path: path, role: role, kind: "application/json", body: []byte(body)})
	if a.status >= 300 {
		v.t.Fatalf("POST %s %s: %d %.300s", path, body, a.status, a.text)
	}
	return a.json
}

var csrfInput = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

// signIn signs a customer, a desk and an owner in, and finds what their forms carry.
func (v *fuzzed) signIn() {
	v.t.Helper()
	const phone = `{"phone":"13800000001"`
	code := v.mustPost("/api/v1/login/code", "anyone", phone+"}")["code"].(string)
	v.start.tokens["customer"] = v.mustPost("/api/v1/login", "anyone", phone+`,"code":"`+code+`"}`)["token"].(string)
	for role, account := range app.Demo().Accounts {
		v.start.tokens[role] = v.mustPost("/api/v1/login/staff", "anyone", fmt.Sprintf(`{"username":%q,"password":%q}`, account.Username, account.Password))["token"].(string)
	}
	for role, page := range map[string]string{"customer": "/orders", "desk": "/desk", "owner": "/owner"} {
		found := csrfInput.FindStringSubmatch(v.ask(asked{method: http.MethodGet, path: page, role: role}).text)
		if found == nil {
			v.t.Fatalf("no form on %s", page)
		}
		v.start.csrf[role] = html.UnescapeString(found[1])
	}
}

// live has a little of everything happen.
func (v *fuzzed) live() {
	v.t.Helper()
	pay := func(order string) string {
		no := v.mustPost("/api/v1/orders/"+order+"/payments", "customer", `{"via":"sandbox"}`)["out_trade_no"].(string)
		v.start.pool["payments"] = append(v.start.pool["payments"], no)
		v.mustPost("/demo/payments/"+no+"/succeed", "anyone", "")
		return no
	}
	order := func(body string) string { return v.mustPost("/api/v1/orders", "customer", body)["id"].(string) }
	orders := []string{order(`{"slots":[{"court":"c2","start":"` + evening + `"}],"goods":[{"id":"g1","qty":2}],"coupon":"NEW10"}`)}
	pay(orders[0])
	orders = append(orders, order(slot("c3", evening)))
	pay(orders[1])
	v.mustPost("/api/v1/orders/"+orders[1]+"/cancel", "customer", `{}`)
	orders = append(orders, order(`{"goods":[{"id":"g2","qty":1}]}`), order(slot("c4", evening)))
	v.mustPost("/api/v1/orders/"+orders[3]+"/payments", "customer", `{"via":"sandbox"}`)
	v.mustPost("/api/v1/desk/orders", "desk", `{"slots":[{"court":"c5","start":"`+evening+`"}],"customer":{"name":"李雷","phone":"13800000002"},"pay":"cash"}`)
	v.mustPost("/api/v1/owner/closures", "owner", `{"courts":["c6"],"from":"2026-12-11T08:30:00+08:00","to":"2026-12-11T22:00:00+08:00","reason":"维修"}`)
	v.mustPost("/api/v1/owner/webhooks", "owner", `{"url":"https://club.example/hook","kinds":["order.paid"]}`)
	v.mustPost("/api/v1/owner/staff", "owner", `{"username":"second","name":"韩梅梅","password":"second-demo-2026","role":"desk"}`)
}

// harvest reads every list and page of things for what their ids are, by what they are
// called where they stand.
func (v *fuzzed) harvest() {
	v.t.Helper()
	for _, things := range []bool{false, true} { // first the lists, then what they name
		for _, route := range v.start.routes {
			method, path, _ := strings.Cut(route, " ")
			if method != http.MethodGet || strings.Contains(path, ":") != things || !strings.HasPrefix(path, "/api/") {
				continue
			}
			for pick := range uint8(map[bool]int{false: 1, true: 16}[things]) {
				for _, role := range []string{"customer", "owner"} {
					a := v.ask(asked{method: method, path: v.start.fill(path, pick+1, "") + "?date=2026-12-10", role: role})
					if a.status == http.StatusUnprocessableEntity {
						a = v.ask(asked{method: method, path: v.start.fill(path, pick+1, ""), role: role})
					}
					if a.status == http.StatusOK && a.json != nil {
						v.start.gather(path[strings.LastIndex(path, "/")+1:], a.json)
					}
				}
			}
		}
	}
	for kind, ids := range v.start.pool {
		slices.Sort(ids)
		v.start.pool[kind] = slices.Compact(ids)
	}
	if kinds := len(v.start.pool); kinds < 15 || len(v.start.pool["orders"]) < 4 || len(v.start.pool["reservations"]) < 3 || len(v.start.pool["payments"]) < 2 {
		v.t.Fatalf("only %d kinds of things: %v", kinds, v.start.pool)
	}
}

// gather takes what looks like the name of a thing out of an answer: below "orders" what
// an order is known by, and under "=phone" what was said of phones.
func (b *beginning) gather(kind string, value any) {
	switch in := value.(type) {
	case []any:
		for _, item := range in {
			b.gather(kind, item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(in)) {
			text, isText := in[name].(string)
			if !isText {
				below := name
				if name == "items" {
					below = kind
				}
				b.gather(below, in[name])
				continue
			}
			b.pool["="+name] = append(b.pool["="+name], text)
			if slices.Contains([]string{"id", "code", "number", "out_trade_no", "channel"}, name) && text != "" {
				b.pool[kind], b.pool[""] = append(b.pool[kind], text), append(b.pool[""], text)
			}
		}
	}
}

// look asks what must hold after anything at all.
func (v *fuzzed) look() {
	v.t.Helper()
	err := v.db.Read(context.Background(), func(s *sqlite.Snapshot) error {
		for what, query := range map[string]string{
			"slots taken twice": `SELECT count(*) FROM reservations a JOIN reservations b ON a.id < b.id AND a.court_id = b.court_id
				AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at AND a.booked_at < b.release_at AND b.booked_at < a.release_at`,
			"shelves that do not add up": `SELECT count(*) FROM stock_moves m WHERE balance <> (SELECT sum(qty) FROM stock_moves x WHERE x.good_id = m.good_id AND x.id <= m.id)`,
			"payments overdrawn": `SELECT count(*) FROM payments p WHERE (SELECT sum(amount_fen) FROM refunds f WHERE f.payment_id = p.id) >
				iif(succeeded_at IS NULL, 0, amount_fen)`,
			"orders of nothing":               `SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM reservations WHERE order_id = o.id) AND NOT EXISTS (SELECT 1 FROM baskets WHERE order_id = o.id)`,
			"notices that go nowhere":         `SELECT count(*) FROM notices n WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE notice_id = n.id)`,
			"rows without what they refer to": `SELECT count(*) FROM pragma_foreign_key_check`,
			"damage":                          `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
			"parked effects":                  `SELECT count(*) FROM parked_effects`,
			"owners":                          `SELECT count(*) = 0 FROM staff WHERE role = 'owner'`,
		} {
			n := 0
			if err := s.QueryRow(query).Scan(&n); err != nil || n != 0 {
				v.t.Errorf("%s: %d %v", what, n, err)
			}
		}
		return v.lookAtRows(s)
	})
	if err != nil {
		v.t.Error(err)
	}
}

// lookAtRows reads what is kept with the rules that it was taken by: whatever came in by
// any way must be what its own parser would take again.
func (v *fuzzed) lookAtRows(s *sqlite.Snapshot) error {
	venue, _, err := s.Venue()
	if err != nil {
		return err
	}
	courts, err := s.Courts()
	if err != nil {
		return err
	}
	var ids []string
	for _, c := range courts {
		ids = append(ids, c.ID)
		_, err := domain.ParseName("court", c.Name)
		v.keeps(err, domain.CheckPosition(c.Position))
	}
	_, err = domain.ParseName("venue", venue.Name)
	v.keeps(err, venue.Policy.Validate(), venue.Calendar.Hours.Validate(), venue.Prices.Validate(ids), venue.Messages.Validate())
	coupons, err := s.Coupons()
	for _, c := range coupons {
		v.keeps(c.Validate())
	}
	if err != nil {
		return err
	}
	rows, err := s.Query("SELECT id FROM orders ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	var orders []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		orders = append(orders, id)
	}
	for _, id := range orders {
		o, err := s.Order(id) // the scanner compares both copies of the rule
		if err != nil {
			return err
		}
		if total := o.TotalFen(s.Now); total < 0 {
			v.t.Errorf("order %s costs %d", id, total)
		}
	}
	return rows.Err()
}

func (v *fuzzed) keeps(errs ...error) {
	v.t.Helper()
	for _, err := range errs {
		if err != nil {
			v.t.Errorf("what is kept would be refused: %v", err)
		}
	}
}
