package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// The club of the crash test has this many courts, each open from 08:30 to 22:00.
const crashCourts = 12

// crashDice are dice with words for what is thrown.
type crashDice struct{ *rand.Rand }

func newCrashDice(seed, of uint64) *crashDice {
	return &crashDice{rand.New(rand.NewPCG(seed, of))}
}

// in reports true in so many of a hundred throws.
func (d *crashDice) in(percent int) bool { return d.IntN(100) < percent }

// between throws a time from low to less than high.
func (d *crashDice) between(low, high time.Duration) time.Duration {
	return low + time.Duration(d.Int64N(int64(high-low)))
}

// slot throws a slot that begins at least an hour from now, on one of the next days.
func (d *crashDice) slot(now time.Time, days int) programBody {
	if now.Hour() >= 20 {
		now = time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
	}
	for {
		start := time.Date(now.Year(), now.Month(), now.Day()+d.IntN(days), 8, 30, 0, 0, now.Location()).Add(time.Duration(d.IntN(27)) * 30 * time.Minute)
		if start.Sub(now) >= time.Hour {
			return programBody{"court": fmt.Sprintf("c%d", 1+d.IntN(crashCourts)), "start": start.Format(time.RFC3339)}
		}
	}
}

// act until there is no answer, or stop is closed.
func (c *crashClient) act(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		var answered bool
		switch n := c.dice.IntN(100); {
		case n < 8:
			answered = c.receives()
		case n < 20:
			answered = c.sellsAtDesk()
		case n < 28 && len(c.hold) > 0:
			answered = c.paysLate()
		default:
			answered = c.lives()
		}
		if !answered {
			return
		}
	}
}

// lives is what a customer does with one order.
func (c *crashClient) lives() bool {
	o := &crashOrder{ask: c.wants()}
	got, answered := c.ask("book", o.ask, o)
	if !answered {
		c.orders = append(c.orders, o)
		return false
	}
	if got.status >= 400 {
		return true
	}
	o.made(got.json)
	if c.knows(o.id) { // the same choice as one that they hold still
		return true
	}
	c.orders = append(c.orders, o)
	if c.dice.in(25) { // changes their mind, or lets it lapse
		return c.dice.in(60) || c.cancels(o)
	}
	if !c.pays(o) || o.state != "paid" {
		return o.maybe == nil || o.state == "held"
	}
	switch n := c.dice.IntN(100); {
	case n < 35:
		return c.comesIn(o)
	case n < 70:
		return c.cancels(o)
	case n < 80:
		return c.isGiven(o)
	}
	return true
}

// wants thinks up an order.
func (c *crashClient) wants() programAsk {
	body := programBody{}
	if !c.dice.in(15) {
		slots := []programBody{c.dice.slot(c.club.now, 2)}
		if c.dice.in(30) {
			if other := c.dice.slot(c.club.now, 2); fmt.Sprint(other) != fmt.Sprint(slots[0]) {
				slots = append(slots, other)
			}
		}
		body["slots"] = slots
	}
	if body["slots"] == nil || c.dice.in(30) {
		body["goods"] = []programBody{{"id": fmt.Sprintf("g%d", 1+c.dice.IntN(3)), "qty": 1 + c.dice.IntN(2)}}
	}
	if c.dice.in(10) {
		body["coupon"] = "NEW10"
	}
	return programAsk{method: http.MethodPost, path: "/api/v1/orders", token: c.token, key: c.key("book"), body: body}
}

// pays opens an attempt and has the bank pay it; sometimes its notice is lost.
func (c *crashClient) pays(o *crashOrder) bool {
	got, answered := c.ask("open", programAsk{method: http.MethodPost, path: "/api/v1/orders/" + o.id + "/payments", token: o.ask.token,
		key: c.key("open"), body: programBody{"via": "sandbox"}}, o)
	if !answered || got.status >= 400 {
		return answered
	}
	number := got.str("out_trade_no")
	o.numbers = append(o.numbers, number)
	c.money[number] = &crashMoney{order: o}
	if c.dice.in(10) { // puts the phone away
		return true
	}
	return c.moneyComes(o, number, c.dice.in(80))
}

