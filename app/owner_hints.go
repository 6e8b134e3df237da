package app

import "courtd/domain"

// CodesReachPhones reports whether a login code gets to a phone here: by a channel that
// carries it, and not into the log alone. A demonstration shows its codes on the page.
func (a *App) CodesReachPhones(m domain.Messages) bool {
	if a.demo {
		return true
	}
	return a.channels[domain.ChannelSMS] != nil && !a.lacksTemplate(m, domain.ChannelSMS, domain.KindLoginCode)
}

// SignsInWithWeChat reports whether the mini-program signs customers in, which is another
// way in beside codes.
func (a *App) SignsInWithWeChat() bool { return a.wechat != nil }

// NeedsTemplates reports whether a channel that is set up here says everything in
// approved templates. WeChat does; whether SMS does, its channel knows.
func (a *App) NeedsTemplates(channel string) bool {
	c, served := a.channels[channel]
	asks, may := c.(interface{ NeedsTemplates() bool })
	return served && (channel == domain.ChannelWeChat || (may && asks.NeedsTemplates()))
}

// lacksTemplate reports whether a kind of message cannot go by a channel for want of a
// template.
func (a *App) lacksTemplate(m domain.Messages, channel, kind string) bool {
	return a.NeedsTemplates(channel) && templatesOf(m, channel)[kind].ID == ""
}

// MessageGaps says what the channels that are set up here cannot carry for want of a
// template: by channel, the kinds that are to go by it, in their order. A login code is
// always to go by SMS.
func (a *App) MessageGaps(m domain.Messages) map[string][]string {
	out := map[string][]string{}
	if a.lacksTemplate(m, domain.ChannelSMS, domain.KindLoginCode) {
		out[domain.ChannelSMS] = append(out[domain.ChannelSMS], domain.KindLoginCode)
	}
	for _, kind := range domain.NoticeKinds {
		for _, channel := range m.Route(kind) {
			if a.lacksTemplate(m, channel, kind) {
				out[channel] = append(out[channel], kind)
			}
		}
	}
	return out
}
