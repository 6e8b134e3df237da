package app_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app"
	"courtd/domain"
)

func wantBadField(t *testing.T, err error, field string) {
	t.Helper()
	refusal, ok := domain.AsError(err)
	if !ok || refusal.Kind != domain.Invalid || len(refusal.Fields) != 1 || refusal.Fields[0].Field != field || !utf8.ValidString(refusal.Fields[0].Message) {
		t.Fatalf("%v is no refusal of the field %q", err, field)
	}
}

func FuzzEmail(f *testing.F) {
	for _, text := range []string{"li@club.example", " Li.Lei@Club.EXAMPLE ", "a@b", "a@b.c", "例@例子.中国", "a@例子.中国", "Li <li@club.example>", "a@b..c", "a@-b.c", "\"a b\"@c.d", "a@[127.0.0.1]",
		"a@b.c\r\nBcc: x@y.z", strings.Repeat("a", 250) + "@b.c", "a@b@c.d", "ſ@K.example", "a(b)@c.d"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^[!-~]+@[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	f.Fuzz(func(t *testing.T, text string) {
		email, err := app.ParseEmail("of", text)
		if err != nil {
			wantBadField(t, err, "of")
			return
		}
		if !form.MatchString(email) || len(email) > domain.MaxEmailBytes || !strings.EqualFold(email, strings.TrimSpace(text)) {
			t.Errorf("%q was accepted as %q", text, email)
		}
		if again, err := app.ParseEmail("of", email); again != email || err != nil {
			t.Errorf("%q is read as %q, %v the second time", email, again, err)
		}
	})
}

func FuzzSlotID(f *testing.F) {
	for _, text := range []string{"c1@1796895000", "@1", "c1", "c1@", "c1@-1", "c1@+1796895000", "c1@01796895000", "a@b@5", "c1@253402300799", "c1@9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		slot, err := app.ParseSlotID("of", text)
		if err != nil {
			wantBadField(t, err, "of")
			return
		}
		if again := slot.Court + "@" + strconv.FormatInt(int64(slot.Start), 10); again != text || slot.Court == "" || slot.Start <= 0 || slot.Start >= domain.Never {
			t.Errorf("%q is the slot %q", text, again)
		}
	})
}

func FuzzShownPhone(f *testing.F) {
	for _, text := range []string{"", "021-5555 0100", "a\nb", strings.Repeat("1", 41)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		phone, err := app.ParseShownPhone("of", text)
		if err != nil {
			wantBadField(t, err, "of")
		} else if utf8.RuneCountInString(phone) > domain.MaxNameChars || phone != strings.TrimSpace(text) {
			t.Errorf("%q is shown as %q", text, phone)
		}
	})
}

// FuzzCursor reads cursors as every kind of list does: none takes one that it could not
// have given out, and so none of a list of another kind.
func FuzzCursor(f *testing.F) {
	const now domain.Instant = 1796875200
	for _, text := range []string{"", "1", "5 x", "+5", "05", "0x5", "1_0", "-1", "9223372036854775808", app.WritePlace(now, now-5, "06h3"), app.WritePlace(now+1, now, "06h3"), app.WritePlace(now, 0, "a b"), "MSAyIHg", "MSAyIHg=", "MjAyNi0xMi0wOSBrZXk"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return
		}
		taken := 0
		walkAt, at, id, err := app.ReadPlace(text, now)
		switch {
		case err != nil:
			wantBadField(t, err, "cursor")
		default:
			taken++
			if again := app.WritePlace(walkAt, at, id); again != text || walkAt > now || id == "" {
				t.Errorf("%q is read as %d %d %q, which is %q", text, walkAt, at, id, again)
			}
		}
		row, err := app.ReadRowCursor(text)
		switch {
		case err != nil:
			wantBadField(t, err, "cursor")
		default:
			taken++
			if row < 1 || strconv.FormatInt(row, 10) != text {
				t.Errorf("%q is read as %d", text, row)
			}
		}
		day, _, err := app.ReadDifferenceCursor(text)
		switch {
		case err != nil:
			wantBadField(t, err, "cursor")
		default:
			taken++
			if _, err := domain.ParseDate("day", day); err != nil {
				t.Errorf("%q begins after the day %q", text, day)
			}
		}
		if taken > 1 {
			t.Errorf("%q is a cursor of %d kinds of lists", text, taken)
		}
	})
}
