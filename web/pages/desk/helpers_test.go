package desk_test

import (
	"html"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"courtd/app"
	"courtd/web/pages/clubtest"
)

// day is a club whose desk is open, and customers.
type day struct {
	*clubtest.Club
	t     *testing.T
	desk  *clubtest.Browser
	staff app.Actor
}

func open(t *testing.T) day {
	t.Helper()
	k := clubtest.Open(t, true)
	d := day{Club: k, t: t, desk: k.Desk()}
	var err error
	d.staff, err = k.App.WhoIs(t.Context(), d.desk.Cookies["courtd_session"])
	clubtest.Must(t, err)
	return d
}

// sold sells slots of the tenth at the desk.
func (d day) sold(name, phone, pay string, courtsAndTimes ...string) app.OrderView {
	d.t.Helper()
	var req app.OrderRequest
	for i := 0; i < len(courtsAndTimes); i += 2 {
		req.Slots = append(req.Slots, app.SlotRef{Court: courtsAndTimes[i], Start: clubtest.At(d.t, "2026-12-10T"+courtsAndTimes[i+1]+":00+08:00")})
	}
	o, _, err := d.App.DeskOrder(d.t.Context(), d.staff, req, app.Caller{Name: name, Phone: phone}, pay, "")
	clubtest.Must(d.t, err)
	return o
}

func (d day) order(id string) app.OrderView {
	d.t.Helper()
	o, err := d.App.Order(d.t.Context(), d.staff, id)
	clubtest.Must(d.t, err)
	return o
}

// at is the address of a slot of the tenth on the board.
func (d day) at(court, clock string, more ...string) string {
	d.t.Helper()
	args := url.Values{"slot": {clubtest.Slot(d.t, court, clock)}}
	for i := 0; i < len(more); i += 2 {
		args.Set(more[i], more[i+1])
	}
	return "/desk?" + args.Encode()
}

// cell is the element of one slot of the tenth on a board.
func (d day) cell(p clubtest.Page, court, clock string) string {
	d.t.Helper()
	cell := clubtest.Around(p.Body, `<a id="s-`+clubtest.Slot(d.t, court, clock)+`"`, "</a>")
	if cell == "" {
		d.t.Fatalf("the board has no slot %s %s:\n%s", court, clock, p.Text())
	}
	return cell
}

// says wants the cell of a slot to be of a class and to read as words.
func (d day) says(p clubtest.Page, court, clock, class, words string) {
	d.t.Helper()
	cell := d.cell(p, court, clock)
	got := strings.Join(strings.Fields(html.UnescapeString(clubtest.Tags.ReplaceAllString("<"+cell, " "))), " ")
	if !strings.Contains(cell, `class="cell `+class+`"`) || got != words {
		d.t.Errorf("%s %s is %q and reads %q; want %s, %q", court, clock, clubtest.Around(cell, `class="`, `"`), got, class, words)
	}
}

// panel is what is open beside a board.
func panel(p clubtest.Page) string {
	body := clubtest.Around(p.Body, `<aside id="panel"`, "</aside>")
	return strings.Join(strings.Fields(html.UnescapeString(clubtest.Tags.ReplaceAllString("<"+body, " "))), " ")
}

func wantPanel(t *testing.T, p clubtest.Page, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(panel(p), w) {
			t.Errorf("the panel does not say %q:\n%s", w, panel(p))
		}
	}
}

// submit sends a form of a page as a browser does: with its hidden fields, and what
// is filled in.
func (d day) submit(p clubtest.Page, action string, pairs ...string) clubtest.Page {
	d.t.Helper()
	answer := d.desk.Send(action, p.Form(action, pairs...))
	if action == "/desk/orders" && answer.Status == 409 && strings.Contains(answer.Text(), "金额有变化") {
		// Without scripts the form learns from the first answer what it all costs.
		answer = d.desk.Send(action, answer.Form(action, pairs...))
	}
	return answer
}

// wantSaid follows a redirect to a page that says what was done, at a slot or on an
// order's page.
func (d day) wantSaid(p clubtest.Page, word, words string) clubtest.Page {
	d.t.Helper()
	p.Want(303)
	to, err := url.Parse(p.Location)
	clubtest.Must(d.t, err)
	if to.Query().Get("said") != word || !strings.HasPrefix(to.Path, "/desk") {
		d.t.Fatalf("goes on to %q, want what was said: %s", p.Location, word)
	}
	return d.desk.Get(p.Location).Want(200).Says(words)
}

// part asks as scripts do.
func (d day) part(path, etag string) clubtest.Page {
	d.t.Helper()
	r := httptest.NewRequest("GET", path, nil)
	r.Header.Set("HX-Request", "true")
	if etag != "" {
		r.Header.Set("If-None-Match", etag)
	}
	return d.desk.Do(r)
}
