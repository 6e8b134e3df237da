package domain

import (
	"slices"
	"strings"
)

// Limits of login codes as a whole, whatever phones they are for. What one phone gets is
// bounded by LoginCodesPerDay.
const (
	DefaultDailyCodes = 500 // codes that a channel carries in a day, where the owner has not said otherwise

	// LoginCodesShare is the part of them that one address can cause, so that no stranger
	// alone uses up what there is for all.
	LoginCodesShare = 10

	MaxCodeCountries = 30 // country codes to which codes are sent
)

// DefaultCodeCountries are where codes go by SMS unless the owner has said otherwise. A
// text message to some numbers costs a hundred times as much as to others, and whoever
// runs such a number earns by it.
var DefaultCodeCountries = []string{"86", "852", "853", "886"}

// dearNumbers are never sent codes: what is dialled there is billed to the caller, also
// where its country is one that the owner has allowed.
var dearNumbers = []string{"1900", "1976", "979"}

// DailyCodes is how many login codes a channel carries in a day.
func (m Messages) DailyCodes() int {
	if n := m.Daily[KindLoginCode]; n > 0 {
		return n
	}
	return DefaultDailyCodes
}

// CodesFromOnePlace is how many of them one address can cause.
func (m Messages) CodesFromOnePlace() int {
	return max(m.DailyCodes()/LoginCodesShare, LoginCodesPerAddress)
}

// CountriesOfCodes are the country codes to whose numbers login codes are sent by SMS.
func (m Messages) CountriesOfCodes() []string {
	if len(m.CodeCountries) > 0 {
		return m.CodeCountries
	}
	return DefaultCodeCountries
}

// GetsCodes reports whether a login code is sent by SMS to a phone, as ParsePhone gives
// it: to a mobile number of China, or one that names another country which is allowed.
// Who has another phone is entered by the desk.
func (m Messages) GetsCodes(phone string) bool {
	countries := m.CountriesOfCodes()
	abroad, named := strings.CutPrefix(phone, "+")
	if !named {
		return chineseMobile(phone) && slices.Contains(countries, "86")
	}
	begins := func(code string) bool { return strings.HasPrefix(abroad, code) }
	return slices.ContainsFunc(countries, begins) && !slices.ContainsFunc(dearNumbers, begins)
}

// validateCodes reports what is wrong with the settings of login codes.
func (m Messages) validateCodes() error {
	if len(m.CodeCountries) > MaxCodeCountries {
		return BadField("code_countries", "must be at most %d", MaxCodeCountries)
	}
	for i, code := range m.CodeCountries {
		if code == "" || len(code) > 3 || code[0] == '0' || strings.Trim(code, "0123456789") != "" || slices.Contains(m.CodeCountries[:i], code) {
			return BadField("code_countries", "must be country codes of up to three digits without a plus sign, such as 852, each once")
		}
	}
	return nil
}
