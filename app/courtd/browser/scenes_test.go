package browser_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// day is a day at the club on which a lot has happened: it is 14:40 on the tenth.
type day struct {
	*club
	held, paying, paid, lapsed string // orders of the customer
	handback                   string // an order with cash to hand back
	move                       string // a reservation that can be moved
	hook                       string // a webhook at which nobody is
}

// The customer whose day it is.
const customerPhone = "13800138000"

// busyDay sells for 520 yuan, at a club where it is noon.
func busyDay(k *club) day {
	k.t.Helper()
	desk := k.staff("desk")
	me, other, third := k.customer(customerPhone), k.customer("13900139000"), k.customer("13700137000")
	d := day{club: k}
	_, early := k.paid(other, slots("c1", "13:00", "c2", "13:00"))
	k.paid(third, slots("c3", "13:00"))
	k.sold(desk, "王小明", slots("c4", "14:30"))
	k.sold(desk, "Alexandra Featherstonehaugh-Cholmondel 🏸", slots("c5", "17:30", "c6", "17:30"))
	k.sold(desk, "李雷", slots("c2", "19:00"))
	d.lapsed = k.book(me, slots("c3", "19:00"))
	k.set("12:50")
	k.call("POST", "/api/v1/desk/checkins", desk, body{"code": early})
	k.set("14:35")
	d.paid, _ = k.paid(me, slots("c1", "17:30", "c1", "19:00"))
	k.paid(other, slots("c4", "20:30"))
	k.book(third, slots("c3", "17:30"))
	d.held = k.book(me, slots("c2", "20:30"))
	k.set("14:40")
	return d
}

// weekBefore lets people play on the five days before, so that reports have
// something to show.
func weekBefore(k *club) {
	k.t.Helper()
	desk, regular := k.staff("desk"), k.customer("13500135000")
	for i, courts := range [][]string{{"c1", "c2"}, {"c1", "c2", "c3", "c4"}, {"c1"}, {"c1", "c2", "c3"}, {"c1", "c2"}} {
		day := strconv.Itoa(i-5) + " "
		k.set(day + "09:00")
		var codes []string
		for n, court := range courts {
			order := slots(court, day+[]string{"17:30", "19:00", "20:30"}[n%3])
			order["goods"] = []body{{"id": []string{"g3", "g1", "g2"}[n%3], "qty": 1 + n%2}}
			_, code := k.paid(regular, order)
			codes = append(codes, code)
		}
		k.sold(desk, "周末球友会", slots("c5", day+"10:00", "c6", day+"10:00"))
		for n, code := range codes[:min(len(codes), 3)] { // a fourth does not come
			k.set(day + []string{"17:20", "18:50", "20:20"}[n])
			k.call("POST", "/api/v1/desk/checkins", desk, body{"code": code})
		}
	}
}

