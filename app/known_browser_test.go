package app_test

import (
	"context"
	"testing"
	"time"

	"courtd/app"
	"courtd/domain"
)

// signIn signs a staff member in with a browser's token and gives what it keeps.
func (c *club) signIn(username, browser string) string {
	c.t.Helper()
	_, kept, err := c.app.LogInStaffAt(context.Background(), username, username+"-password", browser)
	must(c.t, err)
	return kept
}

func (c *club) knows(username, browser string, want bool) {
	c.t.Helper()
	known, err := c.app.KnowsBrowser(context.Background(), username, browser)
	must(c.t, err)
	if known != want {
		c.t.Errorf("the browser is known for %s: %v", username, known)
	}
}

const knownBrowsers = "SELECT count(*) FROM known_browsers"

func TestABrowserIsKnownForWhoSignedInThere(t *testing.T) {
	c := newClub(t)
	ctx := context.Background()
	_, err := c.app.LogInStaff(ctx, "owner", "owner-password")
	must(t, err)
	_, kept, err := c.app.LogInStaffAt(ctx, "owner", "wrong", "")
	wantReason(t, err, "credentials_invalid")
	if n := c.count(knownBrowsers); n != 0 || kept != "" {
		t.Errorf("%d browsers are known without a sign-in, %q", n, kept)
	}
	token := c.signIn("owner", "")
	c.knows("owner", token, true)
	c.knows("desk", token, false)
	c.knows("nobody", token, false)
	c.knows("owner", "", false)
	c.knows("owner", token+"x", false)
	if c.signIn("desk", "chosen by the browser") == "chosen by the browser" {
		t.Error("a browser chooses its token")
	}
	c.second().knows("owner", token, true)

	// The next sign-in there renews it.
	c.wait(domain.KnownBrowserLife - time.Second)
	c.knows("owner", token, true)
	if again := c.signIn("owner", token); again != token {
		t.Error("a known browser has got another token")
	}
	c.wait(domain.KnownBrowserLife - time.Second)
	c.knows("owner", token, true)
	c.wait(time.Second)
	c.knows("owner", token, false)
	if again := c.signIn("owner", token); again == token {
		t.Error("an expired token is known again")
	}
	c.wait(domain.KnownBrowserLife + domain.SessionLife + time.Second)
	must(t, c.app.Housekeep(ctx))
	if n := c.count(knownBrowsers); n != 0 {
		t.Errorf("%d browsers after a year", n)
	}
}

// TestABrowserAtTheDeskIsSeveralPeoples: it is known for all of them, and who had a look
// at its token before has nothing of it.
func TestABrowserAtTheDeskIsSeveralPeoples(t *testing.T) {
	c := newClub(t)
	first := c.signIn("desk", "")
	second := c.signIn("owner", first)
	c.knows("desk", first, false)
	c.knows("owner", first, false)
	c.knows("desk", second, true)
	c.knows("owner", second, true)
	if c.signIn("desk", second) != second || c.signIn("owner", second) != second {
		t.Error("a known browser has got another token")
	}
	if n := c.count(knownBrowsers); n != 2 {
		t.Errorf("%d rows for two", n)
	}
}

func TestOnlySoManyBrowsersAreKnown(t *testing.T) {
	c := newClub(t)
	desk := c.signIn("desk", "")
	var tokens []string
	for range domain.MaxKnownBrowsers {
		tokens = append(tokens, c.signIn("owner", ""))
		c.wait(time.Second)
	}
	c.signIn("owner", tokens[0]) // this one is the newest again
	tokens = append(tokens, c.signIn("owner", ""))
	if n := c.count(knownBrowsers); n != domain.MaxKnownBrowsers+1 {
		t.Errorf("%d browsers", n)
	}
	for i, token := range tokens {
		c.knows("owner", token, i != 1)
	}
	c.knows("desk", desk, true)
}

// TestKnownBrowsersEnd: with the password, and with whoever is dismissed.
func TestKnownBrowsersEnd(t *testing.T) {
	c := newClub(t)
	ctx := context.Background()
	owners, token := c.signIn("owner", ""), c.signIn("desk", "")
	change := func(change app.StaffChange) {
		_, err := c.app.ChangeStaff(ctx, c.owner, c.desk.ID, change)
		must(t, err)
	}
	change(app.StaffChange{Name: "新前台"})
	change(app.StaffChange{Password: "desk-password"}) // as it was
	c.knows("desk", token, true)
	change(app.StaffChange{Password: "another-password"})
	c.knows("desk", token, false)
	change(app.StaffChange{Password: "desk-password"})
	c.knows("desk", token, false)
	if token = c.signIn("desk", token); token == "" {
		t.Fatal("no token")
	}
	c.knows("desk", token, true)
	no, yes := false, true
	change(app.StaffChange{Active: &no})
	c.knows("desk", token, false)
	change(app.StaffChange{Active: &yes})
	c.knows("desk", token, false)
	c.knows("owner", owners, true)
}
