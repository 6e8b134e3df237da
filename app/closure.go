package app

import (
	"context"
	"time"

	"courtd/domain"
	"courtd/sqlite"
)

// ClosureRequest is what the owner wants to close.
type ClosureRequest struct {
	Courts         []string
	From, To       domain.Instant
	Reason         string
	CancelBookings bool
	// Seen is the mark of the preview that this was decided on. When what it hits is no
	// longer that, nothing is closed. Empty: whatever it hits.
	Seen string `json:",omitempty"`
}

// ClosureView is one closure.
type ClosureView struct {
	ID       string     `json:"id"`
	Courts   []string   `json:"courts"`
	From     time.Time  `json:"from"`
	To       time.Time  `json:"to"`
	Reason   string     `json:"reason"`
	MadeAt   time.Time  `json:"made_at"`
	LiftedAt *time.Time `json:"lifted_at"`
}

// Hit is a live booking that a closure touches.
type Hit struct {
	Reservation ReservationView `json:"reservation"`
	Order       string          `json:"order"`
	Number      string          `json:"number"`
	Customer    PersonView      `json:"customer"`
	Refund      int64           `json:"refund" doc:"fen that cancelling it for the closure gives back; the goods of an order count with the last of its slots"`
}

// ClosurePreview is what a closure would hit now.
type ClosurePreview struct {
	Now  time.Time `json:"now"`
	Hits []Hit     `json:"hits"`
	Mark string    `json:"-"` // differs whenever the hits do
}

// markOf tells hits apart: which bookings, what they are now and what goes back.
func markOf(hits []Hit) string {
	var parts [][3]any
	for _, h := range hits {
		parts = append(parts, [3]any{h.Reservation.ID, h.Reservation.State, h.Refund})
	}
	return Mark(parts)
}

// ClosureMade is a closure with what it hit and what became of that.
type ClosureMade struct {
	Closure   ClosureView `json:"closure"`
	Hits      []Hit       `json:"hits"`
	Cancelled int         `json:"cancelled" doc:"bookings cancelled and refunded in full; the others stay until somebody moves them"`
}

func (r ClosureRequest) parse(s *sqlite.Snapshot) (ClosureRequest, error) {
	reason, err := domain.ParseNote("reason", r.Reason)
	if err != nil {
		return r, err
	}
	r.Reason = reason
	if len(r.Courts) == 0 {
		return r, domain.BadField("courts", "name at least one court")
	}
	courts, err := s.Courts()
	if err != nil {
		return r, err
	}
	seen := map[string]bool{}
	for _, id := range r.Courts {
		known := false
		for _, c := range courts {
			known = known || c.ID == id
		}
		if !known {
			return r, domain.BadField("courts", "there is no such court")
		}
		if seen[id] {
			return r, domain.BadField("courts", "a court is named twice")
		}
		seen[id] = true
	}
	switch {
	case r.From >= r.To:
		return r, domain.BadField("to", "must be later than from")
	case r.To <= s.Now:
		return r, domain.BadField("to", "lies in the past")
	case r.To-r.From > domain.MaxClosureDays*86400:
		return r, domain.BadField("to", "a closure may last %d days", domain.MaxClosureDays)
	}
	return r, nil
}

// PreviewClosure says which live bookings a closure would hit.
func (a *App) PreviewClosure(ctx context.Context, req ClosureRequest) (ClosurePreview, error) {
	var out ClosurePreview
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		req, err := req.parse(s)
		if err != nil {
			return err
		}
		out.Now = s.Now.In(venue.Calendar.Zone)
		out.Hits, _, err = hitsOf(s, venue, req)
		out.Mark = markOf(out.Hits)
		return err
	})
	return out, err
}

// hitsOf finds the held, confirmed and playing bookings that a closure touches.
func hitsOf(s *sqlite.Snapshot, venue sqlite.Venue, req ClosureRequest) ([]Hit, []domain.Reservation, error) {
	rows, err := s.ReservationsBetween(req.From, req.To, s.Now)
	if err != nil {
		return nil, nil, err
	}
	names, err := courtNames(s)
	if err != nil {
		return nil, nil, err
	}
	closure := domain.Closure{Courts: req.Courts, From: req.From, To: req.To}
	hits, live := []Hit{}, []domain.Reservation(nil)
	byOrder := map[string][]domain.Reservation{}
	for _, r := range rows {
		if r.Live(s.Now) && closure.Covers(r.CourtID, r.Slot(), s.Now) {
			live = append(live, r)
			byOrder[r.OrderID] = append(byOrder[r.OrderID], r)
		}
	}
	told, shown := map[string]int64{}, map[string]int64{} // by order: what the hits so far are worth, and what of it goes back
	for _, r := range live {
		head, err := s.OrderHead(r.OrderID)
		if err != nil {
			return nil, nil, err
		}
		order, err := s.Order(r.OrderID)
		if err != nil {
			return nil, nil, err
		}
		h := Hit{Reservation: viewReservation(venue, r, names[r.CourtID], s.Now), Order: r.OrderID, Number: head.Number,
			Customer: PersonView{ID: head.CustomerID, Name: head.Name, Phone: head.Phone}}
		if r.PaidAt.IsSet() {
			h.Refund = r.NetFen()
		}
		told[r.OrderID] += h.Refund
		if mine := byOrder[r.OrderID]; mine[len(mine)-1].ID == r.ID {
			// Goods go back with the last slot of their order.
			whole, _ := order.ClosureRefund(s.Now, mine)
			h.Refund += whole - told[r.OrderID]
		}
		_, left, err := paidAndLeft(s, r.OrderID)
		if err != nil {
			return nil, nil, err
		}
		// What was given back before does not go back again.
		h.Refund = min(h.Refund, left-shown[r.OrderID])
		shown[r.OrderID] += h.Refund
		hits = append(hits, h)
	}
	return hits, live, nil
}

