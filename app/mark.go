package app

import (
	"encoding/json"

	"courtd/domain"
)

// Mark is a short text that differs whenever a part of the set-up does. A form carries
// the mark of what it was filled from. It is not the venue's version: that rises with
// every change, and who changes the prices does not undo what another changed about the
// opening hours.
func Mark(part any) string {
	text, err := json.Marshal(part)
	if err != nil {
		panic("mark: " + err.Error()) // parts are plain values
	}
	return hash(string(text))[:16]
}

// Unchanged refuses a change that was made without having seen the part as it is now.
func Unchanged(part any, mark string) error {
	if Mark(part) == mark {
		return nil
	}
	return domain.Refuse(domain.Conflict, "changed_meanwhile", "this was changed since the form was opened")
}
