package app_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
)

// lead has somebody book, pay, come, cancel, forget and change their mind, with whatever
// the club lets them do.
func (m miniProgram) lead(r *rand.Rand, who app.Actor, acts int) {
	m.t.Helper()
	for range acts {
		req := app.OrderRequest{}
		if r.IntN(4) > 0 {
			req.Slots = []app.SlotRef{slot(fmt.Sprintf("c%d", r.IntN(6)+1), []string{"17:30", "19:00", "20:30"}[r.IntN(3)])}
		}
		if r.IntN(2) == 0 || len(req.Slots) == 0 {
			req.Goods = goods("g3", 1)
		}
		if r.IntN(3) == 0 {
			req.Coupon = "HALF"
		}
		o, _, err := m.app.CreateOrder(ctx, who, req, app.Key(fmt.Sprint("k", r.IntN(1e9))))
		if err != nil {
			if _, refused := domain.AsError(err); !refused {
				m.t.Fatal(err)
			}
			continue
		}
		switch r.IntN(5) {
		case 0: // it lapses, or stands
		case 1:
			m.cancel(who, o.ID)
		case 2:
			m.cancel(who, m.payFor(who, o).ID)
		default:
			m.payFor(who, o)
		}
	}
}

// withCustomers are the tables whose rows belong to somebody.
func (m miniProgram) withCustomers() []string {
	return m.column(`SELECT s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c WHERE s.type = 'table' AND c.name = 'customer_id' ORDER BY 1`)
}

// money is every sum there is.
func (m miniProgram) money() string {
	return strings.Join(m.column(`SELECT concat_ws(' ', (SELECT sum(total_fen) FROM order_now), (SELECT sum(paid_fen) FROM order_now), (SELECT sum(refunded_fen) FROM order_now),
		(SELECT sum(refund_pending_fen) FROM order_now), (SELECT sum(price_fen) || '-' || sum(discount_fen) FROM reservation_now),
		(SELECT sum(amount_fen) FROM payments), (SELECT sum(amount_fen) FROM refunds), (SELECT group_concat(balance) FROM stock_now))`), "")
}

// states is what everything is, without whose it is.
func (m miniProgram) states() string {
	return strings.Join(m.column(`SELECT id || state || total_fen || paid_fen FROM order_now UNION ALL SELECT id || state FROM reservation_now UNION ALL SELECT id || state FROM basket_now ORDER BY 1`), "\n")
}

// TestAfterAMergeNothingIsLeftBehind: whatever two accounts of one person have lived
// through, everything is the survivor's, and no sum and no state is another.
func TestAfterAMergeNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	want(t, "tables", strings.Join(newMiniProgram(t).withCustomers(), " "), "baskets notices orders reservations sessions")
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 7))
		m := newMiniProgram(t)
		m.coupon("HALF", 50, 0, 0)
		m.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes = 15 })
		phone, wx := m.byPhone("13800000001"), m.byWeChat(visitor, "openid-a")
		third := m.byPhone("13800000003") // who has nothing to do with it
		a, b := m.is(phone.Token), m.is(wx.Token)
		for _, clock := range []string{"12:00:01", "12:20:00", "17:20:00", "18:10:00"} {
			m.clock(clock)
			m.lead(r, a, 2)
			m.lead(r, b, 2)
			m.lead(r, m.is(third.Token), 1)
			if r.IntN(2) == 0 {
				m.round()
			}
		}
		for _, code := range m.column("SELECT ticket_code FROM orders o JOIN reservations r ON r.order_id = o.id WHERE r.paid_at IS NOT NULL AND r.cancelled_at IS NULL AND r.check_in_by > ? ORDER BY 1 LIMIT 2", int64(at("2026-12-10T18:10:00+08:00"))) {
			_, _ = m.app.CheckIn(ctx, m.desk, code, "")
		}
		mine := m.column("SELECT id FROM orders WHERE customer_id IN (?, ?) ORDER BY id", a.ID, b.ID)
		money, states, others := m.money(), m.states(), m.count("SELECT count(*) FROM orders WHERE customer_id = ?", m.is(third.Token).ID)
		survivor, gone := a.ID, b.ID
		if seed%2 == 0 {
			m.byWeChat(a, "openid-a")
		} else {
			_, err := m.provePhone(b, "13800000001")
			must(t, err)
		}
		if len(mine) < 6 {
			t.Fatalf("seed %d: only %d orders", seed, len(mine))
		}
		for _, table := range m.withCustomers() {
			want(t, table, m.count("SELECT count(*) FROM "+table+" WHERE customer_id = ?", gone), 0)
		}
		want(t, "what is left", m.column("SELECT concat_ws('|', id, phone, openid, email, name, merged_into) FROM customers WHERE id = ?", gone)[0], gone+"||"+survivor)
		want(t, "orders", fmt.Sprint(m.column("SELECT id FROM order_now WHERE customer_id = ? AND phone = '13800000001' ORDER BY id", survivor)), fmt.Sprint(mine))
		want(t, "others", m.count("SELECT count(*) FROM orders WHERE customer_id = ?", m.is(third.Token).ID), others)
		want(t, "money", m.money(), money)
		want(t, "states", m.states(), states)
		want(t, "bookings", m.count("SELECT count(*) FROM reservation_now n JOIN orders o ON o.id = n.order_id WHERE n.customer_id <> o.customer_id"), 0)
		want(t, "sessions", m.is(wx.Token).ID+m.is(phone.Token).ID, survivor+survivor)
		want(t, "signs in", m.byWeChat(visitor, "openid-a").Customer.ID+m.byPhone("13800000001").Customer.ID, survivor+survivor)
		want(t, "dangling", m.count("SELECT count(*) FROM pragma_foreign_key_check"), 0)
		m.clock("21:59:00")
		m.round() // everything can still be settled
		m.sound()
	}
}

