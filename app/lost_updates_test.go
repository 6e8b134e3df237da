package app_test

import (
	"sync"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
)

// TestChangesAtTheSameTimeBothSurvive: whoever changes one field of a thing does not
// put back what somebody else is changing in another.
func TestChangesAtTheSameTimeBothSurvive(t *testing.T) {
	c := newClub(t)
	c.coupon("TEN", 10, 0, 0)
	both := func(one, other func() error) {
		t.Helper()
		var group sync.WaitGroup
		errs := make([]error, 2)
		for i, run := range []func() error{one, other} {
			group.Go(func() { errs[i] = run() })
		}
		group.Wait()
		must(t, errs[0])
		must(t, errs[1])
	}
	good := func(change func(*sqlite.Good)) func() error {
		return func() error {
			_, err := c.app.ChangeGood(ctx, c.owner, "g1", func(g *sqlite.Good) error { change(g); return nil })
			return err
		}
	}
	court := func(change func(*sqlite.Court)) func() error {
		return func() error {
			_, err := c.app.ChangeCourt(ctx, c.owner, "c1", func(k *sqlite.Court) error { change(k); return nil })
			return err
		}
	}
	coupon := func(change func(*domain.Coupon)) func() error {
		return func() error {
			_, err := c.app.ChangeCoupon(ctx, c.owner, "ten", func(k *domain.Coupon) error { change(k); return nil })
			return err
		}
	}
	for i := range 20 {
		both(good(func(g *sqlite.Good) { g.PriceFen++ }), good(func(g *sqlite.Good) { g.Position++ }))
		both(court(func(k *sqlite.Court) { k.Position++ }), court(func(k *sqlite.Court) { k.Active = !k.Active }))
		both(coupon(func(k *domain.Coupon) { k.Percent++ }), coupon(func(k *domain.Coupon) { k.MaxUses++ }))
		must(t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
			g, err := s.Good("g1")
			must(t, err)
			courts, err := s.Courts()
			must(t, err)
			k, _, err := s.Coupon("TEN")
			must(t, err)
			want(t, "price", g.PriceFen, int64(3001+i))
			want(t, "position of the good", g.Position, 2+i)
			for _, court := range courts {
				if court.ID == "c1" {
					want(t, "position of the court", court.Position, 2+i)
					want(t, "active", court.Active, i%2 == 1)
				}
			}
			want(t, "percent", k.Percent, 11+i)
			want(t, "uses", k.MaxUses, 1+i)
			return nil
		}))
	}
	want(t, "kept in the audit", c.count("SELECT count(*) FROM audit WHERE action IN ('change good', 'change court', 'change coupon') AND actor = ?", c.owner.ID), 120+3+1)
}

// TestAChangeIsAllOrNothing: a refused change leaves no part of it and no record.
func TestAChangeIsAllOrNothing(t *testing.T) {
	c := newClub(t)
	before := c.count("SELECT count(*) FROM audit")
	_, err := c.app.ChangeGood(ctx, c.owner, "g1", func(g *sqlite.Good) error { g.Name, g.PriceFen = "新", -1; return nil })
	wantReason(t, err, "invalid_field")
	_, err = c.app.ChangeGood(ctx, c.owner, "g1", func(g *sqlite.Good) error { g.Position = 0; return nil })
	wantReason(t, err, "invalid_field")
	_, err = c.app.ChangeCourt(ctx, c.owner, "c1", func(k *sqlite.Court) error { k.Position = domain.MaxPosition + 1; return nil })
	wantReason(t, err, "invalid_field")
	_, err = c.app.ChangeCourt(ctx, c.owner, "c99", func(*sqlite.Court) error { return nil })
	wantReason(t, err, "not_found")
	_, err = c.app.ChangeGood(ctx, c.owner, "g99", func(*sqlite.Good) error { return nil })
	wantReason(t, err, "not_found")
	_, err = c.app.ChangeCoupon(ctx, c.owner, "NONE", func(*domain.Coupon) error { return nil })
	wantReason(t, err, "not_found")
	// What a thing is called by stays its own, and what changes nothing leaves no record.
	g, err := c.app.ChangeGood(ctx, c.owner, "g1", func(g *sqlite.Good) error { g.ID = "g2"; return nil })
	must(t, err)
	want(t, "id", g.ID, "g1")
	want(t, "name", g.Name, "羽毛球 一筒")
	want(t, "records", c.count("SELECT count(*) FROM audit"), before)
	_, err = c.app.ChangeGood(ctx, c.owner, "g1", func(g *sqlite.Good) error { g.PriceFen++; return nil })
	must(t, err)
	want(t, "records", c.count("SELECT count(*) FROM audit"), before+1)
}

// TestAFormSentTwiceAddsOneThing: the same key and body is the same good or court.
func TestAFormSentTwiceAddsOneThing(t *testing.T) {
	c := newClub(t)
	one, err := c.app.AddGood(ctx, c.owner, sqlite.Good{Name: "毛巾", PriceFen: 1000, Active: true}, "k")
	must(t, err)
	again, err := c.app.AddGood(ctx, c.owner, sqlite.Good{Name: "毛巾", PriceFen: 1000, Active: true}, "k")
	must(t, err)
	want(t, "good", again.ID, one.ID)
	want(t, "position", one.Position, 4)
	_, err = c.app.AddGood(ctx, c.owner, sqlite.Good{Name: "毛巾", PriceFen: 1001, Active: true}, "k")
	wantReason(t, err, "key_reused")
	first, err := c.app.PlaceCourt(ctx, c.owner, sqlite.Court{Name: "7号场", Position: 3}, "k2")
	must(t, err)
	second, err := c.app.PlaceCourt(ctx, c.owner, sqlite.Court{Name: "7号场", Position: 3}, "k2")
	must(t, err)
	want(t, "court", second, first)
	want(t, "as it was asked for", first, sqlite.Court{ID: "c7", Name: "7号场", Position: 3})
	want(t, "goods", c.count("SELECT count(*) FROM goods"), 4)
	want(t, "courts", c.count("SELECT count(*) FROM courts"), 7)
}
