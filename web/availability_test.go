package web_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"courtd/web"
)

const today = "/api/v1/availability?date=2026-12-10"

// stateOf gives the state of a slot in an answer about a day.
func stateOf(a answer, court, start string) string {
	a.t.Helper()
	for _, c := range a.json["courts"].([]any) {
		c := c.(map[string]any)
		for _, slot := range c["slots"].([]any) {
			slot := slot.(map[string]any)
			if c["id"] == court && slot["start"] == start {
				return slot["state"].(string)
			}
		}
	}
	a.t.Fatalf("no slot of %s at %s", court, start)
	return ""
}

func (s *site) ifNoneMatch(path, etag string) answer {
	s.t.Helper()
	return s.send(ask{method: http.MethodGet, path: path, header: map[string]string{"If-None-Match": etag}})
}

func TestAvailabilityAndItsTag(t *testing.T) {
	s := open(t)
	first := s.get(today, "").wants(200)
	etag := first.header.Get("ETag")
	if etag == "" || first.header.Get("Cache-Control") != "no-cache" || first.header.Get("Content-Type") != "application/json" {
		t.Fatalf("headers %v", first.header)
	}
	if first.str("now") != noon || first.str("changes_at") != "2026-12-10T12:57:00+08:00" || stateOf(first, "c1", evening) != "free" {
		t.Errorf("now %s, changes_at %s", first.str("now"), first.str("changes_at"))
	}
	for _, tag := range []string{etag, "*", `"other", ` + etag, strings.TrimPrefix(etag, "W/")} {
		same := s.ifNoneMatch(today, tag).wants(304)
		if same.text != "" || same.header.Get("ETag") != etag {
			t.Errorf("304 with body %q and tag %q", same.text, same.header.Get("ETag"))
		}
	}
	s.ifNoneMatch(today, `"other"`).wants(200)

	// Time alone changes now and nothing else, up to the second before changes_at.
	s.setClock("2026-12-10T12:56:59+08:00")
	s.ifNoneMatch(today, etag).wants(304)
	later := s.get(today, "").wants(200)
	if later.str("now") != "2026-12-10T12:56:59+08:00" || later.header.Get("ETag") != etag {
		t.Errorf("now %s, tag %s before %s", later.str("now"), later.header.Get("ETag"), etag)
	}
	if strings.ReplaceAll(later.text, "12:56:59", "12:00:00") != first.text {
		t.Error("more than now has changed")
	}
	s.setClock("2026-12-10T12:57:00+08:00")
	s.ifNoneMatch(today, etag).wants(200)
}

// TestAvailabilitySeesEveryWrite: an answer that was kept is never given after a
// write, by this process or another.
func TestAvailabilitySeesEveryWrite(t *testing.T) {
	s := open(t)
	etag := s.get(today, "").wants(200).header.Get("ETag")
	id := s.book(s.customer, slot("c1", evening))
	held := s.ifNoneMatch(today, etag).wants(200)
	if stateOf(held, "c1", evening) != "held" || held.str("changes_at") != "2026-12-10T12:10:00+08:00" {
		t.Errorf("after booking: %s, changes_at %s", stateOf(held, "c1", evening), held.str("changes_at"))
	}
	if strings.Contains(held.text, id) || strings.Contains(held.text, "13800000001") {
		t.Error("the answer says who holds it")
	}
	other := s.get("/api/v1/availability?date=2026-12-11", "").wants(200).header.Get("ETag")
	s.post("/api/v1/orders/"+id+"/cancel", s.customer, "").wants(200)
	back := s.get(today, "").wants(200)
	if stateOf(back, "c1", evening) != "free" || back.header.Get("ETag") != etag {
		t.Errorf("after cancelling: %s, the tag is the old one: %v", stateOf(back, "c1", evening), back.header.Get("ETag") == etag)
	}
	s.ifNoneMatch("/api/v1/availability?date=2026-12-11", other).wants(304)

	// Goods are in the answer about every day.
	s.book(s.customer, `{"goods":[{"id":"g1","qty":2}]}`)
	if got := s.ifNoneMatch("/api/v1/availability?date=2026-12-11", other).wants(200); got.str("changes_at") != "2026-12-10T12:30:00+08:00" {
		t.Errorf("changes_at with goods held: %s", got.str("changes_at"))
	}
}

