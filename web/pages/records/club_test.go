package records_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/web"
	"courtd/web/api"
	"courtd/web/pages/clubtest"
)

// hall is the example venue with a reconciler that can be run by hand, and its owner.
type hall struct {
	*clubtest.Club
	t     *testing.T
	owner *clubtest.Browser
	me    app.Actor
	fails error // what a round fails with; nil: it does not
}

func open(t *testing.T) *hall {
	t.Helper()
	h := &hall{Club: clubtest.Open(t, true), t: t}
	quiet := slog.New(slog.DiscardHandler)
	rounds := reconciler.New(h.App, quiet)
	bank, err := sandbox.New(h.DB)
	clubtest.Must(t, err)
	h.HTTP, err = web.New(web.Config{App: h.App, Log: quiet, Demo: &api.Demo{Info: app.Demo(), Sandbox: bank},
		Run: func(ctx context.Context, _, retryParked bool) (any, error) {
			if h.fails != nil {
				return nil, h.fails
			}
			if retryParked {
				return rounds.RunRetrying(ctx)
			}
			return rounds.RunOnce(ctx)
		}})
	clubtest.Must(t, err)
	h.owner = h.Owner()
	h.me, err = h.App.WhoIs(t.Context(), h.owner.Cookies["courtd_session"])
	clubtest.Must(t, err)
	return h
}

func (h *hall) round() {
	h.t.Helper()
	h.owner.Post("/owner/reconciler/run").WantRedirect("/owner/reconciler?said=run")
}

// scan shows a ticket at the door.
func (h *hall) scan(code string) {
	h.t.Helper()
	r, err := h.App.CheckIn(h.t.Context(), h.me, code, "")
	clubtest.Must(h.t, err)
	if r.Result != "ok" {
		h.t.Fatalf("the door says %s", r.Result)
	}
}

// sell sells a slot for cash at the desk.
func (h *hall) sell(name, court, date, clock string) app.OrderView {
	h.t.Helper()
	req := app.OrderRequest{Slots: []app.SlotRef{{Court: court, Start: clubtest.At(h.t, date+"T"+clock+":00+08:00")}}}
	made, _, err := h.App.DeskOrder(h.t.Context(), h.me, req, app.Caller{Name: name}, "cash", "")
	clubtest.Must(h.t, err)
	return made
}

// twoDays makes what the reports of 10 and 11 December are about; it is Saturday,
// 12 December, 12:00, afterwards.
//
//	10th  c1 17:30  A, with a tube of shuttles   ￥60 + ￥30 sandbox   came
//	      c2 17:30  B                            not paid             lapsed at 10:10
//	      c3 17:30  a caller                     ￥60 cash            did not come
//	      c4 19:00  C                            ￥60 sandbox         cancelled at 10:05, half of it back
//	11th  c1 10:00  A, booked on the 11th        ￥40 sandbox         came
func (h *hall) twoDays() {
	h.t.Helper()
	a, b, c := h.Customer("13800138000"), h.Customer("13900139000"), h.Customer("13700137000")
	first, _ := a.Ticket("slot", clubtest.Slot(h.t, "c1", "17:30"), "qty.g1", "1")
	b.Book("slot", clubtest.Slot(h.t, "c2", "17:30"))
	h.sell("散客", "c3", "2026-12-10", "17:30")
	_, gone := c.Ticket("slot", clubtest.Slot(h.t, "c4", "19:00"))
	h.SetClock("2026-12-10T10:05:00+08:00")
	actor, err := h.App.WhoIs(h.t.Context(), c.Cookies["courtd_session"])
	clubtest.Must(h.t, err)
	_, err = h.App.CancelOrder(h.t.Context(), actor, strings.TrimPrefix(gone, "/orders/"), "")
	clubtest.Must(h.t, err)
	h.round()
	h.SetClock("2026-12-10T17:20:00+08:00")
	h.scan(first)
	h.SetClock("2026-12-11T09:00:00+08:00")
	second, _ := a.Ticket("slot", clubtest.SlotOn(h.t, "c1", "2026-12-11", "10:00"))
	h.SetClock("2026-12-11T10:00:00+08:00")
	h.scan(second)
	h.SetClock("2026-12-12T12:00:00+08:00")
}

var errRound = errors.Join(errors.New("settle: disk full"), domain.Refuse(domain.Unavailable, "unavailable", "busy"))
