package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/csv"
)

// ReportDays is part of every call for a report.
type ReportDays struct {
	From  string `query:"from" required:"true" example:"2026-12-01" doc:"first business day"`
	Until string `query:"until" required:"true" example:"2026-12-31" doc:"last business day, at most 366 days in all"`
}

func (d ReportDays) span() (domain.DateSpan, error) { return domain.ParseDateSpan(d.From, d.Until) }

type utilisationInput struct {
	ReportDays
	Court string `query:"court" doc:"id of the court whose heat map is wanted; without it, all courts"`
}

type fileOutput struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (s *server) reportCalls() {
	report(s, "takings", "Money by day and way to pay",
		"Adds up to payments and refunds to the fen. A day is a business day: it ends when the venue closes, if that is past midnight.",
		func(ctx context.Context, in *ReportDays) (app.TakingsReport, error) {
			span, err := in.span()
			if err != nil {
				return app.TakingsReport{}, err
			}
			return s.app.Takings(ctx, span)
		}, csv.Takings)
	report(s, "utilisation", "How full the courts are, by weekday and time of day",
		"Compares with the courts and hours of today. `court` is about the heat map; the list of courts is always whole.",
		func(ctx context.Context, in *utilisationInput) (app.UtilisationReport, error) {
			span, err := in.span()
			if err != nil {
				return app.UtilisationReport{}, err
			}
			return s.app.Utilisation(ctx, span, in.Court)
		}, csv.Utilisation)
	report(s, "rates", "What became of orders and slots: lapses, cancellations, no-shows",
		"Derived at the instant of asking, whether or not a round has written it down.",
		func(ctx context.Context, in *ReportDays) (app.RatesReport, error) {
			span, err := in.span()
			if err != nil {
				return app.RatesReport{}, err
			}
			return s.app.Rates(ctx, span)
		}, csv.Rates)
	report(s, "goods", "What was sold besides the courts, the most revenue first", "Of the orders made on those days.",
		func(ctx context.Context, in *ReportDays) (app.GoodsReport, error) {
			span, err := in.span()
			if err != nil {
				return app.GoodsReport{}, err
			}
			return s.app.TopGoods(ctx, span)
		}, csv.Goods)
}

// report adds a report twice: as JSON, and with .csv at its end as a table.
func report[I, R any](s *server, name, summary, about string, ask func(context.Context, *I) (R, error), table func(R) csv.File) {
	path := base + "/owner/reports/" + name
	register(s, call{method: http.MethodGet, path: path, id: "get-" + name + "-report", tag: tagReports, who: owner, summary: summary, about: about},
		func(ctx context.Context, _ app.Actor, in *I) (*reply[R], error) { return replied(ask(ctx, in)) })

	c := call{method: http.MethodGet, path: path + ".csv", id: "get-" + name + "-table", tag: tagReports, who: owner, summary: summary + ", as CSV",
		about: "UTF-8 with a byte order mark; money in yuan. Text that a spreadsheet program would take for a formula has an apostrophe in front."}
	answers := map[string]*huma.Response{"200": {Description: "a table", Content: map[string]*huma.MediaType{
		"text/csv": {Schema: &huma.Schema{Type: huma.TypeString}}}}}
	s.registerDocumented(c, answers, func(op huma.Operation) {
		huma.Register(s.api, op, func(ctx context.Context, in *I) (*fileOutput, error) {
			r, err := ask(ctx, in)
			if err != nil {
				return nil, s.problem(ctx, err)
			}
			file := table(r)
			return &fileOutput{ContentType: csv.ContentType, Disposition: file.Disposition(), Body: file.Body}, nil
		})
	}, reflect.TypeFor[I]())
}
