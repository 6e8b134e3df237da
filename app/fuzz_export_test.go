package app

import "courtd/domain"

// ReadPlace reads a cursor of a list that goes by instants.
func ReadPlace(cursor string, now domain.Instant) (walkAt, at domain.Instant, id string, err error) {
	p, err := Page{Cursor: cursor}.place(now)
	return p.walkAt, p.before.At, p.before.ID, err
}

// WritePlace writes one.
func WritePlace(walkAt, at domain.Instant, id string) string {
	return *place{walkAt: walkAt}.next(at, id)
}

// ReadRowCursor reads a cursor of a list that goes by the numbers of its rows.
var ReadRowCursor = rowCursor

// ReadDifferenceCursor reads a cursor of the differences.
func ReadDifferenceCursor(cursor string) (day, key string, err error) {
	find, err := DifferenceFilter{}.search(cursor)
	return find.AfterDay, find.After, err
}
