package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseName reads a short text of one line: 1 to 40 characters after trimming.
// Characters that nobody can see, that end a line or that turn its direction
// are refused: they make one name look like another. A refusal names the field.
func ParseName(field, s string) (string, error) {
	if err := refuseHidden(field, s, false); err != nil {
		return "", err
	}
	name := strings.TrimSpace(s)
	if !strings.ContainsFunc(name, leavesMark) {
		return "", BadField(field, "must not be empty")
	}
	if utf8.RuneCountInString(name) > MaxNameChars {
		return "", BadField(field, "must not be longer than %d characters", MaxNameChars)
	}
	return name, nil
}

// ParseNameOrNone is ParseName where a name may be left out.
func ParseNameOrNone(field, s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", refuseHidden(field, s, false)
	}
	return ParseName(field, s)
}

// ParseNote reads a text of up to 200 characters after trimming, empty or of
// several lines, which come back parted by "\n". Else it is as strict as ParseName.
func ParseNote(field, s string) (string, error) {
	if err := refuseHidden(field, s, true); err != nil {
		return "", err
	}
	note := strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s))
	if utf8.RuneCountInString(note) > MaxNoteChars {
		return "", BadField(field, "must not be longer than %d characters", MaxNoteChars)
	}
	return note, nil
}

func refuseHidden(field, s string, linesAllowed bool) error {
	if !utf8.ValidString(s) {
		return BadField(field, "must be valid UTF-8")
	}
	for _, char := range s {
		if linesAllowed && (char == '\n' || char == '\r') {
			continue
		}
		if hidden(char) {
			return BadField(field, "must not contain the character %U", char)
		}
	}
	return nil
}

// hidden reports whether a character changes the text around it or cannot be seen.
func hidden(char rune) bool {
	switch {
	case unicode.IsControl(char):
		return true
	case char == '\u2028', char == '\u2029': // line and paragraph separator
		return true
	case char == '\u061C', char == '\u200E', char == '\u200F': // direction marks
		return true
	case char >= '\u202A' && char <= '\u202E', char >= '\u2066' && char <= '\u2069': // embeddings, overrides, isolates
		return true
	case char >= '\u200B' && char <= '\u200D', char == '\u2060', char == '\uFEFF': // zero width
		return true
	case char == utf8.RuneError: // what JSON decoders make of bytes that are not UTF-8
		return true
	case unicode.In(char, unicode.Prepended_Concatenation_Mark): // of no category but that of the next, and seen
		return false
	case unicode.In(char, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point): // soft hyphens, fillers, tags and their like
		return true
	}
	return false
}

// leavesMark reports whether a character is seen where it stands alone. Those that
// choose the form of another are not, nor are blanks, that of braille among them.
func leavesMark(char rune) bool {
	return !unicode.In(char, unicode.White_Space, unicode.Variation_Selector) && char != '\u2800'
}

// ParsePhone reads a phone number with or without spaces and hyphens and returns
// its digits, after a "+" if it is a foreign one. +86 is dropped, 00 is a "+", and a
// Chinese mobile number is itself however it is dialled, so that one phone is one
// customer. A refusal names the field.
func ParsePhone(field, s string) (string, error) {
	compact := strings.NewReplacer(" ", "", "-", "").Replace(s)
	phone, chinese := compact, false
	for ok := true; ok; ok = strings.HasPrefix(phone, "00") { // no number within China begins so
		if abroad, dialled := strings.CutPrefix(phone, "00"); dialled {
			phone = "+" + abroad
		}
		phone, chinese = strings.CutPrefix(phone, "+86")
	}
	for _, dialled := range []string{"86", "0"} {
		if mobile, ok := strings.CutPrefix(phone, dialled); ok && chineseMobile(mobile) {
			phone = mobile
		}
	}
	digits := phone
	if !chinese {
		digits = strings.TrimPrefix(phone, "+")
	}
	if len(digits) < MinPhoneDigits || len(digits) > MaxPhoneDigits || strings.Trim(digits, "0123456789") != "" {
		return "", BadField(field, "must be a phone number of %d to %d digits", MinPhoneDigits, MaxPhoneDigits)
	}
	return phone, nil
}

// chineseMobile reports whether digits are a mobile number of China: eleven of them
// from 13 to 19 on. No number of a landline has that form after 86 or 0.
func chineseMobile(s string) bool {
	return len(s) == 11 && s[0] == '1' && s[1] >= '3' && strings.Trim(s, "0123456789") == ""
}

// MaskPhone hides the middle of a phone number: "138****5678". Of a short one
// less is shown, of a very short one nothing.
func MaskPhone(phone string) string {
	head, tail := 3, 4
	switch length := len(phone); {
	case length < MinPhoneDigits:
		head, tail = 0, 0
	case length < 10:
		head, tail = 0, 2
	}
	return phone[:head] + "****" + phone[len(phone)-tail:]
}

// ParseCouponCode reads 1 to 32 of letters, digits, "-" and "_" and returns them
// in capitals. A refusal names the field.
func ParseCouponCode(field, s string) (string, error) {
	code := strings.TrimSpace(s)
	if code == "" || len(code) > MaxCouponCodeChars {
		return "", BadField(field, "must have 1 to %d characters", MaxCouponCodeChars)
	}
	for _, char := range code {
		// Before ToUpper, which makes ASCII of a few letters that are not.
		if (char < 'A' || char > 'Z') && (char < 'a' || char > 'z') && (char < '0' || char > '9') && char != '-' && char != '_' {
			return "", BadField(field, "must consist of letters, digits, - and _")
		}
	}
	return strings.ToUpper(code), nil
}

// ParseKey reads an idempotency key or a nonce: 1 to 64 visible ASCII
// characters, kept as they are. A refusal names the field.
func ParseKey(field, s string) (string, error) {
	if s == "" || len(s) > MaxKeyChars {
		return "", BadField(field, "must have 1 to %d characters", MaxKeyChars)
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return "", BadField(field, "must consist of visible ASCII characters")
		}
	}
	return s, nil
}

// ParseTicketCode brings a scanned or typed ticket code into the form it is
// kept in: no spaces, no hyphens, capitals, and the digits that O, I and L are
// mistaken for. What no code can be is simply unknown.
func ParseTicketCode(s string) string {
	return strings.Map(func(char rune) rune {
		switch {
		case char == '-' || unicode.IsSpace(char):
			return -1
		case char == 'O':
			return '0'
		case char == 'I' || char == 'L':
			return '1'
		}
		return char
	}, strings.ToUpper(s))
}

// CanBeTicketCode reports whether a scanned or typed text has the form of a ticket
// code: 26 characters of Crockford's base 32.
func CanBeTicketCode(s string) bool {
	code := ParseTicketCode(s)
	return len(code) == ticketCodeChars && strings.Trim(code, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

const ticketCodeChars = 26
