package records

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// overviewPage is the first of the owner's pages.
type overviewPage struct {
	kit.Frame
	Glance kit.Live
	Steps  []step
}

// glance is the day in some figures, and what waits for a person.
type glance struct {
	Today   app.TodayView
	Day     kit.Words
	Money   app.MoneyFigures
	Net     string
	Use     app.UseFigures
	UseText string
	Rounds  health
	Clock   *kit.Say  // what is wrong with the machine's clock
	Notices []kit.Say // and with the notices of providers
	Waits   []wait
}

// wait is something that a person has to do.
type wait struct {
	Count int
	Words kit.Words
	Href  string
}

func (p *pages) showOverview(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"概览", "Overview"})
	if err != nil {
		return err
	}
	live, err := p.glance(c)
	if err != nil {
		return err
	}
	steps, err := p.steps(c.UserContext())
	if err != nil {
		return err
	}
	f.Styles, f.Live = []string{"records.css"}, true
	return p.Render(c, http.StatusOK, "overview", overviewPage{Frame: f, Glance: live, Steps: steps})
}

func (p *pages) sendGlance(c *fiber.Ctx) error {
	live, err := p.glance(c)
	if err != nil {
		return err
	}
	return p.SendLive(c, live)
}

func (p *pages) glance(c *fiber.Ctx) (kit.Live, error) {
	ctx := c.UserContext()
	today, err := p.App.Today(ctx)
	if err != nil {
		return kit.Live{}, err
	}
	span := domain.DateSpan{From: today.Date, Until: today.Date}
	money, err := p.App.Takings(ctx, span)
	if err != nil {
		return kit.Live{}, err
	}
	use, err := p.App.Utilisation(ctx, span, "")
	if err != nil {
		return kit.Live{}, err
	}
	rounds, err := p.App.Reconciler(ctx)
	if err != nil {
		return kit.Live{}, err
	}
	clock, err := p.clockTrouble(ctx, rounds.Now.Location())
	if err != nil {
		return kit.Live{}, err
	}
	differences, err := p.App.CountDifferences(ctx)
	if err != nil {
		return kit.Live{}, err
	}
	channels, _, err := p.App.ChannelViews(ctx)
	if err != nil {
		return kit.Live{}, err
	}
	g := glance{Today: today, Day: kit.DayWords(today.Date, today.Date), Money: money.Total, Net: yuan(money.Total.Net), Use: use.Total,
		UseText: percent(use.Total.Percent), Rounds: healthOf(rounds), Clock: clock,
		Notices: p.troubles(ctx, today.Now.Location()), Waits: append(waits(rounds, differences), channelWaits(channels)...)}
	return p.Live(c, "overview", "glance", "glance", "/owner/glance", today.Now, today.ChangesAt, g)
}

// waits lists what no round can do.
func waits(v app.ReconcilerView, differences int) []wait {
	var out []wait
	add := func(n int, zh, one, more, href string) {
		switch {
		case n == 1:
			out = append(out, wait{n, kit.Words{zh, one}, href})
		case n > 1:
			out = append(out, wait{n, kit.Words{zh, more}, href})
		}
	}
	add(v.RefundsForStaff, "笔退款要交给顾客或人工处理", "refund to hand over or see to", "refunds to hand over or see to", "/desk/todo")
	add(v.GaveUp, "条通知没有送达", "notice that could not be delivered", "notices that could not be delivered", "/desk/todo")
	add(v.Flagged, "笔收款对不上", "payment that does not match", "payments that do not match", "/desk/todo")
	add(v.RefundsTwice, "笔退款退了两次", "refund that went back twice", "refunds that went back twice", "/desk/todo")
	add(differences, "笔与微信账单对不上，或收款不符", "difference from WeChat's bills to explain", "differences from WeChat's bills to explain", "/owner/bills")
	add(v.Parked, "项对账搁置", "parked row of the reconciler", "parked rows of the reconciler", "/owner/reconciler")
	return out
}

// channelWaits are channels that do not do what they are for.
func channelWaits(views []app.ChannelView) []wait {
	var out []wait
	hooks := 0
	for _, v := range views {
		hook := v.URL != ""
		switch {
		case v.Broken() && hook:
			hooks++
		case v.Broken():
			name, known := channelNames[v.Channel]
			if !known {
				name = kit.Words{v.Channel, v.Channel}
			}
			out = append(out, wait{1, kit.Words{"个消息渠道发不出去：" + name[0], "channel of messages does not work: " + name[1]}, "/owner/messages"})
		}
		if v.CodesUsedUp() {
			out = append(out, wait{v.Codes, kit.Words{"条登录验证码，今天的已经发完", "login codes: all of the day are used up"}, "/owner/messages#codes"})
		}
	}
	if hooks > 0 {
		out = append(out, wait{hooks, kit.Words{"个推送地址不接收事件", "webhooks do not take events"}, "/owner/webhooks"})
	}
	return out
}

