package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/domain"
)

type auditInput struct {
	Paged
	Text   string `query:"q" doc:"text to look for in what was done, to what, by whom, why and its details; up to 200 characters"`
	Actor  string `query:"actor" doc:"id of whoever did it"`
	Action string `query:"action" example:"stock receipt" doc:"what was done, exactly"`
	From   string `query:"from" example:"2026-12-01" doc:"first business day"`
	Until  string `query:"until" example:"2026-12-31" doc:"last business day"`
}

func (in auditInput) filter() (f app.AuditFilter, err error) {
	f = app.AuditFilter{Text: in.Text, Actor: in.Actor, Action: in.Action}
	if in.From != "" {
		if f.From, err = domain.ParseDate("from", in.From); err != nil {
			return f, err
		}
	}
	if in.Until != "" {
		f.Until, err = domain.ParseDate("until", in.Until)
	}
	return f, err
}

func (s *server) auditCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/audit", id: "list-audit", tag: tagOwner, who: owner,
		summary: "What the desk and the owner did, the newest first", about: "What is left out narrows nothing. Send the same filter with every cursor."},
		func(ctx context.Context, _ app.Actor, in *auditInput) (*reply[app.List[app.AuditView]], error) {
			filter, err := in.filter()
			if err != nil {
				return nil, err
			}
			return replied(s.app.AuditTrail(ctx, filter, in.page()))
		})
}
