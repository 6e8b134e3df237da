package sqlite_test

import (
	"strings"
	"testing"

	"courtd/sqlite"
)

// The outbox's page looks at the newest messages only: no look reads or sorts the table.
func TestTheOutboxIsReadFromItsEnd(t *testing.T) {
	db := mustOpen(t, sqlite.Options{Path: newPath(t), Wall: clockAt(noon).wall})
	for look, index := range map[sqlite.DeliveryLook]string{
		{}:                          "d USING INTEGER PRIMARY KEY (rowid<?)",
		{Before: 99}:                "d USING INTEGER PRIMARY KEY (rowid<?)",
		{State: "gave_up"}:          "d USING INTEGER PRIMARY KEY (rowid<?)",
		{State: "sent", Before: 99}: "d USING INTEGER PRIMARY KEY (rowid<?)",
		{State: "waiting"}:          "deliveries_outbox",
		{Channel: "sms"}:            "deliveries_by_channel (channel=? AND id<?)",
		{Channel: "sms", State: "dropped", Before: 99}:    "deliveries_by_channel (channel=? AND id<?)",
		{Channel: "sms", State: "waiting"}:                "deliveries_outbox (channel=?)",
		{Channel: "webhook:x", State: "sent", Before: 99}: "deliveries_by_channel (channel=? AND id<?)",
	} {
		var plans []string
		err := db.Read(ctx, func(s *sqlite.Snapshot) error {
			sqlite.ExplainEvery(s, func(plan string) { plans = append(plans, plan) })
			_, _, err := s.DeliveriesLike(look, 100, 10)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(plans, "\n")
		if !strings.Contains(all, index) {
			t.Errorf("%+v does not go by %s:\n%s", look, index, all)
		}
		sorts := strings.Contains(all, "TEMP B-TREE") && look.State != "waiting" // what waits is few
		scans := strings.Contains(strings.ReplaceAll(all, "SCAN d\n", ""), "SCAN d") && look.State != "waiting"
		if sorts || scans || strings.Contains(all, "SCAN deliveries") {
			t.Errorf("%+v reads or sorts more than it must:\n%s", look, all)
		}
	}
	err := db.Read(ctx, func(s *sqlite.Snapshot) error {
		_, _, err := s.DeliveriesLike(sqlite.DeliveryLook{State: "eaten"}, 100, 10)
		return err
	})
	if err == nil {
		t.Error("a state that there is not was looked for")
	}
}
