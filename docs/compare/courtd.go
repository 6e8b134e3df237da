package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

// The club: a big hall that is open from six to midnight. 360 slots a day; holds go on
// from day to day.
const (
	clubCourts   = 20
	clubOpens    = domain.Minute(6 * 60)
	clubCloses   = domain.Minute(24 * 60)
	slotsOfDay   = clubCourts * 18
	slotMinutes  = 60
	clubZone     = "Asia/Shanghai"
	perCustomer  = 2 // live unpaid orders, courtd's default
	setUpBefore  = 5 * time.Second
	shiftedUsers = rebookedFrom // customers who book again are others
)

// club is courtd behind its use cases, on its own file. It is nobody's worker: the
// reconciler runs only when round is called.
type club struct {
	db   *sqlite.DB
	app  *app.App
	rec  *reconciler.Reconciler
	set  atomic.Pointer[time.Time] // what the club's clock shows; nil: the present
	days []domain.Date
	grid [][]domain.Slot // of each day
}

// openClub opens the club in dir, and sets it up with customers for n holds if there is
// none. today is the date from which its slots are counted.
func openClub(ctx context.Context, dir string, n int, today time.Time) (*club, error) {
	c := &club{}
	_, err := os.Stat(dbPath(dir))
	fresh := os.IsNotExist(err)
	if fresh {
		c.clock(time.Now(), -setUpBefore)
	}
	c.db, err = sqlite.Open(ctx, sqlite.Options{Path: dbPath(dir), Wall: c.now})
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.DiscardHandler)
	c.app = app.New(app.Config{DB: c.db, Channel: notify.NewLog(log), Log: log})
	c.rec = reconciler.New(c.app, log)
	hours := domain.Hours{SlotMinutes: slotMinutes}
	for d := range hours.Weekly {
		hours.Weekly[d] = domain.DayHours{Opens: clubOpens, Closes: clubCloses}
	}
	if err := c.layOut(hours, n, today); err != nil {
		return nil, err
	}
	if fresh {
		err = c.setUp(ctx, hours, n)
	}
	c.clock(time.Time{}, 0)
	return c, err
}

// layOut numbers the slots: day by day from the day after tomorrow.
func (c *club) layOut(hours domain.Hours, n int, today time.Time) error {
	zone, err := time.LoadLocation(clubZone)
	if err != nil {
		return err
	}
	calendar := domain.Calendar{Zone: zone, Hours: hours}
	day := calendar.LocalDate(domain.InstantOf(today)).AddDays(2)
	for range (n + slotsOfDay - 1) / slotsOfDay {
		c.days, c.grid = append(c.days, day), append(c.grid, calendar.Slots(day))
		day = day.AddDays(1)
	}
	if len(c.days) > domain.MaxDaysAhead-2 {
		return fmt.Errorf("%d holds do not fit into %d days", n, domain.MaxDaysAhead-2)
	}
	return nil
}

func (c *club) setUp(ctx context.Context, hours domain.Hours, n int) error {
	policy := domain.DefaultPolicy()
	policy.DaysAhead = domain.MaxDaysAhead
	set := app.SetUp{Name: "球馆", Zone: clubZone, Hours: &hours, Policy: &policy,
		Owner: app.NewStaff{Username: "owner", Name: "馆主", Password: "owner-password"}}
	for i := range clubCourts {
		set.Courts = append(set.Courts, fmt.Sprintf("%d号场", i+1))
	}
	if err := c.app.SetUpVenue(ctx, set); err != nil {
		return err
	}
	return c.db.Write(ctx, func(tx *sqlite.Tx) error {
		for i := 0; i < n; i += perCustomer {
			for _, first := range []int{0, shiftedUsers} {
				who := customer(first + i)
				if err := tx.InsertCustomer(sqlite.Customer{ID: who.ID, Phone: fmt.Sprintf("1%010d", first+i)}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// customer is who books slot i; each books as many as may be unpaid at once.
func customer(i int) app.Actor {
	return app.Actor{Role: app.RoleCustomer, ID: fmt.Sprintf("k%d", i-i%perCustomer), Session: "s"}
}

// slot names slot i by court and start.
func (c *club) slot(i int) app.SlotRef {
	day, in := i/slotsOfDay, i%slotsOfDay
	return app.SlotRef{Court: courtID(in % clubCourts), Start: c.grid[day][in/clubCourts].Start}
}

func courtID(i int) string { return fmt.Sprintf("c%d", i+1) }

// clock sets the club's clock back, so that ten minutes after an instant of it are
// holdFor after that instant in true time. If bookings fall behind their turns, so does
// the clock: they still get the deadlines that they were to have. No deadline is touched.
func (c *club) clock(at time.Time, holdFor time.Duration) {
	if at.IsZero() {
		c.set.Store(nil)
		return
	}
	at = at.Add(holdFor - longHold)
	c.set.Store(&at)
}

func (c *club) now() time.Time {
	if at := c.set.Load(); at != nil {
		return *at
	}
	return time.Now()
}

func (c *club) book(ctx context.Context, i int, _ time.Duration) (time.Time, error) {
	return c.order(ctx, customer(i), i)
}

func (c *club) rebook(ctx context.Context, i int) error {
	_, err := c.order(ctx, customer(shiftedUsers+i), i)
	return err
}

func (c *club) order(ctx context.Context, who app.Actor, i int) (time.Time, error) {
	view, created, err := c.app.CreateOrder(ctx, who, app.OrderRequest{Slots: []app.SlotRef{c.slot(i)}}, "")
	if err != nil {
		return time.Time{}, err
	}
	if !created || view.PayBy == nil {
		return time.Time{}, fmt.Errorf("no hold was made")
	}
	return *view.PayBy, nil
}

func (c *club) free(ctx context.Context, from, to int) ([]int, error) {
	var out []int
	for day := from / slotsOfDay; day <= (to-1)/slotsOfDay; day++ {
		view, err := c.app.Availability(ctx, c.days[day])
		if err != nil {
			return nil, err
		}
		for k, court := range view.Courts {
			for j, slot := range court.Slots {
				i := day*slotsOfDay + j*clubCourts + k
				if i >= from && i < to && slot.State == string(domain.SlotFree) && !slot.SaleEnded {
					out = append(out, i)
				}
			}
		}
	}
	return out, nil
}

func (c *club) deadlines(ctx context.Context, n int) ([]time.Time, error) {
	type place struct {
		court string
		start domain.Instant
	}
	number := map[place]int{}
	for i := range n {
		s := c.slot(i)
		number[place{s.Court, s.Start}] = i
	}
	out := make([]time.Time, n)
	err := c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query("SELECT court_id, starts_at, pay_by FROM reservations WHERE replaces IS NULL")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var p place
			var payBy int64
			if err := rows.Scan(&p.court, &p.start, &payBy); err != nil {
				return err
			}
			if i, ok := number[p]; ok {
				out[i] = time.Unix(payBy, 0)
			}
		}
		return rows.Err()
	})
	return out, err
}

func (c *club) round(ctx context.Context) error {
	report, err := c.rec.RunOnce(ctx)
	if err == nil && report.Settled.Differences != 0 {
		err = fmt.Errorf("a round has changed %d answers", report.Settled.Differences)
	}
	return err
}

func (c *club) close() { c.db.Close() }
