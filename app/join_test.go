package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// wechat plays WeChat's server: every code serves once, whichever process asks.
type wechat struct {
	mu   sync.Mutex
	of   map[string]string // openids by code
	n    int
	fail error
}

func (w *wechat) JSCode2Session(_ context.Context, code string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	openID, ok := w.of[code]
	delete(w.of, code)
	switch {
	case w.fail != nil:
		return "", w.fail
	case !ok:
		return "", fmt.Errorf("errcode 40163: %w", app.ErrBadWeChatCode)
	}
	return openID, nil
}

// code is what wx.login gives somebody.
func (w *wechat) code(openID string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	code := fmt.Sprintf("0c1%d", w.n)
	w.of[code] = openID
	return code
}

// miniProgram is a club that people come to by WeChat as well.
type miniProgram struct {
	*club
	wx *wechat
}

func newMiniProgram(t *testing.T) miniProgram {
	t.Helper()
	return newClub(t).with(&wechat{of: map[string]string{}})
}

func (c *club) with(wx *wechat) miniProgram {
	c.app = app.New(app.Config{DB: c.db, Channel: c.mail, WeChat: wx, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Demo: true})
	c.app.AddProvider(c.bank)
	return miniProgram{c, wx}
}

// visitor is nobody who is known.
var visitor = app.Actor{Role: app.Anyone}

// is gives the person that a token stands for, as each request finds out anew.
func (m miniProgram) is(token string) app.Actor {
	m.t.Helper()
	actor, err := m.app.WhoIs(ctx, token)
	must(m.t, err)
	return actor
}

func (m miniProgram) byWeChat(who app.Actor, openID string) app.SignedIn {
	m.t.Helper()
	in, err := m.app.LogInWeChat(ctx, who, m.wx.code(openID))
	must(m.t, err)
	return in
}

func (m miniProgram) byPhone(phone string) app.SignedIn {
	m.t.Helper()
	in, err := m.app.LogIn(ctx, phone, m.codeFor(phone), "")
	must(m.t, err)
	return in
}

func (m miniProgram) codeFor(phone string) string {
	m.t.Helper()
	sent, err := m.app.SendLoginCode(ctx, phone, "")
	must(m.t, err)
	return sent.Code
}

func (m miniProgram) provePhone(who app.Actor, phone string) (app.ProfileView, error) {
	m.t.Helper()
	return m.app.ProvePhone(ctx, who, phone, m.codeFor(phone), "")
}

// people is all that is known of customers and sessions, to see that nothing has changed.
func (m miniProgram) people() string {
	m.t.Helper()
	return strings.Join(append(
		m.column("SELECT concat_ws('|', id, phone, name, openid, email, merged_into) FROM customers ORDER BY id"),
		m.column("SELECT concat_ws('|', token_hash, customer_id) FROM sessions WHERE customer_id IS NOT NULL ORDER BY token_hash")...), "\n")
}

// TestC53_FirstSignInsOfOneOpenID at once, by two processes, are one customer; each code
// serves once, and whoever was late with one is told so and gets in with another.
func TestC53_FirstSignInsOfOneOpenID(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	other := m.second().with(m.wx)
	var ids, tokens sync.Map
	enter := func(i int, code string) error {
		in, err := []miniProgram{m, other}[i%2].app.LogInWeChat(ctx, visitor, code)
		if err == nil {
			ids.Store(in.Customer.ID, true)
			tokens.Store(in.Token, true)
			if !in.Customer.HasWeChat || in.Customer.Phone != "" {
				err = fmt.Errorf("signed in as %+v", in.Customer)
			}
		}
		return err
	}
	codes := make([]string, 16)
	for i := range codes {
		codes[i] = m.wx.code("openid-a")
	}
	wantTally(t, race(len(codes), func(i int) error { return enter(i, codes[i]) }), map[string]int{"ok": 16})
	once := m.wx.code("openid-a")
	wantTally(t, race(8, func(i int) error { return enter(i, once) }), map[string]int{"ok": 1, "wechat_code_invalid": 7})
	must(t, enter(0, m.wx.code("openid-a")))
	want(t, "customers", len(keysOf(&ids)), 1)
	want(t, "tokens", len(keysOf(&tokens)), 18)
	want(t, "sessions", m.count("SELECT count(*) FROM sessions WHERE customer_id IS NOT NULL"), 18)
	must(t, enter(0, m.wx.code("openid-b")))
	want(t, "people", m.count("SELECT count(*) FROM customers"), 2)
}

