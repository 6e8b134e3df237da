package domain

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The channels by which the venue can tell people something. Everybody can read their
// notices on the page as well; ChannelLog stands for that alone.
const (
	ChannelWeChat = "wechat"
	ChannelSMS    = "sms"
	ChannelMail   = "mail"
	ChannelLog    = "log"
)

// ChannelShipping names WeChat's ear for payments whose customers have come: it has a state
// as channels have, and carries no notices.
const ChannelShipping = "shipping"

// Channels are those a kind of notice can be routed to, in the order they are shown.
var Channels = []string{ChannelWeChat, ChannelSMS, ChannelMail}

// NoticeKinds are the kinds of notices to customers, in the order of an order's life.
var NoticeKinds = []string{"held", "lapsed", "paid", "reminder", "cancelled", "moved", "refunded", "late_money", "no_show", "closure"}

// KindLoginCode is the message that carries a code to sign in or to prove an address. It
// is no notice: its words are not kept.
const KindLoginCode = "login_code"

// EventSlotFreed is told when a slot can be had again before its end, also when only
// time has caused it.
const EventSlotFreed = "slot.freed"

// EventKinds are what the venue's own software can be told: one for each kind of notice
// that something has happened, and the slot that is free again.
var EventKinds = []string{"order.held", "order.lapsed", "order.paid", "order.cancelled", "order.moved", "order.refunded",
	"order.late_money", "order.no_show", "order.closure", EventSlotFreed}

// EventOf names the event that goes with a notice, or "". A reminder is no event:
// nothing has happened.
func EventOf(noticeKind string) string {
	if name := "order." + noticeKind; slices.Contains(EventKinds, name) {
		return name
	}
	return ""
}

// Placeholders are the facts of an order that own words and templates can name, as
// {number}. Every one is text ready to be read.
var Placeholders = []string{"number", "slots", "first_slot", "court", "start", "goods", "pay_by", "amount", "refund", "reason",
	"old_slot", "new_slot", "venue", "venue_phone", "title", "code"}

// codePlaceholders are those that a login code has.
var codePlaceholders = []string{"venue", "venue_phone", "code"}

// PlaceholdersOf are the placeholders that stand for something in a kind of message.
func PlaceholdersOf(kind string) []string {
	if kind == KindLoginCode {
		return codePlaceholders
	}
	return slices.DeleteFunc(slices.Clone(Placeholders), func(name string) bool { return name == "code" })
}

// Messages is how the venue tells people things, as the owner has set it.
type Messages struct {
	// SetUp are the channels that the serving program was started with.
	SetUp []string `json:"set_up,omitempty"`
	// Routes are the channels of each kind; a kind that is missing goes by DefaultRoute.
	Routes map[string][]string `json:"routes,omitempty"`
	// Texts are own words by kind; a kind that is missing has those of the program.
	Texts map[string]MessageText `json:"texts,omitempty"`
	// WeChat and SMS are the approved templates by kind, KindLoginCode among them.
	WeChat map[string]MessageTemplate `json:"wechat,omitempty"`
	SMS    map[string]MessageTemplate `json:"sms,omitempty"`
	// Daily is how many messages a channel may take on one business day; what is missing
	// is DefaultDaily. Under KindLoginCode it is how many codes a channel carries in a day,
	// which are counted apart from everything else.
	Daily map[string]int `json:"daily,omitempty"`
	// CodeCountries are the country codes to whose phones login codes are sent by SMS;
	// none is DefaultCodeCountries.
	CodeCountries []string  `json:"code_countries,omitempty"`
	Webhooks      []Webhook `json:"webhooks,omitempty"`
	// ShipAfterCheckIn has WeChat told of every payment whose customer has come.
	ShipAfterCheckIn bool `json:"ship_after_check_in,omitempty"`
}

// MessageText is a notice in own words with {placeholders}.
type MessageText struct {
	Title   string `json:"title"`
	Text    string `json:"text"`
	TitleEN string `json:"title_en"`
	TextEN  string `json:"text_en"`
}

// MessageTemplate is a message in the form that a carrier or WeChat has approved.
type MessageTemplate struct {
	ID     string          `json:"id"`
	Params []TemplateParam `json:"params"`
}

// TemplateParam fills one parameter: Name is the platform's own, such as "thing2" (SMS
// goes by the order alone), and From is a text with placeholders.
type TemplateParam struct {
	Name string `json:"name,omitempty"`
	From string `json:"from"`
}

