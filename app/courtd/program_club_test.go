package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"courtd/app"
)

// programNoon is where the clock of every demonstration starts, frozen.
const programNoon = "2026-12-10T12:00:00+08:00"

// programClub is a demonstration venue served by one process or more over one file.
type programClub struct {
	*program
	path  string
	file  *sql.DB // read-only
	desk  string  // tokens
	owner string
}

func programDemoArgs(path string) []string {
	return []string{"demo", "--listen", "127.0.0.1:0", "--db", path, "--now", programNoon, "--reconcile-every", "0"}
}

// programDemo serves a new demonstration and signs its staff in.
func programDemo(t *testing.T) *programClub {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.db")
	c := &programClub{path: path, program: programStart(t, nil, programDemoArgs(path)...)}
	c.file = programFile(t, path)
	t.Cleanup(c.sound)
	c.desk, c.owner = c.staff("desk"), c.staff("owner")
	return c
}

// second is another process over the same file.
func (c *programClub) second() *programClub {
	c.t.Helper()
	other := *c
	other.program = programStart(c.t, nil, programDemoArgs(c.path)...)
	return &other
}

func (c *programClub) staff(role string) string {
	c.t.Helper()
	account := app.Demo().Accounts[role]
	return c.post("/api/v1/login/staff", "", map[string]string{"username": account.Username, "password": account.Password}).wants(200).str("token")
}

// signIn makes a customer and gives their token; it may be called on any goroutine.
func (p *program) signIn(phone string) (string, error) {
	sent, err := p.try(programAsk{method: http.MethodPost, path: "/api/v1/login/code", body: map[string]string{"phone": phone}})
	if err != nil {
		return "", err
	}
	code, _ := sent.json["code"].(string)
	in, err := p.try(programAsk{method: http.MethodPost, path: "/api/v1/login", body: map[string]string{"phone": phone, "code": code}})
	if err != nil {
		return "", err
	}
	token, ok := in.json["token"].(string)
	if !ok {
		return "", fmt.Errorf("sign %s in: %s, then %s", phone, sent.text, in.text)
	}
	return token, nil
}

func (p *program) customer(phone string) string {
	p.t.Helper()
	token, err := p.signIn(phone)
	programOK(p.t, err)
	return token
}

// crowd signs n customers in at once.
func (p *program) crowd(n int) []string {
	p.t.Helper()
	tokens := make([]string, n)
	programTogether(p.t, n, func(i int) (err error) {
		tokens[i], err = p.signIn(fmt.Sprintf("139%08d", i))
		return err
	})
	return tokens
}

// programTogether does n things at the same moment and wants all to go well.
func programTogether(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	var all sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	all.Wait()
	for _, err := range errs {
		programOK(t, err)
	}
}

// programStarts are when the slots of a day begin.
var programStarts = []string{"08:30", "10:00", "11:30", "13:00", "14:30", "16:00", "17:30", "19:00", "20:30"}

// programAt is a time of day on 10 December, or on a later one with "+1 17:30".
func programAt(clock string) string {
	day := 10
	if rest, later := strings.CutPrefix(clock, "+"); later {
		var ahead int
		fmt.Sscanf(rest, "%d", &ahead)
		_, clock, _ = strings.Cut(rest, " ")
		day += ahead
	}
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	return fmt.Sprintf("2026-12-%02dT%s+08:00", day, clock)
}

type programBody = map[string]any

// programSlot is the body of an order for one slot.
func programSlot(court, clock string) programBody {
	return programBody{"slots": []programBody{{"court": court, "start": programAt(clock)}}}
}

// programGoods is the body of an order for pieces of one good, with a coupon or none.
func programGoods(good string, qty int, coupon string) programBody {
	body := programBody{"goods": []programBody{{"id": good, "qty": qty}}}
	if coupon != "" {
		body["coupon"] = coupon
	}
	return body
}

// clock moves the venue's clock to a time of 10 December.
func (p *program) clock(clock string) {
	p.t.Helper()
	p.post("/demo/clock", "", programBody{"set": programAt(clock)}).wants(200).has(programAt(clock), "now")
}

func (p *program) orders(token string, body any) programAnswer {
	p.t.Helper()
	return p.post("/api/v1/orders", token, body)
}

// book makes an order and gives its id.
func (p *program) book(token string, body any) string {
	p.t.Helper()
	return p.orders(token, body).wants(201).str("id")
}

func (p *program) order(token, id string) programAnswer {
	p.t.Helper()
	return p.get("/api/v1/orders/"+id, token).wants(200)
}

// open opens a payment and gives its number.
func (p *program) open(token, id string) string {
	p.t.Helper()
	return p.post("/api/v1/orders/"+id+"/payments", token, programBody{"via": "sandbox"}).wants(200).str("out_trade_no")
}

// pays plays the bank; how is "" or a query.
func (p *program) pays(outTradeNo, how string) {
	p.t.Helper()
	p.post("/demo/payments/"+outTradeNo+"/succeed"+how, "", nil).wants(200)
}

// paid makes an order and pays it; it gives the order's id and its ticket code.
func (p *program) paid(token string, body any) (id, code string) {
	p.t.Helper()
	id = p.book(token, body)
	p.pays(p.open(token, id), "")
	return id, p.order(token, id).has("paid", "state").str("ticket", "code")
}

