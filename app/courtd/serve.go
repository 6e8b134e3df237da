package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/notify/webhook"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
	"courtd/app/secret"
	"courtd/reconciler"
	"courtd/sqlite"
	"courtd/web"
	"courtd/web/api"
)

// How the program ends: requests in flight may take drainTimeout; connections on
// which nothing has happened for quietTime are not waited for.
const (
	drainTimeout = 15 * time.Second
	quietTime    = time.Second
)

// serving are the flags that every serving command has.
type serving struct {
	Listen         string         `env:"COURTD_LISTEN" default:"127.0.0.1:8080" help:"Address and port to serve on. 监听地址。"`
	ReconcileEvery every          `env:"COURTD_RECONCILE_EVERY" default:"5m" help:"Time between rounds of the reconciler; 0 turns it off. 对账间隔，0 为关闭。"`
	TrustedProxy   []netip.Prefix `env:"COURTD_TRUSTED_PROXY" help:"Networks of proxies whose X-Forwarded-For is believed, such as 127.0.0.1/32. 可信代理。"`
	LogLevel       slog.Level     `env:"COURTD_LOG_LEVEL" default:"info" help:"debug, info, warn or error. 日志级别。"`
}

// every is a duration that may be written as a bare 0.
type every time.Duration

// UnmarshalText reads "5m" or "0".
func (e *every) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < 0 {
		return errors.New("want a duration such as 5m, or 0")
	}
	*e = every(d)
	return nil
}

type serveCommand struct {
	DB            string `name:"db" env:"COURTD_DB" default:"courtd.db" help:"The database file that courtd init has made. 数据库文件。"`
	Setup         bool   `env:"COURTD_SETUP" help:"If the file is missing or holds no venue yet, make it and let it be set up in a browser. 没有场馆时在浏览器里设置。"`
	SecureCookies bool   `env:"COURTD_SECURE_COOKIES" help:"Mark cookies Secure; set it when visitors come by HTTPS. 通过 HTTPS 访问时设置。"`
	outside
	serving
}

// Run serves a venue until it is told to stop.
func (c serveCommand) Run(ctx context.Context, stdout io.Writer) (err error) {
	reached := c.reach()
	if err := reached.failed(); err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer closeInto(db, &err)
	demo, exists, err := app.IsDemo(ctx, db)
	switch {
	case err != nil:
		return err
	case demo:
		return fmt.Errorf("%s is a demonstration and is not served as a real venue; use courtd demo", c.DB)
	case !exists && !c.Setup:
		return fmt.Errorf("%s holds no venue yet; set it up in a browser with courtd serve --setup --db %s, or with courtd init --db %s", c.DB, c.DB, c.DB)
	}
	log := c.logger()
	for _, p := range reached.problems {
		log.Warn("setting", "problem", p.String())
	}
	_, hadKey := os.Stat(c.DB + ".key")
	key, err := loadSecretKey(c.SecretKeyFile, c.DB)
	if err != nil {
		return err
	}
	a := newApp(db, log, appParts{world: reached, key: key, rounds: c.ReconcileEvery})
	if c.SecretKeyFile == "" && errors.Is(hadKey, fs.ErrNotExist) {
		warnOfNewKey(ctx, log, a)
	}
	v := house{secure: c.SecureCookies, file: c.DB, keyFile: cmp.Or(c.SecretKeyFile, c.DB+".key")}
	if !exists {
		v.setUpToken, _ = secret.NewToken()
	}
	return c.serve(ctx, stdout, log, a, v)
}

// warnOfNewKey says that webhooks have other secrets than before, if there are any: their
// key was not beside the file any more.
func warnOfNewKey(ctx context.Context, log *slog.Logger, a *app.App) {
	venue, _, _, err := a.Venue(ctx)
	if err == nil && len(venue.Messages.Webhooks) > 0 {
		log.Warn("密钥文件不见了，已重新生成：所有推送的密钥都变了，请放回备份或到 /owner/webhooks 逐个告知接收方 · "+
			"the key file was gone and was made anew: every webhook has another secret now; put the backup's in its place, or tell each receiver the new one of /owner/webhooks",
			"webhooks", len(venue.Messages.Webhooks))
	}
}

// open makes the file only when it is asked to: a mistyped --db must not look like a
// venue that has lost everything.
func (c serveCommand) open(ctx context.Context) (*sqlite.DB, error) {
	if c.Setup {
		return sqlite.Open(ctx, sqlite.Options{Path: c.DB, Create: true})
	}
	return openExisting(ctx, c.DB)
}

// openExisting opens a venue's file, or says how to make one.
func openExisting(ctx context.Context, path string) (*sqlite.DB, error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, MustExist: true})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s; make one with courtd serve --setup --db %s or courtd init --db %s, or name yours with --db", path, path, path)
	}
	return db, err
}

func (s serving) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: s.LogLevel}))
}

// appParts are what the use cases are wired with, besides the database.
type appParts struct {
	bank   *sandbox.Provider // makes it a demonstration
	world  world
	key    []byte // from which the secrets of webhooks follow; none without
	rounds every
	derive bool // keep no answer about a day
}

