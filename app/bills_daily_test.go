package app_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/wechat/bill"
	"courtd/app/pay/wechat/standin"
	"courtd/reconciler"
	"courtd/sqlite"
)

// paidOn is a club with WeChat Pay that has taken 60 yuan on the tenth at noon.
func paidOn(t *testing.T) wechatClub {
	t.Helper()
	w := newClub(t).withWeChat()
	w.price(6000)
	_, _, payment := w.held("c1")
	must(t, w.bank.Pay(payment))
	must(t, w.deliver())
	return w
}

// days are the days whose bills are here, with how many imports there are of each.
func (w wechatClub) days() (text string) {
	w.t.Helper()
	must(w.t, w.db.Read(ctx, func(s *sqlite.Snapshot) error {
		return s.QueryRow("SELECT coalesce(group_concat(day || ' ' || n, ', '), '') FROM (SELECT substr(day, 6) AS day, count(*) AS n FROM bills GROUP BY day ORDER BY day)").Scan(&text)
	}))
	return text
}

// asked is how often WeChat was asked for a bill.
func (w wechatClub) asked() int { return w.bank.Calls(standin.CallBill) }

func (w wechatClub) tries() string {
	w.t.Helper()
	view, err := w.app.Bills(ctx, w.owner, app.Page{})
	must(w.t, err)
	seen, err := w.app.Reconciler(ctx)
	must(w.t, err)
	want(w.t, "what the reconciler's view says", fmt.Sprintf("%+v", seen.BillTries), fmt.Sprintf("%+v", view.Tries))
	var out []string
	for _, b := range view.Tries {
		out = append(out, fmt.Sprintf("%s %s %d", b.Day[5:], b.Why, b.Tries))
	}
	return strings.Join(out, ", ")
}

func TestTheRoundsFetchABillOnce(t *testing.T) {
	w := paidOn(t)
	w.round()
	w.wall.set(at("2026-12-11T09:59:59+08:00"))
	w.round()
	want(t, "questions before ten", w.asked(), 0)
	w.wall.set(at("2026-12-11T10:00:00+08:00"))
	want(t, "what the round says", w.round().Bills, app.BillsReport{Fetched: 1})
	want(t, "bills", w.days(), "12-10 1")
	want(t, "differences", w.count("SELECT count(*) FROM bill_lines"), 1)
	want(t, "who did it", w.count("SELECT count(*) FROM audit WHERE action = 'import bill' AND role = 'system'"), 1)
	for range 3 {
		want(t, "the next round", w.round().Bills, app.BillsReport{})
	}
	// After a restart, by another process, and an hour later it is the same.
	_, w.app, w.rec = w.offering()
	w.round()
	w.wall.set(at("2026-12-11T12:00:00+08:00"))
	w.round()
	want(t, "questions", w.asked(), 1)
	// A day without trades has its bill too, of nothing.
	w.wall.set(at("2026-12-12T10:00:00+08:00"))
	want(t, "the next day", w.round().Bills, app.BillsReport{Fetched: 1})
	want(t, "bills", w.days(), "12-10 1, 12-11 1")
	want(t, "tries that are left", w.tries()+fmt.Sprint(w.count("SELECT count(*) FROM bill_tries")), "0")
}

// A club that has taken nothing by WeChat has no bills to fetch, nor has one without.
func TestNoBillIsFetchedBeforeTheFirstPayment(t *testing.T) {
	w := newClub(t).withWeChat()
	w.round()
	want(t, "questions", w.asked(), 0)
	w.held("c1")
	w.wall.set(at("2026-12-12T12:00:00+08:00"))
	for range 5 {
		w.round()
	}
	want(t, "bills", w.days(), "12-10 1, 12-11 1")
	want(t, "a club without WeChat", newClub(t).round().Bills, app.BillsReport{})
}

