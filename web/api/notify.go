package api

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"courtd/app"
)

// Where WeChat tells of payments and of refunds, under the API and at the short addresses.
const (
	wechatNotify       = "/pay/wechat/notify"
	wechatRefundNotify = "/pay/wechat/refund-notify"
)

// TakesWeChatNotices reports whether notices of WeChat Pay are taken at a path; a slash at
// its end makes no difference.
func TakesWeChatNotices(path string) bool {
	return slices.Contains([]string{wechatNotify, wechatRefundNotify, base + wechatNotify, base + wechatRefundNotify}, strings.TrimSuffix(path, "/"))
}

// noticeCalls are where providers tell what became of payments and refunds. Both
// addresses take both kinds, because providers mix them up. The short ones are those
// that fit a provider's form.
func (s *server) noticeCalls() {
	for _, at := range []struct{ path, id, summary string }{
		{base + wechatNotify, "notify-wechat", "A notice of WeChat Pay about a payment"},
		{base + wechatRefundNotify, "notify-wechat-refund", "A notice of WeChat Pay about a refund"},
		{wechatNotify, "notify-wechat-short", "A notice of WeChat Pay about a payment, at its short address"},
		{wechatRefundNotify, "notify-wechat-refund-short", "A notice of WeChat Pay about a refund, at its short address"},
	} {
		register(s, call{method: http.MethodPost, path: at.path, id: at.id, tag: tagProvider, who: anyone,
			also:    []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound},
			summary: at.summary, about: "Signed by the Wechatpay- headers over the raw body. Anything but 204 makes WeChat send it again."},
			func(ctx context.Context, _ app.Actor, in *noticeInput) (*struct{}, error) {
				return nil, s.app.TakeNotice(ctx, "wechat", in.header, bytes.Clone(in.RawBody))
			})
	}
}