// newApp wires the use cases.
func newApp(db *sqlite.DB, log *slog.Logger, parts appParts) *app.App {
	c := app.Config{DB: db, Channel: notify.NewLog(log), Channels: parts.world.channels, Providers: parts.world.providers(), Log: log,
		Demo: parts.bank != nil, RoundsEvery: time.Duration(parts.rounds), NoKeptDays: parts.derive}
	if parts.bank != nil {
		c.Providers = []pay.Provider{parts.bank}
	}
	if parts.key != nil {
		c.Webhooks = webhooks{master: parts.key, client: webhook.NewClient()}
	}
	if parts.world.api != nil {
		c.WeChat, c.Shipper = miniProgram{parts.world.api}, miniProgram{parts.world.api}
	}
	return app.New(c)
}

// house is what differs between one venue's service and another's.
type house struct {
	demo       *api.Demo // nil outside a demonstration
	secure     bool      // cookies are for HTTPS alone
	file       string
	keyFile    string // empty in a demonstration
	setUpToken string // empty when there is nothing to set up
}

// serve runs until ctx ends, then stops in reverse order: no new requests and
// those in flight finished, then the schedule, then (by the caller) the database.
func (s serving) serve(ctx context.Context, stdout io.Writer, log *slog.Logger, a *app.App, v house) error {
	rec := reconciler.New(a, log)
	var inFlight atomic.Int64
	server, err := web.New(web.Config{App: a, InFlight: &inFlight, Run: roundByHand(a, rec), Demo: v.demo, TrustedProxies: s.TrustedProxy,
		SecureCookies: v.secure, Log: log, Version: version, SetUpToken: v.setUpToken})
	if err != nil {
		return fmt.Errorf("make the server: %w", err)
	}
	listener, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return cannotListen(s.Listen, err)
	}
	// Only now: a program that cannot be started must not speak for the one that serves.
	leave, alone := beAlone(v.keyFile)
	defer leave()
	if err := a.NoteChannels(ctx, alone); err != nil {
		return errors.Join(err, listener.Close())
	}
	var schedule *reconciler.Schedule
	if s.ReconcileEvery > 0 {
		if schedule, err = rec.Start(context.WithoutCancel(ctx), time.Duration(s.ReconcileEvery)); err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	announce(stdout, "http://"+listener.Addr().String(), v)
	failed := make(chan error, 1)
	go func() { failed <- server.Listener(listener) }()
	select {
	case <-ctx.Done():
		log.Info("stopping: finishing what is in flight")
		err = drain(server, &inFlight)
	case err = <-failed:
	}
	if schedule != nil {
		err = errors.Join(err, schedule.Stop())
	}
	log.Info("stopped")
	return err
}

// drain accepts nothing new and waits until what is in flight has been answered. A
// client may keep a connection open without ever asking anything: such a one
// counts as done when nothing has been in flight for a while.
func drain(server *fiber.App, inFlight *atomic.Int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- server.ShutdownWithContext(ctx) }()
	for quiet := false; ; {
		pause, done := context.WithTimeout(ctx, quietTime)
		select {
		case err := <-closed:
			done()
			return err
		case <-pause.Done():
			done()
		}
		idle := inFlight.Load() == 0
		if quiet && idle {
			return nil
		}
		quiet = idle
		if ctx.Err() != nil {
			return fmt.Errorf("%d requests were still in flight after %s", inFlight.Load(), drainTimeout)
		}
	}
}

// cannotListen says what to do about an address that cannot be had.
func cannotListen(address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("another program uses %s; stop it or choose another port, such as --listen 127.0.0.1:8090", address)
	}
	return fmt.Errorf("cannot listen on %s: %w", address, err)
}

func announce(stdout io.Writer, address string, v house) {
	demo := v.demo
	if demo == nil {
		fmt.Fprintf(stdout, "courtd serves at %s\n", address)
		if v.setUpToken != "" {
			fmt.Fprintf(stdout, "There is no venue yet. Set it up in a browser · 还没有场馆，请在浏览器里设置:\n%s/setup?token=%s\n", address, v.setUpToken)
		}
		return
	}
	fmt.Fprintf(stdout, `courtd demo · 演示场馆

  订场 book      %[1]s/          任意手机号登录，验证码直接显示 · any phone number; the code is shown
  前台 desk      %[1]s/desk      %[2]s / %[3]s
  馆主 owner     %[1]s/owner     %[4]s / %[5]s
  优惠 coupons   %[7]s
  接口 API       %[1]s/docs
  时钟 clock     curl -X POST %[1]s/demo/clock -H 'Content-Type: application/json' -d '{"advance":"10m"}'
  文件 file      %[6]s

按 Ctrl-C 结束 · Ctrl-C ends it
`, address, demo.Info.Accounts["desk"].Username, demo.Info.Accounts["desk"].Password,
		demo.Info.Accounts["owner"].Username, demo.Info.Accounts["owner"].Password, v.file, couponWords(demo.Info.Coupons))
}

// roundByHand is what the owner's "run now" does.
func roundByHand(a *app.App, rec *reconciler.Reconciler) func(context.Context, bool, bool) (any, error) {
	return func(ctx context.Context, dryRun, retryParked bool) (any, error) {
		if dryRun {
			return foresee(ctx, a)
		}
		if retryParked {
			return rec.RunRetrying(ctx)
		}
		return rec.RunOnce(ctx)
	}
}

// foreseen is what a round would do now.
type foreseen struct {
	DryRun      bool               `json:"dry_run"`
	WouldSettle []app.Foreseen     `json:"would_settle"`
	Waiting     app.ReconcilerView `json:"waiting"`
}

func foresee(ctx context.Context, a *app.App) (foreseen, error) {
	endings, waiting, err := a.Foresee(ctx)
	return foreseen{DryRun: true, WouldSettle: endings, Waiting: waiting}, err
}
