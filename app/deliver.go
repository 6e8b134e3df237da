package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// Webhooks tells the venue's own software of an event. The id is the event's, and the
// same event may be told twice. Errors are those of notify.Channel.
type Webhooks interface {
	// Secret gives the secret that a webhook's events are signed with.
	Secret(hook domain.Webhook) string
	Send(ctx context.Context, hook domain.Webhook, id string, at time.Time, body []byte) error
}

// DeliverReport counts what one pass of the outbox did.
type DeliverReport struct {
	Sent    int `json:"sent"`
	Dropped int `json:"dropped"`
	Failed  int `json:"failed"`
}

func (r *DeliverReport) add(other DeliverReport) {
	r.Sent, r.Dropped, r.Failed = r.Sent+other.Sent, r.Dropped+other.Dropped, r.Failed+other.Failed
}

// DeliverNotices sends what waits in the outbox until nothing is due. Every channel
// goes its own way at the same time: one that is slow or dead delays its own messages
// only, and a message that fails is tried again later and holds up no other. A channel
// that another pass of this program is at is left to that one, which looks again at its
// end and is waited for.
func (a *App) DeliverNotices(ctx context.Context) (DeliverReport, error) {
	return a.deliverAll(ctx, true)
}

// DeliverWoken is DeliverNotices, but waits for no other pass.
func (a *App) DeliverWoken(ctx context.Context) error {
	_, err := a.deliverAll(ctx, false)
	return err
}

func (a *App) deliverAll(ctx context.Context, wait bool) (DeliverReport, error) {
	var channels []string
	err := a.db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		channels, err = s.WaitingChannels()
		return err
	})
	if err != nil {
		return DeliverReport{}, err
	}
	reports, problems := make([]DeliverReport, len(channels)), make([]error, len(channels))
	var all sync.WaitGroup
	for i, channel := range channels {
		all.Go(func() {
			problems[i] = a.passes.over(ctx, channel, wait, func() (err error) {
				defer func() {
					if p := recover(); p != nil {
						err = fmt.Errorf("panic in the outbox of %s: %v\n%s", channel, p, debug.Stack())
					}
				}()
				return a.deliverBy(ctx, channel, &reports[i])
			})
		})
	}
	all.Wait()
	var rep DeliverReport
	for i, r := range reports {
		rep.add(r)
		if errors.Is(problems[i], errBudgetOver) {
			problems[i] = nil
		}
	}
	return rep, errors.Join(problems...)
}

var (
	// errLeaveChannel ends the pass over a channel without anything being wrong with it.
	errLeaveChannel = errors.New("the channel is left alone for now")
	// errBudgetOver ends it because it has taken its time; the rest is due in the next.
	errBudgetOver = errors.New("the pass has taken its time")
)

// deliverBy is one pass over what waits for one channel.
func (a *App) deliverBy(ctx context.Context, channel string, rep *DeliverReport) error {
	whole := ctx
	if channel != domain.ChannelLog {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.passBudget)
		defer cancel()
	}
	after := int64(0)
	for ctx.Err() == nil {
		var batch []sqlite.Delivery
		err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) (err error) {
			batch, err = s.DeliveriesDue(channel, after, domain.MaxPageItems)
			return err
		})
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, d := range batch {
			after = d.ID
			err := ctx.Err()
			if err == nil {
				err = a.deliver(ctx, d, rep)
			}
			if err != nil && !errors.Is(err, errLeaveChannel) && !stops(ctx, err) {
				err = a.notDelivered(ctx, d, err, rep)
			}
			if errors.Is(err, errLeaveChannel) {
				return nil
			}
			if err != nil {
				return overIn(whole, ctx, err)
			}
		}
	}
	return overIn(whole, ctx, ctx.Err())
}

// overIn says that a pass ended for its budget, when it is not the whole that ended.
func overIn(whole, pass context.Context, err error) error {
	if err != nil && pass.Err() != nil && whole.Err() == nil {
		return errBudgetOver
	}
	return err
}

// parcel is a message ready to go: a notice, or an event for a webhook.
type parcel struct {
	message notify.Message
	openID  string
	hook    domain.Webhook
	event   sqlite.Event
	at      time.Time
	day     string
}

// receiver tells apart whom messages are for without saying who they are. A webhook is told
// of one event after the other.
func (p parcel) receiver() string {
	m := p.message
	return hash(strings.Join([]string{p.event.ID, m.Phone, m.OpenID, m.Email}, "\x00"))[:8]
}

