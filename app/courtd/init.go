package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"courtd/app"
	"courtd/app/secret"
	"courtd/sqlite"
)

type initCommand struct {
	DB            string   `name:"db" env:"COURTD_DB" default:"courtd.db" help:"The database file. 数据库文件。"`
	Name          string   `env:"COURTD_NAME" required:"" help:"The venue's name. 场馆名称。"`
	Zone          string   `env:"COURTD_ZONE" default:"Asia/Shanghai" help:"The venue's time zone. 时区。"`
	Courts        int      `env:"COURTD_COURTS" default:"6" help:"How many courts, named 1号场, 2号场, … 场地数。"`
	Court         []string `env:"COURTD_COURT" help:"The courts' names instead, in order; may be repeated. 场地名称。"`
	Owner         string   `env:"COURTD_OWNER" default:"owner" help:"The owner's user name. 馆主账号。"`
	OwnerPassword string   `env:"COURTD_OWNER_PASSWORD" hidden:""`
	PasswordFile  string   `env:"COURTD_OWNER_PASSWORD_FILE" help:"A file whose first line is the owner's password; COURTD_OWNER_PASSWORD may hold it too. Without either one is made up and shown once. 馆主密码文件。"`
}

// Run makes the database and the venue, or changes nothing.
func (c initCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	password, madeUp, err := c.password()
	if err != nil {
		return err
	}
	courts := c.Court
	if len(courts) == 0 {
		for i := range min(max(c.Courts, 0), 1000) {
			courts = append(courts, fmt.Sprintf("%d号场", i+1))
		}
	}
	set := app.SetUp{Name: c.Name, Zone: c.Zone, Courts: courts, Owner: app.NewStaff{Username: c.Owner, Password: password}}
	if err := set.Check(); err != nil {
		return err // before there is a file
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: c.DB, Create: true})
	if err != nil {
		return err
	}
	defer closeInto(db, &err)
	a := app.New(app.Config{DB: db})
	if err := a.SetUpVenue(ctx, set); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s, %d courts, %s. Owner: %s\n", c.DB, c.Name, len(courts), c.Zone, c.Owner)
	if madeUp {
		fmt.Fprintf(stdout, "The owner's password, shown this once: %s\n", password)
	}
	fmt.Fprintf(stdout, "Next: courtd serve --db %s\n", c.DB)
	return nil
}

func (c initCommand) password() (password string, madeUp bool, err error) {
	if c.PasswordFile != "" {
		text, err := os.ReadFile(c.PasswordFile)
		if err != nil {
			return "", false, fmt.Errorf("read the owner's password: %w", err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		return strings.TrimRight(first, "\r"), false, nil
	}
	if c.OwnerPassword != "" {
		return c.OwnerPassword, false, nil
	}
	return secret.NewTicketCode(), true, nil
}

// closeInto closes the database and keeps its error when there is no other.
func closeInto(db *sqlite.DB, err *error) {
	if closeErr := db.Close(); *err == nil && closeErr != nil {
		*err = fmt.Errorf("close the database: %w", closeErr)
	}
}
