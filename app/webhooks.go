package app

import (
	"context"
	"slices"
	"strconv"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// WebhookShown is a webhook with the secret that its events are signed with. The
// secret is shown when it is made; it is not kept.
type WebhookShown struct {
	domain.Webhook
	Secret string `json:"secret"`
}

func (a *App) mustTellWebhooks() error {
	if a.webhooks == nil {
		return domain.Refuse(domain.Unavailable, "webhooks_not_set_up", "this program has no key to sign events with")
	}
	return nil
}

// AddWebhook has events of some kinds told to an address. The same key adds one.
func (a *App) AddWebhook(ctx context.Context, actor Actor, url string, kinds []string, key Key) (WebhookShown, error) {
	if err := actor.mustBeOwner(); err != nil {
		return WebhookShown{}, err
	}
	if err := a.mustTellWebhooks(); err != nil {
		return WebhookShown{}, err
	}
	hook := domain.Webhook{ID: secret.NewID(), URL: url, Kinds: kinds, Generation: 1, Active: true}
	if err := hook.Validate(""); err != nil {
		return WebhookShown{}, err
	}
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		id, repeated, err := once(tx, actor, key, "add webhook", []any{url, kinds}, func() (string, error) {
			_, err := changeMessages(tx, venue, actor, "webhooks", func(m *domain.Messages) error {
				m.Webhooks = append(m.Webhooks, hook)
				return nil
			})
			return hook.ID, err
		})
		if err == nil && repeated {
			hook, err = webhookOf(venue.Messages, id)
		}
		return err
	})
	if err != nil {
		return WebhookShown{}, err
	}
	first := hook
	first.Generation = 1 // what was shown then; a newer secret is not told again
	return WebhookShown{hook, a.webhooks.Secret(first)}, nil
}

func webhookOf(m domain.Messages, id string) (domain.Webhook, error) {
	hook, err := webhookIn(&m, id)
	if err != nil {
		return domain.Webhook{}, err
	}
	return *hook, nil
}

// webhookIn finds a webhook to change it in place.
func webhookIn(m *domain.Messages, id string) (*domain.Webhook, error) {
	i := slices.IndexFunc(m.Webhooks, func(w domain.Webhook) bool { return w.ID == id })
	if i < 0 {
		return nil, domain.Refuse(domain.NotFound, "not_found", "no such webhook")
	}
	return &m.Webhooks[i], nil
}

// ChangeWebhook sets where a webhook is, what it is told and whether it is told at all.
func (a *App) ChangeWebhook(ctx context.Context, actor Actor, id string, change func(*domain.Webhook)) (domain.Webhook, error) {
	var out domain.Webhook
	_, err := a.ChangeMessages(ctx, actor, "webhooks", func(m *domain.Messages) error {
		hook, err := webhookIn(m, id)
		if err != nil {
			return err
		}
		change(hook)
		hook.ID = id
		out = *hook
		return out.Validate("")
	})
	return out, err
}

// RenewWebhookSecret gives a webhook another secret; the one before is worth nothing
// from then on.
func (a *App) RenewWebhookSecret(ctx context.Context, actor Actor, id string, key Key) (WebhookShown, error) {
	venue, _, _, err := a.Venue(ctx)
	if err != nil {
		return WebhookShown{}, err
	}
	if _, err := webhookOf(venue.Messages, id); err != nil {
		return WebhookShown{}, err
	}
	if err := a.mustTellWebhooks(); err != nil {
		return WebhookShown{}, err
	}
	return a.RenewWebhookSecretOnce(ctx, actor, id, key)
}

// RemoveWebhook forgets a webhook. What still waits for it is dropped by the outbox.
func (a *App) RemoveWebhook(ctx context.Context, actor Actor, id string) error {
	_, err := a.ChangeMessages(ctx, actor, "webhooks", func(m *domain.Messages) error {
		if _, err := webhookIn(m, id); err != nil {
			return err
		}
		m.Webhooks = slices.DeleteFunc(m.Webhooks, func(w domain.Webhook) bool { return w.ID == id })
		return nil
	})
	return err
}

// switchOff has a webhook told no more whose address says that it is gone. What still
// waits for it is dropped, and can be replayed when it is back.
func switchOff(tx *sqlite.Tx, id string) error {
	venue, err := mustVenue(&tx.Snapshot)
	if err != nil {
		return err
	}
	_, err = changeMessages(tx, venue, Actor{Role: RoleSystem, ID: "outbox"}, "webhooks", func(m *domain.Messages) error {
		if hook, err := webhookIn(m, id); err == nil { // else it has been removed meanwhile
			hook.Active = false
		}
		return nil
	})
	return err
}

// ReplayEvents tells a webhook once more of everything that happened in [from, to) and
// that it listens to, under the same ids. It returns how many events those are; a
// thousand at most are told by one replay.
func (a *App) ReplayEvents(ctx context.Context, actor Actor, id string, from, to domain.Instant, key Key) (n int, err error) {
	if err := actor.mustBeOwner(); err != nil {
		return 0, err
	}
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		n = 0
		hook, err := webhookOf(venue.Messages, id)
		if err != nil {
			return err
		}
		told, _, err := once(tx, actor, key, "replay events", []any{id, from, to}, func() (string, error) {
			events, err := tx.EventsBetween(hook.Kinds, from, to, domain.MaxReplay)
			if err != nil {
				return "", err
			}
			n = len(events)
			for _, e := range events {
				if err := tx.Replay(e.ID, hook.Channel()); err != nil {
					return "", err
				}
			}
			return strconv.Itoa(n), tx.Audit(actor.audit("replay events", id, "", map[string]any{"from": int64(from), "to": int64(to), "events": n}))
		})
		if err != nil {
			return err
		}
		n, err = strconv.Atoi(told)
		return err
	})
	return n, err
}
