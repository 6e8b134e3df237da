package csv

import "courtd/app"

// all stands where a row is about everything of its kind.
const all = "全部 All"

// total stands at the start of rows that add up those above.
const total = "合计 Total"

var weekdays = [...]string{"周日 Sun", "周一 Mon", "周二 Tue", "周三 Wed", "周四 Thu", "周五 Fri", "周六 Sat"}

// File is a table ready to be sent.
type File struct {
	Name string // ASCII, such as courtd-takings-2026-12-01-to-2026-12-31.csv
	Body []byte
}

// Disposition is the header that has a browser save the file under its name.
func (f File) Disposition() string { return `attachment; filename="` + f.Name + `"` }

func reportFile(what string, head app.ReportHead, t *Table) File {
	return File{Name: "courtd-" + what + "-" + head.From.String() + "-to-" + head.Until.String() + ".csv", Body: t.Bytes()}
}

// Takings is the money of each day and way to pay, then the sums.
func Takings(r app.TakingsReport) File {
	t := NewTable("日期 Date", "方式 Route", "收款 In", "收款笔数 Payments", "退款 Out", "退款笔数 Refunds", "净额 Net",
		"退款中 Under way", "退款中笔数 Refunds under way", "异常款 Flagged", "异常笔数 Payments flagged")
	row := func(day, via string, f app.MoneyFigures) {
		t.Row(Text(day), Text(via), Yuan(f.In), Int(f.Payments), Yuan(f.Out), Int(f.Refunds), Yuan(f.Net),
			Yuan(f.UnderWay), Int(f.UnderWayCount), Yuan(f.Flagged), Int(f.FlaggedCount))
	}
	for _, day := range r.Days {
		for _, route := range day.Routes {
			row(day.Date.String(), route.Via, route.MoneyFigures)
		}
	}
	for _, route := range r.Routes {
		row(total, route.Via, route.MoneyFigures)
	}
	row(total, all, r.Total)
	return reportFile("takings", r.ReportHead, t)
}

// Utilisation is the heat map cell by cell, then each court as a whole.
func Utilisation(r app.UtilisationReport) File {
	t := NewTable("球场 Court", "星期 Weekday", "开始 Start", "使用 Used", "可用 Offered", "使用率 Percent")
	court := all
	if r.Court != nil {
		court = r.Court.Name
	}
	row := func(court, weekday, start string, f app.UseFigures) {
		t.Row(Text(court), Text(weekday), Text(start), Int(f.Used), Int(f.Offered), Percent(f.Percent))
	}
	for _, day := range r.Weekdays {
		for i, cell := range day.Cells {
			row(court, weekdays[day.Weekday], r.Starts[i].Label, cell)
		}
		row(court, weekdays[day.Weekday], all, day.UseFigures)
	}
	row(court, all, all, r.Total)
	for _, c := range r.Courts {
		if r.Court == nil {
			row(c.Court.Name, all, all, c.UseFigures)
		}
	}
	return reportFile("utilisation", r.ReportHead, t)
}

// Rates is what became of the orders and slots of each day, then the sums.
func Rates(r app.RatesReport) File {
	t := NewTable("日期 Date", "订单 Orders made", "待付 Held", "已付 Paid", "完成 Completed", "爽约 No-show", "超时未付 Lapsed",
		"顾客取消 Cancelled by customer", "场馆取消 Cancelled by venue", "系统取消 Cancelled by system", "超时率 Lapse percent",
		"场次 Slots booked", "进行中 Open", "到场 Completed slots", "爽约场次 No-show slots", "超时场次 Lapsed slots",
		"顾客取消场次 Slots cancelled by customer", "场馆取消场次 Slots cancelled by venue", "系统取消场次 Slots cancelled by system",
		"已结束场次 Slots over", "其中爽约 No-shows of those", "爽约率 No-show percent")
	row := func(day string, f app.RateFigures) {
		o, s := f.Orders, f.Slots
		t.Row(Text(day), Int(o.Made), Int(o.Held), Int(o.Paid), Int(o.Completed), Int(o.NoShow), Int(o.Lapsed),
			Int(o.CancelledByCustomer), Int(o.CancelledByVenue), Int(o.CancelledBySystem), Percent(f.LapsePercent),
			Int(s.Booked), Int(s.Open), Int(s.Completed), Int(s.NoShows), Int(s.Lapsed),
			Int(s.CancelledByCustomer), Int(s.CancelledByVenue), Int(s.CancelledBySystem),
			Int(s.Over), Int(s.NoShowsOver), Percent(f.NoShowPercent))
	}
	for _, day := range r.Days {
		row(day.Date.String(), day.RateFigures)
	}
	row(total, r.Total)
	return reportFile("rates", r.ReportHead, t)
}

// Goods is what was sold of each good, then the sums.
func Goods(r app.GoodsReport) File {
	t := NewTable("编号 Id", "商品 Good", "售出 Sold", "收入 Revenue", "未取 Uncollected", "未取金额 Money for uncollected")
	row := func(id, name string, f app.GoodsFigures) {
		t.Row(Text(id), Text(name), Int(f.Sold), Yuan(f.Revenue), Int(f.Uncollected), Yuan(f.UncollectedMoney))
	}
	for _, g := range r.Goods {
		row(g.ID, g.Name, g.GoodsFigures)
	}
	row(total, all, r.Total)
	return reportFile("goods", r.ReportHead, t)
}
