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
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// clockPage asks before the clock of the machine is believed although it went back.
type clockPage struct {
	kit.Frame
	Refusal       *kit.Say
	Behind        bool
	Machine, Last time.Time
	By            kit.Words
}

// clockTrouble says that the clock is behind, with the way to the page about it;
// nil when it may be believed.
func (p *pages) clockTrouble(ctx context.Context, zone *time.Location) (*kit.Say, error) {
	state, err := p.App.DB().ClockState(ctx)
	if err != nil || !state.Behind {
		return nil, err
	}
	last, by := state.Last.In(zone).Format("01-02 15:04:05"), behindBy(state)
	return &kit.Say{Tone: "bad", Href: "/owner/clock", Link: kit.Words{"查看并处理", "See what to do"}, Words: kit.Words{
		fmt.Sprintf("这台机器的时钟比最后一笔记录（%s）慢了 %s，暂停一切订场和收款，等它追上", last, by[0]),
		fmt.Sprintf("The machine's clock is %s behind the last record (%s); bookings and payments wait until it has caught up", by[1], last)}}, nil
}

// behindBy is how far the clock is behind: to the second below an hour, to the minute
// below a day, and to the hour above. How long to wait is not rounded to the first unit.
func behindBy(state sqlite.ClockState) kit.Words {
	d := time.Duration(state.Last-state.Clock) * time.Second
	days, hours := int(d/(24*time.Hour)), int(d%(24*time.Hour)/time.Hour)
	minutes, seconds := int(d%time.Hour/time.Minute), int(d%time.Minute/time.Second)
	switch {
	case d < time.Minute:
		return count(int64(seconds), "秒", "second")
	case d < time.Hour && seconds > 0:
		return kit.Words{fmt.Sprintf("%d 分 %d 秒", minutes, seconds), fmt.Sprintf("%d min %d s", minutes, seconds)}
	case d < time.Hour:
		return count(int64(minutes), "分钟", "minute")
	case days == 0 && minutes > 0:
		return kit.Words{fmt.Sprintf("%d 小时 %d 分", hours, minutes), fmt.Sprintf("%d h %d min", hours, minutes)}
	case days == 0:
		return count(int64(hours), "小时", "hour")
	case hours > 0:
		return kit.Words{fmt.Sprintf("%d 天 %d 小时", days, hours), fmt.Sprintf("%d d %d h", days, hours)}
	}
	return count(int64(days), "天", "day")
}

func (p *pages) showClock(c *fiber.Ctx) error { return p.drawClock(c, http.StatusOK, nil) }

func (p *pages) drawClock(c *fiber.Ctx, status int, refusal *kit.Say) error {
	f, venue, _, err := p.OwnerFrame(c, kit.Words{"机器的时钟", "The machine's clock"})
	if err != nil {
		return err
	}
	state, err := p.App.DB().ClockState(c.UserContext())
	if err != nil {
		return err
	}
	f.Styles, f.Narrow = []string{"records.css"}, true
	zone := venue.Calendar.Zone
	return p.Render(c, status, "clock", clockPage{Frame: f, Refusal: refusal, Behind: state.Behind,
		Machine: state.Clock.In(zone), Last: state.Last.In(zone), By: behindBy(state)})
}

func (p *pages) acceptClock(c *fiber.Ctx) error {
	err := app.AcceptClock(c.UserContext(), p.App.DB(), httpx.ActorOf(c))
	if err == nil {
		return kit.Done(c, "/owner/reconciler", "accepted")
	}
	refusal, refused := domain.AsError(err)
	if !refused {
		return err
	}
	said := kit.Explain(err, nil)
	if until, ok := refusal.Detail["until"].(domain.Instant); ok {
		when := until.In(httpx.Zone(c.UserContext(), p.App)).Format("2006-01-02 15:04:05")
		said.Words = kit.Words{"时钟之后还有记录，最晚的是 " + when + "。请等时钟走过那一刻，或先校准机器的时钟",
			"Records lie ahead of this clock, the last of them at " + when + ". Wait until the clock has passed it, or set the machine's clock right"}
	}
	return kit.Beside(c, err, func(status int) error { return p.drawClock(c, status, &said) })
}
