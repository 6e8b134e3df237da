// Package reconciler is a schedule around the use cases that write down what
// time has decided and carry out what was caused. It holds no rules: killed for a
// month, every answer stays right and only messages and refunds are late.
package reconciler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/go-co-op/gocron/v2"
	"github.com/google/uuid"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// A round's budgets; what it did not reach is due in the next. Whoever is asked
// outside may keep silent, and that must leave time for what needs nobody.
const (
	roundBudget  = 4 * time.Minute
	askBudget    = time.Minute // for all questions about payments
	refundBudget = time.Minute // for all refunds
	billBudget   = time.Minute // for one bill of WeChat's
	recordBudget = 10 * time.Second
)

// Report says what one round did.
type Report struct {
	Asked     app.AskReport     `json:"asked"`
	Settled   app.SettleReport  `json:"settled"`
	Unparked  int               `json:"unparked"`
	Refunds   app.RefundReport  `json:"refunds"`
	Reminders int               `json:"reminders"`
	Notices   app.DeliverReport `json:"notices"`
	Shipments app.ShipReport    `json:"shipments"`
	Bills     app.BillsReport   `json:"bills"`
}

// Reconciler runs rounds, by hand or on a schedule.
type Reconciler struct {
	app *app.App
	log *slog.Logger
}

// New makes a Reconciler for an App.
func New(a *app.App, log *slog.Logger) *Reconciler { return &Reconciler{app: a, log: log} }

// RunOnce carries out one round: ask the providers, settle what has ended, send
// refunds, queue reminders, deliver notices, fetch a bill. Each step looks for what should
// have been done and is not, so that a round that failed is made up by the next.
// A step that fails does not keep the later ones from running.
func (r *Reconciler) RunOnce(ctx context.Context) (Report, error) {
	return r.round(ctx, false)
}

// RunRetrying is RunOnce, and tries again what was parked for staff.
func (r *Reconciler) RunRetrying(ctx context.Context) (Report, error) {
	return r.round(ctx, true)
}

func (r *Reconciler) round(ctx context.Context, retryAll bool) (rep Report, err error) {
	ctx, cancel := context.WithTimeout(ctx, roundBudget)
	defer cancel()
	started, err := r.app.Now(ctx)
	if err != nil {
		return rep, fmt.Errorf("begin a round: %w", err)
	}
	var unanswered map[string]bool
	var problems []error
	step := func(name string, budget time.Duration, do func(context.Context) error) {
		ctx, cancel := context.WithTimeout(ctx, budget)
		defer cancel()
		if err := caught(func() error { return do(ctx) }); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
	}
	step("ask providers", askBudget, func(ctx context.Context) (err error) {
		rep.Asked, unanswered, err = r.app.AskProviders(ctx)
		return err
	})
	step("settle", roundBudget, func(ctx context.Context) error { return r.settle(ctx, &rep, unanswered) })
	step("retry parked effects", roundBudget, func(ctx context.Context) (err error) {
		rep.Unparked, err = r.app.RetryParked(ctx, retryAll)
		return err
	})
	step("refunds", refundBudget, func(ctx context.Context) (err error) {
		rep.Refunds, err = r.app.DriveRefunds(ctx)
		return err
	})
	step("reminders", roundBudget, func(ctx context.Context) (err error) {
		rep.Reminders, err = r.app.QueueReminders(ctx)
		return err
	})
	step("housekeeping", roundBudget, r.app.Housekeep)
	step("notices", roundBudget, func(ctx context.Context) (err error) {
		rep.Notices, err = r.app.DeliverNotices(ctx)
		return err
	})
	step("shipments", refundBudget, func(ctx context.Context) (err error) {
		rep.Shipments, err = r.app.DriveShipments(ctx)
		return err
	})
	step("bills", billBudget, func(ctx context.Context) (err error) {
		rep.Bills, err = r.app.FetchMissingBill(ctx)
		return err
	})
	return rep, r.record(ctx, started, rep, errors.Join(problems...))
}

// record keeps what a round did, also when it ran out of time or was stopped.
func (r *Reconciler) record(ctx context.Context, started domain.Instant, rep Report, err error) error {
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordBudget)
	defer cancel()
	if recordErr := r.app.RecordRun(ctx, started, rep, problem); recordErr != nil {
		err = errors.Join(err, fmt.Errorf("record the round: %w", recordErr))
	}
	return err
}

// settle works through all that is due, in batches, oldest first.
func (r *Reconciler) settle(ctx context.Context, rep *Report, skip map[string]bool) error {
	var at sqlite.Cursor
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		did, next, done, err := r.app.SettleDue(ctx, at, skip)
		rep.Settled.Settled += did.Settled
		rep.Settled.Parked += did.Parked
		rep.Settled.Differences += did.Differences
		if err != nil || done {
			return err
		}
		at = next
	}
}

