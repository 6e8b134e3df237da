package sqlite_test

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"courtd/domain"
)

// set says what some columns of a row hold.
type set = map[string]any

// soundRows are rows that every table accepts; the cases change a column or two.
var soundRows = map[string]set{
	"clock":     {"id": 1},
	"venue":     {"id": 1, "version": 1, "name": "V", "zone": "UTC", "policy": "{}", "hours": "{}", "price_rules": "[]"},
	"grid_days": {"day": "d", "opens_at": 1, "closes_at": 2, "slot_seconds": 1, "bookable_from": 0},
	"courts":    {"id": "c", "name": "C", "position": 1},
	"staff":     {"id": "t", "username": "t", "name": "T", "role": "desk", "password_hash": "-", "created_at": 1},
	"sessions":  {"token_hash": "h", "customer_id": "u", "created_at": 1, "expires_at": 2},
	"orders": {"id": "o", "number_day": "2026-12-10", "number_seq": 1, "number": "1210-0001", "customer_id": "u", "channel": "online",
		"pay": "online", "booked_at": 1, "terms": "{}", "ticket_code": strings.Repeat("T", 26)},
	"reservations": {"id": "r", "order_id": "o", "seq": 1, "customer_id": "u", "court_id": "c", "day": "2026-12-10", "price_fen": 6000,
		"discount_fen": 500, "price_rule": "", "booked_at": 10, "pay_by": 20, "check_in_from": 30, "check_in_by": 50, "starts_at": 40, "ends_at": 60},
	"goods":   {"id": "g", "name": "G", "price_fen": 300, "position": 1},
	"coupons": {"code": "TEN", "name": "T", "created_at": 1},
	"baskets": {"id": "b", "order_id": "o", "seq": 1, "customer_id": "u", "coupon_code": "TEN", "has_goods": 1, "discount_fen": 50,
		"booked_at": 10, "pay_by": 20, "check_in_by": 60},
	"basket_lines":     {"basket_id": "b", "good_id": "g", "qty": 2, "price_fen": 300, "name": "G"},
	"stock_moves":      {"good_id": "new", "kind": "receipt", "qty": 5, "balance": 5, "at": 1},
	"payments":         {"id": "payment-1", "order_id": "o", "via": "sandbox", "purpose": "order", "amount_fen": 1000, "currency": "CNY", "opened_at": 10},
	"refunds":          {"id": "f", "payment_id": "payment-0", "order_id": "o", "purpose": "cancel", "cause": "r", "amount_fen": 400, "created_at": 30},
	"closures":         {"id": "k", "from_at": 100, "to_at": 200, "made_at": 10},
	"notices":          {"id": "n", "customer_id": "u", "order_id": "o", "kind": "held", "occasion": "", "created_at": 1, "title": "", "text": "", "title_en": "", "text_en": "", "next_try_at": 1},
	"reconciler_runs":  {"started_at": 1, "ended_at": 2, "ok": 1, "report": "{}"},
	"audit":            {"at": 1, "actor": "s", "role": "desk", "action": "a", "target": "t"},
	"sandbox_payments": {"out_trade_no": "payment-1", "amount_fen": 1, "currency": "CNY", "request": "{}", "expires_at": 1, "state": "pending"},
	"sandbox_refunds":  {"out_refund_no": "f", "out_trade_no": "payment-1", "amount_fen": 1, "state": "processing"},
	"events":           {"id": "e", "kind": "slot.freed", "about": "r", "at": 1, "payload": "{}"},
	"deliveries":       {"event_id": "event-0", "channel": "log", "created_at": 1, "next_try_at": 1},
	"allowances":       {"openid": "w", "template_id": "x", "left_over": 1},
	"bill_lines":       {"bill_id": "bill-0", "line": 1, "kind": "payment", "out_trade_no": "payment-0", "amount_fen": 1, "at": 1},
	"day_touches":      {"utc_day": 5, "times": 1},
	"bills":            {"id": "bill-1", "provider": "wechat", "day": "2026-12-10", "imported_at": 1, "digest": "d"},
}

// insertion builds an INSERT of a sound row with changes.
func insertion(table string, changes set) (string, []any) {
	row := maps.Clone(soundRows[table])
	maps.Copy(row, changes)
	columns := slices.Sorted(maps.Keys(row))
	values := make([]any, len(columns))
	for i, column := range columns {
		values[i] = row[column]
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(columns)), ",")
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ","), marks), values
}

// attempt runs statements in a transaction that is then undone, and gives the
// error of the first that fails.
func (c club) attempt(fn func(*sql.Tx) error) error {
	c.t.Helper()
	tx, err := c.raw.Begin()
	if err != nil {
		c.t.Fatal(err)
	}
	defer tx.Rollback()
	return fn(tx)
}

