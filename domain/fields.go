package domain

import (
	"fmt"
	"slices"
	"strings"
)

// fieldErrors collects what is wrong with a value, so that its owner hears of
// everything at once.
type fieldErrors []FieldError

func (f *fieldErrors) add(field, format string, args ...any) {
	*f = append(*f, FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

// parsed adds the fields of a refusal that one of the parsers returned.
func (f *fieldErrors) parsed(err error) {
	if refusal, ok := AsError(err); ok {
		*f = append(*f, refusal.Fields...)
	}
}

// between adds the field unless low <= value <= high.
func (f *fieldErrors) between(field string, value, low, high int64) {
	if value < low || value > high {
		f.add(field, "must be between %d and %d", low, high)
	}
}

// err is nil when nothing was collected, else one refusal of kind Invalid.
func (f fieldErrors) err() error {
	switch len(f) {
	case 0:
		return nil
	case 1:
		return BadField(f[0].Field, "%s", f[0].Message)
	}
	names := make([]string, len(f))
	for i, field := range f {
		names[i] = field.Field
	}
	refusal := Refuse(Invalid, "invalid_field", "%d fields cannot be used: %s", len(f), strings.Join(names, ", "))
	refusal.Fields = f
	return refusal
}

// Together makes one refusal of the fields that several refusals name, so that whoever
// fills in a form hears of all of them at once. An error of another kind goes before
// all of that; without any error it is nil.
func Together(errs ...error) error {
	var bad fieldErrors
	for _, err := range errs {
		refusal, ok := AsError(err)
		switch {
		case err == nil:
		case !ok || len(refusal.Fields) == 0:
			return err
		default:
			bad = append(bad, refusal.Fields...)
		}
	}
	return bad.err()
}

// Besides leaves out of a refusal of fields what another says too; nil if nothing is left.
func Besides(err, known error) error {
	refusal, ok := AsError(err)
	old, had := AsError(known)
	if !ok || !had || len(refusal.Fields) == 0 {
		return err
	}
	var left fieldErrors
	for _, f := range refusal.Fields {
		if !slices.Contains(old.Fields, f) {
			left = append(left, f)
		}
	}
	return left.err()
}
