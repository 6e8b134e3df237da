package app

import (
	"context"
	"fmt"
	"time"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// SetUp makes a venue in an empty database: its name and zone, its courts, and
// its first owner. A venue that exists is refused.
type SetUp struct {
	Name, Zone string
	Courts     []string // names, in order; ids are c1, c2, …
	Owner      NewStaff
}

// NewStaff is somebody who is about to work here.
type NewStaff struct {
	Username, Name, Password, Role string
}

// Check refuses a SetUp that could not be carried out, naming the field.
func (set SetUp) Check() error {
	_, _, err := set.parse()
	return err
}

func (set SetUp) parse() (sqlite.Venue, sqlite.Staff, error) {
	name, err := domain.ParseName("name", set.Name)
	if err != nil {
		return sqlite.Venue{}, sqlite.Staff{}, err
	}
	zone, err := time.LoadLocation(set.Zone)
	if err != nil || set.Zone == "" || set.Zone == "Local" {
		return sqlite.Venue{}, sqlite.Staff{}, domain.BadField("zone", "must be a time zone such as Asia/Shanghai")
	}
	if len(set.Courts) == 0 || len(set.Courts) > domain.MaxCourts {
		return sqlite.Venue{}, sqlite.Staff{}, domain.BadField("courts", "must be from 1 to %d", domain.MaxCourts)
	}
	for i, court := range set.Courts {
		if set.Courts[i], err = domain.ParseName(fmt.Sprintf("courts[%d]", i), court); err != nil {
			return sqlite.Venue{}, sqlite.Staff{}, err
		}
	}
	owner, err := set.Owner.parse(string(RoleOwner))
	return sqlite.Venue{Name: name, Zone: set.Zone, Currency: "CNY", Policy: domain.DefaultPolicy(),
		Calendar: domain.Calendar{Zone: zone, Hours: domain.DefaultHours()},
		Prices:   domain.PriceRules{{Name: "标准价", PriceFen: 6000}}}, owner, err
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
		if err := tx.PutVenue(venue); err != nil {
			return err
		}
		for i, court := range set.Courts {
			if err := tx.PutCourt(sqlite.Court{ID: fmt.Sprintf("c%d", i+1), Name: court, Position: i + 1, Active: true}); err != nil {
				return err
			}
		}
		return tx.PutStaff(owner)
	})
}

func (n NewStaff) parse(role string) (sqlite.Staff, error) {
	username, err := domain.ParseKey("username", n.Username)
	if err != nil {
		return sqlite.Staff{}, err
	}
	name, err := domain.ParseName("name", orElse(n.Name, n.Username))
	if err != nil {
		return sqlite.Staff{}, err
	}
	if err := checkPassword(n.Password); err != nil {
		return sqlite.Staff{}, err
	}
	if role != string(RoleDesk) && role != string(RoleOwner) {
		return sqlite.Staff{}, domain.BadField("role", `must be "desk" or "owner"`)
	}
	return sqlite.Staff{ID: secret.NewID(), Username: username, Name: name, Role: role, Active: true,
		PasswordHash: secret.HashPassword(n.Password)}, nil
}

func checkPassword(password string) error {
	if n := len([]rune(password)); n < 10 || n > 200 {
		return domain.BadField("password", "must have from 10 to 200 characters")
	}
	return nil
}

// ChangeVenue changes the set-up by a function that gets a copy of it, checks the
// whole, and keeps a record. Promises already made do not move.
func (a *App) ChangeVenue(ctx context.Context, actor Actor, what string, change func(*sqlite.Venue) error) (sqlite.Venue, error) {
	var out sqlite.Venue
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		if err := change(&venue); err != nil {
			return err
		}
		courts, err := tx.Courts()
		if err != nil {
			return err
		}
		var ids []string
		for _, c := range courts {
			ids = append(ids, c.ID)
		}
		for _, check := range []error{venue.Policy.Validate(), venue.Calendar.Hours.Validate(), venue.Prices.Validate(ids)} {
			if check != nil {
				return check
			}
		}
		if err := tx.PutVenue(venue); err != nil {
			return err
		}
		out = venue
		return tx.Audit(actor.audit("change "+what, "venue", "", nil))
	})
	return out, err
}