// deliver takes one message for one try, judges it again, sends it and writes down what
// came of it. Between sending and writing it down the process may die: then the message
// goes out once more after its lease.
func (a *App) deliver(ctx context.Context, d sqlite.Delivery, rep *DeliverReport) error {
	var p parcel
	var mine, dropped, leave bool
	err := a.db.Write(ctx, func(tx *sqlite.Tx) error {
		p, mine, dropped, leave = parcel{}, false, false, false
		venue, err := mustVenue(&tx.Snapshot)
		if err != nil {
			return err
		}
		why, err := a.pack(tx, venue, d, &p)
		if err != nil {
			return err
		}
		if why != "" {
			dropped = true
			return tx.DeliveryDropped(d, why, "")
		}
		if leave, err = a.mustWait(tx, venue, d.Channel, &p); err != nil || leave {
			return err
		}
		mine, err = tx.LeaseDelivery(d.ID, tx.Now.Add(domain.NoticeLease))
		return err
	})
	switch {
	case err != nil:
		return err
	case leave:
		return errLeaveChannel
	case dropped:
		rep.Dropped++
		return nil
	case !mine:
		return nil
	}
	if err := a.hand(ctx, d.Channel, p); err != nil {
		return a.notTaken(ctx, d, p, err, rep)
	}
	rep.Sent++
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		if err := tx.DeliverySent(d); err != nil {
			return err
		}
		if d.Channel == domain.ChannelWeChat {
			if _, err := tx.SpendAllowance(p.openID, p.message.Template.ID); err != nil {
				return err
			}
		}
		return tx.ChannelSent(d.Channel, p.day)
	})
}

// mustWait reports whether a channel is to be left alone now: it is not served by this
// program, it pauses, or has taken as many messages today as it may.
func (a *App) mustWait(tx *sqlite.Tx, venue sqlite.Venue, channel string, p *parcel) (bool, error) {
	if !a.serves(channel) {
		return true, nil
	}
	state, err := tx.Channel(channel)
	if err != nil {
		return false, err
	}
	p.day = venue.Calendar.DayOf(tx.Now).String()
	full := slices.Contains(domain.Channels, channel) && state.Day == p.day && state.SentToday >= venue.Messages.DailyOf(channel)
	return full || tx.Now < state.PausedUntil, nil
}

// serves reports whether this process can send by a channel.
func (a *App) serves(channel string) bool {
	if channel == domain.ChannelLog {
		return true
	}
	if slices.Contains(domain.Channels, channel) {
		return a.channels[channel] != nil
	}
	return a.webhooks != nil
}

// pack makes the message of a delivery as it is true now, or says in a word why it does
// not go out.
func (a *App) pack(tx *sqlite.Tx, venue sqlite.Venue, d sqlite.Delivery, p *parcel) (why string, err error) {
	if d.EventID != "" {
		return packEvent(tx, venue, d, p)
	}
	n, err := tx.Notice(d.NoticeID)
	if err != nil {
		return "", err
	}
	order, err := tx.Order(n.OrderID)
	if err != nil {
		return "", err
	}
	if why := whyStale(n, order, tx.Now); why != "" {
		return why, nil
	}
	p.message = notify.Message{ID: n.ID, Kind: n.Kind, CustomerName: n.CustomerName, Phone: n.Phone, Email: n.Email,
		Title: n.Title, Text: n.Text, TitleEN: n.TitleEN, TextEN: n.TextEN, Page: "orders/" + n.OrderID}
	if !slices.Contains(venue.Messages.SetUp, d.Channel) && d.Channel != domain.ChannelLog && tx.Now.Sub(d.CreatedAt) >= domain.GiveUpAfterDown {
		return domain.WhyNotSetUp, nil // before, it may have been a start without its settings
	}
	switch d.Channel {
	case domain.ChannelSMS:
		p.message.Template, err = templateOf(venue.Messages.SMS, n)
		if err == nil && n.Phone == "" {
			why = domain.WhyNoAddress
		}
	case domain.ChannelMail:
		if n.Email == "" {
			return domain.WhyNoAddress, nil
		}
		if order.State(tx.Now) == domain.Paid {
			p.message.ICS, err = calendarFor(&tx.Snapshot, venue, order)
		}
	case domain.ChannelWeChat:
		return packWeChat(tx, venue, n, p)
	}
	return why, err
}

// packWeChat fills in the template, if the customer has allowed a message of it.
func packWeChat(tx *sqlite.Tx, venue sqlite.Venue, n sqlite.Notice, p *parcel) (why string, err error) {
	if n.OpenID == "" {
		return domain.WhyNoAddress, nil
	}
	if p.message.Template, err = templateOf(venue.Messages.WeChat, n); err != nil {
		return "", err
	}
	if p.message.Template == nil {
		return domain.WhyNoTemplate, nil
	}
	left, err := tx.Allowances(n.OpenID)
	if err != nil {
		return "", err
	}
	if left[p.message.Template.ID] == 0 {
		return domain.WhyNotAllowed, nil
	}
	p.message.OpenID, p.openID = n.OpenID, n.OpenID
	return "", nil
}

// templateOf fills the template of a notice's kind with its facts; nil where there is none.
func templateOf(templates map[string]domain.MessageTemplate, n sqlite.Notice) (*notify.Template, error) {
	t, ok := templates[n.Kind]
	if !ok {
		return nil, nil
	}
	var facts map[string]string
	if err := json.Unmarshal([]byte(n.Facts), &facts); err != nil {
		return nil, fmt.Errorf("facts of notice %s: %w", n.ID, err)
	}
	return filled(t, facts), nil
}

