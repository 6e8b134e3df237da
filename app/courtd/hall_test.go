package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/domain"
	"courtd/reconciler"
	"courtd/sqlite"
)

// hall is a venue in a file named courtd.db, whose clock stands still where a
// test puts it: the program and the sqlite3 command then see the same instant.
type hall struct {
	t           *testing.T
	ctx         context.Context
	folder      string
	db          *sqlite.DB
	app         *app.App
	bank        *sandbox.Provider
	rec         *reconciler.Reconciler
	owner, desk app.Actor
	now         domain.Instant
	zone        *time.Location
}

// instant reads a time with its offset.
func instant(s string) domain.Instant {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return domain.InstantOf(at)
}

// openHall opens an empty file with a clock that stands at an instant.
func openHall(t *testing.T, zone string, start domain.Instant) *hall {
	t.Helper()
	h := &hall{t: t, ctx: context.Background(), folder: t.TempDir()}
	var err error
	h.zone, err = time.LoadLocation(zone)
	h.must(err)
	h.db, err = sqlite.Open(h.ctx, sqlite.Options{Path: h.file(), Wall: func() time.Time { return time.Unix(int64(start), 0) }})
	h.must(err)
	t.Cleanup(func() { h.must(h.db.Close()) })
	h.freeze(start)
	h.bank, err = sandbox.New(h.db)
	h.must(err)
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	h.app = app.New(app.Config{DB: h.db, Providers: []pay.Provider{h.bank}, Channel: notify.NewLog(log), Log: log, Demo: true})
	h.rec = reconciler.New(h.app, log)
	return h
}

// demoHall is the demonstration's venue in Shanghai.
func demoHall(t *testing.T, start string) *hall {
	t.Helper()
	h := openHall(t, "Asia/Shanghai", instant(start))
	h.must(app.SeedDemo(h.ctx, h.db))
	h.owner, h.desk = h.staff("owner", app.RoleOwner), h.staff("desk", app.RoleDesk)
	return h
}

func (h *hall) file() string { return filepath.Join(h.folder, "courtd.db") }

func (h *hall) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// freeze puts the clock to an instant, where it stands.
func (h *hall) freeze(at domain.Instant) {
	h.t.Helper()
	h.must(h.db.SetDemoClock(h.ctx, func(sqlite.ClockState) (domain.Instant, bool) { return at, true }))
	h.now = at
}

// local is an instant on the venue's wall clock, as the views print it.
func (h *hall) local(at domain.Instant) string { return at.In(h.zone).Format(time.DateTime) }

func (h *hall) staff(username string, role app.Role) app.Actor {
	h.t.Helper()
	var m sqlite.Staff
	h.must(h.db.Read(h.ctx, func(s *sqlite.Snapshot) (err error) {
		m, _, err = s.StaffByUsername(username)
		return err
	}))
	return app.Actor{Role: role, ID: m.ID, Name: m.Name, Session: username}
}

// guest signs somebody up under a name.
func (h *hall) guest(name, phone string) app.Actor {
	h.t.Helper()
	sent, err := h.app.SendLoginCode(h.ctx, phone, "")
	h.must(err)
	in, err := h.app.LogIn(h.ctx, phone, sent.Code, "")
	h.must(err)
	who := app.Actor{Role: app.RoleCustomer, ID: in.Customer.ID, Session: phone}
	_, err = h.app.Rename(h.ctx, who, name)
	h.must(err)
	return who
}

// at stops the clock on a wall clock of December 2026: "10 19:10".
func (h *hall) at(local string) { h.freeze(h.slot("", "2026-12-"+local).Start) }

// slot names a slot by court and "2006-01-02 15:04" of the venue.
func (h *hall) slot(court, local string) app.SlotRef {
	h.t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", local, h.zone)
	h.must(err)
	return app.SlotRef{Court: court, Start: domain.InstantOf(at)}
}

// wantSlots asks for slots only.
func wantSlots(refs ...app.SlotRef) app.OrderRequest { return app.OrderRequest{Slots: refs} }

func (h *hall) book(who app.Actor, req app.OrderRequest) app.OrderView {
	h.t.Helper()
	o, _, err := h.app.CreateOrder(h.ctx, who, req, "")
	h.must(err)
	return o
}

// sell books at the desk for somebody without an account.
func (h *hall) sell(who app.Caller, pay string, req app.OrderRequest) app.OrderView {
	h.t.Helper()
	o, _, err := h.app.DeskOrder(h.ctx, h.desk, req, who, pay, "")
	h.must(err)
	return o
}

func (h *hall) open(who app.Actor, o app.OrderView) (outTradeNo string) {
	h.t.Helper()
	p, err := h.app.OpenPayment(h.ctx, who, o.ID, "sandbox", "", "")
	h.must(err)
	return p.OutTradeNo
}

// money lets the bank take the money of an attempt and tell courtd.
func (h *hall) money(outTradeNo string) {
	h.t.Helper()
	headers, body, err := h.bank.Succeed(h.ctx, outTradeNo)
	h.must(err)
	h.must(h.app.TakeNotice(h.ctx, "sandbox", func(k string) string { return headers[k] }, body))
}

func (h *hall) buy(who app.Actor, req app.OrderRequest) app.OrderView {
	h.t.Helper()
	o := h.book(who, req)
	h.money(h.open(who, o))
	o, err := h.app.Order(h.ctx, h.desk, o.ID)
	h.must(err)
	if o.State != "paid" {
		h.t.Fatalf("order %s is %s after its payment", o.Number, o.State)
	}
	return o
}

func (h *hall) cancel(who app.Actor, o app.OrderView) {
	h.t.Helper()
	_, err := h.app.CancelOrder(h.ctx, who, o.ID, "")
	h.must(err)
}

func (h *hall) round() {
	h.t.Helper()
	rep, err := h.rec.RunOnce(h.ctx)
	h.must(err)
	if rep.Settled.Differences != 0 {
		h.t.Fatalf("settling changed %d answers", rep.Settled.Differences)
	}
}

// sqlite3 runs the stock command; a machine without it fails with what to install.
func (h *hall) sqlite3(args ...string) string {
	h.t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		h.t.Fatal("courtd's tests need the sqlite3 command: sudo apt-get install sqlite3")
	}
	return h.command("sqlite3", args...)
}

// command runs a program in the folder of the file and gives what it prints.
func (h *hall) command(name string, args ...string) string {
	h.t.Helper()
	var problems strings.Builder
	cmd := exec.CommandContext(h.ctx, name, args...)
	cmd.Dir, cmd.Stderr = h.folder, &problems
	// Nobody's .sqliterc has a say.
	cmd.Env = append(cmd.Environ(), "HOME="+h.folder)
	out, err := cmd.Output()
	if err = errors.Join(err, complaint(problems.String())); err != nil {
		h.t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out)
}

func complaint(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}
