package app

import (
	"fmt"
	"maps"
	"slices"

	"courtd/app/notify"
	fitting "courtd/app/notify/wechat"
	"courtd/domain"
	"courtd/sqlite"
)

// wrongMoments reports parameters of WeChat's templates that are times or dates and are
// filled with something else: WeChat would refuse every one of these messages. What was
// kept before is left as it is.
func wrongMoments(s *sqlite.Snapshot, venue sqlite.Venue, m domain.Messages) error {
	var bad []error
	court := ""
	for _, kind := range slices.Sorted(maps.Keys(m.WeChat)) {
		if old, had := venue.Messages.WeChat[kind]; had && same(old, m.WeChat[kind]) || !slices.Contains(domain.NoticeKinds, kind) {
			continue
		}
		if court == "" {
			first, err := firstCourt(s)
			if err != nil {
				return err
			}
			court = first
		}
		_, values := wordsOf(venue, kind, sampleFacts(venue, court, s.Now))
		for i, v := range filled(m.WeChat[kind], values).Values {
			if _, fits := fitting.Fit(v.Name, v.Text); fitting.IsMoment(v.Name) && !fits {
				bad = append(bad, domain.BadField(fmt.Sprintf("wechat.%s.params[%d].from", kind, i),
					"must come to a date or time as WeChat writes it, such as 2026年12月10日 19:00, and comes to %q", v.Text))
			}
		}
	}
	return domain.Together(bad...)
}

// unfit gives the names of values that WeChat refuses and that are not made to fit.
func unfit(values []notify.Value) []string {
	var out []string
	for _, v := range values {
		if _, ok := fitting.Fit(v.Name, v.Text); !ok {
			out = append(out, v.Name)
		}
	}
	return out
}