// caught turns a panic into an error with its stack.
func caught(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// Schedule is a running schedule; Stop ends it.
type Schedule struct {
	scheduler gocron.Scheduler
	cancel    context.CancelFunc
	round     chan struct{} // holds one token while a round runs
	done      chan struct{}
}

// stopTimeout is how long Stop waits for a round to finish what it is doing.
const stopTimeout = 20 * time.Second

// Start runs a round now and then one every interval, and carries out between
// rounds what the use cases wake. Rounds never overlap in one process; that two
// processes may both run them is safe, because every claim is settled by one
// conditional update, and so there is no lock between them.
func (r *Reconciler) Start(ctx context.Context, every time.Duration) (*Schedule, error) {
	if every <= 0 {
		return nil, domain.BadField("reconcile_every", "must be positive")
	}
	ctx, cancel := context.WithCancel(ctx)
	scheduler, err := gocron.NewScheduler(gocron.WithStopTimeout(stopTimeout))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("make scheduler: %w", err)
	}
	s := &Schedule{scheduler: scheduler, cancel: cancel, round: make(chan struct{}, 1), done: make(chan struct{})}
	_, err = scheduler.NewJob(gocron.DurationJob(every),
		gocron.NewTask(func() error { return r.scheduled(ctx, s.round) }),
		gocron.WithName("reconcile"),
		gocron.WithSingletonMode(gocron.LimitModeReschedule),
		gocron.WithStartAt(gocron.WithStartImmediately()),
		gocron.WithEventListeners(
			gocron.AfterJobRunsWithError(func(_ uuid.UUID, name string, err error) { r.log.Error("round failed", "job", name, "error", err) }),
			gocron.AfterJobRunsWithPanic(func(_ uuid.UUID, name string, p any) { r.log.Error("round panicked", "job", name, "panic", p) }),
		))
	if err != nil {
		cancel()
		return nil, errors.Join(fmt.Errorf("schedule rounds: %w", err), scheduler.Shutdown())
	}
	scheduler.Start()
	go r.serveWakes(ctx, s.done)
	return s, nil
}

// scheduled is one round on the schedule; it never panics, and does not begin
// after a stop.
func (r *Reconciler) scheduled(ctx context.Context, round chan struct{}) error {
	round <- struct{}{}
	defer func() { <-round }()
	if ctx.Err() != nil {
		return nil
	}
	if _, _, _, err := r.app.Venue(ctx); domain.IsReason(err, "not_set_up") {
		return nil // there is nothing yet that could have ended
	}
	var rep Report
	err := caught(func() (err error) {
		rep, err = r.RunOnce(ctx)
		return err
	})
	if err == nil {
		r.log.Info("round done", "settled", rep.Settled.Settled, "asked", rep.Asked.Asked, "refunds", rep.Refunds.Done, "notices", rep.Notices.Sent)
	}
	return err
}

// serveWakes sends at once what use cases have just caused. What it misses, the
// next round does. Messages, refunds and word to WeChat go out beside each other: what is
// slow keeps nothing waiting but its own.
func (r *Reconciler) serveWakes(ctx context.Context, done chan struct{}) {
	defer close(done)
	var sending sync.WaitGroup
	defer sending.Wait()
	refunds := r.beside(ctx, &sending, func(ctx context.Context) error {
		_, err := r.app.DriveRefunds(ctx)
		return err
	})
	shipments := r.beside(ctx, &sending, func(ctx context.Context) error {
		_, err := r.app.DriveShipments(ctx)
		return err
	})
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.app.Woken():
		}
		refunds()
		shipments()
		sending.Go(func() { r.try(ctx, r.app.DeliverWoken) })
	}
}

func (r *Reconciler) try(ctx context.Context, send func(context.Context) error) {
	if err := caught(func() error { return send(ctx) }); err != nil && ctx.Err() == nil {
		r.log.Error("sending between rounds failed", "error", err)
	}
}

// beside serves wakes of one kind by itself, one after another, each within the budget
// that a round has for it. Wakes that come meanwhile are one.
func (r *Reconciler) beside(ctx context.Context, all *sync.WaitGroup, send func(context.Context) error) (wake func()) {
	woken := make(chan struct{}, 1)
	all.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-woken:
			}
			r.try(ctx, func(ctx context.Context) error {
				limited, cancel := context.WithTimeout(ctx, refundBudget)
				defer cancel()
				err := send(limited)
				if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
					return nil // the rest is the next round's
				}
				return err
			})
		}
	})
	return func() {
		select {
		case woken <- struct{}{}:
		default:
		}
	}
}

// Stop lets a running round finish its current step and ends the schedule.
func (s *Schedule) Stop() error {
	s.cancel()
	// gocron's own wait keeps a processor busy, so it finds nothing to wait for.
	limit, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	select {
	case s.round <- struct{}{}:
		<-s.round
	case <-limit.Done():
	}
	err := s.scheduler.Shutdown()
	<-s.done
	if err != nil {
		return fmt.Errorf("stop the schedule: %w", err)
	}
	return nil
}
