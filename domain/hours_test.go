package domain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"courtd/domain"
)

// wantFields checks that err is a refusal about exactly these fields, in order.
func wantFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	if len(fields) == 0 {
		if err != nil {
			t.Errorf("refused: %v", err)
		}
		return
	}
	refusal, ok := domain.AsError(err)
	if !ok {
		t.Errorf("got %v, want a refusal of %v", err, fields)
		return
	}
	if refusal.Kind != domain.Invalid || refusal.Reason != "invalid_field" {
		t.Errorf("kind %d, reason %q", refusal.Kind, refusal.Reason)
	}
	var got []string
	for _, field := range refusal.Fields {
		got = append(got, field.Field)
		if field.Message == "" || !strings.Contains(refusal.Message, field.Field) {
			t.Errorf("field %s: message %q of %q", field.Field, field.Message, refusal.Message)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(fields) {
		t.Errorf("refused %v, want %v", got, fields)
	}
}

func TestParseMinute(t *testing.T) {
	for in, want := range map[string]domain.Minute{"00:00": 0, "08:30": 510, "23:59": 1439, "24:00": 1440, "26:00": 1560, "36:00": 2160} {
		got, err := domain.ParseMinute("opens", in)
		if err != nil || got != want || got.String() != in {
			t.Errorf("%q is %d (%s), %v", in, got, got, err)
		}
	}
	for _, in := range []string{"", "8:30", "08:60", "36:01", "99:00", "-1:00", "0830", "08:30:00", "08.30", "８:30", "+8:30", "08: 3"} {
		_, err := domain.ParseMinute("opens", in)
		wantFields(t, err, "opens")
	}
}

func TestHoursValidate(t *testing.T) {
	may1 := domain.Date{Year: 2026, Month: 5, Day: 1} // a Friday
	may2 := may1.AddDays(1)
	for _, tc := range []struct {
		name   string
		change func(*domain.Hours)
		fields []string
	}{
		{"default", func(*domain.Hours) {}, nil},
		{"no slot length", func(h *domain.Hours) { h.SlotMinutes = 0 }, []string{"slot_minutes"}},
		{"slot of five minutes makes too many", func(h *domain.Hours) { h.SlotMinutes = 5; h.Weekly[3].Closes = 900 },
			[]string{"weekly[0].closes", "weekly[1].closes", "weekly[2].closes", "weekly[4].closes", "weekly[5].closes", "weekly[6].closes"}},
		{"no room", func(h *domain.Hours) { h.Weekly[1].Closes = h.Weekly[1].Opens + 89 }, []string{"weekly[1].closes"}},
		{"room for one", func(h *domain.Hours) { h.Weekly[1].Closes = h.Weekly[1].Opens + 90 }, nil},
		{"closes at opening", func(h *domain.Hours) { h.Weekly[1].Closes = h.Weekly[1].Opens }, []string{"weekly[1].closes"}},
		{"closed days need no times", func(h *domain.Hours) { h.Weekly[1] = domain.DayHours{Closed: true} }, nil},
		{"opens tomorrow", func(h *domain.Hours) { h.Weekly[6] = domain.DayHours{Opens: 1440, Closes: 1560} }, []string{"weekly[6].opens"}},
		{"closes after noon", func(h *domain.Hours) {
			h.Weekly[6] = domain.DayHours{Opens: 1380, Closes: 2161}
			h.Weekly[0].Closed = true
		}, []string{"weekly[6].closes"}},
		{"closes when the next day opens", func(h *domain.Hours) { h.Weekly[6].Closes = 1440 + 510 }, nil},
		{"closes a minute later", func(h *domain.Hours) { h.Weekly[6].Closes = 1440 + 511 }, []string{"weekly[6].closes"}},
		{"two at once", func(h *domain.Hours) { h.SlotMinutes = -1; h.Weekly[2].Opens = -5 }, []string{"slot_minutes", "weekly[2].opens"}},
		{"note", func(h *domain.Hours) { h.Weekly[2].Note = "a\u202Eb" }, []string{"weekly[2].note"}},
		{"exception runs into the week", func(h *domain.Hours) { h.Exceptions[may1] = domain.DayHours{Opens: 1080, Closes: 1440 + 511} }, []string{"exceptions[2026-05-01].closes"}},
		{"week runs into the exception", func(h *domain.Hours) {
			h.Weekly[5].Closes = 1560
			h.Exceptions[may2] = domain.DayHours{Opens: 60, Closes: 600}
		}, []string{"exceptions[2026-05-02].opens"}},
		{"one exception runs into another", func(h *domain.Hours) {
			h.Exceptions[may1] = domain.DayHours{Opens: 1080, Closes: 1560}
			h.Exceptions[may2] = domain.DayHours{Opens: 60, Closes: 600}
		}, []string{"exceptions[2026-05-01].closes"}},
		{"exception without a date", func(h *domain.Hours) { h.Exceptions[domain.Date{}] = domain.DayHours{Closed: true} }, []string{"exceptions[]"}},
		{"holiday without a name", func(h *domain.Hours) { h.Holidays[may1] = " " }, []string{"holidays[2026-05-01]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hours := domain.DefaultHours()
			tc.change(&hours)
			wantFields(t, hours.Validate(), tc.fields...)
		})
	}
}

func TestHoursComeBackFromJSON(t *testing.T) {
	hours := domain.DefaultHours()
	hours.Exceptions[domain.Date{Year: 2026, Month: 5, Day: 1}] = domain.DayHours{Opens: 1080, Closes: 1560, Note: "夜场"}
	hours.Holidays[domain.Date{Year: 2026, Month: 5, Day: 1}] = "劳动节"
	text, err := json.Marshal(hours)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"slot_minutes":90`, `"2026-05-01":{"closed":false,"opens":"18:00","closes":"26:00","note":"夜场"}`, `"holidays":{"2026-05-01":"劳动节"}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	var back domain.Hours
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(back) != fmt.Sprint(hours) {
		t.Errorf("came back as %v", back)
	}
}
