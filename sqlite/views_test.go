package sqlite_test

import (
	"fmt"
	"testing"

	"courtd/domain"
)

// one reads a line of text.
func (c club) one(query string, args ...any) (got string) {
	c.t.Helper()
	if err := c.raw.QueryRow(query, args...).Scan(&got); err != nil {
		c.t.Errorf("%s: %v", query, err)
	}
	return got
}

func (c club) want(what, query, want string) {
	c.t.Helper()
	if got := c.one(query); got != want {
		c.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// put inserts a sound row with changes.
func (c club) put(table string, changes set) {
	c.t.Helper()
	query, args := insertion(table, changes)
	c.exec(query, args...)
}

// TestRuleLocalTimes lets the clocks change by an hour at exactly each instant shown.
func TestRuleLocalTimes(t *testing.T) {
	c := openClub(t)
	c.exec(`INSERT INTO zone_offsets VALUES (2, 18000), (10, 3600), (20, 10800), (40, 7200), (60, 14400)`)
	c.put("courts", nil)
	c.put("orders", set{"booked_at": 10})
	c.put("reservations", nil)
	c.exec(`INSERT INTO grid_days VALUES ('d', 40, 60, 20, 0)`)
	c.exec(`INSERT INTO reconciler_runs (started_at, ended_at, ok, report) VALUES (1, 2, 1, '{}'), (3, 4, 0, '{}')`)
	c.freeze(39)
	const start, end, due = "1970-01-01 02:00:40", "1970-01-01 04:01:00", "1970-01-01 03:00:20"
	c.want("reservation", `SELECT starts_local || ' ' || ends_local || ' ' || release_local FROM reservation_now`, start+" "+end+" "+due)
	c.want("order", `SELECT booked_local || ' ' || pay_by_local FROM order_now`, "1970-01-01 01:00:10 "+due)
	c.want("slot", `SELECT starts_local || ' ' || ends_local FROM slot_now`, start+" "+end)
	c.want("reconciler", `SELECT last_good_run_local FROM reconciler_now`, "1970-01-01 05:00:02")
	c.put("venue", nil)
	for at, want := range map[domain.Instant]string{39: "1970-01-01 03:00:39 1970-01-01", 40: "1970-01-01 02:00:40 1970-01-01"} {
		c.freeze(at)
		c.want(fmt.Sprint("venue at ", at), `SELECT now_local || ' ' || today FROM venue_now`, want)
	}
	c.exec(`UPDATE courts SET active = 0`)
	c.want("a court out of use", `SELECT count(*) FROM slot_now`, "0")
}

// TestRuleBusinessDayInTheViews: a business day goes on past midnight until it closes.
func TestRuleBusinessDayInTheViews(t *testing.T) {
	c := openClub(t)
	c.put("venue", nil)
	c.exec(`INSERT INTO zone_offsets VALUES (2, 0)`)
	const midnight = 10 * 86400 // 1970-01-11
	c.exec(`INSERT INTO grid_days VALUES ('1970-01-10', ?, ?, 3600, 0)`, midnight-7200, midnight+7200)
	for at, want := range map[domain.Instant]string{
		midnight - 1: "1970-01-10", midnight: "1970-01-10", midnight + 7199: "1970-01-10", midnight + 7200: "1970-01-11"} {
		c.freeze(at)
		c.want(fmt.Sprint("today at ", at), `SELECT today FROM venue_now`, want)
	}
}

func TestRuleReplacedInTheViews(t *testing.T) {
	c := openClub(t)
	c.put("courts", nil)
	c.put("orders", nil)
	c.put("reservations", set{"settled_at": 20})
	c.put("reservations", set{"id": "r2", "seq": 2, "replaces": "r", "replaced_as": "revived", "booked_at": 25, "pay_by": nil, "paid_at": 25})
	c.put("baskets", nil)
	c.put("baskets", set{"id": "b2", "seq": 2, "replaces": "b", "booked_at": 25, "pay_by": nil, "paid_at": 25})
	for at, want := range map[domain.Instant]string{24: "0 0", 25: "1 0", 26: "1 0"} {
		c.freeze(at)
		c.want(fmt.Sprint("reservations at ", at), `SELECT group_concat(replaced, ' ') FROM (SELECT replaced FROM reservation_now ORDER BY id)`, want)
		c.want(fmt.Sprint("baskets at ", at), `SELECT group_concat(replaced, ' ') FROM (SELECT replaced FROM basket_now ORDER BY id)`, want)
	}
}

func TestRuleOrderMoney(t *testing.T) {
	c := openClub(t)
	c.put("courts", nil)
	c.put("orders", nil)
	c.put("reservations", nil)
	c.put("payments", set{"id": "payment-0", "amount_fen": 700, "succeeded_at": 11, "verdict": "paid"})
	c.put("payments", set{"id": "payment-1"})
	c.put("refunds", set{"amount_fen": 300, "done_at": 40})
	c.put("refunds", set{"id": "f2", "cause": "r2"})
	c.freeze(15)
	c.want("money", `SELECT total_fen || ' ' || paid_fen || ' ' || refunded_fen || ' ' || refund_pending_fen || ' ' || pay_by FROM order_now`, "5500 700 300 400 20")
}

// TestRuleGridOfADay pins which cells there are: whole slots, of days near now.
func TestRuleGridOfADay(t *testing.T) {
	const day = 86400
	cells := `SELECT coalesce(group_concat(starts_at || '-' || ends_at, ' '), '') FROM (SELECT * FROM slot_now ORDER BY starts_at)`
	for _, test := range []struct {
		closes int
		want   string
	}{{119, ""}, {120, "100-120"}, {139, "100-120"}, {140, "100-120 120-140"}, {141, "100-120 120-140"}} {
		c := openClub(t)
		c.put("courts", nil)
		c.exec(`INSERT INTO grid_days VALUES ('d', 100, ?, 20, 0)`, test.closes)
		c.freeze(50)
		c.want(fmt.Sprint("closing at ", test.closes), cells, test.want)
	}
	c := openClub(t)
	c.put("courts", nil)
	c.exec(`INSERT INTO grid_days VALUES ('d', 300100, 300120, 20, 200000)`)
	for at, want := range map[domain.Instant]string{
		200_000 - day - 1: "", 200_000 - day: "300100-300120", 200_000: "300100-300120",
		300_120 + day - 1: "300100-300120", 300_120 + day: "",
	} {
		c.freeze(at)
		c.want(fmt.Sprint("seen at ", at), cells, want)
	}
}

// TestRuleTakenBeforeHeld has a slot that a held and a paid row overlap.
func TestRuleTakenBeforeHeld(t *testing.T) {
	c := openClub(t)
	c.put("courts", nil)
	c.put("orders", nil)
	c.exec(`INSERT INTO grid_days VALUES ('d', 40, 80, 40, 0)`)
	c.put("reservations", nil)
	c.put("reservations", set{"id": "r2", "seq": 2, "starts_at": 60, "check_in_by": 70, "ends_at": 80, "paid_at": 15})
	for at, want := range map[domain.Instant]string{9: "free", 10: "taken", 20: "taken"} {
		c.freeze(at)
		c.want(fmt.Sprint("slot at ", at), `SELECT state FROM slot_now`, want)
	}
}

func TestRuleReconcilerNow(t *testing.T) {
	c := openClub(t)
	look := `SELECT state || ' ' || due || ' ' || coalesce(oldest_release_at, '-') || ' ' || lag_seconds || ' ' || parked || ' ' || outbox || ' ' || refunds_under_way FROM reconciler_now`
	c.put("orders", nil)
	c.put("reservations", nil)
	c.put("baskets", set{"pay_by": 21})
	for at, want := range map[domain.Instant]string{19: "idle 0 - 0 0 0 0", 20: "due 1 20 0 0 0 0", 21: "due 2 20 1 0 0 0", 30: "due 2 20 10 0 0 0"} {
		c.freeze(at)
		c.want(fmt.Sprint("at ", at), look, want)
	}
	c.freeze(30)
	c.exec(`UPDATE reservations SET settled_at = 30`)
	c.put("notices", nil)
	c.put("notices", set{"id": "n2", "occasion": "2", "sent_at": 3})
	c.put("payments", set{"succeeded_at": 11, "verdict": "paid"})
	c.put("refunds", set{"payment_id": "payment-1"})
	c.want("half settled", look, "due 1 21 9 0 1 1")
	c.exec(`INSERT INTO parked_effects VALUES ('r', 'restock', 'o', 3, 25, 'x')`)
	c.want("parked", look, "parked 1 21 9 1 1 1")
	c.exec(`UPDATE baskets SET settled_at = 30; DELETE FROM parked_effects`)
	c.want("all settled", look, "idle 0 - 0 0 1 1")
}

// TestRuleClock pins which instant the views ask about.
func TestRuleClock(t *testing.T) {
	c := openClub(t)
	for _, test := range []struct{ last, frozen, want int }{{100, 200, 200}, {200, 200, 200}, {300, 200, 300}} {
		c.exec(`UPDATE clock SET last_instant = ?, demo_frozen_at = ?`, test.last, test.frozen)
		c.want("now", `SELECT t FROM now_instant`, fmt.Sprint(test.want))
	}
	c.exec(`UPDATE clock SET last_instant = 0, demo_offset = -100, demo_frozen_at = NULL`)
	c.want("a clock that runs", `SELECT unixepoch() - t BETWEEN 99 AND 101 FROM now_instant`, "1")
}
