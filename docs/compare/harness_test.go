package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The store of the alternatives does what the measuring relies on.
func TestStatusStore(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	shop := statusShop{store: s, ender: cronScan{}}
	made, _, err := bookAll(ctx, shop, booking{From: 0, To: 40, Clients: 8, HoldFor: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if err := shop.rebook(ctx, 3); err == nil {
		t.Error("a slot was sold twice")
	}
	promised, err := shop.deadlines(ctx, 40)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range promised {
		if d.UnixMilli() != made[i].UnixMilli() || time.Until(d) < 59*time.Minute {
			t.Fatalf("slot %d is held until %v, promised was %v", i, d, made[i])
		}
	}
	for _, text := range []string{"3:3", "5:5", "3:3", "7:8"} { // the last names a hold that is on another slot
		if err := endPayload(ctx, s, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := endPayload(ctx, s, "what?"); err == nil {
		t.Error("nonsense ended something")
	}
	if free, err := shop.free(ctx, 0, 40); err != nil || !slices.Equal(free, []int{3, 5}) {
		t.Errorf("free: %v, %v", free, err)
	}
	if err := shop.rebook(ctx, 3); err != nil {
		t.Error(err)
	}
	// Word of the first hold that comes once more takes nothing from who has the slot now.
	if err := s.end(ctx, 3, 3); err != nil {
		t.Fatal(err)
	}
	if err := s.endDue(ctx); err != nil {
		t.Fatal(err)
	}
	if free, err := shop.free(ctx, 0, 40); err != nil || !slices.Equal(free, []int{5}) {
		t.Errorf("free: %v, %v", free, err)
	}
	st := stage{c: contenders[0], role: role{Dir: dir}}
	effects, err := st.effects(40)
	if err != nil {
		t.Fatal(err)
	}
	var holds []int
	for _, e := range effects {
		holds = append(holds, e.hold)
	}
	if doubled(holds) != 2 || distinct(holds) != 3 {
		t.Errorf("effects of %v: twice %d, of %d holds", holds, doubled(holds), distinct(holds))
	}
}

func TestScanEndsWhatIsDue(t *testing.T) {
	ctx := context.Background()
	s, err := openStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i, in := range []time.Duration{-time.Second, time.Hour, -time.Millisecond} {
		if err := s.hold(ctx, hold{ID: i, Slot: i, Deadline: time.Now().Add(in)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.endDue(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if free, err := s.freeAmong(ctx, 0, 3); err != nil || !slices.Equal(free, []int{0, 2}) {
		t.Errorf("free: %v, %v", free, err)
	}
	var effects int
	if err := s.readers.QueryRow("SELECT count(*) FROM effects").Scan(&effects); err != nil || effects != 2 {
		t.Errorf("%d effects, %v; want 2", effects, err)
	}
}

// The club numbers its slots as the reader does, and its holds end when they were meant to.
func TestClubHoldsEndInTime(t *testing.T) {
	ctx, dir, n := context.Background(), t.TempDir(), slotsOfDay+60
	c, err := openClub(ctx, dir, n, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	const holdFor = 3 * time.Second
	begun := time.Now()
	made, _, err := bookAll(ctx, c, booking{From: slotsOfDay - 30, To: slotsOfDay + 30, Clients: 4, Every: time.Millisecond, HoldFor: holdFor})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range made {
		if in := d.Sub(begun); in < holdFor-time.Second || in > holdFor+100*time.Millisecond || d.Nanosecond() != 0 {
			t.Fatalf("hold %d ends %v after the start, want whole seconds about %v", i, in, holdFor)
		}
	}
	c.close()
	if c, err = openClub(ctx, dir, n, time.Now()); err != nil { // as after a restart
		t.Fatal(err)
	}
	defer c.close()
	promised, err := c.deadlines(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range made {
		if !promised[slotsOfDay-30+i].Equal(d) {
			t.Fatalf("slot %d: the file says %v, promised was %v", i, promised[slotsOfDay-30+i], d)
		}
	}
	r := reader{shop: c, deadline: promised[slotsOfDay-30 : slotsOfDay+30]}
	r.shop = shifted{c, slotsOfDay - 30}
	got, err := r.read(ctx, begun.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	if sum := summarize(got.Seen); sum.Unseen != 0 || sum.Early != 0 || sum.Max > 5*time.Second {
		t.Errorf("seen: %+v", sum)
	}
	if err := c.rebook(ctx, slotsOfDay); err != nil {
		t.Error(err)
	}
	if err := c.round(ctx); err != nil {
		t.Error(err)
	}
	st := stage{c: contenders[len(contenders)-1], role: role{Dir: dir}}
	effects, err := st.effects(n)
	if err != nil || len(effects) != 60 {
		t.Errorf("%d effects, %v; want one for each hold", len(effects), err)
	}
}

// shifted shows a club's slots from one on.
type shifted struct {
	*club
	by int
}

func (s shifted) free(ctx context.Context, from, to int) ([]int, error) {
	out, err := s.club.free(ctx, from+s.by, to+s.by)
	for i := range out {
		out[i] -= s.by
	}
	return out, err
}

func TestMissingServerIsSkipped(t *testing.T) {
	b := &broker{pkg: "no-such-server", program: inPath("no-such-server-anywhere")}
	if got, want := b.missing(), "skipped: no-such-server is not installed (apt-get install no-such-server)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (*broker)(nil).missing(); got != "" {
		t.Errorf("what needs no server is skipped: %s", got)
	}
	text := report(usual, "About.", []*result{{c: contender{name: "x", count: 2, watch: "a, b"}, skipped: b.missing()}})
	if !strings.Contains(text, "| x | skipped: no-such-server") {
		t.Errorf("the report does not say so:\n%s", text)
	}
	cells := map[int]bool{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			cells[strings.Count(line, "|")] = true
		}
	}
	if len(cells) != 2 { // one width for each table
		t.Errorf("rows of %d different widths:\n%s", len(cells), text)
	}
}

func TestParseStat(t *testing.T) {
	pid, parent, ok := parseStat("42 (a) b (c) S 7 42 42 0 -1")
	if pid != 42 || parent != 7 || !ok {
		t.Errorf("got %d, %d, %v", pid, parent, ok)
	}
	for _, bad := range []string{"", "42", "42 (x", "(x) S 7", "42 (x) S", "42 (x) S y"} {
		if _, _, ok := parseStat(bad); ok {
			t.Errorf("%q was read", bad)
		}
	}
	if !slices.Contains(tree(os.Getppid()), os.Getpid()) {
		t.Error("a child is missing from its parent's tree")
	}
}

func TestReportGoesBetweenTheMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	os.WriteFile(path, []byte("before\n"+markBegin+"\nold\n"+markEnd+"\nafter\n"), 0o600)
	if err := writeInto(path, "new"); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	if want := "before\n" + markBegin + "\n\nnew\n" + markEnd + "\nafter\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	os.WriteFile(path, []byte("no marks"), 0o600)
	if err := writeInto(path, "new"); err == nil {
		t.Error("a file without marks was written")
	}
}

func TestBusyMachineIsToldOf(t *testing.T) {
	for load, want := range map[string]bool{"0.00": false, "0.50": false, "0.51": true, "7.9": true, "unknown": true} {
		if got := busy(load) != ""; got != want {
			t.Errorf("load %s: told %v, want %v", load, got, want)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	names := map[string]bool{}
	for _, c := range contenders {
		names[c.name] = true
		if got, err := contenderNamed(c.name); err != nil || got.name != c.name {
			t.Errorf("%s is not found: %v", c.name, err)
		}
		if n := strings.Count(c.watch, ",") + 1; n != c.count {
			t.Errorf("%s: %d processes are named, %d counted", c.name, n, c.count)
		}
	}
	if len(names) != len(contenders) || len(names) != 7 {
		t.Errorf("%d names for %d contenders", len(names), len(contenders))
	}
}
