package app_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"courtd/app"
	"courtd/sqlite"
)

// A difference of a day that is not looked at live any more is still counted and listed.
func TestAnOldDifferenceIsNotHidden(t *testing.T) {
	b := newBilled(t)
	b.takes()
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.imports("", billPaid("elsewhere-1", "1.00", onTenth))
	b.wall.set(at("2027-06-01T10:00:00+08:00"))
	list, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{State: "open"}, app.Page{})
	must(t, err)
	want(t, "listed", len(list.Items), 2)
	counted := func() int {
		t.Helper()
		n, err := b.app.CountDifferences(ctx)
		must(t, err)
		return n
	}
	want(t, "counted", counted(), 2)
	_, err = b.app.ExplainDifference(ctx, b.owner, app.Explaining{Key: list.Items[0].Key, Text: "asked"}, "")
	must(t, err)
	want(t, "counted after one is explained", counted(), 1)
	one, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{}, app.Page{Limit: 1})
	must(t, err)
	two, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{}, app.Page{Limit: 1, Cursor: *one.Next})
	must(t, err)
	want(t, "the second page", len(two.Items), 1)
	want(t, "has the other one", two.Items[0].Key != one.Items[0].Key && two.Next == nil, true)
}

// years fills a club with the money of so many days, until the eleventh of December: every
// tenth day has a payment that its bill lacks.
func (b *billed) years(days, each int) {
	b.t.Helper()
	_, order, _ := b.attempt()
	must(b.t, b.db.Write(ctx, func(tx *sqlite.Tx) error {
		rows := `WITH RECURSIVE d (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < ?3), k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < ?4),
			days AS (SELECT n, date('2026-12-11', '-' || n || ' days') AS day FROM d), rows AS (SELECT days.n || '-' || k.n AS id, k.n AS k, days.n AS d, day,
			unixepoch(day) + k.n * 60 AS at FROM days CROSS JOIN k) `
		for _, query := range []string{
			`INSERT INTO payments (id, order_id, via, purpose, amount_fen, currency, merchant, opened_at, closed_at, succeeded_at, success_time, transaction_id, verdict)
			` + rows + `SELECT 'old-' || id, ?1, 'wechat_jsapi', 'order', 6000, 'CNY', ?2, at, at, at, at, 'w-' || id, 'paid' FROM rows`,
			`INSERT INTO bills (id, provider, merchant, day, imported_at, digest)
			` + rows + `SELECT 'bill-' || n, 'wechat', ?2, day, ?5, ?1 FROM days ORDER BY day`,
			`INSERT INTO bill_lines (bill_id, line, kind, out_trade_no, transaction_id, amount_fen, at, state)
			` + rows + `SELECT 'bill-' || d, k + 1, 'payment', 'old-' || id, 'w-' || id, 6000, at, 'SUCCESS' FROM rows WHERE k > 1 OR d % 10 > 0`,
		} {
			if _, err := tx.Exec(query, order, ourMerchant, days, each, tx.Now); err != nil {
				return err
			}
		}
		return nil
	}))
}

// fresh is what somebody counts who has kept nothing.
func (b *billed) fresh() (open, explained int) {
	b.t.Helper()
	view, err := app.New(app.Config{DB: b.db, Log: slog.New(slog.DiscardHandler)}).Bills(ctx, b.owner, app.Page{Limit: 1})
	must(b.t, err)
	return view.Differences, view.Explained
}

func (b *billed) kept() (open, explained int) {
	b.t.Helper()
	view, err := b.app.Bills(ctx, b.owner, app.Page{Limit: 1})
	must(b.t, err)
	glance, err := b.app.CountDifferences(ctx)
	must(b.t, err)
	want(b.t, "at a glance", glance, view.Differences)
	return view.Differences, view.Explained
}

// Counting all of years takes its time, once: a bill or an explanation of a day long ago
// has that day counted again, and not the years.
func TestYearsAreCountedOnce(t *testing.T) {
	b := newBilled(t)
	b.years(900, 60)
	b.wall.set(at("2027-06-01T10:00:00+08:00"))
	counts := func(what string, open, explained int) (again int) {
		t.Helper()
		for range 3 {
			o, e := b.kept()
			want(t, what, [2]int{o, e}, [2]int{open, explained})
		}
		whole, again := b.app.DifferencesCounted()
		want(t, "times that all years were counted "+what, whole, 1)
		return again
	}
	want(t, "days counted again at first", counts("at first", 90, 0), 0)
	// Page by page all of them are listed, each once.
	var keys []string
	for page := (app.Page{Limit: 20}); ; {
		list, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{State: "open"}, page)
		must(t, err)
		for _, d := range list.Items {
			keys = append(keys, d.Key)
		}
		if list.Next == nil {
			break
		}
		page.Cursor = *list.Next
	}
	want(t, "listed", [2]int{len(keys), len(slices.Compact(slices.Sorted(slices.Values(keys))))}, [2]int{90, 90})
	_, err := b.app.ExplainDifference(ctx, b.owner, app.Explaining{Key: "payment:old-100-1:here_not_there", Text: "asked"}, "")
	must(t, err)
	explained := counts("after an explanation", 89, 1)
	b.imports("2026-09-02", billPaid("old-100-1", "60.00", "2026-09-02 12:00:00"))
	imported := counts("after a bill", 89+59, 0)
	// What was written in the last two minutes is looked at every time, twice by each of three.
	if explained < 1 || explained > 6 || imported-explained > 2*6 {
		t.Errorf("%d days were counted again after an explanation, %d more after a bill", explained, imported-explained)
	}
}