// What was missed is made up for, the newest first, one in a round; of a week, not more.
func TestBillsOfDaysThatWereMissedAreFetched(t *testing.T) {
	w := paidOn(t)
	w.wall.set(at("2026-12-13T12:00:00+08:00"))
	for _, bills := range []string{"12-12 1", "12-11 1, 12-12 1", "12-10 1, 12-11 1, 12-12 1", "12-10 1, 12-11 1, 12-12 1"} {
		w.round()
		want(t, "bills", w.days(), bills)
	}
	want(t, "questions", w.asked(), 3)
	w.wall.set(at("2027-02-01T12:00:00+08:00"))
	for range 10 {
		w.round()
	}
	want(t, "questions after a jump of the clock", w.asked(), 3+7)
	want(t, "the oldest of them", w.count("SELECT count(*) FROM bills WHERE day BETWEEN '2027-01-25' AND '2027-01-31'"), 7)
}

// While the bill is not ready it is asked for by the hour, a few times, then by the day; the
// others do not wait for it, a restart changes nothing, and no round is the worse for it.
func TestABillThatIsNotReadyIsAskedForByTheHour(t *testing.T) {
	b := newBilled(t)
	b.takes()
	b.wechat.err = fmt.Errorf("wechat pay: %w", bill.ErrNotReady)
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	asked := 0
	for minute := range 24 * 60 / 20 {
		b.wall.set(at("2026-12-11T10:00:00+08:00").Add(time.Duration(minute) * 20 * time.Minute))
		rep := b.round()
		asked += rep.Bills.NotReady
		want(t, "rounds say what they asked", asked, len(b.wechat.asked))
		if minute == 4 { // another process on the same file
			b.app = app.New(app.Config{DB: b.db, Log: slog.New(slog.DiscardHandler), Providers: []pay.Provider{b.wechat, b.bank}, Demo: true})
			b.rec = reconciler.New(b.app, slog.New(slog.DiscardHandler))
		}
	}
	want(t, "questions in a day", asked, 6)
	want(t, "bad rounds", b.count("SELECT count(*) FROM reconciler_runs WHERE NOT ok"), 0)
	view, err := b.app.Bills(ctx, b.owner, app.Page{})
	must(t, err)
	want(t, "tries that are shown", fmt.Sprintf("%d %s %d %s", len(view.Tries), view.Tries[0].Day, view.Tries[0].Tries, view.Tries[0].Why), "1 2026-12-10 6 not_ready")
	// The next day's bill does not wait for that one, and that one has its turn once a day.
	b.wechat.asked = nil
	b.wall.set(at("2026-12-12T10:00:00+08:00"))
	b.round()
	b.wall.set(at("2026-12-12T15:00:00+08:00"))
	for range 3 {
		b.round()
	}
	want(t, "asked", strings.Join(b.wechat.asked, " "), "2026-12-11 2026-12-11 2026-12-10")
	b.wechat.err, b.wechat.bill = nil, billOf()
	b.wall.set(at("2026-12-13T15:00:00+08:00"))
	for range 3 {
		want(t, "once it is ready", b.round().Bills, app.BillsReport{Fetched: 1})
	}
	want(t, "bills in the end", b.count("SELECT count(DISTINCT day) FROM bills"), 3)
	view, err = b.app.Bills(ctx, b.owner, app.Page{})
	must(t, err)
	want(t, "tries that are shown in the end", len(view.Tries), 0)
}

