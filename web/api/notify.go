package api

import (
	"bytes"
	"context"
	"net/http"

	"courtd/app"
)

// noticeCalls are where providers tell what became of payments and refunds. Both
// addresses take both kinds, because providers mix them up. The short ones are those
// that fit a provider's form.
func (s *server) noticeCalls() {
	for _, at := range []struct{ path, id, summary string }{
		{base + "/pay/wechat/notify", "notify-wechat", "A notice of WeChat Pay about a payment"},
		{base + "/pay/wechat/refund-notify", "notify-wechat-refund", "A notice of WeChat Pay about a refund"},
		{"/pay/wechat/notify", "notify-wechat-short", "A notice of WeChat Pay about a payment, at its short address"},
		{"/pay/wechat/refund-notify", "notify-wechat-refund-short", "A notice of WeChat Pay about a refund, at its short address"},
	} {
		register(s, call{method: http.MethodPost, path: at.path, id: at.id, tag: tagProvider, who: anyone,
			also:    []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound},
			summary: at.summary, about: "Signed by the Wechatpay- headers over the raw body. Anything but 204 makes WeChat send it again."},
			func(ctx context.Context, _ app.Actor, in *noticeInput) (*struct{}, error) {
				return nil, s.app.TakeNotice(ctx, "wechat", in.header, bytes.Clone(in.RawBody))
			})
	}
}
