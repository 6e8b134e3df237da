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

// Change sets a part of the set-up to what a form asks for, unless the part has become
// another since the form was filled from it. A part that is as asked for already is no
// conflict, whoever made it so: a form that is sent twice is carried out once.
func Change[T any](part *T, wanted T, mark string) error {
	if !same(*part, wanted) {
		if err := Unchanged(*part, mark); err != nil {
			return err
		}
	}
	*part = wanted
	return nil
}

// same reports whether two parts say the same. A change that comes to nothing is done
// without a row in the audit.
func same(a, b any) bool { return Mark(a) == Mark(b) }

// Unchanged refuses a change that was made without having seen the part as it is now.
func Unchanged(part any, mark string) error {
	if Mark(part) == mark {
		return nil
	}
	return domain.Refuse(domain.Conflict, "changed_meanwhile", "this was changed since the form was opened")
}
