package settings

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// policyPage is every setting of the policy, and what they come to in words.
type policyPage struct {
	formPage
	Groups  []policyFields
	Example kit.Words
	Says    []consequence
	Bad     []kit.Fault // why there are no words
}

type policyFields struct {
	Title   kit.Words
	Numbers []kit.Field
	OpensAt *kit.Field
	Ladder  []stepFields
}

type stepFields struct{ Hours, Percent kit.Field }

func (p *pages) showPolicy(c *fiber.Ctx) error {
	venue, _, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return err
	}
	values := valuesOfPolicy(venue.Policy)
	page, err := p.policyPage(c, func(name string) string { return values[name] }, nil)
	if err != nil {
		return err
	}
	page.Said = kit.SaidOf(c, map[string]kit.Words{"saved": {"规则已保存。已作出的承诺不变", "The policy is saved. Promises that were made stand"}})
	return p.Render(c, http.StatusOK, "policy", page)
}

// savePolicy changes the policy. Promises that were made do not move.
func (p *pages) savePolicy(c *fiber.Ctx) error {
	policy, err := readPolicy(sent(c))
	if err == nil && kit.Sent(c, "act") != "preview" {
		_, err = p.App.ChangeVenue(c.UserContext(), httpx.ActorOf(c), "policy", func(v *sqlite.Venue) error {
			return app.Change(&v.Policy, policy, kit.Sent(c, "mark"))
		})
		if err == nil {
			return kit.Done(c, "/owner/policy", "saved")
		}
	}
	draw := func(status int) error {
		page, drawErr := p.policyPage(c, sent(c), err)
		if drawErr != nil {
			return drawErr
		}
		return p.Render(c, status, "policy", page)
	}
	if err == nil {
		return draw(http.StatusOK)
	}
	return kit.Beside(c, err, draw)
}

// previewPolicy says what the settings in the form as it is come to.
func (p *pages) previewPolicy(c *fiber.Ctx) error {
	page, err := p.policyPage(c, sent(c), nil)
	if err != nil {
		return err
	}
	if byPart(c) {
		return p.RenderPart(c, http.StatusOK, "policy", "preview", page)
	}
	return p.Render(c, http.StatusOK, "policy", page)
}

func (p *pages) policyPage(c *fiber.Ctx, value func(string) string, refusal error) (policyPage, error) {
	frame, venue, now, err := p.OwnerFrame(c, kit.Words{"规则", "Policy"})
	if err != nil {
		return policyPage{}, err
	}
	_, courts, _, err := p.App.Venue(c.UserContext())
	if err != nil {
		return policyPage{}, err
	}
	dress(&frame)
	frame.Live = true
	page := policyPage{}
	page.Frame, page.Self, page.Mark = frame, "/owner/policy", kit.MarkOn(c, venue.Policy, refusal)
	same := func(name string) string { return name }
	s := kit.NewSheet("", value, kit.WrongAt(refusal, same))
	page.addGroups(s)
	page.Trouble = kit.TroubleOf(refusal, s)
	if domain.IsReason(refusal, "changed_meanwhile") {
		page.Theirs = policyLines(venue.Policy, value)
	}
	policy, wrong := readPolicy(value)
	if wrong != nil {
		silent := kit.NewSheet("", value, kit.WrongAt(wrong, same))
		(&policyPage{}).addGroups(silent)
		page.Bad = silent.Faults()
		return page, nil
	}
	if e, ok := exampleOf(venue, courts, venue.Calendar.DayOf(now)); ok {
		page.Example, page.Says = e.name(), consequences(policy, e)
	}
	return page, nil
}

func (page *policyPage) addGroups(s *kit.Sheet) {
	for _, g := range policyGroups {
		out := policyFields{Title: g.title}
		for _, n := range g.numbers {
			f := numberField(s, n.name, n.label, n.unit)
			f.Hint = n.hint
			out.Numbers = append(out.Numbers, f)
		}
		if g.opensAt {
			f := clockField(s, "opens_at", kit.Words{"最后一天几点开放", "When the last of those days opens"})
			out.OpensAt = &f
		}
		if g.ladder {
			out.Ladder = ladderFields(s)
		}
		page.Groups = append(page.Groups, out)
	}
}

// ladderFields are the steps that are filled in, and some empty ones.
func ladderFields(s *kit.Sheet) []stepFields {
	var out []stepFields
	for i, blank := 0, 0; i < domain.MaxRefundSteps+blankSteps && blank < blankSteps; i++ {
		at := fmt.Sprintf("ladder.%d.", i)
		if plain(s.Value(at+"hours")+s.Value(at+"percent")) == "" {
			blank++
		}
		no := i + 1
		out = append(out, stepFields{
			Hours:   numberField(s, at+"hours", kit.Words{fmt.Sprintf("第 %d 档：提前", no), fmt.Sprintf("Step %d: ahead by", no)}, kit.Words{"小时", "hours"}),
			Percent: numberField(s, at+"percent", kit.Words{fmt.Sprintf("第 %d 档：退", no), fmt.Sprintf("Step %d: back", no)}, percent),
		})
	}
	return out
}
