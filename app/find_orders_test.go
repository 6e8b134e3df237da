package app_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
)

func TestFindOrders(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a, b := c.customer("13812345678"), c.customer("13900139000")
	first := c.paidAt(a, slot("c1", "17:30"))
	c.clock("12:01:00")
	second := c.book(b, app.OrderRequest{Goods: goods("g1", 2)})
	c.clock("12:02:00")
	third, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot("c2", "17:30")), app.Caller{Name: "王100%小明"}, "on_arrival", "")
	must(t, err)
	c.clock("12:03:00")
	fourth, _, err := c.app.DeskOrder(ctx, c.desk, slots(slot("c3", "17:30")), app.Caller{Name: "Anna", Phone: "13812345678"}, "cash", "")
	must(t, err)
	for text, want := range map[string]string{
		first.Number: first.ID,
		strings.ReplaceAll(first.Number, "-", ""): first.ID,
		" 0002 ":        second.ID,
		"3":             third.ID,
		"45678":         fourth.ID + " " + first.ID,
		"138 1234 5678": fourth.ID + " " + first.ID,
		"+86 138-1234":  fourth.ID + " " + first.ID,
		"345":           "",
		"小明":            third.ID,
		"0%":            third.ID,
		"%":             third.ID,
		"ANNA":          fourth.ID + " " + first.ID, // the desk heard her name
		"":              "",
		"nobody":        "",
		"1299-0001":     "",
	} {
		found, err := c.app.FindOrders(ctx, c.desk, text)
		must(t, err)
		var got []string
		for _, f := range found {
			got = append(got, f.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %v, want %q", text, got, want)
		}
	}
	found, err := c.app.FindOrders(ctx, c.desk, second.Number)
	must(t, err)
	if f := found[0]; f.Goods[0].Qty != 2 || f.Customer.Phone != "13900139000" || f.State != "held" || f.Total != 6000 {
		t.Errorf("found %+v", f)
	}
	_, err = c.app.FindOrders(ctx, c.desk, strings.Repeat("长", domain.MaxNameChars+1))
	wantReason(t, err, "invalid_field")
}

// However many there are, few are given, and a number is found behind all of them.
func TestFindOrdersIsBounded(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	a := c.customer("13812345678")
	old := c.book(a, slots(slot("c1", "17:30")))
	c.book(c.customer("13999990000"), slots(slot("c2", "17:30")))
	const many = domain.FindAmong + 10
	must(t, c.db.Write(ctx, func(tx *sqlite.Tx) error {
		for i := range many {
			o := domain.Order{ID: fmt.Sprintf("z%029d", i), Number: fmt.Sprintf("1211-%04d", i+1), CustomerID: a.ID, Channel: "online", Pay: "online",
				BookedAt: noon + domain.Instant(1+i), TicketCode: fmt.Sprintf("%030d", i)}
			if err := tx.InsertOrder(o, "2026-12-11", i+1); err != nil {
				return err
			}
		}
		return nil
	}))
	found, err := c.app.FindOrders(ctx, c.desk, "5678")
	must(t, err)
	want(t, "found", len(found), domain.MaxFound)
	want(t, "the newest first", found[0].Number, fmt.Sprintf("1211-%04d", many))
	found, err = c.app.FindOrders(ctx, c.desk, "13999990000")
	must(t, err)
	want(t, "behind all that are looked through", len(found), 0)
	found, err = c.app.FindOrders(ctx, c.desk, old.Number)
	must(t, err)
	want(t, "by number", len(found) == 1 && found[0].ID == old.ID, true)
	found, err = c.app.FindOrders(ctx, c.desk, "1211-0003")
	must(t, err)
	want(t, "an old one by number", found[0].Number, "1211-0003")
}
