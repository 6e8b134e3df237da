package records

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// auditPage lists who did what, the newest first.
type auditPage struct {
	kit.Frame
	Refusal *kit.Say
	Wrong   kit.Wrong
	Search  auditSearch
	Actors  []choice
	Acts    []choice
	Rows    []auditRow
	Older   string // address of the next page; empty on the last
	First   string // address of the first page; empty on it
	CSV     string
}

// auditSearch is what the page is asked for, as it was typed.
type auditSearch struct{ Text, Actor, Action, From, Until, Cursor string }

// choice is one entry of a list to choose from.
type choice struct {
	Value  string
	Words  kit.Words
	Chosen bool
}

// auditPageSize is how many acts one page lists.
const auditPageSize = 50

func searchOf(c *fiber.Ctx) auditSearch {
	return auditSearch{Text: c.Query("q"), Actor: c.Query("actor"), Action: c.Query("action"), From: c.Query("from"), Until: c.Query("until"), Cursor: c.Query("cursor")}
}

func (s auditSearch) filter() (f app.AuditFilter, err error) {
	f = app.AuditFilter{Text: s.Text, Actor: s.Actor, Action: s.Action}
	if s.From != "" {
		if f.From, err = domain.ParseDate("from", s.From); err != nil {
			return f, err
		}
	}
	if s.Until != "" {
		f.Until, err = domain.ParseDate("until", s.Until)
	}
	return f, err
}

// address is a page about the same search.
func (s auditSearch) address(path, cursor string) string {
	query := url.Values{}
	for name, value := range map[string]string{"q": s.Text, "actor": s.Actor, "action": s.Action, "from": s.From, "until": s.Until, "cursor": cursor} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

func (p *pages) showAudit(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"操作记录", "Audit log"})
	if err != nil {
		return err
	}
	f.Styles = []string{"records.css"}
	search := searchOf(c)
	page := auditPage{Frame: f, Search: search, CSV: search.address("/owner/audit.csv", "")}
	status := http.StatusOK
	var list app.List[app.AuditView]
	filter, err := search.filter()
	if err == nil {
		list, err = p.App.AuditTrail(c.UserContext(), filter, app.Page{Cursor: search.Cursor, Limit: auditPageSize})
	}
	if _, refused := domain.AsError(err); refused {
		said := kit.Explain(err, nil)
		page.Refusal, page.Wrong, status = &said, kit.WrongOf(err), httpx.ProblemOf(err, time.UTC).Status
	} else if err != nil {
		return err
	}
	if search.Cursor != "" {
		page.First = search.address(c.Path(), "")
	}
	if list.Next != nil {
		page.Older = search.address(c.Path(), *list.Next)
	}
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		if page.Actors, err = actorChoices(s, search.Actor); err != nil {
			return err
		}
		page.Acts = actChoices(search.Action)
		page.Rows, err = auditRows(s, list.Items)
		return err
	})
	if err != nil {
		return err
	}
	return p.Render(c, status, "audit", page)
}

// actorChoices are the people who work here, and whoever is asked about.
func actorChoices(s *sqlite.Snapshot, chosen string) ([]choice, error) {
	staff, err := s.AllStaff()
	if err != nil {
		return nil, err
	}
	var out []choice
	known := chosen == ""
	for _, m := range staff {
		role := roles[m.Role]
		out = append(out, choice{Value: m.ID, Words: kit.Words{m.Name + "（" + role[0] + "）", m.Name + " (" + role[1] + ")"}, Chosen: m.ID == chosen})
		known = known || m.ID == chosen
	}
	if !known {
		out = append(out, choice{Value: chosen, Words: kit.Words{chosen}, Chosen: true})
	}
	return out, nil
}

func actChoices(chosen string) []choice {
	var out []choice
	for _, action := range slices.Sorted(maps.Keys(acts)) {
		out = append(out, choice{Value: action, Words: acts[action], Chosen: action == chosen})
	}
	slices.SortStableFunc(out, func(a, b choice) int { return cmp.Compare(a.Words[1], b.Words[1]) })
	return out
}
