package sqlite_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// guard is a statement that one trigger alone refuses.
type guard struct {
	trigger string
	before  string // what has happened already
	refused string
	kept    string // the neighbour that is let through; may be empty
}

// slotRow is an INSERT of a second reservation, its slot of 20 s beginning at start.
func slotRow(start int, more string) string {
	court := "c"
	if more == "elsewhere" {
		court, more = "c9", ""
	}
	if more == "" {
		more = "NULL, NULL"
	}
	return fmt.Sprintf(`INSERT INTO reservations (id, order_id, seq, customer_id, court_id, day, price_fen, discount_fen, price_rule,
		booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at, cancelled_at, settled_at)
		VALUES ('r2', 'o', 2, 'u', '%s', '2026-12-10', 0, 0, '', 10, 11, %d, %d, %d, %d, %s)`, court, start, start+20, start, start+20, more)
}

const inPlace = `UPDATE reservations SET `

func promiseGuards() (list []guard) {
	for _, change := range []string{"id = 'r9'", "order_id = 'o9'", "customer_id = 'u2'", "court_id = 'c9'", "day = '2026-12-11'",
		"booked_at = 11", "pay_by = 21", "pay_by = NULL, paid_at = 10", "check_in_from = 31", "check_in_by = 51", "starts_at = 41", "ends_at = 61",
		"price_fen = 6001", "discount_fen = 501", "replaces = 'x', replaced_as = 'moved'"} {
		list = append(list, guard{"reservations_promises", "", inPlace + change, inPlace + "cancel_reason = 'x', cancelled_by = 's'"})
	}
	for _, change := range []string{"id = 'b9'", "order_id = 'o9'", "customer_id = 'u2'", "coupon_code = NULL", "has_goods = 0", "discount_fen = 51",
		"booked_at = 11", "pay_by = 21", "check_in_by = 61", "replaces = 'x'"} {
		list = append(list, guard{"baskets_promises", "", "UPDATE baskets SET " + change, "UPDATE baskets SET coupon_kept = 1"})
	}
	return list
}

// factGuards are of reservations and baskets alike, but for the name of one fact.
func factGuards(table, checkedIn string) []guard {
	update := "UPDATE " + table + " SET "
	trigger := table + "_facts"
	fact := func(before, refused, kept string) guard {
		return guard{trigger, update + before, update + refused, update + kept}
	}
	return []guard{
		fact("paid_at = 15", "paid_at = 16", "paid_at = 15"),
		fact("paid_at = 15", "paid_at = NULL", "cancel_reason = 'x'"),
		fact("paid_at = 15; "+update+checkedIn+" = 35", checkedIn+" = 36", checkedIn+" = 35"),
		fact("paid_at = 15; "+update+checkedIn+" = 35", checkedIn+" = NULL", "cancel_reason = 'x'"),
		fact("cancelled_at = 16", "cancelled_at = 17", "cancelled_at = 16"),
		fact("cancelled_at = 16", "cancelled_at = NULL", "cancel_reason = 'x'"),
		fact("cancelled_at = 16", "moved = 1", "moved = 0"),
		fact("cancelled_at = 16, settled_at = 20", "settled_at = 21", "settled_at = 20"),
		fact("cancelled_at = 16, settled_at = 20", "settled_at = NULL", "cancel_reason = 'x'"),
		// Facts come before the release that the row had until then.
		fact("cancelled_at = 12", "paid_at = 12", "paid_at = 11"),
		fact("cancel_reason = ''", "paid_at = 19, cancelled_at = 20", "paid_at = 19, cancelled_at = 19"),
	}
}

