package domain_test

import (
	"testing"

	"courtd/domain"
)

// One evening slot and the promises around it.
const (
	bookedAt  domain.Instant = 10_000
	payBy     domain.Instant = 10_600
	opensDoor domain.Instant = 15_000
	startsAt  domain.Instant = 16_800
	shutsDoor domain.Instant = 17_700 // a quarter of an hour into the slot
	endsAt    domain.Instant = 22_200
)

func promised() domain.Claim {
	return domain.Claim{BookedAt: bookedAt, PayBy: payBy, CheckInFrom: opensDoor, CheckInBy: shutsDoor, StartsAt: startsAt, EndsAt: endsAt}
}

// with is a promised claim to which facts have happened.
func with(facts ...func(*domain.Claim)) domain.Claim {
	c := promised()
	for _, happen := range facts {
		happen(&c)
	}
	return c
}

func paid(at domain.Instant) func(*domain.Claim) { return func(c *domain.Claim) { c.PaidAt = at } }
func checkedIn(at domain.Instant) func(*domain.Claim) {
	return func(c *domain.Claim) { c.CheckedInAt = at }
}
func cancelled(at domain.Instant) func(*domain.Claim) {
	return func(c *domain.Claim) { c.CancelledAt = at }
}
func moved(at domain.Instant) func(*domain.Claim) {
	return func(c *domain.Claim) { c.CancelledAt, c.Moved = at, true }
}
func bornPaid(c *domain.Claim) { c.PayBy, c.PaidAt = 0, c.BookedAt }
func doorUntilEnd(c *domain.Claim) {
	c.CheckInBy = c.EndsAt
}

func TestClaimBeforeAtAndAfterItsRelease(t *testing.T) {
	for name, test := range map[string]struct {
		claim   domain.Claim
		release domain.Instant
		before  domain.State
		ending  domain.State
	}{
		"unpaid":                       {with(), payBy, domain.Held, domain.Lapsed},
		"unpaid, cancelled":            {with(cancelled(10_300)), 10_300, domain.Held, domain.Cancelled},
		"unpaid, moved":                {with(moved(10_300)), 10_300, domain.Held, domain.Moved},
		"paid, door shut early":        {with(paid(10_599)), shutsDoor, domain.Confirmed, domain.NoShow},
		"paid, door open to the end":   {with(paid(10_599), doorUntilEnd), endsAt, domain.Confirmed, domain.NoShow},
		"born paid":                    {with(bornPaid), shutsDoor, domain.Confirmed, domain.NoShow},
		"paid, cancelled":              {with(paid(10_300), cancelled(12_000)), 12_000, domain.Confirmed, domain.Cancelled},
		"paid, moved":                  {with(paid(10_300), moved(12_000)), 12_000, domain.Confirmed, domain.Moved},
		"checked in":                   {with(paid(10_300), checkedIn(16_000)), endsAt, domain.Playing, domain.Completed},
		"checked in at the last call":  {with(paid(10_300), checkedIn(shutsDoor-1)), endsAt, domain.Playing, domain.Completed},
		"checked in, cancelled":        {with(paid(10_300), checkedIn(16_000), cancelled(18_000)), 18_000, domain.Playing, domain.Cancelled},
		"checked in, moved":            {with(paid(10_300), checkedIn(16_000), moved(18_000)), 18_000, domain.Playing, domain.Moved},
		"born paid, checked in":        {with(bornPaid, checkedIn(16_000)), endsAt, domain.Playing, domain.Completed},
		"a basket without an end":      {domain.Claim{BookedAt: bookedAt, PayBy: payBy, CheckInBy: domain.Never, PaidAt: 10_300}, domain.Never, domain.Confirmed, domain.NoShow},
		"a basket handed over":         {domain.Claim{BookedAt: bookedAt, PayBy: payBy, CheckInBy: domain.Never, PaidAt: 10_300, CheckedInAt: 11_000, EndsAt: 11_000}, 11_000, domain.Playing, domain.Completed},
		"cancelled as it was booked":   {with(cancelled(bookedAt)), bookedAt, domain.None, domain.Cancelled},
		"undone after its slot's end":  {with(func(c *domain.Claim) { c.BookedAt = endsAt }, bornPaid, checkedIn(endsAt)), endsAt, domain.None, domain.Completed},
		"undone in the last second":    {with(func(c *domain.Claim) { c.BookedAt = endsAt - 1 }, bornPaid, checkedIn(endsAt-1)), endsAt, domain.Playing, domain.Completed},
		"moved is nothing uncancelled": {with(func(c *domain.Claim) { c.Moved = true }), payBy, domain.Held, domain.Lapsed},
	} {
		c := test.claim
		if got := c.ReleaseAt(); got != test.release {
			t.Errorf("%s: released at %d, want %d", name, got, test.release)
		}
		if got := c.Ending(); got != test.ending {
			t.Errorf("%s: ends %s, want %s", name, got, test.ending)
		}
		for _, at := range []struct {
			instant     domain.Instant
			state       domain.State
			live, ended bool
		}{
			{c.BookedAt - 1, domain.None, false, false},
			{c.BookedAt, test.before, test.before != domain.None, test.before == domain.None},
			{test.release - 1, test.before, test.before != domain.None, false},
			{test.release, test.ending, false, true},
			{test.release + 1, test.ending, false, true},
		} {
			if at.instant == c.BookedAt && test.before == domain.None {
				at.state = test.ending // it never lived
			}
			if got := c.State(at.instant); got != at.state {
				t.Errorf("%s at %d: %q, want %q", name, at.instant, got, at.state)
			}
			if got := c.Live(at.instant); got != at.live {
				t.Errorf("%s at %d: live %v, want %v", name, at.instant, got, at.live)
			}
			if got := c.Ended(at.instant); got != at.ended {
				t.Errorf("%s at %d: ended %v, want %v", name, at.instant, got, at.ended)
			}
		}
	}
}

