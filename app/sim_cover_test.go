package app_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"courtd/sqlite"
)

// simLong is how many steps it takes until everything must have happened.
const simLong = 100_000

// simMust is what must have happened by then: what each act came to, and what was seen.
var simMust = map[string]string{
	"book": `done again invalid_field key_reused slot_past slot_closed not_open_yet slot_taken coupon_invalid coupon_used banned cooling_down
		limit_reached out_of_stock clock_behind`,
	"because": `max_live_orders max_slots_per_day unknown below_minimum over not_yet off used_by_customer used_up`,
	"desk order": `done invalid_field key_reused slot_past slot_closed slot_taken coupon_invalid coupon_used out_of_stock amount_changed
		clock_behind`,
	"pay":          `done not_found invalid_field key_reused already_paid already_cancelled hold_lapsed amount_changed provider_unavailable clock_behind`,
	"mark paid":    `done already_paid already_cancelled hold_lapsed amount_changed clock_behind`,
	"cancel":       `done not_found key_reused hold_lapsed already_cancelled too_late refund_changed clock_behind`,
	"desk cancel":  `done invalid_field hold_lapsed already_cancelled too_late clock_behind`,
	"move":         `done invalid_field key_reused too_late slot_past slot_closed slot_taken amount_changed clock_behind`,
	"undo":         `done invalid_field already_undone not_no_show slot_taken slot_closed clock_behind`,
	"hand over":    `done no_goods already_handed_over not_paid too_late clock_behind`,
	"forgive":      `done no_strike already_forgiven clock_behind`,
	"goodwill":     `done invalid_field key_reused refund_exceeds_paid clock_behind`,
	"confirm":      `done`,
	"scan":         `ok again already_in wrong_day too_early too_late unknown not_paid lapsed cancelled clock_behind`,
	"close":        `done invalid_field changed_meanwhile clock_behind`,
	"a closure":    `cancels leaves`,
	"lift":         `done not_found clock_behind`,
	"policy":       `done clock_behind`,
	"prices":       `done clock_behind`,
	"court":        `done clock_behind`,
	"good":         `done clock_behind`,
	"stock":        `done invalid_field not_found out_of_stock clock_behind`,
	"coupon":       `done code_exists not_found clock_behind`,
	"accept clock": `done bookings_ahead`,
	"clock":        `done back`,
	"bank is paid": `done not_found clock_behind`,
	"bank refuses": `done already_paid`,
	"notice":       `done bad_signature bad_notice unknown_payment clock_behind`,
	"money": `paid revived flagged duplicate pending closed by_asking already_paid already_cancelled price_changed slot_past slot_closed
		slot_taken coupon_used out_of_stock`,
	"ask":          `done`,
	"round":        `whole dry panic cancel before abnormal`,
	"restart":      `done`,
	"look":         `day board order not_found`,
	"why":          `done invalid_field`,
	"order was":    `held lapsed cancelled paid no_show completed`,
	"slot was":     `held confirmed playing lapsed cancelled no_show completed`,
	"goods were":   `held confirmed lapsed cancelled no_show completed`,
	"list said":    `past closed not_open held taken free ended`,
	"an own order": `gave_way`,
	"a total":      `came_to_nothing`,
}

// simFiles are the use cases that the simulation carries out, and the rules behind them.
const simFiles = `order_create.go plan.go fairness.go payment.go judge.go cancel.go desk.go desk_move.go checkin.go closure.go once.go shown.go
	goods.go coupons.go clock.go court_change.go ask_page.go refund_confirm.go ../domain/availability.go ../domain/order.go ../domain/claim.go
	../sqlite/stock.go ../sqlite/clock.go ../sqlite/closures.go ../sqlite/orders.go ../sqlite/reservations.go ../sqlite/payments.go ../sqlite/refunds.go`

// simElsewhere are reasons in those files that the small club cannot give.
var simElsewhere = map[string]string{
	"forbidden":             "every act comes from somebody who may do it",
	"wechat_sign_in_needed": "the sandbox asks for no openid",
	"refund_under_way":      "only cash is confirmed",
	"refund_arrived":        "only cash is confirmed",
	"refund_partly_arrived": "only cash is confirmed",
	"refund_unheard":        "only cash is confirmed",
}

func simWanted() (all []string) {
	for act, results := range simMust {
		for _, result := range strings.Fields(results) {
			all = append(all, act+"/"+result)
		}
	}
	slices.Sort(all)
	return all
}

// simCovered fails a simulation in which something never happened.
func simCovered(t *testing.T, seen map[string]int, steps int) {
	t.Helper()
	var rare, never []string
	for _, what := range simWanted() {
		switch n := seen[what]; {
		case n == 0:
			never = append(never, what)
		case n < 10:
			rare = append(rare, fmt.Sprintf("%s (%d)", what, n))
		}
	}
	t.Logf("%d of %d things have happened; rarely: %s", len(simWanted())-len(never), len(simWanted()), strings.Join(rare, ", "))
	if len(never) > 0 && steps >= simLong {
		t.Errorf("in %d steps these never happened: %s", steps, strings.Join(never, ", "))
	} else if len(never) > 0 {
		t.Logf("not yet: %s", strings.Join(never, ", "))
	}
}