func (c club) attemptRow(table string, changes set) error {
	c.t.Helper()
	return c.attempt(func(tx *sql.Tx) error {
		query, args := insertion(table, changes)
		_, err := tx.Exec(query, args...)
		return err
	})
}

// neighbours are two rows of one table on the two sides of a CHECK.
type neighbours struct {
	table   string
	refused set
	kept    set
}

func oneOf(table, column string, values ...any) (list []neighbours) {
	for _, v := range values {
		list = append(list, neighbours{table, set{column: "other"}, set{column: v}})
	}
	return list
}

func flag(table, column string) []neighbours {
	return []neighbours{{table, set{column: -1}, set{column: 0}}, {table, set{column: 2}, set{column: 1}}}
}

func atLeast(table, column string, least int) []neighbours {
	return []neighbours{{table, set{column: least - 1}, set{column: least}}}
}

func checks() []neighbours {
	list := [][]neighbours{
		{{"clock", set{"id": 2}, nil}, {"venue", set{"id": 2}, nil}, {"venue", set{"policy": "{"}, nil}, {"venue", set{"hours": "{"}, nil},
			{"venue", set{"price_rules": "["}, nil}, {"orders", set{"terms": "{"}, nil}, {"reconciler_runs", set{"report": "{"}, nil},
			{"audit", set{"detail": "{"}, set{"detail": "[]"}}},
		atLeast("grid_days", "slot_seconds", 1), flag("courts", "active"), flag("staff", "active"), oneOf("staff", "role", "desk", "owner"),
		{{"sessions", set{"staff_id": "s"}, nil}, {"sessions", set{"customer_id": nil}, set{"customer_id": nil, "staff_id": "s"}}},
		atLeast("orders", "number_seq", 1), oneOf("orders", "channel", "online", "desk"), oneOf("orders", "pay", "online", "on_arrival", "cash"),
		{{"orders", set{"ticket_code": strings.Repeat("T", 25)}, nil}},
		reservationChecks(),
		atLeast("goods", "price_fen", 0), flag("goods", "active"),
		atLeast("coupons", "percent", 0), {{"coupons", set{"percent": 101}, set{"percent": 100}}}, atLeast("coupons", "amount_fen", 0), flag("coupons", "active"),
		basketChecks(),
		atLeast("basket_lines", "qty", 1), atLeast("basket_lines", "price_fen", 0),
		stockChecks(), messageChecks(), touchChecks(),
		{{"payments", set{"id": "12345"}, set{"id": "123456"}}, {"payments", set{"id": strings.Repeat("1", 33)}, set{"id": strings.Repeat("1", 32)}}},
		oneOf("payments", "purpose", "order", "move"), atLeast("payments", "amount_fen", 1),
		{{"payments", set{"succeeded_at": 1, "verdict": "other"}, set{"succeeded_at": 1, "verdict": "paid"}},
			{"payments", set{"succeeded_at": 1}, set{"succeeded_at": 1, "verdict": "revived"}},
			{"payments", set{"verdict": "paid"}, set{"verdict": "flagged"}},
			{"payments", set{"verdict": "refunded"}, set{"succeeded_at": 1, "verdict": "refunded"}}},
		oneOf("refunds", "purpose", "cancel", "closure", "late", "duplicate", "no_show", "move", "goodwill"), atLeast("refunds", "amount_fen", 1),
		oneOf("refunds", "handed", "", "abnormal", "amount", "refused", "failing"),
		{{"closures", set{"to_at": 100}, set{"to_at": 101}}, {"closures", set{"lifted_at": 9}, set{"lifted_at": 10}}},
		oneOf("notices", "kind", anyOf(domain.NoticeKinds)...),
		flag("reconciler_runs", "ok"),
		oneOf("sandbox_payments", "state", "pending", "succeeded", "failed", "closed"), oneOf("sandbox_refunds", "state", "processing", "succeeded", "abnormal"),
	}
	return slices.Concat(list...)
}

