package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// TellsWebhooks reports whether this program has a key to sign events with.
func (a *App) TellsWebhooks() bool { return a.webhooks != nil }

// RenewWebhookSecretOnce is RenewWebhookSecret for a form: the same key again makes no
// further secret, and gives the one that there is.
func (a *App) RenewWebhookSecretOnce(ctx context.Context, actor Actor, id string, key Key) (WebhookShown, error) {
	if err := a.mustTellWebhooks(); err != nil {
		return WebhookShown{}, err
	}
	var hook domain.Webhook
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		m := venue.Messages
		_, _, err := once(tx, actor, key, "renew webhook", id, func() (_ string, err error) {
			m, err = changeMessages(tx, venue, actor, "webhooks", func(m *domain.Messages) error {
				hook, err := webhookIn(m, id)
				if err == nil {
					hook.Generation++
				}
				return err
			})
			return id, err
		})
		if err == nil {
			hook, err = webhookOf(m, id)
		}
		return err
	})
	if err != nil {
		return WebhookShown{}, err
	}
	return WebhookShown{hook, a.webhooks.Secret(hook)}, nil
}

// EventsToReplay counts the events of a time that a webhook would be told again, among
// those that one replay looks at; more says that there are others.
func (a *App) EventsToReplay(ctx context.Context, id string, from, to domain.Instant) (n int, more bool, err error) {
	err = a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		hook, err := webhookOf(venue.Messages, id)
		if err != nil {
			return err
		}
		events, err := s.EventsBetween(hook.Kinds, from, to, domain.MaxReplay+1)
		n, more = min(len(events), domain.MaxReplay), len(events) > domain.MaxReplay
		return err
	})
	return n, more, err
}

// SendTestOnce is SendTest for a form: the same key again sends nothing more, and reports
// that it did not. It is the key that is used up before the channel is asked, so that two
// at the same moment are one message.
func (a *App) SendTestOnce(ctx context.Context, actor Actor, test TestMessage, key Key) (repeated bool, err error) {
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) (err error) {
		_, repeated, err = once(tx, actor, key, "send test", test, func() (string, error) { return "begun", nil })
		return err
	})
	if err != nil || repeated {
		return repeated, err
	}
	return false, a.SendTest(ctx, actor, test)
}
