package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

// SlotBody names a slot.
type SlotBody struct {
	Court string `json:"court" example:"c1"`
	Start string `json:"start" format:"date-time" example:"2026-12-10T17:30:00+08:00"`
}

func (b SlotBody) ref(prefix string) (app.SlotRef, error) {
	start, err := parseInstant(prefix+"start", b.Start)
	return app.SlotRef{Court: b.Court, Start: start}, err
}

// GoodBody names pieces of a good.
type GoodBody struct {
	ID  string `json:"id" example:"g1"`
	Qty int    `json:"qty" example:"2" minimum:"1" maximum:"999"`
}

// OrderBody is what somebody wants to buy at once: at least one slot or good.
type OrderBody struct {
	Slots  []SlotBody `json:"slots,omitempty" doc:"at most 8, none twice"`
	Goods  []GoodBody `json:"goods,omitempty" doc:"at most 20, none twice"`
	Coupon *string    `json:"coupon,omitempty" nullable:"true" doc:"code of a coupon"`
}

func (b OrderBody) request() (app.OrderRequest, error) {
	var req app.OrderRequest
	for i, slot := range b.Slots {
		ref, err := slot.ref(fmt.Sprintf("slots[%d].", i))
		if err != nil {
			return req, err
		}
		req.Slots = append(req.Slots, ref)
	}
	for _, good := range b.Goods {
		req.Goods = append(req.Goods, app.GoodRef(good))
	}
	set(&req.Coupon, b.Coupon)
	return req, nil
}

type quoteInput struct{ Body OrderBody }

type orderInput struct {
	Keyed
	Body OrderBody
}

type viaInput struct {
	Keyed
	ByID
	Body struct {
		Via string `json:"via" example:"sandbox" doc:"one of the venue's payment_vias"`
	} `nameHint:"PaymentBody"`
}

func (s *server) orderCalls() {
	register(s, call{method: http.MethodPost, path: base + "/quotes", id: "quote-order", tag: tagOrders, who: customers, conflicts: true,
		summary: "What an order would cost now", about: "Refuses what the order itself would refuse, and makes nothing."},
		func(ctx context.Context, actor app.Actor, in *quoteInput) (*reply[app.QuoteView], error) {
			req, err := in.Body.request()
			if err != nil {
				return nil, err
			}
			return replied(s.app.Quote(ctx, actor, req))
		})
	registerMaking(s, call{method: http.MethodPost, path: base + "/orders", id: "create-order", tag: tagOrders, who: customers, conflicts: true,
		summary: "Book slots and goods, all or nothing",
		about: "201 with a new order; 200 with the order that was there already: the same command again, or the same choice as a live unpaid order " +
			"of one's own, whose `pay_by` does not move."}, s.createOrder)
	register(s, call{method: http.MethodGet, path: base + "/orders", id: "list-orders", tag: tagOrders, who: customers,
		summary: "One's own orders, the newest first"},
		func(ctx context.Context, actor app.Actor, in *Paged) (*reply[app.List[app.OrderView]], error) {
			return replied(s.app.Orders(ctx, actor, in.page()))
		})
	register(s, call{method: http.MethodGet, path: base + "/orders/{id}", id: "get-order", tag: tagOrders, who: customers,
		summary: "One order as it is now"},
		func(ctx context.Context, actor app.Actor, in *ByID) (*reply[app.OrderView], error) {
			return replied(s.app.Order(ctx, actor, in.ID))
		})
	s.orderActs()
	s.registerCalendar()
	register(s, call{method: http.MethodGet, path: base + "/notices", id: "list-notices", tag: tagOrders, who: customers,
		summary: "What the venue has told this customer, the newest first"},
		func(ctx context.Context, actor app.Actor, in *Paged) (*reply[app.List[app.NoticeView]], error) {
			return replied(s.app.Notices(ctx, actor, in.page()))
		})
}

func (s *server) orderActs() {
	register(s, call{method: http.MethodPost, path: base + "/orders/{id}/payments", id: "open-payment", tag: tagOrders, who: customers, conflicts: true,
		summary: "Open a payment", about: "Asking again while it is open gives the same payment. Nothing here moves the order's deadline."},
		func(ctx context.Context, actor app.Actor, in *viaInput) (*reply[app.PaymentOpened], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.OpenPayment(ctx, actor, in.ID, in.Body.Via, httpx.ClientIPFrom(ctx), key))
		})
	register(s, call{method: http.MethodPost, path: base + "/orders/{id}/payments/check", id: "check-payments", tag: tagOrders, who: customers,
		summary: "Ask the provider how the payments of an order stand"},
		func(ctx context.Context, actor app.Actor, in *ActOn) (*reply[app.OrderView], error) {
			return replied(s.app.CheckPayments(ctx, actor, in.ID))
		})
	register(s, call{method: http.MethodPost, path: base + "/orders/{id}/cancel", id: "cancel-order", tag: tagOrders, who: customers, conflicts: true,
		summary: "Cancel one's own order", about: "A hold costs nothing; of a paid order the refund ladder says what comes back."},
		func(ctx context.Context, actor app.Actor, in *KeyedID) (*reply[app.OrderView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.CancelOrder(ctx, actor, in.ID, key))
		})
	register(s, call{method: http.MethodGet, path: base + "/orders/{id}/refund-preview", id: "preview-refund", tag: tagOrders, who: customers, conflicts: true,
		summary: "What cancelling now would give back"},
		func(ctx context.Context, actor app.Actor, in *ByID) (*reply[app.RefundPreview], error) {
			return replied(s.app.PreviewRefund(ctx, actor, in.ID))
		})
}

func (s *server) createOrder(ctx context.Context, actor app.Actor, in *orderInput) (*made[app.OrderView], error) {
	key, err := in.key()
	if err != nil {
		return nil, err
	}
	req, err := in.Body.request()
	if err != nil {
		return nil, err
	}
	view, created, err := s.app.CreateOrder(ctx, actor, req, key)
	if err != nil {
		return nil, err
	}
	return madeOrFound("/orders/"+view.ID, view, created), nil
}

// madeOrFound answers 201 with what has just been made, 200 with what was there.
func madeOrFound[T any](path string, body T, created bool) *made[T] {
	out := madeAt(path, body)
	if !created {
		out.Status = http.StatusOK
	}
	return out
}

// registerMaking adds a call that answers 201 or, when the thing was there
// already, 200.
func registerMaking[I, T any](s *server, c call, serve func(context.Context, app.Actor, *I) (*made[T], error)) {
	c.status = http.StatusCreated
	schema := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
	answers := map[string]*huma.Response{"200": {Description: "it was there already",
		Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}}
	s.registerDocumented(c, answers, func(op huma.Operation) {
		huma.Register(s.api, op, func(ctx context.Context, in *I) (*made[T], error) {
			out, err := serve(ctx, httpx.ActorFrom(ctx), in)
			if err != nil {
				return nil, s.problem(ctx, err)
			}
			return out, nil
		})
	}, reflect.TypeFor[I]())
}

// listed is a whole list on one page, judged at now.
func listed[T any](ctx context.Context, s *server, items []T, now domain.Instant) *reply[app.List[T]] {
	if items == nil {
		items = []T{}
	}
	return &reply[app.List[T]]{app.List[T]{Items: items, Now: now.In(httpx.Zone(ctx, s.app))}}
}
