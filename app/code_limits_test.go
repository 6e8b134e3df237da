package app_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

// inEarnestWithChannels gives a club channels that is no demonstration.
func inEarnestWithChannels(c *club) messengers {
	c.t.Helper()
	m := c.withChannels()
	c.app = app.New(app.Config{DB: c.db, Channel: c.mail, Channels: []notify.Channel{m.wechat, m.sms, m.email}, Webhooks: m.hooks, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	c.app.AddProvider(c.bank)
	return m
}

func (m messengers) daily(codes int) {
	m.t.Helper()
	_, err := m.app.ChangeMessages(ctx, m.owner, "messages", func(s *domain.Messages) error {
		s.Daily = map[string]int{domain.KindLoginCode: codes, "sms": 1}
		return nil
	})
	must(m.t, err)
}

// TestCodesOfADayForAll: a channel carries so many in a day to all phones together, of
// which one address causes a part, and neither takes from what notices may be.
func TestCodesOfADayForAll(t *testing.T) {
	m := inEarnestWithChannels(newClub(t))
	const daily = 100
	m.daily(daily)
	phone := 0
	ask := func(from string) error {
		phone++
		_, err := m.app.SendLoginCode(ctx, fmt.Sprintf("138%08d", phone), app.From(from))
		return err
	}
	for place := range daily / 10 {
		from := fmt.Sprint("place ", place)
		for range daily / domain.LoginCodesShare {
			must(t, ask(from))
		}
		wantReason(t, ask(from), "too_many_codes_here")
	}
	wantReason(t, ask("elsewhere"), "codes_used_up")
	want(t, "texts that went out", len(m.sms.got), daily)
	v := m.view("sms")
	want(t, "the owner sees it", fmt.Sprint(v.Codes, " of ", v.DailyCodes, " ", v.SentToday), fmt.Sprint(daily, " of ", daily, " 0"))
	who := m.customerByHand("13900000001")
	m.routed("sms")
	m.paidAt(who, slot("c1", "17:30"))
	want(t, "a notice goes all the same", m.deliver().Sent, 1)
	_, err := m.app.SendEmailCode(ctx, who, "a@example.com", "elsewhere")
	must(t, err) // mail has codes of its own
	m.wait(domain.LoginCodesWindow)
	must(t, ask("place 0"))

	// What notices have used up keeps no code.
	m = inEarnestWithChannels(newClub(t))
	m.daily(daily)
	m.routed("sms")
	m.paidAt(m.customerByHand("13900000001"), slot("c1", "17:30"))
	m.deliver()
	want(t, "full", m.view("sms").State, "full")
	_, err = m.app.SendLoginCode(ctx, "13800000001", "home")
	must(t, err)
}

// customerByHand is a customer who was sent no code.
func (c *club) customerByHand(phone string) app.Actor {
	a := c.crowd(1)[0]
	c.sql("UPDATE customers SET phone = ? WHERE id = ?", phone, a.ID)
	return a
}

// TestACodeInDoubtCounts: what a gateway has failed at it may have sent, so that the next
// has to wait, the address has caused it, and the code serves if it comes.
func TestACodeInDoubtCounts(t *testing.T) {
	c := inEarnest(newClub(t))
	var sent []string
	c.mail.fail = func(m notify.Message) error {
		sent = append(sent, sixDigits.FindString(m.Text))
		return fmt.Errorf("%w: answered 500", notify.ErrDown)
	}
	for n := range domain.LoginCodesPerAddress {
		c.askRefused("home", "code_in_doubt")
		c.askRefused("home", "code_just_sent")
		c.askRefused("elsewhere", "code_just_sent")
		want(t, "texts", len(sent), n+1)
		c.wait((app.CodePause + 1) * time.Second)
	}
	c.askRefused("home", "too_many_codes")
	c.enter(sent[len(sent)-1], "home")

	// Where nobody was reached nothing was sent.
	c = inEarnest(newClub(t))
	c.mail.fail = func(notify.Message) error { return notify.Unreached(errors.New("nobody listens there")) }
	c.askRefused("home", "code_not_sent")
	c.mail.fail = nil
	c.enter(c.ask("home"), "home")
}

// TestCodesGoWhereTextsAreNotDear: to mobile numbers of the countries that the owner allows.
func TestCodesGoWhereTextsAreNotDear(t *testing.T) {
	m := inEarnestWithChannels(newClub(t))
	ask := func(phone string) error {
		_, err := m.app.SendLoginCode(ctx, phone, app.From(phone))
		return err
	}
	for _, phone := range []string{"13800000001", "+86 139 0000 0001", "+852 9123 4567", "+853 6612 3456", "00886 912 345 678"} {
		must(t, ask(phone))
	}
	for _, phone := range []string{"+1 900 555 0100", "+1 212 555 0100", "+8816 2345 6789", "+882 12345678", "+979 1234567", "+44 7700 900123", "02112345678", "+86 21 1234 5678", "12345678"} {
		wantReason(t, ask(phone), "no_codes_there")
	}
	want(t, "texts", len(m.sms.got), 5)
	allow := func(codes ...string) error {
		_, err := m.app.ChangeMessages(ctx, m.owner, "messages", func(s *domain.Messages) error { s.CodeCountries = codes; return nil })
		return err
	}
	must(t, allow("1", "86"))
	must(t, ask("+1 212 555 0100"))
	wantReason(t, ask("+1 900 555 0100"), "no_codes_there")
	wantReason(t, ask("+852 9123 4568"), "no_codes_there")
	for _, bad := range [][]string{{"+86"}, {"086"}, {"86", "86"}, {""}, {"8864"}, {"八六"}} {
		wantReason(t, allow(bad...), "invalid_field")
	}
}
