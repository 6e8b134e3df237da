package app_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// found lists the actions that a filter finds, newest first, walking page by page.
func (c *club) found(f app.AuditFilter, limit int) string {
	c.t.Helper()
	var actions []string
	page := app.Page{Limit: limit}
	for {
		list, err := c.app.AuditTrail(ctx, f, page)
		must(c.t, err)
		for _, a := range list.Items {
			actions = append(actions, a.Action)
		}
		if list.Next == nil {
			return strings.Join(actions, ",")
		}
		page.Cursor = *list.Next
	}
}

func TestAuditSearch(t *testing.T) {
	c := newClub(t)
	midnight := at("2026-12-11T00:00:00+08:00")
	acts := []struct {
		at domain.Instant
		sqlite.AuditRow
	}{
		{midnight - 1, sqlite.AuditRow{Actor: c.desk.ID, Role: "desk", Action: "one", Target: "order-77", Reason: "100% 满意_不"}},
		{midnight, sqlite.AuditRow{Actor: c.owner.ID, Role: "owner", Action: "two", Target: "venue", Detail: map[string]any{"name": `<b>"小李" & 'Co'</b>`}}},
		{midnight + 1, sqlite.AuditRow{Actor: c.desk.ID, Role: "desk", Action: "three", Target: "venue", Reason: `C:\temp`}},
		{midnight + 2, sqlite.AuditRow{Actor: "", Role: "system", Action: "four", Target: "clock", Reason: "Loud"}},
	}
	for _, a := range acts {
		c.wall.set(a.at)
		must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.Audit(a.AuditRow) }))
	}
	eleventh, tenth := domain.Date{Year: 2026, Month: 12, Day: 11}, domain.Date{Year: 2026, Month: 12, Day: 10}
	for _, x := range []struct {
		filter app.AuditFilter
		finds  string
	}{
		{app.AuditFilter{From: eleventh}, "four,three,two"},
		{app.AuditFilter{Text: "order-7"}, "one"},
		{app.AuditFilter{Text: " 满意_ "}, "one"},
		{app.AuditFilter{Text: "100%"}, "one"},
		{app.AuditFilter{Text: "1%0"}, ""},
		{app.AuditFilter{Text: "满_"}, ""},
		{app.AuditFilter{Text: `:\t`}, "three"},
		{app.AuditFilter{Text: "LOUD"}, "four"},
		{app.AuditFilter{Text: `<b>"小李" & '`}, "two"},
		{app.AuditFilter{Text: "前台", From: eleventh}, "three"}, // by the name of whoever did it
		{app.AuditFilter{Text: c.desk.ID, From: eleventh}, "three"},
		{app.AuditFilter{Text: "three"}, "three"},
		{app.AuditFilter{Actor: c.desk.ID}, "three,one"},
		{app.AuditFilter{Actor: c.desk.ID, Until: tenth}, "one"},
		{app.AuditFilter{Text: "venue", Until: tenth}, ""}, // midnight itself is the next day
		{app.AuditFilter{Actor: c.owner.ID, From: eleventh, Until: eleventh, Text: "venue"}, "two"},
		{app.AuditFilter{Actor: "nobody"}, ""},
		{app.AuditFilter{Text: "'; DROP TABLE audit; --"}, ""},
	} {
		for _, limit := range []int{0, 1} {
			want(t, fmt.Sprintf("%+v", x.filter), c.found(x.filter, limit), x.finds)
		}
	}
	list, err := c.app.AuditTrail(ctx, app.AuditFilter{}, app.Page{Limit: 4})
	must(t, err)
	want(t, "names", fmt.Sprint(list.Items[0].ActorName, list.Items[1].ActorName, list.Items[2].ActorName), "前台馆主")
	_, err = c.app.AuditTrail(ctx, app.AuditFilter{From: eleventh, Until: tenth}, app.Page{})
	wantReason(t, err, "invalid_field")
	_, err = c.app.AuditTrail(ctx, app.AuditFilter{Text: strings.Repeat("字", domain.MaxNoteChars+1)}, app.Page{})
	wantReason(t, err, "invalid_field")
}
