package api

import (
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"courtd/app"
	"courtd/domain"
)

// Keyed is part of every call that creates something or moves money.
type Keyed struct {
	Key string `header:"Idempotency-Key" doc:"1 to 64 visible ASCII characters of the client's choice. The same key and body again within 48 hours is the same command, carried out once."`

	given bool
}

// Resolve notes whether there is a key at all: a client whose key came out blank
// wants to know that nothing protects it.
func (k *Keyed) Resolve(ctx huma.Context) []error {
	ctx.EachHeader(func(name, _ string) { k.given = k.given || strings.EqualFold(name, "Idempotency-Key") })
	return nil
}

func (k Keyed) key() (app.Key, error) {
	if !k.given {
		return "", nil
	}
	key, err := domain.ParseKey("Idempotency-Key", k.Key)
	return app.Key(key), err
}

// ByID is part of every call about one thing.
type ByID struct {
	ID string `path:"id" doc:"id of the thing"`
}

// Paged is part of every call that lists.
type Paged struct {
	Cursor string `query:"cursor" doc:"next of the page before; without it, the first page"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"100" doc:"items on a page"`
}

func (p Paged) page() app.Page { return app.Page{Cursor: p.Cursor, Limit: p.Limit} }

// KeyedID is a keyed call about one thing that needs no more to be said.
type KeyedID struct {
	Keyed
	ByID
	Body *Nothing
}

// ActOn is an act on one thing that is the same however often it is asked for, and
// needs no more to be said.
type ActOn struct {
	ByID
	Body *Nothing
}

// Nothing is a body without members; it may be left out.
type Nothing struct{}

const (
	timeExample  = "2026-12-10T17:30:00+08:00"
	badTime      = "must be a time in whole seconds with its offset, such as " + timeExample
	earliestYear = 2000
	latestYear   = 9998
)

// parseInstant reads an RFC 3339 time with its offset. A part of a second is
// refused: it would name another instant than the one that counts.
func parseInstant(field, text string) (domain.Instant, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Nanosecond() != 0 || at.Year() < earliestYear || at.Year() > latestYear {
		return 0, domain.BadField(field, badTime)
	}
	return domain.InstantOf(at), nil
}

// parseQueryInstant reads an optional time from an address, where a "+" that was
// not escaped arrives as a blank. Without one it is 0.
func parseQueryInstant(field, text string) (domain.Instant, error) {
	if text == "" {
		return 0, nil
	}
	return parseInstant(field, strings.ReplaceAll(text, " ", "+"))
}

// parseOptionalInstant reads a time that may be missing or null.
func parseOptionalInstant(field string, text *string) (domain.Instant, error) {
	if text == nil {
		return 0, nil
	}
	return parseInstant(field, *text)
}

// set puts a value that was sent where one was kept.
func set[T any](kept *T, sent *T) {
	if sent != nil {
		*kept = *sent
	}
}
