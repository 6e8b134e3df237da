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

func (c *club) utilisation(from, until, court string) app.UtilisationReport {
	c.t.Helper()
	r, err := c.app.Utilisation(ctx, days(c.t, from, until), court)
	must(c.t, err)
	return r
}

func use(f app.UseFigures) string {
	if f.Percent == nil {
		return fmt.Sprintf("%d/%d", f.Used, f.Offered)
	}
	return fmt.Sprintf("%d/%d=%.1f", f.Used, f.Offered, *f.Percent)
}

// cell is one cell of the heat map.
func cell(t *testing.T, r app.UtilisationReport, weekday time.Weekday, label string) string {
	t.Helper()
	for _, row := range r.Weekdays {
		for i, start := range r.Starts {
			if row.Weekday == int(weekday) && start.Label == label {
				return use(row.Cells[i])
			}
		}
	}
	t.Fatalf("no cell for %s %s", weekday, label)
	return ""
}

// A week of six courts with nine slots a day.
func TestUtilisation(t *testing.T) {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.payFor(a, c.book(a, slots(slot("c1", "17:30"), slotOn("2026-12-11", "c1", "17:30")))) // Thursday and Friday
	c.book(b, slots(slot("c2", "17:30")))                                                   // held, not used
	r := c.utilisation("2026-12-07", "2026-12-13", "")
	want(t, "week", use(r.Total), "2/378=0.5")
	want(t, "rows", fmt.Sprintln(len(r.Weekdays), r.Weekdays[0].Weekday, r.Weekdays[6].Weekday, len(r.Starts), r.Starts[0].Label, r.Starts[8].Label), "7 1 0 9 08:30 20:30\n")
	want(t, "Thursday evening", cell(t, r, time.Thursday, "17:30"), "1/6=16.7")
	want(t, "Friday evening", cell(t, r, time.Friday, "17:30"), "1/6=16.7")
	want(t, "Monday", use(r.Weekdays[0].UseFigures), "0/54=0.0")
	want(t, "court 1", use(r.Courts[0].UseFigures), "2/63=3.2")
	want(t, "court 2", use(r.Courts[1].UseFigures), "0/63=0.0")

	one := c.utilisation("2026-12-07", "2026-12-13", "c1")
	want(t, "one court", fmt.Sprint(one.Court.Name, use(one.Total), cell(t, one, time.Thursday, "17:30"), len(one.Courts)), "1号场2/63=3.21/1=100.06")
	_, err := c.app.Utilisation(ctx, days(t, "2026-12-07", "2026-12-13"), "c99")
	wantReason(t, err, "invalid_field")

	// Nobody came for c1 at 17:30; the desk sold the rest of it: still one slot of one.
	c.clock("17:45:00")
	_, err = c.deskSale(slot("c1", "17:30"))
	must(t, err)
	r = c.utilisation("2026-12-10", "2026-12-10", "c1")
	want(t, "sold twice", fmt.Sprint(cell(t, r, time.Thursday, "17:30"), " ", r.OffGrid), "1/1=100.0 0")

	// A moved row does not count where it was.
	rows := c.takeReservations("c1", "2026-12-11T17:30:00+08:00")
	_, err = c.move(rows[0], slotOn("2026-12-11", "c2", "19:00"))
	must(t, err)
	r = c.utilisation("2026-12-11", "2026-12-11", "")
	want(t, "left", cell(t, r, time.Friday, "17:30"), "0/6=0.0")
	want(t, "where it went", cell(t, r, time.Friday, "19:00"), "1/6=16.7")
	want(t, "no day without slots", use(c.utilisation("2026-12-11", "2026-12-11", "").Weekdays[0].UseFigures), "0/0")
}

func (c *club) takeReservations(court, start string) (ids []string) {
	c.t.Helper()
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.ReservationsBetween(at(start), at(start)+1, s.Now)
		for _, r := range rows {
			if r.CourtID == court {
				ids = append(ids, r.ID)
			}
		}
		return err
	}))
	return ids
}

