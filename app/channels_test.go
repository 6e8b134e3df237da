package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

// channel is a postbox with a name.
type channel struct {
	postbox
	name string
}

func (p *channel) Name() string { return p.name }

// hooks is the venue's own software: it keeps what it is told.
type hooks struct {
	mu   sync.Mutex
	got  []app.HappeningView
	fail error
}

func (*hooks) Secret(w domain.Webhook) string {
	return fmt.Sprint("secret of ", w.ID, " ", w.Generation)
}

func (h *hooks) Send(_ context.Context, _ domain.Webhook, id string, _ time.Time, body []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fail != nil {
		return h.fail
	}
	var e app.HappeningView
	if err := json.Unmarshal(body, &e); err != nil || e.ID != id {
		return fmt.Errorf("event %s has the body %s", id, body)
	}
	h.got = append(h.got, e)
	return nil
}

func (h *hooks) kinds() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, e := range h.got {
		out = append(out, e.Kind)
	}
	return strings.Join(out, " ")
}

// messengers are a club's channels.
type messengers struct {
	*club
	wechat, sms, email *channel
	hooks              *hooks
}

// withChannels gives a club three channels and a listener to events.
func (c *club) withChannels() messengers {
	c.t.Helper()
	m := messengers{c, &channel{name: "wechat"}, &channel{name: "sms"}, &channel{name: "mail"}, &hooks{}}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	c.app = app.New(app.Config{DB: c.db, Channel: c.mail, Channels: []notify.Channel{m.wechat, m.sms, m.email}, Webhooks: m.hooks, Log: log, Demo: true})
	c.app.AddProvider(c.bank)
	c.rec = reconciler.New(c.app, log)
	must(c.t, c.app.NoteChannels(ctx, true))
	return m
}

// routed sends every kind of notice by some channels.
func (m messengers) routed(by ...string) {
	m.t.Helper()
	_, err := m.app.ChangeMessages(ctx, m.owner, "routes", func(s *domain.Messages) error {
		s.Routes = map[string][]string{}
		for _, kind := range domain.NoticeKinds {
			s.Routes[kind] = by
		}
		return nil
	})
	must(m.t, err)
}

func (m messengers) deliver() app.DeliverReport {
	m.t.Helper()
	rep, err := m.app.DeliverNotices(ctx)
	must(m.t, err)
	return rep
}

