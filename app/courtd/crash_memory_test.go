package main

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"syscall"
)

// What clients remember of a club whose program is killed again and again. An answer
// that came is a promise; a request without an answer is a doubt: it may have been
// carried out or not, but never by half and never twice.

// crashOrder is one order as its client knows it.
type crashOrder struct {
	ask     programAsk // that made it, with its key
	id      string     // empty while it is in doubt
	content string     // what was booked, as answered
	code    string     // of the ticket
	state   string     // as answered last; the clock stands still within a cycle
	maybe   []string   // other states that a doubt has left possible
	paid    bool       // an answer said so, and since then
	inside  bool
	gone    bool // cancelled
	late    bool // money came after its end
	numbers []string
}

// crashDeed is one request and what came of it.
type crashDeed struct {
	kind  string
	ask   programAsk
	order *crashOrder
	got   programAnswer // without a status while in doubt
}

// crashMoney is one attempt to pay.
type crashMoney struct {
	order *crashOrder
	came  bool // the bank has it and courtd has acknowledged its notice
	bank  bool // the bank has it
}

// crashMemory is what all clients together know.
type crashMemory struct {
	orders    []*crashOrder
	money     map[string]*crashMoney // by the attempt's number
	receipts  map[string]bool        // by the note of it: true when acknowledged
	goodwills map[string]bool        // by the reason of it
	phones    map[string]string      // by the token of it
}

func newCrashMemory() *crashMemory {
	return &crashMemory{money: map[string]*crashMoney{}, receipts: map[string]bool{}, goodwills: map[string]bool{}, phones: map[string]string{}}
}

// crashClient is one that acts until it gets no answer, or is told to stop. Nobody else
// touches its fields meanwhile.
type crashClient struct {
	*crashMemory // its own, until it is merged
	club         *crashClub
	p            *program
	token        string
	name         string
	dice         *crashDice
	mustAnswer   bool // its program is not the one to be killed
	asks         int
	deeds        []crashDeed
	doubts       []crashDeed
	inFlight     int // doubts that the program had begun to receive
	answers      int
	refused      map[string]int
	hold         []*crashOrder // late money may come for these
}

// ask sends a request and takes note of what came. It reports false when nothing came.
func (c *crashClient) ask(kind string, ask programAsk, order *crashOrder) (programAnswer, bool) {
	got, err := c.p.try(ask)
	deed := crashDeed{kind: kind, ask: ask, order: order}
	switch {
	case got.status >= http.StatusInternalServerError:
		c.club.t.Errorf("%s: status %d: %s", kind, got.status, got.text)
		return got, false
	case err != nil:
		if c.mustAnswer {
			c.club.t.Errorf("%s got no answer from a program that was not killed: %v", kind, err)
		}
		c.doubts = append(c.doubts, deed)
		if !errors.Is(err, syscall.ECONNREFUSED) {
			c.inFlight++
		}
		return got, false
	}
	c.answers++
	c.club.heard(c.p)
	deed.got = got
	if got.status >= 400 {
		c.refused[fmt.Sprint(got.json["reason"])]++
		return got, true
	}
	c.deeds = append(c.deeds, deed)
	return got, true
}

// key names one command of this client, once in all cycles.
func (c *crashClient) key(kind string) string {
	c.asks++
	return fmt.Sprintf("%s-%s-%d", kind, c.name, c.asks)
}

// learn takes over what an answer says of an order.
func (o *crashOrder) learn(view map[string]any) {
	state, _ := view["state"].(string)
	o.state, o.maybe = state, nil
	switch state {
	case "paid":
		o.paid = true
	case "cancelled":
		o.gone = true
	}
	if code, ok := programMap(view["ticket"])["code"].(string); ok {
		o.code = code
	}
}

// made takes over the answer that acknowledges an order.
func (o *crashOrder) made(view map[string]any) {
	o.id, _ = view["id"].(string)
	o.content = crashContent(view)
	o.learn(view)
}

// crashContent is what was booked and for how much: no act of a cycle changes it.
func crashContent(view map[string]any) string {
	var b strings.Builder
	fmt.Fprint(&b, view["id"], view["number"], view["booked_at"], view["pay"], view["total"], view["discount"], view["coupon"])
	list, _ := view["reservations"].([]any)
	for _, r := range list {
		r := programMap(r)
		fmt.Fprint(&b, " ", programMap(r["court"])["id"], "@", r["start"], r["end"], r["price"], r["discount"])
	}
	list, _ = view["goods"].([]any)
	for _, g := range list {
		g := programMap(g)
		fmt.Fprint(&b, " ", g["id"], "x", g["qty"], g["price"])
	}
	return b.String()
}

// knows reports whether an order is among those remembered.
func (m *crashMemory) knows(id string) bool {
	return slices.ContainsFunc(m.orders, func(o *crashOrder) bool { return o.id == id })
}

// merge takes over what a client knows.
func (m *crashMemory) merge(other *crashMemory) {
	m.orders = append(m.orders, other.orders...)
	maps.Copy(m.money, other.money)
	maps.Copy(m.receipts, other.receipts)
	maps.Copy(m.goodwills, other.goodwills)
	maps.Copy(m.phones, other.phones)
}

// may says whether an order may be in a state, after what was answered and what was not.
func (o *crashOrder) may(state string) bool {
	return state == o.state || slices.Contains(o.maybe, state)
}