// TestThreeAccountsOfOnePerson: who was merged into somebody goes along with them.
func TestThreeAccountsOfOnePerson(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	first, second, desk := m.byWeChat(visitor, "openid-a"), m.byPhone("13800000001"), m.byPhone("13900000001")
	o, _, err := m.app.CreateOrder(ctx, m.is(first.Token), slots(slot("c1", "17:30")), "key")
	must(t, err)
	m.byWeChat(m.is(second.Token), "openid-a") // first is merged into second
	// second gives the phone up for another, and the account goes on by WeChat alone; the
	// program never takes a phone away, so this is done behind its back.
	m.sql("UPDATE customers SET phone = NULL WHERE id = ?", second.Customer.ID)
	_, err = m.provePhone(m.is(second.Token), "13900000001")
	must(t, err)
	want(t, "taken over by", fmt.Sprint(m.column("SELECT merged_into FROM customers WHERE merged_into IS NOT NULL")), fmt.Sprint([]string{desk.Customer.ID, desk.Customer.ID}))
	for _, in := range []app.SignedIn{first, second, desk} {
		want(t, "session", m.is(in.Token).ID, desk.Customer.ID)
		again, created, err := m.app.CreateOrder(ctx, app.Actor{Role: app.RoleCustomer, ID: in.Customer.ID}, slots(slot("c1", "17:30")), "key")
		must(t, err)
		want(t, "the same order", again.ID, o.ID)
		want(t, "created", created, false)
	}
}

// TestARetryAfterTheMerge is the same command, also when nothing else would tell.
func TestARetryAfterTheMerge(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	phone, wx := m.byPhone("13800000001"), m.byWeChat(visitor, "openid-a")
	stale := m.is(wx.Token)
	o, _, err := m.app.CreateOrder(ctx, stale, basket("", goods("g1", 1)), "key")
	must(t, err)
	m.payFor(stale, o) // no unpaid order like it stands any more
	m.byWeChat(m.is(phone.Token), "openid-a")
	for _, who := range []app.Actor{stale, m.is(wx.Token), m.is(phone.Token)} {
		again, created, err := m.app.CreateOrder(ctx, who, basket("", goods("g1", 1)), "key")
		must(t, err)
		want(t, "order", again.ID, o.ID)
		want(t, "created", created, false)
	}
	_, _, err = m.app.CreateOrder(ctx, m.is(phone.Token), basket("", goods("g1", 2)), "key")
	wantReason(t, err, "key_reused")
	want(t, "orders", m.count("SELECT count(*) FROM orders"), 1)
	want(t, "stock", m.stock("g1"), 9)
}