// Whatever WeChat does, the round goes on, nothing is half there, and it is shown.
func TestABillThatCannotBeHadBreaksNothing(t *testing.T) {
	b := newBilled(t)
	b.takes()
	for hour, c := range []struct {
		why  string
		then func()
	}{
		{"unavailable", func() { b.wechat.err = errors.New("wechat pay: cannot be reached") }},
		{"unavailable", func() { b.wechat.then = func() { panic("in the library") } }},
		{"refused", func() { b.wechat.bill = "<html>502</html>" }},
		{"refused", func() {
			b.wechat.bill = strings.ReplaceAll(billOf(billPaid("elsewhere-1", "1.00", onTenth)), ourMerchant, "1900000110")
		}},
		{"refused", func() { b.wechat.bill = billOf(billPaid("elsewhere-1", "1.00", "2026-12-09 12:00:00")) }},
	} {
		b.wall.set(at("2026-12-11T10:00:00+08:00").Add(time.Duration(hour) * time.Hour))
		b.wechat.err, b.wechat.then, b.wechat.bill = nil, nil, ""
		c.then()
		want(t, "failures", b.round().Bills, app.BillsReport{Failed: 1})
		view, err := b.app.Reconciler(ctx)
		must(t, err)
		got := view.BillTries[0]
		want(t, "what is shown", fmt.Sprintf("%s %s %d %v", got.Day, got.Why, got.Tries, got.Error != "" && len(got.Error) < 320), fmt.Sprintf("2026-12-10 %s %d true", c.why, hour+1))
	}
	want(t, "bills", b.count("SELECT count(*) FROM bills")+b.count("SELECT count(*) FROM bill_lines"), 0)
	want(t, "bad rounds", b.count("SELECT count(*) FROM reconciler_runs WHERE NOT ok"), 0)
	// Somebody who brings the file ends it, and a wait from a clock that was ahead is none.
	b.wechat.bill, b.wechat.then = billOf(), func() { b.customer("13911112222") } // it can write: no transaction is open
	b.imports("2026-12-10")
	view, err := b.app.Bills(ctx, b.owner, app.Page{})
	must(t, err)
	want(t, "tries that are shown once it is here", len(view.Tries), 0)
	asked := len(b.wechat.asked)
	b.wall.set(at("2026-12-11T23:00:00+08:00"))
	b.round()
	merchant, _ := b.wechat.Merchant()
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error {
		return tx.BillTried(sqlite.BillTry{Merchant: merchant, Day: "2026-12-11", Tries: 1, NextAt: at("2027-02-01T10:00:00+08:00"), Why: "not_ready"})
	}))
	want(t, "asked after that", len(b.wechat.asked), asked)
	b.wall.set(at("2026-12-12T10:00:00+08:00"))
	want(t, "the next day", b.round().Bills, app.BillsReport{Fetched: 1})
}

// Two processes that come at once ask once.
func TestOneOfTwoProcessesFetchesABill(t *testing.T) {
	b := newBilled(t)
	b.takes()
	other := app.New(app.Config{DB: b.db, Log: slog.New(slog.DiscardHandler), Providers: []pay.Provider{b.wechat}, Demo: true})
	b.wall.set(at("2026-12-11T10:00:00+08:00"))
	b.wechat.bill = billOf()
	b.wechat.then = func() { // while the one asks
		b.wechat.then = nil
		rep, err := other.FetchMissingBill(ctx)
		must(t, err)
		want(t, "the other", rep, app.BillsReport{})
	}
	want(t, "the one", b.round().Bills, app.BillsReport{Fetched: 1})
	want(t, "questions", len(b.wechat.asked), 1)
}

// A merchant's wait is not another's.
func TestTriesForBillsAreAMerchantsOwn(t *testing.T) {
	b := newBilled(t)
	b.takes()
	b.wall.set(at("2026-12-11T11:00:00+08:00"))
	must(t, b.db.Write(ctx, func(tx *sqlite.Tx) error {
		return tx.BillTried(sqlite.BillTry{Merchant: "of another", Day: "2026-12-10", Tries: 3, NextAt: tx.Now.Add(time.Hour), Why: "unavailable"})
	}))
	b.wechat.bill = billOf()
	want(t, "asked at once", b.round().Bills, app.BillsReport{Fetched: 1})
	want(t, "and nothing of the other's is forgotten", b.count("SELECT count(*) FROM bill_tries WHERE merchant = 'of another'"), 1)
}
