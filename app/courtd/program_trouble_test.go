package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheClockGoesBack: while the clock is an hour behind nothing is booked, all
// can be read, and the owner can accept it.
func TestTheClockGoesBack(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	two := one.second()
	a := one.customer("13800000001")
	id, _ := one.paid(a, programSlot("c1", "17:30"))
	held := one.book(a, programSlot("c2", "17:30"))
	b := one.customer("13800000003")
	one.post("/demo/clock", "", programBody{"set": programAt("11:00")}).wants(200).has(true, "behind")
	before := one.dump()
	for _, p := range []*program{one.program, two.program} {
		for path, body := range map[string]any{
			"/api/v1/orders":                        programSlot("c3", "17:30"),
			"/api/v1/orders/" + id + "/cancel":      programBody{},
			"/api/v1/orders/" + held + "/payments":  programBody{"via": "sandbox"},
			"/api/v1/login/code":                    programBody{"phone": "13800000002"},
			"/api/v1/orders/" + held + "/cancel?x=": nil,
		} {
			got := p.post(path, a, body)
			if path == "/api/v1/orders/"+held+"/cancel?x=" {
				got.wants(422, "invalid_field")
				continue
			}
			got.wants(503, "clock_behind").has(programAt("11:00"), "clock").has(programAt("12:00"), "last")
			if got.header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
		}
		for _, path := range []string{"/api/v1/venue", "/api/v1/orders", "/api/v1/orders/" + id, "/api/v1/availability?date=2026-12-10", "/readyz", "/"} {
			p.get(path, a).wants(200)
		}
		p.order(a, id).has("paid", "state").has(programAt("12:00"), "now")
		sick := p.get("/healthz", "")
		if sick.status != 503 {
			t.Errorf("health: %s", sick.text)
		}
		sick.has("clock_behind", "reason").has(programAt("11:00"), "clock").has(programAt("12:00"), "last")
	}
	programSame(t, before, one.dump())
	// Whoever wants to leave can, at any time.
	two.post("/api/v1/logout", b, programBody{}).wants(204)
	one.get("/api/v1/orders", b).wants(401)
	before = one.dump()
	one.post("/api/v1/owner/clock/accept", a, programBody{}).wants(403)
	one.post("/api/v1/owner/clock/accept", one.desk, programBody{}).wants(403)
	// What was booked at 12:00 cannot be undone by a clock of 11:00.
	one.post("/api/v1/owner/clock/accept", one.owner, programBody{}).wants(409, "bookings_ahead").has(programAt("12:00"), "until")
	status, out, complaints := programRun(t, nil, "accept-clock", "--db", one.path)
	if status != 1 || out != "" || !strings.Contains(complaints, "it can be accepted from the last of them on") {
		t.Fatalf("accept-clock: status %d: %s%s", status, out, complaints)
	}
	programSame(t, before, one.dump())
	one.post("/demo/clock", "", programBody{"set": programAt("12:00")}).wants(200).has(false, "behind")
	two.orders(a, programSlot("c3", "17:30")).wants(201).has(programAt("12:10"), "pay_by")
	two.get("/healthz", "").wants(200).has("ok", "status")
}

// TestTheClockIsAccepted: one that ran ahead while nothing was booked is corrected
// over HTTP and by the command.
func TestTheClockIsAccepted(t *testing.T) {
	t.Parallel()
	one := programDemo(t)
	two := one.second()
	a := one.customer("13800000001")
	one.post("/demo/clock", "", programBody{"set": programAt("11:00")}).wants(200).has(true, "behind")
	one.post("/api/v1/owner/clock/accept", one.owner, programBody{}).wants(200).has(programAt("11:00"), "now").has(false, "behind")
	one.wantCount(1, "SELECT count(*) FROM audit WHERE action = 'accept clock'")
	two.get("/healthz", "").wants(200).has("ok", "status")
	one.post("/demo/clock", "", programBody{"set": programAt("10:00")}).wants(200).has(true, "behind")
	status, out, complaints := programRun(t, nil, "accept-clock", "--db", one.path)
	if status != 0 || out != "clock accepted: it was 3600 s behind the last instant\n" {
		t.Fatalf("accept-clock: status %d: %s%s", status, out, complaints)
	}
	two.orders(a, programSlot("c3", "17:30")).wants(201).has(programAt("10:10"), "pay_by")
}

