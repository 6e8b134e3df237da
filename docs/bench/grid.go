package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

// gridPath asks for a day.
const gridPath = "/api/v1/availability?date=2026-12-12"

// gridConns is how many connections ask for the grid at once.
const gridConns = 32

// measureGrid asks for a day's grid: kept, by 304, and with nothing kept.
func measureGrid(ctx context.Context, b *bench) error {
	v, err := b.venue(ctx, setting{name: "grid", courts: 6})
	if err != nil {
		return err
	}
	file := v.path
	kept, err := b.demo(ctx, file, noon)
	if err != nil {
		return err
	}
	defer kept.end()
	if err := bookSome(kept.base); err != nil {
		return err
	}
	text, etag, err := ask(kept.base + gridPath)
	if err != nil {
		return err
	}
	copied := filepath.Join(b.scratch, "grid.json")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		return err
	}
	floor, err := b.start(ctx, b.self, "floor", copied)
	if err != nil {
		return err
	}
	defer floor.end()
	derived, err := b.demo(ctx, file, noon, "--derive-always")
	if err != nil {
		return err
	}
	defer derived.end()

	get := func(base, path, tag, status string) (loadResult, error) {
		r, err := b.load(ctx, loadJob{Base: base, Conns: gridConns, Span: b.span, Repeat: &loadRequest{Method: "GET", Path: path, IfNoneMatch: tag}})
		if err == nil {
			err = r.only(status)
		}
		return r, err
	}
	var full, same, bare []float64
	rates := map[string][]float64{}
	for range b.rounds {
		for _, m := range []struct{ name, base, path, tag, status string }{
			{"static", floor.base, "/", "", "200"}, {"kept", kept.base, gridPath, "", "200"},
			{"two", floor.base, "/two", "", "200"}, {"304", kept.base, gridPath, etag, "304"},
			{"derived", derived.base, gridPath, "", "200"},
		} {
			r, err := get(m.base, m.path, m.tag, m.status)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			rates[m.name] = append(rates[m.name], r.rate(m.status))
		}
		n, err := b.bare(ctx, file)
		if err != nil {
			return err
		}
		rates["bare"] = append(rates["bare"], n)
		last := len(rates["bare"]) - 1
		full = append(full, rates["kept"][last]/rates["static"][last])
		same = append(same, rates["304"][last]/rates["two"][last])
		bare = append(bare, rates["derived"][last]/rates["bare"][last])
	}
	say := func(a, c string) string {
		return fmt.Sprintf("%.0f ÷ %.0f answers a second (medians)", median(rates[a]), median(rates[c]))
	}
	b.atLeast("grid, kept and exact, ÷ fiber serving the same bytes from memory", 0.85, full, fmt.Sprintf("%s; %d bytes, %d connections", say("kept", "static"), len(text), gridConns))
	b.atLeast("the same answered by 304 ÷ fiber serving 2 bytes", 0.80, same, say("304", "two"))
	b.atLeast("grid with nothing kept ÷ the bare query and encoding in-process", 0.60, bare,
		say("derived", "bare")+"; bare is the one indexed query of the day's reservations, judged and encoded to the same bytes, on as many connections as there are cores, with no HTTP")
	return nil
}