// Whatever happens in whatever order, the counts that are kept are those that somebody
// finds who counts all days anew.
func TestKeptCountsAreThoseOfAFreshCount(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			b := newBilled(t)
			h := &happenings{billed: b, dice: rand.New(rand.NewPCG(seed, 1))}
			h.begin()
			for n := range 120 {
				what := h.next()
				open, explained := b.kept()
				if wantOpen, wantExplained := b.fresh(); open != wantOpen || explained != wantExplained {
					t.Fatalf("step %d, %s: %d open and %d explained are kept, and there are %d and %d", n, what, open, explained, wantOpen, wantExplained)
				}
			}
			for what, n := range h.done {
				if n == 0 {
					t.Errorf("nothing was done of %s", what)
				}
			}
			b.sound()
		})
	}
}

// A refund is missed when the bills around its beginning and its end are all here,
// whichever of them comes last.
func TestTheLastBillAroundAnOldRefundIsCounted(t *testing.T) {
	around := []string{"2026-12-09", "2026-12-10", "2026-12-11", "2026-12-12", "2026-12-13", "2026-12-14"}
	for _, last := range around {
		b := newBilled(t)
		order, paid := b.takes()
		b.wall.set(noon.Add(3 * 24 * time.Hour))
		refund := b.gives(order, 1000)
		must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error {
			_, err := tx.Exec("UPDATE refunds SET sent_at = ? WHERE id = ?", noon, refund)
			return err
		}))
		b.wall.set(at("2027-03-01T10:00:00+08:00"))
		bring := func(day string) {
			if day == "2026-12-10" {
				b.imports(day, billPaid(paid, "60.00", onTenth))
			} else {
				b.imports(day)
			}
		}
		for _, day := range around {
			if day != last {
				bring(day)
			}
		}
		before, _ := b.kept()
		want(t, "before "+last+" is here", before, 0)
		bring(last)
		after, _ := b.kept()
		want(t, "after "+last, after, 1)
		b.wants("open", "refund:"+refund+":refund_here_not_there -/1000")
	}
}

// Flagged money stands on the day of the bill that names it, and else on that of its attempt.
func TestOldFlaggedMoneyMovesToTheDayOfItsBill(t *testing.T) {
	b := newBilled(t)
	_, _, odd := b.attempt()
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.FlagPayment(odd, "amount 1 instead of 6000 fen") }))
	b.wall.set(at("2027-03-01T10:00:00+08:00"))
	count := func() int { open, _ := b.kept(); return open }
	want(t, "without a bill", count(), 1)
	b.imports("2026-12-20", billPaid(odd, "0.01", "2026-12-20 12:00:00"))
	want(t, "with one", count(), 1)
	b.imports("2026-12-20")
	want(t, "with another", count(), 1)
}

// A refund may come to be here whose number an old bill has named before, as after a backup
// was put back: then it is another difference, which nobody has explained.
func TestARefundThatComesAfterItsBillIsCounted(t *testing.T) {
	b := newBilled(t)
	order, paid := b.takes()
	b.wall.set(at("2027-03-01T10:00:00+08:00"))
	b.imports("2026-12-10", billPaid(paid, "60.00", onTenth), billBack(paid, "refund-1", "3.00", "SUCCESS", onTenth))
	_, err := b.app.ExplainDifference(ctx, b.owner, app.Explaining{Key: "refund:refund-1:refund_there_not_here", Text: "asked"}, "")
	must(t, err)
	open, explained := b.kept()
	want(t, "before it is here", [2]int{open, explained}, [2]int{0, 1})
	b.wall.set(at("2027-03-01T11:00:00+08:00"))
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(`INSERT INTO refunds (id, payment_id, order_id, purpose, cause, amount_fen, created_at) VALUES ('refund-1', ?, ?, 'goodwill', 'x', 400, ?)`, paid, order, tx.Now)
		return err
	}))
	open, explained = b.kept()
	want(t, "after it is here", [2]int{open, explained}, [2]int{1, 0})
}

// happenings are what changes differences of days long ago.
type happenings struct {
	*billed
	dice         *rand.Rand
	orders, paid []string // that succeeded
	late         []string // attempts that have not
	refunds      []string
	done         map[string]int
}

