package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

var (
	crashKills = flag.Int("crashes", 15, "how often the crash test kills the program")
	crashSeed  = flag.Uint64("seed", 20261210, "seed of the crash test")
)

const (
	crashClients = 8
	crashPerFile = 100
	crashRepeats = 25 // of what was acknowledged in a cycle
)

// crashClub is a club on one file whose programs are killed all the time.
type crashClub struct {
	t           *testing.T
	path        string
	p           *program // that serves now
	desk, owner string   // tokens
	now         time.Time
	file        int        // of the files of a run
	seed        uint64     // of this file
	dice        *crashDice // of the cycle
	memory      *crashMemory

	afterKill []func() // what an aim wants to know of the file

	kills int // of this file's programs
	*crashFigures

	mu     sync.Mutex
	first  chan struct{} // closed at the first answer of a cycle
	lastly map[*program]time.Time
	gap    map[*program]time.Duration // the longest time without any answer
}

// crashFigures are what the kills have hit, on all files together.
type crashFigures struct {
	refused  map[string]int
	did      map[string]int
	all      int // kills
	inFlight int // requests without an answer
	busyKill int // kills with such
	rounds   int // kills with a round that had settled some and not all
	refunds  int // kills with a refund that the bank had or was about to have, and courtd had not heard of
	starts   int // kills of a program that was only starting
	beside   int // kills beside a program that went on
	lost     int
	doubled  int
	worst    time.Duration // without an answer from a program beside the killed one

	orders, paid, inside, gone, payments int
}

// TestCrash: the program under load is killed at any moment, in the middle of a round and
// of a refund too. After every restart all that was acknowledged is there, what was not is there
// wholly or not at all, and nothing has happened twice.
func TestCrash(t *testing.T) {
	f := &crashFigures{refused: map[string]int{}, did: map[string]int{}}
	began := time.Now()
	for f.all < *crashKills {
		// History accumulates in a file, but not for ever: looking through it takes longer each time.
		c := newCrashClub(t, f)
		for most := min(crashPerFile, *crashKills-f.all); c.kills < most && !t.Failed(); {
			c.cycle()
		}
		if t.Failed() {
			t.Fatalf("seed %d, file %d", *crashSeed, c.file)
		}
		c.epilogue()
		c.count()
		t.Logf("%d kills in %s", f.all, time.Since(began).Round(time.Second))
	}
	t.Logf("seed %d: %d kills in %s; %d of them with requests in flight (%d requests), %d in an unfinished round, %d with a refund under way, %d of a program that was starting, %d beside another (longest wait for an answer there %s)",
		*crashSeed, f.all, time.Since(began).Round(time.Second), f.busyKill, f.inFlight, f.rounds, f.refunds, f.starts, f.beside, f.worst.Round(time.Millisecond))
	t.Logf("%d orders acknowledged (%d paid, %d checked in, %d cancelled), %d payments; lost %d, doubled %d; did %v, refused %v",
		f.orders, f.paid, f.inside, f.gone, f.payments, f.lost, f.doubled, f.did, f.refused)
	if n := f.refused["invalid_field"]; n != 0 {
		t.Errorf("%d requests were wrong in themselves", n)
	}
	least := max(1, f.all/15)
	for what, n := range map[string]int{"kills with a request in flight": f.busyKill, "kills within a round": f.rounds, "kills within a refund": f.refunds,
		"kills of a program that starts": f.starts, "kills beside another program": f.beside, "paid orders": f.paid, "check-ins": f.inside, "cancellations": f.gone,
		"late payments": f.did["late"], "sales at the desk": f.did["sell"], "goodwills": f.did["goodwill"], "cancellations at the desk": f.did["desk cancel"], "receipts": f.did["receipt"]} {
		if n < least {
			t.Errorf("covered too little: %d %s", n, what)
		}
	}
}

// count adds what this file's clients were told.
func (c *crashClub) count() {
	for _, o := range c.memory.orders {
		c.orders++
		c.paid, c.inside, c.gone = c.paid+crashOne(o.paid), c.inside+crashOne(o.inside), c.gone+crashOne(o.gone)
	}
	c.payments += len(c.memory.money)
}

