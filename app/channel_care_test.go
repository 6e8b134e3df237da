package app_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

// TestAChannelThatRefusesEverybody is failing: so many receivers in a row are not all to
// blame. Nothing is tried again for it.
func TestAChannelThatRefusesEverybody(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.sms.failing(func(n notify.Message) error {
		if n.Kind == domain.KindLoginCode {
			return nil
		}
		return fmt.Errorf("%w: answered 400", notify.ErrRefused)
	})
	var all []app.Actor
	for i := range domain.RefusalsToFail {
		all = append(all, m.customer(fmt.Sprintf("1390000000%d", i)))
	}
	book := func(i int) app.Actor {
		who := all[i]
		m.paidAt(who, slot(fmt.Sprint("c", i+1), "17:30"))
		m.sql("DELETE FROM deliveries WHERE notice_id IN (SELECT id FROM notices WHERE kind = 'held')")
		return who
	}
	var last app.Actor
	for i := range domain.RefusalsToFail - 1 {
		last = book(i)
	}
	want(t, "dropped", m.deliver().Dropped, domain.RefusalsToFail-1)
	m.paidAt(last, slot("c6", "17:30")) // the same receiver once more
	m.deliver()
	v := m.view("sms")
	want(t, "four receivers", fmt.Sprint(v.State, " ", v.Refusals, " ", v.Broken()), "ok 4 false")
	book(4)
	m.deliver()
	v = m.view("sms")
	want(t, "five", fmt.Sprint(v.State, " ", v.Refusals, " ", v.Broken(), " ", v.PausedUntil == nil, " ", v.Fails), "failing 5 true true 0")
	want(t, "its words", v.LastError, "refused for good: answered 400")
	want(t, "nothing waits", v.Waiting, 0)
	m.sms.failing(nil)
	m.wait(time.Minute)
	m.paidAt(last, slot("c4", "19:00"))
	m.deliver()
	v = m.view("sms")
	want(t, "one that goes", fmt.Sprint(v.State, v.Refusals), "ok0")

	m.hooks.fail = fmt.Errorf("%w: answered 422", notify.ErrRefused)
	hook, err := m.app.AddWebhook(ctx, m.owner, "https://venue.example/", []string{"order.held", "order.paid"}, "")
	must(t, err)
	for i := range 3 {
		m.paidAt(all[i], slot(fmt.Sprint("c", i+1), "19:00"))
	}
	m.deliver()
	want(t, "a webhook", m.view(hook.Channel()).State, "failing")
}

// TestWakingAChannelWakesWhatWaits: all of it is due, however often it has failed, but for
// what somebody has just taken; and nobody wakes what is not there.
func TestWakingAChannelWakesWhatWaits(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	a := m.customer("13800000001")
	m.paidAt(a, slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error { return notify.ErrDown })
	for range 8 {
		m.deliver()
		m.wait(domain.ChannelMaxPause)
		m.sql("UPDATE deliveries SET next_try_at = ? WHERE dropped_at IS NULL", m.wall.time().Unix())
	}
	m.deliver()
	want(t, "it waits for hours", m.count("SELECT max(next_try_at) FROM deliveries WHERE sent_at IS NULL AND dropped_at IS NULL") > int(m.wall.time().Unix())+3600, true)
	m.sms.failing(nil)
	must(t, m.app.WakeChannel(ctx, m.owner, "sms"))
	want(t, "the notice says so too", m.count("SELECT min(next_try_at) FROM notices WHERE kind = 'paid'"), int(m.wall.time().Unix()))
	want(t, "woken", m.deliver().Sent >= 1, true)
	want(t, "nothing waits", m.view("sms").Waiting, 0)

	m.paidAt(a, slot("c2", "19:00"))
	m.sms.failing(func(notify.Message) error {
		must(t, m.app.WakeChannel(ctx, m.owner, "sms")) // while it is on its way
		return nil
	})
	want(t, "the taken is left alone", m.count("SELECT count(*) FROM deliveries WHERE sent_at IS NULL AND dropped_at IS NULL") > 0, true)
	before := len(m.sms.ids())
	m.deliver()
	for id, n := range m.sms.ids() {
		want(t, "times that "+id+" arrived", n, 1)
	}
	want(t, "more arrived", len(m.sms.ids()) > before, true)

	acts := m.count("SELECT count(*) FROM audit WHERE action = 'wake channel'")
	for _, nobody := range []string{"pigeon", "webhook:none", ""} {
		wantReason(t, m.app.WakeChannel(ctx, m.owner, nobody), "not_found")
	}
	want(t, "no record of it", m.count("SELECT count(*) FROM audit WHERE action = 'wake channel'"), acts)
}