func TestUtilisationAndClosures(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	c.payFor(a, c.book(a, slots(slot("c1", "17:30"))))
	_, err := c.close("17:00", "20:30", false, "c1", "c2") // two slots of two courts; the booking stays
	must(t, err)
	lifted, err := c.close("13:00", "14:30", false, "c3") // lifted before its slot is over
	must(t, err)
	stood, err := c.close("14:30", "16:00", false, "c3") // lifted after its slot was over
	must(t, err)
	r := c.utilisation("2026-12-10", "2026-12-10", "")
	want(t, "closed but used is offered", cell(t, r, time.Thursday, "17:30"), "1/5=20.0")
	want(t, "closed", cell(t, r, time.Thursday, "19:00"), "0/4=0.0")
	want(t, "beside it", cell(t, r, time.Thursday, "20:30"), "0/6=0.0")
	want(t, "closed at lunch", cell(t, r, time.Thursday, "13:00"), "0/5=0.0")
	c.clock("14:29:58")
	_, err = c.app.LiftClosure(ctx, c.owner, lifted.Closure.ID)
	must(t, err)
	c.clock("16:00:00")
	_, err = c.app.LiftClosure(ctx, c.owner, stood.Closure.ID)
	must(t, err)
	_, err = c.close("15:00", "17:30", false, "c4") // made when the first of its slots was over
	must(t, err)
	r = c.utilisation("2026-12-10", "2026-12-10", "")
	want(t, "lifted in time", cell(t, r, time.Thursday, "13:00"), "0/6=0.0")
	want(t, "lifted too late", cell(t, r, time.Thursday, "14:30"), "0/5=0.0")
	want(t, "made in time", cell(t, r, time.Thursday, "16:00"), "0/3=0.0") // c1 and c2 from 17:00 on
	want(t, "court 3", use(r.Courts[2].UseFigures), "0/8=0.0")
	want(t, "court 4", use(r.Courts[3].UseFigures), "0/8=0.0")
}

// Courts and hours keep no history: what was used elsewhere is told apart.
func TestUtilisationOffTheGrid(t *testing.T) {
	c := newClub(t)
	a := c.customer("13800000001")
	c.payFor(a, c.book(a, slots(slot("c1", "17:30"), slot("c6", "19:00"))))
	courts, err := func() (all []sqlite.Court, err error) {
		err = c.db.Read(ctx, func(s *sqlite.Snapshot) error { all, err = s.Courts(); return err })
		return all, err
	}()
	must(t, err)
	must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		courts[5].Active = false
		return tx.PutCourt(courts[5])
	}))
	r := c.utilisation("2026-12-10", "2026-12-10", "")
	want(t, "without court 6", fmt.Sprint(use(r.Total), " ", r.OffGrid, " ", len(r.Courts)), "1/45=2.2 1 5")
	_, err = c.app.ChangeVenue(ctx, c.owner, "hours", func(v *sqlite.Venue) error {
		v.Calendar.Hours.SlotMinutes = 60
		return nil
	})
	must(t, err)
	r = c.utilisation("2026-12-10", "2026-12-10", "")
	want(t, "with slots of an hour", fmt.Sprint(use(r.Total), " ", r.OffGrid), "1/65=1.5 1") // 17:30 is on both grids
}

// Past midnight a slot belongs to the evening before, and comes last.
func TestUtilisationPastMidnight(t *testing.T) {
	c := newClub(t)
	_, err := c.app.ChangeVenue(ctx, c.owner, "hours", func(v *sqlite.Venue) error {
		for i := range v.Calendar.Hours.Weekly {
			v.Calendar.Hours.Weekly[i] = domain.DayHours{Opens: 9 * 60, Closes: 26 * 60}
		}
		return nil
	})
	must(t, err)
	a := c.customer("13800000001")
	c.payFor(a, c.book(a, slots(slotOn("2026-12-11", "c1", "00:00"))))
	r := c.utilisation("2026-12-10", "2026-12-10", "c1")
	last := r.Starts[len(r.Starts)-1]
	want(t, "the last start", fmt.Sprint(last.Label, " ", last.Minute), "00:00 24:00")
	want(t, "Thursday night", cell(t, r, time.Thursday, "00:00"), "1/1=100.0")
	want(t, "the next day", use(c.utilisation("2026-12-11", "2026-12-11", "c1").Total), "0/11=0.0")
	want(t, "slots of the next day", c.rates("2026-12-11", "2026-12-11").Total.Slots.Booked, 0)
	want(t, "slots of the day", c.rates("2026-12-10", "2026-12-10").Total.Slots.Booked, 1)
}

