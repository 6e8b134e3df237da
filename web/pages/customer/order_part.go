package customer

import (
	"fmt"
	"html/template"
	"slices"

	"courtd/app"
	"courtd/app/pay/wechat"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// orderPart is an order as it is now: the part of its page that keeps itself fresh.
type orderPart struct {
	CSRF        string
	Staff       bool
	Order       app.OrderView
	Explain     *kit.Words
	Late        *kit.Say
	Steps       []kit.Words // what happens next
	Held        bool
	PayBy       int64 // unix seconds
	PayByClock  string
	Whole       int64  // seconds from booking to PayBy
	Left        string // mm:ss, until a script takes over
	LeftShare   string // of Whole, from 0 to 1
	Ways        []way
	Failed      *kit.Say // the latest payment did not succeed
	AtDesk      bool     // has to be paid at the desk
	Elsewhere   bool     // can be paid online, but not in this browser
	MiniProgram bool     // and in the mini-program
	WeChat      *wechatAttempt
	CanCheck    bool   // a payment is open
	Attempt     string // the sandbox payment that is open
	LateAttempt bool   // a sandbox payment could still succeed although the order is over
	QR          template.URL
	CodeGroups  []string
	Door        *kit.Words
	DoorOpen    bool
	Inside      *kit.Words // has been checked in, and when
	GoodsWords  *kit.Words
	CanCancel   bool
	Unheard     bool // the provider did not answer whether money has come
	Calendar    bool
	Again       string // the grid of the day, for whoever wants to book anew
	Board       string // the order's place on the desk's board
	Notices     []app.NoticeView
	AskEmail    bool   // notices could be mailed, and there is no address
	LastAttempt string // to pay in the sandbox, open or not
	// PayNonce names the next attempt by its place, so that a part asked for again is
	// the same bytes and a form sent twice opens one payment.
	PayNonce string
}

func (p *pages) newOrderPart(actor app.Actor, venue sqlite.Venue, order app.OrderView, more behind, on device) orderPart {
	o := orderPart{Order: order, Staff: actor.IsStaff(), Held: order.State == string(domain.Held), Late: lateWords(order.LateMoney),
		CanCheck: more.open != "", CanCancel: slices.Contains(order.Actions, "cancel") && !actor.IsStaff()}
	over := order.State == string(domain.Lapsed) || order.State == string(domain.Cancelled)
	if o.Held && order.PayBy != nil {
		o.addDeadline()
	}
	if o.Held && !o.Staff {
		o.Ways = p.ways(order, on)
		o.AtDesk = len(o.Ways) == 0 && !p.paysOnline()
		o.Elsewhere = len(o.Ways) == 0 && p.paysOnline()
		o.MiniProgram = o.Elsewhere && p.App.SignsInWithWeChat() && slices.Contains(p.App.Vias(), wechat.ViaJSAPI)
		o.Attempt = more.openSandbox
		o.PayNonce = fmt.Sprintf("%s-%d", order.ID, more.attempts+1)
		o.Failed = o.failedWords(more)
	}
	o.LastAttempt = more.unpaidSandbox
	o.LateAttempt = p.Play != nil && !o.Staff && more.unpaidSandbox != "" && over
	o.addDoor()
	o.addWords(more)
	o.addPlaces(venue, over)
	return o
}

// addDeadline counts down to the deadline by the server's clock.
func (o *orderPart) addDeadline() {
	by := *o.Order.PayBy
	left := max(by.Unix()-o.Order.Now.Unix(), 0)
	o.PayBy, o.PayByClock, o.Whole = by.Unix(), by.Format("15:04"), max(by.Unix()-o.Order.BookedAt.Unix(), 1)
	if by.Second() != 0 {
		o.PayByClock = by.Format("15:04:05")
	}
	if by.YearDay() != o.Order.Now.YearDay() {
		o.PayByClock = whenWords(by, o.Order.Now)
	}
	o.Left, o.LeftShare = leftWords(left), fmt.Sprintf("%.4f", min(float64(left)/float64(o.Whole), 1))
}

// leftWords are what is left of a time to pay, as countdown.js says it too; a day or
// more is not worth counting.
func leftWords(seconds int64) string {
	const hour, day = 60 * 60, 24 * 60 * 60
	switch {
	case seconds >= day:
		return ""
	case seconds >= hour:
		return fmt.Sprintf("%d:%02d:%02d", seconds/hour, seconds%hour/60, seconds%60)
	}
	return fmt.Sprintf("%02d:%02d", seconds/60, seconds%60)
}

// ticks are what runs with the clock in this part.
func (o orderPart) ticks() []string {
	if o.PayBy == 0 {
		return nil
	}
	return []string{">" + o.Left + "<", `value="` + o.LeftShare + `"`}
}

// addTicket draws the code for the door. The picture is the use case's and nothing
// but a PNG in a data address.
func (o *orderPart) addTicket() error {
	if o.Order.Ticket == nil {
		return nil
	}
	picture, err := o.Order.Ticket.QR.MarshalText()
	o.QR, o.CodeGroups = template.URL(picture), inFours(o.Order.Ticket.Code)
	return err
}

// inFours cuts a code into groups that can be read out.
func inFours(code string) []string {
	var out []string
	for group := range slices.Chunk([]byte(code), 4) {
		out = append(out, string(group))
	}
	return out
}

// addPlaces are the ways on from here.
func (o *orderPart) addPlaces(venue sqlite.Venue, over bool) {
	o.Calendar = o.Order.State == string(domain.Paid) && len(o.Order.Reservations) > 0
	o.Board = "/desk"
	if over {
		o.Again = "/"
	}
	if len(o.Order.Reservations) == 0 {
		return
	}
	first := o.Order.Reservations[0]
	start := domain.InstantOf(first.Start)
	day := venue.Calendar.DayOf(start)
	o.Board = fmt.Sprintf("/desk?date=%s&slot=%s@%d", day, first.Court.ID, start)
	if over && first.Start.After(o.Order.Now) {
		o.Again = "/?date=" + day.String()
	}
}