// MakeClosure takes courts out of sale. Bookings it hits are shown, and cancelled
// with a full refund if the owner says so; no new one lands inside.
func (a *App) MakeClosure(ctx context.Context, actor Actor, req ClosureRequest, key Key) (ClosureMade, error) {
	if err := actor.mustWorkHere(); err != nil {
		return ClosureMade{}, err
	}
	id := NewID()
	var out ClosureMade
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		req, err := req.parse(&tx.Snapshot)
		if err != nil {
			return err
		}
		out = ClosureMade{}
		closureID, repeated, err := once(tx, actor, key, "closure", req, func() (string, error) {
			var live []domain.Reservation
			if out.Hits, live, err = hitsOf(&tx.Snapshot, venue, req); err != nil {
				return "", err
			}
			if req.Seen != "" && req.Seen != markOf(out.Hits) {
				return "", domain.Refuse(domain.Conflict, "changed_meanwhile", "the bookings that this closure hits have changed")
			}
			closure := domain.Closure{ID: id, Courts: req.Courts, From: req.From, To: req.To, Reason: req.Reason, MadeBy: actor.ID}
			if err := tx.InsertClosure(closure); err != nil {
				return "", err
			}
			if req.CancelBookings {
				if err := a.cancelForClosure(tx, venue, live, closure); err != nil {
					return "", err
				}
				out.Cancelled = len(live)
			}
			return id, tx.Audit(actor.audit("close courts", id, req.Reason, map[string]any{
				"courts": req.Courts, "from": int64(req.From), "to": int64(req.To), "hits": len(live), "cancelled": out.Cancelled}))
		})
		if err != nil {
			return err
		}
		if repeated {
			out.Hits = []Hit{}
		}
		closure, err := tx.Closure(closureID)
		out.Closure = viewClosure(venue, closure)
		return err
	})
	return out, err
}

func (a *App) cancelForClosure(tx *sqlite.Tx, venue sqlite.Venue, live []domain.Reservation, closure domain.Closure) error {
	byOrder := map[string][]domain.Reservation{}
	var orders []string
	for _, r := range live {
		if byOrder[r.OrderID] == nil {
			orders = append(orders, r.OrderID)
		}
		byOrder[r.OrderID] = append(byOrder[r.OrderID], r)
	}
	for _, id := range orders {
		order, err := tx.Order(id)
		if err != nil {
			return err
		}
		if err := a.cancelHit(tx, venue, order, byOrder[id], closure); err != nil {
			return err
		}
	}
	return nil
}

// LiftClosure puts the courts back on sale.
func (a *App) LiftClosure(ctx context.Context, actor Actor, id string) (ClosureView, error) {
	if err := actor.mustWorkHere(); err != nil {
		return ClosureView{}, err
	}
	var out ClosureView
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		if _, err := tx.Closure(id); err != nil {
			return err
		}
		first, err := tx.LiftClosure(id, actor.ID)
		if err != nil {
			return err
		}
		if first {
			if err := tx.Audit(actor.audit("lift closure", id, "", nil)); err != nil {
				return err
			}
		}
		closure, err := tx.Closure(id)
		out = viewClosure(venue, closure)
		return err
	})
	return out, err
}

// Closures lists the closures that stand and are not over.
func (a *App) Closures(ctx context.Context) ([]ClosureView, time.Time, error) {
	out, now := []ClosureView{}, time.Time{}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		now = s.Now.In(venue.Calendar.Zone)
		closures, err := s.ClosuresNotOver()
		for _, c := range closures {
			out = append(out, viewClosure(venue, c))
		}
		return err
	})
	return out, now, err
}

func viewClosure(venue sqlite.Venue, c domain.Closure) ClosureView {
	at := clockFace(venue)
	return ClosureView{ID: c.ID, Courts: c.Courts, From: at(c.From), To: at(c.To), Reason: c.Reason, MadeAt: at(c.MadeAt), LiftedAt: maybe(venue, c.LiftedAt)}
}
