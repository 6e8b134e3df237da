// Package wechat carries notices as subscribed messages of a WeChat mini-program. Each
// needs an approved template and one allowance that the customer has given.
package wechat

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"courtd/app/notify"
	"courtd/app/wechatapi"
)

// Name is the channel's name in reports.
const Name = "wechat"

// API is what the channel needs of *wechatapi.Client.
type API interface {
	SubscribeSend(context.Context, wechatapi.SubscribeMessage) error
	Probe(context.Context) error
}

// Config is how the channel is set up, besides the mini-program itself, whose settings
// wechatapi.Config checks.
type Config struct {
	// Page is the page of the mini-program that shows the venue's pages, such as
	// "pages/web/web" (COURTD_WECHAT_PAGE): a message leads to it, with the path of the
	// order's page as the parameter "path". Where it is empty messages lead nowhere.
	Page string
}

// Check says everything that is wrong with the settings; nothing is nil.
func (c Config) Check() []notify.Problem {
	if strings.HasPrefix(c.Page, "/") || strings.ContainsAny(c.Page, "?#: ") {
		return []notify.Problem{{Setting: "COURTD_WECHAT_PAGE", ZH: "应为小程序内的页面路径，例如 pages/web/web，不以 / 开头，不带参数",
			EN: "must be the path of a page of the mini-program, such as pages/web/web, without a slash before it and without parameters"}}
	}
	return nil
}

// Channel sends subscribed messages.
type Channel struct {
	api    API
	config Config
}

var _ notify.Channel = (*Channel)(nil)

// New makes the channel.
func New(api API, c Config) *Channel { return &Channel{api: api, config: c} }

// Name is the channel's name in reports.
func (*Channel) Name() string { return Name }

// Probe asks WeChat whether it accepts the mini-program; it sends nothing.
func (c *Channel) Probe(ctx context.Context) error { return c.api.Probe(ctx) }

// Send sends the message once, with every value cut to what WeChat takes. It is a
// notify.ErrRefused without an openid or a template, or if a value that may not be made
// up is missing; its other errors are those of wechatapi's SubscribeSend, with
// notify.ErrNotAllowed if the customer has allowed no (more) messages of this template.
func (c *Channel) Send(ctx context.Context, message notify.Message) error {
	if message.OpenID == "" {
		return fmt.Errorf("%w: the customer has not signed in with WeChat", notify.ErrRefused)
	}
	template := message.Template
	if template == nil || template.ID == "" || len(template.Values) == 0 {
		return fmt.Errorf("%w: no template is set up for %q", notify.ErrRefused, message.Kind)
	}
	data := make([]notify.Value, len(template.Values))
	for i, v := range template.Values {
		text, ok := Fit(v.Name, v.Text)
		if !ok {
			return fmt.Errorf("%w: template %s: nothing fit stands in %s", notify.ErrRefused, notify.OneLine(template.ID, 60), notify.OneLine(v.Name, 40))
		}
		data[i] = notify.Value{Name: v.Name, Text: text}
	}
	return c.api.SubscribeSend(ctx, wechatapi.SubscribeMessage{OpenID: message.OpenID, TemplateID: template.ID, Page: c.page(message.Page), Data: data})
}

// page is where a message leads.
func (c *Channel) page(path string) string {
	if c.config.Page == "" || path == "" {
		return c.config.Page
	}
	// The mini-program reads it with decodeURIComponent, to which "+" is no space.
	return c.config.Page + "?path=" + strings.ReplaceAll(url.QueryEscape(path), "+", "%20")
}
