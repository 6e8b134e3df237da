package kit

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
)

// ToldBeside answers whether a refusal may be told beside the form that was refused, and
// with which status. A fault of ours may not, and neither may what leaves no form to fill
// in: there is no such thing, or it is not for this person. Pages that can tell such a
// kind all the same name it.
func ToldBeside(err error, also ...domain.Kind) (status int, ok bool) {
	refusal, ok := domain.AsError(err)
	if !ok {
		return 0, false
	}
	if kind := refusal.Kind; (kind == domain.NotFound || kind == domain.Forbidden) && !slices.Contains(also, kind) {
		return 0, false
	}
	return httpx.Status(refusal.Kind), true
}

// Beside answers a form that was refused. If the refusal may be told beside the form,
// draw draws the form's page again, with what was typed; otherwise the refusal is given
// back for the page of errors.
func Beside(c *fiber.Ctx, err error, draw func(status int) error, also ...domain.Kind) error {
	status, ok := ToldBeside(err, also...)
	if !ok {
		return err
	}
	return Again(c, err, status, draw)
}

// Again draws the page of a form again because of an error, with whatever else belongs
// to that answer. When the page cannot be drawn either, as when the store is what fails,
// the error is given back for the page of errors, and not what stood in the way of
// telling it.
func Again(c *fiber.Ctx, err error, status int, draw func(status int) error) error {
	SayWhen(c, err)
	if status == http.StatusServiceUnavailable {
		keepNonce(c)
	}
	if status >= http.StatusInternalServerError {
		httpx.NoteOf(c).Err = err
	}
	if failed := draw(status); failed != nil {
		if refusal, ok := domain.AsError(failed); ok && max(status, httpx.Status(refusal.Kind)) < http.StatusInternalServerError {
			return err // what the form was for is gone meanwhile, which is no fault of ours
		}
		err = errors.Join(err, failed)
		httpx.NoteOf(c).Err = err
		return err
	}
	return nil
}

// longestNonce is more than any of ours has.
const longestNonce = 64

// keepNonce lets the forms of the answer go on with the nonce that was sent: nothing is
// known to have been done, but if it has been, sending the form again must not do it
// once more.
func keepNonce(c *fiber.Ctx) {
	if sent := Sent(c, "nonce"); sent != "" && len(sent) <= longestNonce {
		c.Locals(nonceKey{}, sent)
	}
}
