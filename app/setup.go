package app

import (
	"context"
	"fmt"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// SetUp makes a venue in an empty database with its first owner. A venue that exists
// is refused. What is left out is as most venues have it.
type SetUp struct {
	Name, Zone     string
	Address, Phone string
	Courts         []string // names, in order; ids are c1, c2, …
	Hours          *domain.Hours
	Prices         domain.PriceRules
	Policy         *domain.Policy
	Owner          NewStaff
}

// Check refuses a SetUp that could not be carried out, naming every bad field.
func (set SetUp) Check() error {
	_, _, err := set.parse()
	return err
}

func (set SetUp) parse() (sqlite.Venue, sqlite.Staff, error) {
	venue := sqlite.Venue{Zone: set.Zone, Currency: "CNY", Policy: domain.DefaultPolicy(), Prices: set.Prices}
	venue.Calendar.Hours = domain.DefaultHours()
	if set.Hours != nil {
		venue.Calendar.Hours = *set.Hours
	}
	if set.Policy != nil {
		venue.Policy = *set.Policy
	}
	if set.Prices == nil {
		venue.Prices = domain.PriceRules{{Name: "标准价", PriceFen: 6000}}
	}
	var bad []error
	keep := func(err error) { bad = append(bad, err) }
	var err error
	venue.Name, err = domain.ParseName("name", set.Name)
	keep(err)
	venue.Address, err = domain.ParseNote("address", set.Address)
	keep(err)
	venue.Phone, err = ParseShownPhone("phone", set.Phone)
	keep(err)
	if venue.Calendar.Zone, err = time.LoadLocation(set.Zone); err != nil || set.Zone == "" || set.Zone == "Local" {
		keep(domain.BadField("zone", "must be a time zone such as Asia/Shanghai"))
	}
	ids, err := set.parseCourts()
	keep(err)
	keep(venue.Policy.Validate())
	keep(venue.Calendar.Hours.Validate())
	keep(venue.Prices.Validate(ids))
	owner, err := set.Owner.parse(string(RoleOwner))
	keep(err)
	return venue, owner, domain.Together(bad...)
}

// parseCourts reads the courts' names in place and gives their ids.
func (set SetUp) parseCourts() (ids []string, err error) {
	if len(set.Courts) == 0 || len(set.Courts) > domain.MaxCourts {
		return nil, domain.BadField("courts", "must be from 1 to %d", domain.MaxCourts)
	}
	var bad []error
	for i, court := range set.Courts {
		name, err := domain.ParseName(fmt.Sprintf("courts[%d]", i), court)
		set.Courts[i], bad = name, append(bad, err)
		ids = append(ids, courtID(i))
	}
	return ids, domain.Together(bad...)
}

func courtID(i int) string { return fmt.Sprintf("c%d", i+1) }

// ParseShownPhone reads a number that people are shown, with blanks and hyphens as
// the owner writes it, or nothing.
func ParseShownPhone(field, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	return domain.ParseName(field, text)
}

// SetUpVenue carries out a SetUp.
func (a *App) SetUpVenue(ctx context.Context, set SetUp) error {
	venue, owner, err := set.parse()
	if err != nil {
		return err
	}
	return a.db.Write(ctx, func(tx *sqlite.Tx) error {
		if _, exists, err := tx.Venue(); err != nil || exists {
			if err == nil {
				err = domain.Refuse(domain.Conflict, "already_set_up", "this database holds a venue already")
			}
			return err
		}
		venue.Messages.SetUp = a.servedChannels()
		if err := tx.PutVenue(venue); err != nil {
			return err
		}
		for i, court := range set.Courts {
			if err := tx.PutCourt(sqlite.Court{ID: courtID(i), Name: court, Position: i + 1, Active: true}); err != nil {
				return err
			}
		}
		return tx.PutStaff(owner)
	})
}