// sql changes a row behind the program's back.
func (c *club) sql(query string, args ...any) {
	c.t.Helper()
	must(c.t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

func (m messengers) view(channel string) app.ChannelView {
	m.t.Helper()
	all, _, err := m.app.ChannelViews(ctx)
	must(m.t, err)
	for _, v := range all {
		if v.Channel == channel {
			return v
		}
	}
	m.t.Fatalf("no channel %s", channel)
	return app.ChannelView{}
}

// TestNoticesGoByTheirRoutes: by each channel of their kind on which the customer is,
// and a customer who is on none reads them on the page.
func TestNoticesGoByTheirRoutes(t *testing.T) {
	m := newClub(t).withChannels()
	a := m.customer("13800000001") // is on SMS alone
	m.routed("wechat", "mail")
	o := m.paidAt(a, slot("c1", "17:30"))
	want(t, "delivered", m.deliver(), app.DeliverReport{Dropped: 4}) // held and paid, by two channels each
	want(t, "why", strings.Join(m.column("SELECT DISTINCT drop_reason FROM notices WHERE kind = 'paid'"), " "), "no_address")
	list, err := m.app.Notices(ctx, a, app.Page{})
	must(t, err)
	want(t, "on the page all the same", list.Items[0].Kind, "paid")
	m.routed("sms")
	m.cancel(a, o.ID)
	want(t, "then by SMS", m.deliver().Sent, 1)
	want(t, "there", m.sms.about(o.ID, "cancelled"), 1)
	want(t, "not in the log too", m.mail.about(o.ID, "cancelled"), 0)
	m.routed()
	m.paidAt(a, slot("c2", "17:30"))
	m.deliver()
	want(t, "by no channel: the page and the log", m.mail.kinds()["paid"], 1)
}

// TestADeadChannelDelaysItsOwn: three failures pause it, each probe that fails doubles
// the pause, nothing is given up for it within a day, and the others go on meanwhile.
func TestADeadChannelDelaysItsOwn(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms", "mail")
	down := fmt.Errorf("connection refused: %w", notify.ErrDown)
	for i := range 6 {
		m.paidAt(m.customer(fmt.Sprintf("1380000000%d", i)), slot(fmt.Sprintf("c%d", i+1), "17:30"))
	}
	m.sms.got = nil // the login codes
	m.sms.failing(func(notify.Message) error { return down })
	m.sql("UPDATE customers SET email = phone || '@example.com'")
	m.sql("DELETE FROM deliveries WHERE notice_id IN (SELECT id FROM notices WHERE kind <> 'paid')")
	rep := m.deliver()
	want(t, "first pass", rep, app.DeliverReport{Sent: 6, Failed: 3})
	want(t, "mail", len(m.email.got), 6)
	v := m.view("sms")
	want(t, "paused", fmt.Sprint(v.State, " ", v.Fails, " ", domain.InstantOf(*v.PausedUntil)-noon), "paused 3 60")
	want(t, "its error is shown", v.LastError, down.Error())
	m.wall.set(noon + 59)
	want(t, "in the pause", m.deliver(), app.DeliverReport{})
	pauses := []domain.Instant{120, 240, 480, 960, 1800, 1800}
	now := noon + 60
	for i, pause := range pauses {
		m.wall.set(now)
		want(t, fmt.Sprintf("probe %d", i), m.deliver().Failed, 1)
		want(t, fmt.Sprintf("pause %d", i), domain.InstantOf(*m.view("sms").PausedUntil)-now, pause)
		now += pause
	}
	m.sms.failing(nil)
	m.wall.set(now)
	m.deliver()
	m.wall.set(now + 12*3600)
	m.deliver()
	got := map[string]int{}
	for _, sent := range m.sms.got {
		got[sent.ID]++
	}
	want(t, "all of them arrive", len(got), 6)
	for id, n := range got {
		want(t, "times that "+id+" arrived", n, 1)
	}
	want(t, "well again", m.view("sms").State, "ok")
	want(t, "given up", m.count("SELECT count(*) FROM notices WHERE gave_up_at IS NOT NULL"), 0)
}

// TestADeadChannelIsGivenUpInTheEnd: after eight tries and a day.
func TestADeadChannelIsGivenUpInTheEnd(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error { return notify.ErrDown })
	for now := noon; now < noon+24*3600; now += 3600 {
		m.wall.set(now)
		m.deliver()
	}
	want(t, "within a day", m.count("SELECT count(*) FROM notices WHERE gave_up_at IS NOT NULL"), 0)
	want(t, "tries", m.count("SELECT max(tries) FROM notices") >= 8, true)
	m.wall.set(noon + 48*3600)
	m.deliver()
	want(t, "given up", m.count("SELECT count(*) FROM notices WHERE kind = 'paid' AND gave_up_at IS NOT NULL"), 1)
}

// TestASlowChannelKeepsNobodyWaiting: while one message hangs in its channel, others go out by theirs.
func TestASlowChannelKeepsNobodyWaiting(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms", "mail")
	a := m.customer("13800000001")
	m.sql("UPDATE customers SET email = 'a@example.com'")
	hangs, goOn, both := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var once sync.Once
	m.sms.failing(func(notify.Message) error {
		once.Do(func() { close(hangs); <-goOn })
		return nil
	})
	mailed := 0
	m.email.failing(func(got notify.Message) error {
		if got.Kind == "paid" {
			if mailed++; mailed == 2 {
				close(both)
			}
		}
		return nil
	})
	first := m.paidAt(a, slot("c1", "17:30"))
	done := make(chan error)
	go func() {
		_, err := m.app.DeliverNotices(ctx)
		done <- err
	}()
	<-hangs
	second := m.paidAt(a, slot("c2", "17:30"))
	must(t, m.app.DeliverWoken(ctx))
	<-both // mail of both orders, while the SMS of the first still hangs
	close(goOn)
	must(t, <-done)
	want(t, "and the pass under way took the second's SMS along", m.sms.about(second.ID, "paid")+m.sms.about(first.ID, "paid"), 2)
}

// TestAChannelsDailyBudget: what is over waits for the next business day.
func TestAChannelsDailyBudget(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	_, err := m.app.ChangeMessages(ctx, m.owner, "budget", func(s *domain.Messages) error { s.Daily = map[string]int{"sms": 3}; return nil })
	must(t, err)
	for i := range 3 {
		m.paidAt(m.customer(fmt.Sprintf("1380000000%d", i)), slot(fmt.Sprintf("c%d", i+1), "17:30"))
	}
	m.sql("DELETE FROM deliveries WHERE notice_id IN (SELECT id FROM notices WHERE kind = 'held')")
	a := m.customer("13800000007")
	m.paidAt(a, slot("c5", "17:30"))
	m.sql("DELETE FROM deliveries WHERE notice_id IN (SELECT id FROM notices WHERE kind = 'held')")
	want(t, "today", m.deliver().Sent, 3)
	want(t, "shown as", m.view("sms").State, "full")
	m.clock("23:59:59")
	want(t, "to the end of the day", m.deliver().Sent, 0)
	m.wall.set(at("2026-12-11T00:00:00+08:00"))
	want(t, "the next day", m.deliver().Sent, 1)
}

// TestWhatAChannelRefusesIsNotTriedAgain, and an allowance that WeChat knows of no more is none.
func TestWhatAChannelRefusesIsNotTriedAgain(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error { return fmt.Errorf("%w: no such number", notify.ErrRefused) })
	m.deliver()
	m.wall.set(noon + 7*86400)
	want(t, "again", m.deliver(), app.DeliverReport{})
	list, err := m.app.Outbox(ctx, app.Page{})
	must(t, err)
	want(t, "state", fmt.Sprint(list.Items[0].State, " ", list.Items[0].WhyCode), "dropped refused")
	want(t, "the channel is not to blame", m.view("sms").Fails, 0)
}

