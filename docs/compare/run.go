package main

import (
	"context"
	"fmt"
	"time"
)

// job is the size of what everybody does.
type job struct {
	Scratch string
	Holds   int           // whose deadlines spread over Spread
	Spread  time.Duration // from the first deadline to the last
	HoldFor time.Duration // from booking to deadline; longer than Spread, so that all are pending at once
	Singles int           // bookings of one client alone
	Clients int
	Killed  int           // holds of the kill -9 run
	Down    time.Duration // from kill -9 to the restart
	Patient time.Duration // how long after the last deadline the reader goes on asking
}

// usual is the job of the table.
var usual = job{Holds: 10_000, Spread: 20 * time.Second, HoldFor: 22 * time.Second, Singles: 1000, Clients: 64,
	Killed: 2000, Down: 3 * time.Second, Patient: time.Minute}

// result is what was measured of one contender.
type result struct {
	c                    contender
	skipped              string  // why there is nothing else
	alone, together      float64 // bookings a second, by one client and by Clients
	beside, itself, file int64   // bytes for each pending hold: broker and worker, shop, database file
	lags                 lags
	spread               time.Duration // that the deadlines really had
	rebooked, refused    int
	killed, persisted    *killing
}

// killing is what a kill -9 has done.
type killing struct {
	holds, lost, again, missing int
	err                         string
}

func (r *result) fail(phase string, err error) {
	r.skipped = fmt.Sprintf("failed (%s): %v", phase, err)
}

// create measures how fast holds are made, and what they take while nothing is due.
func (j job) create(ctx context.Context, r *result) error {
	n := j.Singles + j.Holds
	s, err := setUp(ctx, j.Scratch, r.c, n, time.Now().Add(-time.Second), false)
	if err != nil {
		return err
	}
	defer s.close()
	// What setting up has left in the process is none of a hold's.
	s.shop.kill()
	if err := s.startShop(ctx); err != nil {
		return err
	}
	pause(ctx, time.Second)
	beside, itself := rss(s.helpers()...), rss(s.shop)
	file, err := fileBytes(s.role.Dir)
	if err != nil {
		return err
	}
	one, err := s.shop.ask(ctx, order{Book: &booking{From: 0, To: j.Singles, Clients: 1, HoldFor: longHold}})
	if err != nil {
		return err
	}
	many, err := s.shop.ask(ctx, order{Book: &booking{From: j.Singles, To: n, Clients: j.Clients, HoldFor: longHold}})
	if err != nil {
		return err
	}
	r.alone, r.together = float64(j.Singles)/one.Took.Seconds(), float64(j.Holds)/many.Took.Seconds()
	pause(ctx, time.Second)
	r.beside, r.itself = perHold(beside, rss(s.helpers()...), n), perHold(itself, rss(s.shop), n)
	after, err := fileBytes(s.role.Dir)
	r.file = perHold(file, after, n)
	return err
}

// lag measures how long after its deadline a slot is seen free.
func (j job) lag(ctx context.Context, r *result) error {
	j.HoldFor = j.longEnough(r.together)
	begun := time.Now().Add(time.Second)
	s, err := setUp(ctx, j.Scratch, r.c, j.Holds, j.anchor(begun), false)
	if err != nil {
		return err
	}
	defer s.close()
	made, last, err := j.book(ctx, s, j.Holds)
	if err != nil {
		return err
	}
	r.spread = last.Sub(made[0])
	// A scan comes up to a minute late, and takes its time.
	read, err := s.shop.ask(ctx, order{Read: &readOrder{Holds: j.Holds, Until: last.Add(j.Patient + 15*time.Second), Rebooks: true}})
	if err != nil {
		return err
	}
	r.lags = summarize(read.Reading.Seen)
	r.rebooked, r.refused = read.Reading.Rebooked, read.Reading.Failed
	if r.refused > 0 {
		return fmt.Errorf("%d slots were shown as free and could not be booked: %s", r.refused, read.Reading.Why)
	}
	if r.c.ender == nil {
		return nil
	}
	// The reader looks only shortly before a deadline; the worker says itself what it ended earlier.
	effects, err := s.effects(j.Holds)
	if err != nil {
		return err
	}
	early, earliest := tooEarly(effects, made)
	r.lags.Early, r.lags.Earliest = max(r.lags.Early, early), max(r.lags.Earliest, earliest)
	return nil
}