// TestSimulationKnowsEveryReason: what the use cases can refuse for is among what must
// happen in a simulation, or said to be impossible there.
func TestSimulationKnowsEveryReason(t *testing.T) {
	t.Parallel()
	known := map[string]bool{badField: true}
	for _, what := range simWanted() {
		_, result, _ := strings.Cut(what, "/")
		known[result] = true
	}
	refusal, found := regexp.MustCompile(`(?:Refuse\((?:domain\.)?\w+, |errCannotRevive\{)"([a-z_]+)"`), map[string]bool{}
	for _, file := range strings.Fields(simFiles) {
		text, err := os.ReadFile(file)
		must(t, err)
		for _, m := range refusal.FindAllSubmatch(text, -1) {
			found[string(m[1])] = true
		}
	}
	for reason := range found {
		if !known[reason] && simElsewhere[reason] == "" {
			t.Errorf("nothing in the simulation is refused for %s", reason)
		}
	}
	for reason := range simElsewhere {
		if !found[reason] || known[reason] {
			t.Errorf("%s needs no excuse", reason)
		}
	}
	if len(found) < 35 {
		t.Errorf("only %d reasons were found", len(found))
	}
}

// soundEnd is what must hold when rounds have caught up with everything. Each is 0. An
// attempt is looked at for a day after its close; money that comes later is told of, or
// found in the bill.
const soundEnd = `SELECT
 (SELECT count(*) FROM reservations WHERE settled_at IS NULL AND release_at <= ?1) + (SELECT count(*) FROM baskets WHERE settled_at IS NULL AND release_at <= ?1),
 (SELECT count(*) FROM refunds f JOIN payments p ON p.id = f.payment_id WHERE f.done_at IS NULL AND p.via <> 'cash'),
 (SELECT count(*) FROM payments p WHERE succeeded_at IS NULL AND closed_at IS NULL AND verdict IS NULL
   AND NOT EXISTS (SELECT 1 FROM reservations r WHERE r.order_id = p.order_id AND r.release_at > ?1 AND r.paid_at IS NULL)),
 (SELECT count(*) FROM sandbox_payments s LEFT JOIN payments p ON p.id = s.out_trade_no WHERE s.state = 'succeeded' AND p.verdict IS NULL
   AND coalesce(s.success_time < p.closed_at + 86400, 1)),
 (SELECT count(*) FROM payments p WHERE via <> 'cash' AND coalesce((SELECT sum(amount_fen) FROM refunds WHERE payment_id = p.id), 0) <>
   coalesce((SELECT sum(amount_fen) FROM sandbox_refunds WHERE out_trade_no = p.id AND state = 'succeeded'), 0)),
 (SELECT count(*) FROM (SELECT order_id, count(DISTINCT pay_by) AS n FROM
   (SELECT order_id, pay_by FROM reservations WHERE ending = 'lapsed' AND release_at <= ?1 UNION ALL SELECT order_id, pay_by FROM baskets WHERE ending = 'lapsed' AND release_at <= ?1)
   GROUP BY order_id) d WHERE n <> (SELECT count(*) FROM notices WHERE order_id = d.order_id AND kind = 'lapsed')),
 (SELECT count(*) FROM reservations r WHERE ending = 'no_show' AND release_at <= ?1 AND (SELECT count(*) FROM notices WHERE reservation_id = r.id AND kind = 'no_show') <> 1),
 (SELECT count(*) FROM refunds f WHERE done_at IS NOT NULL AND (SELECT count(*) FROM notices WHERE order_id = f.order_id AND kind = 'refunded' AND occasion = f.id) <> 1),
 (SELECT count(*) FROM notices WHERE sent_at IS NULL AND dropped_at IS NULL)`

var endWords = []string{"endings that are not settled", "refunds that are not done", "attempts without a final answer", "payments that nobody heard of", "payments of which the bank gave back another sum",
	"orders with another number of lapses than notices of them", "no-shows without exactly one notice", "refunds without exactly one notice", "notices that did not go"}

// everythingDone checks that rounds have caught up: each effect is there, once.
func (w *world) everythingDone() error {
	bad := make([]int, len(endWords))
	to := make([]any, len(bad))
	for i := range bad {
		to[i] = &bad[i]
	}
	if err := w.procs[0].db.Read(ctx, func(s *sqlite.Snapshot) error { return s.QueryRow(soundEnd, int64(s.Now)).Scan(to...) }); err != nil {
		return err
	}
	for i, n := range bad {
		if n != 0 {
			return fmt.Errorf("%d %s", n, endWords[i])
		}
	}
	for id, n := range w.letters {
		if n != 1 {
			return fmt.Errorf("letter %s went %d times", id, n)
		}
	}
	return nil
}
