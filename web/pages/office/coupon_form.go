package office

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// couponForm are the fields of a coupon.
type couponForm struct {
	ID                    string
	Code, Name            kit.Field
	Percent               bool // what the value means
	Value, MinTotal       kit.Field
	ValidFrom, ValidUntil kit.Field
	MaxUses, MaxPerPerson kit.Field
}

// couponNames are the fields of a coupon by the names that they have in the form.
var couponNames = []string{"percent", "value", "amount_fen", "value", "min_total_fen", "min_total", "max_uses_per_customer", "max_per_person"}

func couponFormOf(c *fiber.Ctx, name string, back *refused, kept map[string]string) (couponForm, kit.Trouble) {
	s := sheetOf(c, name, back, kept)
	f := couponForm{ID: name, Percent: s.Value("kind") == "percent"}
	f.Code = s.Draw(kit.Field{Name: "code", Label: kit.Words{"优惠码", "Code"}, Most: 2 * domain.MaxCouponCodeChars, Required: true,
		Hint: kit.Words{"顾客输入的内容：字母、数字、- 和 _，不分大小写。添加后不能改。", "What customers type: letters, digits, - and _, in capitals or not. It cannot be changed later."}})
	f.Name = s.Draw(kit.Field{Name: "name", Label: kit.Words{"名称", "Name"}, Most: 2 * domain.MaxNameChars, Required: true,
		Hint: kit.Words{"给自己看的，例如“双十二”。", "For yourself, such as “Christmas”."}})
	f.Value = s.Draw(kit.Field{Name: "value", Label: kit.Words{"减多少", "How much off"}, Mode: "decimal", Most: 12, Required: true,
		Hint: kit.Words{"金额填元；折扣填减去的百分比：10 就是 9 折。", "An amount in yuan, or the share that comes off: 10 is 10% off."}})
	f.MinTotal = s.Draw(kit.Field{Name: "min_total", Label: kit.Words{"满多少可用", "From a total of"}, Unit: kit.Words{"元", "yuan"}, Mode: "decimal", Most: 12,
		Hint: kit.Words{"不填：不限。", "Empty: any total."}})
	f.ValidFrom = s.Draw(kit.Field{Name: "valid_from", Label: kit.Words{"开始日期", "First day"}, Kind: "date", Hint: kit.Words{"不填：马上开始。", "Empty: at once."}})
	f.ValidUntil = s.Draw(kit.Field{Name: "valid_until", Label: kit.Words{"最后一天（含当天）", "Last day (included)"}, Kind: "date", Hint: kit.Words{"不填：一直有效。", "Empty: for ever."}})
	f.MaxUses = s.Draw(kit.Field{Name: "max_uses", Label: kit.Words{"总次数", "Uses in all"}, Mode: "numeric", Most: 8, Hint: kit.Words{"不填：不限。", "Empty: no limit."}})
	f.MaxPerPerson = s.Draw(kit.Field{Name: "max_per_person", Label: kit.Words{"每人次数", "Uses per customer"}, Mode: "numeric", Most: 8, Hint: kit.Words{"不填：不限。", "Empty: no limit."}})
	return f, told(back, s)
}

// coupon reads the form into a coupon. A day that is shown for an instant which is no
// midnight leaves that instant as it is.
func (r *reader) coupon(c *domain.Coupon, cal domain.Calendar) {
	before := keptCoupon(*c, cal)
	c.Name = kit.Sent(r.c, "name")
	if name, err := domain.ParseName("name", c.Name); err == nil {
		c.Name = name
	}
	c.Percent, c.AmountFen = 0, 0
	switch kit.Sent(r.c, "kind") {
	case "percent":
		c.Percent = r.whole("value", 1, 100, 0)
	default:
		if c.AmountFen = r.yuan("value", true); c.AmountFen == 0 && r.wrong["value"] == nil {
			r.refuse(domain.BadField("value", "must be positive"))
		}
	}
	c.MinTotalFen = r.yuan("min_total", false)
	if from := r.day("valid_from", false); from.String() != before["valid_from"] {
		c.ValidFrom = 0
		if !from.IsZero() {
			c.ValidFrom = cal.Wall(from, 0)
		}
	}
	if until := r.day("valid_until", false); until.String() != before["valid_until"] {
		c.ValidUntil = 0
		if !until.IsZero() {
			c.ValidUntil = cal.Wall(until.AddDays(1), 0)
		}
	}
	c.MaxUses = r.whole("max_uses", 0, domain.MaxCouponUses, 0)
	c.MaxUsesPerCustomer = r.whole("max_per_person", 0, domain.MaxCouponUses, 0)
	if c.Code != "" {
		r.refuse(c.Validate(), couponNames...)
	}
}

// keptCoupon is what the form shows of a coupon as it is.
func keptCoupon(c domain.Coupon, cal domain.Calendar) map[string]string {
	out := map[string]string{"code": c.Code, "name": c.Name, "kind": "amount", "value": kit.Yuan(c.AmountFen)}
	if c.Percent > 0 {
		out["kind"], out["value"] = "percent", strconv.Itoa(c.Percent)
	}
	if c.MinTotalFen > 0 {
		out["min_total"] = kit.Yuan(c.MinTotalFen)
	}
	if c.ValidFrom.IsSet() {
		out["valid_from"] = cal.LocalDate(c.ValidFrom).String()
	}
	if c.ValidUntil.IsSet() {
		out["valid_until"] = lastDay(c, cal).String()
	}
	for name, n := range map[string]int{"max_uses": c.MaxUses, "max_per_person": c.MaxUsesPerCustomer} {
		if n > 0 {
			out[name] = strconv.Itoa(n)
		}
	}
	return out
}
