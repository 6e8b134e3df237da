package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"courtd/domain"
)

// DueClaim is a claim that has ended and is not settled.
type DueClaim struct {
	Kind      string // reservation or basket
	ID        string
	OrderID   string
	ReleaseAt domain.Instant
	Ending    domain.State
}

// DueClaims gives ended, unsettled claims, oldest first, from after a place in
// that order. Claims whose settling itself is parked are left out.
func (s *Snapshot) DueClaims(after Cursor, limit int) ([]DueClaim, error) {
	rows, err := s.Query(`SELECT * FROM (
		SELECT 'reservation', id, order_id, release_at, ending FROM reservations WHERE settled_at IS NULL AND release_at <= ?1 AND release_at >= ?2
		UNION ALL
		SELECT 'basket', id, order_id, release_at, ending FROM baskets WHERE settled_at IS NULL AND release_at <= ?1 AND release_at >= ?2
		) d WHERE (d.release_at, d.id) > (?2, ?3)
		AND NOT EXISTS (SELECT 1 FROM parked_effects k WHERE k.claim_id = d.id AND k.effect = 'settle' AND k.tries >= ?4)
		ORDER BY d.release_at, d.id LIMIT ?5`, int64(s.Now), int64(after.At), after.ID, domain.MaxEffectTries, limit)
	if err != nil {
		return nil, fmt.Errorf("read due claims: %w", err)
	}
	defer rows.Close()
	var out []DueClaim
	for rows.Next() {
		var d DueClaim
		if err := rows.Scan(&d.Kind, &d.ID, &d.OrderID, &d.ReleaseAt, &d.Ending); err != nil {
			return nil, fmt.Errorf("scan due claim: %w", err)
		}
		out = append(out, d)
	}
	return out, rows.Err()
}

// Backlog is what waits for the reconciler.
type Backlog struct {
	Due             int
	OldestReleaseAt domain.Instant
	Parked          int
	Outbox          int
	GaveUp          int
	RefundsUnderWay int
	RefundsForStaff int // of those under way, what waits for a person
	OpenAttempts    int
	Flagged         int // that nobody has seen to
	RefundsTwice    int // likewise
	LastGoodRun     domain.Instant
	// OldestDriven is the oldest release of what a round would still settle: claims
	// that were given up are left to the staff and do not make it late.
	OldestDriven     domain.Instant
	SetUpAt          domain.Instant // of the venue; zero before
	NoticesTriedOnce int            // waiting, after at least one failed try
	NoticesSent      int            // of those queued since RecentNotices
	NoticesDropped   int            // likewise
}

// Backlog counts what waits for the reconciler now.
func (s *Snapshot) Backlog() (Backlog, error) {
	var b Backlog
	err := s.QueryRow(`WITH due AS (
		SELECT id, release_at FROM reservations WHERE settled_at IS NULL AND release_at <= ?1
		UNION ALL SELECT id, release_at FROM baskets WHERE settled_at IS NULL AND release_at <= ?1),
		recent AS (SELECT sent_at, dropped_at FROM notices WHERE created_at > ?2)
		SELECT (SELECT count(*) FROM due), (SELECT min(release_at) FROM due), (SELECT count(*) FROM parked_effects),
		(SELECT count(*) FROM notices WHERE sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL),
		(SELECT count(*) FROM notices WHERE gave_up_at IS NOT NULL),
		(SELECT count(*) FROM refunds WHERE done_at IS NULL),
		(SELECT count(*) FROM refunds f JOIN payments p ON p.id = f.payment_id WHERE `+waitsForStaff+`),
		(SELECT count(*) FROM payments WHERE succeeded_at IS NULL AND closed_at IS NULL AND verdict IS NULL),
		(SELECT count(*) FROM payments p WHERE `+waitsToBeSeenTo+`), (SELECT count(*) FROM refunds f WHERE `+wentTwice+`),
		(SELECT max(ended_at) FROM reconciler_runs WHERE ok = 1),
		(SELECT min(release_at) FROM due WHERE NOT EXISTS (
			SELECT 1 FROM parked_effects k WHERE k.claim_id = due.id AND k.effect = 'settle' AND k.tries >= ?3)),
		(SELECT min(created_at) FROM staff),
		(SELECT count(*) FROM notices WHERE sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL AND tries > 0),
		(SELECT count(*) FROM recent WHERE sent_at IS NOT NULL), (SELECT count(*) FROM recent WHERE dropped_at IS NOT NULL)`,
		int64(s.Now), int64(s.Now.Add(-domain.RecentNotices)), domain.MaxEffectTries).
		Scan(&b.Due, &b.OldestReleaseAt, &b.Parked, &b.Outbox, &b.GaveUp, &b.RefundsUnderWay, &b.RefundsForStaff, &b.OpenAttempts, &b.Flagged, &b.RefundsTwice, &b.LastGoodRun,
			&b.OldestDriven, &b.SetUpAt, &b.NoticesTriedOnce, &b.NoticesSent, &b.NoticesDropped)
	if err != nil {
		return b, fmt.Errorf("count backlog: %w", err)
	}
	return b, nil
}