// fullDay is a busy day after a busy week on which something waits on every page.
func fullDay(t *testing.T) day {
	t.Helper()
	k := openAt(t, at("-5 08:00").Format(time.RFC3339))
	weekBefore(k)
	k.set("12:00")
	d := busyDay(k)
	me, desk, owner := d.customer(customerPhone), d.staff("desk"), d.staff("owner")
	d.paying = d.book(me, body{"slots": []body{}, "goods": []body{{"id": "g1", "qty": 2}}, "coupon": "NEW10"})
	d.call("POST", "/api/v1/orders/"+d.paying+"/payments", me, body{"via": "sandbox"})
	d.hook = d.call("POST", "/api/v1/owner/webhooks", owner, body{"url": "http://127.0.0.1:9/the-venues-own-software?with=a-long-address", "kinds": []string{"order.cancelled", "order.paid", "slot.freed"}})["id"].(string)
	d.call("PUT", "/api/v1/owner/messages", owner, body{
		"texts":  body{"closure": body{"title": "封场通知：{court}", "text": "{venue}：{slots} 因{reason}关闭，退款 {refund}。", "title_en": "{court} is closed", "text_en": "{slots}: {reason}. {refund} comes back."}},
		"wechat": body{"closure": body{"id": "TPL-closure-1", "params": []body{{"name": "thing1", "from": "{venue}{slots}"}, {"name": "time2", "from": "{start}"}, {"name": "amount3", "from": "{goods}"}}}},
		"sms":    body{"closure": body{"id": "20260001", "params": []body{{"from": "{court}"}, {"from": "{start}"}}}}})
	d.handback = d.sold(desk, "赵六", slots("c6", "20:30"))
	d.call("POST", "/api/v1/desk/orders/"+d.handback+"/cancel", desk, body{"by": "venue", "reason": "地板漏水"})
	d.call("POST", "/api/v1/owner/closures", owner, body{"courts": []string{"c6"}, "from": at("19:00"), "to": at("22:00"), "reason": "地板漏水"})
	rows := d.call("GET", "/api/v1/orders/"+d.paid, me, nil)["reservations"].([]any)
	d.move = rows[0].(body)["id"].(string)
	d.call("POST", "/api/v1/owner/reconciler/run", owner, body{})
	return d
}

// scene is a page in a state worth looking at.
type scene struct {
	name   string
	who    string // "", "customer" or a role of staff
	main   bool   // one of those that pictures are taken of
	path   string
	status int64         // when it is a refusal
	act    func(u *user) // what leads from there to the state; may be nil
}

func frontScenes(d day) []scene { return append(customerScenes(d), deskScenes(d)...) }

func customerScenes(d day) []scene {
	return []scene{
		{name: "grid", main: true, path: "/", act: func(u *user) { u.choose("c4", "19:00", "c5", "19:00") }},
		{name: "sheet", path: "/?coupon=NOSUCH&qty.g1=1&slot=" + slotID("c4", "19:00"), act: func(u *user) {
			u.click("[data-next]")
			u.element("[data-quoted]")
		}},
		{name: "sheet-mine", who: "customer", path: "/?slot=" + slotID("c4", "19:00"), act: func(u *user) {
			u.element("[data-quoted]") // whoever is signed in comes back to the sheet
			u.element("input[name=name]")
		}},
		{name: "day-off", path: "/?date=2026-12-17"},
		{name: "rules", path: "/rules"},
		{name: "login", path: "/login"},
		{name: "login-code", path: "/login", act: func(u *user) {
			u.fillAt("input[name=phone]", "13600136000")
			u.goes(func() { u.keys(kb.Enter) })
		}},
		{name: "nowhere", path: "/nowhere", status: 404},
		{name: "order-held", main: true, who: "customer", path: "/orders/" + d.held},
		{name: "order-paying", who: "customer", path: "/orders/" + d.paying},
		{name: "order-paid", main: true, who: "customer", path: "/orders/" + d.paid},
		{name: "order-lapsed", who: "customer", path: "/orders/" + d.lapsed},
		{name: "orders", main: true, who: "customer", path: "/orders"},
		{name: "orders-past", who: "customer", path: "/orders?tab=past"},
		{name: "cancel", who: "customer", path: "/orders/" + d.paid + "/cancel"},
		{name: "notices", who: "customer", path: "/notices"},
		{name: "account", who: "customer", path: "/me"},
		{name: "account-code", who: "customer", path: "/me", act: func(u *user) {
			u.fillAt("input[name=email]", "guest@example.com")
			u.goes(func() { u.keys(kb.Enter) })
		}},
	}
}

