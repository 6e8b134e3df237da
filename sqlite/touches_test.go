package sqlite_test

import (
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// touch is a statement that what is said of some days depends on, and the trigger that
// counts it. A club of these tests lives on the first days of 1970.
type touch struct {
	trigger, before, statement string
	days                       map[int64]int64 // what it adds; -1 is every day
}

func touches() []touch {
	insert := func(table string, changes set) string {
		query, args := insertion(table, changes)
		for _, arg := range args {
			query = strings.Replace(query, "?", literal(arg), 1)
		}
		return query
	}
	const fact = "UPDATE reservations SET "
	first, everyDay := map[int64]int64{0: 1}, map[int64]int64{-1: 1}
	another := func(start, end int64) string {
		return insert("reservations", set{"id": "r2", "seq": 2, "starts_at": start, "check_in_by": end, "ends_at": end})
	}
	return []touch{
		{"reservations_touch", "", another(86400-60, 86400), first},
		{"reservations_touch", "", another(86400, 86460), map[int64]int64{1: 1}},
		{"reservations_touch", "", another(86400-60, 86401), map[int64]int64{0: 1, 1: 1}},
		{"reservations_touch_again", "", fact + "paid_at = 15", first},
		{"reservations_touch_again", "", fact + "cancelled_at = 15", first},
		{"reservations_touch_again", fact + "paid_at = 15", fact + "checked_in_at = 40", first},
		{"reservations_touch_again", another(86400-60, 86401), fact + "paid_at = 15 WHERE id = 'r2'", map[int64]int64{0: 1, 1: 1}},
		{"", "", fact + "settled_at = 20", nil},
		{"", "", fact + "cancel_reason = 'x'", nil},
		{"baskets_touch", "", insert("baskets", set{"id": "b2", "seq": 2}), everyDay},
		{"", "", insert("baskets", set{"id": "b2", "seq": 2, "has_goods": 0}), nil},
		{"baskets_touch_again", "", "UPDATE baskets SET paid_at = 15", everyDay},
		{"baskets_touch_again", "", "UPDATE baskets SET settled_at = 20", everyDay},
		{"basket_lines_touch", "", insert("basket_lines", nil), everyDay},
		{"stock_moves_touch", "", stockRow("g", 1, 11), everyDay},
		{"goods_touch", "", insert("goods", set{"id": "g2"}), everyDay},
		{"goods_touch_again", insert("goods", set{"id": "g2"}), "UPDATE goods SET active = 0", everyDay},
		{"goods_touch_gone", insert("goods", set{"id": "g2"}), "DELETE FROM goods", everyDay},
		{"courts_touch", venueRow, insert("courts", set{"id": "c2"}), everyDay},
		{"courts_touch_again", venueRow + ";" + insert("courts", set{"id": "c2"}), "UPDATE courts SET name = 'x'", everyDay},
		{"courts_touch_gone", venueRow + ";" + insert("courts", set{"id": "c2"}), "DELETE FROM courts", everyDay},
		{"venue_touch", "", venueRow, everyDay},
		{"venue_touch_again", venueRow, "UPDATE venue SET price_rules = '[1]'", everyDay},
		{"closures_touch", "", insert("closures", set{"id": "k2"}), everyDay},
		{"closures_touch_again", "", "UPDATE closures SET lifted_at = 20", everyDay},
		{"closures_touch_gone", "", "DELETE FROM closures", everyDay},
		{"closure_courts_touch", "", "INSERT INTO closure_courts VALUES ('k', 'c2')", everyDay},
		{"closure_courts_touch_gone", "", "DELETE FROM closure_courts", everyDay},
		{"", "", "INSERT INTO customers (id, created_at) VALUES ('u9', 1)", nil},
		{"", "", "UPDATE clock SET last_instant = 99", nil},
		{"", "", "UPDATE payments SET closed_at = 30 WHERE id = 'payment-2'", nil},
	}
}

const venueRow = `INSERT INTO venue (id, version, name, zone, currency, address, phone, policy, hours, price_rules, messages)
	VALUES (1, 1, 'V', 'Asia/Shanghai', 'CNY', '', '', '{}', '{}', '[]', '{}')`

func literal(v any) string {
	if s, ok := v.(string); ok {
		return "'" + s + "'"
	}
	return fmt.Sprint(v)
}

// TestEveryTouchIsCounted: each statement counts on the days it lies on and on no other,
// by the one trigger that is named; without it nothing is counted.
func TestEveryTouchIsCounted(t *testing.T) {
	c := guardedClub(t)
	missing := map[string]bool{}
	each(c, `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%\_touch%' ESCAPE '\'`,
		func(s *string) []any { return []any{s} }, func(name string) { missing[name] = true })
	if len(missing) < 15 {
		t.Fatalf("only %d triggers count touches", len(missing))
	}
	added := func(tx *sql.Tx, statements ...string) map[int64]int64 {
		t.Helper()
		before := counted(t, tx)
		for _, s := range statements {
			if _, err := tx.Exec(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		out := map[int64]int64{}
		for day, n := range counted(t, tx) {
			if n != before[day] {
				out[day] = n - before[day]
			}
		}
		return out
	}
	for _, touch := range touches() {
		delete(missing, touch.trigger)
		c.attempt(func(tx *sql.Tx) error {
			added(tx, touch.before)
			if got := added(tx, touch.statement); !maps.Equal(got, touch.days) {
				t.Errorf("%s adds %v, want %v", touch.statement, got, touch.days)
			}
			return nil
		})
		if touch.trigger == "" {
			continue
		}
		c.attempt(func(tx *sql.Tx) error {
			added(tx, touch.before)
			if got := added(tx, "DROP TRIGGER "+touch.trigger, touch.statement); len(got) > 0 {
				t.Errorf("%s is counted without %s too: %v", touch.statement, touch.trigger, got)
			}
			return nil
		})
	}
	for name := range missing {
		t.Errorf("trigger %s has counted nothing", name)
	}
}

func counted(t *testing.T, tx *sql.Tx) map[int64]int64 {
	t.Helper()
	rows, err := tx.Query("SELECT utc_day, times FROM day_touches")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := map[int64]int64{}
	for rows.Next() {
		var day, n int64
		if err := rows.Scan(&day, &n); err != nil {
			t.Fatal(err)
		}
		out[day] = n
	}
	return out
}

// TestTouches adds up what an interval depends on, half-open like everything else.
func TestTouches(t *testing.T) {
	c := openClub(t)
	c.exec("DELETE FROM day_touches; INSERT INTO day_touches VALUES (-1, 1000), (9, 1), (10, 20), (11, 300)")
	for _, test := range []struct {
		from, to domain.Instant
		want     int64
	}{
		{0, 0, 1000}, {10 * 86400, 11 * 86400, 1020}, {10*86400 - 1, 11 * 86400, 1021}, {10 * 86400, 11*86400 + 1, 1320},
		{11*86400 - 1, 11 * 86400, 1020}, {11 * 86400, 11*86400 + 1, 1300}, {12 * 86400, 13 * 86400, 1000},
	} {
		err := c.db.Read(ctx, func(s *sqlite.Snapshot) error {
			n, err := s.Touches(test.from, test.to)
			if n != test.want {
				t.Errorf("[%d, %d): %d, want %d", test.from, test.to, n, test.want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestAGlanceIsNeverOlderThanItsAsker: whoever has written, through whichever process,
// and then looks, sees another version than before, however many look at once; and its
// now is no earlier than the write.
func TestAGlanceIsNeverOlderThanItsAsker(t *testing.T) {
	path := newPath(t)
	clock := clockAt(noon)
	one, two := mustOpen(t, options(path, clock)), mustOpen(t, options(path, clock))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			writer := []*sqlite.DB{one, two}[i%2]
			for range 50 {
				before, err := one.Glance(ctx)
				if err != nil {
					t.Error(err)
				}
				var written domain.Instant
				err = writer.Write(ctx, func(tx *sqlite.Tx) error {
					written = tx.Now
					return add("more")(tx)
				})
				if err != nil {
					t.Error(err)
				}
				after, err := one.Glance(ctx)
				if err != nil || after.Version == before.Version || after.Now < written {
					t.Errorf("version %d, then %d; written at %d, seen at %d; %v", before.Version, after.Version, written, after.Now, err)
				}
			}
		})
	}
	all.Wait()
}

// TestACourtThatIsChangedIsSeen, although courts are kept with the venue: by whoever has
// changed it, before that is committed and after, and by whoever had kept them before.
func TestACourtThatIsChangedIsSeen(t *testing.T) {
	c := openClub(t)
	c.exec(`INSERT INTO courts (id, name, position) VALUES ('c1', 'one', 1);` + strings.Replace(venueRow, "'[]'", "'null'", 1))
	name := func(s *sqlite.Snapshot) (name string, err error) {
		courts, err := s.Courts()
		if err == nil && len(courts) == 1 {
			name = courts[0].Name
		}
		return name, err
	}
	seen := func(want string) {
		t.Helper()
		err := c.db.Read(ctx, func(s *sqlite.Snapshot) error {
			got, err := name(s)
			if got != want {
				t.Errorf("the court is called %q, want %q", got, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	seen("one")
	c.exec(`UPDATE courts SET name = 'two'`)
	seen("two")
	undone := c.db.Write(ctx, func(tx *sqlite.Tx) error {
		if got, err := name(&tx.Snapshot); got != "two" || err != nil {
			t.Errorf("before: %q, %v", got, err)
		}
		if err := tx.PutCourt(sqlite.Court{ID: "c1", Name: "three", Position: 1, Active: true}); err != nil {
			return err
		}
		if got, err := name(&tx.Snapshot); got != "three" || err != nil {
			t.Errorf("in the command that changed it: %q, %v", got, err)
		}
		return errRefused
	})
	if undone != errRefused {
		t.Fatal(undone)
	}
	seen("two")
}
