package messages_test

import (
	"context"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// What is sent while nothing can be written comes back to be sent again, with the nonce
// that it came with: sent again, it is the same act.
func TestActsComeBackWhileNothingCanBeWritten(t *testing.T) {
	o := open(t)
	id := o.addHook("https://venue.example/a", "order.paid")
	page := "/owner/webhooks/" + id
	add := o.fill("/owner/webhooks", "/owner/webhooks", "url", "https://venue.example/b")
	add["kind"] = []string{"slot.freed"}
	edit, renew := o.fill(page, page, "url", "https://venue.example/c"), o.fill(page+"/secret", page+"/secret")
	remove, replay := o.fill(page+"/remove", page+"/remove"), o.fill(page, page+"/replay", "from", "2026-12-01")
	test := o.fill(paidPage, paidPage+"/test", "channel", "sms", "phone", "13800138000")
	before := clubtest.At(t, clubtest.Opening) - 3600
	clubtest.Must(t, o.k.DB.SetDemoClock(context.Background(), func(sqlite.ClockState) (domain.Instant, bool) { return before, false }))
	back := func(p clubtest.Page, kept ...string) clubtest.Page {
		t.Helper()
		return p.Want(503).Says("系统时钟异常，暂停受理").Has(kept...)
	}
	added := back(o.Send("/owner/webhooks", add), `value="https://venue.example/b"`, `value="slot.freed" checked`, add.Get("nonce"))
	back(o.Send(page, edit), `value="https://venue.example/c"`)
	back(o.Send(page+"/secret", renew), renew.Get("nonce")).HasNot("whsec_of")
	back(o.Send(page+"/remove", remove), "https://venue.example/a")
	back(o.Send(page+"/replay", replay), `value="2026-12-01"`, replay.Get("nonce"))
	back(o.Post(page+"/active", "active", "0"))
	back(o.Send(paidPage+"/test", test), `value="13800138000"`, test.Get("nonce"))
	same(t, "nothing was sent", len(o.sms.got), 0)
	o.k.SetClock("2026-12-10T10:05:00+08:00")
	o.Send("/owner/webhooks", add).Want(200)
	o.Send("/owner/webhooks", formOf(t, added, "/owner/webhooks")).Want(200)
	same(t, "added once", len(o.messages().Webhooks), 2)
}