func crashOne(b bool) int {
	if b {
		return 1
	}
	return 0
}

func newCrashClub(t *testing.T, f *crashFigures) *crashClub {
	t.Helper()
	now, err := time.Parse(time.RFC3339, programNoon)
	programOK(t, err)
	c := &crashClub{t: t, path: filepath.Join(t.TempDir(), "demo.db"), now: now, file: f.all / crashPerFile, memory: newCrashMemory(), crashFigures: f}
	c.seed = *crashSeed + uint64(c.file)
	c.p = programStart(t, nil, programDemoArgs(c.path)...)
	club := &programClub{program: c.p}
	c.desk, c.owner = club.staff("desk"), club.staff("owner")
	club.owner = c.owner
	club.policy(programBody{"check_in_before_minutes": 1440, "refund_ladder": []programBody{{"hours_before": 0, "percent": 100}}, "max_live_orders": 100,
		"max_slots_per_day": 96, "strikes": 0})
	c.p.send(programAsk{method: http.MethodPut, path: "/api/v1/owner/hours", token: c.owner, body: programBody{"slot_minutes": 30}}).wants(200)
	for n := 7; n <= crashCourts; n++ {
		c.p.post("/api/v1/owner/courts", c.owner, programBody{"name": fmt.Sprintf("%d号场", n)}).wants(201)
	}
	for n := range 3 {
		c.p.post(fmt.Sprintf("/api/v1/owner/goods/g%d/receipts", n+1), c.owner, programBody{"qty": 500}).wants(200)
	}
	return c
}

// heard notes that a program has answered somebody.
func (c *crashClub) heard(p *program) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if before, ok := c.lastly[p]; ok {
		c.gap[p] = max(c.gap[p], now.Sub(before))
	} else if len(c.lastly) == 0 {
		close(c.first)
	}
	c.lastly[p] = now
}

// cycle loads the program, kills it, starts it again and looks.
func (c *crashClub) cycle() {
	c.t.Helper()
	c.dice = newCrashDice(c.seed, uint64(c.kills))
	c.first, c.lastly, c.gap = make(chan struct{}), map[*program]time.Time{}, map[*program]time.Duration{}
	c.moveOn(c.dice.between(11*time.Minute, 70*time.Minute))
	kind := c.kind()
	var aim crashAim
	switch kind {
	case "round":
		aim = c.aimAtRound()
	case "refund":
		aim = c.aimAtRefund()
	}
	var beside *program
	if kind == "beside" {
		beside = programStart(c.t, nil, programDemoArgs(c.path)...)
	}
	clients, stop, ended := c.load(beside)
	<-c.first
	if aim != nil {
		aim()
	} else {
		time.Sleep(c.dice.between(5*time.Millisecond, 400*time.Millisecond))
	}
	c.p.kill()
	c.kills, c.all = c.kills+1, c.all+1
	if beside != nil {
		time.Sleep(100 * time.Millisecond) // it goes on
		c.beside++
	}
	close(stop)
	ended.Wait()
	if beside != nil {
		c.worst = max(c.worst, c.gap[beside])
		if c.gap[beside] > 2*time.Second {
			c.t.Errorf("after kill %d: the other program gave no answer for %s", c.kills, c.gap[beside])
		}
	}
	fresh, deeds, doubts := c.gather(clients)
	for _, look := range c.afterKill {
		look()
	}
	c.afterKill = nil
	if kind == "start" {
		c.killAtStart()
	}
	c.p = programStart(c.t, nil, programDemoArgs(c.path)...)
	c.check(fresh, deeds, doubts)
	if beside != nil {
		beside.kill()
	}
}

// kind is what this cycle's kill is aimed at: what has been hit least often, so that few
// kills hit everything; an aim that was missed is tried again.
func (c *crashClub) kind() string {
	hit := map[string]int{"any": c.all - c.rounds - c.refunds - c.starts - c.beside, "round": c.rounds, "refund": c.refunds, "start": c.starts, "beside": c.beside}
	return slices.MinFunc([]string{"start", "beside", "round", "refund", "any"}, func(a, b string) int { return hit[a] - hit[b] })
}

