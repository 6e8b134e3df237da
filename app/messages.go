package app

import (
	"context"
	"slices"
	"time"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// ChangeMessages changes how the venue tells people things, by a function that gets a
// copy, checks the whole, and keeps a record. A change that leaves everything as it is
// is done already.
func (a *App) ChangeMessages(ctx context.Context, actor Actor, what string, change func(*domain.Messages) error) (domain.Messages, error) {
	var out domain.Messages
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) (err error) {
		out, err = changeMessages(tx, venue, actor, what, change)
		return err
	})
	return out, err
}

func changeMessages(tx *sqlite.Tx, venue sqlite.Venue, actor Actor, what string, change func(*domain.Messages) error) (domain.Messages, error) {
	m := venue.Messages.Clone()
	if err := actor.mustBeOwner(); err != nil {
		return m, err
	}
	if err := change(&m); err != nil {
		return m, err
	}
	if same(m, venue.Messages) {
		return m, nil
	}
	// What was wrong before was kept when less was refused, and must not stand in the way of
	// everything else.
	if err := domain.Besides(domain.Together(m.Validate(), wrongMoments(&tx.Snapshot, venue, m)), venue.Messages.Validate()); err != nil {
		return m, err
	}
	if err := tx.PutMessages(m); err != nil {
		return m, err
	}
	for _, w := range venue.Messages.Webhooks {
		if _, err := webhookIn(&m, w.ID); err != nil { // it was removed
			if err := tx.ForgetChannel(w.Channel()); err != nil {
				return m, err
			}
		}
	}
	return m, tx.Audit(actor.audit("change "+what, "messages", "", apart(m).since(apart(venue.Messages))))
}

// servedChannels are the channels that this program was started with.
func (a *App) servedChannels() []string {
	var names []string
	for _, c := range domain.Channels {
		if a.channels[c] != nil {
			names = append(names, c)
		}
	}
	return names
}

// NoteChannels writes down which channels this program serves. It belongs to the start
// of serving: what is queued from then on goes by those, also from another process. A
// venue that is made later gets them when it is made.
//
// A program that is not alone, because another serves the file already, adds its channels
// and takes none away: what goes by the others is not its business. The next that starts
// alone says how it is.
func (a *App) NoteChannels(ctx context.Context, alone bool) error {
	names := a.servedChannels()
	venue, _, _, err := a.Venue(ctx)
	if domain.IsReason(err, "not_set_up") {
		return nil
	}
	if err != nil {
		return err
	}
	if !alone {
		var both, lacking []string
		for _, c := range domain.Channels {
			noted, mine := slices.Contains(venue.Messages.SetUp, c), slices.Contains(names, c)
			if noted || mine {
				both = append(both, c)
			}
			if noted && !mine {
				lacking = append(lacking, c)
			}
		}
		if names = both; lacking != nil {
			a.log.Warn("another program serves this file with channels that this one has no settings for; give both the same", "channels", lacking)
		}
	}
	if slices.Equal(venue.Messages.SetUp, names) {
		return nil
	}
	_, err = a.ChangeMessages(ctx, Actor{Role: RoleSystem, ID: "start"}, "channels", func(m *domain.Messages) error {
		m.SetUp = names
		return nil
	})
	return err
}

