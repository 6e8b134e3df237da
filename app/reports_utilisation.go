package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// UseFigures compare the slots that somebody had with those that could be had.
type UseFigures struct {
	Offered int      `json:"offered" doc:"slots of the grid that were not closed, and closed ones that were used all the same"`
	Used    int      `json:"used" doc:"slots that were paid and not given up, each once"`
	Percent *float64 `json:"percent" doc:"used of offered, to one decimal; null where nothing was offered"`
}

func (f *UseFigures) count(offered, used bool) {
	if offered || used {
		f.Offered++
	}
	if used {
		f.Used++
	}
	f.Percent = percentOf(f.Used, f.Offered)
}

// UtilisationStart is a time of day at which slots start.
type UtilisationStart struct {
	Minute domain.Minute `json:"-"` // since midnight of the business day; 1440 and more lie past it
	Label  string        `json:"label" example:"17:30"`
}

// UtilisationWeekday is a row of the heat map. Cells follow the report's starts.
type UtilisationWeekday struct {
	Weekday int          `json:"weekday" doc:"0 is Sunday"`
	Cells   []UseFigures `json:"cells"`
	UseFigures
}

// UtilisationCourt is how much one court was used.
type UtilisationCourt struct {
	Court CourtRef `json:"court"`
	UseFigures
}

// UtilisationReport is how full the courts were, by weekday and time of day. It
// compares with the courts and hours of today: they keep no history.
type UtilisationReport struct {
	ReportHead
	Court    *CourtRef            `json:"court" doc:"whose heat map it is; null is all courts"`
	Starts   []UtilisationStart   `json:"starts" doc:"the columns of the heat map, in the order of a business day"`
	Weekdays []UtilisationWeekday `json:"weekdays" doc:"all seven, Monday first"`
	Courts   []UtilisationCourt   `json:"courts" doc:"every court on sale, whatever court the heat map is about"`
	Total    UseFigures           `json:"total" doc:"of the heat map"`
	OffGrid  int                  `json:"off_grid" doc:"used slots that today's courts and hours no longer have; part of nothing else"`
}

// Utilisation compares what was used with what was offered on a run of business
// days; court narrows the heat map down to one court, "" does not.
func (a *App) Utilisation(ctx context.Context, span domain.DateSpan, court string) (UtilisationReport, error) {
	var out UtilisationReport
	err := a.report(ctx, span, &out.ReportHead, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		courts, err := s.Courts()
		if err != nil {
			return err
		}
		g := newUseGrid(venue.Calendar, span, courts)
		if len(g.slots) > 0 {
			closures, err := s.ClosuresBetween(g.slots[0].Start, g.slots[len(g.slots)-1].End)
			if err != nil {
				return err
			}
			g.close(closures, s.Now)
		}
		used, err := s.UsedSlots(span)
		if err != nil {
			return err
		}
		out.OffGrid = g.use(used)
		out.Courts = []UtilisationCourt{}
		only := -1
		for i, c := range g.courts {
			out.Courts = append(out.Courts, UtilisationCourt{Court: c})
			if c.ID == court {
				only, out.Court = i, &c
			}
		}
		if court != "" && only < 0 {
			return domain.BadField("court", "there is no such court")
		}
		out.fill(g, only)
		return nil
	})
	return out, err
}

// fill counts the cells of the grid into the report.
func (r *UtilisationReport) fill(g *useGrid, only int) {
	column := map[domain.Minute]int{}
	r.Starts = []UtilisationStart{}
	for _, slot := range g.slots {
		if _, known := column[slot.minute]; !known {
			column[slot.minute] = 0
			r.Starts = append(r.Starts, UtilisationStart{Minute: slot.minute, Label: slot.label})
		}
	}
	slices.SortFunc(r.Starts, func(a, b UtilisationStart) int { return cmp.Compare(a.Minute, b.Minute) })
	for i, start := range r.Starts {
		column[start.Minute] = i
	}
	for i := range 7 {
		r.Weekdays = append(r.Weekdays, UtilisationWeekday{Weekday: (i + 1) % 7, Cells: make([]UseFigures, len(r.Starts))})
	}
	for i, slot := range g.slots {
		row := &r.Weekdays[(int(slot.weekday)+6)%7]
		for j := range g.courts {
			offered, used := !g.closed[g.cell(i, j)], g.used[g.cell(i, j)]
			r.Courts[j].count(offered, used)
			if only >= 0 && only != j {
				continue
			}
			row.Cells[column[slot.minute]].count(offered, used)
			row.count(offered, used)
			r.Total.count(offered, used)
		}
	}
}

// useGrid is every slot of the days of a report on every court on sale.
type useGrid struct {
	courts       []CourtRef
	slots        []useSlot // in order
	closed, used []bool    // by cell
}

type useSlot struct {
	domain.Slot
	weekday time.Weekday
	minute  domain.Minute
	label   string
}

func newUseGrid(calendar domain.Calendar, span domain.DateSpan, courts []sqlite.Court) *useGrid {
	g := &useGrid{}
	for _, c := range courts {
		if c.Active {
			g.courts = append(g.courts, CourtRef{ID: c.ID, Name: c.Name})
		}
	}
	for _, day := range span.Days() {
		for _, slot := range calendar.Slots(day) {
			g.slots = append(g.slots, useSlot{Slot: slot, weekday: day.Weekday(), minute: calendar.MinuteOf(day, slot.Start), label: calendar.Label(slot.Start)})
		}
	}
	g.closed, g.used = make([]bool, len(g.slots)*len(g.courts)), make([]bool, len(g.slots)*len(g.courts))
	return g
}

func (g *useGrid) cell(slot, court int) int { return slot*len(g.courts) + court }

// firstFrom is the place of the first slot that does not start before an instant.
func (g *useGrid) firstFrom(at domain.Instant) int {
	i, _ := slices.BinarySearchFunc(g.slots, at, func(s useSlot, at domain.Instant) int { return cmp.Compare(s.Start, at) })
	return i
}

// close marks what closures took out of sale: for a slot that is over, those that
// stood at its last second, however they were lifted since; else those that stand now.
func (g *useGrid) close(closures []domain.Closure, now domain.Instant) {
	for _, c := range closures {
		for i := g.firstFrom(c.From - domain.MaxSlotMinutes*60); i < len(g.slots) && g.slots[i].Start < c.To; i++ {
			slot := g.slots[i].Slot
			for j, court := range g.courts {
				if c.Covers(court.ID, slot, domain.Min(now, slot.End-1)) {
					g.closed[g.cell(i, j)] = true
				}
			}
		}
	}
}

// use marks what was used and counts what is not on the grid.
func (g *useGrid) use(used []sqlite.UsedSlot) (offGrid int) {
	courts := map[string]int{}
	for j, c := range g.courts {
		courts[c.ID] = j
	}
	for _, u := range used {
		i := g.firstFrom(u.StartsAt)
		j, known := courts[u.CourtID]
		if !known || i == len(g.slots) || g.slots[i].Start != u.StartsAt {
			offGrid++
			continue
		}
		g.used[g.cell(i, j)] = true
	}
	return offGrid
}