// Venue gives the set-up, the courts and the instant of asking.
func (a *App) Venue(ctx context.Context) (venue sqlite.Venue, courts []sqlite.Court, now domain.Instant, err error) {
	err = a.read(ctx, func(s *sqlite.Snapshot, v sqlite.Venue) (err error) {
		venue, now = v, s.Now
		courts, err = s.Courts()
		return err
	})
	return venue, courts, now, err
}

// PutCourt adds a court (empty id) or changes one.
func (a *App) PutCourt(ctx context.Context, actor Actor, c sqlite.Court) (sqlite.Court, error) {
	name, err := domain.ParseName("name", c.Name)
	if err != nil {
		return c, err
	}
	c.Name = name
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		courts, err := tx.Courts()
		if err != nil {
			return err
		}
		known := false
		for _, k := range courts {
			known = known || k.ID == c.ID
		}
		switch {
		case c.ID != "" && !known:
			return domain.Refuse(domain.NotFound, "not_found", "no such court")
		case c.ID == "" && len(courts) >= domain.MaxCourts:
			return domain.BadField("name", "a venue has at most %d courts", domain.MaxCourts)
		case c.ID == "":
			c.ID = fmt.Sprintf("c%d", len(courts)+1)
			if c.Position == 0 {
				c.Position = len(courts) + 1
			}
		}
		if err := tx.PutCourt(c); err != nil {
			return err
		}
		return tx.Audit(actor.audit("change court", c.ID, "", map[string]any{"name": c.Name, "active": c.Active}))
	})
	return c, err
}

// PutGood adds a good (empty id) or changes one. Orders keep the price they were made at.
func (a *App) PutGood(ctx context.Context, actor Actor, g sqlite.Good) (sqlite.Good, error) {
	name, err := domain.ParseName("name", g.Name)
	if err != nil {
		return g, err
	}
	g.Name = name
	if g.PriceFen < 0 || g.PriceFen > domain.MaxPriceFen {
		return g, domain.BadField("price", "must be from 0 to %d fen", domain.MaxPriceFen)
	}
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		goods, err := tx.Goods()
		if err != nil {
			return err
		}
		if g.ID == "" {
			g.ID = fmt.Sprintf("g%d", len(goods)+1)
			if g.Position == 0 {
				g.Position = len(goods) + 1
			}
		} else if _, err := tx.Good(g.ID); err != nil {
			return err
		}
		if err := tx.PutGood(g); err != nil {
			return err
		}
		if g, err = tx.Good(g.ID); err != nil {
			return err
		}
		return tx.Audit(actor.audit("change good", g.ID, "", map[string]any{"name": g.Name, "price": g.PriceFen, "active": g.Active}))
	})
	return g, err
}

// MoveStock books a receipt (more on the shelf) or an adjustment (a count that
// came out different) with a note.
func (a *App) MoveStock(ctx context.Context, actor Actor, goodID, kind string, qty int, note string, key Key) (sqlite.Good, error) {
	note, err := domain.ParseNote("note", note)
	if err != nil {
		return sqlite.Good{}, err
	}
	const most = 1_000_000
	if qty == 0 || qty > most || qty < -most || (kind == "receipt" && qty < 0) {
		return sqlite.Good{}, domain.BadField("qty", "must be a positive number of pieces, at most %d", most)
	}
	if kind == "adjust" && note == "" {
		return sqlite.Good{}, domain.BadField("note", "is required for an adjustment")
	}
	var out sqlite.Good
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		if _, err := tx.Good(goodID); err != nil {
			return err
		}
		_, _, err := once(tx, actor, key, "stock", []any{goodID, kind, qty, note}, func() (string, error) {
			if _, err := tx.MoveStock(sqlite.StockMove{GoodID: goodID, Kind: kind, Qty: qty, StaffID: actor.ID, Note: note}); err != nil {
				return "", err
			}
			return goodID, tx.Audit(actor.audit("stock "+kind, goodID, note, map[string]any{"qty": qty}))
		})
		if err != nil {
			return err
		}
		out, err = tx.Good(goodID)
		return err
	})
	return out, err
}

