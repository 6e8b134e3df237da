package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"

	"courtd/app"
	"courtd/app/pay/sandbox"
	"courtd/reconciler"
)

type reconcileCommand struct {
	DB          string `name:"db" env:"COURTD_DB" default:"courtd.db" help:"The database file; it may be in use. 数据库文件。"`
	DryRun      bool   `env:"COURTD_DRY_RUN" help:"Only list what a round would do. 只列出将要做的事。"`
	RetryParked bool   `env:"COURTD_RETRY_PARKED" help:"Also try again what was parked for staff. 重试搁置的项目。"`
	outside
}

// Run carries out one round beside whatever is being served, and prints its report.
func (c reconcileCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	reached := c.reach()
	if err := reached.failed(); err != nil {
		return err
	}
	db, err := openExisting(ctx, c.DB)
	if err != nil {
		return err
	}
	defer closeInto(db, &err)
	demo, exists, err := app.IsDemo(ctx, db)
	if err != nil {
		return err
	}
	if !exists {
		return fmt.Errorf("%s holds no venue yet; run courtd init --db %s first", c.DB, c.DB)
	}
	key, err := loadSecretKey(c.SecretKeyFile, c.DB)
	if err != nil {
		return err
	}
	var bank *sandbox.Provider
	if demo {
		if bank, err = sandbox.New(db); err != nil {
			return err
		}
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	a := newApp(db, log, appParts{bank: bank, world: reached, key: key})
	report, err := roundByHand(a, reconciler.New(a, log))(ctx, c.DryRun, c.RetryParked)
	out := json.NewEncoder(stdout)
	out.SetIndent("", "  ")
	if printErr := out.Encode(report); err == nil {
		err = printErr
	}
	return err
}

type acceptClockCommand struct {
	DB string `name:"db" env:"COURTD_DB" default:"courtd.db" help:"The database file. 数据库文件。"`
}

// Run makes this machine's clock the one that counts, although instants that are
// later have been handed out. It is recorded.
func (c acceptClockCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	db, err := openExisting(ctx, c.DB)
	if err != nil {
		return err
	}
	defer closeInto(db, &err)
	before, err := db.ClockState(ctx)
	if err != nil {
		return err
	}
	if err := app.AcceptClock(ctx, db, app.Actor{Role: app.RoleOwner, ID: "command line"}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "clock accepted: it was %d s behind the last instant\n", max(0, int64(before.Last-before.Clock)))
	return err
}