// moveOn moves the venue's clock, which stands still otherwise.
func (c *crashClub) moveOn(by time.Duration) {
	c.t.Helper()
	c.now = c.now.Add(by.Truncate(time.Minute))
	c.p.post("/demo/clock", "", programBody{"set": c.now.Format(time.RFC3339)}).wants(200)
}

// load lets clients act on the programs until they get no answer or stop is closed.
func (c *crashClub) load(beside *program) (clients []*crashClient, stop chan struct{}, ended *sync.WaitGroup) {
	c.t.Helper()
	tokens := c.people(crashClients)
	late := c.lapsed()
	stop, ended = make(chan struct{}), &sync.WaitGroup{}
	for i, token := range tokens {
		client := &crashClient{crashMemory: newCrashMemory(), club: c, p: c.p, token: token, name: fmt.Sprintf("%d-%d", c.kills, i),
			dice: newCrashDice(c.seed, uint64(c.kills)<<32|uint64(i+1)), refused: map[string]int{}}
		if beside != nil && i%2 == 0 {
			client.p, client.mustAnswer = beside, true
		}
		for n := i; n < len(late) && n < 3*len(tokens); n += len(tokens) {
			client.hold = append(client.hold, late[n])
		}
		clients = append(clients, client)
		ended.Go(func() { client.act(stop) })
	}
	return clients, stop, ended
}

// people signs some new customers in.
func (c *crashClub) people(n int) []string {
	c.t.Helper()
	tokens := make([]string, n)
	programTogether(c.t, n, func(i int) (err error) {
		tokens[i], err = c.p.signIn(fmt.Sprintf("139%08d", len(c.memory.phones)+i))
		return err
	})
	for i, token := range tokens {
		c.memory.phones[token] = fmt.Sprintf("139%08d", len(c.memory.phones)+i)
	}
	return tokens
}

// lapsed are orders that nobody has paid in time and that have an attempt still.
func (c *crashClub) lapsed() (out []*crashOrder) {
	for _, o := range c.memory.orders {
		if o.state == "held" && o.maybe == nil && len(o.numbers) > 0 && !o.late {
			out = append(out, o)
		}
	}
	slices.Reverse(out) // the latest first
	return out
}

// gather takes over what the clients of a cycle know.
func (c *crashClub) gather(clients []*crashClient) (fresh []*crashOrder, deeds, doubts []crashDeed) {
	inFlight := 0
	for _, client := range clients {
		fresh = append(fresh, client.orders...)
		c.memory.merge(client.crashMemory)
		for _, d := range client.deeds {
			c.did[d.kind]++
			if d.order != nil && d.order.late && d.kind == "succeed" {
				c.did["late"]++
				fresh = append(fresh, d.order)
			}
		}
		for reason, n := range client.refused {
			c.refused[reason] += n
		}
		deeds, doubts = append(deeds, client.deeds...), append(doubts, client.doubts...)
		inFlight += client.inFlight
	}
	for _, d := range doubts {
		if d.order != nil && d.order.late && !slices.Contains(fresh, d.order) {
			fresh = append(fresh, d.order)
		}
	}
	c.inFlight += inFlight
	c.busyKill += crashOne(inFlight > 0)
	return fresh, deeds, doubts
}

// killAtStart kills a program that has only begun to read what the last one has left.
func (c *crashClub) killAtStart() {
	c.t.Helper()
	cmd := programCommand(context.Background(), nil, programDemoArgs(c.path)...)
	stdin, err := cmd.StdinPipe()
	programOK(c.t, err)
	defer stdin.Close()
	programOK(c.t, cmd.Start())
	time.Sleep(c.dice.between(20*time.Millisecond, 400*time.Millisecond))
	programOK(c.t, cmd.Process.Kill())
	cmd.Wait()
	c.kills, c.all = c.kills+1, c.all+1
	c.starts++
}

