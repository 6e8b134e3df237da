package api

import (
	"context"
	"net/http"

	"courtd/app"
)

type deskOrderInput struct {
	Keyed
	Body struct {
		OrderBody
		Customer struct {
			Name  string `json:"name" doc:"1 to 40 characters"`
			Phone string `json:"phone,omitempty"`
		} `json:"customer"`
		Pay string `json:"pay" enum:"cash,on_arrival,online"`
	} `nameHint:"DeskOrderBody"`
}

type deskCancelInput struct {
	Keyed
	ByID
	Body struct {
		By     string `json:"by" enum:"venue,customer" doc:"venue gives everything back, customer what the ladder says"`
		Reason string `json:"reason" doc:"1 to 200 characters; kept"`
	} `nameHint:"DeskCancelBody"`
}

type goodwillInput struct {
	Keyed
	ByID
	Body struct {
		Amount int64  `json:"amount" doc:"fen" minimum:"1"`
		Reason string `json:"reason" doc:"1 to 200 characters; kept"`
	} `nameHint:"GoodwillBody"`
}

type optionalReasonInput struct {
	Keyed
	ByID
	Body *struct {
		Reason string `json:"reason,omitempty" doc:"up to 200 characters; kept"`
	} `nameHint:"OptionalReasonBody"`
}

type reasonInput struct {
	Keyed
	ByID
	Body struct {
		Reason string `json:"reason" doc:"1 to 200 characters; kept"`
	} `nameHint:"ReasonBody"`
}

type moveInput struct {
	Keyed
	ByID
	Body struct {
		SlotBody
		Reason string `json:"reason,omitempty" doc:"up to 200 characters; kept"`
	} `nameHint:"MoveBody"`
}

func (s *server) deskOrderCalls() {
	registerMaking(s, call{method: http.MethodPost, path: base + "/desk/orders", id: "desk-create-order", tag: tagDesk, who: desk, conflicts: true,
		summary: "Book for a caller or somebody at the counter", about: "The limits that bind customers do not bind the desk. What has begun is sold for cash."},
		s.deskOrder)
	register(s, call{method: http.MethodGet, path: base + "/desk/orders/{id}", id: "desk-get-order", tag: tagDesk, who: desk,
		summary: "Any order, with its customer and its money"},
		func(ctx context.Context, actor app.Actor, in *ByID) (*reply[app.OrderView], error) {
			return replied(s.app.Order(ctx, actor, in.ID))
		})
	s.deskAct("paid", "desk-mark-paid", "An order was paid in cash", func(ctx context.Context, actor app.Actor, id string, key app.Key) (app.OrderView, error) {
		return s.app.MarkPaid(ctx, actor, id, key)
	})
	s.deskAct("handover", "desk-hand-over", "An order's goods were handed over", s.app.HandOver)
	register(s, call{method: http.MethodPost, path: base + "/desk/orders/{id}/cancel", id: "desk-cancel-order", tag: tagDesk, who: desk, conflicts: true,
		summary: "Cancel an order for the venue or for the customer"},
		func(ctx context.Context, actor app.Actor, in *deskCancelInput) (*reply[app.OrderView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.CancelAtDesk(ctx, actor, in.ID, in.Body.By, in.Body.Reason, key))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/orders/{id}/refunds", id: "desk-refund-order", tag: tagDesk, who: desk, conflicts: true,
		summary: "Give money back as goodwill", about: "No booking changes. Never more than was paid and is not on its way back."},
		func(ctx context.Context, actor app.Actor, in *goodwillInput) (*reply[app.OrderView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.Goodwill(ctx, actor, in.ID, in.Body.Amount, in.Body.Reason, key))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/orders/{id}/forgive", id: "desk-forgive-order", tag: tagDesk, who: desk, conflicts: true,
		summary: "Take an order's no-show out of the customer's strikes"},
		func(ctx context.Context, actor app.Actor, in *optionalReasonInput) (*reply[app.OrderView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			var reason string
			if in.Body != nil {
				reason = in.Body.Reason
			}
			return replied(s.app.Forgive(ctx, actor, in.ID, reason, key))
		})
	s.deskReservationCalls()
}

// deskAct adds an act on an order that needs no more to be said.
func (s *server) deskAct(verb, id, summary string, act func(context.Context, app.Actor, string, app.Key) (app.OrderView, error)) {
	register(s, call{method: http.MethodPost, path: base + "/desk/orders/{id}/" + verb, id: id, tag: tagDesk, who: desk, conflicts: true, summary: summary},
		func(ctx context.Context, actor app.Actor, in *KeyedID) (*reply[app.OrderView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(act(ctx, actor, in.ID, key))
		})
}

func (s *server) deskReservationCalls() {
	register(s, call{method: http.MethodPost, path: base + "/desk/reservations/{id}/move", id: "desk-move-reservation", tag: tagDesk, who: desk, conflicts: true,
		summary: "Move a booking to another slot", about: "Goods, coupon and money go along; the difference in price is settled at the desk. The ticket is a new one."},
		func(ctx context.Context, actor app.Actor, in *moveInput) (*reply[app.MoveResult], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			to, err := in.Body.ref("")
			if err != nil {
				return nil, err
			}
			out, err := s.app.MoveReservation(ctx, actor, in.ID, to, in.Body.Reason, key)
			return replied(out, renamed(err, "slot.", ""))
		})
	register(s, call{method: http.MethodPost, path: base + "/desk/reservations/{id}/undo-no-show", id: "desk-undo-no-show", tag: tagDesk, who: desk, conflicts: true,
		summary: "Let a no-show in after all", about: "Once, and only if the slot has not been sold again. After the slot's end it mends the record only."},
		func(ctx context.Context, actor app.Actor, in *reasonInput) (*reply[app.OrderView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.UndoNoShow(ctx, actor, in.ID, in.Body.Reason, key))
		})
}

func (s *server) deskOrder(ctx context.Context, actor app.Actor, in *deskOrderInput) (*made[app.OrderView], error) {
	key, err := in.key()
	if err != nil {
		return nil, err
	}
	req, err := in.Body.request()
	if err != nil {
		return nil, err
	}
	who := app.Caller{Name: in.Body.Customer.Name, Phone: in.Body.Customer.Phone}
	view, created, err := s.app.DeskOrder(ctx, actor, req, who, in.Body.Pay, key)
	if err != nil {
		return nil, err
	}
	return madeOrFound("/desk/orders/"+view.ID, view, created), nil
}
