package messages

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/kit"
)

// codeLimits are what the owner sets of login codes: how many a channel carries in a day,
// and to which countries they go by SMS.
type codeLimits struct {
	Daily     int
	Countries string
}

func codeLimitsOf(m domain.Messages) codeLimits {
	return codeLimits{m.DailyCodes(), strings.Join(m.CountriesOfCodes(), " ")}
}

// addCodes are the fields for that.
func (page *routesPage) addCodes(c *fiber.Ctx, m domain.Messages, b *back) *kit.Sheet {
	limits := codeLimitsOf(m)
	s := b.sheet(c, "codes", map[string]string{domain.KindLoginCode: strconv.Itoa(limits.Daily), "code_countries": limits.Countries})
	page.CodesMark = b.mark(c, "codes", limits)
	page.Codes = []kit.Field{
		s.Draw(kit.Field{Name: domain.KindLoginCode, Label: kit.Words{"每个渠道一天最多", "The most by each channel in a day"}, Unit: kit.Words{"条", "codes"}, Mode: "numeric", Most: 8}),
		s.Draw(kit.Field{Name: "code_countries", Label: kit.Words{"发到哪些国家和地区（电话区号）", "Country codes they are sent to"}, Most: 200,
			Hint: kit.Words{"用空格隔开，例如 86 852 853 886", "with spaces between them, such as 86 852 853 886"}}),
	}
	return s
}

// linesOfCodes say what somebody else has just saved of them.
func linesOfCodes(m domain.Messages) []kit.Words {
	l := codeLimitsOf(m)
	return []kit.Words{{fmt.Sprintf("登录验证码：一天 %d 条", l.Daily), fmt.Sprintf("Login codes: %d in a day", l.Daily)}, {"区号：" + l.Countries, "Country codes: " + l.Countries}}
}

// saveCodes sets the limits of login codes.
func (p *pages) saveCodes(c *fiber.Ctx) error {
	n, err := strconv.Atoi(plain(kit.Sent(c, domain.KindLoginCode)))
	switch {
	case err != nil:
		err = domain.BadField(domain.KindLoginCode, "must be a whole number")
	case n < 1 || n > domain.MaxDaily:
		err = domain.BadField(domain.KindLoginCode, "must be between %d and %d", 1, domain.MaxDaily)
	default:
		codes := strings.FieldsFunc(plain(kit.Sent(c, "code_countries")), func(r rune) bool { return strings.ContainsRune(" ,，、;；+", r) })
		wanted := codeLimits{n, cmp.Or(strings.Join(codes, " "), strings.Join(domain.DefaultCodeCountries, " "))}
		err = p.change(c, func(m *domain.Messages) error {
			is := codeLimitsOf(*m)
			if err := app.Change(&is, wanted, kit.Sent(c, "mark")); err != nil {
				return err
			}
			if is.Daily != m.DailyCodes() {
				if m.Daily == nil {
					m.Daily = map[string]int{}
				}
				m.Daily[domain.KindLoginCode] = is.Daily
			}
			if is.Countries != strings.Join(m.CountriesOfCodes(), " ") {
				m.CodeCountries = strings.Fields(is.Countries)
			}
			return nil
		})
	}
	return answerForm(c, "/owner/messages", "codes", err, func(status int) error { return p.drawRoutes(c, status, &back{"codes", err}) })
}