func guards() []guard {
	list := promiseGuards()
	list = append(list, factGuards("reservations", "checked_in_at")...)
	list = append(list, factGuards("baskets", "handed_over_at")...)
	return append(list,
		guard{"reservations_facts", inPlace + "paid_at = 15; " + inPlace + "cancelled_at = 35", inPlace + "checked_in_at = 35", inPlace + "checked_in_at = 34"},
		guard{"reservations_facts", inPlace + "paid_at = 15", inPlace + "checked_in_at = 45, cancelled_at = 50", inPlace + "checked_in_at = 45, cancelled_at = 49"},
		guard{"baskets_facts", "", "UPDATE baskets SET paid_at = 19, handed_over_at = 20", "UPDATE baskets SET paid_at = 19, handed_over_at = 19"},

		guard{"reservations_no_overlap", "", slotRow(59, ""), slotRow(60, "")},
		guard{"reservations_no_overlap", "", slotRow(21, ""), slotRow(20, "")},
		guard{"reservations_no_overlap", "", slotRow(45, ""), slotRow(45, "elsewhere")},
		guard{"reservations_no_overlap", "", slotRow(45, ""), slotRow(45, "10, 10")},
		guard{"reservations_no_overlap", inPlace + "cancelled_at = 15", slotRow(45, ""), ""},
		guard{"reservations_not_closed", "", slotRow(199, ""), slotRow(200, "")},
		guard{"reservations_not_closed", "", slotRow(81, ""), slotRow(80, "")},
		guard{"reservations_not_closed", "", slotRow(150, ""), slotRow(150, "elsewhere")},
		guard{"reservations_not_closed", "", slotRow(150, ""), slotRow(150, "10, 10")},

		// Whoever was merged gets nothing new, and what they had goes to nobody but who took over.
		guard{"orders_of_the_living", merged, anotherOrder("u"), anotherOrder("u2")},
		guard{"sessions_of_the_living", merged, `INSERT INTO sessions (token_hash, customer_id, created_at, expires_at) VALUES ('new', 'u', 1, 2)`,
			`INSERT INTO sessions (token_hash, customer_id, created_at, expires_at) VALUES ('new', 'u2', 1, 2)`},
		guard{"customers_merged_for_good", merged, `UPDATE customers SET merged_into = NULL WHERE id = 'u'`, `UPDATE customers SET merged_into = 'u3' WHERE id = 'u'`},
		guard{"customers_merged_for_good", merged, `UPDATE customers SET phone = '1' WHERE id = 'u'`, `UPDATE customers SET phone = '1' WHERE id = 'u2'`},
		guard{"customers_merged_for_good", merged, `UPDATE customers SET openid = 'w' WHERE id = 'u'`, `UPDATE customers SET openid = 'w' WHERE id = 'u2'`},
		guard{"customers_merged_for_good", merged, `UPDATE customers SET email = 'a@b.c' WHERE id = 'u'`, `UPDATE customers SET email = 'a@b.c' WHERE id = 'u2'`},
		guard{"customers_merged_for_good", merged, `UPDATE customers SET merged_into = 'u2' WHERE id = 'u2'`, `UPDATE customers SET merged_into = 'u3' WHERE id = 'u2'`},
		guard{"reservations_promises", merged, inPlace + "customer_id = 'u3'", inPlace + "customer_id = 'u2'"},
		guard{"baskets_promises", merged, "UPDATE baskets SET customer_id = 'u3'", "UPDATE baskets SET customer_id = 'u2'"},

		guard{"reservations_kept", "", `DELETE FROM reservations`, ""},
		guard{"baskets_kept", "", `DELETE FROM baskets`, ""},
		guard{"orders_kept", "", `DELETE FROM orders`, ""},
		guard{"stock_moves_kept", "", `DELETE FROM stock_moves`, ""},
		guard{"stock_moves_append_only", "", `UPDATE stock_moves SET note = 'x'`, ""},
		guard{"audit_kept", "", `DELETE FROM audit`, ""},
		guard{"audit_append_only", "", `UPDATE audit SET reason = 'x'`, ""},

		guard{"stock_moves_balance", "", stockRow("g", -3, 8), stockRow("g", -3, 7)},
		guard{"stock_moves_balance", "", stockRow("new", 3, 4), stockRow("new", 3, 3)},
		guard{"refunds_within_payment", "", refundRow("payment-1", 601), refundRow("payment-1", 600)},
		guard{"refunds_within_payment", "", refundRow("payment-2", 1), refundRow("payment-1", 1)},
		guard{"refunds_facts", "", `UPDATE refunds SET amount_fen = 401`, `UPDATE refunds SET tries = 1`},
		guard{"refunds_facts", "", `UPDATE refunds SET payment_id = 'payment-2'`, ""},
		guard{"refunds_facts", `UPDATE refunds SET done_at = 40`, `UPDATE refunds SET done_at = 41`, `UPDATE refunds SET done_at = 40`},
		guard{"refunds_facts", `UPDATE refunds SET done_at = 40`, `UPDATE refunds SET done_at = NULL`, ""},
		guard{"payments_facts", "", `UPDATE payments SET amount_fen = 1001`, `UPDATE payments SET asks = 1`},
		guard{"payments_facts", "", `UPDATE payments SET order_id = 'o9'`, ""},
		guard{"payments_facts", "", `UPDATE payments SET succeeded_at = 12 WHERE id = 'payment-1'`, `UPDATE payments SET succeeded_at = 12, verdict = 'paid' WHERE id = 'payment-2'`},
		guard{"payments_facts", "", `UPDATE payments SET succeeded_at = NULL, verdict = NULL WHERE id = 'payment-1'`, ""},
		guard{"closures_facts", "", `UPDATE closures SET from_at = 101`, `UPDATE closures SET lifted_at = 20`},
		guard{"closures_facts", "", `UPDATE closures SET to_at = 201`, ""},
		guard{"closures_facts", "", `UPDATE closures SET made_at = 11`, ""},
		guard{"closures_facts", `UPDATE closures SET lifted_at = 20`, `UPDATE closures SET lifted_at = 21`, `UPDATE closures SET reason = 'x'`},
		guard{"closures_facts", `UPDATE closures SET lifted_at = 20`, `UPDATE closures SET lifted_at = NULL`, ""},
	)
}

