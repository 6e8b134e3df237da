package app

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"courtd/domain"
	"courtd/sqlite"
)

// AuditView is one act that was recorded.
type AuditView struct {
	ID        int64          `json:"id"`
	At        time.Time      `json:"at"`
	Actor     string         `json:"actor"`
	ActorName string         `json:"actor_name" doc:"what they are called now; empty for the program itself"`
	Role      string         `json:"role"`
	Action    string         `json:"action"`
	Target    string         `json:"target"`
	Reason    string         `json:"reason"`
	Detail    map[string]any `json:"detail"`
}

// AuditFilter narrows the audit down; what is left empty narrows nothing.
type AuditFilter struct {
	Text   string      // somewhere in the action, target, reason, actor, actor's name or details; case of a-z does not count
	Actor  string      // an id
	Action string      // what was done, exactly
	From   domain.Date // first and last business day
	Until  domain.Date
}

func (f AuditFilter) search(calendar domain.Calendar) (sqlite.AuditSearch, error) {
	find := sqlite.AuditSearch{Text: strings.TrimSpace(f.Text), Actor: f.Actor, Action: f.Action}
	if utf8.RuneCountInString(find.Text) > domain.MaxNoteChars {
		return find, domain.BadField("q", "must not be longer than %d characters", domain.MaxNoteChars)
	}
	if !f.From.IsZero() {
		find.From = calendar.DayStart(f.From)
	}
	if !f.Until.IsZero() {
		find.Until = calendar.DayStart(f.Until.AddDays(1))
		if f.Until.Before(f.From) {
			return find, domain.BadField("until", "must not be earlier than from")
		}
	}
	return find, nil
}

// AuditTrail lists what the desk and the owner did, newest first.
func (a *App) AuditTrail(ctx context.Context, filter AuditFilter, page Page) (List[AuditView], error) {
	out := List[AuditView]{Items: []AuditView{}}
	before, err := rowCursor(page.Cursor)
	if err != nil {
		return out, err
	}
	err = a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		out.Now = s.Now.In(venue.Calendar.Zone)
		find, err := filter.search(venue.Calendar)
		if err != nil {
			return err
		}
		rows, err := s.AuditBefore(before, find, page.limit()+1)
		for i, r := range rows {
			if i == page.limit() {
				next := fmt.Sprint(rows[i-1].ID)
				out.Next = &next
				break
			}
			out.Items = append(out.Items, viewAct(venue, r))
		}
		return err
	})
	return out, err
}

// actsAtOnce is how many acts WholeAudit reads in one go.
const actsAtOnce = 1000

// WholeAudit shows all acts that a search finds, the newest first, some at a time, as
// they were at one instant.
func (a *App) WholeAudit(ctx context.Context, filter AuditFilter, each func(*sqlite.Snapshot, []AuditView) error) error {
	return a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		find, err := filter.search(venue.Calendar)
		if err != nil {
			return err
		}
		for before := int64(0); ; {
			rows, err := s.AuditBefore(before, find, actsAtOnce)
			if err != nil {
				return err
			}
			acts := make([]AuditView, len(rows))
			for i, r := range rows {
				acts[i] = viewAct(venue, r)
			}
			if err := each(s, acts); err != nil || len(rows) < actsAtOnce {
				return err
			}
			before = rows[len(rows)-1].ID
		}
	})
}

func viewAct(venue sqlite.Venue, r sqlite.AuditNamed) AuditView {
	return AuditView{ID: r.ID, At: r.At.In(venue.Calendar.Zone), Actor: r.Actor, ActorName: r.ActorName, Role: r.Role,
		Action: r.Action, Target: r.Target, Reason: r.Reason, Detail: r.Detail}
}
