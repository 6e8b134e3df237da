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
	"time"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
)

// Bounds of what is asked of and kept by the cache of days.
const (
	maxDaysAway   = 400 // days from today that may be asked for, either way
	maxCachedDays = 64
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
	kept, now, err := s.days.at(ctx, day)
	if err != nil {
		return nil, err
	}
	out := &availabilityOutput{Status: http.StatusOK, ETag: kept.etag, CacheControl: "no-cache"}
	if matches(in.IfNoneMatch, kept.etag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	out.ContentType = "application/json"
	out.Body = kept.answer(now)
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

// dayCache keeps the answer about a day until somebody commits anything or time
// changes it, whichever comes first.
type dayCache struct {
	app  *app.App
	mu   sync.Mutex
	days map[domain.Date]*cachedDay
}

// cachedDay is an answer cut in two where now is written in.
type cachedDay struct {
	mu         sync.Mutex // one request works the day out, the others wait for it
	version    int64
	madeAt     domain.Instant
	changesAt  domain.Instant
	zone       *time.Location
	head, tail []byte
	etag       string
}

func newDayCache(a *app.App) *dayCache {
	return &dayCache{app: a, days: map[domain.Date]*cachedDay{}}
}

// at gives the answer about a day that is right now, and now.
func (c *dayCache) at(ctx context.Context, day domain.Date) (*cachedDay, domain.Instant, error) {
	d := c.entry(day)
	d.mu.Lock()
	defer d.mu.Unlock()
	// The version is read before the rows: whatever is committed in between makes
	// this answer newer than its version says, never older.
	version, err := c.app.DB().Version(ctx)
	if err != nil {
		return nil, 0, err
	}
	now, err := c.app.Now(ctx)
	if err != nil {
		return nil, 0, err
	}
	if d.etag == "" || d.version != version || now < d.madeAt || now >= d.changesAt {
		if now, err = c.make(ctx, day, d); err != nil {
			return nil, 0, err
		}
		d.version = version
	}
	return &cachedDay{zone: d.zone, head: d.head, tail: d.tail, etag: d.etag}, now, nil
}

func (c *dayCache) entry(day domain.Date) *cachedDay {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.days[day]
	if !ok {
		if len(c.days) >= maxCachedDays {
			clear(c.days)
		}
		d = &cachedDay{}
		c.days[day] = d
	}
	return d
}

var errNoNow = errors.New("the answer about a day has no member now")

// make works a day out and gives the instant at which it was judged.
func (c *dayCache) make(ctx context.Context, day domain.Date, d *cachedDay) (domain.Instant, error) {
	venue, _, now, err := c.app.Venue(ctx)
	if err != nil {
		return 0, err
	}
	today := venue.Calendar.DayOf(now)
	if day.Before(today.AddDays(-maxDaysAway)) || today.AddDays(maxDaysAway).Before(day) {
		return 0, domain.BadField("date", "must be within %d days of today", maxDaysAway)
	}
	view, err := c.app.Availability(ctx, day)
	if err != nil {
		return 0, err
	}
	judgedAt := domain.InstantOf(view.Now)
	changesAt := domain.Never
	if view.ChangesAt != nil {
		changesAt = domain.InstantOf(*view.ChangesAt)
	}
	view.Now = time.Time{}
	text, err := json.Marshal(view)
	if err != nil {
		return 0, err
	}
	head, tail, found := bytes.Cut(text, []byte(`"now":"0001-01-01T00:00:00Z"`))
	if !found {
		return 0, errNoNow
	}
	sum := sha256.Sum256(text)
	d.madeAt, d.changesAt, d.zone, d.head, d.tail = judgedAt, changesAt, venue.Calendar.Zone, head, tail
	d.etag = `W/"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	return judgedAt, nil
}

// answer writes now into the answer.
func (d *cachedDay) answer(now domain.Instant) []byte {
	out := make([]byte, 0, len(d.head)+len(d.tail)+40)
	out = append(append(out, d.head...), `"now":"`...)
	out = now.In(d.zone).AppendFormat(out, time.RFC3339)
	return append(append(out, '"'), d.tail...)
}