// merged has u's account taken over by u2.
const merged = `INSERT OR IGNORE INTO customers (id, created_at) VALUES ('u2', 1), ('u3', 1);
	UPDATE customers SET merged_into = 'u2', phone = NULL WHERE id = 'u'`

func anotherOrder(customer string) string {
	return fmt.Sprintf(`INSERT INTO orders (id, number_day, number_seq, number, customer_id, channel, pay, booked_at, terms, ticket_code)
		VALUES ('o2', '2026-12-10', 2, '1210-0002', '%s', 'online', 'online', 1, '{}', '%s')`, customer, strings.Repeat("U", 26))
}

func stockRow(good string, qty, balance int) string {
	return fmt.Sprintf(`INSERT INTO stock_moves (good_id, kind, qty, balance, at) VALUES ('%s', 'adjust', %d, %d, 2)`, good, qty, balance)
}

func refundRow(payment string, amountFen int) string {
	return fmt.Sprintf(`INSERT INTO refunds (id, payment_id, order_id, purpose, cause, amount_fen, created_at)
		VALUES ('f2', '%s', 'o', 'goodwill', '1', %d, 31)`, payment, amountFen)
}

func guardedClub(t *testing.T) club {
	c := openClub(t)
	for _, table := range []string{"orders", "reservations", "baskets", "closures"} {
		query, args := insertion(table, nil)
		c.exec(query, args...)
	}
	c.exec(`INSERT INTO closure_courts VALUES ('k', 'c');
		INSERT INTO audit (at, actor, role, action, target) VALUES (1, 's', 'desk', 'a', 't');
		INSERT INTO stock_moves (good_id, kind, qty, balance, at) VALUES ('g', 'receipt', 10, 10, 1);
		INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, opened_at, succeeded_at, verdict) VALUES
			('payment-1', 'o', 'x', 'order', 1000, 'CNY', 10, 11, 'paid'), ('payment-2', 'o', 'x', 'order', 1000, 'CNY', 10, NULL, NULL);
		INSERT INTO refunds (id, payment_id, order_id, purpose, cause, amount_fen, created_at) VALUES ('f', 'payment-1', 'o', 'cancel', 'r', 400, 30)`)
	return c
}

