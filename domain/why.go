package domain

import (
	"slices"
	"strings"
)

// Why a message did not go out, in a word. WhyOrderIs is followed by the order's state.
const (
	WhyOrderIs    = "order_"
	WhySlotGone   = "slot_gone"
	WhyUndone     = "no_show_undone"
	WhyTaken      = "slot_not_free"
	WhyNoAddress  = "no_address"
	WhyNoTemplate = "no_template"
	WhyNotAllowed = "not_allowed"
	WhyRefused    = "refused"
	WhyNotSetUp   = "not_set_up"
)

// WhyNotReached are the words for what no channel could carry, although it was true: the
// customer reads it on the page. All others say that it was not true any more.
var WhyNotReached = []string{WhyNoAddress, WhyNoTemplate, WhyNotAllowed, WhyRefused, WhyNotSetUp}

// WhyStale are those others, but for WhyOrderIs.
var WhyStale = []string{WhySlotGone, WhyUndone, WhyTaken}

// IsStale reports whether a word says that a message had lost its reason.
func IsStale(why string) bool {
	return strings.HasPrefix(why, WhyOrderIs) || slices.Contains(WhyStale, why)
}