// channelNames name the channels.
var channelNames = map[string]kit.Words{domain.ChannelWeChat: {"微信", "WeChat"}, domain.ChannelSMS: {"短信", "SMS"}, domain.ChannelMail: {"邮件", "mail"},
	domain.ChannelShipping: {"微信的发货信息", "WeChat's shipping information"}}

// step is something that a new venue has not done yet.
type step struct {
	Words kit.Words
	Why   kit.Words
	Href  string
}

// steps are what is left to do before the venue is like others: they go away one by one.
func (p *pages) steps(ctx context.Context) ([]step, error) {
	var out []step
	err := p.App.DB().Read(ctx, func(s *sqlite.Snapshot) error {
		venue, _, err := s.Venue()
		if err != nil {
			return err
		}
		goods, err := s.Goods()
		if err != nil {
			return err
		}
		staff, err := s.AllStaff()
		if err != nil {
			return err
		}
		if none := p.NoCodes(venue.Messages); none != nil { // before all else: nobody can sign in
			out = append(out, step{none.Words, none.What, none.Href})
		}
		out = append(out, nextSteps(venue, goods, staff)...)
		if !p.App.PaysOnline() {
			out = append(out, atDeskOnly(venue))
		}
		out = append(out, templateSteps(p.App.MessageGaps(venue.Messages))...)
		return nil
	})
	return out, err
}

func nextSteps(venue sqlite.Venue, goods []sqlite.Good, staff []sqlite.Staff) []step {
	var out []step
	need := func(missing bool, s step) {
		if missing {
			out = append(out, s)
		}
	}
	onSale, atDesk := false, false
	for _, g := range goods {
		onSale = onSale || g.Active
	}
	for _, m := range staff {
		atDesk = atDesk || m.Active && m.Role == string(app.RoleDesk)
	}
	need(venue.Phone == "" || venue.Address == "", step{kit.Words{"填写地址和电话", "Fill in the address and phone"},
		kit.Words{"每个页面的底部都会显示，顾客找得到您", "They stand at the foot of every page, so that customers find you"}, "/owner/venue"})
	need(len(venue.Prices) < 2, step{kit.Words{"设置不同时段的价格", "Set prices by time of day"},
		kit.Words{"现在全天一个价；晚间和周末可以另定", "One price all day now; evenings and weekends can have their own"}, "/owner/prices"})
	need(!atDesk, step{kit.Words{"给前台开一个账号", "Give the desk an account"},
		kit.Words{"前台能核销、代订和收现金，看不到管理页面", "The desk checks in, books for callers and takes cash, and sees none of these pages"}, "/owner/staff"})
	need(!onSale, step{kit.Words{"添加可以一起买的商品", "Add goods to sell along"},
		kit.Words{"球、水、球拍租用：订场时一起付款", "Shuttles, water, rackets: paid together with the court"}, "/owner/goods"})
	return out
}

// atDeskOnly stays as long as the program offers no way to pay online: the time to pay
// has to be long enough to come by.
func atDeskOnly(venue sqlite.Venue) step {
	long := count(int64(venue.Policy.HoldMinutes), "分钟", "minute")
	return step{kit.Words{"还没有接通网上付款：看看付款时限够不够", "Online payment is not set up: see whether the time to pay will do"},
		kit.Words{"顾客下单后 " + long[0] + "内要到前台付款，逾期自动失效", "Customers pay at the desk within " + long[1] + " of ordering, or the order lapses"}, "/owner/policy"}
}

// templateSteps stay as long as notices do not go out for want of a template.
func templateSteps(gaps map[string][]string) []step {
	var out []step
	for _, channel := range []struct {
		name  string
		words kit.Words
	}{{domain.ChannelWeChat, kit.Words{"微信", "WeChat"}}, {domain.ChannelSMS, kit.Words{"短信", "SMS"}}} {
		n := 0
		for _, kind := range gaps[channel.name] {
			if kind != domain.KindLoginCode {
				n++
			}
		}
		if n > 0 {
			kinds := count(int64(n), "种通知", "kind of notice")
			if n > 1 {
				kinds[1] = fmt.Sprint(n, " kinds of notices")
			}
			out = append(out, step{kit.Words{channel.words[0] + "缺模板：" + kinds[0] + "发不出去", "Templates are missing at " + channel.words[1] + ": " + kinds[1] + " cannot go out by it"},
				kit.Words{"填写已审核通过的模板，或取消勾选", "Fill in the approved templates, or untick what is not to go by it"}, "/owner/messages"})
		}
	}
	return out
}

// ago tells a span of time in its largest unit. Seconds are not told: a part that keeps
// itself fresh would be another one each time it is looked at.
func ago(d time.Duration) kit.Words {
	switch {
	case d < time.Minute:
		return kit.Words{"不到 1 分钟", "less than a minute"}
	case d < time.Hour:
		return count(int64(d/time.Minute), "分钟", "minute")
	case d < 48*time.Hour:
		return count(int64(d/time.Hour), "小时", "hour")
	}
	return count(int64(d/(24*time.Hour)), "天", "day")
}