// bookSome makes a day look like one: a third of its slots is held.
func bookSome(base string) error {
	for i := range 9 {
		token, err := signIn(base, fmt.Sprintf("1390000%04d", i))
		if err != nil {
			return err
		}
		for j := range 2 {
			body := fmt.Sprintf(`{"slots":[{"court":"c%d","start":"2026-12-12T%s:00+08:00"}]}`, (i+j*3)%6+1, []string{"08:30", "10:00", "11:30", "13:00", "14:30", "16:00", "17:30", "19:00", "20:30"}[i])
			if err := post(base+"/api/v1/orders", token, body, http.StatusCreated, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// bare measures the query and the encoding in a process of its own.
func (b *bench) bare(ctx context.Context, file string) (float64, error) {
	p, err := b.start(ctx, b.self, "bare", file, b.span.String())
	if err != nil {
		return 0, err
	}
	defer os.Remove(p.log)
	if err := p.cmd.Wait(); err != nil {
		text, _ := os.ReadFile(p.log)
		return 0, fmt.Errorf("%w: %s", err, text)
	}
	text, err := os.ReadFile(p.log)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(text), 64)
}

// serveBare asks the one query that the grid needs, judges every slot, and writes the
// answer, on every core for a while. It says how many in a second on stderr. The answer is
// the one that courtd gives, byte by byte.
func serveBare(ctx context.Context, args []string, out io.Writer) error {
	span, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: args[0], MustExist: true})
	if err != nil {
		return err
	}
	defer db.Close()
	fmt.Fprintln(out, "http://127.0.0.1:0") // it serves nothing, and is ready
	a := app.New(app.Config{DB: db})
	day := domain.Date{Year: 2026, Month: 12, Day: 12}
	want, err := a.Availability(ctx, day)
	if err != nil {
		return err
	}
	venue, courts, now, err := a.Venue(ctx)
	if err != nil {
		return err
	}
	whole, err := json.Marshal(want)
	if err != nil {
		return err
	}
	var n atomic.Int64
	var all sync.WaitGroup
	errs := make([]error, runtime.NumCPU())
	until := time.Now().Add(span)
	for i := range errs {
		all.Go(func() {
			errs[i] = db.Read(ctx, func(s *sqlite.Snapshot) error {
				for time.Now().Before(until) {
					text, err := bareDay(s, venue, courts, want, day, now)
					if err != nil {
						return err
					}
					if n.Add(1) == 1 && !bytes.Equal(text, whole) {
						return fmt.Errorf("another answer than courtd's:\n%s\n%s", text, whole)
					}
				}
				return nil
			})
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stderr, "%.1f", float64(n.Load())/span.Seconds())
	return err
}

// bareDay is the day by one query; the venue, its courts and goods are known beforehand.
func bareDay(s *sqlite.Snapshot, venue sqlite.Venue, courts []sqlite.Court, known app.DayView, day domain.Date, now domain.Instant) ([]byte, error) {
	slots := venue.Calendar.Slots(day)
	rows, err := s.ReservationsBetween(slots[0].Start, slots[len(slots)-1].End, now)
	if err != nil {
		return nil, err
	}
	byCourt := map[string][]domain.Reservation{}
	for _, r := range rows {
		byCourt[r.CourtID] = append(byCourt[r.CourtID], r)
	}
	opens := venue.Policy.BookingOpens(venue.Calendar, day)
	view := app.DayView{Date: known.Date, Now: now.In(venue.Calendar.Zone), ChangesAt: known.ChangesAt, Currency: venue.Currency, Goods: known.Goods}
	for _, c := range courts {
		row := app.CourtView{ID: c.ID, Name: c.Name, Slots: make([]app.SlotView, 0, len(slots))}
		for _, slot := range slots {
			cell := domain.Judge(c.ID, slot, opens, venue.Policy.SaleEnds(slot.Start), now, byCourt[c.ID], nil)
			_, holiday := venue.Calendar.Holiday(day)
			price := venue.Prices.PriceOf(c.ID, day, venue.Calendar.MinuteOf(day, slot.Start), holiday)
			v := app.SlotView{ID: fmt.Sprintf("%s@%d", c.ID, slot.Start), Start: slot.Start.In(venue.Calendar.Zone), End: slot.End.In(venue.Calendar.Zone),
				Label: venue.Calendar.Label(slot.Start), State: string(cell.State()), Price: price.PriceFen, PriceRule: price.Name}
			if cell.State() == domain.SlotHeld {
				at := cell.FreeAt().In(venue.Calendar.Zone)
				v.FreeAt = &at
			}
			row.Slots = append(row.Slots, v)
		}
		view.Courts = append(view.Courts, row)
	}
	return json.Marshal(view)
}
