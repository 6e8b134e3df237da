package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
)

const crashDamage = "damage"

// crashNever are questions to the file whose answer is 0 after every kill, before anybody
// has written again: each command is there wholly or not at all, and nothing twice.
var crashNever = map[string]string{
	crashDamage:                       `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
	"rows without what they refer to": `SELECT count(*) FROM pragma_foreign_key_check`,
	"two live claims on a slot":       `SELECT count(*) FROM (SELECT 1 FROM reservations WHERE release_at > (SELECT last_instant FROM clock) GROUP BY court_id, starts_at HAVING count(*) > 1)`,
	"claims on a slot at once, at any time": `SELECT count(*) FROM (SELECT booked_at, lag(release_at) OVER (PARTITION BY court_id, starts_at ORDER BY booked_at, release_at) AS before
		FROM reservations) WHERE before > booked_at`,
	"orders without a claim":               `SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM reservations WHERE order_id = o.id) AND NOT EXISTS (SELECT 1 FROM baskets WHERE order_id = o.id)`,
	"orders that nobody was told of":       `SELECT count(*) FROM orders o WHERE (SELECT count(*) FROM notices WHERE order_id = o.id AND occasion = 'booked') <> 1`,
	"baskets without lines":                `SELECT count(*) FROM baskets b WHERE has_goods = 1 AND NOT EXISTS (SELECT 1 FROM basket_lines WHERE basket_id = b.id)`,
	"goods sold without leaving the shelf": `SELECT count(*) FROM basket_lines l WHERE (SELECT total(qty) FROM stock_moves WHERE basket_id = l.basket_id AND good_id = l.good_id AND kind = 'sold') <> -qty`,
	"goods put back before or not at their basket's end": `SELECT count(*) FROM basket_lines l JOIN baskets b ON b.id = l.basket_id
		WHERE (SELECT total(qty) FROM stock_moves WHERE basket_id = l.basket_id AND good_id = l.good_id AND kind = 'restock')
			<> iif(b.settled_at IS NOT NULL AND ending IN ('lapsed', 'cancelled', 'no_show'), l.qty, 0)`,
	"shelves that do not add up": `SELECT count(*) FROM (SELECT balance, sum(qty) OVER (PARTITION BY good_id ORDER BY id) AS summed FROM stock_moves) WHERE balance <> summed`,
	"money that paid for nothing": `SELECT count(*) FROM payments p WHERE verdict IN ('paid', 'revived')
		AND NOT EXISTS (SELECT 1 FROM reservations WHERE order_id = p.order_id AND paid_at IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM baskets WHERE order_id = p.order_id AND paid_at IS NOT NULL)`,
	"claims paid for by nothing": `SELECT count(*) FROM (SELECT order_id FROM reservations WHERE paid_at IS NOT NULL UNION SELECT order_id FROM baskets WHERE paid_at IS NOT NULL) c
		JOIN orders o ON o.id = c.order_id WHERE o.pay = 'online' AND NOT EXISTS (SELECT 1 FROM payments WHERE order_id = c.order_id AND verdict IN ('paid', 'revived'))`,
	"orders paid for by halves": `SELECT count(*) FROM (SELECT order_id FROM reservations WHERE replaces IS NULL AND NOT EXISTS (SELECT 1 FROM reservations n WHERE n.replaces = reservations.id)
		GROUP BY order_id HAVING count(paid_at) NOT IN (0, count(*)))`,
	"verdicts that nobody was told of": `SELECT count(*) FROM payments p WHERE verdict <> 'flagged' AND via <> 'cash'
		AND (SELECT count(*) FROM notices WHERE order_id = p.order_id AND kind = iif(verdict = 'paid', 'paid', 'late_money') AND occasion = p.id) <> 1`,
	"money that came late and is not on its way back": `SELECT count(*) FROM payments p WHERE verdict = 'refunded'
		AND (SELECT total(amount_fen) FROM refunds WHERE payment_id = p.id AND purpose IN ('late', 'duplicate')) <> amount_fen`,
	"cancellations that nobody was told of": `SELECT count(*) FROM (SELECT DISTINCT order_id FROM reservations WHERE cancelled_at IS NOT NULL AND NOT moved AND cancelled_by IN ('customer', 'venue')) c
		WHERE (SELECT count(*) FROM notices n WHERE n.order_id = c.order_id AND kind = 'cancelled') <> 1`,
	"cancellations whose money stays": `SELECT count(*) FROM (SELECT order_id, cancelled_by FROM reservations WHERE cancelled_at IS NOT NULL AND paid_at IS NOT NULL AND cancelled_by IN ('customer', 'venue') GROUP BY order_id) c
		WHERE (SELECT total(amount_fen) FROM refunds WHERE order_id = c.order_id) <> (SELECT total(amount_fen) FROM payments WHERE order_id = c.order_id AND succeeded_at IS NOT NULL)`,
	"the same act of the desk twice": `SELECT count(*) FROM (SELECT 1 FROM audit WHERE action IN ('cancel', 'goodwill refund', 'receipt') GROUP BY action, target, reason, at HAVING count(*) > 1 AND action <> 'receipt')`,
	"settled, and nobody told": `SELECT count(*) FROM (SELECT order_id, pay_by FROM reservations WHERE settled_at IS NOT NULL AND ending = 'lapsed' UNION
			SELECT order_id, pay_by FROM baskets WHERE settled_at IS NOT NULL AND ending = 'lapsed') c
		WHERE (SELECT count(*) FROM notices n WHERE n.order_id = c.order_id AND kind = 'lapsed' AND occasion = c.pay_by) <> 1`,
	"told of an end that is not settled": `SELECT count(*) FROM notices n WHERE kind = 'lapsed' AND NOT EXISTS (SELECT 1 FROM reservations WHERE order_id = n.order_id AND settled_at IS NOT NULL AND ending = 'lapsed')
		AND NOT EXISTS (SELECT 1 FROM baskets WHERE order_id = n.order_id AND settled_at IS NOT NULL AND ending = 'lapsed')`,
	"a notice twice": `SELECT count(*) FROM (SELECT 1 FROM notices GROUP BY order_id, coalesce(reservation_id, ''), kind, occasion HAVING count(*) > 1)`,
	"a lapse, a no-show or a cancellation told twice": `SELECT count(*) FROM (SELECT 1 FROM notices WHERE kind IN ('lapsed', 'no_show', 'cancelled', 'held')
		GROUP BY order_id, coalesce(reservation_id, ''), kind, iif(kind = 'lapsed', occasion, '') HAVING count(*) > 1)`,
	"more back than came": `SELECT count(*) FROM payments p WHERE (SELECT total(amount_fen) FROM refunds WHERE payment_id = p.id) > iif(succeeded_at IS NULL, 0, amount_fen)`,
	"more back from the bank than came": `SELECT count(*) FROM sandbox_payments p JOIN (SELECT out_trade_no, sum(amount_fen) AS back FROM sandbox_refunds GROUP BY out_trade_no) r
		USING (out_trade_no) WHERE back > iif(state = 'succeeded', amount_fen, 0)`,
	"refunds at the bank that nobody asked for": `SELECT count(*) FROM sandbox_refunds s WHERE NOT EXISTS
		(SELECT 1 FROM refunds WHERE id = s.out_refund_no AND payment_id = s.out_trade_no AND amount_fen = s.amount_fen)`,
	"refunds done and not at the bank": `SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE done_at IS NOT NULL AND via = 'sandbox'
		AND NOT EXISTS (SELECT 1 FROM sandbox_refunds WHERE out_refund_no = r.id AND state = 'succeeded')`,
	"refunds done and nobody told": `SELECT count(*) FROM refunds r WHERE (SELECT count(*) FROM notices WHERE order_id = r.order_id AND kind = 'refunded' AND occasion = r.id) <> (done_at IS NOT NULL)`,
	"money believed that the bank does not have": `SELECT count(*) FROM payments p WHERE via = 'sandbox' AND succeeded_at IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM sandbox_payments WHERE out_trade_no = p.id AND state = 'succeeded')`,
	"attempts at the bank without a row": `SELECT count(*) FROM sandbox_payments s WHERE NOT EXISTS (SELECT 1 FROM payments WHERE id = s.out_trade_no AND order_id IS NOT NULL)`,
	"messages without a way or with two": `SELECT count(*) FROM notices n WHERE (SELECT count(*) FROM deliveries WHERE notice_id = n.id) <> 1`,
	"messages sent and not, at once":     `SELECT count(*) FROM notices n JOIN deliveries d ON d.notice_id = n.id WHERE (n.sent_at IS NULL) <> (d.sent_at IS NULL)`,
	"parked effects":                     `SELECT count(*) FROM parked_effects`,
	"coupons used beyond their limit":    `SELECT count(*) FROM (SELECT 1 FROM baskets WHERE coupon_code = 'NEW10' AND (cancelled_at IS NULL OR coupon_kept) AND (paid_at IS NOT NULL OR pay_by > (SELECT last_instant FROM clock)) GROUP BY customer_id HAVING count(DISTINCT order_id) > 1)`,
}

// look opens the file for one look and closes it again: who keeps it open would
// spare the program that starts next the recovery of its log.
func (c *crashClub) look(do func(*sql.DB)) {
	c.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(c.path)+"?mode=ro&_busy_timeout=5000&_query_only=on")
	programOK(c.t, err)
	defer func() { programOK(c.t, db.Close()) }()
	do(db)
}

func (c *crashClub) number(query string, args ...any) (n int) {
	c.t.Helper()
	c.look(func(db *sql.DB) { programOK(c.t, db.QueryRow(query, args...).Scan(&n)) })
	return n
}

// sound asks all that must never be. Nothing is killed between a restart and the round
// after it, so that the pages are looked through once.
func (c *crashClub) sound(pages bool) {
	c.t.Helper()
	c.look(func(db *sql.DB) {
		for what, query := range crashNever {
			if !pages && what == crashDamage {
				continue
			}
			var n int
			if err := db.QueryRow(query).Scan(&n); err != nil {
				c.t.Fatalf("%s: %v", what, err)
			}
			if n != 0 {
				c.t.Errorf("after kill %d: %s: %d", c.kills, what, n)
			}
		}
	})
}

// crashFacts is what the file holds of one order.
type crashFacts struct{ paid, inside, gone bool }

// remembered wants all that was ever acknowledged to be in the file, and no orders but
// those that somebody has asked for. While there are doubts, each may be one more.
func (c *crashClub) remembered(doubts int) {
	c.t.Helper()
	facts := map[string]crashFacts{}
	money, bank, notes, reasons := map[string]bool{}, map[string]bool{}, map[string]int{}, map[string]int{}
	c.look(func(db *sql.DB) {
		c.rows(db, `SELECT order_id, max(paid_at IS NOT NULL), max(checked_in_at IS NOT NULL), min(cancelled_at IS NOT NULL) FROM
			(SELECT order_id, paid_at, checked_in_at, cancelled_at FROM reservations UNION ALL SELECT order_id, paid_at, handed_over_at,
			iif(cancelled_at IS NULL AND order_id IN (SELECT order_id FROM reservations), 1, cancelled_at) FROM baskets) GROUP BY order_id`,
			func(scan func(...any) error) error {
				var id string
				var f crashFacts
				err := scan(&id, &f.paid, &f.inside, &f.gone)
				facts[id] = f
				return err
			})
		c.rows(db, `SELECT id, succeeded_at IS NOT NULL, coalesce((SELECT state = 'succeeded' FROM sandbox_payments WHERE out_trade_no = id), 0) FROM payments WHERE via = 'sandbox'`,
			func(scan func(...any) error) error {
				var id string
				var came, there bool
				err := scan(&id, &came, &there)
				money[id], bank[id] = came, there
				return err
			})
		count := func(into map[string]int) func(func(...any) error) error {
			return func(scan func(...any) error) error {
				var name string
				err := scan(&name)
				into[name]++
				return err
			}
		}
		c.rows(db, `SELECT note FROM stock_moves WHERE kind = 'receipt'`, count(notes))
		c.rows(db, `SELECT reason FROM refunds WHERE purpose = 'goodwill'`, count(reasons))
	})
	known := map[string]bool{}
	for _, o := range c.memory.orders {
		if o.id == "" {
			continue
		}
		known[o.id] = true
		f, there := facts[o.id]
		if !there || (o.paid && !f.paid) || (o.inside && !f.inside) || (o.gone && !f.gone) {
			c.t.Errorf("after kill %d: acknowledged and lost: order %s (paid %v, inside %v, cancelled %v), the file has %v %+v", c.kills, o.id, o.paid, o.inside, o.gone, there, f)
			c.lost++
		}
	}
	if extra := len(facts) - len(known); extra < 0 || extra > doubts {
		c.t.Errorf("after kill %d: %d orders in the file, %d known, %d in doubt", c.kills, len(facts), len(known), doubts)
		c.doubled += max(extra-doubts, 0)
	}
	for number, m := range c.memory.money {
		if came, there := money[number]; !there || (m.came && !came) || (m.bank && !bank[number]) {
			c.t.Errorf("after kill %d: acknowledged and lost: payment %s (%+v), the file has %v, success %v, at the bank %v", c.kills, number, *m, there, came, bank[number])
			c.lost++
		}
	}
	for what, both := range map[string]struct {
		asked map[string]bool
		there map[string]int
	}{"receipt": {c.memory.receipts, notes}, "goodwill": {c.memory.goodwills, reasons}} {
		for name, acknowledged := range both.asked {
			switch n := both.there[name]; {
			case n > 1:
				c.t.Errorf("after kill %d: %s %s is there %d times", c.kills, what, name, n)
				c.doubled++
			case acknowledged && n == 0:
				c.t.Errorf("after kill %d: acknowledged and lost: %s %s", c.kills, what, name)
				c.lost++
			}
		}
	}
}

func (c *crashClub) rows(db *sql.DB, query string, row func(scan func(...any) error) error) {
	c.t.Helper()
	rows, err := db.Query(query)
	programOK(c.t, err)
	defer rows.Close()
	for rows.Next() {
		programOK(c.t, row(rows.Scan))
	}
	programOK(c.t, rows.Err())
}

// view asks for an order as whoever made it would.
func (c *crashClub) view(o *crashOrder) programAnswer {
	c.t.Helper()
	path := "/api/v1/orders/"
	if strings.HasPrefix(o.ask.path, "/api/v1/desk") {
		path = "/api/v1/desk/orders/"
	}
	return c.p.send(programAsk{method: http.MethodGet, path: path + o.id, token: o.ask.token}).wants(200)
}

// asAnswered wants the orders of a cycle to read as they were answered last.
func (c *crashClub) asAnswered(orders []*crashOrder) map[string]string {
	c.t.Helper()
	states := map[string]string{}
	for _, o := range orders {
		if o.id == "" {
			continue
		}
		got := c.view(o)
		states[o.id] = got.str("state")
		if !o.may(states[o.id]) {
			c.t.Errorf("after kill %d: order %s is %s, was answered as %s (or %v)", c.kills, o.id, states[o.id], o.state, o.maybe)
		}
		if content := crashContent(got.json); !o.late && content != o.content {
			c.t.Errorf("after kill %d: order %s reads %s, was answered as %s", c.kills, o.id, content, o.content)
		}
		if o.inside && got.in("reservations", 0) != nil && !anyInside(got) {
			c.t.Errorf("after kill %d: order %s is not checked in: %s", c.kills, o.id, got.text)
		}
	}
	return states
}

func anyInside(got programAnswer) bool {
	list, _ := got.in("reservations").([]any)
	for _, r := range list {
		if programMap(r)["checked_in_at"] != nil {
			return true
		}
	}
	return false
}

// repeat sends commands again, word for word, and wants what the first answer was; a
// doubt may be carried out now, or be refused.
func (c *crashClub) repeat(deeds, doubts []crashDeed) {
	c.t.Helper()
	for _, d := range deeds {
		if d.ask.method != http.MethodPost || d.kind == "succeed" {
			continue
		}
		again := c.p.send(d.ask)
		switch d.kind {
		case "scan":
			if again.status != 200 || fmt.Sprint(again.json) != fmt.Sprint(d.got.json) {
				c.t.Errorf("after kill %d: the same scan again: %s, was %s", c.kills, again.text, d.got.text)
			}
		case "open": // of an order that may be over by now
			if again.status != 409 && (again.status != 200 || again.in("out_trade_no") != d.got.in("out_trade_no")) {
				c.t.Errorf("after kill %d: the same attempt again: %s, was %s", c.kills, again.text, d.got.text)
			}
		default:
			if again.status >= 300 || again.in("id") != d.got.in("id") {
				c.t.Errorf("after kill %d: %s again: %s, was %s", c.kills, d.kind, again.text, d.got.text)
			}
		}
	}
	for _, d := range doubts {
		again := c.p.send(d.ask)
		c.resolve(d, again)
	}
}

// resolve learns what became of a request that was never answered, from the answer to
// the same request again.
func (c *crashClub) resolve(d crashDeed, again programAnswer) {
	c.t.Helper()
	ok := again.status < 300
	switch d.kind {
	case "book", "sell":
		if ok {
			d.order.made(again.json)
		}
	case "open":
		if number, _ := again.in("out_trade_no").(string); ok && number != "" {
			d.order.numbers = append(d.order.numbers, number)
			c.memory.money[number] = &crashMoney{order: d.order}
		}
	case "cancel", "desk cancel", "goodwill":
		if !ok {
			c.t.Errorf("after kill %d: a %s in doubt, sent again: %s", c.kills, d.kind, again.text)
			break
		}
		d.order.learn(again.json)
		if d.kind == "goodwill" {
			c.memory.goodwills[d.ask.key] = true
		}
	case "receipt":
		c.memory.receipts[d.ask.key] = ok
	case "scan":
		// Whether it came in before the kill or now, the answer to this nonce is ok; too early stays too early.
		if result := fmt.Sprint(again.json["result"]); result == "already_in" || !ok {
			c.t.Errorf("after kill %d: a scan in doubt, sent again: %s", c.kills, again.text)
		} else if result == "ok" {
			d.order.inside, d.order.state, d.order.maybe = true, programMap(again.json["order"])["state"].(string), nil
		}
	case "succeed", "look": // the round finds out, or whoever looks
	}
}
