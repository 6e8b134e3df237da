package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A busy demonstration shows every state there is at noon, its clock is where it was
// asked to be, and the reconciler finds nothing that it should have done. What is
// filled once is not filled again.
func TestBusyDemonstration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "busy.db")
	args := append(programDemoArgs(path), "--busy")
	p := programStart(t, nil, args...)
	desk := p.post("/api/v1/login/staff", "", map[string]any{"username": "desk", "password": "desk-demo-2026"}).wants(200).str("token")
	day := p.get("/api/v1/desk/day?date=2026-12-10", desk).wants(200)
	if now := day.str("now"); now != programNoon {
		t.Errorf("the clock shows %s, want %s", now, programNoon)
	}
	for _, state := range []string{"held", "confirmed", "playing", "completed", "no_show", "lapsed", "cancelled"} {
		if n := count(t, path, "SELECT count(*) FROM reservation_now WHERE state = '"+state+"'"); n == 0 {
			t.Errorf("nobody's booking is %s", state)
		}
	}
	if n := count(t, path, "SELECT due + parked + outbox FROM reconciler_now"); n != 0 {
		t.Errorf("%d things are left to the reconciler", n)
	}
	if n := count(t, path, "SELECT count(*) FROM payments WHERE succeeded_at IS NOT NULL AND via = 'sandbox'"); n < 20 {
		t.Errorf("%d payments in a week", n)
	}
	if !strings.Contains(p.stdout.String(), "ONCE20") || !strings.Contains(p.stdout.String(), "/owner ") {
		t.Errorf("says\n%s", p.stdout)
	}
	orders := count(t, path, "SELECT count(*) FROM orders")
	p.stop()
	p.endsWell()
	p = programStart(t, nil, args...)
	if again := count(t, path, "SELECT count(*) FROM orders"); again != orders || orders < 100 {
		t.Errorf("%d orders, and %d when it is started again", orders, again)
	}
	p.stop()
	p.endsWell()
}

func count(t *testing.T, path, query string) (n int) {
	t.Helper()
	programOK(t, programFile(t, path).QueryRow(query).Scan(&n))
	return n
}
