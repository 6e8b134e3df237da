package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// wallIn opens the club's file as a machine in a zone, whose clock has a fraction.
func (c *club) wallIn(zone *time.Location, nanos int64) *sqlite.DB {
	c.t.Helper()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: c.path, Wall: func() time.Time { return time.Unix(int64(c.wall.now), nanos).In(zone) }})
	must(c.t, err)
	c.t.Cleanup(func() { must(c.t, db.Close()) })
	return db
}

func TestC29_InstantsAreIntegers(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	shanghai, utc := time.FixedZone("CST", 8*3600), time.UTC
	var apps []*app.App
	for i, zone := range []*time.Location{utc, shanghai, utc, shanghai} {
		apps = append(apps, app.New(app.Config{DB: c.wallIn(zone, int64(i%2)*999_000_000), Channel: c.mail, Log: quiet}))
	}
	crowd := c.crowd(len(apps))
	var ids []string
	for i, a := range apps { // a second apart, each by another machine
		c.wall.set(noon + domain.Instant(i))
		o, _, err := a.CreateOrder(ctx, crowd[i], basket("", goods("g1", 1), slot(fmt.Sprintf("c%d", i+1), "17:30")), "")
		must(t, err)
		want(t, "pay_by", domain.InstantOf(*o.PayBy), noon+600+domain.Instant(i))
		ids = append(ids, o.ID)
	}
	c.alter("INSERT INTO reservations SELECT 'by-sql', order_id, 9, customer_id, 'c6', day, price_fen, discount_fen, price_rule, booked_at, pay_by, check_in_from, check_in_by, starts_at, ends_at, paid_at, checked_in_at, cancelled_at, moved, out_of_window, cancelled_by, cancel_reason, replaces, replaced_as, settled_at FROM reservations WHERE order_id = ?", ids[0])
	for i := range apps {
		c.wall.set(noon + 600 + domain.Instant(i))
		for j, a := range apps {
			o, err := a.Order(ctx, crowd[(i+j)%len(apps)], ids[(i+j)%len(apps)])
			must(t, err)
			want(t, "state", o.State, map[bool]string{true: "lapsed", false: "held"}[(i+j)%len(apps) <= i])
		}
		due, _, err := apps[3-i].Foresee(ctx)
		must(t, err)
		want(t, "due", len(due), 2*(i+1)+1)
		for k := 1; k < len(due); k++ {
			if due[k].ReleaseAt.Before(due[k-1].ReleaseAt) {
				t.Fatal("due claims are not in the order of their instants")
			}
		}
	}
	c.round()
	c.everyInstantIsAnInteger()
}

// everyInstantIsAnInteger looks at each column of each table whose name says that
// it is an instant.
func (c *club) everyInstantIsAnInteger() {
	c.t.Helper()
	columns := 0
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query(`SELECT m.name, p.name, p.type FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'
			AND (p.name LIKE '%\_at' ESCAPE '\' OR p.name LIKE '%\_by' ESCAPE '\' OR p.name IN ('at', 'check_in_from', 'success_time', 'last_instant'))
			AND p.name NOT IN ('cancelled_by', 'booked_by', 'made_by', 'lifted_by', 'imported_by', 'confirmed_by')`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var table, column, kind string
			if err := rows.Scan(&table, &column, &kind); err != nil {
				return err
			}
			columns++
			if kind != "INTEGER" {
				c.t.Errorf("%s.%s is %s", table, column, kind)
			}
			var bad int
			if err := s.QueryRow(fmt.Sprintf("SELECT count(*) FROM %s WHERE typeof(%s) NOT IN ('integer', 'null')", table, column)).Scan(&bad); err != nil {
				return err
			}
			want(c.t, table+"."+column+" not integer", bad, 0)
		}
		var first domain.Instant
		if err := s.QueryRow("SELECT coalesce(max(settled_at), min(booked_at)) FROM reservations").Scan(&first); err != nil {
			return err
		}
		want(c.t, "an aggregate is an instant", first > noon, true)
		return rows.Err()
	}))
	if columns < 40 {
		c.t.Fatalf("only %d columns were looked at", columns)
	}
}

func TestC30_TodayIsTheVenuesDay(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxSlotsPerDay = 2 })
	a := c.customer("13800000001")
	// 00:30 on the 11th in Shanghai is 16:30 UTC on the 10th, where the server runs.
	server := app.New(app.Config{DB: c.wallIn(time.UTC, 0), Channel: c.mail, Log: quiet})
	server.AddProvider(c.bank)
	c.wall.set(at("2026-12-10T23:59:00+08:00"))
	first := c.paidAt(a, slotOn("2026-12-11", "c1", "08:30"), slotOn("2026-12-11", "c1", "10:00"))
	want(t, "number by the venue's date", strings.HasPrefix(first.Number, "1210-"), true)
	c.wall.set(at("2026-12-10T16:30:00Z"))
	view, err := server.Availability(ctx, domain.Date{Year: 2026, Month: 12, Day: 11})
	must(t, err)
	want(t, "slots of the 11th", len(view.Courts[0].Slots), 9)
	for _, s := range view.Courts[0].Slots {
		want(t, "begun", s.State == "past", false)
		want(t, "shown with the venue's offset", s.Start.Format("-07:00"), "+08:00")
	}
	view, err = server.Availability(ctx, domain.Date{Year: 2026, Month: 12, Day: 10})
	must(t, err)
	for _, s := range view.Courts[0].Slots {
		want(t, "yesterday", s.State, "past")
	}
	// The day limit counts the 11th of Shanghai; the 12th is another day.
	_, _, err = server.CreateOrder(ctx, a, slots(slotOn("2026-12-11", "c1", "20:30")), "")
	wantReason(t, err, "limit_reached")
	o, _, err := server.CreateOrder(ctx, a, slots(slotOn("2026-12-12", "c1", "08:30")), "")
	must(t, err)
	want(t, "number by the venue's date", strings.HasPrefix(o.Number, "1211-"), true)
	// D+6 of the 11th is the 17th, from 07:00 in Shanghai.
	_, _, err = server.CreateOrder(ctx, c.customer("13800000002"), slots(slotOn("2026-12-17", "c1", "08:30")), "")
	wantReason(t, err, "not_open_yet")
	c.wall.set(at("2026-12-11T07:00:00+08:00"))
	_, _, err = server.CreateOrder(ctx, c.customer("13800000003"), slots(slotOn("2026-12-17", "c1", "08:30")), "")
	must(t, err)
	want(t, "wrong day at the door", c.scan(c.paidAt(c.customer("13800000004"), slotOn("2026-12-12", "c3", "08:30")).Ticket.Code).Result, "wrong_day")
}

