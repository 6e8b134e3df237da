package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// viewNames are the views whose answers are the API's.
var viewNames = []string{"reservation_now", "basket_now", "order_now", "slot_now", "stock_now", "reconciler_now"}

// viewRow is one row of a view as sqlite3 -json prints it.
type viewRow map[string]any

func (r viewRow) text(column string) string {
	if r[column] == nil {
		return ""
	}
	return fmt.Sprint(r[column])
}

func (r viewRow) number(column string) int64 {
	n, _ := r[column].(json.Number)
	i, _ := n.Int64()
	return i
}

// views asks the sqlite3 command for every view, at once.
func (h *hall) views() map[string][]viewRow {
	h.t.Helper()
	script := ""
	for _, name := range viewNames {
		script += fmt.Sprintf("SELECT '%s' AS section; SELECT * FROM %s; ", name, name)
	}
	answers := json.NewDecoder(strings.NewReader(h.sqlite3("-readonly", "-json", "courtd.db", script)))
	answers.UseNumber()
	out, section := map[string][]viewRow{}, ""
	for {
		var rows []viewRow
		err := answers.Decode(&rows)
		if errors.Is(err, io.EOF) {
			return out
		}
		h.must(err)
		if name := rows[0].text("section"); name != "" {
			section = name
			continue
		}
		out[section] = rows
	}
}

// watch compares the views with the program and remembers what it has seen.
type watch struct {
	*hall
	seen     map[string]int // "view state" → how often
	instants int
	rows     int
}

func newWatch(h *hall) *watch { return &watch{hall: h, seen: map[string]int{}} }

// same complains about a value that the command and the program see differently.
func (w *watch) same(what string, command, program any) {
	w.t.Helper()
	if fmt.Sprint(command) != fmt.Sprint(program) {
		w.t.Errorf("at %s: %s: sqlite3 says %v, the program %v", w.local(w.now), what, command, program)
	}
}

// compare wants the same ids and states from both at this instant.
func (w *watch) compare() {
	w.t.Helper()
	views := w.views()
	w.instants++
	for name, rows := range views {
		for _, row := range rows {
			w.rows++
			w.seen[name+" "+row.text("state")]++
			w.wallClocks(name, row)
		}
	}
	w.compareOrders(views)
	w.compareSlots(views["slot_now"])
	w.compareStock(views["stock_now"])
	w.compareReconciler(views["reconciler_now"])
	if w.t.Failed() {
		w.t.FailNow()
	}
}

// wallClocks wants every local time to be its instant on the venue's clock.
func (w *watch) wallClocks(view string, row viewRow) {
	w.t.Helper()
	for _, c := range [][2]string{{"starts_local", "starts_at"}, {"ends_local", "ends_at"}, {"release_local", "release_at"},
		{"booked_local", "booked_at"}, {"pay_by_local", "pay_by"}, {"last_good_run_local", "last_good_run"}} {
		local, has := row[c[0]]
		if !has {
			continue
		}
		if row[c[1]] == nil {
			w.same(view+" "+c[0], local, nil)
			continue
		}
		w.same(view+" "+row.text("id")+" "+c[0], local, w.local(domain.Instant(row.number(c[1]))))
	}
}

// compareOrders compares orders, reservations and baskets, replaced ones too.
func (w *watch) compareOrders(views map[string][]viewRow) {
	w.t.Helper()
	var orders []domain.Order
	w.must(w.db.Read(w.ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query("SELECT id FROM orders ORDER BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			o, err := s.Order(id)
			if err != nil {
				return err
			}
			orders = append(orders, o)
		}
		return rows.Err()
	}))
	shown, claims, money := map[string]string{}, map[string]string{}, map[string]string{}
	for _, o := range orders {
		v, err := w.app.Order(w.ctx, w.desk, o.ID)
		w.must(err)
		payBy := ""
		if v.PayBy != nil {
			payBy = fmt.Sprint(v.PayBy.Unix())
		}
		shown[v.ID] = v.State
		money[v.ID] = fmt.Sprint(v.Number, v.Customer.Name, v.Customer.Phone, payBy, v.Total, v.Paid, v.Refunded, v.RefundPending)
		for _, r := range v.Reservations {
			claims[r.ID] = r.State + " counts"
		}
		for _, r := range o.Reservations {
			if claims[r.ID] == "" {
				claims[r.ID] = string(r.State(w.now)) + " replaced"
			}
		}
		for _, b := range o.Baskets {
			claims[b.ID] = string(b.State(w.now)) + " replaced"
			if b.Counts(w.now) {
				claims[b.ID] = orElse(v.GoodsState, string(b.State(w.now))) + " counts"
			}
		}
	}
	states, sums, parts := map[string]string{}, map[string]string{}, map[string]string{}
	for _, row := range views["order_now"] {
		states[row.text("id")] = row.text("state")
		sums[row.text("id")] = fmt.Sprint(row.text("number"), row.text("customer"), row.text("phone"), row.text("pay_by"),
			row.number("total_fen"), row.number("paid_fen"), row.number("refunded_fen"), row.number("refund_pending_fen"))
	}
	for _, row := range slices.Concat(views["reservation_now"], views["basket_now"]) {
		word := map[int64]string{0: " counts", 1: " replaced"}[row.number("replaced")]
		parts[row.text("id")] = row.text("state") + word
		w.seen[word]++
	}
	w.sameMap("order", states, shown)
	w.sameMap("order's sums", sums, money)
	w.sameMap("claim", parts, claims)
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (w *watch) sameMap(what string, command, program map[string]string) {
	w.t.Helper()
	for id, v := range program {
		w.same(what+" "+id, command[id], v)
	}
	for id, v := range command {
		w.same(what+" "+id, v, program[id])
	}
}

