package app_test

import (
	"testing"

	"courtd/app"
	"courtd/sqlite"
)

// Money for an attempt that was closed long ago is found by the bill alone.
func TestMoneyForAClosedAttemptIsAskedAboutAfterItsBill(t *testing.T) {
	b := newBilled(t)
	_, _, late := b.attempt()
	b.wall.set(at("2026-12-10T13:00:00+08:00"))
	b.round()
	want(t, "closed", b.count("SELECT count(*) FROM payments WHERE id = ? AND closed_at IS NOT NULL", late), 1)
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.LookAgain(late, 0) })) // no look is left
	b.succeed(late)
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.round()
	want(t, "before the bill", b.count("SELECT count(*) FROM payments WHERE id = ? AND succeeded_at IS NOT NULL", late), 0)
	want(t, "to be asked about", b.imports("", billPaid(late, "60.00", onTenth)).WillAsk, 1)
	b.wants("open", "payment:"+late+":there_not_here 6000/6000")
	b.round()
	want(t, "after it", b.count("SELECT count(*) FROM payments WHERE id = ? AND succeeded_at IS NOT NULL", late), 1)
	b.wants("open")
}

// A question that found no answer is asked again by the same file, and nothing claims
// that the next round asks while the next look is hours away.
func TestTheSameFileAsksAgain(t *testing.T) {
	b := newBilled(t)
	_, _, late := b.attempt()
	b.wall.set(at("2026-12-10T13:00:00+08:00"))
	b.round()
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	line := billPaid(late, "60.00", onTenth)
	want(t, "asks at first", b.imports("", line).WillAsk, 1)
	ahead := at("2026-12-12T09:00:00+08:00")
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.LookAgain(late, ahead) }))
	says := func() bool {
		t.Helper()
		list, err := b.app.Differences(ctx, b.owner, app.DifferenceFilter{}, app.Page{})
		must(t, err)
		want(t, "differences", len(list.Items), 1)
		return list.Items[0].WillAsk
	}
	want(t, "the next round asks, a day ahead", says(), false)
	again := b.imports("", line)
	want(t, "the same file", again.Already, true)
	want(t, "asks again", again.WillAsk, 1)
	want(t, "the next round asks, after the file", says(), true)
	b.succeed(late)
	b.round()
	b.wants("open")
}
