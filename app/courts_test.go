package app_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func (c *club) courtNames() string {
	c.t.Helper()
	_, courts, _, err := c.app.Venue(context.Background())
	must(c.t, err)
	var out []string
	for _, court := range courts {
		name := strings.TrimSuffix(court.Name, "号场")
		if !court.Active {
			name = "(" + name + ")"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestCourtsAreMovedAddedAndTakenOutOfSale(t *testing.T) {
	c := newClub(t)
	ctx := context.Background()
	for _, step := range []struct {
		id    string
		place int
		want  string
	}{
		{"c1", 0, "1 2 3 4 5 6"}, {"c6", 7, "1 2 3 4 5 6"}, {"c3", 2, "1 3 2 4 5 6"}, {"c3", 1, "3 1 2 4 5 6"}, {"c2", 4, "3 1 4 2 5 6"}, {"c3", 99, "1 4 2 5 6 3"},
	} {
		for range 2 { // the form was sent twice
			must(t, c.app.MoveCourt(ctx, c.owner, step.id, step.place))
			if got := c.courtNames(); got != step.want {
				t.Fatalf("%s to %d: %s, want %s", step.id, step.place, got, step.want)
			}
		}
	}
	// Twice with one key is one court; it stands last.
	for range 2 {
		made, err := c.app.AddCourt(ctx, c.owner, " 7号场 ", "key-1")
		must(t, err)
		if made.ID != "c7" || made.Position != 7 || !made.Active {
			t.Errorf("%+v", made)
		}
	}
	_, err := c.app.ChangeCourt(ctx, c.owner, "c7", func(court *sqlite.Court) error {
		court.ID, court.Active = "c1", false // the id stays
		return nil
	})
	must(t, err)
	if got := c.courtNames(); got != "1 4 2 5 6 3 (7)" {
		t.Errorf("%s", got)
	}
	_, err = c.app.ChangeCourt(ctx, c.owner, "c7", func(court *sqlite.Court) error {
		court.Name = " "
		return nil
	})
	wantReason(t, err, "invalid_field")
	wantReason(t, c.app.MoveCourt(ctx, c.owner, "c99", 1), "not_found")
}

func TestMarksTellWhetherAPartHasChanged(t *testing.T) {
	c := newClub(t)
	ctx := context.Background()
	venue, _, _, err := c.app.Venue(ctx)
	must(t, err)
	prices, policy := app.Mark(venue.Prices), app.Mark(venue.Policy)
	_, err = c.app.ChangeVenue(ctx, c.owner, "policy", func(v *sqlite.Venue) error {
		v.Policy.HoldMinutes++
		return app.Unchanged(v.Prices, prices)
	})
	must(t, err)
	_, err = c.app.ChangeVenue(ctx, c.owner, "policy", func(v *sqlite.Venue) error { return app.Unchanged(v.Policy, policy) })
	wantReason(t, err, "changed_meanwhile")
}

func TestUpcomingSlotsAreThoseThatBlock(t *testing.T) {
	c := newClub(t)
	a, b := c.customer("13800000001"), c.customer("13800000002")
	c.payFor(a, c.book(a, slots(slot("c1", "17:30"))))
	c.book(b, slots(slot("c2", "16:00")))
	zone := time.FixedZone("", 8*3600)
	upcoming := func() []string {
		var out []string
		must(t, c.db.Read(context.Background(), func(s *sqlite.Snapshot) error {
			rows, err := s.Upcoming()
			for _, u := range rows {
				out = append(out, u.CourtID+u.StartsAt.In(zone).Format(" 15:04-")+u.EndsAt.In(zone).Format("15:04"))
			}
			return err
		}))
		return out
	}
	if got := upcoming(); !slices.Equal(got, []string{"c2 16:00-17:30", "c1 17:30-19:00"}) {
		t.Errorf("%v", got)
	}
	c.wall.set(noon.Add(domain.DefaultPolicy().HoldFor(true))) // the hold is over this second
	if got := upcoming(); !slices.Equal(got, []string{"c1 17:30-19:00"}) {
		t.Errorf("%v", got)
	}
}

func TestSetUpTakesEverythingInOneGo(t *testing.T) {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "new.db"), Create: true})
	must(t, err)
	defer db.Close()
	a := app.New(app.Config{DB: db})
	hours, policy := domain.DefaultHours(), domain.DefaultPolicy()
	hours.SlotMinutes, policy.HoldMinutes = 60, 15
	set := app.SetUp{Name: "新馆", Zone: "Asia/Shanghai", Address: "新路 1 号", Phone: "021-1", Courts: []string{"甲", " "}, Hours: &hours, Policy: &policy,
		Prices: domain.PriceRules{{Name: "甲场", Courts: []string{"c2"}, PriceFen: 5000}, {Name: "平时", PriceFen: 4000}},
		Owner:  app.NewStaff{Username: "a b", Password: "short"}}
	err = a.SetUpVenue(ctx, set)
	refusal, ok := domain.AsError(err)
	if !ok || len(refusal.Fields) != 3 || !strings.Contains(refusal.Message, "courts[1], username, password") {
		t.Fatalf("%v", err)
	}
	if _, exists, err := app.IsDemo(ctx, db); exists || err != nil {
		t.Fatalf("half a venue was made: %v", err)
	}
	set.Courts[1], set.Owner = "乙", app.NewStaff{Username: "boss", Password: "a-long-password"}
	must(t, a.SetUpVenue(ctx, set))
	wantReason(t, a.SetUpVenue(ctx, set), "already_set_up")
	venue, courts, _, err := a.Venue(ctx)
	must(t, err)
	if venue.Address != "新路 1 号" || venue.Phone != "021-1" || venue.Calendar.Hours.SlotMinutes != 60 || venue.Policy.HoldMinutes != 15 ||
		venue.Prices[0].Courts[0] != "c2" || len(courts) != 2 || courts[1].Name != "乙" {
		t.Errorf("%+v %+v", venue, courts)
	}
	if _, err := a.LogInStaff(ctx, "boss", "a-long-password"); err != nil {
		t.Error(err)
	}
}