// TestAnotherProgramHoldsTheFile: a lock held longer than courtd waits is a 503,
// and everything goes on when it is given back.
func TestAnotherProgramHoldsTheFile(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	a := c.customer("13800000001")
	id := c.book(a, programSlot("c1", "17:30"))
	release := programLock(t, c.path)
	defer release()
	programTogether(t, 5, func(i int) error {
		ask := []programAsk{
			{method: http.MethodPost, path: "/api/v1/orders", token: a, body: programSlot("c2", "17:30"), key: "locked"},
			{method: http.MethodPost, path: "/api/v1/orders/" + id + "/cancel", token: a},
			{method: http.MethodPost, path: "/api/v1/login/code", body: programBody{"phone": "13800000002"}},
			{method: http.MethodPost, path: "/demo/clock", body: programBody{"advance": "1m"}},
			{method: http.MethodPost, path: "/api/v1/desk/checkins", token: c.desk, body: programBody{"code": "x"}},
		}[i]
		got, err := c.try(ask)
		if err == nil {
			got.wantsUnavailable(ask.path)
		}
		return err
	})
	c.order(a, id).has("held", "state")
	release()
	c.send(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: a, body: programSlot("c2", "17:30"), key: "locked"}).wants(201)
	c.wantCount(2, "SELECT count(*) FROM orders")
	c.get("/healthz", "").wants(200)
}

// wantsUnavailable may be called on any goroutine.
func (a programAnswer) wantsUnavailable(what string) {
	if a.status != 503 || a.json["reason"] != "unavailable" || a.header.Get("Retry-After") == "" || a.header.Get("Content-Type") != "application/problem+json" {
		a.t.Errorf("%s: status %d, Retry-After %q: %s", what, a.status, a.header.Get("Retry-After"), a.text)
	}
}

// TestTheDiskIsFull: when the file may not grow, what cannot be kept is refused and
// what was acknowledged stays; with room again, all goes on.
func TestTheDiskIsFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "demo.db")
	c := &programClub{path: path, program: programStart(t, []string{mostFileSize + "=720896"}, programDemoArgs(path)...)}
	c.file = programFile(t, path)
	a, err := c.signIn("13800000001")
	programOK(t, err)
	var kept []string
	refused, standing := 0, "" // the order whose cancellation was refused
	for i := 0; i < 2000 && refused < 5; i++ {
		got := c.orders(a, programGoods("g3", 1, ""))
		if got.status == 503 {
			got.wantsUnavailable("an order")
			refused++
			c.get("/api/v1/availability?date=2026-12-10", "").wants(200)
			continue
		}
		if standing == "" {
			kept = append(kept, got.wants(201).str("id"))
		} else {
			got.wants(200).has(standing, "id") // it stands, and is answered with
		}
		standing = ""
		if got := c.post("/api/v1/orders/"+kept[len(kept)-1]+"/cancel", a, nil); got.status != 200 {
			got.wantsUnavailable("a cancellation")
			refused, standing = refused+1, kept[len(kept)-1]
		}
	}
	if refused == 0 || len(kept) == 0 {
		t.Fatalf("%d orders kept, %d refused", len(kept), refused)
	}
	c.kill()
	c.program = programStart(t, nil, programDemoArgs(path)...)
	for _, id := range kept {
		c.order(a, id)
	}
	c.wantCount(len(kept), "SELECT count(*) FROM orders")
	b := c.customer("13800000002")
	c.paid(b, programSlot("c1", "17:30"))
	c.sound()
	c.stop()
}
