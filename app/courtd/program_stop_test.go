package main

import (
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// programLock takes the file's write lock, as another program may, and gives it back.
func programLock(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?_txlock=immediate&_busy_timeout=5000")
	programOK(t, err)
	tx, err := db.Begin()
	programOK(t, err)
	return sync.OnceFunc(func() {
		programOK(t, tx.Rollback())
		programOK(t, db.Close())
	})
}

// TestC43_Terminated: what is in flight is answered, the file is whole, and the
// same command line goes on with the same clock.
func TestC43_Terminated(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	people := c.crowd(12)
	c.clock("12:34:56")
	release := programLock(t, c.path)
	defer release()
	// The server says "continue" once it has begun to read a request, so that every
	// one of these is in flight when it is told to end; the lock keeps them there.
	var begun, answered sync.WaitGroup
	begun.Add(len(people))
	answers := make([]programAnswer, len(people))
	errs := make([]error, len(people))
	for i, person := range people {
		answered.Go(func() {
			body := programSlot(fmt.Sprintf("c%d", i%6+1), programStarts[6+i/6])
			req, err := c.request(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: person, key: "stop", body: body})
			if err != nil {
				errs[i] = err
				begun.Done()
				return
			}
			req.Header.Set("Expect", "100-continue")
			once := sync.OnceFunc(begun.Done)
			trace := &httptrace.ClientTrace{Got100Continue: once}
			answers[i], errs[i] = c.receive(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
			once()
		})
	}
	begun.Wait()
	programOK(t, c.cmd.Process.Signal(syscall.SIGTERM))
	// The program is over with taking people in before it does anything else.
	newcomer := &http.Client{Timeout: programPatience, Transport: &http.Transport{DisableKeepAlives: true}}
	for tries := 0; ; tries++ {
		res, err := newcomer.Get(c.base + "/readyz")
		if err != nil {
			break
		}
		res.Body.Close()
		if tries == 10_000 {
			t.Fatal("the program still takes people in")
		}
	}
	release()
	answered.Wait()
	c.endsWell()
	for i, err := range errs {
		programOK(t, err)
		answers[i].wants(201)
	}
	c.sound()
	c.program = programStart(t, nil, programDemoArgs(c.path)...)
	c.get("/demo/clock", "").wants(200).has(programAt("12:34:56"), "now").has(true, "frozen")
	for i, person := range people {
		body := programSlot(fmt.Sprintf("c%d", i%6+1), programStarts[6+i/6])
		again := c.send(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: person, key: "stop", body: body})
		again.wants(200).has(answers[i].str("id"), "id").has("held", "state").has(programAt("12:44:56"), "pay_by")
	}
	c.wantCount(len(people), "SELECT count(*) FROM orders")
	c.stop()
}

// programDeeds is what the program has acknowledged under load.
type programDeeds struct {
	mu     sync.Mutex
	booked map[string]string // order → the token of its customer
	paid   map[string]bool
	inside map[string]bool
}

func (d *programDeeds) note(do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	do()
}

// live has a customer book, pay and come in, and notes what was acknowledged. It
// ends at the first thing that is not answered.
func (d *programDeeds) live(c *programClub, token string, body programBody, acknowledged func()) error {
	made, err := c.try(programAsk{method: http.MethodPost, path: "/api/v1/orders", token: token, body: body})
	if err != nil || made.status != 201 {
		return fmt.Errorf("book: %w %s", err, made.text)
	}
	id, _ := made.json["id"].(string)
	d.note(func() { d.booked[id] = token })
	acknowledged()
	opened, err := c.try(programAsk{method: http.MethodPost, path: "/api/v1/orders/" + id + "/payments", token: token, body: programBody{"via": "sandbox"}})
	if err != nil || opened.status != 200 {
		return fmt.Errorf("open: %w %s", err, opened.text)
	}
	no, _ := opened.json["out_trade_no"].(string)
	played, err := c.try(programAsk{method: http.MethodPost, path: "/demo/payments/" + no + "/succeed"})
	if err != nil || played.status != 200 {
		return fmt.Errorf("pay: %w %s", err, played.text)
	}
	d.note(func() { d.paid[id] = true })
	acknowledged()
	order, err := c.try(programAsk{method: http.MethodGet, path: "/api/v1/orders/" + id, token: token})
	if err != nil || order.status != 200 {
		return fmt.Errorf("look: %w %s", err, order.text)
	}
	scanned, err := c.try(programAsk{method: http.MethodPost, path: "/api/v1/desk/checkins", token: c.desk, body: programBody{"code": order.in("ticket", "code")}})
	if err != nil || scanned.json["result"] != "ok" {
		return fmt.Errorf("scan: %w %s", err, scanned.text)
	}
	d.note(func() { d.inside[id] = true })
	acknowledged()
	return nil
}

