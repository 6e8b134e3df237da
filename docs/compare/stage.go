package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"
)

// stage is one contender set up in a folder of its own: broker, shop and worker.
type stage struct {
	c          contender
	role       role
	persistent bool
	brokers    []*process
	shop       *process
	worker     *process // nil where there is none
}

// setUp starts everything that a contender needs for n holds.
func setUp(ctx context.Context, scratch string, c contender, n int, anchor time.Time, persistent bool) (*stage, error) {
	dir, err := os.MkdirTemp(scratch, "run-")
	if err != nil {
		return nil, err
	}
	s := &stage{c: c, persistent: persistent, role: role{Contender: c.name, Dir: dir, Holds: n, Today: time.Now(), Anchor: anchor}}
	for _, step := range []func(context.Context) error{s.startBroker, s.startShop, s.startWorker} {
		if err := step(ctx); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *stage) startBroker(ctx context.Context) (err error) {
	if s.c.broker == nil {
		return nil
	}
	if s.role.Addr == "" {
		if s.role.Addr, err = freeAddr(); err != nil {
			return err
		}
	}
	if s.brokers, err = s.c.broker.start(s.c.broker.program(), s.role.Dir, s.role.Addr, s.persistent); err != nil {
		return err
	}
	return waitFor(ctx, s.c.broker.name, time.Minute, func() error { return s.c.broker.ready(ctx, s.role.Addr) })
}

func (s *stage) startShop(ctx context.Context) (err error) {
	s.role.Name = "shop"
	if s.shop, err = startRole(s.role); err != nil {
		return err
	}
	_, err = s.shop.receive(ctx)
	return err
}

func (s *stage) startWorker(ctx context.Context) (err error) {
	if s.c.ender == nil {
		return nil
	}
	s.role.Name = "worker"
	if s.worker, err = startRole(s.role); err != nil {
		return err
	}
	_, err = s.worker.receive(ctx)
	return err
}

// kill9 kills what ends the holds: broker and worker, or courtd itself, which has neither.
func (s *stage) kill9() {
	if s.c.ender == nil {
		s.shop.kill()
		return
	}
	s.worker.kill()
	for _, p := range s.brokers {
		p.kill()
	}
}

// again starts what kill9 has killed.
func (s *stage) again(ctx context.Context) error {
	if s.c.ender == nil {
		return s.startShop(ctx)
	}
	if err := s.startBroker(ctx); err != nil {
		return err
	}
	return s.startWorker(ctx)
}

// helpers are the processes beside the shop.
func (s *stage) helpers() []*process { return append([]*process{s.worker}, s.brokers...) }

func (s *stage) close() {
	for _, p := range append([]*process{s.shop}, s.helpers()...) {
		if p != nil {
			p.kill()
		}
	}
	os.RemoveAll(s.role.Dir)
}

// effect is that a hold's end was carried out.
type effect struct {
	hold int
	at   time.Time
}

// effects gives all that were carried out for the first n holds. Of an order that has
// lapsed courtd writes one notice when the lapse is settled; that is its effect.
func (s *stage) effects(n int) ([]effect, error) {
	query := "SELECT hold, at FROM effects WHERE hold < ?"
	if s.c.ender == nil {
		query = `SELECT o.rowid, n.created_at * 1000 FROM notices n JOIN orders o ON o.id = n.order_id WHERE n.kind = 'lapsed' AND ? > 0`
	}
	db, err := sql.Open("sqlite3", storeDSN(s.role.Dir, "deferred"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.Query(query, n)
	if err != nil {
		return nil, fmt.Errorf("read effects: %w", err)
	}
	defer rows.Close()
	var out []effect
	for rows.Next() {
		var e effect
		var ms int64
		if err := rows.Scan(&e.hold, &ms); err != nil {
			return nil, err
		}
		e.at = time.UnixMilli(ms)
		out = append(out, e)
	}
	return out, rows.Err()
}
