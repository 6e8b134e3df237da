package main

import (
	"fmt"

	"courtd/app"
)

// readmeClub fills the demonstration's venue with three days of business and stops
// the clock on Thursday 10 December 2026 at 19:10. It gives the answers to the
// README's questions, worked out by hand from what it does.
func readmeClub(h *hall) map[string]answer {
	h.t.Helper()
	who := map[string]app.Actor{}
	for i, name := range []string{"李芳", "王小明", "张伟", "赵敏", "陈静"} {
		who[name] = h.guest(name, fmt.Sprintf("1380000000%d", i+1))
	}
	did := acts{}
	tuesdayAndWednesday(h, who, did)
	thursday(h, who, did)
	// Every audit row there is; the query prints UTC, eight hours behind the venue.
	audit := []string{
		"2026-12-10 10:45:00|desk|check in|" + did["playing"] + "|",
		"2026-12-10 10:35:00|desk|cancel order|" + did["dark"] + "|灯坏了",
		"2026-12-10 05:10:00|owner|close courts|" + did["closure"] + "|换灯",
		"2026-12-10 04:50:00|desk|book for caller|" + did["on arrival"] + "|",
		"2026-12-10 04:40:00|desk|book for caller|" + did["dark"] + "|",
		"2026-12-09 02:00:00|desk|book for caller|" + did["walk-in 2"] + "|",
		"2026-12-09 02:00:00|desk|book for caller|" + did["walk-in 1"] + "|",
		"2026-12-08 11:30:00|desk|undo no-show|" + did["undone"] + "|门口没扫上",
	}
	number := func(act string) string {
		o, err := h.app.Order(h.ctx, h.desk, did[act])
		h.must(err)
		return o.Number
	}
	return map[string]answer{
		"1": {lines: []string{"王小明|13800000002|2026-12-10 20:30:00"}},
		// 20:30 is left, on six courts: 2 is paid, 3 held, 4 closed, 6 revived.
		"2": {lines: []string{"1号场|2026-12-10 20:30:00", "5号场|2026-12-10 20:30:00"}},
		// The hold on court 6 lapsed too, but came back to life.
		"3": {anyOrder: true, lines: []string{number("lapsed") + "|5号场|陈静|2026-12-10 09:10:00", number("lapsed late") + "|5号场|陈静|2026-12-10 18:30:00"}},
		"4": {anyOrder: true, lines: []string{"2026-12-10 19:00:00|2号场|赵敏|13800000004", "2026-12-10 20:30:00|2号场|赵敏|13800000004",
			"2026-12-10 20:30:00|6号场|陈静|13800000005"}},
		"5": {lines: []string{number("held") + "|李芳|60.0|2026-12-10 19:15:00", number("on arrival") + "|来电甲|60.0|2026-12-11 19:00:00"}},
		// An order of two slots is one; an undone no-show is none; two walk-ins are two people.
		"6": {anyOrder: true, lines: []string{"李芳|13800000001|2", "张伟|13800000003|1", "散客甲||1", "散客乙||1"}},
		// By the bank: 60 × 3, 120, 120 with shuttles, 60 × 3, 60 late, 80. In cash: 60 × 3.
		"7": {anyOrder: true, lines: []string{"sandbox|10|740.0", "cash|3|180.0"}},
		"8": {},
		// What was sent back at 18:00 is done.
		"9":  {anyOrder: true, lines: []string{number("weekend") + "|80.0|cancel|", number("dark") + "|60.0|cancel|"}},
		"10": {lines: audit},
		// Slot and racket of the hold that lapsed at 18:30 wait, 40 minutes by now; so do four
		// notices: two of holds, two of cancellations.
		"11": {lines: []string{"due|2|2400|0|4|2026-12-10 18:00:00"}},
	}
}

// acts are the ids of orders (and a closure) by what is told of them.
type acts map[string]string