// Webhook is an address of the venue's own software. Its secret is not kept: it follows
// from a key beside the database, ID and Generation.
type Webhook struct {
	ID         string   `json:"id"`
	URL        string   `json:"url"`
	Kinds      []string `json:"kinds"`
	Generation int      `json:"generation"`
	Active     bool     `json:"active"`
}

// Clone copies all that can be changed in place.
func (m Messages) Clone() Messages {
	m.SetUp, m.Webhooks, m.CodeCountries = slices.Clone(m.SetUp), slices.Clone(m.Webhooks), slices.Clone(m.CodeCountries)
	for i := range m.Webhooks {
		m.Webhooks[i].Kinds = slices.Clone(m.Webhooks[i].Kinds)
	}
	m.Routes, m.Texts, m.Daily = maps.Clone(m.Routes), maps.Clone(m.Texts), maps.Clone(m.Daily)
	for kind, route := range m.Routes {
		m.Routes[kind] = slices.Clone(route)
	}
	m.WeChat, m.SMS = cloneTemplates(m.WeChat), cloneTemplates(m.SMS)
	return m
}

func cloneTemplates(of map[string]MessageTemplate) map[string]MessageTemplate {
	out := maps.Clone(of)
	for kind, t := range out {
		t.Params = slices.Clone(t.Params)
		out[kind] = t
	}
	return out
}

// Channel names a webhook among the channels.
func (w Webhook) Channel() string { return webhookPrefix + w.ID }

const webhookPrefix = "webhook:"

// WebhookOf gives the webhook that a channel names.
func (m Messages) WebhookOf(channel string) (Webhook, bool) {
	id, ok := strings.CutPrefix(channel, webhookPrefix)
	if !ok {
		return Webhook{}, false
	}
	i := slices.IndexFunc(m.Webhooks, func(w Webhook) bool { return w.ID == id })
	if i < 0 {
		return Webhook{}, false
	}
	return m.Webhooks[i], true
}

// ListenersTo gives the active webhooks that want to be told of a kind of event.
func (m Messages) ListenersTo(kind string) []Webhook {
	var out []Webhook
	for _, w := range m.Webhooks {
		if w.Active && slices.Contains(w.Kinds, kind) {
			out = append(out, w)
		}
	}
	return out
}

// DefaultRoute is how a kind goes where the owner has not said otherwise: by what costs
// nothing, and by SMS too when somebody may stand before a closed door or wait for money.
func DefaultRoute(kind string) []string {
	if slices.Contains([]string{"closure", "late_money", "moved"}, kind) {
		return []string{ChannelWeChat, ChannelSMS, ChannelMail}
	}
	return []string{ChannelWeChat, ChannelMail}
}

// Route gives the channels of a kind, whether or not they are set up.
func (m Messages) Route(kind string) []string {
	if route, ok := m.Routes[kind]; ok {
		return route
	}
	return DefaultRoute(kind)
}

// Ways gives the channels by which a notice of a kind goes out here; without any,
// ChannelLog.
func (m Messages) Ways(kind string) []string {
	var out []string
	for _, c := range m.Route(kind) {
		if slices.Contains(m.SetUp, c) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return []string{ChannelLog}
	}
	return out
}

// DailyOf is how many messages a channel may take on a business day.
func (m Messages) DailyOf(channel string) int {
	if n := m.Daily[channel]; n > 0 {
		return n
	}
	return DefaultDaily
}

// Fill puts facts where a text names them as {placeholder}. A fact that is not there is
// left out.
func Fill(text string, facts map[string]string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		if closed && slices.Contains(Placeholders, name) {
			out.WriteString(facts[name])
			text = after
			continue
		}
		out.WriteString("{")
		text = rest
	}
}

