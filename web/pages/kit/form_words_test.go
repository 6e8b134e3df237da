package kit_test

import (
	"testing"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// Beside a field of an English page stands no name of the API.
func TestWrongFieldsAreSaidInThePagesWords(t *testing.T) {
	err := domain.BadField("valid_until", "must be later than valid_from")
	want := kit.Words{"须晚于开始时间", "must be later than the start"}
	if got := kit.WrongOf(err)["valid_until"]; got == nil || *got != want {
		t.Errorf("beside its field: %v", got)
	}
	if got := kit.FieldWords(domain.FieldError{Field: "valid_until", Message: "must be later than valid_from"}); got != want {
		t.Errorf("above the form: %v", got)
	}
}