func keysOf(m *sync.Map) (out []string) {
	m.Range(func(k, _ any) bool { out = append(out, k.(string)); return true })
	return out
}

func TestWeChatThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	before := m.people()
	try := func(who app.Actor, code, reason string, kind domain.Kind) *domain.Error {
		t.Helper()
		_, err := m.app.LogInWeChat(ctx, who, code)
		wantReason(t, err, reason)
		refusal, _ := domain.AsError(err)
		want(t, "kind", refusal.Kind, kind)
		return refusal
	}
	try(visitor, "never given", "invalid_field", domain.Invalid) // has a blank
	try(visitor, "", "invalid_field", domain.Invalid)
	try(visitor, strings.Repeat("x", 129), "invalid_field", domain.Invalid)
	try(visitor, strings.Repeat("x", 128), "wechat_code_invalid", domain.Unauthenticated)
	code := m.wx.code("openid-a")
	try(m.desk, code, "forbidden", domain.Forbidden)
	try(m.owner, code, "forbidden", domain.Forbidden)
	m.wx.fail = errors.New("dial tcp: timeout")
	refusal := try(visitor, m.wx.code("openid-a"), "wechat_unavailable", domain.Unavailable)
	want(t, "says when", refusal.Detail["retry_after"], any(5))
	m.wx.fail = nil
	want(t, "people", m.people(), before)
	in, err := m.app.LogInWeChat(ctx, visitor, code) // staff has not used it up
	must(t, err)
	want(t, "somebody", m.is(in.Token).ID, in.Customer.ID)
	m.app = app.New(app.Config{DB: m.db, Channel: m.mail, Log: slog.New(slog.DiscardHandler)})
	try(visitor, "x", "wechat_not_set_up", domain.Unavailable)
}

// TestJoinedFromThePhone: whoever is signed in by phone proves an openid.
func TestJoinedFromThePhone(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	in := m.byPhone("13800000001")
	want(t, "no WeChat", in.Customer.HasWeChat, false)
	joined := m.byWeChat(m.is(in.Token), "openid-a") // nobody's yet
	want(t, "joined", *joined.Customer, app.ProfileView{ID: in.Customer.ID, Phone: "13800000001", HasWeChat: true})
	want(t, "by WeChat alone", m.byWeChat(visitor, "openid-a").Customer.ID, in.Customer.ID)
	want(t, "by phone alone", m.byPhone("13800000001").Customer.ID, in.Customer.ID)
	want(t, "once more", m.byWeChat(m.is(in.Token), "openid-a").Customer.ID, in.Customer.ID)

	// An openid with an account of its own, and a name, comes over with everything.
	second, wx := m.byPhone("13800000002"), m.byWeChat(visitor, "openid-b")
	_, err := m.app.Rename(ctx, m.is(wx.Token), "小乙")
	must(t, err)
	o := m.book(m.is(wx.Token), slots(slot("c1", "17:30")))
	both := m.byWeChat(m.is(second.Token), "openid-b")
	want(t, "merged", *both.Customer, app.ProfileView{ID: second.Customer.ID, Phone: "13800000002", HasWeChat: true, Name: "小乙"})
	want(t, "order", m.order(m.is(second.Token), o.ID).State, "held")
	want(t, "the merged one's session", m.is(wx.Token).ID, second.Customer.ID)
	me, err := m.app.Me(ctx, app.Actor{Role: app.RoleCustomer, ID: wx.Customer.ID}) // as a request that began before
	must(t, err)
	want(t, "is", me.Customer.ID, second.Customer.ID)
	want(t, "acts", strings.Join(m.column("SELECT actor || ' ' || role || ' ' || action || ' ' || detail FROM audit WHERE role = 'customer'"), ";"),
		second.Customer.ID+` customer merge accounts {"merged":"`+wx.Customer.ID+`","proven":"wechat"}`)
}

