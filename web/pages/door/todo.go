package door

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// noticesPerPage keeps the page short on a phone.
const noticesPerPage = 20

// todoPage lists what waits for a person.
type todoPage struct {
	kit.Frame
	Refusal *kit.Say
	Waiting kit.Live
}

// waitingView is what of the page keeps itself fresh.
type waitingView struct {
	Refunds     []refundRow
	Flagged     []flaggedRow
	Twice       []app.RefundTwice
	Goods       []app.GoodsToHand
	Tabs        []noticeTab
	State       string
	Cursor      string // of this page of the notices
	Notices     []noticeRow
	Next        *string
	CSRF, Nonce string
}

type refundRow struct {
	app.RefundToHand
	Cash   bool
	Why    kit.Words
	WeChat bool // it can be looked at in the merchant platform
	Said   bool // its problem is what the page says in its own words
}

type flaggedRow struct {
	app.FlaggedMoney
	Differs   kit.Words
	GivenBack bool // it came and went back at the provider
}

type noticeTab struct {
	State   string
	Words   kit.Words
	Current bool
}

type noticeRow struct {
	app.OutboxView
	What kit.Words // became of it
	Mark string
	Why  kit.Words
	By   []kit.Words // what became of it by each channel
	Send bool        // whether sending it again makes sense
}

// noticeStates are the states of notices, in the order of the tabs.
var noticeStates = []struct {
	state, mark string
	words       kit.Words
}{
	{"gave_up", "!", kit.Words{"发送失败", "Gave up"}},
	{"waiting", "…", kit.Words{"等待发送", "Waiting"}},
	{"sent", "✓", kit.Words{"已发送", "Sent"}},
	{"dropped", "○", kit.Words{"不再需要", "Dropped"}},
}

// todoSaid are what the page can have done before.
var todoSaid = map[string]kit.Words{
	"refund": {"已确认退款", "The refund is confirmed"},
	"seen":   {"已记下处理结果", "What was done is noted"},
	"resend": {"通知已重新排队发送", "The notice will be sent again"},
}

// showTodo lists what waits for a person.
func (p *pages) showTodo(c *fiber.Ctx) error { return p.drawTodo(c, http.StatusOK, nil) }

func (p *pages) drawTodo(c *fiber.Ctx, status int, refusal *kit.Say) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"待办", "To do"})
	if err != nil {
		return err
	}
	waiting, err := p.waiting(c)
	if err != nil {
		return err
	}
	f.Styles, f.Live, f.Said = []string{"door.css"}, true, kit.SaidOf(c, todoSaid)
	return p.Render(c, status, "todo", todoPage{Frame: f, Refusal: refusal, Waiting: waiting})
}

// sendWaiting is the list when it asks for itself again.
func (p *pages) sendWaiting(c *fiber.Ctx) error {
	waiting, err := p.waiting(c)
	if err != nil {
		return err
	}
	return p.SendLive(c, waiting)
}

func (p *pages) waiting(c *fiber.Ctx) (kit.Live, error) {
	todo, err := p.App.Todo(c.UserContext(), httpx.ActorOf(c))
	if err != nil {
		return kit.Live{}, err
	}
	view := waitingView{Goods: todo.Goods, Twice: todo.Twice, State: c.Query("notices", noticeStates[0].state), Cursor: c.Query("cursor"), CSRF: httpx.CSRFToken(c), Nonce: kit.Nonce(c)}
	for _, r := range todo.Refunds {
		view.Refunds = append(view.Refunds, refundRow{RefundToHand: r, Cash: r.HandWhy == "cash", WeChat: domain.ByWeChat(r.Via), Said: strings.HasPrefix(r.Problem, "the provider says "), Why: kit.ReasonWords(r.Reason)})
	}
	for _, m := range todo.Flagged {
		view.Flagged = append(view.Flagged, flaggedRow{m, differs(m.Reason), m.Reason == "given_back"})
	}
	list, err := p.App.OutboxIn(c.UserContext(), view.State, app.Page{Cursor: view.Cursor, Limit: noticesPerPage})
	if err != nil {
		return kit.Live{}, err
	}
	view.Next = list.Next
	for _, s := range noticeStates {
		view.Tabs = append(view.Tabs, noticeTab{s.state, s.words, s.state == view.State})
	}
	outcomes, err := p.outcomes(c, list.Items)
	if err != nil {
		return kit.Live{}, err
	}
	for _, n := range list.Items {
		row := rowOf(n)
		row.By = outcomes[n.ID]
		view.Notices = append(view.Notices, row)
	}
	at := "/desk/todo/waiting?" + url.Values{"notices": {view.State}, "cursor": {view.Cursor}}.Encode()
	return p.Live(c, "todo", "waiting", "waiting", at, todo.Now, nil, view)
}

func rowOf(n app.OutboxView) noticeRow {
	row := noticeRow{OutboxView: n, Send: n.State == "gave_up" || n.State == "sent"}
	for _, s := range noticeStates {
		if s.state == n.State {
			row.What, row.Mark = s.words, s.mark
		}
	}
	switch {
	case n.State == "dropped":
		row.Why = whyWords(n.WhyCode)
	case n.Tries > 0 && n.Why != "":
		row.Why = kit.Words{fmt.Sprintf("试过 %d 次：%s", n.Tries, n.Why), fmt.Sprintf("%d tries: %s", n.Tries, n.Why)}
	}
	return row
}

// whyWords say why a notice was not sent.
func whyWords(code string) kit.Words {
	zh, en := notify.WhyWords(code)
	return kit.Words{zh, en}
}

// differs says in what money differs from what was asked for.
func differs(reason string) kit.Words {
	if reason == "given_back" {
		return kit.Words{"钱到账了，但系统得知之前已在商户平台退款", "the money came, and was refunded on the merchant platform before we heard of it"}
	}
	var got, want int64
	if n, _ := fmt.Sscanf(reason, "amount %d instead of %d fen", &got, &want); n == 2 {
		return kit.Words{"到账 " + notify.Yuan(got) + "，应为 " + notify.Yuan(want), notify.Yuan(got) + " came instead of " + notify.Yuan(want)}
	}
	return kit.Words{"账户或币种不符：" + reason, "it does not match: " + reason}
}
