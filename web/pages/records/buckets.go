package records

import (
	"fmt"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// Charts of more days than these show weeks, and of more than those months: bars
// have to be told apart on a phone.
const (
	mostDayBars  = 31
	mostWeekDays = 126
)

// bucket is one column of a chart over time: the days from one place of a run up
// to, and not including, another.
type bucket struct {
	column
	from, to int
}

// buckets cuts a run of days into days, weeks that begin on Monday, or months. per
// says which.
func buckets(days []domain.Date) (out []bucket, per kit.Words) {
	same, per := func(a, b domain.Date) bool { return false }, kit.Words{"每日", "Per day"}
	switch {
	case len(days) > mostWeekDays:
		same, per = func(a, b domain.Date) bool { return first(a) == first(b) }, kit.Words{"每月", "Per month"}
	case len(days) > mostDayBars:
		same, per = func(a, b domain.Date) bool { return monday(a) == monday(b) }, kit.Words{"每周", "Per week"}
	}
	for i, d := range days {
		if i > 0 && same(days[i-1], d) {
			out[len(out)-1].to = i + 1
			continue
		}
		out = append(out, bucket{from: i, to: i + 1})
	}
	for i := range out {
		out[i].column = columnOf(days[out[i].from], days[out[i].to-1], len(days) > mostWeekDays)
	}
	return out, per
}

func columnOf(start, end domain.Date, month bool) column {
	short := start.String()[len("2006-"):]
	switch {
	case month:
		name := fmt.Sprintf("%04d-%02d", start.Year, int(start.Month))
		return column{name: kit.Words{name, name}, tip: spanWords(domain.DateSpan{From: start, Until: end})}
	case start == end:
		day := kit.Weekday(int(start.Weekday()))
		return column{name: kit.Words{short, short}, tip: kit.Words{start.String() + " " + day[0], day[1] + " " + start.String()}}
	}
	return column{name: kit.Words{short, short}, tip: spanWords(domain.DateSpan{From: start, Until: end})}
}

func columnsOf(buckets []bucket) []column {
	out := make([]column, len(buckets))
	for i, b := range buckets {
		out[i] = b.column
	}
	return out
}