func reservationChecks() []neighbours {
	const r = "reservations"
	paid := func(more set) set {
		row := set{"paid_at": 15}
		maps.Copy(row, more)
		return row
	}
	return slices.Concat(
		atLeast(r, "seq", 1), atLeast(r, "price_fen", 500), atLeast(r, "discount_fen", 0),
		flag(r, "out_of_window"),
		[]neighbours{
			{r, set{"price_fen": -1, "discount_fen": 0}, set{"price_fen": 0, "discount_fen": 0}},
			{r, set{"discount_fen": 6001}, set{"discount_fen": 6000}},
			{r, set{"day": "2026-1-10"}, nil},
			{r, set{"moved": 2, "cancelled_at": 15}, set{"moved": 1, "cancelled_at": 15}},
			{r, set{"moved": 1}, set{"moved": 0}},
			// A slot of one second, with its door open all along.
			{r, set{"check_in_from": 40, "check_in_by": 40, "ends_at": 40}, set{"check_in_from": 40, "check_in_by": 41, "ends_at": 41}},
			{r, set{"starts_at": 61}, nil},
			{r, set{"check_in_from": 41}, set{"check_in_from": 40}},
			{r, set{"check_in_by": 40}, set{"check_in_by": 41}},
			{r, set{"check_in_by": 61}, set{"check_in_by": 60}},
			{r, set{"pay_by": 10}, set{"pay_by": 11}},
			{r, set{"pay_by": 41}, set{"pay_by": 40}},
			{r, set{"pay_by": nil}, set{"pay_by": nil, "paid_at": 10}},
			{r, set{"pay_by": nil, "paid_at": 11}, nil},
			{r, set{"pay_by": nil, "paid_at": 9}, nil},
			{r, set{"paid_at": 9}, set{"paid_at": 10}},
			{r, set{"paid_at": 20}, set{"paid_at": 19}},
			{r, set{"checked_in_at": 30}, paid(set{"checked_in_at": 30})},
			{r, paid(set{"checked_in_at": 14, "out_of_window": 1}), paid(set{"checked_in_at": 15, "out_of_window": 1})},
			{r, paid(set{"checked_in_at": 29}), paid(set{"checked_in_at": 30})},
			{r, paid(set{"checked_in_at": 50}), paid(set{"checked_in_at": 49})},
			{r, paid(set{"checked_in_at": 50, "out_of_window": 1}), paid(set{"checked_in_at": 49, "out_of_window": 1})},
			{r, set{"booked_at": 70, "pay_by": nil, "paid_at": 70, "checked_in_at": 71, "out_of_window": 1},
				set{"booked_at": 70, "pay_by": nil, "paid_at": 70, "checked_in_at": 70, "out_of_window": 1}},
			{r, set{"booked_at": 70, "pay_by": nil, "paid_at": 70, "checked_in_at": 70}, nil},
			{r, set{"cancelled_at": 9}, set{"cancelled_at": 10}},
			{r, set{"cancelled_at": 20}, set{"cancelled_at": 19}},
			{r, paid(set{"cancelled_at": 14}), paid(set{"cancelled_at": 15})},
			{r, paid(set{"cancelled_at": 50}), paid(set{"cancelled_at": 49})},
			{r, paid(set{"checked_in_at": 30, "cancelled_at": 29}), paid(set{"checked_in_at": 30, "cancelled_at": 30})},
			{r, paid(set{"checked_in_at": 30, "cancelled_at": 60}), paid(set{"checked_in_at": 30, "cancelled_at": 59})},
			{r, set{"replaces": "x"}, set{"replaces": "x", "replaced_as": "revived"}},
			{r, set{"replaced_as": "moved"}, set{"replaces": "x", "replaced_as": "moved"}},
			{r, set{"replaces": "x", "replaced_as": "other"}, set{"replaces": "x", "replaced_as": "undone"}},
			{r, set{"settled_at": 19}, set{"settled_at": 20}},
			{r, paid(set{"settled_at": 49}), paid(set{"settled_at": 50})},
		})
}

func basketChecks() []neighbours {
	const b = "baskets"
	return slices.Concat(
		atLeast(b, "seq", 1), atLeast(b, "discount_fen", 0), flag(b, "coupon_kept"), flag(b, "has_goods"),
		[]neighbours{
			{b, set{"has_goods": 0, "coupon_code": nil}, set{"has_goods": 1, "coupon_code": nil}},
			{b, set{"pay_by": 10}, set{"pay_by": 11}},
			{b, set{"pay_by": 61}, set{"pay_by": 60}},
			{b, set{"pay_by": nil}, set{"pay_by": nil, "paid_at": 10}},
			{b, set{"pay_by": nil, "paid_at": 11}, nil},
			{b, set{"paid_at": 9}, set{"paid_at": 10}},
			{b, set{"paid_at": 20}, set{"paid_at": 19}},
			{b, set{"handed_over_at": 15}, set{"paid_at": 15, "handed_over_at": 15}},
			{b, set{"paid_at": 15, "handed_over_at": 14}, nil},
			{b, set{"paid_at": 15, "handed_over_at": 60}, set{"paid_at": 15, "handed_over_at": 59}},
			{b, set{"paid_at": 15, "handed_over_at": 30, "cancelled_at": 40}, nil},
			{b, set{"cancelled_at": 9}, set{"cancelled_at": 10}},
			{b, set{"cancelled_at": 20}, set{"cancelled_at": 19}},
			{b, set{"paid_at": 15, "cancelled_at": 14}, set{"paid_at": 15, "cancelled_at": 15}},
			{b, set{"paid_at": 15, "cancelled_at": 60}, set{"paid_at": 15, "cancelled_at": 59}},
			{b, set{"moved": 1}, set{"moved": 1, "cancelled_at": 15}},
			{b, set{"moved": 2, "cancelled_at": 15}, set{"moved": 0, "cancelled_at": 15}},
			{b, set{"settled_at": 19}, set{"settled_at": 20}},
		})
}

