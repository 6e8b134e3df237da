package httpx

import "fmt"

// pageWords are what pages say in English of a field where the text names fields or
// values as the API does: by that text, for people who see labels and no names. What is
// filled in stays.
var pageWords = map[string]string{
	"must be a positive number of fen":                          "must be an amount above 0",
	"must not be before from":                                   "must not be before the first day",
	"must be within %d days, counted from the day in from":      "must be within %s days, counted from the first day",
	"must not be earlier than from":                             "must not be earlier than the first day",
	"must be later than from; past midnight goes on as 25:00":   "must be later than the start; past midnight goes on as 25:00",
	"must be later than from":                                   "must be later than the start",
	"must be later than opens":                                  "must be later than the opening",
	"must be set, or amount_fen, and not both":                  "fill in a percentage or an amount, and not both",
	"must be set, or amount, and not both":                      "fill in a percentage or an amount, and not both",
	"must be later than valid_from":                             "must be later than the start",
	`must be "cash", "on_arrival" or "online"`:                  "choose cash, on arrival or online",
	`must be "desk" or "owner"`:                                 "choose the desk or the owner",
	`must be "venue" or "customer"`:                             "choose the venue or the customer",
	`must be "waiting", "gave_up", "sent" or "dropped"`:         "choose waiting, given up, sent or dropped",
	`must be "open" or "explained"`:                             "choose what is open or what is explained",
	"say advance, set or frozen":                                "say by how much, to what time, or whether it stands still",
	"must be from 1 to %d, for wechat, sms, mail or login_code": "must be from 1 to %s",
	"must be fewer than in the step before":                     "must be fewer hours than in the step before",
}

// PageWords gives in English, for a page, what is said of a field in English for
// programs: the same, unless that names fields as the API does.
func PageWords(english string) string {
	if plain, known := pageWords[english]; known {
		return plain
	}
	for _, s := range allSaid() {
		found := s.pattern.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		plain, known := pageWords[s.english]
		if !known {
			return english
		}
		filled := make([]any, len(found)-1)
		for i, value := range found[1:] {
			filled[i] = value
		}
		return fmt.Sprintf(plain, filled...)
	}
	return english
}
