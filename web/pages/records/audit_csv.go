package records

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/csv"
	"courtd/web/pages/kit"
)

// saveAudit has the browser save all that a search of the audit finds, the newest
// first. The file is made before it is sent: one that breaks off would look whole.
func (p *pages) saveAudit(c *fiber.Ctx) error {
	filter, err := searchOf(c).filter()
	if err != nil {
		return err
	}
	venue, _, now, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	t := csv.NewTable("时间 At", "谁 Who", "身份 Role", "操作 What", "对象 To what", "原因 Reason", "详情 Details")
	var n *names // those of courts, goods and staff are read once
	err = p.App.WholeAudit(c.UserContext(), filter, func(s *sqlite.Snapshot, acts []app.AuditView) error {
		if n == nil {
			read, err := readNames(s)
			if err != nil {
				return err
			}
			n = &read
		}
		rows, err := n.rows(s, acts)
		for _, row := range rows {
			t.Row(csv.Text(row.At.Format("2006-01-02 15:04:05")), csv.Text(both(row.Who)), csv.Text(both(row.Role)), csv.Text(both(row.What)),
				csv.Text(both(row.Target)), csv.Text(row.Reason), csv.Text(detailsText(row.Details)))
		}
		return err
	})
	if err != nil {
		return err
	}
	return sendFile(c, csv.File{Name: "courtd-audit-" + venue.Calendar.DayOf(now).String() + ".csv", Body: t.Bytes()})
}

// both writes words in both languages, as the headings of all tables are.
func both(w kit.Words) string {
	if w[1] == "" || w[0] == w[1] {
		return w[0]
	}
	return w[0] + " " + w[1]
}

func detailsText(details []detail) string {
	var out []string
	for _, d := range details {
		out = append(out, both(d.Name)+": "+d.Value[0])
	}
	return strings.Join(out, "; ")
}
