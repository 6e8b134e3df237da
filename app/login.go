package app

import (
	"context"
	"errors"
	"slices"
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

// From is where a request comes from, by which strangers are told apart: an address,
// or the network of one. Who serves the request says so; empty is one place too.
type From string

// about is what is kept of it beside a phone.
func (f From) about(phone string) string {
	return secret.HashToken("from\x00" + phone + "\x00" + string(f))
}

// SendLoginCode sends a six-digit code to a phone. Earlier codes that the same place
// asked for end with it; those that others asked for go on, because whoever knows a
// phone number can ask.
//
// A phone gets so many codes a day and a place causes only some of them, so that one
// stranger can neither fill a phone with messages nor use up its day. Strangers in
// several places together still can (domain.LoginCodesPerDay bounds what that costs
// the venue): then the phone gets no code until a day has passed, and its owner books
// at the desk or in a browser that is signed in. Nor are those told apart who share an
// address with a stranger.
func (a *App) SendLoginCode(ctx context.Context, phone string, from From) (CodeSent, error) {
	phone, err := domain.ParsePhone("phone", phone)
	if err != nil {
		return CodeSent{}, err
	}
	id, code := secret.NewID(), secret.NewLoginCode()
	var out CodeSent
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		if err := a.refuseTwoCodes(tx, phone, from); err != nil {
			return err
		}
		if err := a.refuseManyCodes(tx, phone, from); err != nil {
			return err
		}
		expires := tx.Now.Add(domain.LoginCodeLife)
		out = CodeSent{Phone: phone, ExpiresAt: expires.In(venue.Calendar.Zone)}
		return tx.InsertLoginCode(sqlite.LoginCode{ID: id, Phone: phone, CodeHash: secret.HashToken(phone + code),
			AskedFrom: from.about(phone), CreatedAt: tx.Now, ExpiresAt: expires})
	})
	if err != nil {
		return CodeSent{}, err
	}
	if a.demo {
		out.Code = code
	}
	err = a.sendCode(ctx, domain.ChannelSMS, notify.Message{ID: id, Kind: domain.KindLoginCode, Phone: phone, Title: "登录验证码",
		Text: "验证码 " + code + "，5 分钟内有效。", TitleEN: "Login code", TextEN: "Your code is " + code + ", valid for 5 minutes."})
	if err != nil {
		// A code that nobody has serves nobody, and stands in no other's way.
		ended := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error { return tx.LoseLoginCode(id) })
		err = errors.Join(err, ended)
		return CodeSent{}, domain.Refuse(domain.Unavailable, "code_not_sent", "the code could not be sent; try again").Because(err)
	}
	return out, nil
}

// refuseTwoCodes refuses another code while one is on its way that serves whoever asks.
func (a *App) refuseTwoCodes(tx *sqlite.Tx, phone string, from From) error {
	if a.demo {
		return nil
	}
	codes, err := serving(&tx.Snapshot, phone, from)
	if err != nil || len(codes) == 0 {
		return err
	}
	if wait := int(codes[0].CreatedAt + CodePause - tx.Now); wait > 0 {
		return domain.Refuse(domain.TooMany, "code_just_sent", "a code was sent to this phone just now; wait for it").With("retry_after", wait)
	}
	return nil
}

// refuseManyCodes refuses what is more than a phone gets in a day.
func (a *App) refuseManyCodes(tx *sqlite.Tx, phone string, from From) error {
	if a.demo {
		return nil
	}
	all, here, err := tx.CountLoginCodes(phone, from.about(phone), tx.Now.Add(-domain.LoginCodesWindow))
	if err != nil {
		return err
	}
	if all >= domain.LoginCodesPerDay || here >= domain.LoginCodesPerAddress {
		return domain.Refuse(domain.TooMany, "too_many_codes", "too many codes were sent to this phone today")
	}
	return nil
}

// serving gives the codes of a phone that can sign in whoever asks from a place, the
// newest first. Who has guessed wrong too often needs another one; the others go on
// with theirs until everybody together has guessed far too often.
func serving(s *sqlite.Snapshot, phone string, from From) ([]sqlite.LoginCode, error) {
	codes, err := s.LoginCodes(phone, from.about(phone))
	return slices.DeleteFunc(codes, func(c sqlite.LoginCode) bool {
		return c.TriesFrom >= domain.MaxLoginCodeTries || c.Tries >= domain.MaxLoginCodeTriesAnyhow
	}), err
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

// LogIn signs a customer in with a code that was sent to their phone. A code serves
// once and bears a few wrong guesses from each place.
func (a *App) LogIn(ctx context.Context, phone, code string, from From) (SignedIn, error) {
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
		codes, err := serving(&tx.Snapshot, phone, from)
		if err != nil {
			return err
		}
		wrong := domain.Refuse(domain.Unauthenticated, "code_invalid", "this code is wrong or no longer valid; ask for a new one")
		if len(codes) == 0 {
			return wrong
		}
		codeHash := secret.HashToken(phone + code)
		right := slices.IndexFunc(codes, func(c sqlite.LoginCode) bool { return secret.EqualHash(c.CodeHash, codeHash) })
		if right < 0 {
			refusal = wrong // and the guess is counted, which a rollback would undo
			return miss(tx, codes, phone, from)
		}
		if first, err := tx.UseLoginCode(codes[right].ID); err != nil || !first {
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

// miss counts a guess that was none of the codes against each of them.
func miss(tx *sqlite.Tx, codes []sqlite.LoginCode, phone string, from From) error {
	for _, c := range codes {
		if err := tx.MissLoginCode(c.ID, from.about(phone)); err != nil {
			return err
		}
	}
	return nil
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
