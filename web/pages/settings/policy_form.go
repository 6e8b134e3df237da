package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// number is one whole number of the policy.
type number struct {
	name  string // as the API has it
	label kit.Words
	unit  kit.Words
	hint  kit.Words
	of    func(*domain.Policy) *int
}

// policyGroup is what belongs together of the policy.
type policyGroup struct {
	title   kit.Words
	numbers []number
	opensAt bool // and when the last day opens
	ladder  bool // and the steps of the refund
}

var (
	minutes = kit.Words{"分钟", "minutes"}
	percent = kit.Words{"%", "%"}
	days    = kit.Words{"天", "days"}
)

var policyGroups = []policyGroup{
	{title: kit.Words{"付款", "Paying"}, numbers: []number{
		{"hold_minutes", kit.Words{"有场次的订单，保留多久等付款", "How long an order with slots waits for payment"}, minutes, kit.Words{}, func(p *domain.Policy) *int { return &p.HoldMinutes }},
		{"goods_hold_minutes", kit.Words{"只买商品的订单，保留多久", "How long an order of goods alone waits"}, minutes, kit.Words{}, func(p *domain.Policy) *int { return &p.GoodsHoldMinutes }},
		{"max_live_orders", kit.Words{"每人同时最多几张未付款订单", "Unpaid orders of one customer at once"}, kit.Words{"张", "orders"}, kit.Words{}, func(p *domain.Policy) *int { return &p.MaxLiveOrders }},
	}},
	{title: kit.Words{"什么时候可以订", "When people may book"}, opensAt: true, numbers: []number{
		{"days_ahead", kit.Words{"提前几天开放", "Days ahead that are open"}, days, kit.Words{"6 就是今天和之后 6 天", "6 is today and six days more"}, func(p *domain.Policy) *int { return &p.DaysAhead }},
		{"sale_ends_before_minutes", kit.Words{"开场前多久停止网上售卖", "Online sale ends before the start"}, minutes, kit.Words{"之后只有前台能卖", "After that only the desk sells"}, func(p *domain.Policy) *int { return &p.SaleEndsBeforeMinutes }},
		{"max_slots_per_day", kit.Words{"每人每天最多几场", "Slots of one customer on a day"}, kit.Words{"场", "slots"}, kit.Words{}, func(p *domain.Policy) *int { return &p.MaxSlotsPerDay }},
	}},
	{title: kit.Words{"入场", "The door"}, numbers: []number{
		{"check_in_before_minutes", kit.Words{"开场前多久可以核销", "The door opens before the start"}, minutes, kit.Words{}, func(p *domain.Policy) *int { return &p.CheckInBeforeMinutes }},
		{"release_after_minutes", kit.Words{"开场后多久没到就放出", "Given up after the start, if nobody has come"}, minutes, kit.Words{"0：一直留到散场", "0: kept until the end of the slot"}, func(p *domain.Policy) *int { return &p.ReleaseAfterMinutes }},
		{"reminder_before_minutes", kit.Words{"开场前多久提醒", "Reminder before the start"}, minutes, kit.Words{"0：不提醒", "0: no reminder"}, func(p *domain.Policy) *int { return &p.ReminderBeforeMinutes }},
	}},
	{title: kit.Words{"退款", "Refunds"}, ladder: true, numbers: []number{
		{"no_show_refund_percent", kit.Words{"没来的退多少", "Given back to those who do not come"}, percent, kit.Words{}, func(p *domain.Policy) *int { return &p.NoShowRefundPercent }},
	}},
	{title: kit.Words{"爽约", "No-shows"}, numbers: []number{
		{"strikes", kit.Words{"爽约几次就暂停订场", "No-shows that stop booking"}, kit.Words{"次", "times"}, kit.Words{"0：从不暂停", "0: never"}, func(p *domain.Policy) *int { return &p.Strikes }},
		{"strike_days", kit.Words{"爽约记多久", "How long a no-show counts"}, days, kit.Words{}, func(p *domain.Policy) *int { return &p.StrikeDays }},
	}},
}