// check looks at what a kill has left, then sends everything in doubt and some of what is
// not again, and then lets a round run, after which all answers are the same.
func (c *crashClub) check(fresh []*crashOrder, deeds, doubts []crashDeed) {
	c.t.Helper()
	unmade := 0
	for _, d := range doubts {
		if d.kind == "book" || d.kind == "sell" {
			unmade++
		}
	}
	c.sound(true)
	c.remembered(unmade)
	before := c.asAnswered(fresh)
	c.dice.Shuffle(len(deeds), func(i, j int) { deeds[i], deeds[j] = deeds[j], deeds[i] })
	c.repeat(deeds[:min(len(deeds), crashRepeats)], doubts)
	c.drop()
	fresh = slices.DeleteFunc(fresh, func(o *crashOrder) bool { return !slices.Contains(c.memory.orders, o) })
	c.remembered(0)
	for _, o := range fresh { // what is in doubt still may be so now or after the round
		if o.id != "" && o.maybe != nil {
			before[o.id] = c.view(o).str("state")
		} else {
			before[o.id] = o.state
		}
	}
	unheard := map[string]bool{}
	c.look(func(db *sql.DB) {
		c.rows(db, `SELECT order_id FROM payments p WHERE succeeded_at IS NULL AND EXISTS (SELECT 1 FROM sandbox_payments WHERE out_trade_no = p.id AND state = 'succeeded')`,
			func(scan func(...any) error) error {
				var id string
				err := scan(&id)
				unheard[id] = true
				return err
			})
	})
	c.round()
	for id, state := range c.asAnswered(fresh) {
		if state != before[id] && !unheard[id] {
			c.t.Errorf("after kill %d: the round has made order %s %s, it was %s", c.kills, id, state, before[id])
		}
	}
	for _, o := range fresh { // what the round has found out is an answer, too
		if o.id != "" && unheard[o.id] {
			o.learn(c.view(o).json)
		}
	}
	for number, m := range c.memory.money {
		if unheard[m.order.id] && m.bank {
			c.memory.money[number].came = true
		}
	}
	c.sound(false)
}

// drop forgets orders that were in doubt and are not there, or are one that is known.
func (c *crashClub) drop() {
	known := map[string]bool{"": true}
	c.memory.orders = slices.DeleteFunc(c.memory.orders, func(o *crashOrder) bool {
		again := known[o.id]
		known[o.id] = true
		return again
	})
}

// round has the owner run one, which must do its work without a fault.
func (c *crashClub) round() programAnswer {
	c.t.Helper()
	return c.p.post("/api/v1/owner/reconciler/run", c.owner, programBody{}).wants(200).has(0, "settled", "differences").has(0, "settled", "parked")
}

// epilogue lets all come to its end and looks for the last time: nothing waits, and
// another round has nothing to do.
func (c *crashClub) epilogue() {
	c.t.Helper()
	for range 3 { // claims of the killed and pauses between tries end
		c.moveOn(7 * time.Hour)
		c.round()
	}
	c.sound(true)
	c.remembered(0)
	for what, query := range map[string]string{
		"refunds of the bank that never came to their end": `SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE via = 'sandbox' AND done_at IS NULL`,
		"money at the bank that courtd never heard of":     `SELECT count(*) FROM sandbox_payments s WHERE state = 'succeeded' AND NOT EXISTS (SELECT 1 FROM payments WHERE id = s.out_trade_no AND succeeded_at IS NOT NULL)`,
		"messages that never went":                         `SELECT count(*) FROM deliveries WHERE sent_at IS NULL AND dropped_at IS NULL`,
		"flagged money":                                    `SELECT count(*) FROM payments WHERE verdict = 'flagged'`,
		"claims that ended and are not settled":            `SELECT count(*) FROM reservations WHERE settled_at IS NULL AND release_at <= (SELECT last_instant FROM clock)`,
	} {
		if n := c.number(query); n != 0 {
			c.t.Errorf("at the end: %s: %d", what, n)
		}
	}
	again := c.round()
	again.has(0, "settled", "settled").has(0, "refunds", "sent").has(0, "refunds", "done").has(0, "asked", "asked")
	c.p.stop()
}
