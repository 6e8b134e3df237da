package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
)

type availabilityInput struct {
	Date        string `query:"date" required:"true" example:"2026-12-10" doc:"business day, YYYY-MM-DD"`
	IfNoneMatch string `header:"If-None-Match" doc:"the ETag of the answer the client has"`
}

type availabilityOutput struct {
	Status       int
	ETag         string `header:"ETag" doc:"of everything but now"`
	CacheControl string `header:"Cache-Control"`
	ContentType  string `header:"Content-Type" hidden:"true"`
	Body         []byte
}

func (s *server) registerAvailability() {
	c := call{method: http.MethodGet, path: base + "/availability", id: "get-availability", tag: tagVenue, who: anyone,
		summary: "What is free on a day", about: "Every slot of every court on sale, with its price and state, and what is left of the goods. " +
			"Nothing changes before `changes_at` unless somebody does something; ask again with `If-None-Match`."}
	answers := map[string]*huma.Response{
		"200": {Description: "the day", Content: map[string]*huma.MediaType{
			"application/json": {Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[app.DayView](), true, "")}}},
		"304": {Description: "the client's answer is still right, but for now"},
	}
	s.registerDocumented(c, answers, func(op huma.Operation) {
		huma.Register(s.api, op, func(ctx context.Context, in *availabilityInput) (*availabilityOutput, error) {
			out, err := s.availability(ctx, in)
			if err != nil {
				return nil, s.problem(ctx, err)
			}
			return out, nil
		})
	}, reflect.TypeFor[availabilityInput]())
}

func (s *server) availability(ctx context.Context, in *availabilityInput) (*availabilityOutput, error) {
	day, err := domain.ParseDate("date", in.Date)
	if err != nil {
		return nil, err
	}
	written, now, err := s.days.at(ctx, day)
	if err != nil {
		return nil, err
	}
	out := &availabilityOutput{Status: http.StatusOK, ETag: written.etag, CacheControl: "no-cache"}
	if matches(in.IfNoneMatch, written.etag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	out.ContentType = "application/json"
	out.Body = written.answer(nil, now)
	return out, nil
}

// matches reports whether a client's If-None-Match names a tag.
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

// writtenDays keeps how answers about days are written. Whether an answer is still
// right is the business of app.Day alone.
type writtenDays struct {
	app  *app.App
	mu   sync.Mutex
	days map[domain.Date]*writtenDay
}

// writtenDay is an answer in JSON, cut in two where now is written in.
type writtenDay struct {
	day        *app.KeptDay
	zone       *time.Location
	head, tail []byte
	etag       string
}

func newWrittenDays(a *app.App) *writtenDays {
	return &writtenDays{app: a, days: map[domain.Date]*writtenDay{}}
}

// at gives the answer about a day that is right now, and now.
func (w *writtenDays) at(ctx context.Context, day domain.Date) (*writtenDay, domain.Instant, error) {
	kept, now, err := w.app.Day(ctx, day)
	if err != nil {
		return nil, 0, err
	}
	w.mu.Lock()
	written := w.days[day]
	w.mu.Unlock()
	if written == nil || written.day != kept {
		if written, err = writeDay(kept, httpx.Zone(ctx, w.app)); err != nil {
			return nil, 0, err
		}
		w.mu.Lock()
		if len(w.days) >= maxWrittenDays {
			clear(w.days)
		}
		w.days[day] = written
		w.mu.Unlock()
	}
	return written, now, nil
}

// maxWrittenDays bounds what is kept.
const maxWrittenDays = 64

var errNoNow = errors.New("the answer about a day has no member now")

func writeDay(kept *app.KeptDay, zone *time.Location) (*writtenDay, error) {
	text, err := json.Marshal(kept.View)
	if err != nil {
		return nil, err
	}
	head, tail, found := bytes.Cut(text, []byte(`"now":"0001-01-01T00:00:00Z"`))
	if !found {
		return nil, errNoNow
	}
	sum := sha256.Sum256(text)
	return &writtenDay{day: kept, zone: zone, head: head, tail: tail,
		etag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`}, nil
}

// answer appends the answer with now written in.
func (d *writtenDay) answer(out []byte, now domain.Instant) []byte {
	out = slices.Grow(out, len(d.head)+len(d.tail)+40)
	out = append(append(out, d.head...), `"now":"`...)
	out = now.In(d.zone).AppendFormat(out, time.RFC3339)
	return append(append(out, '"'), d.tail...)
}
