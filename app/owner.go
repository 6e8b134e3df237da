package app

import (
	"context"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// NewStaff is somebody who is about to work here.
type NewStaff struct {
	Username, Name, Password, Role string
}

func (n NewStaff) parse(role string) (sqlite.Staff, error) {
	username, badUsername := domain.ParseKey("username", n.Username)
	name, badName := domain.ParseName("name", orElse(n.Name, n.Username))
	if n.Name == "" {
		badName = renamed(badName, "username") // where the name comes from
	}
	if badUsername != nil && n.Name == "" {
		badName = nil
	}
	var badRole error
	if role != string(RoleDesk) && role != string(RoleOwner) {
		badRole = domain.BadField("role", `must be "desk" or "owner"`)
	}
	if err := domain.Together(badUsername, badName, checkPassword(n.Password), badRole); err != nil {
		return sqlite.Staff{}, err
	}
	return sqlite.Staff{ID: secret.NewID(), Username: username, Name: name, Role: role, Active: true,
		PasswordHash: secret.HashPassword(n.Password)}, nil
}

// renamed says of another field what a refusal of one field says.
func renamed(err error, field string) error {
	refusal, ok := domain.AsError(err)
	if !ok || len(refusal.Fields) != 1 {
		return err
	}
	return domain.BadField(field, "%s", refusal.Fields[0].Message)
}

func checkPassword(password string) error {
	if n := len([]rune(password)); n < domain.MinPasswordChars || n > domain.MaxPasswordChars {
		return domain.BadField("password", "must have from %d to %d characters", domain.MinPasswordChars, domain.MaxPasswordChars)
	}
	return nil
}

// ChangeVenue changes the set-up by a function that gets a copy of it, checks the
// whole, and keeps a record. Promises already made do not move. A change that leaves
// everything as it is is done already.
func (a *App) ChangeVenue(ctx context.Context, actor Actor, what string, change func(*sqlite.Venue) error) (sqlite.Venue, error) {
	var out sqlite.Venue
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		before, settings := Mark(venue), settingsOf(venue) // now: what it holds may be changed in place
		if err := change(&venue); err != nil {
			return err
		}
		if out = venue; Mark(venue) == before {
			return nil
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
		return tx.Audit(actor.audit("change "+what, "venue", "", settingsOf(venue).since(settings)))
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

// NewPassword is a password nobody can guess, for somebody who shall not have to think
// of one.
func NewPassword() string { return secret.NewPassword() }

// AddStaff lets somebody work here. The same key is one person; the password has no
// part in that, because what stands for a request is kept.
func (a *App) AddStaff(ctx context.Context, actor Actor, n NewStaff, key Key) (StaffView, error) {
	m, err := n.parse(n.Role)
	if err != nil {
		return StaffView{}, err
	}
	var out StaffView
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		id, _, err := once(tx, actor, key, "add staff", []string{m.Username, m.Name, m.Role}, func() (string, error) {
			if _, exists, err := tx.StaffByUsername(m.Username); err != nil || exists {
				if err == nil {
					err = domain.Refuse(domain.Conflict, "username_exists", "somebody has this user name")
				}
				return "", err
			}
			if err := tx.PutStaff(m); err != nil {
				return "", err
			}
			return m.ID, tx.Audit(actor.audit("add staff", m.ID, "", map[string]any{"username": m.Username, "role": m.Role}))
		})
		if err != nil {
			return err
		}
		member, err := tx.StaffMember(id)
		out = viewStaff(member)
		return err
	})
	return out, err
}

// StaffChange is what changes about a staff member; empty fields stay.
type StaffChange struct {
	Name, Role, Password string
	Active               *bool
}

// ChangeStaff changes a staff member and signs them out everywhere; with a password
// changed or somebody dismissed, the browsers that were known are strangers again. The last
// active owner can be neither dismissed nor demoted. What is so already is answered as
// done: a form that is sent twice is one change.
func (a *App) ChangeStaff(ctx context.Context, actor Actor, id string, c StaffChange) (StaffView, error) {
	newHash, err := a.newPassword(ctx, id, c.Password)
	if err != nil {
		return StaffView{}, err
	}
	var view StaffView
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		m, err := tx.StaffMember(id)
		if err != nil {
			return err
		}
		before := Mark(m)
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
		setsPassword := newHash != "" && newHash != m.PasswordHash
		if setsPassword {
			m.PasswordHash = newHash
		}
		if view = viewStaff(m); Mark(m) == before {
			return nil
		}
		if err := tx.PutStaff(m); err != nil {
			return err
		}
		if err := anOwnerIsLeft(&tx.Snapshot); err != nil {
			return err
		}
		if err := tx.RevokeStaffSessions(id); err != nil {
			return err
		}
		if setsPassword || !m.Active {
			if err := tx.ForgetStaffBrowsers(id); err != nil {
				return err
			}
		}
		return tx.Audit(actor.audit("change staff", id, "", map[string]any{"role": m.Role, "active": m.Active, "password": setsPassword}))
	})
	return view, err
}

// newPassword gives the hash that a password is kept as from now on: the one it has, if
// it is the password already, else a new one. Hashing takes longer than a transaction may.
func (a *App) newPassword(ctx context.Context, staffID, password string) (string, error) {
	if password == "" {
		return "", nil
	}
	if err := checkPassword(password); err != nil {
		return "", err
	}
	var oldHash string
	err := a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		m, err := s.StaffMember(staffID)
		oldHash = m.PasswordHash
		return err
	})
	if err != nil {
		return "", err
	}
	// A hash that is damaged belongs to no password, and is mended by a new one.
	if same, err := secret.CheckPassword(oldHash, password); err == nil && same {
		return oldHash, nil
	}
	return secret.HashPassword(password), nil
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
