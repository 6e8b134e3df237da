package api

import (
	"context"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

// BillsPath is where a bill comes in, which is longer than any other body.
const BillsPath = base + "/owner/bills"

type billInput struct {
	Day     string `query:"day" example:"2026-12-09" doc:"the bill's day in China; without it, that of its lines"`
	RawBody []byte `contentType:"text/csv" doc:"WeChat's trade bill (type ALL) as it is"`
}

// Resolve refuses a body that says it is something else: a program that sends JSON here
// has mistaken the call.
func (in *billInput) Resolve(ctx huma.Context) []error {
	if kind, _, err := mime.ParseMediaType(ctx.Header("Content-Type")); err != nil || kind != "text/csv" {
		return []error{httpx.NewProblem(http.StatusUnsupportedMediaType, "unsupported_media_type", "the body must be text/csv")}
	}
	return nil
}

type billDayInput struct {
	Body struct {
		Day string `json:"day" example:"2026-12-09" doc:"of China"`
	} `nameHint:"BillDayBody"`
}

type differencesInput struct {
	Paged
	State string `query:"state" enum:"open,explained" doc:"without it, both"`
	Day   string `query:"day" example:"2026-12-09" doc:"of China"`
	Code  string `query:"code" enum:"there_not_here,here_not_there,amount,refund_there_not_here,refund_here_not_there,refund_amount,flagged"`
}

type explainInput struct {
	Keyed
	Body struct {
		Key       string `json:"key" doc:"of the difference"`
		Text      string `json:"text" doc:"what is the matter with it; up to 200 characters"`
		InsteadOf string `json:"instead_of,omitempty" doc:"the explanation that stands there now, if it is to be replaced"`
	} `nameHint:"ExplainBody"`
}

func (s *server) billCalls() {
	register(s, call{method: http.MethodGet, path: BillsPath, id: "list-bills", tag: tagOwner, who: owner,
		summary: "The days on which WeChat took money, with and without their bills",
		about: "The newest first. A day is China's. `missing` is a day whose bill WeChat has made and that is not here. Where WeChat Pay is set up, the rounds fetch the bill of the day before, " +
			"and make up for the last 7 days; `tries` says what they could not fetch yet."},
		func(ctx context.Context, actor app.Actor, in *Paged) (*reply[app.BillsView], error) {
			return replied(s.app.Bills(ctx, actor, in.page()))
		})
	register(s, call{method: http.MethodPost, path: BillsPath, id: "import-bill", tag: tagOwner, who: owner, most: domain.MaxBillBytes,
		also:    []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
		summary: "Import WeChat's trade bill of a day",
		about: "The body is the file as it is, up to 16 MB: all of it or nothing. One that is cut off, does not add up to its own summary, is another merchant's or of another day is refused by line and column. " +
			"The same file again is the same import (`already`); another file of the same day counts from then on. " +
			"Payments that WeChat has and we do not are asked about in the next round, after the same file too."},
		func(ctx context.Context, actor app.Actor, in *billInput) (*reply[app.BillImported], error) {
			return replied(s.app.ImportBill(ctx, actor, in.Day, in.RawBody))
		})
	register(s, call{method: http.MethodPost, path: BillsPath + "/fetch", id: "fetch-bill", tag: tagOwner, who: owner, conflicts: true,
		summary: "Have WeChat hand out its bill of a day, and import it",
		about:   "WeChat has a day's bill from 10:00 of the next day (China time) on, for three months. The rounds do this by themselves for the last days."},
		func(ctx context.Context, actor app.Actor, in *billDayInput) (*reply[app.BillImported], error) {
			return replied(s.app.FetchBill(ctx, actor, in.Body.Day))
		})
	register(s, call{method: http.MethodGet, path: base + "/owner/differences", id: "list-differences", tag: tagOwner, who: owner,
		summary: "What does not add up between WeChat's bills and this venue",
		about:   "Derived at the instant of asking: what has resolved itself is not there any more. Send the same filter with every cursor."},
		func(ctx context.Context, actor app.Actor, in *differencesInput) (*reply[app.List[app.DifferenceView]], error) {
			return replied(s.app.Differences(ctx, actor, app.DifferenceFilter{State: in.State, Day: in.Day, Code: in.Code}, in.page()))
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/differences/explain", id: "explain-difference", tag: tagOwner, who: owner, conflicts: true,
		also:    []int{http.StatusNotFound},
		summary: "Say what is the matter with a difference",
		about:   "It is listed as explained from then on. `instead_of` replaces an explanation; both stay in the audit."},
		func(ctx context.Context, actor app.Actor, in *explainInput) (*reply[app.DifferenceView], error) {
			key, err := in.key()
			if err != nil {
				return nil, err
			}
			return replied(s.app.ExplainDifference(ctx, actor, app.Explaining{Key: in.Body.Key, Text: in.Body.Text, Seen: in.Body.InsteadOf}, key))
		})
}