// TestSchemaTriggers wants each statement refused, and let through as soon as the
// one trigger is gone: so it is this trigger that refuses, and nothing else.
func TestSchemaTriggers(t *testing.T) {
	c := guardedClub(t)
	missing := map[string]bool{}
	// Those that count touches refuse nothing: see TestEveryTouchIsCounted.
	each(c, `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE '%\_touch%' ESCAPE '\'`, func(s *string) []any { return []any{s} }, func(name string) { missing[name] = true })
	run := func(statements ...string) error {
		return c.attempt(func(tx *sql.Tx) error {
			for _, statement := range statements {
				if _, err := tx.Exec(statement); err != nil {
					return fmt.Errorf("%s: %w", statement, err)
				}
			}
			return nil
		})
	}
	for _, g := range guards() {
		delete(missing, g.trigger)
		if err := run(g.before); err != nil {
			t.Errorf("%s: before: %v", g.trigger, err)
		}
		if err := run(g.before, g.refused); err == nil {
			t.Errorf("%s lets through, after %q: %s", g.trigger, g.before, g.refused)
		}
		if err := run(g.before, "DROP TRIGGER "+g.trigger, g.refused); err != nil {
			t.Errorf("not only %s refuses: %v", g.trigger, err)
		}
		if err := run(g.before, g.kept); err != nil {
			t.Errorf("%s: %v", g.trigger, err)
		}
	}
	for name := range missing {
		t.Errorf("trigger %s refused nothing", name)
	}
}

// TestSchemaLetsASlotGoOnce shows what makes the database's own guard possible to
// satisfy: a row that was settled, and a closure that was lifted, stand in nobody's way.
func TestSchemaLetsASlotGoOnce(t *testing.T) {
	c := guardedClub(t)
	c.exec(inPlace + "cancelled_at = 15, settled_at = 15")
	c.exec(`UPDATE closures SET lifted_at = 20`)
	for _, start := range []int{40, 45, 150} {
		if err := c.attempt(func(tx *sql.Tx) error { _, err := tx.Exec(slotRow(start, "")); return err }); err != nil {
			t.Errorf("slot at %d: %v", start, err)
		}
	}
}

// TestSchemaOnceOnly repeats rows that may exist only once.
func TestSchemaOnceOnly(t *testing.T) {
	for _, test := range []struct {
		table       string
		again, kept set
	}{
		{"orders", set{"id": "o2", "ticket_code": strings.Repeat("U", 26)}, set{"id": "o2", "ticket_code": strings.Repeat("U", 26), "number_seq": 2}},
		{"orders", set{"id": "o2", "number_seq": 2}, set{"id": "o2", "ticket_code": strings.Repeat("U", 26), "number_day": "2027-12-10"}},
		{"reservations", set{"id": "r2", "starts_at": 70, "check_in_by": 80, "ends_at": 80}, set{"id": "r2", "seq": 2, "starts_at": 70, "check_in_by": 80, "ends_at": 80}},
		{"baskets", set{"id": "b2"}, set{"id": "b2", "seq": 2}},
		{"stock_moves", set{"good_id": "g", "kind": "restock", "basket_id": "b", "qty": 1, "balance": 12}, set{"good_id": "g", "kind": "restock", "basket_id": "b2", "qty": 1, "balance": 12}},
		{"refunds", set{"id": "f2", "payment_id": "payment-1"}, set{"id": "f2", "payment_id": "payment-1", "cause": "r2"}},
		{"notices", set{"id": "n2"}, set{"id": "n2", "occasion": "again"}},
		{"notices", set{"id": "n2"}, set{"id": "n2", "reservation_id": "r"}},
	} {
		c := guardedClub(t)
		c.exec(`INSERT INTO stock_moves (good_id, kind, qty, balance, basket_id, at) VALUES ('g', 'restock', 1, 11, 'b', 2)`)
		query, args := insertion("notices", nil)
		c.exec(query, args...)
		if err := c.attemptRow(test.table, test.again); err == nil || !strings.Contains(err.Error(), "UNIQUE constraint failed") {
			t.Errorf("%s with %v: %v", test.table, test.again, err)
		}
		if err := c.attemptRow(test.table, test.kept); err != nil {
			t.Errorf("%s with %v: %v", test.table, test.kept, err)
		}
	}
}
