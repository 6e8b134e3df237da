package api

import (
	"context"
	"net/http"
	"time"

	"courtd/app"
	"courtd/domain"
)

type newWebhookInput struct {
	Keyed
	Body struct {
		URL   string   `json:"url" example:"https://venue.example/events"`
		Kinds []string `json:"kinds" doc:"kinds of events, such as slot.freed"`
	} `nameHint:"NewWebhookBody"`
}

type webhookInput struct {
	ByID
	Body struct {
		URL    *string   `json:"url,omitempty"`
		Kinds  *[]string `json:"kinds,omitempty"`
		Active *bool     `json:"active,omitempty"`
	} `nameHint:"WebhookBody"`
}

type replayInput struct {
	ByID
	Keyed
	Body struct {
		From time.Time `json:"from"`
		To   time.Time `json:"to"`
	} `nameHint:"ReplayBody"`
}

// Replayed is how many events are told again.
type Replayed struct {
	Events int `json:"events"`
}

func (s *server) webhookCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/webhooks", id: "list-webhooks", tag: tagOwner, who: owner,
		summary: "Addresses of the venue's own software"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[domain.Webhook]], error) {
			venue, _, now, err := s.app.Venue(ctx)
			if err != nil {
				return nil, err
			}
			return listed(ctx, s, venue.Messages.Webhooks, now), nil
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/webhooks", status: http.StatusCreated, id: "add-webhook", tag: tagOwner, who: owner,
		summary: "Have events told to an address", about: "Events are signed after Standard Webhooks. The secret is shown now and never again."},
		func(ctx context.Context, actor app.Actor, in *newWebhookInput) (*made[app.WebhookShown], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			out, err := s.app.AddWebhook(ctx, actor, in.Body.URL, in.Body.Kinds, key)
			if err != nil {
				return nil, err
			}
			return madeAt("/owner/webhooks/"+out.ID, out), nil
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/webhooks/{id}", id: "put-webhook", tag: tagOwner, who: owner,
		summary: "Change a webhook", about: "What is left out stays."},
		func(ctx context.Context, actor app.Actor, in *webhookInput) (*reply[domain.Webhook], error) {
			return replied(s.app.ChangeWebhook(ctx, actor, in.ID, func(w *domain.Webhook) {
				set(&w.URL, in.Body.URL)
				set(&w.Kinds, in.Body.Kinds)
				set(&w.Active, in.Body.Active)
			}))
		})
	register(s, call{method: http.MethodDelete, path: base + "/owner/webhooks/{id}", id: "remove-webhook", tag: tagOwner, who: owner,
		summary: "Forget a webhook"},
		func(ctx context.Context, actor app.Actor, in *ByID) (*struct{}, error) {
			return nil, s.app.RemoveWebhook(ctx, actor, in.ID)
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/webhooks/{id}/secret", id: "renew-webhook-secret", tag: tagOwner, who: owner,
		summary: "Give a webhook another secret", about: "The one before is worth nothing from then on."},
		func(ctx context.Context, actor app.Actor, in *KeyedID) (*reply[app.WebhookShown], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.RenewWebhookSecret(ctx, actor, in.ID, key))
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/webhooks/{id}/replay", id: "replay-webhook", tag: tagOwner, who: owner,
		summary: "Tell a webhook of a time once more", about: "From the first instant up to, and without, the second; at most 1000 events, under the same ids."},
		func(ctx context.Context, actor app.Actor, in *replayInput) (*reply[Replayed], error) {
			from, to := domain.InstantOf(in.Body.From), domain.InstantOf(in.Body.To)
			if to <= from {
				return nil, domain.BadField("to", "must be after the beginning")
			}
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			n, err := s.app.ReplayEvents(ctx, actor, in.ID, from, to, key)
			return replied(Replayed{n}, err)
		})
}
