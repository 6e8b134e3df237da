package records

import (
	"courtd/app"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// Acts are the words for what people did.
func Acts() map[string]kit.Words { return acts }

// Ticks are the numbers that stand at an axis.
func Ticks(lo, hi, unit int64, wanted int) []int64 { return newScale(lo, hi, unit, wanted).ticks() }

// YuanTick is how an axis tells a sum.
func YuanTick(fen int64) kit.Words { return yuanTick(fen) }

// BehindBy is how the pages tell how far a clock is behind.
func BehindBy(state sqlite.ClockState) kit.Words { return behindBy(state) }

// DifferenceWords are what is said of a difference, and what to do.
func DifferenceWords(code string) (what, do kit.Words) {
	return differenceWords[code].What, differenceWords[code].Do
}

// Effects are the words for what can be parked.
var Effects = effects

// SaidOfBill is what is said of what has come of a bill: by its word, in words.
func SaidOfBill(b app.BillImported) (word string, says kit.Words) {
	word = saidOf(b)
	return word, billsSaid[word]
}
