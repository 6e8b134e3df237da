package customer_test

import (
	"html"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// Why a coupon is of no use is told apart, where the price is asked for and where the
// order is refused.
func TestACouponSaysWhyNot(t *testing.T) {
	k := clubtest.Open(t, true)
	now := clubtest.At(t, clubtest.Opening)
	for _, c := range []domain.Coupon{
		{Code: "OVER", ValidUntil: now, Active: true},
		{Code: "SOON", ValidFrom: now + 3600, Active: true},
		{Code: "BIG", MinTotalFen: 10050, Active: true},
		{Code: "OFF"},
		{Code: "ALLGONE", MaxUses: 1, Active: true},
	} {
		c.Name, c.Percent = c.Code, 10
		clubtest.Must(t, k.DB.Write(t.Context(), func(tx *sqlite.Tx) error { return tx.PutCoupon(c) }))
	}
	b, other := k.Customer("13800138000"), k.Customer("13900139000")
	other.Book("slot", clubtest.Slot(t, "c4", "17:30"), "coupon", "ALLGONE")
	b.Pay(b.Book("slot", clubtest.Slot(t, "c5", "17:30"), "coupon", "NEW10"))
	slot := clubtest.Slot(t, "c1", "17:30")
	for code, words := range map[string][2]string{
		"NOSUCH":  {"没有这个优惠码，请检查是否输错", "There is no such coupon"},
		"over":    {"优惠券已过期（2026-12-10 10:00 止）", "no longer valid (until 2026-12-10 10:00)"},
		"SOON":    {"优惠券还没到使用时间（2026-12-10 11:00 起）", "not valid yet (from 2026-12-10 11:00)"},
		"BIG":     {"订单金额不够，不能用这张优惠券（满 ￥100.50 可用）", "too small for the coupon (for ¥100.50 or more)"},
		"OFF":     {"优惠券已停用", "withdrawn"},
		"ALLGONE": {"优惠券已被用完", "has been used up"},
		"NEW10":   {"这张优惠券每人限用，您已经用过", "limited for each customer"},
	} {
		b.Get("/?lang=zh")
		b.Post("/quote", "slot", slot, "coupon", code).Want(200).Says("合计 ￥60", words[0]).Has(`data-wrong-of="coupon">` + words[0])
		b.Post("/orders", "slot", slot, "coupon", code).Want(409).Says(words[0]).Has(`value="` + code + `"`)
		b.Get("/?lang=en")
		b.Post("/quote", "slot", slot, "coupon", code).Says(words[1])
	}
}

// A refused form has no address of its own: in the other language it is the same day
// with the same choice and coupon.
func TestTheLanguageKeepsTheChoice(t *testing.T) {
	k := clubtest.Open(t, true)
	b := k.Customer("13800138000")
	slot := clubtest.SlotOn(t, "c3", "2026-12-11", "17:30")
	other := func(p clubtest.Page) clubtest.Page {
		t.Helper()
		link := otherLangLink.FindStringSubmatch(p.Body)
		if link == nil {
			t.Fatal("no link to the other language")
		}
		to := b.Get(html.UnescapeString(link[1])).Want(303).Location
		return b.Get(to).Want(200)
	}
	same := []string{ticked(slot), `name="coupon" value="NEW10"`, `name="qty.g1" min="0" max="12" value="2"`, `data-date="2026-12-11"`}
	other(b.Get("/?date=2026-12-11&coupon=NEW10&qty.g1=2&slot=" + slot)).Has(same...)
	b.Post("/orders", "date", "2026-12-11", "slot", slot, "qty.g1", "99", "coupon", "NEW10")
	p := b.Post("/orders", "date", "2026-12-11", "slot", slot, "slot", clubtest.SlotOn(t, "c9", "2026-12-11", "17:30"), "qty.g1", "2", "coupon", "NEW10").Want(422)
	other(p).Has(same...).Says("确认订单")
}