// moneyComes has the bank pay an attempt, with a notice or without.
func (c *crashClient) moneyComes(o *crashOrder, number string, notice bool) bool {
	path := "/demo/payments/" + number + "/succeed"
	if !notice {
		path += "?notify=false"
	}
	o.maybe = []string{"paid"}
	if o.late { // whether it is over by now is the program's to say
		o.maybe = []string{"held", "lapsed", "paid"}
	}
	got, answered := c.ask("succeed", programAsk{method: http.MethodPost, path: path}, o)
	if !answered {
		return false
	}
	if got.status != 200 {
		c.club.t.Errorf("the bank pays: %s", got.text)
		return false
	}
	m := c.money[number]
	m.bank, m.came = true, notice
	if !notice {
		return true
	}
	return c.looks(o)
}

func (c *crashClient) looks(o *crashOrder) bool {
	got, answered := c.ask("look", programAsk{method: http.MethodGet, path: "/api/v1/orders/" + o.id, token: o.ask.token}, o)
	if answered && got.status == 200 {
		o.learn(got.json)
	}
	return answered
}

func (c *crashClient) cancels(o *crashOrder) bool {
	before := o.maybe
	o.maybe = append([]string{"cancelled"}, before...)
	got, answered := c.ask("cancel", programAsk{method: http.MethodPost, path: "/api/v1/orders/" + o.id + "/cancel", token: o.ask.token, key: c.key("cancel")}, o)
	if !answered {
		return false
	}
	o.maybe = before
	if got.status == 200 {
		o.learn(got.json)
	}
	return true
}

// comesIn has the desk scan the ticket; too early is an answer, too.
func (c *crashClient) comesIn(o *crashOrder) bool {
	got, answered := c.ask("scan", programAsk{method: http.MethodPost, path: "/api/v1/desk/checkins", token: c.club.desk,
		body: programBody{"code": o.code, "nonce": c.key("scan")}}, o)
	if !answered {
		o.maybe = append(o.maybe, "completed") // goods alone are over once they are handed over
		return false
	}
	if got.json["result"] != "ok" {
		c.refused["scan "+fmt.Sprint(got.json["result"])]++
		return true
	}
	o.inside, o.state = true, programMap(got.json["order"])["state"].(string)
	return true
}

// isGiven has the desk give some money back.
func (c *crashClient) isGiven(o *crashOrder) bool {
	reason := c.key("goodwill")
	c.goodwills[reason] = false
	got, answered := c.ask("goodwill", programAsk{method: http.MethodPost, path: "/api/v1/desk/orders/" + o.id + "/refunds", token: c.club.desk, key: reason,
		body: programBody{"amount": 100, "reason": reason}}, o)
	c.goodwills[reason] = answered && got.status == 200
	return answered
}

// receives puts goods on the shelf.
func (c *crashClient) receives() bool {
	note := c.key("receipt")
	c.receipts[note] = false
	got, answered := c.ask("receipt", programAsk{method: http.MethodPost, path: fmt.Sprintf("/api/v1/owner/goods/g%d/receipts", 1+c.dice.IntN(3)),
		token: c.club.owner, key: note, body: programBody{"qty": 3, "note": note}}, nil)
	c.receipts[note] = answered && got.status < 300
	return answered
}

// sellsAtDesk sells for cash, and sometimes takes it back.
func (c *crashClient) sellsAtDesk() bool {
	o := &crashOrder{ask: programAsk{method: http.MethodPost, path: "/api/v1/desk/orders", token: c.club.desk, key: c.key("sell"),
		body: programBody{"slots": []programBody{c.dice.slot(c.club.now, 2)}, "customer": programBody{"name": "散客"}, "pay": "cash"}}}
	got, answered := c.ask("sell", o.ask, o)
	if !answered {
		c.orders = append(c.orders, o)
		return false
	}
	if got.status >= 400 {
		return true
	}
	o.made(got.json)
	c.orders = append(c.orders, o)
	if !c.dice.in(40) {
		return true
	}
	o.maybe = []string{"cancelled"}
	got, answered = c.ask("desk cancel", programAsk{method: http.MethodPost, path: "/api/v1/desk/orders/" + o.id + "/cancel", token: c.club.desk, key: c.key("take-back"),
		body: programBody{"by": "venue", "reason": "停电"}}, o)
	if answered && got.status == 200 {
		o.learn(got.json)
	}
	return answered
}

// paysLate has money come for an order that may be over by now.
func (c *crashClient) paysLate() bool {
	o := c.hold[0]
	c.hold = c.hold[1:]
	number := o.numbers[0]
	m := *c.club.memory.money[number]
	c.money[number] = &m
	o.late = true
	return c.moneyComes(o, number, true)
}