// A business day that runs past midnight stays one day.
func TestC30_ADayPastMidnight(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	_, err := c.app.ChangeVenue(ctx, c.owner, "hours", func(v *sqlite.Venue) error {
		for i := range v.Calendar.Hours.Weekly {
			v.Calendar.Hours.Weekly[i] = domain.DayHours{Opens: 18 * 60, Closes: 26 * 60}
		}
		v.Calendar.Hours.SlotMinutes, v.Policy.MaxSlotsPerDay = 60, 2
		return nil
	})
	must(t, err)
	a := c.customer("13800000001")
	o := c.paidAt(a, slotOn("2026-12-10", "c1", "23:00"), slotOn("2026-12-11", "c1", "01:00"))
	c.refuse(a, slots(slotOn("2026-12-11", "c2", "00:00")), "limit_reached") // still the 10th
	c.book(a, slots(slotOn("2026-12-11", "c2", "18:00")))
	c.wall.set(at("2026-12-11T00:30:00+08:00"))
	want(t, "the same business day", c.scan(o.Ticket.Code).Result, "ok")
}

func TestC31_ADeadlineNeverLaterThanTheGame(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		name    string
		at      string
		refs    []app.SlotRef
		payBy   string
		refused string
	}{
		{"well before", "12:00:00", []app.SlotRef{slot("c1", "19:00")}, "12:10:00", ""},
		{"capped by the start", "18:55:00", []app.SlotRef{slot("c1", "19:00")}, "19:00:00", ""},
		{"by the first of several", "17:25:00", []app.SlotRef{slot("c1", "19:00"), slot("c2", "17:30")}, "17:30:00", ""},
		{"sale has ended", "18:58:00", []app.SlotRef{slot("c1", "19:00")}, "", "slot_past"},
		{"begun", "19:00:00", []app.SlotRef{slot("c1", "19:00")}, "", "slot_past"},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := newClub(t)
			a := c.customer("13800000001")
			c.clock(k.at)
			if k.refused != "" {
				c.refuse(a, slots(k.refs...), k.refused)
				return
			}
			o := c.book(a, basket("", goods("g1", 1), k.refs...))
			want(t, "pay_by", o.PayBy.Format("15:04:05"), k.payBy)
			c.clock(k.payBy)
			for range 3 {
				want(t, "never unpaid in the game, never a no-show", c.order(a, o.ID).State, "lapsed")
				c.round()
				c.wall.set(c.wall.now + 3600)
			}
			want(t, "reminders", c.notices(o.ID, "reminder"), 0)
			want(t, "no-shows", c.notices(o.ID, "no_show"), 0)
			want(t, "open attempts", c.count("SELECT count(*) FROM payments WHERE expires_at > ?", int64(at("2026-12-10T"+k.payBy+"+08:00"))), 0)
			c.sound()
		})
	}
}

// Unpaid at the desk too: on arrival means until the start, and what has begun is
// paid at once.
func TestC31_TheDeskSellsWhatHasBegun(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	sell := func(pay string, s app.SlotRef) (app.OrderView, error) {
		o, _, err := c.app.DeskOrder(ctx, c.desk, slots(s), app.Caller{Name: "李", Phone: "13900000009"}, pay, "")
		return o, err
	}
	o, err := sell("on_arrival", slot("c1", "19:00"))
	must(t, err)
	want(t, "pay_by", o.PayBy.Format("15:04:05"), "19:00:00")
	c.clock("18:59:59")
	want(t, "state", c.order(c.desk, o.ID).State, "held")
	c.clock("19:00:00")
	want(t, "state", c.order(c.desk, o.ID).State, "lapsed")
	for _, pay := range []string{"on_arrival", "online"} {
		_, err = sell(pay, slot("c2", "19:00"))
		wantReason(t, err, "slot_past")
	}
	o, err = sell("cash", slot("c2", "19:00"))
	must(t, err)
	want(t, "walks straight in", o.Reservations[0].State, "playing")
	want(t, "no deadline", o.PayBy == nil, true)
	c.clock("20:30:00")
	want(t, "state", c.order(c.desk, o.ID).State, "completed")
	_, err = sell("cash", slot("c2", "19:00"))
	wantReason(t, err, "slot_past")
}
