package app

import (
	"context"
	"errors"
	"time"

	"courtd/app/notify"
	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// CodeSent says that a login code is on its way. Code is set in a demonstration only.
type CodeSent struct {
	Phone     string    `json:"phone"`
	ExpiresAt time.Time `json:"expires_at"`
	Code      string    `json:"code,omitempty" doc:"only in a demonstration"`
}

// CodePause is how many seconds a message may take: until then nobody gets another
// one for the same phone while the last still serves.
const CodePause = 60

// SendLoginCode sends a six-digit code to a phone. Earlier codes end with it.
func (a *App) SendLoginCode(ctx context.Context, phone string) (CodeSent, error) {
	phone, err := domain.ParsePhone("phone", phone)
	if err != nil {
		return CodeSent{}, err
	}
	id, code := secret.NewID(), secret.NewLoginCode()
	var out CodeSent
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		sent, err := tx.CountLoginCodes(phone, tx.Now.Add(-24*time.Hour))
		if err != nil {
			return err
		}
		if sent >= domain.LoginCodesPerDay && !a.demo {
			return domain.Refuse(domain.TooMany, "too_many_codes", "too many codes were sent to this phone today")
		}
		if err := a.refuseTwoCodes(tx, phone); err != nil {
			return err
		}
		expires := tx.Now.Add(domain.LoginCodeLife)
		out = CodeSent{Phone: phone, ExpiresAt: expires.In(venue.Calendar.Zone)}
		return tx.InsertLoginCode(sqlite.LoginCode{ID: id, Phone: phone, CodeHash: secret.HashToken(phone + code), CreatedAt: tx.Now, ExpiresAt: expires})
	})
	if err != nil {
		return CodeSent{}, err
	}
	if a.demo {
		out.Code = code
	}
	err = a.send(ctx, notify.Message{ID: id, Kind: "login_code", Phone: phone, Title: "登录验证码",
		Text: "验证码 " + code + "，5 分钟内有效。", TitleEN: "Login code", TextEN: "Your code is " + code + ", valid for 5 minutes."})
	if err != nil {
		// A code that nobody has serves nobody, and stands in no other's way.
		ended := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
			_, err := tx.UseLoginCode(id)
			return err
		})
		err = errors.Join(err, ended)
		return CodeSent{}, domain.Refuse(domain.Unavailable, "code_not_sent", "the code could not be sent; try again").Because(err)
	}
	return out, nil
}

// refuseTwoCodes refuses another code while one that serves is on its way.
func (a *App) refuseTwoCodes(tx *sqlite.Tx, phone string) error {
	last, found, err := tx.LatestLoginCode(phone)
	if err != nil || !found || a.demo || last.UsedAt.IsSet() {
		return err
	}
	if wait := int(last.CreatedAt + CodePause - tx.Now); wait > 0 {
		return domain.Refuse(domain.TooMany, "code_just_sent", "a code was sent to this phone just now; wait for it").With("retry_after", wait)
	}
	return nil
}

// SignedIn is a new session.
type SignedIn struct {
	Token     string       `json:"token"`
	ExpiresAt time.Time    `json:"expires_at"`
	Customer  *ProfileView `json:"customer,omitempty"`
	Staff     *StaffView   `json:"staff,omitempty"`
}

// ProfileView is a customer as they see themselves.
type ProfileView struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Phone string `json:"phone"`
}

// StaffView is somebody who works here.
type StaffView struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Name     string `json:"name"`
	Role     string `json:"role" enum:"desk,owner"`
	Active   bool   `json:"active"`
}

// LogIn signs a customer in with the code that was sent to their phone. A code
// serves once and bears a few wrong guesses.
func (a *App) LogIn(ctx context.Context, phone, code string) (SignedIn, error) {
	phone, err := domain.ParsePhone("phone", phone)
	if err != nil {
		return SignedIn{}, err
	}
	token, tokenHash := secret.NewToken()
	newID := secret.NewID()
	var out SignedIn
	var refusal error
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		refusal = nil
		kept, found, err := tx.LatestLoginCode(phone)
		if err != nil {
			return err
		}
		wrong := domain.Refuse(domain.Unauthenticated, "code_invalid", "this code is wrong or no longer valid; ask for a new one")
		if !found || kept.UsedAt.IsSet() || kept.ExpiresAt <= tx.Now || kept.Tries >= domain.MaxLoginCodeTries {
			return wrong
		}
		if !secret.EqualHash(kept.CodeHash, secret.HashToken(phone+code)) {
			refusal = wrong // and the guess is counted, which a rollback would undo
			return tx.MissLoginCode(kept.ID)
		}
		if first, err := tx.UseLoginCode(kept.ID); err != nil || !first {
			return orWrong(err, wrong)
		}
		customerID, err := findOrAdd(tx, Caller{Phone: phone}, newID)
		if err != nil {
			return err
		}
		customer, err := tx.Customer(customerID)
		if err != nil {
			return err
		}
		expires := tx.Now.Add(domain.SessionLife)
		out = SignedIn{Token: token, ExpiresAt: expires.In(venue.Calendar.Zone), Customer: profile(customer)}
		return tx.InsertSession(tokenHash, customerID, "", expires)
	})
	if err == nil {
		err = refusal
	}
	if err != nil {
		return SignedIn{}, err
	}
	return out, nil
}

func orWrong(err error, wrong error) error {
	if err != nil {
		return err
	}
	return wrong
}

func profile(c sqlite.Customer) *ProfileView {
	return &ProfileView{ID: c.ID, Name: c.Name, Phone: c.Phone}
}

// LogInStaff signs a staff member in by password.
func (a *App) LogInStaff(ctx context.Context, username, password string) (SignedIn, error) {
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
		return tx.InsertSession(tokenHash, "", member.ID, expires)
	})
	return out, err
}

func viewStaff(m sqlite.Staff) StaffView {
	return StaffView{ID: m.ID, Username: m.Username, Name: m.Name, Role: m.Role, Active: m.Active}
}

// LogOut ends one session, also while the clock is behind.
func (a *App) LogOut(ctx context.Context, actor Actor) error {
	return a.db.WriteAnyway(ctx, func(tx *sqlite.Tx) error { return tx.RevokeSession(actor.Session) })
}

// WhoIs finds who a token belongs to; an unknown one is Anyone.
func (a *App) WhoIs(ctx context.Context, token string) (Actor, error) {
	if token == "" || len(token) > 128 {
		return Actor{Role: Anyone}, nil
	}
	tokenHash := secret.HashToken(token)
	actor := Actor{Role: Anyone}
	err := a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		session, found, err := s.Session(tokenHash)
		if err != nil || !found {
			return err
		}
		actor = Actor{Role: Role(session.Role), ID: orElse(session.StaffID, session.CustomerID), Name: session.Name, Session: tokenHash}
		return nil
	})
	return actor, err
}

// MeView is who is signed in and what stands for them.
type MeView struct {
	Now      time.Time    `json:"now"`
	Role     string       `json:"role"`
	Customer *ProfileView `json:"customer,omitempty"`
	Staff    *StaffView   `json:"staff,omitempty"`
}

// Me says who is signed in.
func (a *App) Me(ctx context.Context, actor Actor) (MeView, error) {
	out := MeView{Role: string(actor.Role)}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		out.Now = s.Now.In(venue.Calendar.Zone)
		if actor.IsStaff() {
			m, err := s.StaffMember(actor.ID)
			view := viewStaff(m)
			out.Staff = &view
			return err
		}
		c, err := s.Customer(actor.ID)
		out.Customer = profile(c)
		return err
	})
	return out, err
}
