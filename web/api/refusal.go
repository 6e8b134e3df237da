package api

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"courtd/domain"
	"courtd/web/httpx"
)

// huma reports what is wrong with a request through these hooks. They are the
// process's own, and this package is the only one that uses huma.
func init() {
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true // or "QTY" would slip past what is said about "qty"
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return problemOf(status, msg, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		problem := problemOf(status, msg, errs)
		if problem.Status >= http.StatusInternalServerError {
			httpx.NoteFrom(ctx.Context()).Err = errors.Join(append([]error{errors.New(msg)}, errs...)...)
		}
		return problem
	}
}

// problemOf gives the problem for what huma says about a request. What the
// client sent is never repeated.
func problemOf(status int, msg string, errs []error) httpx.Problem {
	for _, err := range errs {
		var done httpx.Problem
		if errors.As(err, &done) {
			return done
		}
	}
	switch status {
	case http.StatusBadRequest:
		if slices.ContainsFunc(errs, isMisfit) { // JSON, but with a number that is none of ours
			return invalid(errs)
		}
		return httpx.NewProblem(status, "malformed", "the body is missing or is not JSON")
	case http.StatusUnprocessableEntity:
		return invalid(errs)
	case http.StatusUnsupportedMediaType:
		return httpx.NewProblem(status, "unsupported_media_type", "the body must be application/json")
	case http.StatusRequestEntityTooLarge:
		return httpx.NewProblem(status, "body_too_large", msg)
	case http.StatusNotAcceptable:
		return httpx.NewProblem(status, "not_acceptable", "answers are application/json")
	case http.StatusRequestTimeout:
		return httpx.NewProblem(status, "request_timeout", "the request did not arrive in time")
	}
	return httpx.NewProblem(http.StatusInternalServerError, "internal", "something went wrong on our side")
}

func isMisfit(err error) bool {
	var detail *huma.ErrorDetail
	return errors.As(err, &detail) && strings.HasPrefix(detail.Message, misfitAt)
}

func invalid(errs []error) httpx.Problem {
	var fields []domain.FieldError
	var names []string
	for _, err := range errs {
		field := fieldOf(err)
		fields = append(fields, field)
		names = append(names, field.Field)
	}
	p := httpx.NewProblem(http.StatusUnprocessableEntity, "invalid_field", "cannot be used: "+strings.Join(names, ", "))
	p.Errors = httpx.FieldsOf(&domain.Error{Fields: fields})
	return p
}

// longestField is as much as is repeated of a field's name, which may be the client's own.
const longestField = 80 // bytes

// fieldOf says which field is wrong and how, by the names in the contract: "body."
// and the like are left out.
func fieldOf(err error) domain.FieldError {
	var detail *huma.ErrorDetail
	if !errors.As(err, &detail) {
		return domain.FieldError{Field: "body", Message: "cannot be used"}
	}
	field, message := detail.Location, detail.Message
	for _, prefix := range []string{"body.", "path.", "query.", "header."} {
		field = strings.TrimPrefix(field, prefix)
	}
	if name, missing := strings.CutPrefix(message, "expected required property "); missing {
		name = strings.TrimSuffix(name, " to be present")
		field, message = strings.TrimPrefix(field+"."+name, "body."), "is required"
	}
	if misfit, ok := strings.CutPrefix(message, misfitAt); ok {
		end := strings.LastIndex(misfit, ": ") // a member's name is the client's
		field, message = misfit[:end], misfit[end+2:]
	}
	switch {
	case message == "unexpected property", message == "unknown query parameter":
		message = "is not known"
	case strings.HasPrefix(message, "json: "):
		message = "does not fit its type"
	}
	if len(field) > longestField {
		field = strings.ToValidUTF8(field[:longestField], "") + "…"
	}
	return domain.FieldError{Field: field, Message: message}
}

// renamed changes the names of fields in a refusal to those of the contract,
// where the club's own differ.
func renamed(err error, names ...string) error {
	refusal, ok := domain.AsError(err)
	if !ok || len(refusal.Fields) == 0 {
		return err
	}
	replace := strings.NewReplacer(names...)
	out := domain.Refuse(refusal.Kind, refusal.Reason, "%s", replace.Replace(refusal.Message))
	for _, f := range refusal.Fields {
		out.Fields = append(out.Fields, domain.FieldError{Field: replace.Replace(f.Field), Message: replace.Replace(f.Message)})
	}
	out.Detail = refusal.Detail
	return out
}
