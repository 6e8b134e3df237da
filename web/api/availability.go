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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

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
	c := call{method: http.MethodGet, path: DayPath, id: "get-availability", tag: tagVenue, who: anyone,
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
	out.Body = written.answer(now)
	return out, nil
}

// DayPath is asked by every phone that looks at a day.
const DayPath = base + "/availability"

// Answer answers the plain question about a day without the detours of other calls: it is
// asked more often than everything else together. Whatever is not plain, or goes wrong, is
// left to the ordinary call.
func (d *Days) Answer(c *fiber.Ctx) error {
	date, plain := bytes.CutPrefix(c.Request().URI().QueryString(), []byte("date="))
	if !plain || c.Method() != fiber.MethodGet {
		return c.Next()
	}
	day, err := domain.ParseDate("date", string(date))
	if err != nil {
		return c.Next()
	}
	kept, now := d.app.Kept(c.UserContext(), day)
	if kept == nil {
		ctx, cancel := context.WithTimeout(c.UserContext(), dayTimeout)
		defer cancel()
		if kept, now, err = d.app.Day(ctx, day); err != nil {
			return c.Next()
		}
	}
	written, err := d.write(day, kept)
	if err != nil {
		return c.Next()
	}
	httpx.NoteOf(c).Plain = true
	head := &c.Response().Header
	head.Set(fiber.HeaderETag, written.etag)
	head.Set(fiber.HeaderCacheControl, "no-cache")
	if tag := c.Request().Header.Peek(fiber.HeaderIfNoneMatch); len(tag) > 0 && matches(string(tag), written.etag) {
		c.Status(http.StatusNotModified)
		return nil
	}
	head.SetContentType("application/json")
	c.Response().SetBodyRaw(written.answer(now))
	return nil
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

// Days keeps how answers about days are written. Whether an answer is still right is the
// business of app.Day alone.
type Days struct {
	app  *app.App
	mu   sync.Mutex
	days map[domain.Date]*writtenDay
}

// writtenDay is an answer in JSON, cut in two where now is written in.
type writtenDay struct {
	day        *app.KeptDay
	head, tail []byte
	etag       string
	last       atomic.Pointer[wholeDay] // as it was written last
}

// wholeDay is an answer with its now, which is the same for a whole second.
type wholeDay struct {
	now  domain.Instant
	text []byte // nobody changes it
}

// NewDays makes the place where answers about days are kept as they are written.
func NewDays(a *app.App) *Days {
	return &Days{app: a, days: map[domain.Date]*writtenDay{}}
}

// at gives the answer about a day that is right now, and now.
func (d *Days) at(ctx context.Context, day domain.Date) (*writtenDay, domain.Instant, error) {
	kept, now, err := d.app.Day(ctx, day)
	if err != nil {
		return nil, 0, err
	}
	written, err := d.write(day, kept)
	return written, now, err
}

func (d *Days) write(day domain.Date, kept *app.KeptDay) (*writtenDay, error) {
	d.mu.Lock()
	written := d.days[day]
	d.mu.Unlock()
	if written != nil && written.day == kept {
		return written, nil
	}
	written, err := writeDay(kept)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.days) >= maxWrittenDays {
		clear(d.days)
	}
	d.days[day] = written
	return written, nil
}

// Bounds of what is kept, and of the time to work a day out before the ordinary call tells
// what is wrong.
const (
	maxWrittenDays = 64
	dayTimeout     = 10 * time.Second
)

var errNoNow = errors.New("the answer about a day has no member now")

func writeDay(kept *app.KeptDay) (*writtenDay, error) {
	text, err := json.Marshal(kept.View)
	if err != nil {
		return nil, err
	}
	head, tail, found := bytes.Cut(text, []byte(`"now":"0001-01-01T00:00:00Z"`))
	if !found {
		return nil, errNoNow
	}
	sum := sha256.Sum256(text)
	return &writtenDay{day: kept, head: head, tail: tail,
		etag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`}, nil
}

// answer gives the answer with now written in.
func (d *writtenDay) answer(now domain.Instant) []byte {
	if last := d.last.Load(); last != nil && last.now == now {
		return last.text
	}
	out := make([]byte, 0, len(d.head)+len(d.tail)+40)
	out = append(append(out, d.head...), `"now":"`...)
	out = now.In(d.day.Zone).AppendFormat(out, time.RFC3339)
	out = append(append(out, '"'), d.tail...)
	d.last.Store(&wholeDay{now: now, text: out})
	return out
}