// Ten days of everything without a round: the reports say of every order and slot
// what the domain says of it, money adds up, and settling changes nothing.
func TestReportsAgreeWithTheRule(t *testing.T) {
	m := newMonth(t, 21)
	c := m.c
	for day := range 10 {
		m.live(day)
	}
	const from, until = "2026-12-01", "2027-01-10"
	c.adds(c.takings(from, until))
	before := c.answersOfReports(from, until)
	c.sameAsTheDomain(c.rates(from, until))
	due := c.count("SELECT count(*) FROM reservations WHERE settled_at IS NULL AND release_at <= ?", c.wall.time().Unix())
	if due < 15 {
		t.Fatalf("only %d slots were left to settle", due)
	}
	var at sqlite.Cursor
	for done := false; !done; {
		var err error
		_, at, done, err = c.app.SettleDue(ctx, at, nil)
		must(t, err)
	}
	want(t, "unsettled", c.count("SELECT count(*) FROM reservations WHERE settled_at IS NULL AND release_at <= ?", c.wall.time().Unix()), 0)
	want(t, "after settling", c.answersOfReports(from, until), before)
	c.adds(c.takings(from, until))
}

// answersOfReports is everything that time alone decides, as text.
func (c *club) answersOfReports(from, until string) string {
	c.t.Helper()
	goods, err := c.app.TopGoods(ctx, days(c.t, from, until))
	must(c.t, err)
	rates, use, money := c.rates(from, until), c.utilisation(from, until, ""), c.takings(from, until)
	out := fmt.Sprint(goods.Goods, goods.Total, use.OffGrid, money.Total.In, money.Total.Out, "\n")
	for _, d := range rates.Days {
		out += counts(d.RateFigures) + "\n"
	}
	for _, court := range use.Courts {
		out += fmt.Sprint(court.Used, "/", court.Offered, " ")
	}
	return out
}

// sameAsTheDomain counts all orders and slots again, one by one.
func (c *club) sameAsTheDomain(r app.RatesReport) {
	c.t.Helper()
	orders, slots := map[domain.State]int{}, map[domain.State]int{}
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query("SELECT id FROM orders")
		if err != nil {
			return err
		}
		defer rows.Close()
		var ids []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		for _, id := range ids {
			o, err := s.Order(id)
			if err != nil {
				return err
			}
			orders[o.State(s.Now)]++
			for _, slot := range o.Slots(s.Now) {
				slots[slot.State(s.Now)]++
			}
		}
		return rows.Err()
	}))
	o, s := r.Total.Orders, r.Total.Slots
	got := []int{o.Held, o.Paid, o.Completed, o.NoShow, o.Lapsed, o.CancelledByCustomer + o.CancelledByVenue + o.CancelledBySystem,
		s.Open, s.Completed, s.NoShows, s.Lapsed, s.CancelledByCustomer + s.CancelledByVenue + s.CancelledBySystem}
	wanted := []int{orders[domain.Held], orders[domain.Paid], orders[domain.Completed], orders[domain.NoShow], orders[domain.Lapsed], orders[domain.Cancelled],
		slots[domain.Held] + slots[domain.Confirmed] + slots[domain.Playing], slots[domain.Completed], slots[domain.NoShow], slots[domain.Lapsed], slots[domain.Cancelled]}
	want(c.t, "orders and slots", strings.Join(strings.Fields(fmt.Sprint(got)), " "), strings.Join(strings.Fields(fmt.Sprint(wanted)), " "))
	for i, n := range wanted {
		if n == 0 && i > 0 {
			c.t.Errorf("the days saw none of state %d: %v", i, wanted)
		}
	}
	c.t.Logf("orders %v, slots %v", orders, slots)
}
