package records

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// auditRow is one act as people read it.
type auditRow struct {
	At      time.Time
	Who     kit.Words
	Role    kit.Words
	What    kit.Words
	Target  kit.Words // what it was done to; may be empty
	Href    string    // where that can be seen; may be empty
	Reason  string
	Details []detail
}

type detail struct{ Name, Value kit.Words }

// names are those of everything that acts speak of.
type names struct {
	orders, courts, goods, staff map[string]string // by id
	zone                         *time.Location
}

// onOrders are the acts whose target is an order.
var onOrders = []string{"book for caller", "mark paid", "cancel order", "check in", "hand over", "undo no-show", "forgive", "goodwill refund"}

// venuePages are where the parts of the set-up are changed.
var venuePages = map[string]string{"import bill": "/owner/bills", "explain difference": "/owner/bills", "change venue": "/owner/venue", "change hours": "/owner/hours", "change price rules": "/owner/prices",
	"change policy": "/owner/policy", "change messages": "/owner/messages", "change channels": "/owner/messages", "change webhooks": "/owner/webhooks",
	"wake channel": "/owner/messages", "close courts": "/owner/closures", "lift closure": "/owner/closures", "change coupon": "/owner/coupons",
	"add staff": "/owner/staff", "change staff": "/owner/staff", "change court": "/owner/courts", "move court": "/owner/courts",
	"change good": "/owner/goods", "move good": "/owner/goods", "stock receipt": "/owner/goods", "stock adjust": "/owner/goods"}

// auditRows puts names in the place of ids.
func auditRows(s *sqlite.Snapshot, list []app.AuditView) ([]auditRow, error) {
	n, err := readNames(s)
	if err != nil {
		return nil, err
	}
	return n.rows(s, list)
}

// rows reads the numbers of the orders that some acts are about and puts names in the
// place of ids.
func (n names) rows(s *sqlite.Snapshot, list []app.AuditView) ([]auditRow, error) {
	orderOf := map[int64]string{} // by the act's id
	for _, a := range list {
		id, err := orderID(s, a)
		if err != nil {
			return nil, err
		}
		if id != "" {
			orderOf[a.ID] = id
		}
	}
	var err error
	if n.orders, err = s.OrderNumbers(slices.Collect(maps.Values(orderOf))); err != nil {
		return nil, err
	}
	var out []auditRow
	for _, a := range list {
		n.zone = a.At.Location()
		row := auditRow{At: a.At, Who: whoOf(a), Role: roles[a.Role], What: actWords(a.Action), Reason: a.Reason, Details: n.details(a)}
		if row.Role == row.Who {
			row.Role = kit.Words{}
		}
		row.Target, row.Href = n.target(a, orderOf[a.ID])
		out = append(out, row)
	}
	return out, nil
}

// orderID is the order that an act was about; empty for other acts.
func orderID(s *sqlite.Snapshot, a app.AuditView) (string, error) {
	if slices.Contains(onOrders, a.Action) {
		return a.Target, nil
	}
	if id, ok := a.Detail["order"].(string); ok {
		return id, nil
	}
	if a.Action != "resend notice" {
		return "", nil
	}
	notice, err := s.Notice(a.Target)
	if refusal := (*domain.Error)(nil); errors.As(err, &refusal) && refusal.Kind == domain.NotFound {
		return "", nil
	}
	return notice.OrderID, err
}

func readNames(s *sqlite.Snapshot) (n names, err error) {
	courts, err := s.Courts()
	if err != nil {
		return n, err
	}
	goods, err := s.Goods()
	if err != nil {
		return n, err
	}
	staff, err := s.AllStaff()
	if err != nil {
		return n, err
	}
	n.courts, n.goods, n.staff = map[string]string{}, map[string]string{}, map[string]string{}
	for _, c := range courts {
		n.courts[c.ID] = c.Name
	}
	for _, g := range goods {
		n.goods[g.ID] = g.Name
	}
	for _, m := range staff {
		n.staff[m.ID] = m.Name
	}
	return n, nil
}

func whoOf(a app.AuditView) kit.Words {
	switch {
	case a.ActorName != "":
		return kit.Words{a.ActorName}
	case a.Actor == "command line":
		return kit.Words{"命令行", "command line"}
	case a.Actor == "" || a.Role == "system":
		return roles["system"]
	}
	return kit.Words{a.Actor}
}

