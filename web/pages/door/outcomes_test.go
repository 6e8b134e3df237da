package door_test

import (
	"testing"

	"courtd/web/pages/clubtest"
)

// TestANoticeSaysWhatEachChannelDid in small print, with why.
func TestANoticeSaysWhatEachChannelDid(t *testing.T) {
	k := clubtest.Open(t, true)
	desk := k.Desk()
	cashBack(t, k, "王小明")
	change(t, k, `UPDATE deliveries SET channel = 'sms', dropped_at = 1, why = 'refused', last_error = 'no <b>such</b> number'`)
	change(t, k, `INSERT INTO deliveries (notice_id, channel, created_at, next_try_at, sent_at) SELECT id, 'mail', 1, 1, 1 FROM notices`)
	change(t, k, `INSERT INTO deliveries (notice_id, channel, created_at, next_try_at, last_error) SELECT id, 'wechat', 1, 1, 'timeout' FROM notices`)
	change(t, k, `UPDATE notices SET sent_at = 1`)
	p := desk.Get("/desk/todo?notices=sent").Want(200).Says("短信：渠道拒绝发送（no <b>such</b> number） · 邮件：已发送 · 微信：等待发送（timeout）").HasNot("<b>such")
	p.Has("data-by")
	desk.Get("/desk/todo/waiting?notices=sent").Want(200).Says("邮件：已发送")
	desk.Get("/desk/todo?lang=en")
	desk.Get("/desk/todo?notices=sent").Says("mail: Sent", "SMS: the channel refused it (no <b>such</b> number)")
}
