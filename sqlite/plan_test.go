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
		"shipments_given_up":    func(s *sqlite.Snapshot) error { _, err := s.LostShipments(10); return err },
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

// The day close looks at the rows of the days or of the one thing asked about: nothing of
// it reads all payments or all lines, of which years leave hundreds of thousands.
func TestQueriesOfTheDayCloseReadNoWholeTable(t *testing.T) {
	const day = "2026-12-10"
	db := mustOpen(t, sqlite.Options{Path: newPath(t), Wall: clockAt(noon).wall})
	list := func(find sqlite.DifferenceSearch) func(*sqlite.Snapshot) error {
		return func(s *sqlite.Snapshot) error { _, err := s.Differences(find, 10); return err }
	}
	ask := map[string]struct {
		indexes []string
		query   func(*sqlite.Snapshot) error
	}{
		"count": {[]string{"payments_by_bill_day", "payments_flagged", "refunds_by_done"}, func(s *sqlite.Snapshot) error { _, err := s.CountDifferences(day, ""); return err }},
		"list":  {[]string{"payments_by_bill_day", "payments_flagged", "refunds_by_done"}, list(sqlite.DifferenceSearch{From: day})},
		"day":   {[]string{"payments_by_bill_day", "payments_flagged", "refunds_by_done"}, list(sqlite.DifferenceSearch{Day: day})},
		"key":   {[]string{"bill_lines_by_trade", "bill_lines_by_refund"}, list(sqlite.DifferenceSearch{Key: "refund:some-refund:refund_amount"})},
		"days":  {[]string{"payments_by_bill_day", "bills_by_day"}, func(s *sqlite.Snapshot) error { _, err := s.BillDays("", 10); return err }},
		"touched": {[]string{"payments_by_success", "refunds_by_done", "refunds_not_done"}, func(s *sqlite.Snapshot) error {
			_, _, err := s.DaysTouched(sqlite.DifferenceMark{At: s.Now}, day)
			return err
		}},
		"merchants": {[]string{"payments_by_merchant"}, func(s *sqlite.Snapshot) error { _, err := s.WeChatMerchants(); return err }},
		"to ask":    {nil, func(s *sqlite.Snapshot) error { _, err := s.PaidThereOnly("a-bill"); return err }},
	}
	err := db.Write(ctx, func(tx *sqlite.Tx) error { // without a day to tell, the days would end at their first query
		return tx.InsertBill(sqlite.Bill{ID: "a-bill", Provider: "wechat", Merchant: "1900000001", Day: day, Digest: "x"}, []sqlite.BillLine{})
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, q := range ask {
		var plans []string
		err := db.Read(ctx, func(s *sqlite.Snapshot) error {
			sqlite.ExplainEvery(s, func(plan string) { plans = append(plans, plan) })
			return q.query(s)
		})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(plans, "\n")
		for _, index := range q.indexes {
			if !strings.Contains(all, index) {
				t.Errorf("%s: %s is not used:\n%s", name, index, all)
			}
		}
		for _, line := range plans {
			for _, table := range []string{"p", "l", "f", "payments", "bill_lines", "refunds"} {
				if strings.HasSuffix(line, "INDEX payments_flagged") {
					continue // holds nothing but what is flagged
				}
				if line == "SCAN "+table || strings.HasPrefix(line, "SCAN "+table+" ") {
					t.Errorf("%s: a whole table is read: %s\n%s", name, line, all)
				}
			}
		}
	}
}
