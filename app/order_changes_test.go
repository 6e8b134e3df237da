package app_test

import (
	"reflect"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
)

// An order says when it changes by itself, from each change to the next until it never
// does again; up to the second before, nothing about it is different.
func TestOrderSaysWhenItChanges(t *testing.T) {
	t.Parallel()
	var c *club
	come := func(o app.OrderView, clock string) {
		c.clock(clock)
		want(t, "scan", c.scan(o.Ticket.Code).Result, "ok")
	}
	for _, tc := range []struct {
		what string
		make func(who app.Actor) app.OrderView
		want []string
	}{
		{"held: pay_by", func(who app.Actor) app.OrderView { return c.book(who, slots(slot("c1", "17:30"))) }, []string{"12:10 lapsed"}},
		{"goods alone, held: pay_by", func(who app.Actor) app.OrderView { return c.book(who, basket("", goods("g1", 1))) }, []string{"12:30 lapsed"}},
		{"goods alone, paid: they wait for ever", func(who app.Actor) app.OrderView { return c.payFor(who, c.book(who, basket("", goods("g1", 1)))) }, nil},
		{"paid: the door opens, the start, the door shuts", func(who app.Actor) app.OrderView { return c.payFor(who, c.book(who, slots(slot("c2", "17:30")))) },
			[]string{"17:00 paid", "17:30 paid", "17:45 no_show"}},
		{"with goods: until they go back on the shelf", func(who app.Actor) app.OrderView {
			return c.payFor(who, c.book(who, basket("", goods("g1", 1), slot("c3", "17:30"))))
		}, []string{"17:00 paid", "17:30 paid", "17:45 paid", "19:00 no_show"}},
		{"two slots: the first start, both doors", func(who app.Actor) app.OrderView {
			return c.payFor(who, c.book(who, slots(slot("c4", "17:30"), slot("c4", "20:30"))))
		}, []string{"17:00 paid", "17:30 paid", "17:45 paid", "20:00 paid", "20:45 no_show"}},
		{"come: the end", func(who app.Actor) app.OrderView {
			o := c.payFor(who, c.book(who, slots(slot("c5", "17:30"))))
			come(o, "17:10:00")
			return o
		}, []string{"17:30 paid", "19:00 completed"}},
		{"cancelled: never", func(who app.Actor) app.OrderView {
			return c.cancel(who, c.payFor(who, c.book(who, slots(slot("c6", "17:30")))).ID)
		}, nil},
	} {
		c = newClub(t)
		c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
		who := c.customer("13800000001")
		id := tc.make(who).ID
		bare := func(v app.OrderView) app.OrderView { v.Now = time.Time{}; return v }
		v := c.order(who, id)
		var met []string
		for v.ChangesAt != nil && len(met) < 9 {
			next := domain.InstantOf(*v.ChangesAt)
			if next <= domain.InstantOf(v.Now) {
				t.Fatalf("%s: at %s the next change is at %s", tc.what, v.Now, v.ChangesAt)
			}
			c.wall.set(next - 1)
			if !reflect.DeepEqual(bare(c.order(who, id)), bare(v)) {
				t.Errorf("%s: between %s and %s something has changed", tc.what, v.Now, v.ChangesAt)
			}
			c.wall.set(next)
			v = c.order(who, id)
			met = append(met, v.Now.Format("15:04")+" "+v.State)
		}
		if !reflect.DeepEqual(met, tc.want) {
			t.Errorf("%s: changes %q, want %q", tc.what, met, tc.want)
		}
		c.wall.set(at("2026-12-11T23:59:00+08:00"))
		if late := c.order(who, id); !reflect.DeepEqual(bare(late), bare(v)) {
			t.Errorf("%s: it changed after %s although it never would", tc.what, v.Now)
		}
	}
}
