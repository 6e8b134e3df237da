package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/domain"
	"courtd/sqlite"
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

// TestWhoPaidIsToldToWeChat: who scans a QR code need not be the customer, who may have
// no openid at all.
func TestWhoPaidIsToldToWeChat(t *testing.T) {
	w := newClub(t).withWeChat()
	told := &shipper{}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	w.app = app.New(app.Config{DB: w.db, Providers: []pay.Provider{w.provider}, Channel: w.mail, Log: log, Shipper: told})
	_, err := w.app.ChangeMessages(ctx, w.owner, "messages", func(m *domain.Messages) error { m.ShipAfterCheckIn = true; return nil })
	must(t, err)
	_, byNotice, first := w.held("c1")
	must(t, w.bank.Pay(first))
	must(t, w.deliver())
	who, byQuery, second := w.held("c2")
	must(t, w.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE customers SET openid = 'another-openid' WHERE id = ?", who.ID)
		return err
	}))
	must(t, w.bank.Pay(second)) // and its notice is lost
	w.round()
	w.clock("17:10:00")
	for i, o := range []app.OrderView{byNotice, byQuery} {
		_, err := w.app.CheckIn(ctx, w.desk, w.order(w.owner, o.ID).Ticket.Code, fmt.Sprint("n", i))
		must(t, err)
	}
	_, err = w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "told of", len(told.got), 2)
	for _, s := range told.got {
		paid, err := w.provider.Query(ctx, s.OutTradeNo)
		must(t, err)
		want(t, "who paid "+s.OutTradeNo, s.OpenID != "" && s.OpenID == paid.Payer, true)
	}
}

// TestShipmentsThatWeChatWillNotHearOf are given up at once and wait for the owner, once;
// what WeChat wants to hear later waits for it.
func TestShipmentsThatWeChatWillNotHearOf(t *testing.T) {
	w := newClub(t).withWeChat()
	told := &shipper{fail: notify.LaterError{After: 5 * time.Hour, Err: errors.New("the day's quota")}}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	w.app = app.New(app.Config{DB: w.db, Providers: []pay.Provider{w.provider}, Channel: w.mail, Log: log, Shipper: told})
	_, err := w.app.ChangeMessages(ctx, w.owner, "messages", func(m *domain.Messages) error { m.ShipAfterCheckIn = true; return nil })
	must(t, err)
	who, o, no := w.held("c1")
	must(t, w.bank.Pay(no))
	must(t, w.deliver())
	w.clock("17:10:00")
	_, err = w.app.CheckIn(ctx, w.desk, w.order(who, o.ID).Ticket.Code, "n")
	must(t, err)
	drive := func(clock string, fail error) app.ReconcilerView {
		t.Helper()
		told.fail = fail
		w.clock(clock)
		_, err := w.app.DriveShipments(ctx)
		must(t, err)
		v, err := w.app.Reconciler(ctx)
		must(t, err)
		return v
	}
	later, refused := told.fail, fmt.Errorf("%w: the payment is in no state to be picked up", notify.ErrRefused)
	want(t, "later", drive("17:10:00", later).Shipments, app.ShipmentCounts{Waiting: 1})
	want(t, "it is no try", w.count("SELECT tries FROM shipments"), 0)
	want(t, "not before that", drive("22:09:59", refused).Shipments, app.ShipmentCounts{Waiting: 1})
	wantReason(t, w.app.ShippedByHand(ctx, w.owner, no), "not_found") // it still waits
	v := drive("22:10:00", refused)
	want(t, "refused at once", v.Shipments, app.ShipmentCounts{GaveUp: 1})
	want(t, "rows", len(v.LostShipments), 1)
	row := v.LostShipments[0]
	want(t, "row", fmt.Sprint(row.Payment == no, row.Number == o.Number, row.Amount, row.Tries, row.Since.Format(" 15:04"), row.GaveUpAt.Format(" 15:04")), "true true 6000 1 17:10 22:10")
	want(t, "why", row.Error, refused.Error())
	for _, nobody := range []app.Actor{visitor, who, w.desk} {
		wantReason(t, w.app.ShippedByHand(ctx, nobody, no), "forbidden")
	}
	for range 2 { // the same act twice
		must(t, w.app.ShippedByHand(ctx, w.owner, no))
	}
	v, err = w.app.Reconciler(ctx)
	must(t, err)
	want(t, "off the list", fmt.Sprint(len(v.LostShipments), v.Shipments), "0 {0 0}")
	want(t, "by whom", w.count("SELECT count(*) FROM shipments WHERE by_hand = ?", w.owner.ID), 1)
	want(t, "one act", w.count("SELECT count(*) FROM audit WHERE action = 'ship by hand'"), 1)
}

