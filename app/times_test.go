package app_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
)

func TestSlotIDs(t *testing.T) {
	if got, err := app.ParseSlotID("slot", "c1@1796895000"); err != nil || got != (app.SlotRef{Court: "c1", Start: 1796895000}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, none := range []string{"", "c1", "@1796895000", "c1@", "c1@x", "c1@0", "c1@-5", "c1@1.5", "c1@99999999999999999999", "c1@1@2"} {
		if got, err := app.ParseSlotID("slots[3]", none); !domain.IsReason(err, "invalid_field") {
			t.Errorf("%q is read as %+v, %v", none, got, err)
		} else if refusal, _ := domain.AsError(err); refusal.Fields[0].Field != "slots[3]" {
			t.Errorf("%q: the fault is at %s", none, refusal.Fields[0].Field)
		}
	}
}