func messageChecks() []neighbours {
	return []neighbours{
		{"venue", set{"messages": "{"}, set{"messages": "{}"}},
		{"notices", set{"facts": "{"}, set{"facts": "{}"}},
		{"events", set{"payload": "{"}, nil},
		{"deliveries", set{"event_id": nil}, nil},
		{"deliveries", set{"sent_at": 1, "dropped_at": 1}, set{"sent_at": 1}},
		{"deliveries", set{"gave_up_at": 1, "dropped_at": 1}, set{"gave_up_at": 1}},
		{"allowances", set{"left_over": -1}, set{"left_over": 0}},
		{"bills", set{"day": "2026-12"}, nil},
		{"bill_lines", set{"kind": "other"}, set{"kind": "refund"}},
	}
}

func touchChecks() []neighbours {
	return append(atLeast("day_touches", "utc_day", -1), atLeast("day_touches", "times", 1)...)
}

func stockChecks() []neighbours {
	const m = "stock_moves"
	return []neighbours{
		{m, set{"kind": "other"}, nil},
		{m, set{"kind": "adjust", "qty": -1, "balance": -1}, set{"kind": "adjust", "qty": 1, "balance": 1}},
		{m, set{"kind": "adjust", "qty": 0, "balance": 0}, nil},
		{m, set{"qty": 0, "balance": 0}, set{"qty": 1, "balance": 1}},
		{m, set{"kind": "restock", "basket_id": "b", "qty": 0, "balance": 0}, set{"kind": "restock", "basket_id": "b", "qty": 1, "balance": 1}},
		{m, set{"kind": "sold", "basket_id": "b", "good_id": "full", "qty": 0, "balance": 9}, set{"kind": "sold", "basket_id": "b", "good_id": "full", "qty": -9, "balance": 0}},
		{m, set{"kind": "sold", "basket_id": "b"}, nil},
		{m, set{"kind": "restock"}, nil},
		{m, set{"basket_id": "b"}, nil},
		{m, set{"kind": "sold", "good_id": "full", "qty": -1, "balance": 8}, set{"kind": "sold", "basket_id": "b", "good_id": "full", "qty": -1, "balance": 8}},
	}
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// declaredChecks finds the text of every CHECK in the schema.
func declaredChecks(c club) map[string]bool {
	found := map[string]bool{}
	each(c, `SELECT sql FROM sqlite_schema WHERE type = 'table'`, func(s *string) []any { return []any{s} }, func(text string) {
		for {
			_, rest, ok := strings.Cut(text, "CHECK (")
			if !ok {
				return
			}
			depth, end := 1, 0
			for depth > 0 {
				switch rest[end] {
				case '(':
					depth++
				case ')':
					depth--
				}
				end++
			}
			found[words(rest[:end-1])] = true
			text = rest[end:]
		}
	})
	return found
}

func TestSchemaChecks(t *testing.T) {
	c := openClub(t)
	c.exec(`DELETE FROM clock; INSERT INTO stock_moves (good_id, kind, qty, balance, at) VALUES ('full', 'receipt', 9, 9, 1);
		INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, opened_at, succeeded_at, verdict)
		VALUES ('payment-0', 'o', 'x', 'order', 1000, 'CNY', 1, 2, 'paid');
		INSERT INTO events (id, kind, about, at, payload) VALUES ('event-0', 'slot.freed', 'r', 1, '{}');
		INSERT INTO bills (id, provider, day, imported_at, digest) VALUES ('bill-0', 'wechat', '2026-12-09', 1, 'd');
		DELETE FROM day_touches`)
	missing := declaredChecks(c)
	if len(missing) < 60 {
		t.Fatalf("found only %d CHECKs in the schema", len(missing))
	}
	for _, n := range checks() {
		err := c.attemptRow(n.table, n.refused)
		if err == nil || !strings.HasPrefix(err.Error(), "CHECK constraint failed: ") {
			t.Errorf("%s with %v: want a CHECK to refuse it, got %v", n.table, n.refused, err)
		} else {
			delete(missing, words(strings.TrimPrefix(err.Error(), "CHECK constraint failed: ")))
		}
		if err := c.attemptRow(n.table, n.kept); err != nil {
			t.Errorf("%s with %v: refused: %v", n.table, n.kept, err)
		}
	}
	for check := range missing {
		t.Errorf("no row was refused by CHECK (%s)", check)
	}
}

func anyOf(texts []string) (out []any) {
	for _, t := range texts {
		out = append(out, t)
	}
	return out
}
