package wechat

import (
	"regexp"
	"strings"
	"unicode"

	"courtd/app/wechatapi"
)

// nothing stands where there is nothing to say: WeChat refuses an empty parameter.
const nothing = "-"

// momentForms are how WeChat has a time or a date written; a span is two of them. A time may
// be without its day, and a date without its time.
var momentForms = map[string]*regexp.Regexp{
	"time": regexp.MustCompile(`^(` + day + ` ?)?` + clock + `(~(` + day + ` ?)?` + clock + `)?$|^` + day + `(~` + day + `)?$`),
	"date": regexp.MustCompile(`^` + day + `( ?` + clock + `)?(~` + day + `( ?` + clock + `)?)?$`),
}

const (
	day   = `[0-9]{4}年(1[0-2]|0?[1-9])月(3[01]|[12][0-9]|0?[1-9])日`
	clock = `(2[0-4]|[01]?[0-9]):[0-5][0-9](:[0-5][0-9])?`
)

// IsMoment reports whether the parameter of a name is a time or a date, which has a form of
// its own and is not cut to fit.
func IsMoment(name string) bool { return momentForms[strings.TrimRight(name, "0123456789")] != nil }

var amountForm = regexp.MustCompile(`^([¥￥$€£]?)([0-9]{1,10})(\.[0-9]{1,2})?[0-9]*(元?)$`)

// Fit makes text a value that WeChat takes for the parameter of this name, such as
// "thing2": the name's beginning says what may stand there, and how many characters (code
// points, not bytes). What is too long is cut, what may not stand there is left out, and
// where nothing is left a "-" stands if it may. It is not ok if nothing can stand there:
// an amount or a time that is missing or malformed is not made up, and none is cut, for it
// would say something else.
func Fit(name, text string) (value string, ok bool) {
	text = strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(text, ""))), " ")
	switch strings.TrimRight(name, "0123456789") {
	case "phrase":
		return or(first(keep(text, han), 5), "无"), true
	case "character_string":
		return or(first(keep(text, func(r rune) bool { return r > ' ' && r <= '~' }), 32), nothing), true
	case "number":
		value = first(number(text), 32)
		return value, value != ""
	case "letter":
		value = first(keep(text, latin), 32)
		return value, value != ""
	case "symbol":
		return or(first(keep(text, symbol), 5), nothing), true
	case "time", "date":
		return text, momentForms[strings.TrimRight(name, "0123456789")].MatchString(text)
	case "amount":
		return amount(text)
	case "phone_number":
		return or(first(keep(text, func(r rune) bool { return strings.ContainsRune("0123456789+*()- ", r) }), 17), nothing), true
	case "car_number":
		value = first(keep(text, func(r rune) bool { return han(r) || latin(r) || digit(r) }), 8)
		return value, value != ""
	case "name":
		return person(text), true
	}
	// "thing", and kinds that are not known here.
	return or(wechatapi.Cut(text, 20), nothing), true
}

// visible turns line breaks and other control characters into spaces.
func visible(r rune) rune {
	if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
		return ' '
	}
	return r
}

func han(r rune) bool   { return unicode.Is(unicode.Han, r) }
func digit(r rune) bool { return r >= '0' && r <= '9' }
func latin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func symbol(r rune) bool {
	return r > ' ' && r <= '~' && !latin(r) && !digit(r) || unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// keep leaves out what may not stand there.
func keep(text string, may func(rune) bool) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if may(r) {
			return r
		}
		return -1
	}, text))
}

// first is the beginning of text, without a sign that something is missing.
func first(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most]))
	}
	return text
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// number keeps digits, and one point between them.
func number(text string) string {
	whole, rest, point := strings.Cut(keep(text, func(r rune) bool { return digit(r) || r == '.' }), ".")
	rest = keep(rest, digit)
	if whole == "" || !point || rest == "" {
		return whole + rest
	}
	return whole + "." + rest
}

// amount is a sum of money with two decimals at most, with its sign and "元" if it has them.
func amount(text string) (string, bool) {
	found := amountForm.FindStringSubmatch(strings.NewReplacer(" ", "", ",", "").Replace(text))
	if found == nil {
		return "", false
	}
	if found[3] == "" && len(found[0]) > len(found[1])+len(found[2])+len(found[4]) {
		return "", false // more digits than there may be
	}
	return found[1] + found[2] + found[3] + found[4], true
}

// person is a name: of 10 characters if any is Chinese, else of 20 letters and symbols.
func person(text string) string {
	if strings.ContainsFunc(text, han) {
		return first(keep(text, func(r rune) bool { return han(r) || latin(r) || r == '·' }), 10)
	}
	return or(first(keep(text, func(r rune) bool { return r >= ' ' && r <= '~' && !digit(r) && !strings.ContainsRune("[]^_`{|}~\\", r) }), 20), nothing)
}
