package domain

import (
	"errors"
	"fmt"
)

// Kind says what sort of refusal an Error is; the web maps each to one status.
type Kind int

// The kinds of refusal.
const (
	Invalid         Kind = iota + 1 // a field has a value that cannot be used
	Malformed                       // the request cannot be read at all
	Unauthenticated                 // nobody is signed in
	Forbidden                       // signed in, but not allowed
	NotFound                        // no such thing, or somebody else's
	Conflict                        // the state of the club does not allow it now
	TooMany                         // too often; try later
	Unavailable                     // the store or the clock cannot serve; try later
)

// Error is a refusal: a value, not a fault. Reason is what machines read and
// never changes; Message is one English sentence for people; Detail names what
// the refusal is about (a slot, a good, an instant to try again).
type Error struct {
	Kind    Kind
	Reason  string
	Message string
	Fields  []FieldError
	Detail  map[string]any
	cause   error
}

// FieldError names one field of a request and what is wrong with it.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Reason, e.Message, e.cause)
	}
	return e.Reason + ": " + e.Message
}

// Unwrap gives the cause, which goes to the log and never to the client.
func (e *Error) Unwrap() error { return e.cause }

// Because attaches the cause of a refusal for the log.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// With adds one detail and returns the same error.
func (e *Error) With(key string, value any) *Error {
	if e.Detail == nil {
		e.Detail = map[string]any{}
	}
	e.Detail[key] = value
	return e
}

// Refuse makes a refusal.
func Refuse(kind Kind, reason, format string, args ...any) *Error {
	return &Error{Kind: kind, Reason: reason, Message: fmt.Sprintf(format, args...)}
}

// BadField makes a refusal about one field.
func BadField(field, format string, args ...any) *Error {
	msg := fmt.Sprintf(format, args...)
	return &Error{Kind: Invalid, Reason: "invalid_field", Message: field + ": " + msg,
		Fields: []FieldError{{Field: field, Message: msg}}}
}

// AsError finds a refusal in a chain of errors.
func AsError(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// IsReason reports whether err is a refusal for that reason.
func IsReason(err error, reason string) bool {
	e, ok := AsError(err)
	return ok && e.Reason == reason
}
