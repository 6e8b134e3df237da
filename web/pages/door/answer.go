package door

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// answer is what the desk shows, large, after a scan.
type answer struct {
	Result                    string
	OK                        bool
	At                        string // when it was scanned
	Words                     kit.Words
	Why                       []kit.Words // the times that decided, and what to do
	Slots                     []kit.Words
	Goods                     []app.LineView
	OrderID, Number, Customer string
}

// resultWords say each result of a scan.
var resultWords = map[string]kit.Words{
	"ok":         {"请进", "Welcome in"},
	"already_in": {"已经核销过", "Already checked in"},
	"wrong_day":  {"不是今天的场次", "Not for today"},
	"too_early":  {"还没到核销时间", "Too early"},
	"too_late":   {"已过核销时间", "Too late"},
	"unknown":    {"没有这个核销码", "No such ticket"},
	"not_paid":   {"订单未付款", "The order has not been paid"},
	"lapsed":     {"订单已失效（未按时付款）", "The order lapsed unpaid"},
	"cancelled":  {"订单已取消", "The order was cancelled"},
}

var (
	goodsOut    = kit.Words{"交付商品", "Hand over the goods"}
	handedOver  = kit.Words{"商品已领取", "The goods were handed over before"}
	noTicket    = kit.Words{"这不是本馆的核销码：请扫订单页上的二维码，或输入它下面的字母和数字", "This is not a ticket of this venue: scan the code on the order's page, or type what is written below it"}
	maybeMoved  = kit.Words{"改期后旧码作废：请顾客打开订单页出示新码", "A move voids the old code: ask for the code on the order's page"}
	payAtDesk   = kit.Words{"请先收款", "Take the payment first"}
	undoNoShows = kit.Words{"如需放行，请在看板上撤销爽约", "To let them in all the same, undo the no-show on the board"}
)

// answerOf puts the result of a scan into words. When nobody was let in it looks the
// order up, to say what the ticket is for.
func (p *pages) answerOf(c *fiber.Ctx, code string, r app.ScanResult) (answer, error) {
	out := answer{Result: r.Result, OK: r.Result == "ok", At: r.At.Format("15:04:05"), Words: resultWords[r.Result], Goods: r.GoodsOut}
	if r.Order == nil {
		out.Why = []kit.Words{noTicket}
		if domain.CanBeTicketCode(code) {
			out.Why = []kit.Words{maybeMoved}
		}
		return out, nil
	}
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return out, err
	}
	out.OrderID, out.Number, out.Customer = r.Order.ID, r.Order.Number, r.Order.Customer
	if len(r.Reservations) == 0 {
		out.Words = ofGoods(r.Result, out.Words)
	}
	out.Why = whyOf(r)
	slots := r.Reservations
	if len(slots) == 0 {
		order, err := p.App.Order(c.UserContext(), httpx.ActorOf(c), r.Order.ID)
		if err != nil {
			return out, err
		}
		slots = order.Reservations
		if r.Result == "not_paid" {
			out.Why = append(out.Why, kit.Words{payAtDesk[0] + " " + notify.Yuan(order.Due), payAtDesk[1] + ": " + notify.Yuan(order.Due)})
		}
	}
	if r.Result == "wrong_day" {
		slots = slices.DeleteFunc(slots, func(s app.ReservationView) bool { return s.State == string(domain.Cancelled) })
		out.Why = append(out.Why, daysOf(venue, r.At, slots)...)
	}
	for _, s := range slots {
		out.Slots = append(out.Slots, kit.Words{s.Label, s.LabelEN})
	}
	return out, nil
}

// ofGoods are the words for an order without slots.
func ofGoods(result string, otherwise kit.Words) kit.Words {
	switch result {
	case "ok":
		return goodsOut
	case "already_in":
		return handedOver
	}
	return otherwise
}

// whyOf gives the times that decided.
func whyOf(r app.ScanResult) []kit.Words {
	switch {
	case r.Result == "already_in" && r.CheckedInAt != nil:
		at := clockOn(*r.CheckedInAt, r.At, "15:04:05")
		if len(r.Reservations) == 0 {
			return []kit.Words{{"已于 " + at + " 领取", "handed over at " + at}}
		}
		return []kit.Words{{"已于 " + at + " 入场", "came in at " + at}}
	case r.OpensAt != nil:
		at := r.OpensAt.Format("15:04")
		return []kit.Words{{at + " 起可核销", "from " + at}}
	case r.Result == "too_late" && len(r.Reservations) > 0:
		by := r.Reservations[len(r.Reservations)-1].CheckInBy.Format("15:04")
		return []kit.Words{{"核销截止 " + by, "it was possible until " + by}, undoNoShows}
	}
	return nil
}

// clockOn writes a time of day, with the date unless it is the same day's.
func clockOn(at, seen time.Time, layout string) string {
	if at.Format(time.DateOnly) != seen.Format(time.DateOnly) {
		layout = "01-02 " + layout
	}
	return at.Format(layout)
}

// daysOf names the business days of slots.
func daysOf(venue sqlite.Venue, at time.Time, slots []app.ReservationView) []kit.Words {
	today := venue.Calendar.DayOf(domain.InstantOf(at))
	var out []kit.Words
	for _, s := range slots {
		day := kit.DayWords(venue.Calendar.DayOf(domain.InstantOf(s.Start)), today)
		words := kit.Words{"场次在 " + day[0], "It is for " + day[1]}
		if !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	return out
}
