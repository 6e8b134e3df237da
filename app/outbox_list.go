package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// OutboxIn lists the notices in one state for the desk, newest first.
func (a *App) OutboxIn(ctx context.Context, state string, page Page) (List[OutboxView], error) {
	out := List[OutboxView]{Items: []OutboxView{}}
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		at, err := page.place(s.Now)
		if err != nil {
			return err
		}
		out.Now = at.walkAt.In(venue.Calendar.Zone)
		notices, err := s.NoticesIn(state, at.walkAt, at.before, page.limit()+1)
		for i, n := range notices {
			if i == page.limit() {
				out.Next = at.next(notices[i-1].CreatedAt, notices[i-1].ID)
				break
			}
			out.Items = append(out.Items, OutboxView{NoticeView: viewNotice(venue, n), State: n.State(),
				Why: why(n), WhyCode: n.DropReason, Tries: n.Tries, Customer: orElse(n.CustomerName, domain.MaskPhone(n.Phone))})
		}
		return err
	})
	return out, err
}

// ResendNoticeOnce is ResendNotice for a form: the same key again sends nothing more.
func (a *App) ResendNoticeOnce(ctx context.Context, actor Actor, id string, key Key) error {
	if err := actor.mustWorkHere(); err != nil {
		return err
	}
	return a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		if _, err := tx.Notice(id); err != nil {
			return err
		}
		_, _, err := once(tx, actor, key, "resend notice", id, func() (string, error) {
			if err := tx.Resend(id); err != nil {
				return "", err
			}
			return id, tx.Audit(actor.audit("resend notice", id, "", nil))
		})
		return err
	})
}
