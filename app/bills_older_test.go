package app_test

import (
	"testing"

	"courtd/app"
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
