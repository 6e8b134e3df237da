package app

import (
	"context"

	"courtd/app/notify"
)

// templateOfCode fills the template that the owner has set for codes of a kind by a
// channel; nil where there is none. Carriers that allow no words of one's own would
// refuse a code without it.
func (a *App) templateOfCode(ctx context.Context, channel, kind, code string) (*notify.Template, error) {
	venue, _, _, err := a.Venue(ctx)
	if err != nil {
		return nil, err
	}
	t, ok := templatesOf(venue.Messages, channel)[kind]
	if !ok {
		return nil, nil
	}
	return filled(t, map[string]string{"code": code, "venue": venue.Name, "venue_phone": venue.Phone}), nil
}