// TestAvailabilityWhenTimeEndsAHold: nobody writes anything, and the second tells.
func TestAvailabilityWhenTimeEndsAHold(t *testing.T) {
	s := open(t)
	s.book(s.customer, slot("c1", evening))
	for _, step := range []struct{ clock, state string }{
		{"2026-12-10T12:09:59+08:00", "held"}, {"2026-12-10T12:10:00+08:00", "free"}, {"2026-12-10T12:10:01+08:00", "free"},
		{"2026-12-10T17:29:59+08:00", "free"}, {evening, "past"},
	} {
		s.setClock(step.clock)
		for range 2 { // worked out, and kept
			if got := stateOf(s.get(today, "").wants(200), "c1", evening); got != step.state {
				t.Errorf("at %s: %s, want %s", step.clock, got, step.state)
			}
		}
	}
}

// TestAvailabilityWhenNobodyWrites moves the machine's clock under a file that
// nobody touches: what was kept ends at changes_at, to the second.
func TestAvailabilityWhenNobodyWrites(t *testing.T) {
	s := serve(t, false)
	kept := s.get(today, "").wants(200)
	for _, step := range []struct {
		clock  string
		status int
	}{{noon, 304}, {"2026-12-10T12:56:59+08:00", 304}, {"2026-12-10T12:57:00+08:00", 200}, {"2026-12-10T12:59:59+08:00", 200}, {noon, 304}} {
		s.wall.Store(int64(at(t, step.clock)))
		s.ifNoneMatch(today, kept.header.Get("ETag")).wants(step.status)
	}
	s.wall.Store(int64(at(t, "2026-12-10T12:59:59+08:00")))
	s.get(today, "").wants(200)
	s.wall.Store(int64(at(t, "2026-12-10T13:00:00+08:00")))
	if got := s.get(today, "").wants(200); stateOf(got, "c1", "2026-12-10T13:00:00+08:00") != "past" || got.str("now") != "2026-12-10T13:00:00+08:00" {
		t.Errorf("at the start: %s", stateOf(got, "c1", "2026-12-10T13:00:00+08:00"))
	}
}

func TestAvailabilityOfFarDays(t *testing.T) {
	s := open(t)
	for date, state := range map[string]string{"2026-12-09": "past", "2026-12-16": "free", "2026-12-17": "not_open", "2028-01-14": "not_open"} {
		if got := stateOf(s.get("/api/v1/availability?date="+date, "").wants(200), "c1", date+"T17:30:00+08:00"); got != state {
			t.Errorf("%s: %s, want %s", date, got, state)
		}
	}
	s.get("/api/v1/availability?date=2028-01-15", "").wants(422, "invalid_field").blames("date")
	s.get("/api/v1/availability?date=2025-11-04", "").wants(422, "invalid_field").blames("date")
}

// TestAvailabilityUnderWay asks while others book: every answer is one whole day.
func TestAvailabilityUnderWay(t *testing.T) {
	s := serve(t, true, func(*web.Config) {})
	var tokens []string
	for _, phone := range []string{"13800000011", "13800000012", "13800000013", "13800000014"} {
		tokens = append(tokens, s.signIn(phone))
	}
	var all sync.WaitGroup
	for i, token := range tokens {
		all.Go(func() {
			id := s.book(token, slot("c"+string(rune('1'+i)), evening))
			if got := stateOf(s.get(today, "").wants(200), "c"+string(rune('1'+i)), evening); got != "held" {
				t.Errorf("its own booking is %s", got)
			}
			s.post("/api/v1/orders/"+id+"/cancel", token, "").wants(200)
			if got := stateOf(s.get(today, "").wants(200), "c"+string(rune('1'+i)), evening); got != "free" {
				t.Errorf("its own cancelled booking is %s", got)
			}
		})
	}
	all.Wait()
}
