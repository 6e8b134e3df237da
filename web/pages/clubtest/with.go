package clubtest

import (
	"log/slog"
	"testing"

	"courtd/app"
	"courtd/web"
)

// OpenWith is a real venue of a program with other parts, such as channels; what they
// leave out is the club's.
func OpenWith(t *testing.T, parts func(*Club, *app.Config)) *Club {
	t.Helper()
	k := Open(t, false)
	quiet := slog.New(slog.DiscardHandler)
	c := app.Config{DB: k.DB, Channel: k, Log: quiet}
	parts(k, &c)
	k.App = app.New(c)
	var err error
	k.HTTP, err = web.New(web.Config{App: k.App, Log: quiet})
	Must(t, err)
	Must(t, k.App.NoteChannels(t.Context(), true))
	return k
}
