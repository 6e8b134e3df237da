package app

import (
	"context"
	"sync"
)

// passes are the channels that passes of this program are at.
type passes struct {
	mu    sync.Mutex
	under map[string]*pass
}

type pass struct {
	again bool          // somebody else came meanwhile
	over  chan struct{} // closed at its end
	err   error         // what it ended with
}

// over runs a pass over a channel, again if somebody asked for one meanwhile. While one
// is under way it asks for that; it waits for the end, and what it came to, only if it
// is told to. A panic of run is run's own to catch.
func (p *passes) over(ctx context.Context, channel string, wait bool, run func() error) error {
	p.mu.Lock()
	if other := p.under[channel]; other != nil {
		other.again = true
		p.mu.Unlock()
		if !wait {
			return nil
		}
		select {
		case <-other.over:
			return other.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if p.under == nil {
		p.under = map[string]*pass{}
	}
	mine := &pass{over: make(chan struct{})}
	p.under[channel] = mine
	p.mu.Unlock()
	for {
		err := run()
		p.mu.Lock()
		if mine.again && err == nil {
			mine.again = false
			p.mu.Unlock()
			continue
		}
		delete(p.under, channel)
		mine.err = err
		close(mine.over)
		p.mu.Unlock()
		return err
	}
}