func TestDoorOpensAndShuts(t *testing.T) {
	c := with(bornPaid)
	for at, want := range map[domain.Instant]bool{
		opensDoor - 1: false, opensDoor: true, opensDoor + 1: true,
		shutsDoor - 1: true, shutsDoor: false, shutsDoor + 1: false,
	} {
		if got := c.DoorOpen(at); got != want {
			t.Errorf("door at %d open %v, want %v", at, got, want)
		}
	}
}

func TestAsOfTakesLaterFactsAway(t *testing.T) {
	full := with(paid(10_300), checkedIn(16_000), moved(18_000))
	for _, test := range []struct {
		at       domain.Instant
		paid     domain.Instant
		in       domain.Instant
		out      domain.Instant
		moved    bool
		wasState domain.State
	}{
		{bookedAt - 1, 0, 0, 0, false, domain.None},
		{10_299, 0, 0, 0, false, domain.Held},
		{10_300, 10_300, 0, 0, false, domain.Confirmed},
		{15_999, 10_300, 0, 0, false, domain.Confirmed},
		{16_000, 10_300, 16_000, 0, false, domain.Playing},
		{17_999, 10_300, 16_000, 0, false, domain.Playing},
		{18_000, 10_300, 16_000, 18_000, true, domain.Moved},
		{endsAt, 10_300, 16_000, 18_000, true, domain.Moved},
	} {
		got := full.AsOf(test.at)
		want := full
		want.PaidAt, want.CheckedInAt, want.CancelledAt, want.Moved = test.paid, test.in, test.out, test.moved
		if got != want {
			t.Errorf("as of %d: %+v, want %+v", test.at, got, want)
		}
		if state := got.State(test.at); state != test.wasState {
			t.Errorf("as of %d it was %q, want %q", test.at, state, test.wasState)
		}
	}
	if fresh := promised(); fresh.AsOf(payBy+1) != fresh {
		t.Error("a claim without facts changed")
	}
}

func TestWhichEndingsGiveGoodsBack(t *testing.T) {
	for state, want := range map[domain.State]bool{
		domain.None: false, domain.Held: false, domain.Confirmed: false, domain.Playing: false, domain.Paid: false,
		domain.Lapsed: true, domain.Cancelled: true, domain.NoShow: true, domain.Moved: false, domain.Completed: false,
	} {
		if got := domain.GivesGoodsBack(state); got != want {
			t.Errorf("%q gives goods back: %v, want %v", state, got, want)
		}
	}
}

func TestInstantInTheDatabase(t *testing.T) {
	for _, test := range []struct {
		src  any
		want domain.Instant
	}{{nil, 0}, {int64(bookedAt), bookedAt}} {
		got := domain.Instant(7)
		if err := got.Scan(test.src); err != nil || got != test.want {
			t.Errorf("scan %v: %d, %v; want %d", test.src, got, err, test.want)
		}
		if back, err := got.Value(); err != nil || back != test.src {
			t.Errorf("value of %d: %v, %v; want %v", got, back, err, test.src)
		}
	}
	var i domain.Instant
	for _, src := range []any{"2026-12-10", []byte("1"), 1.5, true} {
		if err := i.Scan(src); err == nil {
			t.Errorf("scan took %T", src)
		}
	}
	if domain.Min(1, 2) != 1 || domain.Min(2, 1) != 1 || domain.Min(2, 2) != 2 {
		t.Error("Min is not the earlier one")
	}
}