// TestAChannelThatWantsToBeLeftAlone is left alone for as long as it says.
func TestAChannelThatWantsToBeLeftAlone(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error { return notify.LaterError{After: 5 * time.Minute, Err: errors.New("429")} })
	m.deliver()
	want(t, "from the first time", domain.InstantOf(*m.view("sms").PausedUntil)-noon, 300)
	m.sms.failing(nil)
	m.wall.set(noon + 299)
	want(t, "a second before", m.deliver().Sent, 0)
	must(t, m.app.WakeChannel(ctx, m.owner, "sms"))
	want(t, "woken by hand", m.deliver().Sent, 1)
}

// wechatUser makes a customer with an openid and templates for two kinds.
func (m messengers) wechatUser() app.Actor {
	m.t.Helper()
	a := m.customer("13800000001")
	m.sql("UPDATE customers SET openid = 'openid-a' WHERE id = ?", a.ID)
	_, err := m.app.ChangeMessages(ctx, m.owner, "templates", func(s *domain.Messages) error {
		s.WeChat = map[string]domain.MessageTemplate{"paid": {ID: "TPL", Params: []domain.TemplateParam{{Name: "thing1", From: "{court}"}, {Name: "time2", From: "{start}"}, {Name: "character_string3", From: "{number}"}}}}
		return nil
	})
	must(m.t, err)
	m.routed("wechat")
	return a
}

// TestWeChatNeedsAnAllowance for each message, and the message is the template filled in.
func TestWeChatNeedsAnAllowance(t *testing.T) {
	m := newClub(t).withChannels()
	a := m.wechatUser()
	allow := func() {
		must(t, m.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.AllowMessage("openid-a", "TPL", 50) }))
	}
	why := func(o app.OrderView) string {
		return strings.Join(m.column("SELECT coalesce(sent_at || '', '') || drop_reason FROM notices WHERE kind = 'paid' AND order_id = ?", o.ID), " ")
	}
	allow()
	one, two := m.paidAt(a, slot("c1", "17:30")), m.paidAt(a, slot("c2", "17:30"))
	m.deliver()
	want(t, "the first", why(one), fmt.Sprint(int64(noon)))
	want(t, "the second", why(two), "not_allowed")
	want(t, "held has no template", m.count("SELECT count(*) FROM notices WHERE kind = 'held' AND drop_reason = 'order_paid'"), 2)
	got := m.wechat.got[0]
	want(t, "to", got.OpenID, "openid-a")
	want(t, "template", fmt.Sprint(got.Template.ID, " ", got.Template.Values), fmt.Sprint("TPL [{thing1 1号场} {time2 2026年12月10日 17:30} {character_string3 ", one.Number, "}]"))
	allow()
	allow()
	m.wechat.failing(func(notify.Message) error { return fmt.Errorf("43101: %w", notify.ErrNotAllowed) })
	three := m.paidAt(a, slot("c3", "17:30"))
	m.deliver()
	want(t, "refused by the receiver", why(three), "not_allowed")
	want(t, "allowances left", m.count("SELECT left_over FROM allowances"), 0)
	m.wechat.failing(nil)
	want(t, "never again", m.deliver().Sent, 0)
}

// TestOwnWords: the owner's words go before the program's, filled with the facts.
func TestOwnWords(t *testing.T) {
	m := newClub(t).withChannels()
	_, err := m.app.ChangeMessages(ctx, m.owner, "words", func(s *domain.Messages) error {
		s.Texts = map[string]domain.MessageText{"paid": {Title: "{venue}：订好了", Text: "{number} {court} {start}，付了{amount}", TitleEN: "Booked", TextEN: "{number}"}}
		return nil
	})
	must(t, err)
	a := m.customer("13800000001")
	o := m.paidAt(a, slot("c1", "17:30"))
	list, err := m.app.Notices(ctx, a, app.Page{})
	must(t, err)
	want(t, "title", list.Items[0].Title, "测试球馆：订好了")
	want(t, "text", list.Items[0].Text, o.Number+" 1号场 2026年12月10日 17:30，付了￥60")
	_, err = m.app.ChangeMessages(ctx, m.owner, "words", func(s *domain.Messages) error {
		s.Texts = map[string]domain.MessageText{"paid": {Title: "{nmber}", Text: "x", TitleEN: "x", TextEN: "x"}}
		return nil
	})
	wantReason(t, err, "invalid_field")
}
