package domain_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"courtd/domain"
)

// wantBadField fails unless an error is a refusal of kind Invalid that names a field, or
// one below it, in text that can be shown.
func wantBadField(t *testing.T, err error, field string) {
	t.Helper()
	refusal, ok := domain.AsError(err)
	if !ok || refusal.Kind != domain.Invalid || refusal.Reason != "invalid_field" || len(refusal.Fields) == 0 {
		t.Fatalf("%v is no refusal of a field", err)
	}
	for _, f := range refusal.Fields {
		if !strings.HasPrefix(f.Field, field) || f.Field == "" || strings.TrimSpace(f.Message) == "" || !utf8.ValidString(f.Message) {
			t.Fatalf("the refusal is of %q, %q; want the field %q", f.Field, f.Message, field)
		}
	}
}

// texts are what people type and what nobody should.
var texts = []string{"", " ", "李雷", "  李 雷\u3000", "=1+1", "<script>", "👨🏽", "❤\uFE0F", "\uFE0F", "\u2800", "\u3164", "a\u00ADb", "\U000E0041x",
	strings.Repeat("羽", 40), strings.Repeat("𠮷", 41), "a\nb", "a\r\nb", "a\u202Eb", "a\xffb", "e\u0301", "\u0000", "O'Brien", "ſt", "ıI"}

// unreadable reports whether a text has a character that cannot be seen or turns others,
// by the properties that Unicode gives them.
func unreadable(text string, lines bool) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return !(lines && r == '\n') && (unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) ||
			unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) && !unicode.In(r, unicode.Prepended_Concatenation_Mark) ||
			r == utf8.RuneError)
	})
}

func FuzzName(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		none, err := domain.ParseNameOrNone("of", text)
		if err == nil && strings.TrimSpace(text) == "" && none != "" {
			t.Errorf("nothing was read as %q", none)
		}
		name, err := domain.ParseName("of", text)
		if err != nil {
			wantBadField(t, err, "of")
			return
		}
		if unreadable(name, false) || utf8.RuneCountInString(name) > domain.MaxNameChars || name != strings.TrimSpace(text) {
			t.Errorf("%q was accepted as %q", text, name)
		}
		if !strings.ContainsFunc(name, func(r rune) bool { return !unicode.In(r, unicode.Z, unicode.Variation_Selector) && r != '\u2800' }) {
			t.Errorf("%q shows nothing", name)
		}
		if again, err := domain.ParseName("of", name); again != name || err != nil {
			t.Errorf("%q is read as %q, %v the second time", name, again, err)
		}
		if none != name {
			t.Errorf("where it may be left out %q is read as %q", name, none)
		}
	})
}

func FuzzNote(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Add(strings.Repeat("雨", 201))
	f.Fuzz(func(t *testing.T, text string) {
		note, err := domain.ParseNote("of", text)
		if err != nil {
			wantBadField(t, err, "of")
			return
		}
		if unreadable(note, true) || utf8.RuneCountInString(note) > domain.MaxNoteChars || note != strings.TrimSpace(note) {
			t.Errorf("%q was accepted as %q", text, note)
		}
		if again, err := domain.ParseNote("of", note); again != note || err != nil {
			t.Errorf("%q is read as %q, %v the second time", note, again, err)
		}
	})
}

var (
	phoneForm  = regexp.MustCompile(`^\+?[0-9]{6,15}$`)
	mobileForm = regexp.MustCompile(`^1[3-9][0-9]{9}$`)
)

func FuzzPhone(f *testing.F) {
	for _, text := range []string{"13800000001", "138 0000-0001", "+8613800000001", "8613800000001", "008613800000001", "013800000001", "+85298765432",
		"0085298765432", "021-55550100", "+86 21 5555 0100", "12345", "+", "+86", "+8600123456", "+86 0086 13800000001", "１３８００００００００", "1380000000a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		phone, err := domain.ParsePhone("of", text)
		if err != nil {
			wantBadField(t, err, "of")
			return
		}
		if !phoneForm.MatchString(phone) {
			t.Errorf("%q was accepted as %q", text, phone)
		}
		dialled := []string{phone, " " + phone[:3] + "-" + phone[3:] + " "}
		if mobileForm.MatchString(phone) {
			dialled = append(dialled, "+86"+phone, "86"+phone, "0086"+phone, "0"+phone, "+86 0"+phone)
		}
		for _, d := range dialled {
			if again, err := domain.ParsePhone("of", d); again != phone || err != nil {
				t.Errorf("%q is one phone with %q, and is read as %q, %v", d, phone, again, err)
			}
		}
		masked := domain.MaskPhone(phone)
		if strings.Contains(masked, phone) || strings.Count(masked, "*") < 4 || len(strings.ReplaceAll(masked, "*", "")) > 7 {
			t.Errorf("%q is masked as %q", phone, masked)
		}
	})
}

