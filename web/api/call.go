package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

// access says who may make a call.
type access int

const (
	anyone access = iota
	signedIn
	customers
	desk  // and the owner
	owner // alone
)

// call is one line of the contract.
type call struct {
	method, path string
	id           string // operationId
	tag          string
	summary      string
	about        string // longer, optional
	who          access
	status       int   // of success; 0 is 200, or 204 without an answer
	conflicts    bool  // whether the state of the club can stand in the way
	also         []int // statuses of refusals besides those that follow from the rest
	most         int64 // bytes of a body that is no JSON; 0 is what every body may have
}

// bearerAuth names the one security scheme of the document.
const bearerAuth = "bearer"

// register adds a call. Who may make it is judged before the request is read, so
// that strangers learn nothing from what is wrong with it.
func register[I, O any](s *server, c call, serve func(context.Context, app.Actor, *I) (*O, error)) {
	s.registerDocumented(c, nil, func(op huma.Operation) {
		huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
			out, err := serve(ctx, httpx.ActorFrom(ctx), in)
			if err != nil {
				return nil, s.problem(ctx, err)
			}
			return out, nil
		})
	}, reflect.TypeFor[I]())
}

// registerDocumented makes the operation of a call with answers that are
// documented by hand, and hands it to add.
func (s *server) registerDocumented(c call, answers map[string]*huma.Response, add func(huma.Operation), input reflect.Type) {
	op := huma.Operation{
		OperationID: c.id, Method: c.method, Path: c.path, Tags: []string{c.tag}, Summary: c.summary, Description: c.about,
		DefaultStatus: c.status, Errors: c.errors(input), Security: []map[string][]string{{}}, Responses: answers,
		Middlewares: huma.Middlewares{s.admit(c.who), s.refuseTwice}, RejectUnknownQueryParameters: true, BodyReadTimeout: -1,
		MaxBodyBytes: c.most,
	}
	if c.who != anyone {
		op.Security = []map[string][]string{{bearerAuth: {}}}
	}
	add(op)
}

// errors lists the statuses of refusals that a call can end with.
func (c call) errors(input reflect.Type) []int {
	out := append([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}, c.also...)
	if _, hasBody := input.FieldByName("Body"); hasBody {
		out = append(out, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if c.who != anyone {
		out = append(out, http.StatusUnauthorized, http.StatusForbidden)
	}
	if strings.Contains(c.path, "{") {
		out = append(out, http.StatusNotFound)
	}
	if c.conflicts {
		out = append(out, http.StatusConflict)
	}
	return out
}

// admit lets those through who may make a call.
func (s *server) admit(who access) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := refuseAccess(who, httpx.ActorFrom(ctx.Context())); err != nil {
			problem := s.problem(ctx.Context(), err)
			for name, values := range problem.GetHeaders() {
				ctx.SetHeader(name, values[0])
			}
			_ = huma.WriteErr(s.api, ctx, problem.Status, problem.Detail, problem)
			return
		}
		next(ctx)
	}
}

func refuseAccess(who access, actor app.Actor) error {
	var allowed bool
	switch who {
	case anyone:
		return nil
	case signedIn:
		allowed = actor.Role == app.RoleCustomer || actor.IsStaff()
	case customers:
		allowed = actor.Role == app.RoleCustomer
	case desk:
		allowed = actor.IsStaff()
	case owner:
		allowed = actor.Role == app.RoleOwner
	}
	switch {
	case allowed:
		return nil
	case actor.Role == app.Anyone:
		return domain.Refuse(domain.Unauthenticated, "unauthenticated", "sign in first, and send the token as a Bearer token")
	}
	return domain.Refuse(domain.Forbidden, "forbidden", "this call is not for a %s", actor.Role)
}

// problem turns an error into the answer, and keeps what went wrong on our side
// for the log.
func (s *server) problem(ctx context.Context, err error) httpx.Problem {
	problem := httpx.ProblemOf(err, httpx.Zone(ctx, s.app))
	if problem.Status >= http.StatusInternalServerError {
		httpx.NoteFrom(ctx).Err = err
	}
	return problem
}

// reply is an answer of one body.
type reply[T any] struct{ Body T }

// made is an answer that says where the new thing is.
type made[T any] struct {
	Status   int
	Location string `header:"Location" doc:"address of the new thing"`
	Body     T
}

// replied wraps what a use case returned.
func replied[T any](body T, err error) (*reply[T], error) {
	if err != nil {
		return nil, err
	}
	return &reply[T]{body}, nil
}

// madeAt wraps what a use case has just made.
func madeAt[T any](path string, body T) *made[T] {
	return &made[T]{Status: http.StatusCreated, Location: base + path, Body: body}
}
