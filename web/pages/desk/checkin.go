package desk

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// answer is what the desk shows, large, after a scan.
type answer struct {
	Result                    string
	OK                        bool
	Words                     kit.Words
	More                      []kit.Words
	Slots                     []kit.Words
	Goods                     []app.LineView
	OrderID, Number, Customer string
}

// resultWords say each result of a scan.
var resultWords = map[string]kit.Words{
	"ok":          {"请进", "Welcome in"},
	"already_in":  {"已经核销过", "Already checked in"},
	"wrong_day":   {"不是今天的场次", "Not for today"},
	"too_early":   {"还没到核销时间", "Too early"},
	"too_late":    {"已过核销时间", "Too late"},
	"unknown":     {"没有这个核销码", "No such ticket"},
	"not_paid":    {"订单未付款", "The order has not been paid"},
	"lapsed":      {"订单已失效（未按时付款）", "The order lapsed unpaid"},
	"cancelled":   {"订单已取消", "The order was cancelled"},
	"handed_over": {"商品已领取", "The goods were handed over before"},
}

// checkIn judges a ticket and shows the answer above the field for the next one.
// The form's nonce makes a form that is sent twice one scan.
func (p *pages) checkIn(c *fiber.Ctx) error {
	actor := httpx.ActorOf(c)
	result, err := p.App.CheckIn(c.UserContext(), actor, c.FormValue("code"), c.FormValue("nonce"))
	if refusal, ok := domain.AsError(err); ok && refusal.Kind == domain.Invalid {
		said := kit.Say{Words: kit.Words{"请扫码或输入核销码", "Scan or type a ticket code"}, Tone: "bad"}
		return p.drawDesk(c, httpx.Status(refusal.Kind), nil, &said)
	}
	if err != nil {
		return err
	}
	said := answerOf(result)
	if result.Order != nil && len(result.Reservations) == 0 {
		// Say what the ticket is for; the answer stands without it.
		if order, err := p.App.Order(c.UserContext(), actor, result.Order.ID); err == nil {
			said.addSlots(order.Reservations)
		}
	}
	return p.drawDesk(c, http.StatusOK, &said, nil)
}

func answerOf(r app.ScanResult) answer {
	out := answer{Result: r.Result, OK: r.Result == "ok", Words: resultWords[r.Result], Goods: r.GoodsOut}
	if r.Order != nil {
		out.OrderID, out.Number, out.Customer = r.Order.ID, r.Order.Number, r.Order.Customer
	}
	if out.OK && len(r.Reservations) == 0 {
		out.Words = kit.Words{"交付商品", "Hand over the goods"}
	}
	if r.Result == "already_in" {
		if len(r.Reservations) == 0 {
			out.Words = resultWords["handed_over"]
		}
		if r.CheckedInAt != nil {
			at := r.CheckedInAt.Format("15:04:05")
			out.More = append(out.More, kit.Words{"核销时间 " + at, "checked in at " + at})
		}
	}
	if r.OpensAt != nil {
		at := r.OpensAt.Format("15:04")
		out.More = append(out.More, kit.Words{at + " 起可核销", "from " + at})
	}
	out.addSlots(r.Reservations)
	return out
}

func (a *answer) addSlots(reservations []app.ReservationView) {
	for _, r := range reservations {
		a.Slots = append(a.Slots, kit.Words{r.Label, r.LabelEN})
	}
}