func FuzzCouponCode(f *testing.F) {
	for _, text := range []string{"NEW10", " once-20 ", "a_b", "", "ſ", "K", "a b", strings.Repeat("x", 33), "=1"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^[A-Z0-9_-]{1,32}$`)
	f.Fuzz(func(t *testing.T, text string) {
		code, err := domain.ParseCouponCode("of", text)
		wanted := regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`).MatchString(strings.TrimSpace(text))
		switch {
		case err != nil:
			wantBadField(t, err, "of")
			if wanted {
				t.Errorf("%q was refused", text)
			}
		case !form.MatchString(code) || !wanted || !strings.EqualFold(code, strings.TrimSpace(text)):
			t.Errorf("%q was accepted as %q", text, code)
		default:
			if again, err := domain.ParseCouponCode("of", code); again != code || err != nil {
				t.Errorf("%q is read as %q, %v the second time", code, again, err)
			}
		}
	})
}

func FuzzKey(f *testing.F) {
	for _, text := range []string{"k", "a b", "", strings.Repeat("k", 65), "é", "~!\"#", "a\x7f", "\x00"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^[!-~]{1,64}$`)
	f.Fuzz(func(t *testing.T, text string) {
		key, err := domain.ParseKey("of", text)
		if err != nil {
			wantBadField(t, err, "of")
		}
		if (err == nil) != form.MatchString(text) || (err == nil && key != text) {
			t.Errorf("%q is read as %q, %v", text, key, err)
		}
	})
}

func FuzzTicketCode(f *testing.F) {
	for _, text := range []string{"0123456789ABCDEFGHJKMNPQRS", "oil0 123-45 6789abcdefghjkmnpq", "", "\u3000", "u", "ß", "\xff"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)
	f.Fuzz(func(t *testing.T, text string) {
		code := domain.ParseTicketCode(text)
		if !domain.CanBeTicketCode(text) {
			if form.MatchString(text) {
				t.Errorf("%q can be no ticket code", text)
			}
			return
		}
		if !form.MatchString(code) {
			t.Errorf("%q can be a ticket code as %q", text, code)
		}
		typed := strings.NewReplacer("0", "o", "1", "l").Replace(strings.ToLower(code[:9] + "-" + code[9:13] + " " + code[13:]))
		if again := domain.ParseTicketCode(typed); again != code {
			t.Errorf("%q typed as %q is read as %q", code, typed, again)
		}
	})
}

// FuzzFill holds the filling of own words against a regular expression that does the same.
func FuzzFill(f *testing.F) {
	for _, text := range []string{"{number}", "{{number}}", "{", "}", "{nothing}", "{number{slots}", "您的订单 {number} 已取消", "{number", "{}"} {
		f.Add(text, "1210-0001")
	}
	f.Add("{court}{start}", "{number}")
	form := regexp.MustCompile(`\{(` + strings.Join(domain.Placeholders, "|") + `)\}`)
	f.Fuzz(func(t *testing.T, text, fact string) {
		facts := map[string]string{"number": fact, "court": "<" + fact + ">"}
		got := domain.Fill(text, facts)
		want := form.ReplaceAllStringFunc(text, func(named string) string { return facts[strings.Trim(named, "{}")] })
		if got != want {
			t.Errorf("%q with %q becomes %q, want %q", text, fact, got, want)
		}
	})
}

// TestWhatCannotBeSeen names the answers that fuzzing asked for: nobody's name may be
// invisible, or differ from another's in what nobody sees.
func TestWhatCannotBeSeen(t *testing.T) {
	for text, ok := range map[string]bool{"a\u00ADb": false, "\u3164": false, "a\u034Fb": false, "\U000E0041x": false, "\u180Ea": false, "a\uFFF9b": false, // soft hyphen, filler, joiner, tag, …
		"\uFE0F": false, "\u2800 \u2800": false, "❤\uFE0F": true, "\u0600\u0661": true, "葛\U000E0100": true, "e\u0301": true} {
		if _, err := domain.ParseName("name", text); (err == nil) != ok {
			t.Errorf("%+q as a name: %v", text, err)
		}
	}
	for text, want := range map[string]string{"+86 0086 138 0000 0001": "13800000001", "+86 00 852 9876 5432": "+85298765432", "0086+8613800000001": ""} {
		if got, _ := domain.ParsePhone("phone", text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
