package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// The harness starts this program again for the shop and for the worker, so that each is
// a process that can be measured and killed. A role ends when its standard input does.

// role says what a process is to be.
type role struct {
	Name      string // shop or worker
	Contender string
	Dir, Addr string // scratch folder, and where the broker listens
	Holds     int    // slots that there are
	Today     time.Time
	Anchor    time.Time // an instant at which the cron job runs
}

// order is one thing that the shop is asked to do; exactly one part is set.
type order struct {
	Book  *booking
	Read  *readOrder
	Free  *[2]int // which slots from..to-1 are free
	Round bool
}

type readOrder struct {
	Holds   int
	Until   time.Time
	Rebooks bool
}

// reply is what came of an order.
type reply struct {
	Err       string
	Deadlines []time.Time
	Took      time.Duration
	Reading   reading
	Free      []int
}

// run is the life of a process with this role.
func (r role) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.Name == "worker" {
		go func() { // nobody talks to a worker; when the harness has gone, so does it
			io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
		return r.work(ctx)
	}
	return r.serve(ctx)
}

func (r role) work(ctx context.Context) error {
	c, err := contenderNamed(r.Contender)
	if err != nil {
		return err
	}
	s, err := openStore(r.Dir)
	if err != nil {
		return err
	}
	defer s.close()
	e, err := c.ender(r)
	if err != nil {
		return err
	}
	defer e.close()
	err = e.work(ctx, s, func() { json.NewEncoder(os.Stdout).Encode(reply{}) })
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (r role) newShop(ctx context.Context) (shop, error) {
	c, err := contenderNamed(r.Contender)
	if err != nil {
		return nil, err
	}
	if c.ender == nil {
		return openClub(ctx, r.Dir, r.Holds, r.Today)
	}
	s, err := openStore(r.Dir)
	if err != nil {
		return nil, err
	}
	e, err := c.ender(r)
	return statusShop{store: s, ender: e}, err
}

func (r role) serve(ctx context.Context) error {
	s, err := r.newShop(ctx)
	out := json.NewEncoder(os.Stdout)
	if err != nil {
		return out.Encode(reply{Err: err.Error()})
	}
	defer s.close()
	if _, err := s.free(ctx, 0, 1); err != nil { // so that what is kept after a first question is there
		return out.Encode(reply{Err: err.Error()})
	}
	if err := out.Encode(reply{}); err != nil {
		return err
	}
	in := json.NewDecoder(os.Stdin)
	for {
		var o order
		if err := in.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		answer, err := carryOut(ctx, s, o)
		if err != nil {
			answer.Err = err.Error()
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
}

func carryOut(ctx context.Context, s shop, o order) (r reply, err error) {
	switch {
	case o.Book != nil:
		r.Deadlines, r.Took, err = bookAll(ctx, s, *o.Book)
	case o.Read != nil:
		rd := reader{shop: s, rebooks: o.Read.Rebooks}
		if rd.deadline, err = s.deadlines(ctx, o.Read.Holds); err == nil {
			r.Reading, err = rd.read(ctx, o.Read.Until)
		}
	case o.Free != nil:
		r.Free, err = s.free(ctx, o.Free[0], o.Free[1])
	case o.Round:
		begun := time.Now()
		err = s.round(ctx)
		r.Took = time.Since(begun)
	default:
		err = fmt.Errorf("nothing was ordered")
	}
	return r, err
}