// ChannelView is how a channel is doing.
type ChannelView struct {
	Channel     string     `json:"channel" doc:"wechat, sms, mail, log or webhook:ID"`
	URL         string     `json:"url,omitempty" doc:"of a webhook"`
	SetUp       bool       `json:"set_up"`
	State       string     `json:"state" enum:"ok,failing,paused,full,not_set_up"`
	Waiting     int        `json:"waiting" doc:"messages that wait, due or not"`
	GaveUp      int        `json:"gave_up" doc:"in the last day"`
	SentToday   int        `json:"sent_today"`
	Daily       int        `json:"daily,omitempty" doc:"the most on one business day"`
	Fails       int        `json:"fails" doc:"tries in a row that failed because of the channel"`
	PausedUntil *time.Time `json:"paused_until"`
	LastSentAt  *time.Time `json:"last_sent_at"`
	LastErrorAt *time.Time `json:"last_error_at"`
	LastError   string     `json:"last_error,omitempty"`
	// Refusals are receivers in a row whose messages it has refused for good; once there
	// are RefusalsToFail the channel is failing.
	Refusals   int `json:"refusals" doc:"receivers in a row who were refused for good, counted up to 5; then the channel is failing"`
	Codes      int `json:"codes,omitempty" doc:"login codes within the last 24 hours, of sms and mail"`
	DailyCodes int `json:"daily_codes,omitempty" doc:"the most of them; then nobody gets a code"`
	// NeedsTemplates says that a kind without a template does not go by it.
	NeedsTemplates bool `json:"needs_templates,omitempty" doc:"nothing goes by it without an approved template"`
}

// ChannelViews says how every channel is doing that is set up or has something waiting.
func (a *App) ChannelViews(ctx context.Context) (out []ChannelView, now domain.Instant, err error) {
	err = a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		now = s.Now
		counts, err := s.CountDeliveries(s.Now.Add(-domain.RecentNotices))
		if err != nil {
			return err
		}
		names := append(slices.Clone(domain.Channels), domain.ChannelLog)
		if a.shipper != nil {
			names = append(names, domain.ChannelShipping)
		}
		for _, w := range venue.Messages.Webhooks {
			names = append(names, w.Channel())
		}
		for _, name := range names {
			state, err := s.Channel(name)
			if err != nil {
				return err
			}
			view := viewChannel(s, venue, state, counts[name])
			if err := view.count(s, venue); err != nil {
				return err
			}
			view.NeedsTemplates = a.NeedsTemplates(name)
			out = append(out, view)
		}
		return nil
	})
	return out, now, err
}

func viewChannel(s *sqlite.Snapshot, venue sqlite.Venue, c sqlite.ChannelState, n sqlite.DeliveryCount) ChannelView {
	v := ChannelView{Channel: c.Channel, Waiting: n.Waiting, GaveUp: n.GaveUp, Fails: c.Fails, Refusals: len(c.Refused), State: "ok",
		PausedUntil: maybe(venue, c.PausedUntil), LastSentAt: maybe(venue, c.LastSentAt), LastErrorAt: maybe(venue, c.LastErrorAt), LastError: c.LastError}
	hook, isHook := venue.Messages.WebhookOf(c.Channel)
	v.URL = hook.URL
	v.SetUp = c.Channel == domain.ChannelLog || (c.Channel == domain.ChannelShipping && venue.Messages.ShipAfterCheckIn) || slices.Contains(venue.Messages.SetUp, c.Channel) || (isHook && hook.Active)
	if c.Day == venue.Calendar.DayOf(s.Now).String() {
		v.SentToday = c.SentToday
	}
	if slices.Contains(domain.Channels, c.Channel) {
		v.Daily = venue.Messages.DailyOf(c.Channel)
	}
	switch {
	case !v.SetUp:
		v.State = "not_set_up"
	case s.Now < c.PausedUntil:
		v.State = "paused"
	case v.Daily > 0 && v.SentToday >= v.Daily:
		v.State = "full"
	case c.Failing():
		v.State = "failing"
	}
	return v
}

// count adds what is counted elsewhere: the codes that a channel has carried, and what
// WeChat has to be told of.
func (v *ChannelView) count(s *sqlite.Snapshot, venue sqlite.Venue) (err error) {
	switch v.Channel {
	case domain.ChannelSMS, domain.ChannelMail:
		v.DailyCodes = venue.Messages.DailyCodes()
		v.Codes, _, err = s.CountCodes(v.Channel == domain.ChannelMail, "", s.Now.Add(-domain.LoginCodesWindow))
	case domain.ChannelShipping:
		v.Waiting, _, err = s.CountShipments()
	}
	return err
}

