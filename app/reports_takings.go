package app

import (
	"context"
	"slices"

	"courtd/domain"
	"courtd/sqlite"
)

// MoneyFigures are sums in fen with how many payments or refunds make them up.
type MoneyFigures struct {
	In            int64 `json:"in" doc:"fen that came in: payments that succeeded, by the day they did"`
	Payments      int   `json:"payments"`
	Out           int64 `json:"out" doc:"fen that went back: refunds that are done, by the day they were"`
	Refunds       int   `json:"refunds"`
	Net           int64 `json:"net" doc:"in less out; below zero when more went back"`
	UnderWay      int64 `json:"under_way" doc:"fen of refunds that are not done yet, by the day they began; not part of out"`
	UnderWayCount int   `json:"under_way_count"`
	Flagged       int64 `json:"flagged" doc:"fen asked for by attempts whose money does not match them, by the day they were opened; part of nothing else"`
	FlaggedCount  int   `json:"flagged_count"`
}

func (f *MoneyFigures) add(more MoneyFigures) {
	f.In, f.Payments = f.In+more.In, f.Payments+more.Payments
	f.Out, f.Refunds = f.Out+more.Out, f.Refunds+more.Refunds
	f.UnderWay, f.UnderWayCount = f.UnderWay+more.UnderWay, f.UnderWayCount+more.UnderWayCount
	f.Flagged, f.FlaggedCount = f.Flagged+more.Flagged, f.FlaggedCount+more.FlaggedCount
	f.Net = f.In - f.Out
}

// TakingsRoute is what came and went by one way to pay.
type TakingsRoute struct {
	Via string `json:"via"`
	MoneyFigures
}

// TakingsDay is one business day. Routes are the same on every day, in one order.
type TakingsDay struct {
	Date domain.Date `json:"date" format:"date"`
	MoneyFigures
	Routes []TakingsRoute `json:"routes"`
}

// TakingsReport is money by business day and way to pay.
type TakingsReport struct {
	ReportHead
	Days   []TakingsDay   `json:"days" doc:"every day, those without money too"`
	Routes []TakingsRoute `json:"routes" doc:"sums of all days"`
	Total  MoneyFigures   `json:"total"`
	// What is owed back does not depend on the days that were asked for.
	OwedBack      int64 `json:"owed_back" doc:"fen of all refunds that are not done now, whenever they began"`
	OwedBackCount int   `json:"owed_back_count"`
}

// Takings adds up the money of a run of business days.
func (a *App) Takings(ctx context.Context, span domain.DateSpan) (TakingsReport, error) {
	var out TakingsReport
	err := a.report(ctx, span, &out.ReportHead, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		bounds := venue.Calendar.Bounds(span)
		cells, err := moneyOf(s, bounds)
		if err != nil {
			return err
		}
		vias := a.reportedVias(cells)
		out.Days, out.Routes, out.Total = []TakingsDay{}, noMoney(vias), MoneyFigures{}
		for _, d := range span.Days() {
			out.Days = append(out.Days, TakingsDay{Date: d, Routes: noMoney(vias)})
		}
		for _, c := range cells {
			day, route := &out.Days[c.day], slices.Index(vias, c.via)
			day.add(c.MoneyFigures)
			day.Routes[route].add(c.MoneyFigures)
			out.Routes[route].add(c.MoneyFigures)
			out.Total.add(c.MoneyFigures)
		}
		out.OwedBackCount, out.OwedBack, err = s.OwedBack()
		return err
	})
	return out, err
}

// moneyCell is one sort of money of one day and way to pay.
type moneyCell struct {
	day int
	via string
	MoneyFigures
}

func moneyOf(s *sqlite.Snapshot, bounds []domain.Instant) ([]moneyCell, error) {
	var out []moneyCell
	for _, sort := range []struct {
		read    func([]domain.Instant) ([]sqlite.MoneyCell, error)
		figures func(sumFen int64, count int) MoneyFigures
	}{
		{s.MoneyIn, func(sum int64, n int) MoneyFigures { return MoneyFigures{In: sum, Payments: n} }},
		{s.MoneyOut, func(sum int64, n int) MoneyFigures { return MoneyFigures{Out: sum, Refunds: n} }},
		{s.MoneyOnItsWay, func(sum int64, n int) MoneyFigures { return MoneyFigures{UnderWay: sum, UnderWayCount: n} }},
		{s.MoneyFlagged, func(sum int64, n int) MoneyFigures { return MoneyFigures{Flagged: sum, FlaggedCount: n} }},
	} {
		cells, err := sort.read(bounds)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			out = append(out, moneyCell{day: c.Day, via: c.Via, MoneyFigures: sort.figures(c.SumFen, c.Count)})
		}
	}
	return out, nil
}

// reportedVias are the ways to pay that a report has columns for: cash first, then
// those that are offered or were used, by name.
func (a *App) reportedVias(cells []moneyCell) []string {
	others := a.Vias()
	for _, c := range cells {
		others = append(others, c.via)
	}
	slices.Sort(others)
	others = slices.DeleteFunc(slices.Compact(others), func(via string) bool { return via == payCash })
	return append([]string{payCash}, others...)
}

func noMoney(vias []string) []TakingsRoute {
	out := make([]TakingsRoute, len(vias))
	for i, via := range vias {
		out[i].Via = via
	}
	return out
}
