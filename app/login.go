package app

import (
	"context"
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
	By        string    `json:"by" enum:"sms,log" doc:"log: no channel carries codes here; it was not sent, and is in the program's log alone"`
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

// place is what is kept of it beside all phones.
func (f From) place() string { return secret.HashToken("place\x00" + string(f)) }

// SendLoginCode sends a six-digit code to a phone. Earlier codes that the same place
// asked for end with it; those that others asked for go on, because whoever knows a
// phone number can ask.
//
// A phone gets so many codes a day and a place causes only some of them, so that one
// stranger can neither fill a phone with messages nor use up its day. Strangers in
// several places together still can (domain.LoginCodesPerDay bounds what that costs
// the venue): then the phone gets no code until a day has passed, and its owner books
// at the desk or in a browser that is signed in. Nor are those told apart who share an
// address with a stranger. All phones together get so many a day (Messages.DailyCodes), of
// which one place causes a part, and only where text messages are not dear
// (Messages.GetsCodes).
func (a *App) SendLoginCode(ctx context.Context, phone string, from From) (CodeSent, error) {
	phone, err := domain.ParsePhone("phone", phone)
	if err != nil {
		return CodeSent{}, err
	}
	made, err := a.newCode(ctx, domain.ChannelSMS, phone, from)
	if err != nil {
		return CodeSent{}, err
	}
	out := CodeSent{Phone: phone, ExpiresAt: made.expires, Code: made.shown, By: domain.ChannelSMS}
	if a.channels[domain.ChannelSMS] == nil {
		out.By = domain.ChannelLog
	}
	err = a.sendNewCode(ctx, made, domain.ChannelSMS, notify.Message{Kind: domain.KindLoginCode, Phone: phone, Title: "登录验证码",
		Text: "验证码 " + made.code + "，5 分钟内有效。", TitleEN: "Login code", TextEN: "Your code is " + made.code + ", valid for 5 minutes."})
	if err != nil {
		return CodeSent{}, err
	}
	return out, nil
}

// SignedIn is a new session.
type SignedIn struct {
	Token     string       `json:"token"`
	ExpiresAt time.Time    `json:"expires_at"`
	Customer  *ProfileView `json:"customer,omitempty"`
	Staff     *StaffView   `json:"staff,omitempty"`
}

// ProfileView is a customer as they see themselves. Who they are at WeChat is shown to
// nobody.
type ProfileView struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Phone     string `json:"phone" doc:"empty until one has been proven"`
	HasWeChat bool   `json:"has_wechat" doc:"whether signing in with WeChat leads here"`
	Email     string `json:"email" doc:"empty until one has been proven"`
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
	newID := secret.NewID()
	var out SignedIn
	err = a.proving(ctx, phone, code, from, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		customerID, err := findOrAdd(tx, Caller{Phone: phone}, newID)
		if err != nil {
			return err
		}
		customer, err := tx.Customer(customerID)
		if err != nil {
			return err
		}
		out, err = signIn(tx, venue, customer)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	return out, nil
}

// signIn makes a session of a customer.
func signIn(tx *sqlite.Tx, venue sqlite.Venue, customer sqlite.Customer) (SignedIn, error) {
	token, tokenHash := secret.NewToken()
	expires := tx.Now.Add(domain.SessionLife)
	return SignedIn{Token: token, ExpiresAt: expires.In(venue.Calendar.Zone), Customer: profile(customer)},
		tx.InsertSession(tokenHash, customer.ID, "", expires)
}

func profile(c sqlite.Customer) *ProfileView {
	return &ProfileView{ID: c.ID, Name: c.Name, Phone: c.Phone, HasWeChat: c.OpenID != "", Email: c.Email}
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
		c, err := s.Survivor(actor.ID)
		out.Customer = profile(c)
		return err
	})
	return out, err
}
