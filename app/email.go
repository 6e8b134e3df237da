package app

import (
	"context"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// EmailCodeSent says that a code is on its way to an address of mail. Code is set in a
// demonstration only.
type EmailCodeSent struct {
	Email     string    `json:"email"`
	ExpiresAt time.Time `json:"expires_at"`
	Code      string    `json:"code,omitempty" doc:"only in a demonstration"`
}

// ParseEmail reads a bare address of mail in ASCII, because no other is mailed to; a
// domain in other letters has a form in ASCII, which begins with xn--. The domain comes
// back in small letters.
func ParseEmail(field, s string) (string, error) {
	s = strings.TrimSpace(s)
	bad := domain.BadField(field, "must be a bare email address of at most %d bytes", domain.MaxEmailBytes)
	if s == "" || len(s) > domain.MaxEmailBytes || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' }) {
		return "", bad
	}
	at := strings.LastIndexByte(s, '@')
	parsed, err := mail.ParseAddress(s)
	if err != nil || at < 0 || parsed.Name != "" || parsed.Address != s {
		return "", bad
	}
	local, host := s[:at], strings.ToLower(s[at+1:])
	foreign := func(r rune) bool { return r > unicode.MaxASCII }
	if strings.ContainsFunc(local, foreign) || !isHost(host) {
		return "", bad
	}
	if strings.ContainsFunc(host, foreign) {
		return "", domain.BadField(field, "must have a domain in ASCII letters; one such as 例子.中国 is written xn--fsqu00a.xn--fiqs8s")
	}
	return local + "@" + host, nil
}

// isHost reports whether mail can be for a name of some parts.
func isHost(host string) bool {
	parts := strings.Split(host, ".")
	for _, part := range parts {
		if part == "" || strings.HasPrefix(part, "-") || strings.HasSuffix(part, "-") ||
			strings.ContainsFunc(part, func(r rune) bool { return r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.N) }) {
			return false
		}
	}
	return len(parts) > 1
}

// mailto keeps codes for addresses of mail apart from those for phones.
func mailto(email string) string { return "mailto:" + email }

// SendsMailCodes reports whether a code for an address of mail can get there.
func (a *App) SendsMailCodes() bool { return a.channels[domain.ChannelMail] != nil || a.demo }

// SendEmailCode mails a six-digit code to an address that a customer says is theirs. It
// is bounded as codes for phones are.
func (a *App) SendEmailCode(ctx context.Context, actor Actor, email string, from From) (EmailCodeSent, error) {
	if actor.Role != RoleCustomer {
		return EmailCodeSent{}, errNotACustomer()
	}
	email, err := ParseEmail("email", email)
	if err != nil {
		return EmailCodeSent{}, err
	}
	if !a.SendsMailCodes() {
		return EmailCodeSent{}, domain.Refuse(domain.Unavailable, "mail_not_set_up", "this venue has not set up mail")
	}
	made, err := a.newCode(ctx, domain.ChannelMail, mailto(email), from)
	if err != nil {
		return EmailCodeSent{}, err
	}
	out := EmailCodeSent{Email: email, ExpiresAt: made.expires, Code: made.shown}
	err = a.sendNewCode(ctx, made, domain.ChannelMail, notify.Message{Kind: notify.KindEmailCode, Email: email,
		Title: "邮箱验证码", Text: "验证码 " + made.code + "，5 分钟内有效。如果不是您本人操作，请忽略这封邮件。",
		TitleEN: "Code for your email address", TextEN: "Your code is " + made.code + ", valid for 5 minutes. If you did not ask for it, ignore this message."})
	if err != nil {
		return EmailCodeSent{}, err
	}
	return out, nil
}

// ProveEmail makes an address of mail the customer's own by the code that was sent there.
func (a *App) ProveEmail(ctx context.Context, actor Actor, email, code string, from From) (ProfileView, error) {
	if actor.Role != RoleCustomer {
		return ProfileView{}, errNotACustomer()
	}
	email, err := ParseEmail("email", email)
	if err != nil {
		return ProfileView{}, err
	}
	mine, err := a.profileOf(ctx, actor)
	if err != nil || mine.Email == email {
		return mine, err // as when the answer was lost
	}
	err = a.proving(ctx, mailto(email), code, from, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		mine, err = setEmail(tx, actor, email)
		return err
	})
	if err != nil {
		return ProfileView{}, err
	}
	return mine, nil
}

// ForgetEmail forgets a customer's address of mail.
func (a *App) ForgetEmail(ctx context.Context, actor Actor) (ProfileView, error) {
	if actor.Role != RoleCustomer {
		return ProfileView{}, errNotACustomer()
	}
	var out ProfileView
	err := a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) (err error) {
		out, err = setEmail(tx, actor, "")
		return err
	})
	return out, err
}

func setEmail(tx *sqlite.Tx, actor Actor, email string) (ProfileView, error) {
	c, err := me(&tx.Snapshot, actor)
	if err != nil {
		return ProfileView{}, err
	}
	c.Email = email
	return *profile(c), tx.MailCustomer(c.ID, email)
}
