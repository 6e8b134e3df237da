package customer

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fasthttp"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// choice is what somebody has filled in on the grid, as it came.
type choice struct {
	Date   string
	Slots  []string // court@unixstart
	Goods  []wantedGood
	Coupon string
	Nonce  string  // of the form
	Name   *string // how the customer wants to be called; nil when the form does not ask
	Named  bool    // the form has shown a name
}

type wantedGood struct {
	ID, Raw string
	Qty     int // 0 when Raw is no number
}

// Far more than any order may have: what comes after is not even looked at.
const (
	mostChosenSlots = 4 * domain.MaxSlotsPerOrder
	mostChosenGoods = 4 * domain.MaxGoodsLines
)

// readChoice copies a choice out of a form or an address.
func readChoice(args *fasthttp.Args) choice {
	text := func(name string) string { return strings.Clone(string(args.Peek(name))) }
	ch := choice{Date: text("date"), Coupon: strings.TrimSpace(text("coupon")), Nonce: text("nonce")}
	args.VisitAll(func(key, value []byte) {
		name, raw := string(key), strings.TrimSpace(string(value))
		switch {
		case name == "slot" && len(ch.Slots) < mostChosenSlots && !slices.Contains(ch.Slots, raw):
			ch.Slots = append(ch.Slots, raw)
		case strings.HasPrefix(name, kit.QtyPrefix) && raw != "" && raw != "0" && len(ch.Goods) < mostChosenGoods:
			qty, _ := strconv.Atoi(raw)
			ch.Goods = append(ch.Goods, wantedGood{ID: strings.TrimPrefix(name, kit.QtyPrefix), Raw: raw, Qty: min(max(qty, 0), domain.MaxQty)})
		}
	})
	return ch
}

// readForm is readChoice for the form of the order, which asks for a name too. No
// address does: a name is nobody else's to fill in, and has no place in a log.
func readForm(args *fasthttp.Args) choice {
	ch := readChoice(args)
	if args.Has("name") {
		name := strings.TrimSpace(string(args.Peek("name")))
		ch.Name, ch.Named = &name, args.Has("named")
	}
	return ch
}

// newName is the name that the form gives and whether it is another than the known one.
// A field that was emptied takes the name away; one that was empty from the start, on a
// page from before there was a name, says nothing.
func (ch choice) newName(known string) (name string, another bool, err error) {
	if ch.Name == nil || *ch.Name == known || (*ch.Name == "" && !ch.Named) {
		return "", false, nil
	}
	name, err = domain.ParseNameOrNone("name", *ch.Name)
	return name, err == nil, err
}

// request is the choice as the use case takes it; a field that cannot be read is
// refused by its name.
func (ch choice) request() (app.OrderRequest, error) {
	req := app.OrderRequest{Coupon: ch.Coupon}
	for i, value := range ch.Slots {
		ref, err := app.ParseSlotID(fmt.Sprintf("slots[%d]", i), value)
		if err != nil {
			return req, err
		}
		req.Slots = append(req.Slots, ref)
	}
	for i, good := range ch.Goods {
		qty, err := strconv.Atoi(good.Raw)
		if err != nil || qty < 0 {
			return req, domain.BadField(fmt.Sprintf("goods[%d].qty", i), "must be a number of pieces")
		}
		req.Goods = append(req.Goods, app.GoodRef{ID: good.ID, Qty: qty})
	}
	return req, nil
}

// day is the day to show: the one named, else that of the first slot, else today.
func (ch choice) day(cal domain.Calendar, today domain.Date) (domain.Date, error) {
	if ch.Date == "" {
		if len(ch.Slots) > 0 {
			if ref, err := app.ParseSlotID("slot", ch.Slots[0]); err == nil {
				if _, day, ok := cal.SlotAt(ref.Start); ok {
					return day, nil
				}
			}
		}
		return today, nil
	}
	return kit.DayOf(ch.Date, today)
}

func (ch choice) empty() bool { return len(ch.Slots)+len(ch.Goods) == 0 && ch.Coupon == "" }

func (ch choice) has(slot string) bool { return slices.Contains(ch.Slots, slot) }

// address is the page that shows this choice again.
func (ch choice) address() string {
	query := url.Values{}
	if ch.Date != "" {
		query.Set("date", ch.Date)
	}
	for _, slot := range ch.Slots {
		query.Add("slot", slot)
	}
	for _, good := range ch.Goods {
		query.Add(kit.QtyPrefix+good.ID, good.Raw)
	}
	if ch.Coupon != "" {
		query.Set("coupon", ch.Coupon)
	}
	if len(query) == 0 {
		return "/"
	}
	return "/?" + query.Encode()
}
