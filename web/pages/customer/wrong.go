package pages

import (
	"fmt"
	"strings"

	"courtd/domain"
	"courtd/sqlite"
)

// whereWrong puts a refusal where it belongs on the grid. Whatever has no place
// of its own is said above it.
type whereWrong struct {
	general *say
	coupon  *words
	slots   map[string]*words // by court@unixstart
	goods   map[string]*words // by id
}

// fieldWords are for what a person can fill in wrongly on the grid.
var fieldWords = map[string]words{
	"slots":  {"请至少选择一个场次或一件商品", "Choose at least one slot or one good"},
	"goods":  {"商品种类过多", "Too many different goods"},
	"coupon": {"优惠码格式不对", "This cannot be a coupon code"},
}

// locate finds where on the grid a refusal belongs.
func locate(err error, ch choice, venue sqlite.Venue) whereWrong {
	out := whereWrong{slots: map[string]*words{}, goods: map[string]*words{}}
	if err == nil {
		return out
	}
	said := explain(err, venue.Calendar.Zone)
	out.general = &said
	refusal, ok := domain.AsError(err)
	if !ok {
		return out
	}
	if strings.HasPrefix(refusal.Reason, "coupon_") {
		out.coupon = &words{said.ZH, said.EN}
	}
	for _, f := range refusal.Fields {
		var i int
		switch at := &said.words; {
		case scanIndex(f.Field, "slots", &i) && i < len(ch.Slots):
			if refusal.Reason == "invalid_field" {
				*at = words{"场次已不存在", "There is no such slot any more"}
			}
			out.slots[ch.Slots[i]] = &words{at.ZH, at.EN}
		case scanIndex(f.Field, "goods", &i) && i < len(ch.Goods):
			if refusal.Reason == "invalid_field" {
				*at = words{"商品数量不对", "This quantity cannot be ordered"}
			}
			out.goods[ch.Goods[i].ID] = &words{at.ZH, at.EN}
		case refusal.Reason == "invalid_field":
			if w, known := fieldWords[f.Field]; known {
				*at = w
			}
			if f.Field == "slots" && len(ch.Slots) > domain.MaxSlotsPerOrder {
				*at = words{fmt.Sprintf("一次最多 %d 个场次", domain.MaxSlotsPerOrder), fmt.Sprintf("At most %d slots at once", domain.MaxSlotsPerOrder)}
			}
			if f.Field == "coupon" {
				out.coupon = &words{at.ZH, at.EN}
			}
		}
	}
	return out
}

// scanIndex reads the place in a list from a field such as "slots[3].start".
func scanIndex(field, list string, i *int) bool {
	_, err := fmt.Sscanf(field, list+"[%d]", i)
	return err == nil && *i >= 0
}