// blankSteps is how many empty steps of the ladder a form offers.
const blankSteps = 2

// valuesOfPolicy are the fields of the form: ladder.N.hours and ladder.N.percent are its steps.
func valuesOfPolicy(p domain.Policy) map[string]string {
	out := map[string]string{"opens_at": p.OpensAt.String()}
	for _, g := range policyGroups {
		for _, n := range g.numbers {
			out[n.name] = strconv.Itoa(*n.of(&p))
		}
	}
	for i, step := range p.RefundLadder {
		out[fmt.Sprintf("ladder.%d.hours", i)], out[fmt.Sprintf("ladder.%d.percent", i)] = strconv.Itoa(step.HoursBefore), strconv.Itoa(step.Percent)
	}
	return out
}

// readPolicy makes a policy of what was typed. The steps of the ladder may be typed in
// any order. A refusal names the form's own fields.
func readPolicy(value func(string) string) (domain.Policy, error) {
	var p domain.Policy
	var bad []error
	var err error
	for _, g := range policyGroups {
		for _, n := range g.numbers {
			*n.of(&p), err = numberOf(n.name, value(n.name))
			bad = append(bad, err)
		}
	}
	p.OpensAt, err = clockOf("opens_at", value("opens_at"))
	bad = append(bad, err)
	type step struct {
		domain.RefundStep
		at string
	}
	var steps []step
	for i := range domain.MaxRefundSteps + blankSteps {
		at := fmt.Sprintf("ladder.%d", i)
		if plain(value(at+".hours")+value(at+".percent")) == "" {
			continue
		}
		s := step{at: at}
		s.HoursBefore, err = numberOf(at+".hours", value(at+".hours"))
		bad = append(bad, err)
		s.Percent, err = numberOf(at+".percent", value(at+".percent"))
		steps, bad = append(steps, s), append(bad, err)
	}
	if err := domain.Together(bad...); err != nil {
		return p, err
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(b.HoursBefore, a.HoursBefore) })
	p.RefundLadder = domain.RefundLadder{}
	for _, s := range steps {
		p.RefundLadder = append(p.RefundLadder, s.RefundStep)
	}
	return p, named(p.Validate(), func(name string) string {
		for i, s := range steps {
			if rest, ok := strings.CutPrefix(name, fmt.Sprintf("refund_ladder[%d].", i)); ok {
				return s.at + "." + strings.TrimSuffix(rest, "_before")
			}
		}
		return name
	})
}

// policyLines say where two policies differ, the second being somebody else's.
func policyLines(theirs domain.Policy, mine func(string) string) []kit.Words {
	var out []kit.Words
	for _, g := range policyGroups {
		for _, n := range g.numbers {
			if is := strconv.Itoa(*n.of(&theirs)); is != plain(mine(n.name)) {
				out = append(out, kit.Words{fmt.Sprintf("%s：%s %s", n.label[0], is, n.unit[0]), fmt.Sprintf("%s: %s %s", n.label[1], is, n.unit[1])})
			}
		}
	}
	if is := theirs.OpensAt.String(); is != plain(mine("opens_at")) {
		out = append(out, kit.Words{"最后一天几点开放：" + is, "When the last of those days opens: " + is})
	}
	if typed, err := readPolicy(mine); err != nil || !slices.Equal(typed.RefundLadder, theirs.RefundLadder) {
		var steps []string
		for _, s := range theirs.RefundLadder {
			steps = append(steps, fmt.Sprintf("%d h → %d %%", s.HoursBefore, s.Percent))
		}
		ladder := strings.Join(steps, " · ")
		out = append(out, kit.Words{"按取消的早晚退款：" + ladder, "Refund by how early one cancels: " + ladder})
	}
	return out
}
