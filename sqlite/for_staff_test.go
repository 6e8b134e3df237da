package sqlite_test

import (
	"strings"
	"testing"

	"courtd/sqlite"
)

// The desk's list is asked for again every few seconds, whatever the years have left
// behind: it looks at what is open, through the index that holds nothing else.
func TestTheDesksListUsesPartialIndexes(t *testing.T) {
	var plans []string
	db := mustOpen(t, sqlite.Options{Path: newPath(t), Wall: clockAt(noon).wall})
	notices := func(state string) func(*sqlite.Snapshot) error {
		return func(s *sqlite.Snapshot) error {
			_, err := s.NoticesIn(state, noon, sqlite.FromNewest, 10)
			return err
		}
	}
	for name, c := range map[string]struct {
		index string
		ask   func(*sqlite.Snapshot) error
	}{
		"waiting": {"notices_outbox", notices("waiting")},
		"gave up": {"notices_given_up", notices("gave_up")},
		"sent":    {"notices_by_age", notices("sent")},
		"dropped": {"notices_by_age", notices("dropped")},
		"goods": {"baskets_due", func(s *sqlite.Snapshot) error {
			_, err := s.BasketsToHandOver("2026-12-10", noon+86400, 10)
			return err
		}},
		"refunds": {"refunds_not_done", func(s *sqlite.Snapshot) error { _, err := s.RefundsForStaff(10); return err }},
		"flagged": {"payments_flagged", func(s *sqlite.Snapshot) error { _, err := s.FlaggedPayments(10); return err }},
	} {
		plans = nil
		err := db.Read(ctx, func(s *sqlite.Snapshot) error {
			sqlite.ExplainEvery(s, func(plan string) { plans = append(plans, plan) })
			return c.ask(s)
		})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(plans, "\n")
		if !strings.Contains(all, c.index) {
			t.Errorf("%s: %s is not used:\n%s", name, c.index, all)
		}
		for _, line := range strings.Split(all, "\n") {
			if strings.HasPrefix(line, "SCAN ") && !strings.Contains(line, "INDEX "+c.index) {
				t.Errorf("%s: a whole table is read: %s", name, line)
			}
		}
	}
}
