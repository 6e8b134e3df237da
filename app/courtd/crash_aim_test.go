package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// crashAim waits for the moment of the kill.
type crashAim func()

// aimAtRound leaves many claims due, and gives an aim that starts a round and returns when
// it has settled some of them.
func (c *crashClub) aimAtRound() crashAim {
	c.t.Helper()
	const people, each = 12, 4
	tokens := c.people(people)
	orders := make([]*crashOrder, people*each)
	programTogether(c.t, len(orders), func(i int) error {
		// Eight slots each on the fourth and fifth day, where nobody else books.
		var slots []programBody
		day := c.now.AddDate(0, 0, 4+i/crashCourts/2)
		for n := range 8 {
			n += i / crashCourts % 2 * 8
			start := time.Date(day.Year(), day.Month(), day.Day(), 9, 0, 0, 0, day.Location()).Add(time.Duration(n) * 30 * time.Minute)
			slots = append(slots, programBody{"court": fmt.Sprintf("c%d", 1+i%crashCourts), "start": start.Format(time.RFC3339)})
		}
		o := &crashOrder{ask: programAsk{method: http.MethodPost, path: "/api/v1/orders", token: tokens[i%people], key: fmt.Sprintf("aim-%d-%d", c.kills, i),
			body: programBody{"slots": slots, "goods": []programBody{{"id": "g3", "qty": 1}}}}}
		got, err := c.p.try(o.ask)
		if err == nil && got.status != 201 {
			err = fmt.Errorf("book for the round: %s", got.text)
		}
		orders[i] = o
		if err == nil {
			o.made(got.json)
		}
		return err
	})
	c.memory.orders = append(c.memory.orders, orders...)
	c.moveOn(31 * time.Minute)
	for _, o := range orders {
		o.state = "lapsed"
	}
	const due = `SELECT (SELECT count(*) FROM reservations WHERE settled_at IS NULL AND release_at <= c.last_instant) +
		(SELECT count(*) FROM baskets WHERE settled_at IS NULL AND release_at <= c.last_instant) FROM clock c`
	all := c.number(due)
	return func() {
		hit := c.startRound(due, func(n int) bool { return n < all })
		c.afterKill = append(c.afterKill, func() {
			if left := c.number(due); hit() && left > 0 && left < all {
				c.rounds++
			}
		})
	}
}

// aimAtRefund leaves many refunds to be sent, and gives an aim that starts a round and
// returns when the bank has some of them.
func (c *crashClub) aimAtRefund() crashAim {
	c.t.Helper()
	const people = 24
	tokens := c.people(people)
	orders, numbers := make([]*crashOrder, people), make([]string, people)
	programTogether(c.t, people, func(i int) error {
		o := &crashOrder{ask: programAsk{method: http.MethodPost, path: "/api/v1/orders", token: tokens[i], key: fmt.Sprintf("aim-%d-%d", c.kills, i), body: programGoods("g3", 1, "")}}
		orders[i] = o
		for _, step := range []struct {
			ask  func() programAsk
			then func(programAnswer)
		}{
			{func() programAsk { return o.ask }, func(got programAnswer) { o.made(got.json) }},
			{func() programAsk {
				return programAsk{method: http.MethodPost, path: "/api/v1/orders/" + o.id + "/payments", token: tokens[i], body: programBody{"via": "sandbox"}}
			}, func(got programAnswer) { numbers[i], _ = got.json["out_trade_no"].(string) }},
			{func() programAsk {
				return programAsk{method: http.MethodPost, path: "/demo/payments/" + numbers[i] + "/succeed"}
			}, func(programAnswer) {}},
			{func() programAsk {
				return programAsk{method: http.MethodPost, path: "/api/v1/orders/" + o.id + "/cancel", token: tokens[i]}
			}, func(got programAnswer) { o.learn(got.json) }},
		} {
			got, err := c.p.try(step.ask())
			if err != nil || got.status >= 300 {
				return fmt.Errorf("make a refund: %w %s", err, got.text)
			}
			step.then(got)
		}
		o.paid = true
		return nil
	})
	c.memory.orders = append(c.memory.orders, orders...)
	for i, number := range numbers {
		c.memory.money[number] = &crashMoney{order: orders[i], bank: true, came: true}
	}
	const done = `SELECT count(*) FROM refunds WHERE done_at IS NOT NULL`
	before, few := c.number(done), 1+c.dice.IntN(people/3)
	return func() {
		hit := c.startRound(done, func(n int) bool { return n >= before+few })
		c.afterKill = append(c.afterKill, func() {
			// Claimed for a call, or known to the bank, and courtd has not heard the end of it.
			underWay := c.number(`SELECT count(*) FROM refunds r WHERE done_at IS NULL AND (calls_until IS NOT NULL OR sent_at IS NOT NULL
				OR EXISTS (SELECT 1 FROM sandbox_refunds WHERE out_refund_no = r.id))`)
			if hit() && underWay > 0 {
				c.refunds++
			}
		})
	}
}

// startRound has the owner start a round and returns as soon as a count of the file is
// as wanted; hit then tells whether the round never answered.
func (c *crashClub) startRound(query string, far func(int) bool) (hit func() bool) {
	c.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(c.path)+"?mode=ro&_busy_timeout=5000&_query_only=on")
	programOK(c.t, err)
	defer func() { programOK(c.t, db.Close()) }()
	p, over := c.p, make(chan error, 1)
	go func() {
		_, err := p.try(programAsk{method: http.MethodPost, path: "/api/v1/owner/reconciler/run", token: c.owner, body: programBody{}})
		over <- err
	}()
	count, err := db.Prepare(query)
	programOK(c.t, err)
	defer count.Close()
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until); time.Sleep(200 * time.Microsecond) {
		var n int
		programOK(c.t, count.QueryRow().Scan(&n))
		if far(n) || len(over) > 0 {
			break
		}
	}
	return func() bool { return <-over != nil }
}
