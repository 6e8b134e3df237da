package settings

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// hoursPage is when the venue is open, and the week that follows from it.
type hoursPage struct {
	formPage
	Slot     kit.Field
	Days     []spanRow
	Special  []spanRow // dates with hours of their own, from today on
	Past     []spanRow
	Holidays []holidayRow
	Gone     []holidayRow // holidays that are over
	Part     bool         // sent for itself, with the picture beside it
	Week     week
	Bad      []kit.Fault // why there is no picture
	Misfits  []app.Misfit
	Most     int    // of the misfits that are named
	Agreed   string // the mark of the misfits that saving in spite of them agrees to; empty: not asked
}

type spanRow struct {
	ID            string
	Name          kit.Words
	At            string // the names of its fields begin so
	Closed        bool
	Date          kit.Field
	Opens, Closes kit.Field
	Note          kit.Field
}

type holidayRow struct {
	ID         string
	Date, Name kit.Field
}

const namedMisfits = 12

func (p *pages) showHours(c *fiber.Ctx) error {
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	f := formOfHours(venue.Calendar.Hours)
	f.addSpecial()
	f.addHoliday()
	page, err := p.hoursPage(c, f, nil)
	if err != nil {
		return err
	}
	page.Said = kit.SaidOf(c, map[string]kit.Words{"saved": {"营业时间已保存", "The hours are saved"}})
	return p.Render(c, http.StatusOK, "hours", page)
}

// saveHours saves the hours, or does to the form what another of its buttons says.
func (p *pages) saveHours(c *fiber.Ctx) error {
	f, act := formOfSentHours(c), kit.Sent(c, "act")
	h, wrong := f.read()
	switch {
	case strings.HasPrefix(act, "add-") || strings.HasPrefix(act, "drop-"):
		f.act(act)
		page, err := p.hoursPage(c, f, nil)
		if err != nil {
			return err
		}
		if page.Part = byPart(c); page.Part {
			return p.RenderPart(c, http.StatusOK, "hours", "dates", page)
		}
		return p.Render(c, http.StatusOK, "hours", page)
	case act == "preview" || wrong != nil:
		return p.drawHours(c, f, wrong)
	}
	unseen, err := p.App.ChangeHours(c.UserContext(), httpx.ActorOf(c), h, kit.Sent(c, "mark"), kit.Sent(c, "agreed"))
	if unseen != nil {
		return p.askAboutMisfits(c, f, *unseen)
	}
	if err == nil {
		return kit.Done(c, "/owner/hours", "saved")
	}
	return kit.Beside(c, err, func(int) error { return p.drawHours(c, f, err) })
}

// previewHours shows the week that would follow from the form as it is.
func (p *pages) previewHours(c *fiber.Ctx) error {
	f := formOfSentHours(c)
	if !byPart(c) {
		_, wrong := f.read()
		return p.drawHours(c, f, wrong)
	}
	page, err := p.hoursPage(c, f, nil)
	if err != nil {
		return err
	}
	return p.RenderPart(c, http.StatusOK, "hours", "preview", page)
}

func (p *pages) drawHours(c *fiber.Ctx, f *hoursForm, refusal error) error {
	page, err := p.hoursPage(c, f, refusal)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if refusal != nil {
		status, _ = kit.ToldBeside(refusal)
	}
	return p.Render(c, status, "hours", page)
}

// askAboutMisfits shows the bookings that do not fit. Saving again agrees to them, and to
// no others.
func (p *pages) askAboutMisfits(c *fiber.Ctx, f *hoursForm, unseen app.Misfits) error {
	page, err := p.hoursPage(c, f, nil)
	if err != nil {
		return err
	}
	page.Misfits, page.Agreed = unseen.Bookings, unseen.Mark
	return p.Render(c, http.StatusConflict, "hours", page)
}

// hoursPage draws a form with what follows from it.
func (p *pages) hoursPage(c *fiber.Ctx, f *hoursForm, refusal error) (hoursPage, error) {
	frame, venue, now, err := p.OwnerFrame(c, kit.Words{"营业时间", "Opening hours"})
	if err != nil {
		return hoursPage{}, err
	}
	dress(&frame)
	frame.Live = true
	page := hoursPage{Most: namedMisfits}
	page.Frame, page.Self, page.Mark = frame, "/owner/hours", kit.MarkOn(c, venue.Calendar.Hours, refusal)
	today := venue.Calendar.DayOf(now)
	s := kit.NewSheet("", func(name string) string { return f.values[name] }, kit.WrongAt(refusal, func(name string) string { return name }))
	page.addFields(s, f, today.String())
	page.Trouble = kit.TroubleOf(refusal, s)
	if domain.IsReason(refusal, "changed_meanwhile") {
		page.Theirs = hoursLines(venue.Calendar.Hours)
	}
	h, wrong := f.read()
	if wrong != nil {
		silent := kit.NewSheet("", s.Value, kit.WrongAt(wrong, func(name string) string { return name }))
		(&hoursPage{}).addFields(silent, f, today.String())
		page.Bad = silent.Faults()
		return page, nil
	}
	page.Week = weekOf(venue.Calendar, h, today)
	misfits, err := p.App.MisfitsOf(c.UserContext(), h)
	page.Misfits = misfits.Bookings
	return page, err
}

func (page *hoursPage) addFields(s *kit.Sheet, f *hoursForm, today string) {
	page.Slot = numberField(s, "slot_minutes", kit.Words{"每场时长", "Length of a slot"}, kit.Words{"分钟", "minutes"})
	for _, day := range weekOrder {
		page.Days = append(page.Days, spanFields(s, fmt.Sprintf("weekly.%d", day), kit.Weekday(day)))
	}
	for i, id := range f.special {
		at := "x." + id
		date := f.values[at+".date"]
		name := kit.Words{fmt.Sprintf("第 %d 个日期", i+1), fmt.Sprintf("Date %d", i+1)}
		day := dateField(s, at+".date", name)
		row := spanFields(s, at, name)
		row.ID, row.Date = id, day
		row.Note = textField(s, at+".note", kit.Words{name[0] + "的说明", name[1] + ", note"}, 2*domain.MaxNoteChars)
		if date != "" && date < today && row.Date.Wrong == nil && row.Opens.Wrong == nil && row.Closes.Wrong == nil {
			page.Past = append(page.Past, row)
		} else {
			page.Special = append(page.Special, row)
		}
	}
	for i, id := range f.holidays {
		at := "h." + id
		name := kit.Words{fmt.Sprintf("第 %d 个节假日", i+1), fmt.Sprintf("Holiday %d", i+1)}
		row := holidayRow{ID: id, Date: dateField(s, at+".date", name), Name: textField(s, at+".name", kit.Words{name[0] + "的名称", name[1] + ", name"}, 2*domain.MaxNameChars)}
		if date := f.values[at+".date"]; date != "" && date < today && row.Date.Wrong == nil && row.Name.Wrong == nil {
			page.Gone = append(page.Gone, row)
		} else {
			page.Holidays = append(page.Holidays, row)
		}
	}
}

// spanFields draws the fields of a day's hours.
func spanFields(s *kit.Sheet, at string, name kit.Words) spanRow {
	row := spanRow{At: at, Name: name, Closed: s.Value(at+".closed") != ""}
	row.Opens = clockField(s, at+".opens", kit.Words{name[0] + "开门", name[1] + ", opens"})
	row.Closes = clockField(s, at+".closes", kit.Words{name[0] + "关门", name[1] + ", closes"})
	row.Opens.Quiet, row.Closes.Quiet = true, true
	return row
}
