package app_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	simSteps  = flag.Int("steps", 3000, "steps of the simulation")
	simSeed   = flag.Uint64("sim-seed", 1, "seed of the simulation")
	simFor    = flag.Duration("sim-for", 0, "the simulation goes on at least so long")
	simTrace  = flag.String("trace", "", "a trace to replay, as a failing simulation prints it")
	simShrink = flag.Duration("shrink-for", 90*time.Second, "how long the shortest trace is looked for")
)

// step is one thing that somebody does. Its choices are taken modulo what there is to
// choose from when its time comes, so that any part of a trace is a trace.
type step struct {
	op int // in simOps
	n  [5]uint32
}

// simOp is a kind of step.
type simOp struct {
	name   string
	weight int
	do     func(*world, [5]uint32) error
}

var simOps []simOp

func init() { // some of them look at the table
	simOps = []simOp{
		{"book", 220, simBook}, {"clock", 150, simClock}, {"pay", 110, simOpen}, {"money", 100, simMoney}, {"tell", 50, simTell}, {"ask", 12, simAsk},
		{"cancel", 35, simCancel}, {"desk-cancel", 12, simDeskCancel}, {"desk-order", 40, simDeskOrder}, {"paid", 20, simPaid}, {"move", 50, simMove},
		{"scan", 70, simScan}, {"hand-over", 16, simHandOver}, {"undo", 25, simUndo}, {"forgive", 14, simForgive}, {"goodwill", 12, simGoodwill},
		{"confirm", 8, simConfirm}, {"close", 16, simClose}, {"lift", 14, simLift}, {"policy", 4, simPolicy}, {"price", 4, simPrice}, {"court", 3, simCourt},
		{"stock", 16, simStock}, {"good", 5, simGood}, {"coupon", 16, simCoupon}, {"round", 16, simRound}, {"restart", 1, simRestart}, {"accept", 6, simAccept},
		{"look", 60, simLook},
	}
}

// simEpisode draws the steps of one episode.
func simEpisode(seed, episode uint64) []step {
	r := rand.New(rand.NewPCG(seed, episode))
	all := 0
	for _, op := range simOps {
		all += op.weight
	}
	steps := make([]step, 200+r.IntN(800))
	for i := range steps {
		n := r.IntN(all)
		for n >= simOps[steps[i].op].weight {
			n -= simOps[steps[i].op].weight
			steps[i].op++
		}
		for j := range steps[i].n {
			steps[i].n[j] = r.Uint32() % 1_000_000
		}
	}
	return steps
}

func (s step) String() string {
	out := simOps[s.op].name
	for _, n := range s.n {
		out += "." + strconv.FormatUint(uint64(n), 36)
	}
	return out
}

func parseTrace(text string) (out []step, err error) {
	for _, part := range strings.Split(text, ",") {
		fields := strings.Split(part, ".")
		s := step{op: slices.IndexFunc(simOps, func(o simOp) bool { return o.name == fields[0] })}
		if s.op < 0 || len(fields) != 6 {
			return nil, fmt.Errorf("trace: %q is no step", part)
		}
		for i := range s.n {
			n, err := strconv.ParseUint(fields[i+1], 36, 32)
			if err != nil {
				return nil, fmt.Errorf("trace: %q: %w", part, err)
			}
			s.n[i] = uint32(n)
		}
		out = append(out, s)
	}
	return out, nil
}

// failure is where a trace goes wrong.
type failure struct {
	at    int // after so many steps
	err   error
	lines []string
}

// simRun plays a trace on a fresh club. It says what was seen, and what went wrong.
func simRun(dir string, steps []step, tell, calm bool) (seen map[string]int, bad *failure) {
	var lines []string
	fail := func(at int, err error) (map[string]int, *failure) { return nil, &failure{at, err, lines} }
	dir, err := os.MkdirTemp(dir, "club")
	if err != nil {
		return fail(0, err)
	}
	defer os.RemoveAll(dir)
	w, err := newWorld(dir)
	if err != nil {
		return fail(0, err)
	}
	defer w.stop()
	for i, s := range steps {
		err := w.play(s)
		if tell && w.line != "" {
			lines = append(lines, fmt.Sprintf("%s  %s", w.o.now.In(simZone).Format("02 15:04:05"), w.line))
		}
		if err != nil {
			return fail(i+1, err)
		}
	}
	if !calm {
		return w.seen, nil
	}
	if err := w.calm(); err != nil {
		return fail(len(steps)+1, fmt.Errorf("at the end: %w", err))
	}
	w.seen["an own order/gave_way"], w.seen["a total/came_to_nothing"] = w.o.gaveWay, w.o.cameToNothing
	return w.seen, nil
}

// play carries out one step and compares what it touched, a part of everything else in
// turn, and what must hold of the rows.
func (w *world) play(s step) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	w.line, w.asked, w.touched, w.trouble = "", "", nil, trouble{}
	w.o.now = max(w.o.clock, w.o.last)
	w.steps++
	if err := simOps[s.op].do(w, s.n); err != nil {
		return err
	}
	w.trouble = trouble{}
	if err := w.sound(w.steps%8 == 0); err != nil {
		return err
	}
	if w.steps%500 == 0 {
		return w.whole(false)
	}
	order, p := w.touched, w.proc(uint32(w.steps/2))
	if order == nil && w.steps%4 == 1 {
		order = w.order(uint32(w.steps / 4))
	}
	if order != nil && order.id != "" {
		v, err := p.app.Order(ctx, w.desk, order.id)
		if err != nil {
			return err
		}
		return w.sameOrder(order, v, w.desk, false)
	}
	if w.steps%4 != 3 {
		return w.sameDay(p, w.today()+oTime(w.steps/4%3), w.steps%64 == 0)
	}
	return nil
}

