package pages

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
)

// orderPage shows one order: what to do next, the ticket, and what it is made of.
type orderPage struct {
	frame
	Order       app.OrderView
	Explain     *words
	Refusal     *say
	Late        *say
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
	Door        *words
	GoodsWords  *words
	Notices     []app.NoticeView
}

// showOrder shows an order to its customer or to the desk. With check=1 the
// provider is asked first what has become of an open payment.
func (p *pages) showOrder(c *fiber.Ctx) error {
	return p.drawOrder(c, http.StatusOK, c.Query("check") == "1", nil)
}

func (p *pages) drawOrder(c *fiber.Ctx, status int, check bool, refusal error) error {
	actor := httpx.ActorOf(c)
	order, err := p.app.Order(c.UserContext(), actor, c.Params("id"))
	if err != nil {
		return err
	}
	tries, err := p.attempts(c.UserContext(), order.ID)
	if err != nil {
		return err
	}
	if check && tries.open != "" && order.State == string(domain.Held) {
		if order, err = p.app.CheckPayments(c.UserContext(), actor, order.ID); err != nil {
			return err
		}
		if tries, err = p.attempts(c.UserContext(), order.ID); err != nil {
			return err
		}
	}
	f, venue, _, err := p.frameOf(c, words{"订单 " + order.Number, "Order"})
	if err != nil {
		return err
	}
	f.Narrow, f.Now = true, order.Now.Unix()
	page := orderPage{frame: f, Order: order, Held: order.State == string(domain.Held), CanCancel: slices.Contains(order.Actions, "cancel") && !f.Staff,
		CanCheck: tries.open != "", Late: lateWords(order.LateMoney)}
	if refusal != nil {
		said := explain(refusal, venue.Calendar.Zone)
		page.Refusal = &said
	}
	if page.Held && order.PayBy != nil {
		page.addDeadline(order)
	}
	page.CanPay = p.play != nil && page.Held && !f.Staff
	if page.CanPay {
		page.Attempt = tries.openSandbox
	}
	page.LateAttempt = p.play != nil && !f.Staff && tries.unpaidSandbox != "" && (order.State == string(domain.Lapsed) || order.State == string(domain.Cancelled))
	if !f.Staff { // the desk reads tickets; it need not hold them
		page.addTicket(order)
	}
	page.addWords(order)
	if actor.Role == app.RoleCustomer {
		if page.Notices, err = p.noticesOf(c, order.ID); err != nil {
			return err
		}
	}
	return p.render(c, status, "order", page)
}

// addDeadline counts down to the deadline by the server's clock.
func (o *orderPage) addDeadline(order app.OrderView) {
	left := max(order.PayBy.Unix()-order.Now.Unix(), 0)
	o.PayBy, o.PayByClock = order.PayBy.Unix(), order.PayBy.Format("15:04")
	if order.PayBy.Second() != 0 {
		o.PayByClock = order.PayBy.Format("15:04:05")
	}
	o.Left = fmt.Sprintf("%02d:%02d", left/60, left%60)
	o.Script, o.ReloadAfter = "countdown.js", left+1
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
var orderWords = map[string]words{
	"lapsed":    {"付款时间已过，场次已释放。如仍需要，请重新预订。", "The time to pay is over and the slots were released. Please book again."},
	"cancelled": {"订单已取消。", "This order was cancelled."},
	"no_show":   {"未到场核销，按爽约处理。如有误请联系前台。", "Nobody checked in, so it counts as a no-show. Ask the desk if this is wrong."},
	"completed": {"订单已完成，谢谢光临。", "This order is completed. Thank you."},
}

func (o *orderPage) addWords(order app.OrderView) {
	if w, ok := orderWords[order.State]; ok {
		o.Explain = &w
	}
	if w, ok := goodsWords[order.GoodsState]; ok && len(order.Goods) > 0 {
		o.GoodsWords = &w
	}
	for _, r := range order.Reservations {
		if r.State == string(domain.Confirmed) {
			from, by := r.CheckInFrom.Format("01-02 15:04"), r.CheckInBy.Format("15:04")
			o.Door = &words{"核销时间 " + from + " – " + by, "Check in between " + from + " and " + by}
			return
		}
	}
}

// lateReasons are why money that came too late could not bring the order back.
var lateReasons = map[string]words{
	"slot_taken":        {"场次已被他人订走", "somebody else has the slot now"},
	"slot_closed":       {"场地已封场", "the court is closed then"},
	"slot_past":         {"场次已开始", "the slot has begun"},
	"out_of_stock":      {"商品已售完", "the goods are sold out"},
	"coupon_used":       {"优惠券已被使用", "the coupon has been used"},
	"coupon_invalid":    {"优惠券已不可用", "the coupon can no longer be used"},
	"already_paid":      {"订单已付过款", "the order had been paid already"},
	"already_cancelled": {"订单已取消", "the order had been cancelled"},
	"price_changed":     {"金额与订单不符", "the amount does not match the order"},
}

func lateWords(late *app.LateMoneyView) *say {
	if late == nil {
		return nil
	}
	switch late.Verdict {
	case "revived":
		return &say{words: words{"付款迟到，但场次仍可用：订单已恢复", "The payment came late, but all was still free: the order is restored"}, Tone: "good"}
	case "refunded":
		why, ok := lateReasons[late.Reason]
		if !ok {
			why = words{"订单已不能恢复", "the order could not be restored"}
		}
		return &say{words: words{"有一笔付款无法使用（" + why.ZH + "），全额退回", "A payment could not be used (" + why.EN + ") and goes back in full"}, Tone: "warn"}
	}
	return &say{words: words{"有一笔付款需要人工核对，请联系前台", "A payment needs a person to look at it; please ask the desk"}, Tone: "warn"}
}

// noticesOf gives a customer's recent notices about one order.
func (p *pages) noticesOf(c *fiber.Ctx, orderID string) ([]app.NoticeView, error) {
	list, err := p.app.Notices(c.UserContext(), httpx.ActorOf(c), app.Page{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Items, func(n app.NoticeView) bool { return n.Order != orderID }), nil
}
