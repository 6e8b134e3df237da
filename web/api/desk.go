package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
)

type dayInput struct {
	Date string `query:"date" example:"2026-12-10" doc:"business day; without it, the one at \"at\""`
	At   string `query:"at" example:"2026-12-10T17:30:00+08:00" doc:"the instant to judge at; without it, now"`
}

type whyInput struct {
	Court string `query:"court" required:"true" example:"c1"`
	Start string `query:"start" required:"true" example:"2026-12-10T17:30:00+08:00"`
	At    string `query:"at" example:"2026-12-10T17:30:00+08:00" doc:"the instant to judge at; without it, now"`
}

type scanInput struct {
	Body struct {
		Code  string `json:"code" doc:"what the QR code says, or what was typed; blanks and hyphens count for nothing"`
		Nonce string `json:"nonce,omitempty" doc:"1 to 64 visible ASCII characters, new for each scan: the same again gets the same answer"`
	} `nameHint:"CheckInBody"`
}

type seenToInput struct {
	Keyed
	ByID
	Body struct {
		Text string `json:"text" doc:"what was done about it; up to 200 characters"`
	} `nameHint:"SeenToBody"`
}

func (s *server) deskCalls() {
	register(s, call{method: http.MethodGet, path: base + "/desk/day", id: "desk-get-day", tag: tagDesk, who: desk,
		summary: "A business day as it was, is, or will be if nobody acts"}, s.deskDay)
	register(s, call{method: http.MethodGet, path: base + "/desk/why", id: "desk-why", tag: tagDesk, who: desk,
		summary: "What decided a slot's state"},
		func(ctx context.Context, _ app.Actor, in *whyInput) (*reply[app.WhyView], error) {
			start, err := parseQueryInstant("start", in.Start)
			if err != nil {
				return nil, err
			}
			at, err := parseQueryInstant("at", in.At)
			if err != nil {
				return nil, err
			}
			return replied(s.app.Why(ctx, app.SlotRef{Court: in.Court, Start: start}, at))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/checkins", id: "desk-check-in", tag: tagDesk, who: desk,
		summary: "Judge a scanned ticket and let the customer in", about: "Every scan that could be judged answers 200 with one `result`."},
		func(ctx context.Context, actor app.Actor, in *scanInput) (*reply[app.ScanResult], error) {
			return replied(s.app.CheckIn(ctx, actor, in.Body.Code, in.Body.Nonce))
		})
	register(s, call{method: http.MethodGet, path: base + "/desk/notices", id: "desk-list-notices", tag: tagDesk, who: desk,
		summary: "All notices and what became of them, the newest first"},
		func(ctx context.Context, _ app.Actor, in *Paged) (*reply[app.List[app.OutboxView]], error) {
			return replied(s.app.Outbox(ctx, in.page()))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/notices/{id}/resend", id: "desk-resend-notice", tag: tagDesk, who: desk,
		summary: "Send a notice once more"},
		func(ctx context.Context, actor app.Actor, in *ActOn) (*struct{}, error) {
			return nil, s.app.ResendNotice(ctx, actor, in.ID)
		})
	register(s, call{method: http.MethodGet, path: base + "/desk/refunds", id: "desk-list-refunds", tag: tagDesk, who: desk,
		summary: "Refunds that wait for a person"},
		func(ctx context.Context, actor app.Actor, _ *struct{}) (*reply[app.List[app.RefundView]], error) {
			return replied(s.app.RefundsForStaff(ctx, actor))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/refunds/{id}/confirm", id: "desk-confirm-refund", tag: tagDesk, who: desk, conflicts: true,
		summary: "The money of a refund is handed back by hand",
		about: "Call this before you hand it over: the provider is asked once more, and 409 `refund_arrived` or `refund_under_way` says that the " +
			"money is back or on its way, 503 `refund_unheard` that nobody knows. After a 200 the provider is never asked to send it again."},
		func(ctx context.Context, actor app.Actor, in *ActOn) (*reply[app.RefundView], error) {
			return replied(s.app.ConfirmRefund(ctx, actor, in.ID))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/payments/{id}/seen-to", id: "desk-see-to-payment", tag: tagDesk, who: desk, conflicts: true,
		summary: "Say what was done about a flagged payment", about: "It leaves the to-do, and is listed as explained among the differences."},
		func(ctx context.Context, actor app.Actor, in *seenToInput) (*struct{}, error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return nil, s.app.SeeToPayment(ctx, actor, in.ID, in.Body.Text, key)
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/refunds/{id}/seen-to", id: "desk-see-to-refund", tag: tagDesk, who: desk, conflicts: true,
		summary: "Say what was done about a refund that went back twice", about: "It leaves the to-do."},
		func(ctx context.Context, actor app.Actor, in *seenToInput) (*struct{}, error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return nil, s.app.SeeToRefund(ctx, actor, in.ID, in.Body.Text, key)
		})
}

func (s *server) deskDay(ctx context.Context, _ app.Actor, in *dayInput) (*reply[app.BoardView], error) {
	at, err := parseQueryInstant("at", in.At)
	if err != nil {
		return nil, err
	}
	var day domain.Date
	if in.Date != "" {
		if day, err = domain.ParseDate("date", in.Date); err != nil {
			return nil, err
		}
	} else {
		venue, _, now, err := s.app.Venue(ctx)
		if err != nil {
			return nil, err
		}
		if at.IsSet() {
			now = at
		}
		day = venue.Calendar.DayOf(now)
	}
	return replied(s.app.DeskDay(ctx, day, at))
}
