package wechatapi

import (
	"context"
	"fmt"

	"courtd/app/notify"
)

// SubscribeMessage is one message to somebody who has allowed one of this template.
type SubscribeMessage struct {
	OpenID     string
	TemplateID string
	Page       string         // where it leads in the mini-program, such as "pages/order?id=1"; "" leads nowhere
	Data       []notify.Value // by the template's names, such as "thing2", within WeChat's limits
}

// value is one parameter as WeChat wants it.
type value struct {
	Value string `json:"value"`
}

// SubscribeSend sends a message once and uses up one allowance. Its errors are
// notify.ErrNotAllowed if there is none (43101); notify.ErrRefused for an openid that is
// not this mini-program's (40003), and for a template (40037), parameters (47003) or a
// page (41030) that are set up wrongly, naming the template; a notify.LaterError if the
// quota is used up; ErrDown if WeChat does not answer or does not accept the
// mini-program. Every other error is a failed try.
func (c *Client) SubscribeSend(ctx context.Context, m SubscribeMessage) error {
	data := make(map[string]value, len(m.Data))
	for _, v := range m.Data {
		data[v.Name] = value{v.Text}
	}
	err := c.post(ctx, "/cgi-bin/message/subscribe/send", struct {
		ToUser     string           `json:"touser"`
		TemplateID string           `json:"template_id"`
		Page       string           `json:"page,omitempty"`
		Data       map[string]value `json:"data"`
	}{m.OpenID, m.TemplateID, m.Page, data}, m.OpenID)
	refusal, ok := err.(Error) // this call's own; that of a token's is judged already
	if !ok {
		return err
	}
	template := notify.OneLine(m.TemplateID, 60)
	switch refusal.Code {
	case 43101:
		return fmt.Errorf("%w (errcode 43101, template %s)", notify.ErrNotAllowed, template)
	case 40003:
		return fmt.Errorf("%w: the openid is not one of this mini-program (errcode 40003)", notify.ErrRefused)
	case 40037:
		return fmt.Errorf("%w: the mini-program has no template %s (errcode 40037)", notify.ErrRefused, template)
	case 47003:
		return fmt.Errorf("%w: template %s does not take these parameters: %w", notify.ErrRefused, template, refusal)
	case 41030:
		return fmt.Errorf("%w: the mini-program has no such page (errcode 41030, template %s)", notify.ErrRefused, template)
	}
	return down(refusal)
}
