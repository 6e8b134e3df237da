package desk

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// bookForm books a slot for a caller or for somebody at the counter.
type bookForm struct {
	Slot               string
	Price, Sum         int64 // fen: of the slot, and what the form says it all costs
	More               []moreSlot
	Goods              []bookGood
	Pays               []payChoice
	MoreOpen           bool // goods or a coupon were filled in
	Most               int
	Back, CSRF, Nonce  string
	Filled             filled
	NameMax, CouponMax int
}

// moreSlot is one of the slots that follow on the same court.
type moreSlot struct {
	Value, Label string
	Price        int64
	Checked      bool
	Wrong        *kit.Words
}

type bookGood struct {
	ID, Name, Value string
	Price           int64
	Available, Most int
	Wrong           *kit.Words
}

type payChoice struct {
	Value   string
	Words   kit.Words
	Checked bool
}

const actBook = "book"

// bookFormOf prepares the form for a slot that can be sold, with what was filled in
// before it was refused.
func (p *pages) bookFormOf(c *fiber.Ctx, at spot, court app.BoardCourt, i int, f filled) (*bookForm, error) {
	slot := court.Slots[i]
	form := &bookForm{Slot: slot.ID, Price: slot.Price, Sum: slot.Price, Most: domain.MaxSlotsPerOrder, Back: at.open(at.Slot).address("/desk"),
		CSRF: httpx.CSRFToken(c), Nonce: kit.Nonce(c), Filled: f, NameMax: domain.MaxNameChars, CouponMax: domain.MaxCouponCodeChars}
	sent := f.values["slot"]
	for _, next := range court.Slots[i+1:] {
		if !next.Sellable || len(form.More) == domain.MaxSlotsPerOrder-1 {
			break // what follows without a gap
		}
		more := moreSlot{Value: next.ID, Label: next.Label + "–" + next.End.Format("15:04"), Price: next.Price, Checked: f.Has(actBook, "slot", next.ID)}
		if n := slices.Index(sent, next.ID); n >= 0 {
			more.Wrong = f.Wrong(actBook, fmt.Sprintf("slots[%d]", n))
		}
		if more.Checked {
			form.Sum += next.Price
		}
		form.More = append(form.More, more)
	}
	form.addPays(f, domain.InstantOf(slot.Start) <= at.asked)
	err := p.addGoods(c, form, f)
	if f.Is(actBook) && f.amount != nil {
		form.Sum = *f.amount // with what the coupon takes off
	}
	return form, err
}

// addPays offers the ways to pay; what has begun is sold for cash.
func (b *bookForm) addPays(f filled, begun bool) {
	b.Pays = []payChoice{{Value: "cash", Words: kit.Words{"现金", "Cash"}}}
	chosen := f.Value(actBook, "pay")
	if !begun {
		b.Pays = append([]payChoice{{Value: "on_arrival", Words: kit.Words{"到场付", "On arrival"}}}, b.Pays...)
		b.Pays = append(b.Pays, payChoice{Value: "online", Words: kit.Words{"顾客网上付", "Customer pays online"}})
	}
	if !slices.ContainsFunc(b.Pays, func(p payChoice) bool { return p.Value == chosen }) {
		chosen = b.Pays[0].Value
	}
	for i := range b.Pays {
		b.Pays[i].Checked = b.Pays[i].Value == chosen
	}
}

func (p *pages) addGoods(c *fiber.Ctx, form *bookForm, f filled) error {
	var goods []sqlite.Good
	err := p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) (err error) {
		goods, err = s.Goods()
		return err
	})
	wanted := wantedGoods(f.values)
	for _, g := range goods {
		if !g.Active {
			continue
		}
		row := bookGood{ID: g.ID, Name: g.Name, Price: g.PriceFen, Available: g.Available(), Value: f.Value(actBook, kit.QtyPrefix+g.ID),
			Most: min(max(g.Available(), 0), domain.MaxQty)}
		for i, w := range wanted {
			if w.id == g.ID {
				form.MoreOpen = true
				form.Sum += g.PriceFen * int64(min(max(w.qty, 0), domain.MaxQty))
				for _, field := range []string{fmt.Sprintf("goods[%d]", i), fmt.Sprintf("goods[%d].qty", i)} {
					if wrong := f.Wrong(actBook, field); wrong != nil {
						row.Wrong = wrong
					}
				}
			}
		}
		form.Goods = append(form.Goods, row)
	}
	form.MoreOpen = form.MoreOpen || f.Value(actBook, "coupon") != ""
	return err
}

// wantedGood is a field for pieces of a good that is not empty or 0. qty is -1 when
// it is no number.
type wantedGood struct {
	id  string
	qty int
}

func wantedGoods(values map[string][]string) []wantedGood {
	var out []wantedGood
	for name, sent := range values {
		id, is := strings.CutPrefix(name, kit.QtyPrefix)
		raw := strings.TrimSpace(sent[0])
		if !is || raw == "" || raw == "0" {
			continue
		}
		qty, err := strconv.Atoi(raw)
		if err != nil {
			qty = -1
		}
		out = append(out, wantedGood{id, qty})
	}
	slices.SortFunc(out, func(a, b wantedGood) int { return strings.Compare(a.id, b.id) })
	return out
}

// bookForCaller books for somebody who calls or stands at the counter.
func (p *pages) bookForCaller(c *fiber.Ctx) error {
	f := read(c, actBook)
	req := app.OrderRequest{Coupon: strings.TrimSpace(f.Value(actBook, "coupon"))}
	for i, value := range f.values["slot"] {
		if i >= 4*domain.MaxSlotsPerOrder {
			break // far more than any order may have
		}
		ref, err := app.ParseSlotID(fmt.Sprintf("slots[%d]", i), value)
		if err != nil {
			return p.refuse(c, f, err)
		}
		req.Slots = append(req.Slots, ref)
	}
	for _, good := range wantedGoods(f.values) {
		req.Goods = append(req.Goods, app.GoodRef{ID: good.id, Qty: good.qty})
	}
	who := app.Caller{Name: f.Value(actBook, "name"), Phone: strings.TrimSpace(f.Value(actBook, "phone"))}
	order, _, err := p.App.DeskOrder(c.UserContext(), httpx.ActorOf(c), req, who, f.Value(actBook, "pay"), keyOf(c, actBook), agreedTo(f, actBook, "shown"))
	if err != nil {
		return p.refuse(c, f, err)
	}
	if len(order.Reservations) == 0 {
		return kit.Done(c, "/desk/orders/"+order.ID, "booked")
	}
	first := order.Reservations[0]
	return kit.Done(c, place{Date: f.date(c), Slot: slotText(first.Court.ID, first.Start)}.address("/desk"), "booked")
}

// date is the day of the board that a form stood on.
func (f filled) date(c *fiber.Ctx) string {
	at, _ := backOf(c)
	return at.Date
}