// target names what an act was done to.
func (n names) target(a app.AuditView, order string) (kit.Words, string) {
	if order != "" {
		if number, known := n.orders[order]; known {
			return kit.Words{"订单 " + number, "Order " + number}, "/orders/" + order
		}
		return kit.Words{order}, ""
	}
	if a.Action == "sign in" {
		return kit.Words{}, ""
	}
	href := venuePages[a.Action]
	for _, known := range []map[string]string{n.courts, n.goods, n.staff} {
		if name, ok := known[a.Target]; ok {
			return kit.Words{name}, href
		}
	}
	switch a.Action {
	case "close courts", "lift closure":
		return kit.Words{"封场", "Closure"}, href
	case "explain difference":
		return kit.Words{"对账差异", "Difference"}, href
	case "accept clock":
		return kit.Words{"时钟", "Clock"}, ""
	}
	if words, known := targets[a.Target]; known {
		return words, href
	}
	return kit.Words{a.Target}, href
}

// details tells the particulars of an act in a fixed order; those that are not known
// here by their own names, after the others.
func (n names) details(a app.AuditView) []detail {
	place := func(key string) int {
		if i := slices.Index(detailOrder, key); i >= 0 {
			return i
		}
		return len(detailOrder)
	}
	keys := slices.Sorted(maps.Keys(a.Detail))
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	var out []detail
	for _, key := range keys {
		if key == "changes" {
			out = append(out, changesOf(a.Detail[key])...)
			continue
		}
		name, known := detailNames[key]
		value := n.value(a.Action, key, a.Detail[key])
		switch {
		case known && name == (kit.Words{}) || value == (kit.Words{}):
		case !known && a.Action == "goodwill refund" && key == "more":
			out = append(out, detail{detailNames["amount"], value})
		case !known:
			out = append(out, detail{kit.Words{key}, value})
		default:
			out = append(out, detail{name, value})
		}
	}
	return out
}

// value tells one particular; empty when it says nothing.
func (n names) value(action, key string, v any) kit.Words {
	switch v := v.(type) {
	case nil:
		return kit.Words{}
	case bool:
		return map[bool]kit.Words{true: {"是", "yes"}, false: {"否", "no"}}[v]
	case float64:
		return number(key, int64(v), v, n.zone)
	case string:
		if words, ok := differenceWords[v]; ok && key == "difference_code" {
			return words.What
		}
		for _, words := range []map[string]kit.Words{map[string]map[string]kit.Words{"role": roles, "by": roles, "pay": ways, "source": billSources}[key]} {
			if w, ok := words[v]; ok {
				return w
			}
		}
		if name, ok := n.courts[v]; ok && (key == "court" || key == "from_court") {
			return kit.Words{name}
		}
		return kit.Words{v}
	case []any:
		var zh, en []string
		for _, item := range v {
			if fen, ok := item.(float64); ok && action == "goodwill refund" {
				return kit.Words{yuan(int64(fen))}
			}
			if text, ok := item.(string); ok && action == "undo no-show" && key == "more" {
				_ = text // the id of the row; the order is named
				return kit.Words{}
			}
			w := n.value(action, strings.TrimSuffix(key, "s"), item)
			zh, en = append(zh, w[0]), append(en, w.In(kit.EN))
		}
		return kit.Words{strings.Join(zh, "、"), strings.Join(en, ", ")}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return kit.Words{fmt.Sprint(v)}
	}
	return kit.Words{string(text)}
}

// number tells a number as what it counts: fen, an instant, or pieces.
func number(key string, whole int64, exact float64, zone *time.Location) kit.Words {
	const firstInstant = 1_000_000_000 // numbers below are places and counts
	switch key {
	case "amount", "price":
		return kit.Words{yuan(whole)}
	case "difference":
		if whole > 0 {
			return kit.Words{"+" + yuan(whole)}
		}
		return kit.Words{yuan(whole)}
	case "from", "to", "start", "from_start":
		if whole >= firstInstant {
			return kit.Words{domain.Instant(whole).In(zone).Format("2006-01-02 15:04")}
		}
	}
	if float64(whole) != exact {
		return kit.Words{fmt.Sprint(exact)}
	}
	return kit.Words{fmt.Sprint(whole)}
}
