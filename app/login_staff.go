package app

import (
	"context"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// LogInStaff signs a staff member in by password.
func (a *App) LogInStaff(ctx context.Context, username, password string) (SignedIn, error) {
	return a.logInStaff(ctx, username, password, func(*sqlite.Tx, string) error { return nil })
}

// LogInStaffAt is LogInStaff in a browser that is known from now on: it gives the token
// that the browser is to keep, which is the one that it has brought if that is known
// for the same staff member.
func (a *App) LogInStaffAt(ctx context.Context, username, password, browser string) (in SignedIn, kept string, err error) {
	newToken, newHash := secret.NewToken()
	in, err = a.logInStaff(ctx, username, password, func(tx *sqlite.Tx, staffID string) error {
		oldHash, expires := secret.HashToken(browser), tx.Now.Add(domain.KnownBrowserLife)
		kept = browser
		if renewed, err := tx.RenewBrowser(oldHash, staffID, expires); err != nil || renewed {
			return err
		}
		// For somebody whom it does not know yet it gets a token that nobody has seen, also
		// for those who are known there already: several may share a browser at the desk.
		kept = newToken
		if err := tx.MoveBrowser(oldHash, newHash); err != nil {
			return err
		}
		return tx.InsertBrowser(newHash, staffID, expires, domain.MaxKnownBrowsers)
	})
	if err != nil {
		return SignedIn{}, "", err
	}
	return in, kept, nil
}

// KnowsBrowser says whether a browser's token is known for a user name: whether somebody
// has signed in there with it before, may still do so, and has the same password. It
// proves nothing else; the password is asked for all the same.
func (a *App) KnowsBrowser(ctx context.Context, username, browser string) (known bool, err error) {
	if browser == "" || len(browser) > 128 {
		return false, nil
	}
	err = a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		known, err = s.KnowsBrowser(secret.HashToken(browser), username)
		return err
	})
	return known, err
}

func (a *App) logInStaff(ctx context.Context, username, password string, also func(tx *sqlite.Tx, staffID string) error) (SignedIn, error) {
	wrong := domain.Refuse(domain.Unauthenticated, "credentials_invalid", "user name or password is wrong")
	var member sqlite.Staff
	var found bool
	err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
		member, found, err = s.StaffByUsername(username)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	if !found || !member.Active {
		secret.CheckNobody(password) // takes as long as a wrong password
		return SignedIn{}, wrong
	}
	ok, err := secret.CheckPassword(member.PasswordHash, password)
	if err != nil {
		return SignedIn{}, err
	}
	if !ok {
		a.log.Warn("wrong password", "username", username)
		return SignedIn{}, wrong
	}
	token, tokenHash := secret.NewToken()
	var out SignedIn
	write := a.db.Write
	if member.Role == string(RoleOwner) {
		write = a.db.WriteAnyway // a clock that is behind is seen to by an owner, who has to get in
	}
	err = write(ctx, func(tx *sqlite.Tx) error {
		venue, err := mustVenue(&tx.Snapshot)
		if err != nil {
			return err
		}
		now, err := tx.StaffMember(member.ID)
		if err != nil {
			return err
		}
		if !now.Active || now.PasswordHash != member.PasswordHash {
			return wrong // changed while the password was being checked
		}
		expires := tx.Now.Add(domain.SessionLife)
		view := viewStaff(now)
		out = SignedIn{Token: token, ExpiresAt: expires.In(venue.Calendar.Zone), Staff: &view}
		if err := tx.Audit(sqlite.AuditRow{Actor: now.ID, Role: now.Role, Action: "sign in", Target: now.ID}); err != nil {
			return err
		}
		if err := tx.InsertSession(tokenHash, "", member.ID, expires); err != nil {
			return err
		}
		return also(tx, member.ID)
	})
	return out, err
}

func viewStaff(m sqlite.Staff) StaffView {
	return StaffView{ID: m.ID, Username: m.Username, Name: m.Name, Role: m.Role, Active: m.Active}
}
