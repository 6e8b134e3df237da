package notify

import (
	"fmt"
	"strings"
)

// The kinds of notices, as the API and the database name them.
const (
	KindHeld      = "held"
	KindLapsed    = "lapsed"
	KindPaid      = "paid"
	KindReminder  = "reminder"
	KindCancelled = "cancelled"
	KindMoved     = "moved"
	KindRefunded  = "refunded"
	KindLateMoney = "late_money"
	KindNoShow    = "no_show"
	KindClosure   = "closure"
)

// Facts is what a notice is about, as strings ready to be read and amounts in
// fen. A kind uses what it needs; an empty fact is left out of the words.
type Facts struct {
	OrderNumber string
	Slots       []string // such as "12-10 周四 17:30–19:00 1号场"
	SlotsEN     []string
	Goods       []string // such as "羽毛球 一筒 × 2"
	GoodsEN     []string // Goods when empty
	PayBy       string   // wall clock, such as "17:40"
	AtDesk      bool     // what is to be paid can be paid at the desk only

	// AmountFen is what is to be paid (held, and the difference of a move) or
	// was paid (all other kinds).
	AmountFen int64
	// RefundFen is what goes back, or for refunded has gone back.
	RefundFen int64
	// Reason is one of the API's reasons or free words of the venue.
	Reason string
	// Revived says of late money that the order stands again.
	Revived bool

	// Court and Start are the first slot's, and Venue who sends: for templates and own
	// words, which name them one by one.
	Court, Start      string // such as "1号场" and "2026年12月10日 17:30"
	Venue, VenuePhone string

	OldSlot, OldSlotEN string // of a move
	NewSlot, NewSlotEN string
}

// Texts is a notice in the words people read.
type Texts struct {
	Title   string
	Text    string
	TitleEN string
	TextEN  string
}

var renderers = map[string]func(Facts) Texts{
	KindHeld:      held,
	KindLapsed:    lapsed,
	KindPaid:      paid,
	KindReminder:  reminder,
	KindCancelled: cancelled,
	KindMoved:     moved,
	KindRefunded:  refunded,
	KindLateMoney: lateMoney,
	KindNoShow:    noShow,
	KindClosure:   closure,
}

// Render puts a notice into words: what happened, then what to do. A kind that
// does not exist is a defect of the caller and panics.
func Render(kind string, facts Facts) Texts {
	render, ok := renderers[kind]
	if !ok {
		panic("notify: no words for notice kind " + kind)
	}
	return render(facts)
}

// Yuan prints an amount of fen as people write it: ￥60, ￥60.50.
func Yuan(fen int64) string { return "￥" + decimal(fen) }

func yuanEN(fen int64) string { return "¥" + decimal(fen) }

func decimal(fen int64) string {
	sign := ""
	if fen < 0 {
		sign, fen = "-", -fen
	}
	if fen%100 == 0 {
		return fmt.Sprintf("%s%d", sign, fen/100)
	}
	return fmt.Sprintf("%s%d.%02d", sign, fen/100, fen%100)
}

// what lists slots and goods; an order has at least one of them.
func (f Facts) what() string {
	return strings.Join(append(append([]string{}, f.Slots...), f.Goods...), "；")
}

func (f Facts) whatEN() string {
	slots, goods := f.SlotsEN, f.GoodsEN
	if len(slots) == 0 {
		slots = f.Slots
	}
	if len(goods) == 0 {
		goods = f.Goods
	}
	return strings.Join(append(append([]string{}, slots...), goods...), "; ")
}

// reasonWords are the reasons of the API that a customer may be told.
var reasonWords = map[string]struct{ zh, en string }{
	"slot_taken":        {"场次已被他人预订", "the slot has been booked by someone else"},
	"slot_past":         {"场次已经开始", "the slot has already begun"},
	"slot_closed":       {"场地已封场", "the court is closed"},
	"moved_cheaper":     {"已改到较便宜的场次", "it was moved to a cheaper slot"},
	"out_of_stock":      {"商品已售完", "the goods are sold out"},
	"coupon_used":       {"优惠券已被使用", "the coupon has been used"},
	"coupon_invalid":    {"优惠券已失效", "the coupon is no longer valid"},
	"hold_lapsed":       {"订单已失效", "the order has lapsed"},
	"already_cancelled": {"订单已取消", "the order was cancelled"},
	"already_paid":      {"订单此前已付款", "the order had already been paid"},
	"amount_mismatch":   {"金额与订单不符", "the amount does not match the order"},
}

func (f Facts) reason() (zh, en string) {
	if words, ok := reasonWords[f.Reason]; ok {
		return words.zh, words.en
	}
	return f.Reason, f.Reason
}

// sentence gives its format filled with args when cond holds, else nothing.
func sentence(cond bool, format string, args ...any) string {
	if !cond {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
