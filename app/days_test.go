package app_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// keeper is a process that keeps answers about days, and beside it on the same file one
// that works every answer out.
type keeper struct {
	*club
	bare *app.App
	days []domain.Date
	acts map[string]int
	mu   sync.Mutex
}

func newKeeper(t *testing.T) *keeper {
	c := newClub(t)
	c.policy(func(p *domain.Policy) { p.MaxLiveOrders, p.MaxSlotsPerDay, p.Strikes = 100, 20, 0 })
	k := &keeper{club: c, bare: app.New(app.Config{DB: c.second().db, NoKeptDays: true}), acts: map[string]int{}}
	for n := -1; n < 8; n++ { // the last is not open yet
		k.days = append(k.days, domain.Date{Year: 2026, Month: 12, Day: 10}.AddDays(n))
	}
	return k
}

// differs compares one day as it is kept with the day as it is derived. It is nil when they are
// the same, and sure when nothing was written and no second went by meanwhile.
func (k *keeper) differs(day domain.Date) (wrong error, sure bool) {
	before, err := k.db.Glance(ctx)
	if err != nil {
		return err, true
	}
	kept, now, err := k.app.Day(ctx, day)
	if err != nil {
		return err, true
	}
	want, err := k.bare.Availability(ctx, day)
	if err != nil {
		return err, true
	}
	after, err := k.db.Glance(ctx)
	if err != nil {
		return err, true
	}
	sure = before == after && now == after.Now && domain.InstantOf(want.Now) == now
	got := kept.View
	got.Now = want.Now
	if !reflect.DeepEqual(got, want) {
		wrong = fmt.Errorf("%s at %d\nkept    %+v\nderived %+v", day, now, got, want)
	}
	return wrong, sure
}

