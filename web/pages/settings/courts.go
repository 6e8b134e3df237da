package settings

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// courtsPage lists the courts in the order in which people see them.
type courtsPage struct {
	formPage
	Courts []courtRow
	New    kit.Field
	Nonce  string
	Most   int
	Full   bool
}

type courtRow struct {
	ID, Was     string
	Place       int
	Up, Down    int // the places beside it
	Name        kit.Field
	Active      bool
	First, Last bool
	Booked      int // upcoming slots that people hold or have
}

func (p *pages) showCourts(c *fiber.Ctx) error { return p.drawCourts(c, http.StatusOK, "", nil) }

var courtsSaid = map[string]kit.Words{
	"added":   {"已添加场地", "The court was added"},
	"renamed": {"已改名", "The court was renamed"},
	"moved":   {"顺序已改", "The order was changed"},
	"out":     {"已停售。已有的预订照常有效", "Taken out of sale. Bookings that were made stand"},
	"back":    {"已恢复出售", "Back on sale"},
}

// drawCourts shows the list; a refusal is told at the court it is about, or at the new
// one if of is empty.
func (p *pages) drawCourts(c *fiber.Ctx, status int, of string, refusal error) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"场地", "Courts"})
	if err != nil {
		return err
	}
	dress(&f)
	f.Said = kit.SaidOf(c, courtsSaid)
	var courts []sqlite.Court
	booked := map[string]int{}
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		if courts, err = s.Courts(); err != nil {
			return err
		}
		upcoming, err := s.Upcoming()
		for _, u := range upcoming {
			booked[u.CourtID]++
		}
		return err
	})
	if err != nil {
		return err
	}
	page := courtsPage{Nonce: kit.Nonce(c), Most: domain.MaxCourts, Full: len(courts) >= domain.MaxCourts}
	page.Frame, page.Self = f, "/owner/courts"
	values := map[string]string{}
	sent := "new-court" // the form that came back
	if of != "" {
		sent = "name." + of
	}
	wrong := kit.WrongAt(refusal, func(name string) string {
		if name == "name" {
			return sent
		}
		return name
	})
	for _, court := range courts {
		values["name."+court.ID] = court.Name
	}
	if refusal != nil {
		values[sent] = kit.Sent(c, "name")
	}
	s := kit.NewSheet("", func(name string) string { return values[name] }, wrong)
	for i, court := range courts {
		row := courtRow{ID: court.ID, Was: court.Name, Place: i + 1, Up: i, Down: i + 2, Active: court.Active, First: i == 0, Last: i == len(courts)-1, Booked: booked[court.ID]}
		row.Name = textField(s, "name."+court.ID, kit.Words{fmt.Sprintf("第 %d 片的名称", i+1), fmt.Sprintf("Name of court %d", i+1)}, 2*domain.MaxNameChars)
		row.Name.Name, row.Name.Quiet = "name", true
		page.Courts = append(page.Courts, row)
	}
	page.New = textField(s, "new-court", kit.Words{"新场地的名称", "Name of the new court"}, 2*domain.MaxNameChars)
	page.New.Name = "name"
	page.Trouble = kit.TroubleOf(refusal, s)
	return p.Render(c, status, "courts", page)
}

func (p *pages) courtsAnswer(c *fiber.Ctx, of, said string, err error) error {
	if err == nil {
		return kit.Done(c, "/owner/courts", said)
	}
	return kit.Beside(c, err, func(status int) error { return p.drawCourts(c, status, of, err) })
}

// addCourt puts a new court at the end of the list.
func (p *pages) addCourt(c *fiber.Ctx) error {
	_, err := p.App.AddCourt(c.UserContext(), httpx.ActorOf(c), kit.Sent(c, "name"), kit.KeyOf(c))
	return p.courtsAnswer(c, "", "added", err)
}

// renameCourt gives a court another name, if it still has the one that was seen.
func (p *pages) renameCourt(c *fiber.Ctx) error {
	_, err := p.App.ChangeCourt(c.UserContext(), httpx.ActorOf(c), c.Params("id"), func(court *sqlite.Court) error {
		name, err := domain.ParseName("name", kit.Sent(c, "name"))
		if err == nil && name != court.Name && kit.Sent(c, "was") != court.Name {
			err = domain.Refuse(domain.Conflict, "changed_meanwhile", "the court has another name by now")
		}
		court.Name = name
		return err
	})
	return p.courtsAnswer(c, c.Params("id"), "renamed", err)
}

// moveCourt moves a court to another place: the page names the one above and the one below.
func (p *pages) moveCourt(c *fiber.Ctx) error {
	place, err := numberOf("place", kit.Sent(c, "place"))
	if err != nil {
		return err
	}
	return p.courtsAnswer(c, c.Params("id"), "moved", p.App.MoveCourt(c.UserContext(), httpx.ActorOf(c), c.Params("id"), place))
}

// sellCourt takes a court out of sale or puts it back.
func (p *pages) sellCourt(c *fiber.Ctx) error {
	active, said := kit.Sent(c, "active") == "1", "out"
	if active {
		said = "back"
	}
	_, err := p.App.ChangeCourt(c.UserContext(), httpx.ActorOf(c), c.Params("id"), func(court *sqlite.Court) error {
		court.Active = active
		return nil
	})
	return p.courtsAnswer(c, c.Params("id"), said, err)
}