// TestJoinedFromWeChat: whoever is signed in by WeChat proves a phone.
func TestJoinedFromWeChat(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	wx := m.byWeChat(visitor, "openid-a")
	got, err := m.provePhone(m.is(wx.Token), "138 0000 0001")
	must(t, err)
	want(t, "phone", got, app.ProfileView{ID: wx.Customer.ID, Phone: "13800000001", HasWeChat: true})
	want(t, "by phone alone", m.byPhone("13800000001").Customer.ID, wx.Customer.ID)
	got, err = m.app.ProvePhone(ctx, m.is(wx.Token), "13800000001", "used up", "") // the answer was lost
	must(t, err)
	want(t, "still", got.ID, wx.Customer.ID)

	// A phone that the desk has booked for is an account: it goes on.
	caller, _, err := m.app.DeskOrder(ctx, m.desk, slots(slot("c1", "17:30")), app.Caller{Name: "王小明", Phone: "13800000002"}, "cash", "")
	must(t, err)
	wx = m.byWeChat(visitor, "openid-b")
	stale := m.is(wx.Token)
	o := m.book(stale, slots(slot("c2", "17:30")))
	got, err = m.provePhone(stale, "13800000002")
	must(t, err)
	survivor := m.column("SELECT customer_id FROM orders WHERE id = ?", caller.ID)[0]
	want(t, "survivor", got, app.ProfileView{ID: survivor, Phone: "13800000002", HasWeChat: true, Name: "王小明"})
	want(t, "the session goes on", m.is(wx.Token).ID, survivor)
	want(t, "own order", m.order(m.is(wx.Token), o.ID).ID, o.ID)
	want(t, "the caller's", m.order(m.is(wx.Token), caller.ID).ID, caller.ID)
	want(t, "by WeChat alone", m.byWeChat(visitor, "openid-b").Customer.ID, survivor)
	// A request that began before the merge ends as the survivor's.
	late, _, err := m.app.CreateOrder(ctx, stale, slots(slot("c3", "17:30")), "")
	must(t, err)
	want(t, "its order is", m.column("SELECT customer_id FROM orders WHERE id = ?", late.ID)[0], survivor)
	named, err := m.app.Rename(ctx, stale, "王大明")
	must(t, err)
	want(t, "named", named.ID+named.Name, survivor+"王大明")
}

// TestTwoAccountsStayTwo where each has what is its own, and nothing changes.
func TestTwoAccountsStayTwo(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	phone, full, wx := m.byPhone("13800000001"), m.byPhone("13800000002"), m.byWeChat(visitor, "openid-c")
	m.byWeChat(m.is(full.Token), "openid-b")
	codes := map[string]string{"13800000001": m.codeFor("13800000001"), "13800000002": m.codeFor("13800000002")}
	before := m.people()
	for what, try := range map[string]func() error{
		"an openid that has a phone": func() error {
			_, err := m.app.LogInWeChat(ctx, m.is(phone.Token), m.wx.code("openid-b"))
			return err
		},
		"another openid": func() error {
			_, err := m.app.LogInWeChat(ctx, m.is(full.Token), m.wx.code("openid-c"))
			return err
		},
		"an openid that nobody has": func() error {
			_, err := m.app.LogInWeChat(ctx, m.is(full.Token), m.wx.code("openid-new"))
			return err
		},
		"by WeChat another openid": func() error {
			_, err := m.app.LogInWeChat(ctx, m.is(wx.Token), m.wx.code("openid-new"))
			return err
		},
		"a phone that has an openid": func() error {
			_, err := m.app.ProvePhone(ctx, m.is(wx.Token), "13800000002", codes["13800000002"], "")
			return err
		},
		"somebody's phone instead of one's own": func() error {
			_, err := m.app.ProvePhone(ctx, m.is(full.Token), "13800000001", codes["13800000001"], "")
			return err
		},
	} {
		err := try()
		if !domain.IsReason(err, "two_accounts") {
			t.Errorf("%s: %v", what, err)
		}
		if m.people() != before {
			t.Fatalf("%s has changed\n%s\nto\n%s", what, before, m.people())
		}
	}
	_, err := m.app.LogIn(ctx, "13800000002", codes["13800000002"], "") // what was refused has used no code up
	must(t, err)
}

