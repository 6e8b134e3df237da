package office

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// closureForm asks which courts to close, from when to when and why.
type closureForm struct {
	Courts           []courtChoice
	All, Whole       bool
	CourtsWrong      *kit.Words
	FromDay, ToDay   kit.Field
	FromTime, ToTime kit.Field
	Reason           kit.Field
}

type courtChoice struct {
	ID, Name string
	Checked  bool
	Active   bool
}

// closureFields are what a closure is asked for with; the preview carries them on.
var closureFields = []string{"all", "court", "whole", "from_day", "from_time", "to_day", "to_time", "reason"}

func closureFormOf(c *fiber.Ctx, back *refused, courts []sqlite.Court, today domain.Date) (closureForm, kit.Trouble) {
	day := today.AddDays(1).String()
	s := sheetOf(c, "closure", back, map[string]string{"from_day": day, "to_day": day, "whole": "1"})
	f := closureForm{All: s.Value("all") != "", Whole: s.Value("whole") != "", CourtsWrong: s.At("courts", kit.Words{"场地", "Courts"})}
	for _, court := range courts {
		f.Courts = append(f.Courts, courtChoice{ID: court.ID, Name: court.Name, Active: court.Active, Checked: back != nil && slices.Contains(manyTyped(c, "court"), court.ID)})
	}
	f.FromDay = s.Draw(kit.Field{Name: "from_day", Label: kit.Words{"从哪一天", "First day"}, Kind: "date", Required: true})
	f.ToDay = s.Draw(kit.Field{Name: "to_day", Label: kit.Words{"到哪一天（含）", "Last day (included)"}, Kind: "date", Required: true})
	f.FromTime = s.Draw(kit.Field{Name: "from_time", Label: kit.Words{"第一天几点起", "From, on the first day"}, Kind: "time"})
	f.ToTime = s.Draw(kit.Field{Name: "to_time", Label: kit.Words{"最后一天几点止", "To, on the last day"}, Kind: "time"})
	f.Reason = s.Draw(kit.Field{Name: "reason", Label: kit.Words{"原因", "Reason"}, Most: domain.MaxNoteChars,
		Hint: kit.Words{"被取消的顾客会看到。", "Customers whose bookings are cancelled see it."}})
	return f, told(back, s)
}

// manyTyped is all that came for a field that may come more than once.
func manyTyped(c *fiber.Ctx, name string) []string {
	args := c.Context().QueryArgs()
	if c.Method() != fiber.MethodGet {
		args = c.Context().PostArgs()
	}
	var out []string
	for _, value := range args.PeekMulti(name) {
		out = append(out, string(value))
	}
	return out
}

// closure reads the form, and says in words what times were taken for that the clocks
// jump over or show twice. A whole day is the business day, past midnight if it is.
func (r *reader) closure(cal domain.Calendar, courts []sqlite.Court) (app.ClosureRequest, []kit.Words) {
	req := app.ClosureRequest{Courts: manyTyped(r.c, "court"), Reason: typed(r.c, "reason")}
	if typed(r.c, "all") != "" {
		req.Courts = nil
		for _, court := range courts {
			req.Courts = append(req.Courts, court.ID)
		}
	}
	if len(req.Courts) == 0 {
		r.refuse(domain.BadField("courts", "name at least one court"))
	}
	from, to := wallTime{day: r.day("from_day", true)}, wallTime{day: r.day("to_day", true)}
	_, err := domain.ParseNote("reason", req.Reason)
	r.refuse(err)
	if typed(r.c, "whole") != "" {
		if to.day.Before(from.day) && len(r.wrong) == 0 {
			r.refuse(domain.BadField("to_day", "must not be earlier than from"))
		}
		req.From, req.To = cal.DayStart(from.day), cal.DayStart(to.day.AddDays(1))
		return req, nil
	}
	from.minute, to.minute = r.clock("from_time"), r.clock("to_time")
	var notes []kit.Words
	for _, end := range []struct {
		wall wallTime
		at   *domain.Instant
	}{{from, &req.From}, {to, &req.To}} {
		at, note := end.wall.at(cal)
		*end.at = at
		if note != nil {
			notes = append(notes, *note)
		}
	}
	return req, notes
}

// closureNames are the fields of a closure by the names that they have in the form.
func closureNames(c *fiber.Ctx) []string {
	if typed(c, "whole") != "" {
		return []string{"from", "from_day", "to", "to_day"}
	}
	return []string{"from", "from_time", "to", "to_time"}
}