func deskScenes(d day) []scene {
	return []scene{
		{name: "desk-login", path: "/desk/login"},
		{name: "desk", main: true, who: "desk", path: "/desk?slot=" + slotID("c5", "17:30")},
		{name: "desk-book", who: "desk", path: "/desk?slot=" + slotID("c5", "19:00")},
		{name: "desk-move", who: "desk", path: "/desk?move=" + d.move},
		{name: "desk-moved", who: "desk", path: "/desk?move=" + d.move + "&to=" + slotID("c5", "16:00")},
		{name: "desk-as-of", who: "desk", path: "/desk?at=2026-12-10T12:55&slot=" + slotID("c1", "13:00")},
		{name: "desk-order", who: "desk", path: "/desk/orders/" + d.paid},
		{name: "desk-handback", who: "desk", path: "/desk/orders/" + d.handback},
		{name: "desk-find", who: "desk", path: "/desk/find?q=8000"},
		{name: "scan", main: true, who: "desk", path: "/desk/scan"},
		{name: "scan-no", who: "desk", path: "/desk/scan", act: func(u *user) {
			u.keys("NOSUCHTICKET" + kb.Enter)
			u.element(".over .answer.no")
		}},
		{name: "todo", who: "desk", path: "/desk/todo?notices=sent"},
		{name: "refusal", who: "desk", path: "/owner", status: 403},
	}
}

func ownerScenes(d day) []scene {
	out := messageScenes(d)
	for _, page := range []string{"venue", "courts", "hours", "prices", "policy", "start", "goods", "goods/g1", "coupons", "coupons/NEW10", "staff", "closures",
		"reports", "reports/utilisation", "reports/rates", "reports/goods", "reconciler", "reconciler/foresee", "bills", "audit", "clock"} {
		out = append(out, scene{name: "owner-" + page, who: "owner", path: "/owner/" + page, main: page == "prices" || page == "reports" || page == "reconciler"})
	}
	const whole = "/owner/closures/preview?whole=1&from_day=2026-12-10&to_day=2026-12-10"
	return append(out,
		scene{name: "owner", main: true, who: "owner", path: "/owner"},
		scene{name: "owner-closure", who: "owner", path: whole + "&all=1"},
		scene{name: "owner-closure-wrong", who: "owner", path: whole, status: 422})
}

func messageScenes(d day) []scene {
	hook := "/owner/webhooks/" + d.hook
	return []scene{
		{name: "owner-messages", main: true, who: "owner", path: "/owner/messages"},
		{name: "owner-messages-wrong", who: "owner", path: "/owner/messages", act: func(u *user) {
			u.fillAt("input[name=sms]", "many")
			u.expect(422)
			u.goes(func() { u.keys(kb.Enter) })
			u.element("#faults")
		}},
		{name: "owner-message", who: "owner", path: "/owner/messages/closure"},
		{name: "owner-message-new", who: "owner", path: "/owner/messages/paid", act: func(u *user) {
			for _, field := range []string{"title", "text", "title_en", "text_en"} {
				u.fillAt("#texts-"+field, "{court} "+field)
			}
			u.keys(kb.Tab)
			u.seeIn("#preview", "1号场 title", "1号场 text_en")
		}},
		{name: "owner-message-wrong", who: "owner", path: "/owner/messages/closure", act: func(u *user) {
			u.fillAt("#texts-title", "{nmber}")
			u.expect(422)
			u.goes(func() { u.keys(kb.Enter) })
			u.element("#faults")
		}},
		{name: "owner-message-code", who: "owner", path: "/owner/messages/login_code"},
		{name: "owner-webhooks", who: "owner", path: "/owner/webhooks"},
		{name: "owner-webhooks-add", who: "owner", path: "/owner/webhooks", act: func(u *user) { u.click("details.add summary") }},
		{name: "owner-webhook", who: "owner", path: hook},
		{name: "owner-webhook-secret", who: "owner", path: hook + "/secret"},
		{name: "owner-webhook-renewed", who: "owner", path: hook + "/secret", act: func(u *user) { u.clicks("button.danger") }},
		{name: "owner-webhook-remove", who: "owner", path: hook + "/remove"},
		{name: "owner-outbox", who: "owner", path: "/owner/outbox"},
		{name: "owner-outbox-hook", who: "owner", path: "/owner/outbox?state=waiting&channel=webhook:" + d.hook},
	}
}