// PutCoupon adds a coupon or, when it exists and replace is set, changes it.
func (a *App) PutCoupon(ctx context.Context, actor Actor, c domain.Coupon, replace bool) (domain.Coupon, error) {
	code, err := domain.ParseCouponCode("code", c.Code)
	if err != nil {
		return c, err
	}
	c.Code = code
	if err := c.Validate(); err != nil {
		return c, err
	}
	return c, a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		_, exists, err := tx.Coupon(c.Code)
		switch {
		case err != nil:
			return err
		case exists && !replace:
			return domain.Refuse(domain.Conflict, "code_exists", "there is a coupon with this code")
		case !exists && replace:
			return domain.Refuse(domain.NotFound, "not_found", "no such coupon")
		}
		if err := tx.PutCoupon(c); err != nil {
			return err
		}
		return tx.Audit(actor.audit("change coupon", c.Code, "", map[string]any{"active": c.Active}))
	})
}

// AddStaff lets somebody work here.
func (a *App) AddStaff(ctx context.Context, actor Actor, n NewStaff) (StaffView, error) {
	m, err := n.parse(n.Role)
	if err != nil {
		return StaffView{}, err
	}
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		if _, exists, err := tx.StaffByUsername(m.Username); err != nil || exists {
			if err == nil {
				err = domain.Refuse(domain.Conflict, "username_exists", "somebody has this user name")
			}
			return err
		}
		if err := tx.PutStaff(m); err != nil {
			return err
		}
		return tx.Audit(actor.audit("add staff", m.ID, "", map[string]any{"username": m.Username, "role": m.Role}))
	})
	return viewStaff(m), err
}

// StaffChange is what changes about a staff member; empty fields stay.
type StaffChange struct {
	Name, Role, Password string
	Active               *bool
}

// ChangeStaff changes a staff member and signs them out everywhere. The last
// active owner can be neither dismissed nor demoted.
func (a *App) ChangeStaff(ctx context.Context, actor Actor, id string, c StaffChange) (StaffView, error) {
	var newHash string
	if c.Password != "" {
		if err := checkPassword(c.Password); err != nil {
			return StaffView{}, err
		}
		newHash = secret.HashPassword(c.Password)
	}
	var view StaffView
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		m, err := tx.StaffMember(id)
		if err != nil {
			return err
		}
		if c.Name != "" {
			if m.Name, err = domain.ParseName("name", c.Name); err != nil {
				return err
			}
		}
		if c.Role != "" {
			m.Role = c.Role
		}
		if m.Role != string(RoleDesk) && m.Role != string(RoleOwner) {
			return domain.BadField("role", `must be "desk" or "owner"`)
		}
		if c.Active != nil {
			m.Active = *c.Active
		}
		m.PasswordHash = orElse(newHash, m.PasswordHash)
		if err := tx.PutStaff(m); err != nil {
			return err
		}
		if err := anOwnerIsLeft(&tx.Snapshot); err != nil {
			return err
		}
		if err := tx.RevokeStaffSessions(id); err != nil {
			return err
		}
		view = viewStaff(m)
		return tx.Audit(actor.audit("change staff", id, "", map[string]any{"role": m.Role, "active": m.Active, "password": newHash != ""}))
	})
	return view, err
}

func anOwnerIsLeft(s *sqlite.Snapshot) error {
	all, err := s.AllStaff()
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.Role == string(RoleOwner) && m.Active {
			return nil
		}
	}
	return domain.Refuse(domain.Conflict, "last_owner", "somebody must remain who is the owner")
}