// TestLimitsCountOnePerson: two accounts that become one have no more than one may have.
func TestLimitsCountOnePerson(t *testing.T) {
	t.Parallel()
	both := func(t *testing.T) (m miniProgram, a, b app.Actor, merge func()) {
		m = newMiniProgram(t)
		phone, wx := m.byPhone("13800000001"), m.byWeChat(visitor, "openid-a")
		return m, m.is(phone.Token), m.is(wx.Token), func() { m.byWeChat(m.is(phone.Token), "openid-a") }
	}
	t.Run("unpaid orders", func(t *testing.T) {
		m, a, b, merge := both(t)
		m.book(a, slots(slot("c1", "17:30")))
		m.book(b, slots(slot("c2", "17:30")))
		merge()
		m.refuse(a, slots(slot("c3", "17:30")), "limit_reached")
		m.refuse(b, slots(slot("c3", "17:30")), "limit_reached") // a request that began before
	})
	t.Run("slots of a day", func(t *testing.T) {
		m, a, b, merge := both(t)
		m.payFor(a, m.book(a, slots(slot("c1", "17:30"), slot("c2", "17:30"))))
		m.payFor(b, m.book(b, slots(slot("c3", "17:30"), slot("c4", "17:30"))))
		merge()
		m.refuse(a, slots(slot("c5", "17:30")), "limit_reached")
	})
	t.Run("a coupon", func(t *testing.T) {
		m, a, b, merge := both(t)
		m.coupon("ONCE", 50, 0, 1)
		m.payFor(b, m.book(b, basket("ONCE", nil, slot("c1", "17:30"))))
		merge()
		m.refuse(a, basket("ONCE", nil, slot("c2", "17:30")), "coupon_used")
	})
	t.Run("unpaid orders that lapsed", func(t *testing.T) {
		m, a, b, merge := both(t)
		m.book(a, slots(slot("c1", "17:30")))
		m.book(a, slots(slot("c2", "17:30")))
		m.book(b, slots(slot("c3", "17:30")))
		m.wall.set(noon + 600)
		m.round()
		merge()
		m.refuse(a, slots(slot("c4", "17:30")), "cooling_down")
	})
	t.Run("no-shows", func(t *testing.T) {
		m, a, b, merge := both(t)
		m.policy(func(p *domain.Policy) { p.ReleaseAfterMinutes, p.Strikes = 15, 2 })
		m.payFor(a, m.book(a, slots(slot("c1", "13:00"))))
		m.payFor(b, m.book(b, slots(slot("c2", "13:00"))))
		m.clock("13:20:00")
		m.round()
		want(t, "missed", m.count("SELECT count(*) FROM reservation_now WHERE state = 'no_show'"), 2)
		merge()
		m.refuse(a, slots(slot("c3", "17:30")), "banned")
	})
}

// TestMergesAtOnce: however many ask at the same moment by several processes, the two are
// merged once.
func TestMergesAtOnce(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	other := m.second().with(m.wx)
	phone, wx := m.byPhone("13800000001"), m.byWeChat(visitor, "openid-a")
	a, b := m.is(phone.Token), m.is(wx.Token)
	codes := []string{m.wx.code("openid-a"), m.codeFor("13800000001"), m.wx.code("openid-a")}
	errs := race(12, func(i int) (err error) {
		on := []miniProgram{m, other}[i%2].app
		switch i % 4 {
		case 0:
			_, err = on.LogInWeChat(ctx, a, m.wx.code("openid-a"))
		case 1:
			_, err = on.ProvePhone(ctx, b, "13800000001", codes[1], "")
		default:
			_, _, err = on.CreateOrder(ctx, []app.Actor{a, b}[i%2], slots(slot(fmt.Sprintf("c%d", i%6+1), "17:30")), "")
		}
		return err
	})
	for reason := range tally(errs) {
		if !slices.Contains([]string{"ok", "limit_reached", "slot_taken", "code_invalid"}, reason) {
			t.Errorf("ended with %s", reason)
		}
	}
	want(t, "merged", fmt.Sprint(m.column("SELECT id || merged_into FROM customers WHERE merged_into IS NOT NULL")), fmt.Sprint([]string{b.ID + a.ID}))
	for _, table := range m.withCustomers() {
		want(t, table, m.count("SELECT count(*) FROM "+table+" WHERE customer_id = ?", b.ID), 0)
	}
}
