package clubtest

import (
	"testing"

	"courtd/app"
	"courtd/sqlite"
)

// Of is a club of an App of one's own; whoever makes it sets HTTP.
func Of(t *testing.T, a *app.App, db *sqlite.DB) *Club { return &Club{t: t, App: a, DB: db} }
