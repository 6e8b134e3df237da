package httpx

import (
	"context"

	"github.com/gofiber/fiber/v2"
)

// Note is what the line in the log says of a request besides its answer.
type Note struct {
	Err   error // what went wrong on our side
	Plain bool  // one of thousands of answers that are like the one before
}

type noteKey struct{}

// KeepNote gives a request its note.
func KeepNote(c *fiber.Ctx, n *Note) { c.Locals(noteKey{}, n) }

// NoteFrom is the note of the request that a context belongs to; never nil.
func NoteFrom(ctx context.Context) *Note {
	if n, ok := ctx.Value(noteKey{}).(*Note); ok {
		return n
	}
	return &Note{}
}

// NoteOf is the note of a request; never nil.
func NoteOf(c *fiber.Ctx) *Note {
	if n, ok := c.Locals(noteKey{}).(*Note); ok {
		return n
	}
	return &Note{}
}
