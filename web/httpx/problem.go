// Package httpx holds what the API and the pages have in common: refusals as
// problem documents, who asks and from where, and what keeps strangers out.
package httpx

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
)

// ProblemType is the content type of every refusal.
const ProblemType = "application/problem+json"

// Problem is a refusal as a client reads it (RFC 9457). Reason is for machines,
// Title and TitleEN are for people, Detail is for whoever mends the client.
// What the refusal is about (a slot, a good, an instant) stands beside these as
// members of their own.
type Problem struct {
	_       struct{}     `additionalProperties:"true"`
	Type    string       `json:"type" example:"about:blank"`
	Title   string       `json:"title" doc:"for people, in Chinese" example:"场次已被占用"`
	TitleEN string       `json:"title_en" doc:"for people, in English" example:"The slot is taken"`
	Status  int          `json:"status" example:"409"`
	Detail  string       `json:"detail" doc:"one sentence for developers"`
	Reason  string       `json:"reason" doc:"for programs; never changes" example:"slot_taken"`
	Errors  []FieldError `json:"errors,omitempty" doc:"the fields of the request that are at fault"`

	about map[string]any
}

// retryAfter is the detail of a refusal that says in how many seconds it is over.
const retryAfter = "retry_after"

// statuses is the one map from kinds of refusal to HTTP.
var statuses = map[domain.Kind]int{
	domain.Invalid:         http.StatusUnprocessableEntity,
	domain.Malformed:       http.StatusBadRequest,
	domain.Unauthenticated: http.StatusUnauthorized,
	domain.Forbidden:       http.StatusForbidden,
	domain.NotFound:        http.StatusNotFound,
	domain.Conflict:        http.StatusConflict,
	domain.TooMany:         http.StatusTooManyRequests,
	domain.Unavailable:     http.StatusServiceUnavailable,
}

// Status gives the HTTP status of a kind of refusal; 500 for one that is none.
func Status(kind domain.Kind) int {
	if status, ok := statuses[kind]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// ProblemOf turns an error into what the client may know of it. Instants are
// shown in the venue's zone. Anything that is not a refusal is a fault of ours
// and says nothing but that.
func ProblemOf(err error, zone *time.Location) Problem {
	refusal, ok := domain.AsError(err)
	if !ok {
		return NewProblem(http.StatusInternalServerError, "internal", "something went wrong on our side")
	}
	p := NewProblem(Status(refusal.Kind), refusal.Reason, refusal.Message)
	p.Errors = FieldsOf(refusal)
	if len(refusal.Detail) > 0 {
		p.about, _ = inZone(refusal.Detail, zone).(map[string]any)
	}
	return p
}

// NewProblem makes a problem with the words that belong to its reason.
func NewProblem(status int, reason, detail string) Problem {
	zh, en := Words(reason)
	return Problem{Type: "about:blank", Title: zh, TitleEN: en, Status: status, Detail: detail, Reason: reason}
}

// inZone copies a detail with every instant as a time on the venue's clock.
func inZone(value any, zone *time.Location) any {
	switch v := value.(type) {
	case domain.Instant:
		return v.In(zone)
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			out[key] = inZone(inner, zone)
		}
		return out
	}
	return value
}

// MarshalJSON writes what the refusal is about beside the members that every
// problem has; those win.
func (p Problem) MarshalJSON() ([]byte, error) {
	type plain Problem
	if len(p.about) == 0 {
		return json.Marshal(plain(p))
	}
	text, err := json.Marshal(plain(p))
	if err != nil {
		return nil, err
	}
	members := maps.Clone(p.about)
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// About gives one detail of the refusal, or nil.
func (p Problem) About(name string) any { return p.about[name] }

// Error is the sentence for whoever mends the client.
func (p Problem) Error() string { return p.Reason + ": " + p.Detail }

// GetStatus is the HTTP status.
func (p Problem) GetStatus() int { return p.Status }

// ContentType is ProblemType whatever was negotiated.
func (p Problem) ContentType(string) string { return ProblemType }

// Send answers a request with the problem.
func (p Problem) Send(c *fiber.Ctx) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	for name, value := range p.headers() {
		c.Set(name, value)
	}
	c.Set(fiber.HeaderContentType, ProblemType)
	return c.Status(p.Status).Send(text)
}

// headers are those that belong to a status, so that clients need not guess.
func (p Problem) headers() map[string]string {
	if seconds, known := p.about[retryAfter].(int); known {
		return map[string]string{fiber.HeaderRetryAfter: strconv.Itoa(seconds)}
	}
	switch p.Status {
	case http.StatusUnauthorized:
		return map[string]string{fiber.HeaderWWWAuthenticate: "Bearer"}
	case http.StatusServiceUnavailable:
		return map[string]string{fiber.HeaderRetryAfter: "5"}
	}
	return nil
}

// GetHeaders gives the same headers to whoever writes the answer instead of Send.
func (p Problem) GetHeaders() http.Header {
	out := http.Header{}
	for name, value := range p.headers() {
		out.Set(name, value)
	}
	return out
}
