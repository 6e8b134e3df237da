package api

import (
	"context"
	"net/http"

	"courtd/app"
	"courtd/sqlite"
)

type newCourtInput struct {
	Body struct {
		Name     string `json:"name" doc:"1 to 40 characters"`
		Position *int   `json:"position,omitempty" doc:"place in the list; without it, the last" minimum:"1" maximum:"100000"`
		Active   *bool  `json:"active,omitempty" doc:"whether it is sold; without it, it is"`
	} `nameHint:"NewCourtBody"`
}

type courtInput struct {
	ByID
	Body struct {
		Name     *string `json:"name,omitempty" doc:"1 to 40 characters"`
		Position *int    `json:"position,omitempty" minimum:"1" maximum:"100000"`
		Active   *bool   `json:"active,omitempty" doc:"false takes it out of sale; bookings stand"`
	} `nameHint:"CourtBody"`
}

func (s *server) courtCalls() {
	register(s, call{method: http.MethodGet, path: base + "/owner/courts", id: "list-courts", tag: tagOwner, who: owner,
		summary: "All courts, in order"},
		func(ctx context.Context, _ app.Actor, _ *struct{}) (*reply[app.List[sqlite.Court]], error) {
			_, courts, now, err := s.app.Venue(ctx)
			if err != nil {
				return nil, err
			}
			return listed(ctx, s, courts, now), nil
		})
	register(s, call{method: http.MethodPost, path: base + "/owner/courts", id: "add-court", tag: tagOwner, who: owner, status: http.StatusCreated,
		summary: "Add a court"},
		func(ctx context.Context, actor app.Actor, in *newCourtInput) (*made[sqlite.Court], error) {
			c := sqlite.Court{Name: in.Body.Name, Active: true}
			set(&c.Position, in.Body.Position)
			set(&c.Active, in.Body.Active)
			c, err := s.app.PlaceCourt(ctx, actor, c, "")
			if err != nil {
				return nil, err
			}
			return madeAt("/owner/courts/"+c.ID, c), nil
		})
	register(s, call{method: http.MethodPut, path: base + "/owner/courts/{id}", id: "put-court", tag: tagOwner, who: owner,
		summary: "Change a court", about: "What is left out stays."}, s.putCourt)
}

func (s *server) putCourt(ctx context.Context, actor app.Actor, in *courtInput) (*reply[sqlite.Court], error) {
	return replied(s.app.ChangeCourt(ctx, actor, in.ID, func(c *sqlite.Court) error {
		set(&c.Name, in.Body.Name)
		set(&c.Position, in.Body.Position)
		set(&c.Active, in.Body.Active)
		return nil
	}))
}
