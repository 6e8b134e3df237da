package api

import (
	"context"
	"net/http"

	"courtd/app"
)

type runInput struct {
	Body *struct {
		DryRun      bool `json:"dry_run,omitempty" doc:"say what a round would settle, and settle nothing"`
		RetryParked bool `json:"retry_parked,omitempty" doc:"try again what has been given up"`
	} `nameHint:"RunBody"`
}

func (s *server) reconcilerCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/reconciler", id: "get-reconciler", tag: tagOwner, who: owner,
		summary: "What the reconciler did and what waits for it"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.ReconcilerView], error) {
			return replied(s.app.Reconciler(ctx))
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/reconciler/run", id: "run-reconciler", tag: tagOwner, who: owner,
		summary: "Run a round now"},
		func(ctx context.Context, _ app.Actor, in *runInput) (*reply[any], error) {
			var dryRun, retryParked bool
			if in.Body != nil {
				dryRun, retryParked = in.Body.DryRun, in.Body.RetryParked
			}
			return replied(s.run(ctx, dryRun, retryParked))
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/clock/accept", id: "accept-clock", tag: tagOwner, who: owner, conflicts: true,
		summary: "Take the machine's clock although it has gone back",
		about:   "Refused with `bookings_ahead` while anything booked, paid, ended or closed lies ahead of that clock; `until` is the last of them."},
		func(ctx context.Context, actor app.Actor, _ *emptyInput) (*reply[ClockView], error) {
			if err := app.AcceptClock(ctx, s.app.DB(), actor); err != nil {
				return nil, err
			}
			return s.clock(ctx, actor, nil)
		})
}
