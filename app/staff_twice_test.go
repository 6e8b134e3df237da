package app_test

import (
	"testing"

	"courtd/app"
	"courtd/sqlite"
)

// What is changed about somebody who works here is changed once, however often it is
// sent: one row in the audit, and nobody is signed out a second time.
func TestAStaffChangeSentTwiceIsOne(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	id := c.staffID("desk")
	gone, back := false, true
	acts := func() int { return c.count("SELECT count(*) FROM audit WHERE action = 'change staff'") }
	password := "desk-password"
	for i, step := range []struct {
		what   string
		change app.StaffChange
	}{
		{"rename", app.StaffChange{Name: "小王"}},
		{"role", app.StaffChange{Role: "owner"}},
		{"role back", app.StaffChange{Role: "desk"}},
		{"dismissal", app.StaffChange{Active: &gone}},
		{"taken back", app.StaffChange{Active: &back}},
		{"password", app.StaffChange{Password: "another-password"}},
	} {
		if step.change.Password != "" {
			password = step.change.Password
		}
		first, err := c.app.ChangeStaff(ctx, c.owner, id, step.change)
		must(t, err)
		want(t, step.what+": rows in the audit", acts(), i+1)
		if step.what == "dismissal" {
			want(t, "may sign in", first.Active, false)
		} else {
			_, err = c.app.LogInStaff(ctx, "desk", password)
			must(t, err)
		}
		sessions := func() int {
			return c.count("SELECT count(*) FROM sessions WHERE staff_id = '" + id + "' AND revoked_at IS NULL")
		}
		open := sessions()
		again, err := c.app.ChangeStaff(ctx, c.owner, id, step.change)
		must(t, err)
		want(t, step.what+" again: rows in the audit", acts(), i+1)
		want(t, step.what+" again: sessions", sessions(), open)
		want(t, step.what+" again: the answer", again, first)
	}
	// The last owner cannot be dismissed, twice or not.
	for range 2 {
		_, err := c.app.ChangeStaff(ctx, c.owner, c.owner.ID, app.StaffChange{Active: &gone})
		wantReason(t, err, "last_owner")
	}
	var m sqlite.Staff
	must(t, c.db.Read(ctx, func(s *sqlite.Snapshot) (err error) { m, err = s.StaffMember(id); return err }))
	want(t, "name", m.Name, "小王")
}
