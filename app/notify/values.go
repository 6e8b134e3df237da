package notify

import "strings"

// Values gives the facts by the names that own words and templates use; see
// domain.Placeholders. What is not there is left out.
func (f Facts) Values() map[string]string {
	reason, _ := f.reason()
	values := map[string]string{
		"number": f.OrderNumber, "slots": strings.Join(f.Slots, "；"), "goods": strings.Join(f.Goods, "；"),
		"pay_by": f.PayBy, "reason": reason, "old_slot": f.OldSlot, "new_slot": f.NewSlot,
		"court": f.Court, "start": f.Start, "venue": f.Venue, "venue_phone": f.VenuePhone,
	}
	if len(f.Slots) > 0 {
		values["first_slot"] = f.Slots[0]
	}
	if f.AmountFen > 0 {
		values["amount"] = Yuan(f.AmountFen)
	}
	if f.RefundFen > 0 {
		values["refund"] = Yuan(f.RefundFen)
	}
	for name, text := range values {
		if text == "" {
			delete(values, name)
		}
	}
	return values
}
