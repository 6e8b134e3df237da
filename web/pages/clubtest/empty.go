package clubtest

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web"
)

// OpenEmpty serves a file without a venue, which a token lets be set up.
func OpenEmpty(t *testing.T, token string) *Club {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(t.TempDir(), "new.db"), Create: true})
	Must(t, err)
	t.Cleanup(func() { db.Close() })
	k := &Club{t: t, DB: db}
	quiet := slog.New(slog.DiscardHandler)
	k.App = app.New(app.Config{DB: db, Channel: k, Log: quiet})
	k.HTTP, err = web.New(web.Config{App: k.App, Log: quiet, SetUpToken: token})
	Must(t, err)
	return k
}