// Validate reports every setting that could not be carried out, by its field.
func (m Messages) Validate() error {
	var bad []error
	for _, kind := range slices.Sorted(maps.Keys(m.Routes)) {
		route := m.Routes[kind]
		field := "routes." + kind
		if !slices.Contains(NoticeKinds, kind) {
			bad = append(bad, BadField(field, "is no kind of notice"))
		}
		for i, c := range route {
			if !slices.Contains(Channels, c) || slices.Contains(route[:i], c) {
				bad = append(bad, BadField(field, "must name each of wechat, sms and mail at most once"))
				break
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Texts)) {
		bad = append(bad, m.Texts[kind].validate("texts."+kind, kind))
	}
	for _, kind := range slices.Sorted(maps.Keys(m.WeChat)) {
		bad = append(bad, m.WeChat[kind].validate("wechat."+kind, kind, true))
	}
	for _, kind := range slices.Sorted(maps.Keys(m.SMS)) {
		bad = append(bad, m.SMS[kind].validate("sms."+kind, kind, false))
	}
	for _, channel := range slices.Sorted(maps.Keys(m.Daily)) {
		n := m.Daily[channel]
		if (!slices.Contains(Channels, channel) && channel != KindLoginCode) || n < 1 || n > MaxDaily {
			bad = append(bad, BadField("daily."+channel, "must be from 1 to %d, for wechat, sms, mail or login_code", MaxDaily))
		}
	}
	bad = append(bad, m.validateCodes())
	if len(m.Webhooks) > MaxWebhooks {
		bad = append(bad, BadField("webhooks", "must be at most %d", MaxWebhooks))
	}
	for i, w := range m.Webhooks {
		bad = append(bad, w.Validate(fmt.Sprintf("webhooks[%d].", i)))
	}
	return Together(bad...)
}

// Validate reports what is wrong with a webhook; its fields' names begin with prefix.
func (w Webhook) Validate(prefix string) error {
	var bad []error
	at, err := url.Parse(w.URL)
	if err != nil || at.Hostname() == "" || (at.Scheme != "https" && at.Scheme != "http") || at.User != nil || len(w.URL) > MaxURLBytes || !isPort(at.Port()) {
		bad = append(bad, BadField(prefix+"url", "must be an http or https address without a password"))
	} else if ip, err := netip.ParseAddr(at.Hostname()); err == nil && (ip.IsUnspecified() || !MayBeTold(ip)) {
		bad = append(bad, BadField(prefix+"url", "must not be an address at which nobody else's software can be"))
	}
	for i, kind := range w.Kinds {
		if !slices.Contains(EventKinds, kind) || slices.Contains(w.Kinds[:i], kind) {
			bad = append(bad, BadField(prefix+"kinds", "must name kinds of events, each once"))
			break
		}
	}
	if len(w.Kinds) == 0 {
		bad = append(bad, BadField(prefix+"kinds", "must name at least one kind of event"))
	}
	return Together(bad...)
}

// isPort reports whether an address's port can be one; most addresses name none.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || (err == nil && n > 0)
}

func (t MessageText) validate(field, kind string) error {
	var bad []error
	if !slices.Contains(NoticeKinds, kind) {
		bad = append(bad, BadField(field, "is no kind of notice"))
	}
	for _, part := range []struct {
		name, text string
		most       int
	}{{"title", t.Title, MaxTitleChars}, {"text", t.Text, MaxTextChars}, {"title_en", t.TitleEN, MaxTitleChars}, {"text_en", t.TextEN, MaxTextChars}} {
		if strings.TrimSpace(part.text) == "" || len([]rune(part.text)) > part.most {
			bad = append(bad, BadField(field+"."+part.name, "must have from 1 to %d characters", part.most))
		} else if err := plainText(field+"."+part.name, part.text, strings.HasPrefix(part.name, "text"), kind); err != nil {
			bad = append(bad, err)
		}
	}
	return Together(bad...)
}

func (t MessageTemplate) validate(field, kind string, named bool) error {
	var bad []error
	if !slices.Contains(NoticeKinds, kind) && (kind != KindLoginCode || named) {
		bad = append(bad, BadField(field, "is no kind of message"))
	}
	if t.ID == "" || len(t.ID) > MaxTemplateIDChars || strings.ContainsFunc(t.ID, func(r rune) bool { return r <= ' ' || r > '~' }) {
		bad = append(bad, BadField(field+".id", "must be the id of the approved template"))
	}
	if len(t.Params) > MaxTemplateParams {
		bad = append(bad, BadField(field+".params", "must be at most %d", MaxTemplateParams))
	}
	for i, p := range t.Params {
		at := fmt.Sprintf("%s.params[%d].", field, i)
		if named && !platformName(p.Name) {
			bad = append(bad, BadField(at+"name", "must be the platform's, such as thing2"))
		} else if named && slices.ContainsFunc(t.Params[:i], func(other TemplateParam) bool { return other.Name == p.Name }) {
			bad = append(bad, BadField(at+"name", "is named twice"))
		}
		if p.From == "" || len([]rune(p.From)) > MaxTextChars {
			bad = append(bad, BadField(at+"from", "must have from 1 to %d characters", MaxTextChars))
		} else if err := plainText(at+"from", p.From, false, kind); err != nil {
			bad = append(bad, err)
		}
	}
	return Together(bad...)
}

// platformName reports whether a name is letters or underscores and then digits.
func platformName(name string) bool {
	rest := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz_")
	return rest != name && rest != "" && len(name) <= MaxNameChars && strings.Trim(rest, "0123456789") == ""
}