// tuesdayAndWednesday: people pay and do not come; one is let off.
func tuesdayAndWednesday(h *hall, who map[string]app.Actor, did acts) {
	h.t.Helper()
	h.at("08 10:00")
	h.buy(who["李芳"], wantSlots(h.slot("c1", "2026-12-08 17:30")))
	let := h.buy(who["王小明"], wantSlots(h.slot("c2", "2026-12-08 17:30")))
	h.buy(who["张伟"], wantSlots(h.slot("c3", "2026-12-08 17:30")))
	h.at("08 19:30")
	_, err := h.app.UndoNoShow(h.ctx, h.desk, let.Reservations[0].ID, "门口没扫上", "")
	h.must(err)
	did["undone"] = let.ID
	h.at("09 10:00")
	h.buy(who["李芳"], wantSlots(h.slot("c1", "2026-12-09 17:30"), h.slot("c2", "2026-12-09 17:30")))
	did["walk-in 1"] = h.sell(app.Caller{Name: "散客甲"}, "cash", wantSlots(h.slot("c3", "2026-12-09 17:30"))).ID
	did["walk-in 2"] = h.sell(app.Caller{Name: "散客乙"}, "cash", wantSlots(h.slot("c4", "2026-12-09 17:30"))).ID
	h.at("09 20:00")
	h.round()
}

// thursday: what the questions are about. The reconciler runs at 18:00 for the last time.
func thursday(h *hall, who map[string]app.Actor, did acts) {
	h.t.Helper()
	tonight := func(court, clock string) app.OrderRequest { return wantSlots(h.slot(court, "2026-12-10 "+clock)) }
	h.at("10 09:00")
	shuttles := tonight("c3", "19:00")
	shuttles.Goods = goods("g1", 2)
	playing := h.buy(who["王小明"], shuttles)
	h.buy(who["赵敏"], tonight("c2", "19:00"))
	h.buy(who["赵敏"], tonight("c2", "20:30"))
	did["lapsed"] = h.book(who["陈静"], tonight("c5", "20:30")).ID
	h.at("10 12:00")
	late := h.open(who["陈静"], h.book(who["陈静"], tonight("c6", "20:30")))
	h.at("10 12:20")
	h.money(late)
	h.at("10 12:30")
	weekend := h.buy(who["张伟"], wantSlots(h.slot("c4", "2026-12-12 19:00")))
	back := h.buy(who["赵敏"], wantSlots(h.slot("c4", "2026-12-11 17:30")))
	h.at("10 12:40")
	did["dark"] = h.sell(app.Caller{Name: "散客丙", Phone: "13900000001"}, "cash", tonight("c1", "20:30")).ID
	h.at("10 12:50")
	did["on arrival"] = h.sell(app.Caller{Name: "来电甲", Phone: "13900000002"}, "on_arrival", wantSlots(h.slot("c1", "2026-12-11 19:00"))).ID
	h.at("10 13:00")
	h.cancel(who["赵敏"], back)
	h.at("10 13:10")
	closed, err := h.app.MakeClosure(h.ctx, h.owner, app.ClosureRequest{Courts: []string{"c4"}, From: h.slot("c4", "2026-12-10 20:30").Start,
		To: h.slot("c4", "2026-12-10 22:00").Start, Reason: "换灯"}, "")
	h.must(err)
	h.at("10 18:00")
	h.round()
	h.at("10 18:20")
	racket := tonight("c5", "19:00")
	racket.Goods = goods("g2", 1)
	did["lapsed late"] = h.book(who["陈静"], racket).ID
	h.at("10 18:30")
	h.cancel(who["张伟"], weekend)
	h.at("10 18:35")
	_, err = h.app.CancelAtDesk(h.ctx, h.desk, did["dark"], "venue", "灯坏了", "")
	h.must(err)
	h.at("10 18:45")
	scan, err := h.app.CheckIn(h.ctx, h.desk, playing.Ticket.Code, "")
	h.must(err)
	if scan.Result != "ok" {
		h.t.Fatalf("scan: %s", scan.Result)
	}
	h.at("10 19:05")
	did["held"] = h.book(who["李芳"], tonight("c3", "20:30")).ID
	h.at("10 19:10")
	did["playing"], did["weekend"], did["closure"] = playing.ID, weekend.ID, closed.Closure.ID
}
