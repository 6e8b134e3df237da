package api

import (
	"context"
	"net/http"
	"strings"

	"courtd/app"
	"courtd/domain"
)

type closureInput struct {
	Keyed
	Body struct {
		Courts         []string `json:"courts"`
		From           string   `json:"from" format:"date-time"`
		To             string   `json:"to" format:"date-time"`
		Reason         string   `json:"reason,omitempty" doc:"up to 200 characters; customers are told"`
		CancelBookings bool     `json:"cancel_bookings,omitempty" doc:"cancel what it hits, with everything paid for it back"`
	} `nameHint:"ClosureBody"`
}

type closurePreviewInput struct {
	Courts         []string `query:"courts,explode" required:"true" doc:"one or more ids, parted by commas" example:"[\"c1\",\"c2\"]"`
	From           string   `query:"from" required:"true" example:"2026-12-10T17:30:00+08:00"`
	To             string   `query:"to" required:"true" example:"2026-12-10T19:00:00+08:00"`
	Reason         string   `query:"reason"`
	CancelBookings bool     `query:"cancel_bookings"`
}

func closureRequest(courts []string, from, to, reason string, cancel bool) (req app.ClosureRequest, err error) {
	req = app.ClosureRequest{Courts: courts, Reason: reason, CancelBookings: cancel}
	if req.From, err = parseInstant("from", from); err != nil {
		return req, err
	}
	req.To, err = parseInstant("to", to)
	return req, err
}

func (s *server) closureCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/closures", id: "list-closures", tag: tagOwner, who: owner,
		summary: "Closures that stand and are not over"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[app.ClosureView]], error) {
			closures, now, err := s.app.Closures(ctx)
			if err != nil {
				return nil, err
			}
			return listed(ctx, s, closures, domain.InstantOf(now)), nil
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/closures", id: "add-closure", tag: tagOwner, who: owner, status: http.StatusCreated,
		summary: "Take courts out of sale for a while"}, s.addClosure)
	register(s, call{method: http.MethodGet, path: base + "/owner/closures/preview", id: "preview-closure", tag: tagOwner, who: owner,
		summary: "Which bookings a closure would hit"},
		func(ctx context.Context, _ app.Actor, in *closurePreviewInput) (*reply[app.ClosurePreview], error) {
			unescaped := func(text string) string { return strings.ReplaceAll(text, " ", "+") }
			courts := strings.Split(strings.Join(in.Courts, ","), ",")
			req, err := closureRequest(courts, unescaped(in.From), unescaped(in.To), in.Reason, in.CancelBookings)
			if err != nil {
				return nil, err
			}
			return replied(s.app.PreviewClosure(ctx, req))
		})
	register(s, call{method: http.MethodDelete, path: base + "/owner/closures/{id}", id: "lift-closure", tag: tagOwner, who: owner,
		summary: "Put the courts back on sale"},
		func(ctx context.Context, actor app.Actor, in *ByID) (*reply[app.ClosureView], error) {
			return replied(s.app.LiftClosure(ctx, actor, in.ID))
		})
}

func (s *server) addClosure(ctx context.Context, actor app.Actor, in *closureInput) (*made[app.ClosureMade], error) {
	key, err := in.key()
	if err != nil {
		return nil, err
	}
	req, err := closureRequest(in.Body.Courts, in.Body.From, in.Body.To, in.Body.Reason, in.Body.CancelBookings)
	if err != nil {
		return nil, err
	}
	out, err := s.app.MakeClosure(ctx, actor, req, key)
	if err != nil {
		return nil, err
	}
	return madeAt("/owner/closures/"+out.Closure.ID, out), nil
}