// TestWakingShipping: what WeChat was not told is told at once.
func TestWakingShipping(t *testing.T) {
	told := &counting{fail: notify.LaterError{After: 5 * time.Hour, Err: errors.New("45009")}}
	w := shipping(t, 2, told)
	_, err := w.app.DriveShipments(ctx)
	must(t, err)
	told.fail = nil
	w.wait(2 * time.Minute)
	_, err = w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "left alone", told.calls, 1)
	must(t, w.app.WakeChannel(ctx, w.owner, domain.ChannelShipping))
	_, err = w.app.DriveShipments(ctx)
	must(t, err)
	want(t, "told", w.count("SELECT count(*) FROM shipments WHERE done_at IS NOT NULL"), 2)
}

// TestAPauseThatIsShorterThanAsked says so.
func TestAPauseThatIsShorterThanAsked(t *testing.T) {
	m := newClub(t).withChannels()
	m.routed("sms")
	m.paidAt(m.customer("13800000001"), slot("c1", "17:30"))
	m.sms.failing(func(notify.Message) error {
		return notify.LaterError{After: 24 * time.Hour, Err: errors.New("answered 429")}
	})
	m.deliver()
	v := m.view("sms")
	want(t, "paused for", v.PausedUntil.Sub(m.wall.time()), domain.MaxRetry)
	want(t, "in words", v.LastError, "answered 429; wants to be asked again in 24h0m0s; is asked again in 6h0m0s")
	want(t, "in Chinese", notify.SaidWords(v.LastError), "对方返回 429；24h0m0s 后再试；程序 6h0m0s 后就再试")
}

// TestMomentsAreWrittenAsWeChatHasThem: a time that is none is refused when it is saved and
// shown in the preview, and what was kept before stands in nobody's way.
func TestMomentsAreWrittenAsWeChatHasThem(t *testing.T) {
	m := newClub(t).withChannels()
	save := func(name, from string) error {
		_, err := m.app.ChangeMessages(ctx, m.owner, "messages", func(s *domain.Messages) error {
			s.WeChat = map[string]domain.MessageTemplate{"paid": {ID: "T", Params: []domain.TemplateParam{{Name: "thing1", From: "{court}"}, {Name: name, From: from}}}}
			return nil
		})
		return err
	}
	for _, good := range [][2]string{{"time2", "{start}"}, {"date2", "{start}"}, {"time2", "{pay_by}"}, {"time2", "2026年12月10日 19:00"}, {"thing2", "{slots}"}} {
		must(t, save(good[0], good[1]))
	}
	for _, bad := range [][2]string{{"time2", "{court}"}, {"time2", "{first_slot}"}, {"date2", "{pay_by}"}, {"time2", "开场 {start}"}, {"time2", "{number}"}} {
		refusal, _ := domain.AsError(save(bad[0], bad[1]))
		if refusal == nil || len(refusal.Fields) != 1 || refusal.Fields[0].Field != "wechat.paid.params[1].from" {
			t.Errorf("%v: %v", bad, refusal)
		}
	}
	shown := domain.Messages{WeChat: map[string]domain.MessageTemplate{"paid": {ID: "T", Params: []domain.TemplateParam{{Name: "time1", From: "{court}"}, {Name: "thing2", From: "{court}"}}}}}
	p, err := m.app.PreviewMessage(ctx, shown, "paid")
	must(t, err)
	want(t, "unfit", strings.Join(p.Unfit, " "), "time1")

	m.sql(`UPDATE venue SET messages = json_set(messages, '$.daily', json('{"sms":0}'), '$.wechat.paid.params', json('[{"name":"time1","from":"{court}"},{"name":"time1","from":"a {}"}]'))`)
	_, err = m.app.ChangeMessages(ctx, m.owner, "messages", func(s *domain.Messages) error { s.ShipAfterCheckIn = true; return nil })
	must(t, err)
	_, err = m.app.ChangeMessages(ctx, m.owner, "messages", func(s *domain.Messages) error { s.Daily = map[string]int{"mail": 0}; return nil })
	wantReason(t, err, "invalid_field")
}