// TestAPhoneIsProvenByItsCode and by no other; wrong guesses are counted as at the door.
func TestAPhoneIsProvenByItsCode(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	m.byPhone("13800000001")
	in := m.byWeChat(visitor, "openid-a")
	me := m.is(in.Token)
	before := m.people()
	refused := func(code string, from app.From) {
		t.Helper()
		_, err := m.app.ProvePhone(ctx, me, "13800000001", code, from)
		wantReason(t, err, "code_invalid")
		want(t, "people", m.people(), before)
	}
	refused("123456", "") // nobody has asked for one
	strangers, right := m.codeFor("13800000002"), m.codeFor("13800000001")
	for strangers == right {
		strangers = m.codeFor("13800000002")
	}
	refused(strangers, "here")
	for range domain.MaxLoginCodeTries - 1 {
		refused("000000x", "here")
	}
	refused(right, "here") // too many, from there
	want(t, "counted", m.count("SELECT max(tries) FROM login_codes WHERE phone = '13800000001'"), domain.MaxLoginCodeTries)
	_, err := m.app.LogIn(ctx, "13800000001", right, "here")
	wantReason(t, err, "code_invalid") // at the door as well
	for _, who := range []app.Actor{visitor, m.desk, m.owner} {
		_, err := m.app.ProvePhone(ctx, who, "13800000001", right, "elsewhere")
		wantReason(t, err, "forbidden")
	}
	got, err := m.app.ProvePhone(ctx, me, "13800000001", right, "elsewhere")
	must(t, err)
	other := m.byWeChat(visitor, "openid-b")
	_, err = m.app.ProvePhone(ctx, m.is(other.Token), "13800000001", right, "elsewhere")
	wantReason(t, err, "code_invalid") // it has served
	want(t, "one account", m.is(in.Token).ID, got.ID)

	// Proven eight times at once: by one of them.
	code := m.codeFor("13800000003")
	people := make([]app.Actor, 8)
	for i := range people {
		people[i] = m.is(m.byWeChat(visitor, fmt.Sprint("openid-", i+10)).Token)
	}
	wantTally(t, race(len(people), func(i int) error {
		_, err := m.app.ProvePhone(ctx, people[i], "13800000003", code, "")
		return err
	}), map[string]int{"ok": 1, "code_invalid": 7})
	want(t, "has it", m.count("SELECT count(*) FROM customers WHERE phone = '13800000003'"), 1)
}

// TestAChangeOfNumber frees the old one, and is recorded.
func TestAChangeOfNumber(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	in := m.byPhone("13800000001")
	o := m.book(m.is(in.Token), slots(slot("c1", "17:30")))
	got, err := m.provePhone(m.is(in.Token), "13900000001")
	must(t, err)
	want(t, "number", got, app.ProfileView{ID: in.Customer.ID, Phone: "13900000001"})
	want(t, "by the new one", m.byPhone("13900000001").Customer.ID, in.Customer.ID)
	if m.byPhone("13800000001").Customer.ID == in.Customer.ID {
		t.Error("the old number still leads there")
	}
	want(t, "the desk sees", m.column("SELECT phone FROM order_now WHERE id = ?", o.ID)[0], "13900000001")
	want(t, "recorded", strings.Join(m.column("SELECT actor || role || target || detail FROM audit WHERE action = 'change phone'"), ";"),
		in.Customer.ID+"customer"+in.Customer.ID+`{"from":"13800000001","to":"13900000001"}`)
	before := m.people()
	_, err = m.provePhone(m.is(in.Token), "13800000001") // somebody's by now
	wantReason(t, err, "two_accounts")
	want(t, "people", m.people(), before)
}

// TestTheDatabaseMergesNoStrangers, whatever the program would ask.
func TestTheDatabaseMergesNoStrangers(t *testing.T) {
	t.Parallel()
	m := newMiniProgram(t)
	a, b := m.byPhone("13800000001").Customer.ID, m.byPhone("13800000002").Customer.ID
	o := m.book(app.Actor{Role: app.RoleCustomer, ID: a}, slots(slot("c1", "17:30")))
	err := m.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("UPDATE reservations SET customer_id = ? WHERE order_id = ?", b, o.ID)
		return err
	})
	if err == nil {
		t.Error("a booking was given away")
	}
	err = m.db.Write(ctx, func(tx *sqlite.Tx) error {
		from, err := tx.Customer(a)
		if err != nil {
			return err
		}
		into, err := tx.Customer(b)
		if err != nil {
			return err
		}
		return tx.MergeCustomers(from, into)
	})
	wantReason(t, err, "two_accounts")
}
