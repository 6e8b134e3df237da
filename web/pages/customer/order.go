package customer

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// orderPage shows one order: what to do next, the ticket, and what it is made of.
type orderPage struct {
	kit.Frame
	Order       app.OrderView
	Explain     *kit.Words
	Refusal     *kit.Say
	Late        *kit.Say
	Held        bool
	PayBy       int64
	PayByClock  string
	Left        string // mm:ss, until a script takes over
	CanPay      bool   // here, with the sandbox
	CanCheck    bool   // a payment is open
	CanCancel   bool
	Attempt     string // the sandbox payment that is open
	LateAttempt bool   // a sandbox payment could still succeed although the order is over
	QR          template.URL
	CodeGroups  []string
	Door        *kit.Words
	GoodsWords  *kit.Words
	Notices     []app.NoticeView
}

// showOrder shows an order to its customer or to the desk. With check=1 the
// provider is asked first what has become of an open payment.
func (p *pages) showOrder(c *fiber.Ctx) error {
	return p.drawOrder(c, http.StatusOK, c.Query("check") == "1", nil)
}

func (p *pages) drawOrder(c *fiber.Ctx, status int, check bool, refusal error) error {
	actor := httpx.ActorOf(c)
	order, err := p.App.Order(c.UserContext(), actor, c.Params("id"))
	if err != nil {
		return err
	}
	tries, err := p.attempts(c.UserContext(), order.ID)
	if err != nil {
		return err
	}
	if check && tries.open != "" && order.State == string(domain.Held) {
		if order, err = p.App.CheckPayments(c.UserContext(), actor, order.ID); err != nil {
			return err
		}
		if tries, err = p.attempts(c.UserContext(), order.ID); err != nil {
			return err
		}
	}
	f, venue, _, err := p.FrameOf(c, kit.Words{"订单 " + order.Number, "Order"})
	if err != nil {
		return err
	}
	f.Narrow, f.Now = true, order.Now.Unix()
	page := orderPage{Frame: f, Order: order, Held: order.State == string(domain.Held), CanCancel: slices.Contains(order.Actions, "cancel") && !f.Staff,
		CanCheck: tries.open != "", Late: lateWords(order.LateMoney)}
	if refusal != nil {
		said := kit.Explain(refusal, venue.Calendar.Zone)
		page.Refusal = &said
	}
	if page.Held && order.PayBy != nil {
		page.addDeadline(order)
	}
	page.CanPay = p.Play != nil && page.Held && !f.Staff
	if page.CanPay {
		page.Attempt = tries.openSandbox
	}
	page.LateAttempt = p.Play != nil && !f.Staff && tries.unpaidSandbox != "" && (order.State == string(domain.Lapsed) || order.State == string(domain.Cancelled))
	if !f.Staff { // the desk reads tickets; it need not hold them
		page.addTicket(order)
	}
	page.addWords(order)
	if actor.Role == app.RoleCustomer {
		if page.Notices, err = p.noticesOf(c, order.ID); err != nil {
			return err
		}
	}
	return p.Render(c, status, "order", page)
}

// addDeadline counts down to the deadline by the server's clock.
func (o *orderPage) addDeadline(order app.OrderView) {
	left := max(order.PayBy.Unix()-order.Now.Unix(), 0)
	o.PayBy, o.PayByClock = order.PayBy.Unix(), order.PayBy.Format("15:04")
	if order.PayBy.Second() != 0 {
		o.PayByClock = order.PayBy.Format("15:04:05")
	}
	o.Left = fmt.Sprintf("%02d:%02d", left/60, left%60)
	o.Scripts, o.ReloadAfter = []string{"countdown.js"}, left+1
}

// addTicket draws the code for the door. The picture comes from the use case and
// is nothing but a PNG in a data address.
func (o *orderPage) addTicket(order app.OrderView) {
	const png = "data:image/png;base64,"
	if order.Ticket == nil || !strings.HasPrefix(order.Ticket.QR, png) {
		return
	}
	o.QR, o.CodeGroups = template.URL(order.Ticket.QR), inFours(order.Ticket.Code)
}

// inFours cuts a code into groups that can be read out.
func inFours(code string) []string {
	var out []string
	for group := range slices.Chunk([]byte(code), 4) {
		out = append(out, string(group))
	}
	return out
}

// orderWords say what an order's state means for its customer.
var orderWords = map[string]kit.Words{
	"lapsed":    {"付款时间已过，场次已释放。如仍需要，请重新预订。", "The time to pay is over and the slots were released. Please book again."},
	"cancelled": {"订单已取消。", "This order was cancelled."},
	"no_show":   {"未到场核销，按爽约处理。如有误请联系前台。", "Nobody checked in, so it counts as a no-show. Ask the desk if this is wrong."},
	"completed": {"订单已完成，谢谢光临。", "This order is completed. Thank you."},
}

func (o *orderPage) addWords(order app.OrderView) {
	if w, ok := orderWords[order.State]; ok {
		o.Explain = &w
	}
	if w, ok := kit.GoodsWords[order.GoodsState]; ok && len(order.Goods) > 0 {
		o.GoodsWords = &w
	}
	for _, r := range order.Reservations {
		if r.State == string(domain.Confirmed) {
			from, by := r.CheckInFrom.Format("01-02 15:04"), r.CheckInBy.Format("15:04")
			o.Door = &kit.Words{"核销时间 " + from + " – " + by, "Check in between " + from + " and " + by}
			return
		}
	}
}

func lateWords(late *app.LateMoneyView) *kit.Say {
	if late == nil {
		return nil
	}
	switch late.Verdict {
	case "revived":
		return &kit.Say{Words: kit.Words{"付款迟到，但场次仍可用：订单已恢复", "The payment came late, but all was still free: the order is restored"}, Tone: "good"}
	case "refunded":
		why, ok := kit.LateReasons[late.Reason]
		if !ok {
			why = kit.Words{"订单已不能恢复", "the order could not be restored"}
		}
		return &kit.Say{Words: kit.Words{"有一笔付款无法使用（" + why[0] + "），全额退回", "A payment could not be used (" + why[1] + ") and goes back in full"}, Tone: "warn"}
	}
	return &kit.Say{Words: kit.Words{"有一笔付款需要人工核对，请联系前台", "A payment needs a person to look at it; please ask the desk"}, Tone: "warn"}
}

// noticesOf gives a customer's recent notices about one order.
func (p *pages) noticesOf(c *fiber.Ctx, orderID string) ([]app.NoticeView, error) {
	list, err := p.App.Notices(c.UserContext(), httpx.ActorOf(c), app.Page{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Items, func(n app.NoticeView) bool { return n.Order != orderID }), nil
}