// CodesUsedUp reports whether a channel carries no more login codes today.
func (v ChannelView) CodesUsedUp() bool {
	return v.SetUp && v.DailyCodes > 0 && v.Codes >= v.DailyCodes
}

// Broken reports whether a channel that is set up needs somebody: it has failed so often
// in a row that it was left alone, or refuses whatever it is given.
func (v ChannelView) Broken() bool {
	return v.SetUp && (v.Fails >= domain.ChannelFailsToPause || v.Refusals >= domain.RefusalsToFail)
}

// WakeChannel ends the pause of a channel, for somebody who has mended it, and has all
// that waits for it tried at once.
func (a *App) WakeChannel(ctx context.Context, actor Actor, channel string) error {
	if err := actor.mustBeOwner(); err != nil {
		return err
	}
	return a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		_, hook := venue.Messages.WebhookOf(channel)
		if !hook && !slices.Contains(domain.Channels, channel) && channel != domain.ChannelLog && channel != domain.ChannelShipping {
			return domain.Refuse(domain.NotFound, "not_found", "no such channel")
		}
		if err := tx.WakeChannel(channel); err != nil {
			return err
		}
		if channel == domain.ChannelShipping {
			if err := tx.WakeShipments(); err != nil {
				return err
			}
		}
		return tx.Audit(actor.audit("wake channel", channel, "", nil))
	})
}

// sampleFacts are what a preview and a test message are about.
func sampleFacts(venue sqlite.Venue, court string, now domain.Instant) notify.Facts {
	day := venue.Calendar.LocalDate(now).AddDays(1)
	slot := domain.Slot{Start: now, End: now.Add(90 * time.Minute)}
	if slots := venue.Calendar.Slots(day); len(slots) > 0 {
		slot = slots[len(slots)-1]
	}
	zh, en := slotWords(venue, slot, court)
	return notify.Facts{OrderNumber: slot.Start.In(venue.Calendar.Zone).Format("0102") + "-0001", Slots: []string{zh}, SlotsEN: []string{en}, PayBy: venue.Calendar.Label(slot.Start),
		AmountFen: 6000, RefundFen: 6000, Reason: "slot_closed", Venue: venue.Name, VenuePhone: venue.Phone, Court: court,
		Start: slot.Start.In(venue.Calendar.Zone).Format("2006年1月2日 15:04"), OldSlot: zh, OldSlotEN: en, NewSlot: zh, NewSlotEN: en}
}

// Preview is what a kind of notice would look like.
type Preview struct {
	Kind    string            `json:"kind"`
	Title   string            `json:"title"`
	Text    string            `json:"text"`
	TitleEN string            `json:"title_en"`
	TextEN  string            `json:"text_en"`
	WeChat  []notify.Value    `json:"wechat,omitempty" doc:"the template's fields, before they are cut to their limits"`
	Unfit   []string          `json:"unfit,omitempty" doc:"fields of wechat that WeChat refuses as they are, such as a time in another form than 2026年12月10日 19:00"`
	SMS     []notify.Value    `json:"sms,omitempty"`
	Facts   map[string]string `json:"facts" doc:"what the placeholders stand for"`
}

// PreviewMessage shows a kind of notice with an example's facts, in the words of m.
func (a *App) PreviewMessage(ctx context.Context, m domain.Messages, kind string) (Preview, error) {
	if !slices.Contains(domain.NoticeKinds, kind) {
		return Preview{}, domain.BadField("kind", "is no kind of notice")
	}
	var out Preview
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		if err := domain.Besides(m.Validate(), venue.Messages.Validate()); err != nil {
			return err
		}
		court, err := firstCourt(s)
		if err != nil {
			return err
		}
		venue.Messages = m
		words, values := wordsOf(venue, kind, sampleFacts(venue, court, s.Now))
		out = Preview{Kind: kind, Title: words.Title, Text: words.Text, TitleEN: words.TitleEN, TextEN: words.TextEN, Facts: values}
		if t, ok := m.WeChat[kind]; ok {
			out.WeChat = filled(t, values).Values
			out.Unfit = unfit(out.WeChat)
		}
		if t, ok := m.SMS[kind]; ok {
			out.SMS = filled(t, values).Values
		}
		return nil
	})
	return out, err
}