// shipping is a club with customers who have come and of whom WeChat has to be told.
func shipping(t *testing.T, customers int, told app.Shipper) wechatClub {
	t.Helper()
	w := newClub(t).withWeChat()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	w.app = app.New(app.Config{DB: w.db, Providers: []pay.Provider{w.provider}, Channel: w.mail, Log: log, Shipper: told})
	_, err := w.app.ChangeMessages(ctx, w.owner, "messages", func(m *domain.Messages) error { m.ShipAfterCheckIn = true; return nil })
	must(t, err)
	var orders []app.OrderView
	for i := range customers {
		who, o, no := w.held(fmt.Sprint("c", i+1))
		must(t, w.bank.Pay(no))
		must(t, w.deliver())
		orders = append(orders, w.order(who, o.ID))
	}
	w.clock("17:10:00")
	for i, o := range orders {
		_, err = w.app.CheckIn(ctx, w.desk, o.Ticket.Code, fmt.Sprint("n", i))
		must(t, err)
	}
	return w
}

// TestShipmentsOutlastAnOutage: like messages, not before a day, and WeChat is left alone
// meanwhile with all of them.
func TestShipmentsOutlastAnOutage(t *testing.T) {
	told := &shipper{fail: fmt.Errorf("%w: nobody there", notify.ErrDown)}
	w := shipping(t, 1, told)
	from := at("2026-12-10T17:10:00+08:00")
	for now := from; now < from+24*3600; now += 600 {
		w.wall.set(now)
		_, err := w.app.DriveShipments(ctx)
		must(t, err)
	}
	counts := func() app.ShipmentCounts {
		v, err := w.app.Reconciler(ctx)
		must(t, err)
		return v.Shipments
	}
	want(t, "within a day", counts(), app.ShipmentCounts{Waiting: 1})
	want(t, "tries", w.count("SELECT tries FROM shipments") >= domain.MaxNoticeTries, true)
	told.fail = nil
	w.wall.set(from + 36*3600)
	_, err := w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "told in the end", len(told.got), 1)
}

// TestWeChatIsLeftAlone with all shipments, once it asks for that or does not work.
func TestWeChatIsLeftAlone(t *testing.T) {
	for fail, calls := range map[error]int{
		notify.LaterError{After: time.Hour, Err: errors.New("45009")}: 1,
		fmt.Errorf("%w: nobody there", notify.ErrDown):                domain.ChannelFailsToPause,
	} {
		told := &counting{fail: fail}
		w := shipping(t, 5, told)
		for range 3 {
			_, err := w.app.DriveShipments(ctx)
			must(t, err)
		}
		want(t, fmt.Sprint("calls after ", fail), told.calls, calls)
		told.fail = nil
		w.clock("18:10:00")
		_, err := w.app.DriveShipments(ctx)
		must(t, err)
		want(t, "then all", w.count("SELECT count(*) FROM shipments WHERE done_at IS NOT NULL"), 5)
	}
}

// counting is WeChat that is counted.
type counting struct {
	mu    sync.Mutex
	calls int
	fail  error
	then  func()
}

func (c *counting) UploadShipping(context.Context, app.Shipping) error {
	c.mu.Lock()
	c.calls++
	fail, then := c.fail, c.then
	c.mu.Unlock()
	if then != nil {
		then()
	}
	return fail
}

// TestTwoRoundsShipOnce: what one has taken the other leaves, however long WeChat takes.
func TestTwoRoundsShipOnce(t *testing.T) {
	told := &counting{}
	w := shipping(t, 3, told)
	other := app.New(app.Config{DB: w.db, Providers: []pay.Provider{w.provider}, Channel: w.mail, Log: slog.New(slog.DiscardHandler), Shipper: told})
	told.then = func() { // a whole round while WeChat has not answered the first call
		told.then = nil
		_, err := other.DriveShipments(ctx)
		must(t, err)
	}
	_, err := w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "calls", told.calls, 3)
}
