package domain_test

import (
	"encoding/json"
	"testing"
	"time"

	"courtd/domain"
)

func TestParseDate(t *testing.T) {
	for _, tc := range []struct {
		in string
		ok bool
	}{
		{"2026-12-10", true}, {"2028-02-29", true}, {"2000-01-01", true}, {"9998-12-31", true},
		{"2026-02-29", false}, {"2026-13-01", false}, {"2026-1-1", false}, {"1999-12-31", false}, {"9999-01-01", false},
		{"", false}, {"today", false}, {" 2026-12-10", false}, {"2026-12-10T00:00:00Z", false}, {"20261210", false}, {"2026-12-10\x00", false},
	} {
		d, err := domain.ParseDate("date", tc.in)
		if (err == nil) != tc.ok {
			t.Errorf("%q: %v", tc.in, err)
			continue
		}
		if tc.ok && d.String() != tc.in {
			t.Errorf("%q comes back as %q", tc.in, d)
		}
		if !tc.ok {
			wantFields(t, err, "date")
		}
	}
}

func TestDateArithmetic(t *testing.T) {
	newYear := domain.Date{Year: 2026, Month: time.January, Day: 1}
	if got := newYear.AddDays(-1).String(); got != "2025-12-31" {
		t.Errorf("the day before is %s", got)
	}
	if got := newYear.AddDays(365).String(); got != "2027-01-01" {
		t.Errorf("a year later is %s", got)
	}
	if newYear.Weekday() != time.Thursday {
		t.Errorf("weekday %s", newYear.Weekday())
	}
	if newYear.Before(newYear) || !newYear.AddDays(-1).Before(newYear) || newYear.AddDays(1).Before(newYear) {
		t.Error("Before is wrong around the day itself")
	}
	if newYear.IsZero() || !(domain.Date{}).IsZero() {
		t.Error("IsZero is wrong")
	}
}

func TestDateAsJSON(t *testing.T) {
	in := map[domain.Date]domain.Date{date(t, "2026-12-10"): {}, date(t, "2026-12-11"): date(t, "2026-01-02")}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"2026-12-10":"","2026-12-11":"2026-01-02"}`; string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	var out map[domain.Date]domain.Date
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	if len(out) != 2 || out[date(t, "2026-12-11")] != date(t, "2026-01-02") || !out[date(t, "2026-12-10")].IsZero() {
		t.Errorf("came back as %v", out)
	}
	if err := json.Unmarshal([]byte(`{"2026-12-32":""}`), &out); err == nil {
		t.Error("32 December was read")
	}
}
