package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"courtd/app"
	"courtd/app/pay"
	"courtd/domain"
)

// shipper is WeChat being told that customers have come.
type shipper struct {
	got  []app.Shipping
	fail error
}

func (s *shipper) UploadShipping(_ context.Context, told app.Shipping) error {
	if s.fail != nil {
		return s.fail
	}
	s.got = append(s.got, told)
	return nil
}

// TestWeChatIsToldThatACustomerHasCome: once for each payment with WeChat, from the first
// check-in on, where the owner wants it.
func TestWeChatIsToldThatACustomerHasCome(t *testing.T) {
	w := newClub(t).withWeChat()
	told := &shipper{fail: errors.New("busy")}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	w.app = app.New(app.Config{DB: w.db, Providers: []pay.Provider{w.provider}, Channel: w.mail, Log: log, Shipper: told})
	paid := func(court string) (app.OrderView, string) {
		who, o, no := w.held(court)
		must(t, w.bank.Pay(no))
		must(t, w.deliver())
		return w.order(who, o.ID), no
	}
	comeIn := func(o app.OrderView, nonce string) {
		r, err := w.app.CheckIn(ctx, w.desk, o.Ticket.Code, nonce)
		must(t, err)
		want(t, "let in", r.Result, "ok")
	}
	unwanted, _ := paid("c1")
	first, no := paid("c2")
	second, _ := paid("c4")
	w.clock("17:10:00")
	comeIn(unwanted, "n1")
	want(t, "the owner does not want it", w.count("SELECT count(*) FROM shipments"), 0)
	_, err := w.app.ChangeMessages(ctx, w.owner, "messages", func(m *domain.Messages) error { m.ShipAfterCheckIn = true; return nil })
	must(t, err)
	comeIn(first, "n2")
	cash, _, err := w.app.DeskOrder(ctx, w.desk, slots(slot("c3", "17:30")), app.Caller{Name: "王"}, "cash", "")
	must(t, err)
	comeIn(w.order(w.desk, cash.ID), "n3")
	want(t, "for the payment with WeChat alone", w.count("SELECT count(*) FROM shipments"), 1)
	rep, err := w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "WeChat is busy", rep, app.ShipReport{Failed: 1})
	told.fail = nil
	w.clock("17:10:59")
	rep, err = w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "a second before the next try", rep, app.ShipReport{})
	w.clock("17:11:00")
	for range 2 {
		_, err = w.app.DriveShipments(ctx)
		must(t, err)
	}
	want(t, "told once", len(told.got), 1)
	s := told.got[0]
	want(t, "of", fmt.Sprint(s.OutTradeNo == no, " ", s.Merchant, " ", s.TransactionID != "", " ", s.Description), "true "+wechatMch+" true 测试球馆 "+first.Number)
	told.fail = errors.New("never")
	w.clock("17:12:00")
	comeIn(second, "n4")
	for i := range 20 {
		w.wall.set(at("2026-12-10T17:12:00+08:00") + domain.Instant(i)*7*3600)
		_, err := w.app.DriveShipments(ctx)
		must(t, err)
	}
	v, err := w.app.Reconciler(ctx)
	must(t, err)
	want(t, "given up in the end, and seen", v.Shipments, app.ShipmentCounts{GaveUp: 1})
}
