package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/domain"
)

type textCase struct {
	in, want string
	ok       bool
}

func checkParser(t *testing.T, parse func(field, s string) (string, error), cases []textCase) {
	t.Helper()
	for _, tc := range cases {
		got, err := parse("contact.it", tc.in)
		if !tc.ok {
			wantFields(t, err, "contact.it")
			if err == nil {
				t.Errorf("%q was accepted as %q", tc.in, got)
			}
			continue
		}
		if err != nil || got != tc.want {
			t.Errorf("%q gives %q, %v; want %q", tc.in, got, err, tc.want)
		}
	}
}

// hiddenChars can be neither in a name nor in a note.
var hiddenChars = []rune{0, 1, '\t', '\v', 0x1B, 0x7F, 0x85, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029,
	0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF, 0xFFFD}

func TestParseName(t *testing.T) {
	cases := []textCase{
		{"李雷", "李雷", true}, {"  李 雷\u3000", "李 雷", true}, {"=1+1", "=1+1", true}, {"<script>", "<script>", true}, {"👨🏽", "👨🏽", true},
		{strings.Repeat("羽", 40), strings.Repeat("羽", 40), true},
		{strings.Repeat("羽", 41), "", false},
		{strings.Repeat("𠮷", 40), strings.Repeat("𠮷", 40), true}, // four bytes each
		{" " + strings.Repeat("a", 40) + " ", strings.Repeat("a", 40), true},
		{"", "", false}, {"  \u3000", "", false}, {"a\nb", "", false}, {"a\rb", "", false}, {"\nab", "", false},
		{"a\xffb", "", false}, {"\xe6\x9d", "", false}, {"a\xed\xa0\x80b", "", false},
	}
	for _, char := range hiddenChars {
		cases = append(cases, textCase{in: fmt.Sprintf("a%cb", char)}, textCase{in: fmt.Sprintf("ab%c", char)})
	}
	checkParser(t, domain.ParseName, cases)
}

func TestParseNote(t *testing.T) {
	cases := []textCase{
		{"", "", true}, {" \n ", "", true}, {"雨天\r\n改期\r好\n", "雨天\n改期\n好", true},
		{strings.Repeat("雨", 200), strings.Repeat("雨", 200), true}, {strings.Repeat("雨", 201), "", false},
		{"a\xffb", "", false},
	}
	for _, char := range hiddenChars {
		cases = append(cases, textCase{in: fmt.Sprintf("a%cb", char)})
	}
	checkParser(t, domain.ParseNote, cases)
}

func TestParsePhone(t *testing.T) {
	checkParser(t, domain.ParsePhone, []textCase{
		{"13812345678", "13812345678", true}, {"138 1234-5678", "13812345678", true}, {"+86 138 1234 5678", "13812345678", true},
		{"+8613812345678", "13812345678", true}, {"8613812345678", "13812345678", true}, {"008613812345678", "13812345678", true}, {"0086 138-1234-5678", "13812345678", true},
		{"013812345678", "13812345678", true}, {"+86013812345678", "13812345678", true}, {"+13812345678", "+13812345678", true}, {"8612812345678", "8612812345678", true},
		{"861381234567", "861381234567", true}, {"02155550100", "02155550100", true}, {"0049 151 1234567", "+491511234567", true}, {"00", "", false}, {"0012345", "", false}, {"+49 151 1234567", "+491511234567", true},
		{"123456", "123456", true}, {"12345", "", false}, {"123456789012345", "123456789012345", true}, {"1234567890123456", "", false},
		{"+123456789012345", "+123456789012345", true}, {"+1234567890123456", "", false},
		{"+86+13812345678", "", false}, {"+8612345", "", false}, {"++4915112345", "", false}, {"", "", false}, {"+", "", false},
		{"138123456a8", "", false}, {"１３８１２３４５６７８", "", false}, {"13812345678\n", "", false}, {"1381234+5678", "", false},
	})
}

func TestMaskPhone(t *testing.T) {
	for in, want := range map[string]string{"13812345678": "138****5678", "+491511234567": "+49****4567", "1234567": "****67", "123456": "****56", "12345": "****", "": "****"} {
		if got := domain.MaskPhone(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

func TestParseCouponCode(t *testing.T) {
	checkParser(t, domain.ParseCouponCode, []textCase{
		{"new-20_X", "NEW-20_X", true}, {" abc ", "ABC", true}, {strings.Repeat("a", 32), strings.Repeat("A", 32), true},
		{strings.Repeat("a", 33), "", false}, {"", "", false}, {"  ", "", false}, {"a b", "", false}, {"新人", "", false}, {"ſ", "", false}, {"a\x00", "", false},
	})
}

func TestParseKey(t *testing.T) {
	checkParser(t, domain.ParseKey, []textCase{
		{"aB-!~", "aB-!~", true}, {strings.Repeat("k", 64), strings.Repeat("k", 64), true},
		{strings.Repeat("k", 65), "", false}, {"", "", false}, {"a b", "", false}, {" a", "", false}, {"a\x7f", "", false}, {"ä", "", false}, {"a\n", "", false},
	})
}

func TestParseTicketCode(t *testing.T) {
	for in, want := range map[string]string{"abcd-efgh 1234\n": "ABCDEFGH1234", "": "", " - ": "", "ABC": "ABC", "票": "票", "oil 0i": "01101"} {
		if got := domain.ParseTicketCode(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	const code = "0123456789ABCDEFGHJKMNPQRS"
	for in, want := range map[string]bool{code: true, "tvwx yz12-3456 7890 abcd efgh oI": true, code[1:]: false, code + "0": false,
		code[:25] + "U": false, code[:12] + "*" + code[13:]: false, code[:23] + "票": false, "": false} {
		if got := domain.CanBeTicketCode(in); got != want {
			t.Errorf("whether %q can be a ticket code: %t, want %t", in, got, want)
		}
	}
}