// longEnough is the hold time with which all holds are made before the first of them is
// over, by whoever makes so many a second: what is usual, or more, in whole seconds.
func (j job) longEnough(perSecond float64) time.Duration {
	takes := time.Duration(float64(j.Holds) / perSecond * 1.5 * float64(time.Second))
	return max(j.HoldFor, (takes + 2*time.Second).Truncate(time.Second))
}

// anchor is when the cron job runs: on average a deadline waits half a minute for it.
func (j job) anchor(begun time.Time) time.Time {
	return begun.Add(j.HoldFor + j.Spread/2 + scanEvery/2)
}

// book makes n holds one after another so that their deadlines spread as they should, and
// sees that none of them has ended when all are made.
func (j job) book(ctx context.Context, s *stage, n int) (made []time.Time, last time.Time, err error) {
	got, err := s.shop.ask(ctx, order{Book: &booking{From: 0, To: n, Clients: j.Clients, HoldFor: j.HoldFor, Every: j.Spread / time.Duration(n)}})
	if err != nil {
		return nil, last, err
	}
	first := got.Deadlines[0]
	for _, d := range got.Deadlines {
		if d.Before(first) {
			first = d
		}
		if d.After(last) {
			last = d
		}
	}
	if !time.Now().Before(first) {
		return nil, last, fmt.Errorf("making %d holds took %v, longer than they last", n, got.Took.Round(time.Millisecond))
	}
	return got.Deadlines, last, nil
}

// kill measures what a kill -9 in the middle of the deadlines does. active is let go of
// when only waiting is left.
func (j job) kill(ctx context.Context, c contender, persistent bool, active func()) (k killing, err error) {
	defer active()
	k.holds = j.Killed
	s, err := setUp(ctx, j.Scratch, c, j.Killed, j.anchor(time.Now().Add(time.Second)), persistent)
	if err != nil {
		return k, err
	}
	defer s.close()
	made, last, err := j.book(ctx, s, j.Killed)
	if err != nil {
		return k, err
	}
	read := order{Read: &readOrder{Holds: j.Killed, Until: last.Add(j.Patient)}}
	inTheMiddle := made[j.Killed/2]
	if c.ender == nil {
		// It is killed in the middle of a round, which writes down what has ended.
		pause(ctx, time.Until(inTheMiddle))
		if err := s.shop.tell(order{Round: true}); err != nil {
			return k, err
		}
		pause(ctx, 100*time.Millisecond)
	} else if err := s.shop.tell(read); err != nil {
		return k, err
	}
	pause(ctx, time.Until(inTheMiddle))
	s.kill9()
	pause(ctx, j.Down)
	if err := s.again(ctx); err != nil {
		return k, fmt.Errorf("start again: %w", err)
	}
	if c.ender == nil {
		if err := s.shop.tell(read); err != nil {
			return k, err
		}
	}
	pause(ctx, time.Until(last))
	active()
	seen, err := s.shop.receive(ctx)
	if err != nil {
		return k, err
	}
	if c.ender == nil {
		if _, err := s.shop.ask(ctx, order{Round: true}); err != nil {
			return k, err
		}
	}
	k.lost = summarize(seen.Reading.Seen).Unseen
	effects, err := s.effects(j.Killed)
	if err != nil {
		return k, err
	}
	var holds []int
	for _, e := range effects {
		holds = append(holds, e.hold)
	}
	k.again, k.missing = doubled(holds), j.Killed-distinct(holds)
	return k, nil
}
