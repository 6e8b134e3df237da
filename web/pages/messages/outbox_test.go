package messages_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// everyBy routes every kind by some channels.
func (o owner) everyBy(by ...string) {
	o.t.Helper()
	o.change(func(m *domain.Messages) {
		m.Routes = map[string][]string{}
		for _, kind := range domain.NoticeKinds {
			m.Routes[kind] = by
		}
	})
}

// TestEveryOutcomeIsInTheOutbox, by channel and by state, with why.
func TestEveryOutcomeIsInTheOutbox(t *testing.T) {
	o := open(t)
	o.everyBy("sms", "mail")
	hook := o.addHook("https://venue.example/a", "order.paid")
	o.paid("13800138000", "c1", "17:30")
	o.Get("/owner/outbox").Says("等待发送", "推送", "138****8000").HasNot("13800138000")
	o.sms.fail = fmt.Errorf("no such <i>number</i>: %w", notify.ErrRefused)
	o.hooks.fail = fmt.Errorf("connection refused: %w", notify.ErrDown)
	o.deliver()
	p := o.Get("/owner/outbox").Want(200).Says("预订成功", "未发送", "渠道拒绝发送", "no such <i>number</i>", "顾客没有该渠道的联系方式", "https://venue.example/a", "connection refused：渠道不可用", "no such <i>number</i>：永久拒收", "试过 1 次", "下次", "订单已付款").HasNot("<i>number")
	p.Has(`href="/desk/orders/`)

	only := func(query string, says, not string) {
		t.Helper()
		p := o.Get("/owner/outbox?" + query).Want(200)
		list := strings.Split(p.Body, `<ol class="outbox"`)
		rows := ""
		if len(list) > 1 {
			rows = list[1]
		}
		if !strings.Contains(rows, says) || (not != "" && strings.Contains(rows, not)) {
			t.Errorf("%s: want %q and not %q:\n%s", query, says, not, p.Text())
		}
	}
	only("channel=sms", "渠道拒绝发送", "没有该渠道的联系方式")
	only("channel=mail", "没有该渠道的联系方式", "渠道拒绝发送")
	only("channel=webhook%3A"+hook, "connection refused", "短信")
	only("state=waiting", `data-delivery="waiting"`, `data-delivery="dropped"`)
	only("state=dropped", `data-delivery="dropped"`, `data-delivery="waiting"`)
	only("state=dropped&channel=sms", "短信", "邮件")
	o.Get("/owner/outbox?state=sent").Says("没有这样的消息")
	o.Get("/owner/outbox?state=eaten").Want(422)
	o.Get("/owner/outbox?cursor=x").Want(422)
	o.Get("/owner/outbox?channel=%3Cscript%3E").Want(200).HasNot("<script>").Says("<script>")
	o.Post("/owner/webhooks/" + hook + "/remove").Want(303)
	o.Get("/owner/outbox").Says("已删除的推送")
}

// TestANoticeIsSentAgainOnce, where that makes sense.
func TestANoticeIsSentAgainOnce(t *testing.T) {
	o := open(t)
	o.everyBy("sms")
	o.paid("13800138000", "c1", "17:30")
	codes := len(o.sms.got)
	o.deliver()
	same(t, "sent", len(o.sms.got)-codes, 1)
	p := o.Get("/owner/outbox?channel=sms&state=sent").Want(200)
	form := formOf(t, p, "/owner/outbox/resend")
	o.Send("/owner/outbox/resend", form).WantRedirect("/owner/outbox?channel=sms&said=resend&state=sent")
	o.Send("/owner/outbox/resend", form).WantRedirect("/owner/outbox?channel=sms&said=resend&state=sent")
	o.deliver()
	same(t, "sent once more", len(o.sms.got)-codes, 2)
	same(t, "acts", o.acts("resend notice"), 1)
	o.Get("/owner/outbox?state=dropped").Says("订单已付款").HasNot("/owner/outbox/resend") // "pay by" of an order that is paid
	o.Send("/owner/outbox/resend", filled(form, "notice", "nothing")).Want(404)
}

// TestTheOutboxIsPaged, and looks no further back at once than it must.
func TestTheOutboxIsPaged(t *testing.T) {
	o := open(t)
	o.everyBy("sms")
	o.paid("13800138000", "c1", "17:30")
	clubtestWrite(o, func(tx *sqlite.Tx) error {
		// Years of messages that were sent, over some that were given up.
		_, err := tx.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
			INSERT INTO deliveries (notice_id, channel, created_at, next_try_at, sent_at, gave_up_at)
			SELECT (SELECT id FROM notices LIMIT 1), 'old' || i, 1, 1, CASE WHEN i > 3 THEN 1 END, CASE WHEN i <= 3 THEN 1 END FROM n`)
		return err
	})
	seen := map[string]bool{}
	page, pages := "/owner/outbox?state=sent", 0
	for page != "" {
		p := o.Get(page).Want(200)
		for _, part := range strings.Split(p.Body, `<li class="card" id="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			if seen[id] {
				t.Fatalf("%s is there twice", id)
			}
			seen[id] = true
		}
		pages++
		page = ""
		if _, rest, more := strings.Cut(p.Body, `<a class="button plain" href="/owner/outbox?cursor=`); more && pages < 200 {
			cursor, _, _ := strings.Cut(rest, `&`)
			page = "/owner/outbox?state=sent&cursor=" + cursor
		}
	}
	same(t, "all that were sent are listed", len(seen), 5997)
	p := o.Get("/owner/outbox?state=gave_up").Want(200).Says("最近的消息里没有这样的", "继续往前找")
	_, rest, _ := strings.Cut(p.Body, `href="/owner/outbox?cursor=`)
	cursor, _, _ := strings.Cut(rest, `&`)
	p = o.Get("/owner/outbox?state=gave_up&cursor=" + cursor).Want(200).HasNot("继续往前找")
	same(t, "found further back", strings.Count(p.Body, `data-delivery="gave_up"`), 3)
}

func clubtestWrite(o owner, run func(*sqlite.Tx) error) {
	o.t.Helper()
	if err := o.k.DB.Write(o.t.Context(), run); err != nil {
		o.t.Fatal(err)
	}
}
