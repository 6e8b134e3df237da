package records

import (
	"fmt"
	"math"
	"strings"

	"courtd/web/pages/kit"
)

// scale is a vertical axis: whole steps of a round size from lo to hi.
type scale struct{ lo, hi, step int64 }

// newScale makes an axis from at most 0 to at least 0 that has all values between its
// ends. A step is 1, 2 or 5 times a power of ten of the unit, so that its numbers
// are round, and there are about as many as wanted.
func newScale(lo, hi, unit int64, wanted int) scale {
	lo, hi = min(lo, 0), max(hi, 0)
	if lo == hi {
		hi = unit
	}
	s := scale{step: unit}
	for factor := 0; (hi-lo+s.step-1)/s.step > int64(wanted); factor++ {
		power := int64(math.Pow10((factor + 1) / 3))
		s.step = unit * power * []int64{1, 2, 5}[(factor+1)%3]
	}
	s.lo = -((-lo + s.step - 1) / s.step) * s.step
	s.hi = (hi + s.step - 1) / s.step * s.step
	return s
}

// ticks are the values that lines are drawn at, from below.
func (s scale) ticks() []int64 {
	var out []int64
	for v := s.lo; v <= s.hi; v += s.step {
		out = append(out, v)
	}
	return out
}

// y is the height of a value on a plot between two heights; heights grow downwards.
func (s scale) y(value int64, top, bottom float64) float64 {
	return round(bottom - (bottom-top)*float64(value-s.lo)/float64(s.hi-s.lo))
}

// round keeps addresses of points short.
func round(x float64) float64 { return math.Round(x*10) / 10 }

// quantity is how the numbers of a chart are told.
type quantity struct {
	unit int64 // the smallest step of an axis
	tick func(int64) kit.Words
	full func(int64) string
}

var money = quantity{unit: 100, tick: yuanTick, full: yuan}

// permille are shares in tenths of a per cent.
var permille = quantity{unit: 10, tick: func(v int64) kit.Words { return kit.Words{percentText(v), percentText(v)} }, full: percentText}

func percentText(v int64) string {
	if v%10 == 0 {
		return fmt.Sprintf("%d%%", v/10)
	}
	return fmt.Sprintf("%d.%d%%", v/10, v%10)
}

// yuan tells fen, with the sign in front.
func yuan(fen int64) string {
	if fen < 0 {
		return "−￥" + kit.Yuan(-fen)
	}
	return "￥" + kit.Yuan(fen)
}

// yuanTick is short: large sums are counted as people count them.
func yuanTick(fen int64) kit.Words {
	sign, size := "", fen/100
	if size < 0 {
		sign, size = "−", -size
	}
	if size < 10_000 {
		text := fmt.Sprintf("%s￥%d", sign, size)
		return kit.Words{text, text}
	}
	zh := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", float64(size)/10_000), "0"), ".")
	en := strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", float64(size)/1000), "0"), ".")
	return kit.Words{sign + "￥" + zh + "万", sign + "￥" + en + "k"}
}
