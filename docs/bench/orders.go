package main

import (
	"context"
	"fmt"
)

// The orders of one measurement, and how many clients send them.
const (
	orderClients  = 64
	ordersGrouped = 1200
	ordersAlone   = 300
)

// measureOrders books distinct slots by distinct customers: with commands sharing their
// commits, and with each committing by itself.
func measureOrders(ctx context.Context, b *bench) error {
	const courts, days = 200, 6
	slots := freeSlots(courts, days)
	if need := b.rounds * ordersGrouped; need > len(slots) {
		return fmt.Errorf("%d rounds need %d slots, and there are %d", b.rounds, need, len(slots))
	}
	type side struct {
		name   string
		orders int
		flags  []string
		served *process
		tokens []string
		used   int
		rates  []float64
		times  []float64 // p50 in ms
		path   string
	}
	sides := []*side{{name: "grouped", orders: ordersGrouped}, {name: "alone", orders: ordersAlone, flags: []string{"--commit-alone"}}}
	for _, s := range sides {
		v, err := b.venue(ctx, setting{name: "orders-" + s.name, courts: courts, customers: b.rounds * s.orders})
		if err != nil {
			return err
		}
		s.tokens, s.path = v.tokens, v.path
		if s.served, err = b.demo(ctx, v.path, noon, s.flags...); err != nil {
			return err
		}
		defer s.served.end()
	}
	var ratios []float64
	for range b.rounds {
		for _, s := range sides {
			job := loadJob{Base: s.served.base, Conns: orderClients}
			for range s.orders {
				job.List = append(job.List, loadRequest{Method: "POST", Path: "/api/v1/orders", Token: s.tokens[s.used], Key: fmt.Sprintf("k%d", s.used), Body: slots[s.used].body()})
				s.used++
			}
			r, err := b.load(ctx, job)
			if err == nil {
				err = r.only("201")
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.rates = append(s.rates, r.rate("201"))
			s.times = append(s.times, float64(quantile(r.Times, 0.5).Microseconds())/1000)
		}
		last := len(sides[0].rates) - 1
		ratios = append(ratios, sides[0].rates[last]/sides[1].rates[last])
	}
	for _, s := range sides {
		held, err := count(ctx, s.path, "SELECT count(DISTINCT court_id || starts_at) FROM reservations")
		if err != nil {
			return err
		}
		if held != int64(s.used) {
			return fmt.Errorf("%s: %d orders were acknowledged and %d slots are held", s.name, s.used, held)
		}
	}
	b.atLeast(fmt.Sprintf("durable orders at %d clients ÷ each committed by itself", orderClients), 4, ratios,
		fmt.Sprintf("%.0f ÷ %.0f orders a second (medians; p50 %.1f and %.1f ms), synchronous=FULL on %s, distinct slots and customers; every acknowledged order is in the file",
			median(sides[0].rates), median(sides[1].rates), median(sides[0].times), median(sides[1].times), "the scratch folder's disk"))
	return nil
}