// A client that has connected and never asks anything is not waited for.
func TestC43_TerminatedBesideASilentClient(t *testing.T) {
	t.Parallel()
	c := programDemo(t)
	silent, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
	programOK(t, err)
	defer silent.Close()
	c.get("/api/v1/venue", "").wants(200)
	began := time.Now()
	programOK(t, c.cmd.Process.Signal(syscall.SIGTERM))
	c.endsWell()
	if took := time.Since(began); took > drainTimeout-quietTime {
		t.Errorf("it took %s to end", took)
	}
}

// TestC43_Killed: whatever was acknowledged before the process was killed is there
// afterwards, and nothing is there twice.
func TestC43_Killed(t *testing.T) {
	t.Parallel()
	const kills, perKill = 5, 18
	c := programDemo(t)
	c.policy(programBody{"check_in_before_minutes": 1440})
	c.send(programAsk{method: http.MethodPut, path: "/api/v1/owner/hours", token: c.owner, body: programBody{"slot_minutes": 30}}).wants(200)
	deeds := &programDeeds{booked: map[string]string{}, paid: map[string]bool{}, inside: map[string]bool{}}
	people := c.crowd(kills * perKill)
	c.post("/api/v1/owner/goods/g3/receipts", c.owner, programBody{"qty": 100}).wants(200)
	// Slots of half an hour from 12:30 on.
	slot := func(i int) programBody {
		minutes := 12*60 + 30 + i/6*30
		body := programSlot(fmt.Sprintf("c%d", i%6+1), fmt.Sprintf("%02d:%02d", minutes/60, minutes%60))
		body["goods"] = []programBody{{"id": "g3", "qty": 1}}
		return body
	}
	unfinished := 0
	for kill := range kills {
		var acknowledged, finished atomic.Int32
		var clients sync.WaitGroup
		enough := int32(9 * (kill + 1))
		for i := range perKill {
			person, body := people[kill*perKill+i], slot(kill*perKill+i)
			clients.Go(func() {
				err := deeds.live(c, person, body, func() {
					if acknowledged.Add(1) == enough {
						c.cmd.Process.Kill()
					}
				})
				if err == nil {
					finished.Add(1)
				} else if acknowledged.Load() < enough {
					t.Errorf("before the kill: %v", err)
				}
			})
		}
		clients.Wait()
		c.kill()
		unfinished += perKill - int(finished.Load())
		c.program = programStart(t, nil, programDemoArgs(c.path)...)
		deeds.check(c)
	}
	if unfinished == 0 {
		t.Fatal("the process was killed only when all was over")
	}
	if len(deeds.booked) == 0 || len(deeds.paid) == 0 || len(deeds.inside) == 0 {
		t.Fatalf("covered nothing: %d orders, %d paid, %d inside", len(deeds.booked), len(deeds.paid), len(deeds.inside))
	}
	c.round() // finds what was paid and whose notice the kill has lost
	c.wantCount(0, "SELECT count(*) FROM sandbox_payments s WHERE state = 'succeeded' AND (SELECT succeeded_at FROM payments WHERE id = s.out_trade_no) IS NULL")
	c.wantCount(0, "SELECT count(*) FROM payments WHERE succeeded_at IS NOT NULL AND verdict <> 'paid'")
	c.stop()
}

func (d *programDeeds) check(c *programClub) {
	c.t.Helper()
	for id, token := range d.booked {
		order, err := c.try(programAsk{method: http.MethodGet, path: "/api/v1/orders/" + id, token: token})
		programOK(c.t, err)
		if order.status != 200 || (d.paid[id] && order.in("state") != "paid") || (d.inside[id] && order.in("reservations", 0, "checked_in_at") == nil) {
			c.t.Fatalf("acknowledged and gone (paid %v, inside %v): %s", d.paid[id], d.inside[id], order.text)
		}
	}
	c.wantCount(0, "SELECT count(*) FROM (SELECT 1 FROM notices GROUP BY order_id, kind HAVING count(*) > 1)")
	c.wantCount(0, "SELECT count(*) FROM (SELECT 1 FROM orders GROUP BY customer_id HAVING count(*) > 1)")
	c.sound()
}

// TestAClockInThePast: a new demonstration may start at any time, and the time
// stays when it is started again.
func TestAClockInThePast(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/a b%20?#.db"
	args := []string{"demo", "--listen", "127.0.0.1:0", "--db", path, "--now", "2024-02-29T12:00:00+08:00", "--reconcile-every", "0"}
	p := programStart(t, nil, args...)
	a := p.customer("13800000001")
	p.get("/demo/clock", "").wants(200).has("2024-02-29T12:00:00+08:00", "now").has(true, "frozen")
	p.post("/demo/clock", "", programBody{"advance": "90m"}).wants(200)
	p.stop()
	p = programStart(t, nil, args...)
	p.get("/demo/clock", "").wants(200).has("2024-02-29T13:30:00+08:00", "now").has(true, "frozen")
	body := programBody{"slots": []programBody{{"court": "c1", "start": "2024-02-29T17:30:00+08:00"}}}
	p.orders(a, body).wants(201).has("2024-02-29T13:40:00+08:00", "pay_by")
	p.stop()
}