// act does something that may change what is said of a day, by one of two processes.
func (k *keeper) act(r *rand.Rand, by *club, people []app.Actor) {
	date := k.days[1+r.IntN(7)].String()
	at := slotOn(date, fmt.Sprintf("c%d", 1+r.IntN(3)), []string{"13:00", "16:00", "17:30", "19:00", "20:30"}[r.IntN(5)])
	who := people[r.IntN(len(people))]
	some := func(table string) (id string) {
		k.db.Read(ctx, func(s *sqlite.Snapshot) error {
			return s.QueryRow("SELECT id FROM " + table + " ORDER BY random() LIMIT 1").Scan(&id)
		})
		return id
	}
	var what string
	var err error
	switch r.IntN(16) {
	case 0, 1, 2:
		what = "book"
		_, _, err = by.app.CreateOrder(ctx, who, slots(at), "")
	case 3, 4:
		what = "goods"
		_, _, err = by.app.CreateOrder(ctx, who, basket("", goods(fmt.Sprintf("g%d", 1+r.IntN(3)), 1)), "")
	case 5, 6:
		what = "cash"
		_, _, err = by.app.DeskOrder(ctx, k.desk, slots(at), app.Caller{Name: "散客"}, "cash", "")
	case 7:
		what = "cancel"
		_, err = by.app.CancelAtDesk(ctx, k.desk, some("orders"), "venue", "test", "")
	case 8:
		what = "move"
		_, err = by.app.MoveReservation(ctx, k.desk, some("reservations"), at, "test", "")
	case 9:
		what = "close"
		_, err = by.app.MakeClosure(ctx, k.owner, app.ClosureRequest{Courts: []string{at.Court}, From: at.Start, To: at.Start + 5400, Reason: "x", CancelBookings: r.IntN(2) == 0}, "")
	case 10:
		what = "lift"
		_, err = by.app.LiftClosure(ctx, k.owner, some("closures"))
	case 11:
		what = "price"
		_, err = by.app.ChangeVenue(ctx, k.owner, "prices", func(v *sqlite.Venue) error {
			v.Prices = domain.PriceRules{{Name: "p", PriceFen: int64(1000 + r.IntN(5)*100)}}
			return nil
		})
	case 12:
		what = "stock"
		_, err = by.app.MoveStock(ctx, k.owner, fmt.Sprintf("g%d", 1+r.IntN(3)), "receipt", 1+r.IntN(3), "", "")
	case 13:
		what = "round"
		_, err = by.rec.RunOnce(ctx)
	case 14:
		what = "sign in" // touches no day
		by.customer(fmt.Sprintf("138%08d", r.IntN(1e8)))
	case 15:
		what = "sale"
		_, err = by.app.ChangeVenue(ctx, k.owner, "policy", func(v *sqlite.Venue) error { v.Policy.SaleEndsBeforeMinutes = r.IntN(4); return nil })
	}
	if _, refused := domain.AsError(err); err != nil && !refused {
		k.t.Errorf("%s: %v", what, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		k.acts[what]++
	}
}

func (k *keeper) sawAll() {
	k.t.Helper()
	for _, what := range []string{"book", "goods", "cash", "cancel", "move", "close", "lift", "price", "stock", "round", "sign in", "sale"} {
		if k.acts[what] == 0 {
			k.t.Errorf("nobody ever did %q: %v", what, k.acts)
		}
	}
}

// TestKeptDaysAreDerivedDays: after every act of either process, and after every step of
// the clock, each day that is kept is what it would be if it were worked out.
func TestKeptDaysAreDerivedDays(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	r := rand.New(rand.NewPCG(11, 5))
	people, both := k.crowd(6), []*club{k.club, k.second()}
	now := noon
	for step := range 400 {
		if step%2 == 0 {
			k.act(r, both[r.IntN(2)], people)
		} else {
			now += []domain.Instant{1, 1, 59, 60, 180, 600, 1800}[r.IntN(7)]
			k.wall.set(now)
		}
		for _, day := range k.days {
			if wrong, _ := k.differs(day); wrong != nil {
				t.Fatalf("step %d: %v", step, wrong)
			}
		}
	}
	k.sawAll()
}

// TestKeptDaysUnderWrites is the same while two processes write and the clock goes on.
func TestKeptDaysUnderWrites(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	people, both := k.crowd(6), []*club{k.club, k.second()}
	var stop atomic.Bool
	var sure, looked atomic.Int64
	var all sync.WaitGroup
	turn := make(chan struct{}, 1) // an act is let in while a comparison is under way
	for i := range 3 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 77))
			for range turn {
				k.act(r, both[i%2], people)
			}
		})
	}
	for i := range 2 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 78))
			for !stop.Load() {
				day := k.days[r.IntN(len(k.days))]
				if wrong, certain := k.differs(day); certain {
					if sure.Add(1); wrong != nil {
						t.Error(wrong)
					}
				}
				looked.Add(1)
			}
		})
	}
	r, now := rand.New(rand.NewPCG(9, 79)), noon
	for n := 0; (n < 600 || sure.Load() < 300) && n < 100_000; n++ {
		turn <- struct{}{}
		if r.IntN(4) == 0 {
			now += domain.Instant(1 + r.IntN(120))
			k.wall.set(now)
		}
	}
	stop.Store(true)
	close(turn)
	all.Wait()
	k.sawAll()
	if sure.Load() < 300 || sure.Load() == looked.Load() {
		t.Errorf("%d of %d comparisons were undisturbed", sure.Load(), looked.Load())
	}
}

// TestAWriteElsewhereLeavesADayAlone: what touches another day, or none, does not make
// a day anew.
func TestAWriteElsewhereLeavesADayAlone(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	other, a := c.second(), c.customer("13800000001")
	day := func(n int) *app.KeptDay {
		t.Helper()
		k, _, err := c.app.Day(ctx, domain.Date{Year: 2026, Month: 12, Day: 10}.AddDays(n))
		must(t, err)
		return k
	}
	first, second := day(0), day(1)
	c.customer("13800000002")
	o, _, err := other.app.CreateOrder(ctx, a, slots(slotOn("2026-12-11", "c1", "19:00")), "")
	must(t, err)
	if day(0) != first {
		t.Error("today was made anew because of tomorrow")
	}
	third := day(1)
	if third == second {
		t.Error("tomorrow was not made anew")
	}
	c.wall.set(noon + 600)
	if day(1) == third { // the hold is over
		t.Error("time did not change tomorrow")
	}
	third = day(1)
	other.round()
	if c.count("SELECT count(*) FROM reservations WHERE order_id = ? AND settled_at IS NOT NULL", o.ID) != 1 || day(1) != third {
		t.Error("writing down what had ended touched the day")
	}
}
