package app_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/notify"
	"courtd/sqlite"
)

// failing makes the postbox fail by a function; nil heals it.
func (p *postbox) failing(fail func(notify.Message) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = fail
}

// ids counts deliveries by message.
func (p *postbox) ids() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[string]int{}
	for _, m := range p.got {
		out[m.ID]++
	}
	return out
}

// about counts deliveries of a kind about an order.
func (p *postbox) about(order, kind string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, m := range p.got {
		if m.Kind == kind && strings.HasPrefix(m.ID, order) {
			n++
		}
	}
	return n
}

// alter runs one statement by hand, past the use cases.
func (c *club) alter(query string, args ...any) {
	c.t.Helper()
	must(c.t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// poison makes the file refuse statements on some rows of a table, by a trigger
// such as "INSERT ON stock_moves WHEN NEW.good_id = 'g1'".
func (c *club) poison(name, before string) {
	c.t.Helper()
	c.alter("CREATE TRIGGER " + name + " BEFORE " + before + " BEGIN SELECT RAISE(ABORT, 'poison'); END")
}

func (c *club) cure(name string) {
	c.t.Helper()
	c.alter("DROP TRIGGER " + name)
}

// paidAt gives a customer a paid order for some slots.
func (c *club) paidAt(who app.Actor, refs ...app.SlotRef) app.OrderView {
	c.t.Helper()
	return c.payFor(who, c.book(who, slots(refs...)))
}

// scanBy shows a code at the door to one staff phone.
func (c *club) scanBy(phone, code, nonce string) app.ScanResult {
	c.t.Helper()
	who := c.desk
	who.Session = phone
	r, err := c.app.CheckIn(ctx, who, code, nonce)
	must(c.t, err)
	return r
}

// manyOrders makes n orders of one piece of a good each at the desk, all at this instant.
func (c *club) manyOrders(n int, good, how string) {
	c.t.Helper()
	_, err := c.app.MoveStock(ctx, c.owner, good, "receipt", n, "", "")
	must(c.t, err)
	together(c.t, n, func(i int) error {
		_, _, err := c.app.DeskOrder(ctx, c.desk, basket("", goods(good, 1)), app.Caller{Name: fmt.Sprintf("客人%d", i)}, how, "")
		return err
	})
}

// column gives the first column of a query.
func (c *club) column(query string, args ...any) (out []string) {
	c.t.Helper()
	must(c.t, c.db.Read(ctx, func(s *sqlite.Snapshot) error {
		rows, err := s.Query(query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var v string
			if err := rows.Scan(&v); err != nil {
				return err
			}
			out = append(out, v)
		}
		return rows.Err()
	}))
	return out
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// hangingChannel keeps silent about one message until its time is over.
type hangingChannel struct {
	*postbox
	on string
}

func (h *hangingChannel) Send(ctx context.Context, m notify.Message) error {
	if m.ID == h.on {
		<-ctx.Done()
		return ctx.Err()
	}
	return h.postbox.Send(ctx, m)
}

// together runs a function n times at once; all must succeed.
func together(t *testing.T, n int, run func(i int) error) {
	t.Helper()
	for i, err := range race(n, run) {
		if err != nil {
			t.Fatalf("number %d: %v", i, err)
		}
	}
}
