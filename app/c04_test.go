package app_test

import (
	"fmt"
	"testing"

	"courtd/app"
	"courtd/domain"
)

// moment is what everybody must say of a slot at an instant: the list, and
// whether a customer and the desk (by sale and by move) may have it.
type moment struct {
	when     string // RFC 3339
	list     string
	customer bool
	desk     bool
}

// scene is a state of a slot and what everybody must say of it around its deadlines.
type scene struct {
	name    string
	policy  func(*domain.Policy)
	at      string // when the scene is made
	scene   func(*club, app.Actor, app.SlotRef)
	start   app.SlotRef
	moments []moment
}

func scenes() []scene {
	today := func(clock string) string { return "2026-12-10T" + clock + "+08:00" }
	held := func(c *club, who app.Actor, s app.SlotRef) { c.book(who, slots(s)) }
	sold := func(c *club, who app.Actor, s app.SlotRef) app.OrderView { return c.payFor(who, c.book(who, slots(s))) }
	return []scene{
		{name: "free", scene: func(*club, app.Actor, app.SlotRef) {}, moments: []moment{
			{today("17:26:59"), "free", true, true}, {today("17:27:00"), "free", false, true},
			{today("17:29:59"), "free", false, true}, {today("17:30:00"), "past", false, true},
			{today("18:59:59"), "past", false, true}, {today("19:00:00"), "past", false, false}}},
		{name: "held", scene: held, moments: []moment{
			{today("12:09:59"), "held", false, false}, {today("12:10:00"), "free", true, true}, {today("12:10:01"), "free", true, true}}},
		{name: "held up to the start", at: today("17:25:00"), scene: held, moments: []moment{
			{today("17:29:59"), "held", false, false}, {today("17:30:00"), "past", false, true}, {today("17:30:01"), "past", false, true}}},
		{name: "confirmed", scene: func(c *club, a app.Actor, s app.SlotRef) { sold(c, a, s) }, moments: []moment{
			{today("17:29:59"), "taken", false, false}, {today("17:30:00"), "past", false, false},
			{today("18:59:59"), "past", false, false}, {today("19:00:00"), "past", false, false}}},
		{name: "no-show", policy: func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 },
			scene: func(c *club, a app.Actor, s app.SlotRef) { sold(c, a, s) }, moments: []moment{
				{today("17:44:59"), "past", false, false}, {today("17:45:00"), "past", false, true}, {today("17:45:01"), "past", false, true}}},
		{name: "playing", policy: func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 }, at: today("17:10:00"),
			scene: func(c *club, a app.Actor, s app.SlotRef) { c.scan(sold(c, a, s).Ticket.Code) }, moments: []moment{
				{today("17:29:59"), "taken", false, false}, {today("17:45:00"), "past", false, false}, {today("18:59:59"), "past", false, false}}},
		{name: "cancelled", scene: func(c *club, a app.Actor, s app.SlotRef) { c.cancel(a, sold(c, a, s).ID) }, moments: []moment{
			{today("12:00:00"), "free", true, true}, {today("12:00:01"), "free", true, true}}},
		{name: "hold cancelled", scene: func(c *club, a app.Actor, s app.SlotRef) { c.cancel(a, c.book(a, slots(s)).ID) }, moments: []moment{
			{today("12:00:00"), "free", true, true}}},
		{name: "moved away", scene: func(c *club, a app.Actor, s app.SlotRef) {
			_, err := c.move(sold(c, a, s).Reservations[0].ID, app.SlotRef{Court: s.Court, Start: s.Start + 5400})
			must(c.t, err)
		}, moments: []moment{{today("12:00:00"), "free", true, true}}},
		{name: "closed", scene: func(c *club, _ app.Actor, s app.SlotRef) {
			_, err := c.close("18:59", "20:00", false, s.Court)
			must(c.t, err)
		}, moments: []moment{{today("12:00:00"), "closed", false, false}, {today("17:30:00"), "past", false, false}}},
		{name: "closure lifted", scene: func(c *club, _ app.Actor, s app.SlotRef) {
			made, err := c.close("17:00", "20:00", false, s.Court)
			must(c.t, err)
			_, err = c.app.LiftClosure(ctx, c.owner, made.Closure.ID)
			must(c.t, err)
		}, moments: []moment{{today("12:00:00"), "free", true, true}}},
		{name: "not open", scene: func(*club, app.Actor, app.SlotRef) {}, start: slotOn("2026-12-17", "c1", "17:30"), moments: []moment{
			{"2026-12-11T06:59:59+08:00", "not_open", false, true}, {"2026-12-11T07:00:00+08:00", "free", true, true}}},
		{name: "late money refused", scene: func(c *club, a app.Actor, s app.SlotRef) {
			o := c.book(a, slots(s))
			n := c.succeed(c.open(a, o))
			made, err := c.close("17:00", "20:00", true, s.Court)
			must(c.t, err)
			_, err = c.app.LiftClosure(ctx, c.owner, made.Closure.ID)
			must(c.t, err)
			c.tell(n)
		}, moments: []moment{{today("12:00:00"), "free", true, true}}},
	}
}

func TestC04_ListHoldDeskAndMoveAgree(t *testing.T) {
	t.Parallel()
	for _, k := range scenes() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			if k.policy != nil {
				c.policy(k.policy)
			}
			if k.at != "" {
				c.wall.set(at(k.at))
			}
			if k.start.Court == "" {
				k.start = slot("c1", "17:30")
			}
			c.trial(k.start, k.scene, k.moments)
		})
	}
}

// trial plays a scene on three courts for each moment and then tries the three
// ways to the slot, each on a court of its own.
func (c *club) trial(s app.SlotRef, scene func(*club, app.Actor, app.SlotRef), moments []moment) {
	c.t.Helper()
	crowd := c.crowd(6 * len(moments))
	var courts [][3]app.SlotRef
	var aside []string
	for i := range moments {
		var three [3]app.SlotRef
		for j := range three {
			made, err := c.app.AddCourt(ctx, c.owner, fmt.Sprintf("加 %d-%d", i, j), "")
			must(c.t, err)
			three[j] = app.SlotRef{Court: made.ID, Start: s.Start}
			scene(c, crowd[3*i+j], three[j])
		}
		courts = append(courts, three)
		o, err := c.deskSale(slotOn("2026-12-12", three[0].Court, "08:30"))
		must(c.t, err)
		aside = append(aside, o.Reservations[0].ID)
	}
	for i, m := range moments {
		c.wall.set(at(m.when))
		for _, ref := range courts[i] {
			want(c.t, "the list at "+m.when, c.state(ref), m.list)
		}
		_, _, holdErr := c.app.CreateOrder(ctx, crowd[3*len(moments)+i], slots(courts[i][0]), "")
		_, saleErr := c.deskSale(courts[i][1])
		_, moveErr := c.move(aside[i], courts[i][2])
		for _, way := range []struct {
			name string
			may  bool
			err  error
		}{{"hold", m.customer, holdErr}, {"desk sale", m.desk, saleErr}, {"move", m.desk, moveErr}} {
			if e, refused := domain.AsError(way.err); way.err != nil && (!refused || e.Kind != domain.Conflict) {
				c.t.Fatalf("%s at %s: %v is no conflict", way.name, m.when, way.err)
			}
			if (way.err == nil) != way.may {
				c.t.Fatalf("%s at %s: %v, but it may: %v", way.name, m.when, way.err, way.may)
			}
		}
	}
	c.sound()
}