func firstCourt(s *sqlite.Snapshot) (string, error) {
	courts, err := s.Courts()
	if err != nil || len(courts) == 0 {
		return "1号场", err
	}
	return courts[0].Name, nil
}

// TestMessage is where a test goes.
type TestMessage struct {
	Channel string
	Kind    string
	Phone   string // where an SMS goes, and whose WeChat
	Email   string
}

// A test's own words begin with these.
const testZH, testEN = "【测试】", "[Test] "

// SendTest sends an example of a kind of notice by one channel at once, and tells what
// the channel said. WeChat counts it as one of those that its receiver has allowed, and
// so does courtd.
func (a *App) SendTest(ctx context.Context, actor Actor, test TestMessage) error {
	if err := actor.mustBeOwner(); err != nil {
		return err
	}
	if a.channels[test.Channel] == nil {
		return domain.BadField("channel", "is not set up")
	}
	venue, _, now, err := a.Venue(ctx)
	if err != nil {
		return err
	}
	shown, err := a.PreviewMessage(ctx, venue.Messages, test.Kind)
	if err != nil {
		return err
	}
	m := notify.Message{ID: hash(actor.ID + "|test|" + test.Kind + "|" + NewID())[:32], Kind: test.Kind,
		// What looks like a real confirmation would be taken for one. A template's words are
		// not ours to change.
		Title: testZH + shown.Title, Text: testZH + shown.Text, TitleEN: testEN + shown.TitleEN, TextEN: testEN + shown.TextEN}
	if m, err = a.address(ctx, test, m); err != nil {
		return err
	}
	if t, ok := templatesOf(venue.Messages, test.Channel)[test.Kind]; ok {
		m.Template = filled(t, shown.Facts)
	}
	sendErr := a.hand(ctx, test.Channel, parcel{message: m})
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		day := venue.Calendar.DayOf(now).String()
		if sendErr == nil {
			if err := tx.ChannelSent(test.Channel, day); err != nil {
				return err
			}
			if test.Channel == domain.ChannelWeChat && m.Template != nil {
				if _, err := tx.SpendAllowance(m.OpenID, m.Template.ID); err != nil {
					return err
				}
			}
		}
		return tx.Audit(actor.audit("send test", test.Channel, "", map[string]any{"kind": test.Kind, "sent": sendErr == nil}))
	})
	if err == nil && sendErr != nil {
		err = domain.Refuse(domain.Unavailable, "test_not_sent", "the channel said: %s", firstLine(sendErr)).Because(sendErr)
	}
	return err
}

func templatesOf(m domain.Messages, channel string) map[string]domain.MessageTemplate {
	if channel == domain.ChannelWeChat {
		return m.WeChat
	}
	if channel == domain.ChannelSMS {
		return m.SMS
	}
	return nil
}

// address puts on a test where it goes.
func (a *App) address(ctx context.Context, test TestMessage, m notify.Message) (notify.Message, error) {
	if test.Channel == domain.ChannelMail {
		if test.Email == "" {
			return m, domain.BadField("email", "must not be empty")
		}
		email, err := ParseEmail("email", test.Email)
		m.Email = email
		return m, err
	}
	phone, err := domain.ParsePhone("phone", test.Phone)
	if err != nil {
		return m, err
	}
	if m.Phone = phone; test.Channel == domain.ChannelSMS {
		return m, nil
	}
	err = a.db.Read(ctx, func(s *sqlite.Snapshot) error {
		customer, err := s.CustomerByPhone(phone)
		m.OpenID = customer.OpenID
		return err
	})
	if domain.IsReason(err, "not_found") || (err == nil && m.OpenID == "") {
		return m, domain.BadField("phone", "is of nobody who has signed in with WeChat")
	}
	return m, err
}
