package messages_test

import (
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

// addHook adds a webhook on the page and gives its id.
func (o owner) addHook(url string, kinds ...string) string {
	o.t.Helper()
	form := o.fill("/owner/webhooks", "/owner/webhooks", "url", url)
	form["kind"] = kinds
	o.Send("/owner/webhooks", form).Want(200)
	hooks := o.messages().Webhooks
	return hooks[len(hooks)-1].ID
}

// secretIn is the secret that a page shows, or "".
func secretIn(p clubtest.Page) string {
	_, rest, found := strings.Cut(p.Body, "whsec_")
	if !found {
		return ""
	}
	secret, _, _ := strings.Cut(rest, "<")
	return "whsec_" + secret
}

// TestAWebhookIsAddedOnce and its secret is in the answer alone.
func TestAWebhookIsAddedOnce(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/webhooks", "/owner/webhooks", "url", "https://venue.example/events")
	form["kind"] = []string{"slot.freed", "order.paid"}
	p := o.Send("/owner/webhooks", form).Want(200).Says("推送已添加", "只显示这一次")
	hooks := o.messages().Webhooks
	if len(hooks) != 1 || hooks[0].URL != "https://venue.example/events" || !hooks[0].Active {
		t.Fatalf("webhooks %v", hooks)
	}
	secret := o.hooks.Secret(hooks[0])
	same(t, "the secret", secretIn(p), secret)
	same(t, "may be kept", p.Header.Get("Cache-Control"), "no-store")
	for name, value := range o.Cookies {
		if strings.Contains(name+value, "whsec") {
			t.Errorf("the cookie %s has the secret", name)
		}
	}
	p.HasNot("?secret", "href=\"whsec")
	for _, page := range []string{"/owner/webhooks", "/owner/webhooks/" + hooks[0].ID, "/owner/webhooks/" + hooks[0].ID + "/secret", "/owner/outbox", "/owner/audit"} {
		o.Get(page).Want(200).HasNot("whsec_of")
	}
	o.Send("/owner/webhooks", form).Want(200) // reloaded
	same(t, "webhooks after reloading", len(o.messages().Webhooks), 1)
	same(t, "acts", o.acts("change webhooks"), 1)
	o.Get("/owner/webhooks").Says("https://venue.example/events", "场次空出", "已付款", "正常", "webhook-id", "webhook-timestamp", "webhook-signature", "slot.freed")

	// An old form does not show what has become of the secret since.
	renew := o.fill("/owner/webhooks/"+hooks[0].ID+"/secret", "/owner/webhooks/"+hooks[0].ID+"/secret")
	o.Send("/owner/webhooks/"+hooks[0].ID+"/secret", renew).Want(200)
	o.Send("/owner/webhooks", form).WantRedirect("/owner/webhooks/" + hooks[0].ID)
	o.Post("/owner/webhooks/" + hooks[0].ID + "/remove").WantRedirect("/owner/webhooks?said=removed")
	o.Send("/owner/webhooks", form).Want(303)
	same(t, "it is not back", len(o.messages().Webhooks), 0)
}

func TestAWebhookThatIsRefused(t *testing.T) {
	o := open(t)
	form := o.fill("/owner/webhooks", "/owner/webhooks", "url", `javascript:"><script>alert(1)</script>`)
	p := o.Send("/owner/webhooks", form).Want(422).HasNot("<script>alert").Has(`value="javascript:&#34;&gt;&lt;script&gt;alert(1)`)
	wantFault(t, p, "add-url", "须为 http 或 https 地址，不含密码")
	wantFault(t, p, "add-kinds", "至少选一种事件")
	form["url"], form["kind"] = []string{"https://user:pw@venue.example/"}, []string{"order.paid"}
	p = o.Send("/owner/webhooks", form).Want(422)
	wantFault(t, p, "add-url", "不含密码")
	p.Has(`value="order.paid" checked`)
	form["url"], form["kind"] = []string{"https://venue.example/"}, []string{"order.paid", "order.eaten"}
	o.Send("/owner/webhooks", form).Want(422)
	same(t, "webhooks", len(o.messages().Webhooks), 0)

	// A hostile address is shown literally.
	hook := o.addHook(`https://venue.example/?<script>alert(1)</script>`, "order.paid")
	for _, page := range []string{"/owner/webhooks", "/owner/webhooks/" + hook, "/owner/webhooks/" + hook + "/remove", "/owner/outbox"} {
		o.Get(page).Want(200).Says("https://venue.example/?<script>alert(1)</script>").HasNot("<script>alert")
	}

	bare := clubtest.Open(t, true).Owner()
	bare.Get("/owner/webhooks").Want(200).Says("COURTD_SECRET_KEY_FILE").HasNot(`action="/owner/webhooks"`)
	bare.Post("/owner/webhooks", "url", "https://venue.example/", "kind", "order.paid").Want(503).Says("没有签名密钥")
}

func TestAWebhookIsChangedSwitchedAndRemoved(t *testing.T) {
	o := open(t)
	id := o.addHook("https://venue.example/a", "order.paid")
	page := "/owner/webhooks/" + id
	form := o.fill(page, page, "url", "https://venue.example/b")
	form["kind"] = []string{"slot.freed", "order.held"}
	stale := o.fill(page, page, "url", "https://venue.example/c")
	o.Send(page, form).WantRedirect(page + "?said=saved")
	o.Send(page, form).WantRedirect(page + "?said=saved")
	w := o.messages().Webhooks[0]
	same(t, "changed", w.URL, "https://venue.example/b")
	same(t, "kinds", w.Kinds, []string{"order.held", "slot.freed"})
	same(t, "acts", o.acts("change webhooks"), 2)
	o.Send(page, stale).Want(409).Says("别人改了这里", "https://venue.example/b").Has(`name="url" value="https://venue.example/c"`)
	form = o.fill(page, page)
	form["kind"] = nil
	wantFault(t, o.Send(page, form).Want(422), "edit-kinds", "至少选一种事件")

	o.Post(page+"/active", "active", "0").WantRedirect(page + "?said=off")
	o.Post(page+"/active", "active", "0").WantRedirect(page + "?said=off")
	same(t, "switched off", o.messages().Webhooks[0].Active, false)
	same(t, "acts", o.acts("change webhooks"), 3)
	o.Get("/owner/webhooks").Says("已停用")
	o.Post(page+"/active", "active", "1").WantRedirect(page + "?said=on")
	same(t, "switched on", o.messages().Webhooks[0].Active, true)

	o.Get(page+"/remove").Want(200).Says("删除这个推送？", "https://venue.example/b", "密钥作废")
	same(t, "asking removes nothing", len(o.messages().Webhooks), 1)
	remove := o.fill(page+"/remove", page+"/remove")
	o.Send(page+"/remove", remove).WantRedirect("/owner/webhooks?said=removed")
	o.Send(page+"/remove", remove).WantRedirect("/owner/webhooks?said=removed")
	same(t, "removed", len(o.messages().Webhooks), 0)
	o.Get(page).Want(404)
}

// TestASecretIsRenewedOnce by one form, and shown by its answer alone.
func TestASecretIsRenewedOnce(t *testing.T) {
	o := open(t)
	id := o.addHook("https://venue.example/a", "order.paid")
	at := "/owner/webhooks/" + id + "/secret"
	o.Get(at).Want(200).Says("换一个密钥？", "旧密钥立即作废")
	same(t, "asking renews nothing", o.messages().Webhooks[0].Generation, 1)
	form := o.fill(at, at)
	p := o.Send(at, form).Want(200).Says("密钥已更换")
	same(t, "generation", o.messages().Webhooks[0].Generation, 2)
	same(t, "shown", secretIn(p), o.hooks.Secret(o.messages().Webhooks[0]))
	o.Send(at, form).Want(200) // reloaded
	same(t, "generation after reloading", o.messages().Webhooks[0].Generation, 2)
	o.Send(at, o.fill(at, at)).Want(200)
	same(t, "another form", o.messages().Webhooks[0].Generation, 3)
	o.Post("/owner/webhooks/nothing/secret", "nonce", "x").Want(404)
}

// TestEventsAreToldAgain for days of the venue's zone, once by one form.
func TestEventsAreToldAgain(t *testing.T) {
	o := open(t)
	id := o.addHook("https://venue.example/a", "order.held", "order.paid")
	page := "/owner/webhooks/" + id
	o.paid("13800138000", "c1", "17:30")
	o.deliver()
	told := len(o.hooks.told)
	if told < 2 {
		t.Fatalf("told %d events", told)
	}
	form := o.fill(page, page+"/replay")
	same(t, "today is filled in", form.Get("from")+form.Get("until"), "2026-12-102026-12-10")
	p := o.Send(page+"/replay", form).Want(303)
	o.Get(p.Location).Says("2 个事件将重新推送")
	o.deliver()
	same(t, "told again", len(o.hooks.told), 2*told)
	again := o.Send(page+"/replay", form).Want(303)
	o.Get(again.Location).Says("2 个事件将重新推送")
	o.deliver()
	same(t, "the same form tells nothing more", len(o.hooks.told), 2*told)
	same(t, "acts", o.acts("replay events"), 1)
	o.Get(page + "?events=999&said=replayed").HasNot("999 个事件") // a link claims nothing

	// The day ends at midnight of the venue's zone.
	before := o.fill(page, page+"/replay", "from", "2026-12-08", "until", "2026-12-09")
	o.Get(o.Send(page+"/replay", before).Want(303).Location).Says("0 个事件")
	after := o.fill(page, page+"/replay", "from", "2026-12-11", "until", "2026-12-12")
	o.Get(o.Send(page+"/replay", after).Want(303).Location).Says("0 个事件")

	bad := o.Send(page+"/replay", o.fill(page, page+"/replay", "from", "soon", "until", "")).Want(422)
	wantFault(t, bad, "replay-from", "须为日期")
	wantFault(t, bad, "replay-until", "须为日期")
	wantFault(t, o.Send(page+"/replay", o.fill(page, page+"/replay", "from", "2026-12-10", "until", "2026-12-09")).Want(422), "replay-until", "不能早于开始日期")
}
