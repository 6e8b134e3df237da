package customer

import (
	"fmt"
	"strings"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// whereWrong puts a refusal where it belongs on the grid. Whatever has no place
// of its own is said above it.
type whereWrong struct {
	general *kit.Say
	coupon  *kit.Words
	name    *kit.Words
	slots   map[string]*kit.Words // by court@unixstart
	goods   map[string]*kit.Words // by id
}

// inBasket reports whether something is wrong with the goods, the coupon or the name.
func (w whereWrong) inBasket() bool { return w.coupon != nil || w.name != nil || len(w.goods) > 0 }

// fieldWords are for what a person can fill in wrongly on the grid.
var fieldWords = map[string]kit.Words{
	"slots":  {"请至少选择一个场次或一件商品", "Choose at least one slot or one good"},
	"goods":  {"商品种类过多", "Too many different goods"},
	"coupon": {"优惠码格式不对", "This cannot be a coupon code"},
	"name":   {fmt.Sprintf("姓名最多 %d 个字，不能有看不见的字符", domain.MaxNameChars), fmt.Sprintf("A name has at most %d characters, and none that cannot be seen", domain.MaxNameChars)},
}

// locate finds where on the grid a refusal belongs.
func locate(err error, ch choice, venue sqlite.Venue) whereWrong {
	out := whereWrong{slots: map[string]*kit.Words{}, goods: map[string]*kit.Words{}}
	if err == nil {
		return out
	}
	said := kit.Explain(err, venue.Calendar.Zone)
	out.general = &said
	refusal, ok := domain.AsError(err)
	if !ok {
		return out
	}
	if strings.HasPrefix(refusal.Reason, "coupon_") {
		out.coupon = &kit.Words{said.Words[0], said.Words[1]}
	}
	for _, f := range refusal.Fields {
		var i int
		switch at := &said.Words; {
		case scanIndex(f.Field, "slots", &i) && i < len(ch.Slots):
			if refusal.Reason == "invalid_field" {
				*at = kit.Words{"场次已不存在", "There is no such slot any more"}
			}
			out.slots[ch.Slots[i]] = &kit.Words{at[0], at[1]}
		case scanIndex(f.Field, "goods", &i) && i < len(ch.Goods):
			if refusal.Reason == "invalid_field" {
				*at = kit.Words{"商品数量不对", "This quantity cannot be ordered"}
			}
			out.goods[ch.Goods[i].ID] = &kit.Words{at[0], at[1]}
		case refusal.Reason == "invalid_field":
			if w, known := fieldWords[f.Field]; known {
				*at = w
			}
			if f.Field == "slots" && len(ch.Slots) > domain.MaxSlotsPerOrder {
				*at = kit.Words{fmt.Sprintf("一次最多 %d 个场次", domain.MaxSlotsPerOrder), fmt.Sprintf("At most %d slots at once", domain.MaxSlotsPerOrder)}
			}
			if f.Field == "coupon" {
				out.coupon = &kit.Words{at[0], at[1]}
			}
			if f.Field == "name" {
				out.name = &kit.Words{at[0], at[1]}
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
