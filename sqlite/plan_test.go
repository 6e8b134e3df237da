package sqlite_test

import (
	"strings"
	"testing"

	"courtd/sqlite"
)

// The reconciler asks these at every round, whatever the years have left behind:
// they must look at what is open, through the index that holds nothing else.
func TestQueriesOfTheRoundUseTheirPartialIndexes(t *testing.T) {
	var plans []string
	db := mustOpen(t, sqlite.Options{Path: newPath(t), Wall: clockAt(noon).wall})
	ask := map[string]func(*sqlite.Snapshot) error{
		"reservations_due": func(s *sqlite.Snapshot) error { _, err := s.DueClaims(sqlite.Cursor{}, 10); return err },
		"baskets_due":      func(s *sqlite.Snapshot) error { _, err := s.DueClaims(sqlite.Cursor{}, 10); return err },
		"deliveries_outbox": func(s *sqlite.Snapshot) error {
			if _, err := s.WaitingChannels(); err != nil {
				return err
			}
			_, err := s.DeliveriesDue("log", 0, 10)
			return err
		},
		"shipments_open":        func(s *sqlite.Snapshot) error { _, err := s.ShipmentsDue("", 10); return err },
		"payments_second_looks": func(s *sqlite.Snapshot) error { _, err := s.AttemptsToLookAt("", 10); return err },
		"payments_open":         func(s *sqlite.Snapshot) error { _, err := s.AttemptsToAsk("", 10); return err },
		"refunds_open":          func(s *sqlite.Snapshot) error { _, err := s.RefundsToDrive("", 10); return err },
		"notices_once":          func(s *sqlite.Snapshot) error { _, err := s.RemindersDue(7200, 10); return err },
		"reservations_by_start": func(s *sqlite.Snapshot) error {
			_, err := s.ReservationsBetween(noon, noon+86400, noon)
			return err
		},
	}
	for index, query := range ask {
		plans = nil
		err := db.Read(ctx, func(s *sqlite.Snapshot) error {
			sqlite.ExplainEvery(s, func(plan string) { plans = append(plans, plan) })
			return query(s)
		})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(plans, "\n")
		if !strings.Contains(all, index) {
			t.Errorf("%s is not used:\n%s", index, all)
		}
		for _, line := range strings.Split(all, "\n") {
			// d is the union of what is due; an index of what is open may be read whole.
			whole := strings.HasPrefix(line, "SCAN ") && line != "SCAN d" && !strings.Contains(line, "INDEX "+index)
			if whole && !strings.Contains(line, "CONSTANT ROW") {
				t.Errorf("%s: a whole table is read: %s", index, line)
			}
		}
	}
}
