package settings_test

import (
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// acts counts what the audit has of one act, and the versions of the venue.
func (o owner) acts(action string) (n int) {
	o.t.Helper()
	clubtest.Must(o.t, o.k.App.DB().Read(o.t.Context(), func(s *sqlite.Snapshot) error {
		return s.QueryRow(`SELECT (SELECT count(*) FROM audit WHERE action = ?) + (SELECT sum(version) FROM venue)`, action).Scan(&n)
	}))
	return n
}

// TestAFormOfTheSettingsIsSentTwice: pressed twice, or sent again by a browser that got no
// answer, it says that it is done, and it is done once.
func TestAFormOfTheSettingsIsSentTwice(t *testing.T) {
	for _, form := range []struct {
		page, act, said string
		fill            []string
	}{
		{"/owner/venue", "change venue", "/owner/venue?said=saved", []string{"name", " 新名字 ", "phone", "０21 5555"}},
		{"/owner/policy", "change policy", "/owner/policy?said=saved", []string{"hold_minutes", "12", "ladder.0.hours", "30"}},
		{"/owner/hours", "change hours", "/owner/hours?said=saved", []string{"weekly.1.closed", "on", "x.1.date", "2027-02-06", "x.1.closed", "on", "x.1.note", "春节 "}},
		{"/owner/prices", "change price rules", "/owner/prices?day=2026-12-10&said=saved", []string{"r.1.name", " 早场", "r.1.price", "35.5"}},
	} {
		t.Run(form.page, func(t *testing.T) {
			o := open(t)
			sent := o.fill(form.page, form.fill...)
			before := o.acts(form.act)
			send := func() clubtest.Page { return o.Send(form.page, sent) }
			send().WantRedirect(form.said)
			if got := o.acts(form.act); got != before+2 {
				t.Fatalf("the first time made %d of a row and a version", got-before)
			}
			send().WantRedirect(form.said)
			if got := o.acts(form.act); got != before+2 {
				t.Errorf("the second time made %d more", got-before-2)
			}
			// What another has made of it since is not overwritten by a third.
			o.change("venue", func(v *sqlite.Venue) {
				v.Name, v.Policy.HoldMinutes, v.Prices[0].PriceFen = "又一个", 13, 1
				v.Calendar.Hours.Weekly[2] = domain.DayHours{Closed: true}
			})
			send().Want(409)
		})
	}
}

// A form that comes back because of a wrong field has not seen what somebody else has
// changed meanwhile: sent again, it does not write over that.
func TestAFormThatComesBackHasNotSeenAnothersChange(t *testing.T) {
	for page, row := range map[string]struct {
		field, wrong, right string
		change              func(*sqlite.Venue)
	}{
		"/owner/venue":  {"name", "", "晨光", func(v *sqlite.Venue) { v.Address = "别处 2 号" }},
		"/owner/policy": {"hold_minutes", "ten", "12", func(v *sqlite.Venue) { v.Policy.Strikes = 7 }},
		"/owner/prices": {"r.1.price", "much", "88", func(v *sqlite.Venue) { v.Prices[1].PriceFen = 6100 }},
	} {
		o := open(t)
		form := o.fill(page)
		if !form.Has(row.field) {
			t.Fatalf("the form of %s has no field %s: %v", page, row.field, form)
		}
		form.Set(row.field, row.wrong)
		o.change(strings.TrimPrefix(page, "/owner/"), row.change)
		form = formOf(o.Send(page, form).Want(422), page)
		form.Set(row.field, row.right)
		o.Send(page, form).Want(409).Says("别人改了这里")
	}
}
