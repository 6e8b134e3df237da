package office

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// closuresPage asks what to close and lists what is and was closed.
type closuresPage struct {
	kit.Frame
	kit.Trouble
	Form     closureForm
	Standing []closureRow
	Done     []closureRow
	Older    string
}

// closureRow is a closure in words.
type closureRow struct {
	ID, Reason   string
	When, Courts kit.Words
	State        string // now, ahead, over or lifted
	MadeBy       string
	MadeAt       time.Time
	LiftedBy     string
	LiftedAt     *time.Time
}

// closuresShown is how many past closures one page lists.
const closuresShown = 20

var closuresSaid = map[string]kit.Words{
	"closed":    {"封场已生效，没有影响任何预订", "The courts are closed; no booking was hit"},
	"kept":      {"封场已生效，受影响的预订仍然保留，请联系顾客改期", "The courts are closed; the bookings it hits stand. Call the customers to move them"},
	"cancelled": {"封场已生效，受影响的预订已取消并全额退款，顾客会收到通知", "The courts are closed; the bookings it hit are cancelled and refunded in full, and the customers are told"},
	"lifted":    {"已解除封场，场地恢复可订", "The closure is lifted; the courts are on sale again"},
}

// showClosures shows the form as the address fills it in, if it does.
func (p *pages) showClosures(c *fiber.Ctx) error {
	if c.Query("from_day") != "" {
		return p.drawClosures(c, http.StatusOK, &refused{form: "closure"})
	}
	return p.drawClosures(c, http.StatusOK, nil)
}

func (p *pages) drawClosures(c *fiber.Ctx, status int, back *refused) error {
	skip, err := skipOf(c)
	if err != nil {
		return err
	}
	f, cal, now, err := p.frame(c, kit.Words{"封场", "Closures"}, closuresSaid)
	if err != nil {
		return err
	}
	page := closuresPage{Frame: f}
	var courts []sqlite.Court
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		if courts, err = s.Courts(); err != nil {
			return err
		}
		staff, err := s.AllStaff()
		if err != nil {
			return err
		}
		standing, err := s.ClosuresNotOver()
		if err != nil {
			return err
		}
		done, err := s.ClosuresDone(skip, closuresShown+1)
		if len(done) > closuresShown {
			done, page.Older = done[:closuresShown], fmt.Sprintf("/owner/closures?skip=%d", skip+closuresShown)
		}
		tell := closureTeller{cal: cal, now: now, courts: courts, staff: staff}
		page.Standing, page.Done = tell.all(standing), tell.all(done)
		return err
	})
	if err != nil {
		return err
	}
	page.Form, page.Trouble = closureFormOf(c, back, courts, cal.DayOf(now))
	return p.Render(c, status, "closures", page)
}

// closureTeller says closures in words.
type closureTeller struct {
	cal    domain.Calendar
	now    domain.Instant
	courts []sqlite.Court
	staff  []sqlite.Staff
}

func (t closureTeller) all(closures []domain.Closure) []closureRow {
	var out []closureRow
	for _, k := range closures {
		row := closureRow{ID: k.ID, Reason: k.Reason, When: spanWords(t.cal, k.From, k.To, t.now), Courts: courtWords(t.courts, k.Courts),
			MadeBy: t.name(k.MadeBy), MadeAt: k.MadeAt.In(t.cal.Zone), LiftedBy: t.name(k.LiftedBy), State: string(k.State(t.now))}
		if k.LiftedAt.IsSet() {
			at := k.LiftedAt.In(t.cal.Zone)
			row.LiftedAt = &at
		}
		out = append(out, row)
	}
	return out
}

func (t closureTeller) name(id string) string {
	for _, m := range t.staff {
		if m.ID == id {
			return m.Name
		}
	}
	return ""
}

// courtWords name courts in the order of the list, or all of them at once.
func courtWords(courts []sqlite.Court, ids []string) kit.Words {
	var out kit.Words
	all := true
	for _, court := range courts {
		if !slices.Contains(ids, court.ID) {
			all = all && !court.Active
			continue
		}
		if out[0] != "" {
			out[0], out[1] = out[0]+"、", out[1]+", "
		}
		out[0], out[1] = out[0]+court.Name, out[1]+court.Name
	}
	if all {
		return kit.Words{"全部场地", "all courts"}
	}
	return out
}

// liftClosure puts the courts back on sale.
func (p *pages) liftClosure(c *fiber.Ctx) error {
	if _, err := p.App.LiftClosure(c.UserContext(), httpx.ActorOf(c), c.Params("id")); err != nil {
		return kit.Beside(c, err, func(status int) error { return p.drawClosures(c, status, &refused{err: err}) })
	}
	return kit.Done(c, "/owner/closures", "lifted")
}
