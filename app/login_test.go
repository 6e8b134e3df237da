package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

const guestPhone = "13800000001"

var sixDigits = regexp.MustCompile(`\d{6}`)

// inEarnest has the use cases be those of a venue that is no demonstration.
func inEarnest(c *club) *club {
	c.app = app.New(app.Config{DB: c.db, Channel: c.mail, Log: slog.New(slog.DiscardHandler)})
	return c
}

// ask asks for a code from a place and gives the one that was sent.
func (c *club) ask(from app.From) string {
	c.t.Helper()
	_, err := c.app.SendLoginCode(context.Background(), guestPhone, from)
	must(c.t, err)
	c.mail.mu.Lock()
	defer c.mail.mu.Unlock()
	return sixDigits.FindString(c.mail.got[len(c.mail.got)-1].Text)
}

func (c *club) askRefused(from app.From, reason string) {
	c.t.Helper()
	_, err := c.app.SendLoginCode(context.Background(), guestPhone, from)
	wantReason(c.t, err, reason)
}

func (c *club) enter(code string, from app.From) {
	c.t.Helper()
	_, err := c.app.LogIn(context.Background(), guestPhone, code, from)
	must(c.t, err)
}

func (c *club) enterRefused(code string, from app.From) {
	c.t.Helper()
	_, err := c.app.LogIn(context.Background(), guestPhone, code, from)
	wantReason(c.t, err, "code_invalid")
}

// guess guesses wrong.
func (c *club) guess(times int, from app.From) {
	c.t.Helper()
	for range times {
		c.enterRefused("none", from)
	}
}

func (c *club) wait(d time.Duration) { c.wall.set(domain.InstantOf(c.wall.time().Add(d))) }

// TestAStrangersGuessesEndNoCode: who guesses wrong too often needs another code, and
// gets it at once; who asked for the first goes on with it, also in another process.
func TestAStrangersGuessesEndNoCode(t *testing.T) {
	c := inEarnest(newClub(t))
	code := c.ask("home")
	c.guess(domain.MaxLoginCodeTries, "stranger")
	c.enterRefused(code, "stranger")
	inEarnest(c.second()).enterRefused(code, "stranger")
	theirs := c.ask("stranger")
	c.guess(domain.MaxLoginCodeTries, "stranger")
	c.enterRefused(theirs, "stranger")
	c.askRefused("home", "code_just_sent") // theirs still serves, from here
	c.guess(domain.MaxLoginCodeTries-1, "home")
	c.enter(code, "home")
	c.enterRefused(code, "home")
}

// TestManyStrangersGuessesEndACode: from everywhere together a code bears so many, and
// then another one is there for the asking.
func TestManyStrangersGuessesEndACode(t *testing.T) {
	guess := func(c *club, times int) {
		for n := range times {
			c.guess(1, app.From("place "+string(rune('a'+n))))
		}
	}
	c := inEarnest(newClub(t))
	code := c.ask("home")
	guess(c, domain.MaxLoginCodeTriesAnyhow-1)
	c.enter(code, "home")

	c = inEarnest(newClub(t))
	code = c.ask("home")
	guess(c, domain.MaxLoginCodeTriesAnyhow)
	c.enterRefused(code, "home")
	c.enter(c.ask("home"), "home")
}

// TestADeadCodeRefusesNoOther: only one that can still be used is waited for.
func TestADeadCodeRefusesNoOther(t *testing.T) {
	c := inEarnest(newClub(t))
	code := c.ask("home")
	c.askRefused("home", "code_just_sent")
	c.askRefused("elsewhere", "code_just_sent")
	c.enter(code, "home")
	code = c.ask("home") // the last was used
	c.guess(domain.MaxLoginCodeTries, "home")
	c.enterRefused(code, "home")
	c.askRefused("elsewhere", "code_just_sent")
	c.enter(c.ask("home"), "home") // its tries were used up
}

// TestCodesOfOnePhone: a second one ends the first of the same place, and no other's.
func TestCodesOfOnePhone(t *testing.T) {
	c := inEarnest(newClub(t))
	first := c.ask("home")
	c.wait(app.CodePause * time.Second)
	others := c.ask("elsewhere")
	c.wait(app.CodePause * time.Second)
	second := c.ask("home")
	if first != second {
		c.enterRefused(first, "home")
	}
	c.enter(second, "on the way")
	c.enter(others, "home")
	last := c.ask("home")
	c.wait(domain.LoginCodeLife)
	c.enterRefused(last, "home")
}

// TestCodesOfADay: one place cannot use up what a phone gets in a day; all together can.
func TestCodesOfADay(t *testing.T) {
	c := inEarnest(newClub(t))
	const pause = (app.CodePause + 1) * time.Second
	asked := 0
	for _, from := range []app.From{"stranger", "second", "third"} {
		for range domain.LoginCodesPerAddress {
			c.ask(from)
			c.wait(pause)
			asked++
		}
		c.askRefused(from, "too_many_codes")
	}
	for ; asked < domain.LoginCodesPerDay; asked++ {
		c.enter(c.ask("home"), "home")
		c.wait(pause)
	}
	c.askRefused("home", "too_many_codes")
	c.wait(domain.LoginCodesWindow)
	c.enter(c.ask("stranger"), "stranger")

	// What was surely not sent counts for the phone, and for nobody who asked.
	c = inEarnest(newClub(t))
	c.mail.fail = func(notify.Message) error { return fmt.Errorf("%w: no way out", notify.ErrRefused) }
	for range domain.LoginCodesPerAddress {
		c.askRefused("home", "code_not_sent")
	}
	c.mail.fail = nil
	c.enter(c.ask("home"), "home")
	if n := c.count("SELECT count(*) FROM login_codes"); n != domain.LoginCodesPerAddress+1 {
		t.Errorf("%d codes count for the phone", n)
	}
}

// TestADemonstrationIsLenient: who tries it out need not wait.
func TestADemonstrationIsLenient(t *testing.T) {
	c := newClub(t)
	for range domain.LoginCodesPerDay + 1 {
		_, err := c.app.SendLoginCode(context.Background(), guestPhone, "home")
		must(t, err)
	}
}

// TestNoAddressIsKept: neither as it is nor, after a day, as a hash.
func TestNoAddressIsKept(t *testing.T) {
	const address = "203.0.113.77"
	c := inEarnest(newClub(t))
	c.ask(address)
	c.guess(1, address)
	var kept string
	must(t, c.db.Read(context.Background(), func(s *sqlite.Snapshot) error {
		return s.QueryRow("SELECT asked_from || ' ' || place || ' ' || from_hash FROM login_codes JOIN login_code_tries ON code_id = id").Scan(&kept)
	}))
	if len(kept) != 3*64+2 || strings.Contains(kept, address) {
		t.Errorf("kept %q", kept)
	}
	const rows = "SELECT (SELECT count(*) FROM login_codes) + (SELECT count(*) FROM login_code_tries)"
	c.wait(domain.LoginCodesWindow)
	must(t, c.app.Housekeep(context.Background()))
	if n := c.count(rows); n != 2 {
		t.Errorf("%d rows of a code that still counts", n)
	}
	c.wait(time.Second)
	must(t, c.app.Housekeep(context.Background()))
	if n := c.count(rows); n != 0 {
		t.Errorf("%d rows of an old code", n)
	}
}