// ParkedEffect is an effect of an ending that could not be posted.
type ParkedEffect struct {
	ClaimID, Effect, OrderID string
	Tries                    int
	At                       domain.Instant
	Error                    string
}

// ParkEffect counts a failed try of an effect.
func (t *Tx) ParkEffect(claimID, effect, orderID, problem string) error {
	_, err := t.Exec(`INSERT INTO parked_effects (claim_id, effect, order_id, tries, at, error) VALUES (?,?,?,1,?,?)
		ON CONFLICT (claim_id, effect) DO UPDATE SET tries = tries + 1, at = excluded.at, error = excluded.error`,
		claimID, effect, orderID, t.Now, problem)
	if err != nil {
		return fmt.Errorf("park %s of %s: %w", effect, claimID, err)
	}
	return nil
}

// UnparkEffect forgets a parked effect that has been posted after all.
func (t *Tx) UnparkEffect(claimID, effect string) error {
	_, err := t.Exec("DELETE FROM parked_effects WHERE claim_id = ? AND effect = ?", claimID, effect)
	return err
}

// ParkedEffects gives parked effects with fewer than maxTries tries, oldest first.
func (s *Snapshot) ParkedEffects(maxTries, limit int) ([]ParkedEffect, error) {
	rows, err := s.Query(`SELECT claim_id, effect, order_id, tries, at, error FROM parked_effects WHERE tries < ?
		ORDER BY at, claim_id, effect LIMIT ?`, maxTries, limit)
	if err != nil {
		return nil, fmt.Errorf("read parked effects: %w", err)
	}
	defer rows.Close()
	var out []ParkedEffect
	for rows.Next() {
		var p ParkedEffect
		if err := rows.Scan(&p.ClaimID, &p.Effect, &p.OrderID, &p.Tries, &p.At, &p.Error); err != nil {
			return nil, fmt.Errorf("scan parked effect: %w", err)
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// RecordRun keeps what a round of the reconciler did.
func (t *Tx) RecordRun(started domain.Instant, ok bool, report any, problem string) error {
	text, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("reconciler report: %w", err)
	}
	if _, err := t.Exec("INSERT INTO reconciler_runs (started_at, ended_at, ok, report, error) VALUES (?,?,?,?,?)",
		started, t.Now, ok, string(text), problem); err != nil {
		return fmt.Errorf("record run: %w", err)
	}
	return nil
}

// LastRun gives the report of the newest round, as JSON, and whether there was one.
func (s *Snapshot) LastRun() (started, ended domain.Instant, ok bool, report, problem string, found bool, err error) {
	err = s.QueryRow("SELECT started_at, ended_at, ok, report, error FROM reconciler_runs ORDER BY id DESC LIMIT 1").
		Scan(&started, &ended, &ok, &report, &problem)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
		return
	}
	found = err == nil
	return
}