// calm ends an episode: the clock is put right, rounds run until nothing is open, and then
// every answer is compared and every effect must be there.
func (w *world) calm() error {
	if w.o.behind() {
		w.setClock(w.o.last)
	}
	if err := w.whole(false); err != nil {
		return err
	}
	for i := range 4 {
		w.setClock(w.o.clock + []oTime{0, 3 * oHour, 2 * oDay, oHour}[i])
		rep, err := w.procs[i%2].rec.RunOnce(ctx)
		if err == nil && rep.Settled.Differences+rep.Settled.Parked > 0 {
			err = errors.New("the last rounds changed answers")
		}
		if err != nil {
			return err
		}
		if err := w.sameDay(w.procs[(i+1)%2], w.today(), true); err != nil {
			return fmt.Errorf("after the round: %w", err)
		}
	}
	if err := w.whole(true); err != nil {
		return fmt.Errorf("after the last round: %w", err)
	}
	return w.everythingDone()
}

var simZone = time.FixedZone("", int(east))

// simShortest looks for the shortest trace that fails: without chunks, without any step of
// a kind, without single steps, and with smaller choices.
func simShortest(dir string, steps []step, calm bool, deadline time.Time) []step {
	fails := func(try []step) bool {
		if time.Now().After(deadline) {
			return false
		}
		_, bad := simRun(dir, try, false, calm)
		return bad != nil
	}
	if !calm { // the end alone may do
		for size := 8; size < len(steps); size *= 2 {
			if try := steps[len(steps)-size:]; fails(try) {
				steps = try
				break
			}
		}
	}
	for op := range simOps {
		try := slices.DeleteFunc(slices.Clone(steps), func(s step) bool { return s.op == op })
		if len(try) > 0 && len(try) < len(steps) && fails(try) {
			steps = try
		}
	}
	for size := max(1, len(steps)/2); ; size = max(1, size/2) {
		for i := 0; i < len(steps); {
			try := slices.Concat(steps[:i], steps[min(len(steps), i+size):])
			if len(try) > 0 && fails(try) {
				steps = try
			} else {
				i += size
			}
		}
		if size == 1 {
			break
		}
	}
	for i := range steps {
		for j := range steps[i].n {
			for _, small := range []uint32{0, steps[i].n[j] % 8, steps[i].n[j] % 64} {
				try := slices.Clone(steps)
				if try[i].n[j] = small; small < steps[i].n[j] && fails(try) {
					steps = try
					break
				}
			}
		}
	}
	return steps
}

// simReport says how to see a failure again.
func simReport(t *testing.T, dir string, steps []step, seed uint64, total int) {
	t.Helper()
	_, bad := simRun(dir, steps, false, true)
	short := steps
	if bad != nil {
		short = simShortest(dir, steps, bad.at > len(steps), time.Now().Add(*simShrink))
	}
	if _, bad = simRun(dir, short, true, true); bad == nil {
		short = steps
		if _, bad = simRun(dir, short, true, true); bad == nil {
			t.Fatal("the failure did not come again")
		}
	}
	var trace []string
	for _, s := range short[:min(len(short), max(1, bad.at))] {
		trace = append(trace, s.String())
	}
	t.Fatalf("%v\nthe shortest trace found has %d steps:\n  %s\nreplay it with\n  make sim TRACE=%s\nor its whole seed with\n  make sim SEED=%d STEPS=%d",
		bad.err, len(trace), strings.Join(bad.lines, "\n  "), strings.Join(trace, ","), seed, total)
}

// TestSimulation: days of customers, desk and bank in a small club whose clock jumps and
// whose reconciler is late, dead or killed, in two processes; after every step the same
// answers as the oracle. Everything that can happen must have happened.
func TestSimulation(t *testing.T) {
	simFile(t)
	dir := t.TempDir()
	if *simTrace != "" {
		steps, err := parseTrace(*simTrace)
		if err != nil {
			t.Fatal(err)
		}
		_, bad := simRun(dir, steps, true, true)
		if bad != nil {
			t.Fatalf("after %d steps: %v\n  %s", bad.at, bad.err, strings.Join(bad.lines, "\n  "))
		}
		return
	}
	began := time.Now()
	var mu sync.Mutex
	var all sync.WaitGroup
	seen, done, next := map[string]int{}, 0, uint64(0)
	var failed []step
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for {
				mu.Lock()
				enough := done >= *simSteps && time.Since(began) >= *simFor
				episode := next
				if next++; enough || failed != nil {
					mu.Unlock()
					return
				}
				mu.Unlock()
				steps := simEpisode(*simSeed, episode)
				saw, bad := simRun(dir, steps, false, true)
				mu.Lock()
				if done += len(steps); bad != nil && failed == nil {
					failed = steps[:min(len(steps), bad.at)]
					t.Logf("seed %d, episode %d, after %d steps in all: %v", *simSeed, episode, done, bad.err)
				}
				for what, n := range saw {
					seen[what] += n
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if failed != nil {
		simReport(t, dir, failed, *simSeed, *simSteps)
	}
	took := time.Since(began)
	t.Logf("seed %d: %d steps in %d episodes in %s, %.0f a second", *simSeed, done, next, took.Round(time.Millisecond), float64(done)/took.Seconds())
	simCovered(t, seen, done)
}