func filled(t domain.MessageTemplate, facts map[string]string) *notify.Template {
	out := &notify.Template{ID: t.ID}
	for _, param := range t.Params {
		out.Values = append(out.Values, notify.Value{Name: param.Name, Text: domain.Fill(param.From, facts)})
	}
	return out
}

func packEvent(tx *sqlite.Tx, venue sqlite.Venue, d sqlite.Delivery, p *parcel) (why string, err error) {
	if p.event, err = tx.Event(d.EventID); err != nil {
		return "", err
	}
	hook, ok := venue.Messages.WebhookOf(d.Channel)
	if !ok || !hook.Active {
		return domain.WhyNotSetUp, nil
	}
	p.hook, p.at = hook, tx.Now.In(venue.Calendar.Zone)
	return whyEventStale(&tx.Snapshot, p.event)
}

// hand gives a message to its channel, with a time limit, and survives its panics. It is
// not broken off when ctx ends: nobody would know whether it arrived.
func (a *App) hand(ctx context.Context, channel string, p parcel) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic in channel %s: %v", channel, v)
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), domain.CommandTimeout)
	defer cancel()
	switch {
	case p.event.ID != "":
		return a.webhooks.Send(ctx, p.hook, p.event.ID, p.at, []byte(p.event.Payload))
	case channel == domain.ChannelLog:
		return a.channel.Send(ctx, p.message)
	}
	return a.channels[channel].Send(ctx, p.message)
}

// sendCode gives a code to the channel that carries codes to an address of a kind
// (domain.ChannelSMS or ChannelMail), at once: a code is not kept, so that it cannot
// wait. Where there is no such channel it is in the log: without SMS nobody could sign
// in otherwise, and whoever runs the program tries it out.
func (a *App) sendCode(ctx context.Context, channel string, m notify.Message) error {
	if a.channels[channel] == nil {
		channel = domain.ChannelLog
	}
	return a.hand(ctx, channel, parcel{message: m})
}

// notTaken writes down a try that the channel did not carry out: the message is refused
// for good, the channel does not work, or it is tried again.
func (a *App) notTaken(ctx context.Context, d sqlite.Delivery, p parcel, problem error, rep *DeliverReport) error {
	if errors.Is(problem, notify.ErrRefused) {
		rep.Dropped++
		a.log.Warn("message refused", "channel", d.Channel, "notice", d.NoticeID, "event", d.EventID, "error", problem)
		return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
			if !errors.Is(problem, notify.ErrNotAllowed) {
				if err := tx.ChannelRefused(d.Channel, p.receiver(), firstLine(problem)); err != nil {
					return err
				}
				return tx.DeliveryDropped(d, domain.WhyRefused, firstLine(problem))
			}
			if err := tx.NoAllowance(p.openID, p.message.Template.ID); err != nil {
				return err
			}
			return tx.DeliveryDropped(d, domain.WhyNotAllowed, firstLine(problem))
		})
	}
	if err := a.notDelivered(ctx, d, problem, rep); err != nil || !errors.Is(problem, notify.ErrDown) {
		return err
	}
	var paused bool
	err := a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		state, err := tx.Channel(d.Channel)
		if err == nil && p.hook.ID != "" && errors.Is(problem, notify.ErrGone) {
			err = switchOff(tx, p.hook.ID)
		}
		if err != nil {
			return err
		}
		until := pauseOf(tx.Now, state.Fails+1, problem)
		paused = until.IsSet()
		return tx.ChannelFailed(d.Channel, state.Fails+1, until, firstLine(problem))
	})
	if err == nil && paused {
		err = errLeaveChannel
	}
	return err
}

// pauseOf says until when a channel is left alone after so many failures in a row; zero
// is not at all. It is left alone for as long as it asks for itself, within bounds.
func pauseOf(now domain.Instant, fails int, problem error) domain.Instant {
	var later notify.LaterError
	if errors.As(problem, &later) && later.After > 0 {
		return now.Add(min(max(later.After, time.Second), domain.MaxRetry))
	}
	if fails < domain.ChannelFailsToPause {
		return 0
	}
	wait := domain.ChannelFirstPause
	for n := domain.ChannelFailsToPause; n < fails && wait < domain.ChannelMaxPause; n++ {
		wait *= 2
	}
	return now.Add(min(wait, domain.ChannelMaxPause))
}

// notDelivered counts a failed try, whatever it failed at: it is made again later, or
// was the last. A message is not given up for a channel that does not work before a day
// has passed.
func (a *App) notDelivered(ctx context.Context, d sqlite.Delivery, problem error, rep *DeliverReport) error {
	rep.Failed++
	tries := d.Tries + 1
	a.log.Warn("message not delivered", "channel", d.Channel, "notice", d.NoticeID, "event", d.EventID, "tries", tries, "error", problem)
	return a.db.Write(context.WithoutCancel(ctx), func(tx *sqlite.Tx) error {
		last := tries >= domain.MaxNoticeTries && (!errors.Is(problem, notify.ErrDown) || tx.Now.Sub(d.CreatedAt) >= domain.GiveUpAfterDown)
		return tx.DeliveryFailed(d, firstLine(problem), tries, tx.Now.Add(backoff(tries)), last)
	})
}