// compareSlots compares every slot of every day that the view shows, which must
// be the days that can be booked and those just before and after.
func (w *watch) compareSlots(rows []viewRow) {
	w.t.Helper()
	byDay := map[string]map[string]string{}
	for _, row := range rows {
		day := row.text("day")
		if byDay[day] == nil {
			byDay[day] = map[string]string{}
		}
		byDay[day][row.text("id")] = fmt.Sprint(row.text("state"), row.text("court_id"), row.text("court"), row.number("starts_at"), row.number("ends_at"))
		w.same("id of a slot", row.text("id"), fmt.Sprintf("%s@%d", row.text("court_id"), row.number("starts_at")))
	}
	venue, _, _, err := w.app.Venue(w.ctx)
	w.must(err)
	today := venue.Calendar.LocalDate(w.now)
	for n := range venue.Policy.DaysAhead + 1 {
		if day := today.AddDays(n); byDay[day.String()] == nil && len(venue.Calendar.Slots(day)) > 0 && venue.Policy.BookingOpens(venue.Calendar, day) <= w.now {
			w.t.Errorf("at %s: slot_now leaves out %s, which can be booked", w.local(w.now), day)
		}
	}
	for day, command := range byDay {
		date, err := domain.ParseDate("date", day)
		w.must(err)
		v, err := w.app.Availability(w.ctx, date)
		w.must(err)
		program := map[string]string{}
		for _, court := range v.Courts {
			for _, s := range court.Slots {
				program[s.ID] = fmt.Sprint(s.State, court.ID, court.Name, s.Start.Unix(), s.End.Unix())
			}
		}
		w.sameMap("slot of "+day, command, program)
	}
}

// compareStock compares the goods on sale.
func (w *watch) compareStock(rows []viewRow) {
	w.t.Helper()
	v, err := w.app.Availability(w.ctx, domain.Date{Year: 2026, Month: 12, Day: 10})
	w.must(err)
	command, program := map[string]string{}, map[string]string{}
	for _, row := range rows {
		if row.number("active") == 1 {
			command[row.text("id")] = fmt.Sprint(row.text("name"), row.number("available"))
		}
		if row.number("owed") > 0 {
			w.seen["owed"]++
		}
	}
	for _, g := range v.Goods {
		program[g.ID] = fmt.Sprint(g.Name, g.Available)
	}
	w.sameMap("good", command, program)
}

func (w *watch) compareReconciler(rows []viewRow) {
	w.t.Helper()
	v, err := w.app.Reconciler(w.ctx)
	w.must(err)
	lastGood := ""
	if v.LastGoodRun != nil {
		lastGood = fmt.Sprint(v.LastGoodRun.Unix())
	}
	if len(rows) != 1 {
		w.t.Fatalf("reconciler_now has %d rows", len(rows))
	}
	r := rows[0]
	w.same("reconciler", fmt.Sprint(r.text("id"), r.text("state"), r.number("due"), r.number("lag_seconds"), r.number("parked"),
		r.number("outbox"), r.number("refunds_under_way"), r.text("last_good_run")),
		fmt.Sprint(v.ID, v.State, v.Due, v.LagSeconds, v.Parked, v.Outbox, v.RefundsUnderWay, lastGood))
}

// deadlines are all instants in (now, until) that some row or slot knows of, with
// one second before and after.
func (w *watch) deadlines(until domain.Instant) []domain.Instant {
	w.t.Helper()
	known := map[domain.Instant]bool{}
	w.must(w.db.Read(w.ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query(`SELECT pay_by FROM reservations UNION SELECT check_in_from FROM reservations UNION SELECT check_in_by FROM reservations
			UNION SELECT starts_at FROM reservations UNION SELECT ends_at FROM reservations UNION SELECT release_at FROM reservations
			UNION SELECT pay_by FROM baskets UNION SELECT release_at FROM baskets UNION SELECT from_at FROM closures UNION SELECT to_at FROM closures
			UNION SELECT bookable_from FROM grid_days UNION SELECT starts_at FROM slot_now UNION SELECT ends_at FROM slot_now`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var at domain.Instant
			if err := rows.Scan(&at); err != nil {
				return err
			}
			for _, i := range []domain.Instant{at - 1, at, at + 1} {
				known[i] = w.now < i && i < until
			}
		}
		return rows.Err()
	}))
	var out []domain.Instant
	for i, within := range known {
		if within {
			out = append(out, i)
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a] < out[b] })
	return out
}

// walk lets time pass up to "01-02 15:04" of 2026, comparing at every deadline on the way.
func (w *watch) walk(to string) {
	w.t.Helper()
	until := w.slot("", "2026-"+to).Start
	for _, i := range w.deadlines(until) {
		w.freeze(i)
		w.compare()
	}
	w.freeze(until)
	w.compare()
}

// then compares after something was done.
func (w *watch) then(errs ...error) {
	w.t.Helper()
	for _, err := range errs {
		w.must(err)
	}
	w.compare()
}

func (w *watch) wantSeen(names ...string) {
	w.t.Helper()
	for _, name := range names {
		if w.seen[name] == 0 {
			w.t.Errorf("never seen: %s", name)
		}
	}
	w.t.Logf("compared %d rows at %d instants", w.rows, w.instants)
}

// wantStock wants the sqlite3 command to say how many pieces of a good lie on the
// shelf and can be sold.
func (w *watch) wantStock(good, balanceAndAvailable string) {
	w.t.Helper()
	got := strings.TrimSpace(w.sqlite3("-readonly", "courtd.db", "SELECT balance, available FROM stock_now WHERE id = '"+good+"'"))
	w.same("stock of "+good, got, balanceAndAvailable)
}

func goods(id string, qty int) []app.GoodRef { return []app.GoodRef{{ID: id, Qty: qty}} }