// round has the owner run the reconciler.
func (c *programClub) round() {
	c.t.Helper()
	c.post("/api/v1/owner/reconciler/run", c.owner, programBody{}).wants(200).has(0, "settled", "differences")
}

func (c *programClub) policy(change programBody) {
	c.t.Helper()
	c.send(programAsk{method: http.MethodPut, path: "/api/v1/owner/policy", token: c.owner, body: change}).wants(200)
}

func (c *programClub) scan(code string) programAnswer {
	c.t.Helper()
	return c.post("/api/v1/desk/checkins", c.desk, programBody{"code": code}).wants(200)
}

// deskSells asks the desk to sell a slot for cash.
func (c *programClub) deskSells(court, clock string) programAnswer {
	c.t.Helper()
	body := programSlot(court, clock)
	body["customer"], body["pay"] = programBody{"name": "散客"}, "cash"
	return c.post("/api/v1/desk/orders", c.desk, body)
}

// slotState is what the public list says of a slot of 10 December.
func (p *program) slotState(court, clock string) string {
	p.t.Helper()
	day := p.get("/api/v1/availability?date=2026-12-10", "").wants(200)
	for _, c := range day.in("courts").([]any) {
		for _, s := range programMap(c)["slots"].([]any) {
			if programMap(c)["id"] == court && programMap(s)["start"] == programAt(clock) {
				return programMap(s)["state"].(string)
			}
		}
	}
	p.t.Fatalf("no slot %s %s", court, clock)
	return ""
}

// available is what the public list says of a good.
func (p *program) available(good string) int {
	p.t.Helper()
	day := p.get("/api/v1/availability?date=2026-12-10", "").wants(200)
	for _, g := range day.in("goods").([]any) {
		if programMap(g)["id"] == good {
			return int(programMap(g)["available"].(float64))
		}
	}
	p.t.Fatalf("no good %s", good)
	return 0
}

// notices counts the notices of a kind that a customer has about an order.
func (p *program) notices(token, order, kind string) (n int) {
	p.t.Helper()
	for _, item := range p.get("/api/v1/notices", token).wants(200).in("items").([]any) {
		if programMap(item)["order"] == order && programMap(item)["kind"] == kind {
			n++
		}
	}
	return n
}

// count asks the file for a number.
func (c *programClub) count(query string, args ...any) (n int) {
	c.t.Helper()
	programOK(c.t, c.file.QueryRow(query, args...).Scan(&n))
	return n
}

func (c *programClub) wantCount(want int, query string, args ...any) {
	c.t.Helper()
	if got := c.count(query, args...); got != want {
		c.t.Fatalf("got %d, want %d: %s", got, want, query)
	}
}

// dump is everything in the file's tables but those named.
func (c *programClub) dump(but ...string) map[string][]string {
	c.t.Helper()
	return programDump(c.t, c.file, but...)
}

func programDump(t *testing.T, file *sql.DB, but ...string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, name := range programTexts(t, file, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
		if slices.Contains(but, name) {
			continue
		}
		columns := programTexts(t, file, fmt.Sprintf("SELECT quote(name) FROM pragma_table_info('%s')", name))
		for i := range columns {
			columns[i] = "quote(" + strings.ReplaceAll(columns[i], "'", `"`) + ")"
		}
		out[name] = programTexts(t, file, fmt.Sprintf("SELECT %s FROM %s ORDER BY 1", strings.Join(columns, "||','||"), name))
	}
	if len(out) < 15 {
		t.Fatalf("only %d tables", len(out))
	}
	return out
}

func programTexts(t *testing.T, file *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := file.Query(query)
	programOK(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		programOK(t, rows.Scan(&text))
		out = append(out, text)
	}
	programOK(t, rows.Err())
	return out
}

// programSame fails the test unless two dumps are equal.
func programSame(t *testing.T, before, after map[string][]string) {
	t.Helper()
	for name, rows := range after {
		if !slices.Equal(rows, before[name]) {
			t.Errorf("table %s has changed:\nbefore %q\nafter  %q", name, before[name], rows)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// sound checks what must hold in every file at any time.
func (c *programClub) sound() {
	c.t.Helper()
	for what, query := range map[string]string{
		"slots taken twice": `SELECT count(*) FROM reservations a JOIN reservations b ON a.id < b.id AND a.court_id = b.court_id
			AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at AND a.booked_at < b.release_at AND b.booked_at < a.release_at`,
		"shelves that do not add up": `SELECT count(*) FROM stock_moves m WHERE balance <> (SELECT sum(qty) FROM stock_moves x WHERE x.good_id = m.good_id AND x.id <= m.id)`,
		"orders refunded beyond what was paid": `SELECT count(*) FROM payments p WHERE (SELECT sum(amount_fen) FROM refunds f WHERE f.payment_id = p.id) >
			iif(succeeded_at IS NULL, 0, amount_fen)`,
		"coupons used beyond their limit": `SELECT count(*) FROM coupons c WHERE max_uses > 0 AND max_uses < (SELECT count(*) FROM baskets b WHERE b.coupon_code = c.code
			AND cancelled_at IS NULL AND (paid_at IS NOT NULL OR pay_by > (SELECT last_instant FROM clock)))`,
		"rows without what they refer to": `SELECT count(*) FROM pragma_foreign_key_check`,
		"damage":                          `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
		"parked effects":                  `SELECT count(*) FROM parked_effects`,
	} {
		if n := c.count(query); n != 0 {
			c.t.Errorf("%s: %d", what, n)
		}
	}
}