// begin has ten payments, five attempts and four refunds, of the eighth to the fourteenth.
func (h *happenings) begin() {
	h.t.Helper()
	h.done = map[string]int{}
	for range 10 {
		order, payment := h.takes()
		h.orders, h.paid = append(h.orders, order), append(h.paid, payment)
	}
	for range 5 {
		_, _, payment := h.attempt()
		h.late = append(h.late, payment)
	}
	for i := range 4 {
		h.wall.set(noon.Add(time.Duration(i) * 24 * time.Hour))
		h.refunds = append(h.refunds, h.gives(h.orders[i], 1000))
	}
	must(h.t, h.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, payment := range h.paid {
			if _, err := tx.Exec("UPDATE payments SET success_time = succeeded_at + 86400 * ? WHERE id = ?", h.dice.IntN(7)-2, payment); err != nil {
				return err
			}
		}
		for _, refund := range h.refunds {
			if _, err := tx.Exec("UPDATE refunds SET sent_at = done_at - 86400 * ? WHERE id = ?", h.dice.IntN(4), refund); err != nil {
				return err
			}
		}
		return nil
	}))
	h.wall.set(at("2027-03-01T10:00:00+08:00"))
	h.kept()
}

// next has something happen and says what it was.
func (h *happenings) next() string {
	h.t.Helper()
	h.wall.set(h.wall.now.Add(time.Duration(h.dice.IntN(2)*h.dice.IntN(400)) * time.Second))
	acts := map[string]func() bool{"a bill": h.bill, "an explanation": h.explain, "a refund": h.refund, "a round": h.refundRound, "late money": h.lateMoney, "a flag": h.flag, "a day": h.dayPasses}
	of := []string{"a bill", "a bill", "a bill", "an explanation", "an explanation", "a refund", "a round", "late money", "a flag", "a day"}
	what := of[h.dice.IntN(len(of))]
	h.done[what] += 0
	if acts[what]() {
		h.done[what]++
	}
	return what
}

// bill imports a bill of one of the days, with some lines that are right and some not.
func (h *happenings) bill() bool {
	day := fmt.Sprintf("2026-12-%02d", 8+h.dice.IntN(7))
	noon := day + " 12:00:00"
	var lines []string
	for _, payment := range slices.Concat(h.paid, h.late, []string{"elsewhere-1"}) {
		if h.dice.IntN(3) == 0 {
			lines = append(lines, billPaid(payment, []string{"60.00", "59.00"}[h.dice.IntN(2)], noon))
		}
	}
	for i, refund := range h.refunds {
		if h.dice.IntN(3) == 0 {
			state := []string{"SUCCESS", "PROCESSING", "FAIL"}[h.dice.IntN(3)]
			lines = append(lines, billBack(h.paid[i%len(h.paid)], refund, []string{"10.00", "11.00"}[h.dice.IntN(2)], state, noon))
		}
	}
	h.imports(day, lines...)
	return true
}

func (h *happenings) explain() bool {
	list, err := h.app.Differences(ctx, h.owner, app.DifferenceFilter{State: "open"}, app.Page{})
	must(h.t, err)
	if len(list.Items) == 0 {
		return false
	}
	d := list.Items[h.dice.IntN(len(list.Items))]
	_, err = h.app.ExplainDifference(ctx, h.owner, app.Explaining{Key: d.Key, Text: "asked"}, "")
	must(h.t, err)
	return true
}

// refundRound carries out the refunds that were asked for.
func (h *happenings) refundRound() bool {
	h.round()
	return true
}

// refund asks for one.
func (h *happenings) refund() bool {
	i := h.dice.IntN(len(h.orders))
	_, err := h.app.Goodwill(ctx, h.desk, h.orders[i], 1000, "灯坏了", "")
	if err != nil {
		return false // all of it went back
	}
	must(h.t, h.db.Read(ctx, func(s *sqlite.Snapshot) error {
		list, err := s.RefundsOfOrder(h.orders[i])
		for _, r := range list {
			if !slices.Contains(h.refunds, r.ID) {
				h.refunds = append(h.refunds, r.ID)
			}
		}
		return err
	}))
	return true
}

// lateMoney has WeChat tell of money that it took on one of the days.
func (h *happenings) lateMoney() bool {
	if len(h.late) == 0 {
		return false
	}
	i := h.dice.IntN(len(h.late))
	payment := h.late[i]
	h.late = slices.Delete(slices.Clone(h.late), i, i+1)
	must(h.t, h.db.Write(ctx, func(tx *sqlite.Tx) error {
		return tx.RecordSuccess(payment, h.wall.now.Add(-time.Duration(77+h.dice.IntN(7))*24*time.Hour), "w-"+payment, "", "refunded", "")
	}))
	h.paid = append(h.paid, payment)
	return true
}

func (h *happenings) flag() bool {
	if len(h.late) == 0 {
		return false
	}
	must(h.t, h.db.Write(ctx, func(tx *sqlite.Tx) error {
		return tx.FlagPayment(h.late[h.dice.IntN(len(h.late))], "amount 1 instead of 6000 fen")
	}))
	return true
}

// dayPasses has another day come to be older.
func (h *happenings) dayPasses() bool {
	h.wall.set(h.wall.now.Add(24 * time.Hour))
	return true
}
