package settings

import (
	"fmt"
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// setUpPage asks for all that a venue needs to open.
type setUpPage struct {
	formPage
	Token                       string
	Name, Address, Phone, Zone  kit.Field
	Courts, Slot, Opens, Closes kit.Field
	NamesValue                  string
	NamesWrong                  *kit.Words
	DayPrice, PeakPrice         kit.Field
	PeakFrom                    kit.Field
	Weekend                     bool
	Hold                        kit.Field
	Username, Password, Again   kit.Field
	Grid                        *dayBar // what the hours and the length of a slot come to
}

// mayBeSetUp refuses unless there is no venue yet and the request carries the token.
func (p *pages) mayBeSetUp(c *fiber.Ctx) error {
	_, _, _, err := p.App.Venue(c.UserContext())
	switch {
	case err == nil:
		return domain.Refuse(domain.NotFound, "already_set_up", "the venue is set up; sign in as its owner")
	case !domain.IsReason(err, "not_set_up"):
		return err
	case !p.hasToken(c):
		return domain.Refuse(domain.Forbidden, "set_up_token", "the address lacks the token that courtd printed when it started")
	}
	return nil
}

// hasToken reports whether a request carries the token that courtd printed.
func (p *pages) hasToken(c *fiber.Ctx) bool {
	return p.SetUpToken != "" && secret.EqualHash(secret.HashToken(tokenOf(c)), secret.HashToken(p.SetUpToken))
}

// tokenOf is the token of the link that was opened, or of the form that came from it.
func tokenOf(c *fiber.Ctx) string {
	if c.Method() == fiber.MethodGet {
		return c.Query("token")
	}
	return kit.Sent(c, "token")
}

func (p *pages) askSetUp(c *fiber.Ctx) error {
	if err := p.mayBeSetUp(c); err != nil {
		return err
	}
	usual := map[string]string{"zone": "Asia/Shanghai", "courts": "6", "slot_minutes": "90", "opens": "08:30", "closes": "22:00", "peak_from": "17:00",
		"hold_minutes": "10"}
	return p.drawSetUp(c, http.StatusOK, func(name string) string { return usual[name] }, nil)
}

// setUp makes the venue, signs its owner in and goes on to what comes next.
func (p *pages) setUp(c *fiber.Ctx) error {
	set, err := readSetUp(sent(c))
	if refusal := p.mayBeSetUp(c); refusal != nil {
		// The button pressed twice: who has just set the venue up is signed in once more.
		if domain.IsReason(refusal, "already_set_up") && err == nil && p.hasToken(c) &&
			httpx.SignInStaff(c, p.App, set.Owner.Username, set.Owner.Password) == nil {
			return kit.Done(c, "/owner/start", "made")
		}
		return refusal
	}
	if err == nil {
		err = p.App.SetUpVenue(c.UserContext(), set)
	}
	if err != nil {
		return kit.Beside(c, err, func(status int) error { return p.drawSetUp(c, status, sent(c), named(err, setUpField)) })
	}
	if err := httpx.SignInStaff(c, p.App, set.Owner.Username, set.Owner.Password); err != nil {
		return err
	}
	return kit.Done(c, "/owner/start", "made")
}

func (p *pages) drawSetUp(c *fiber.Ctx, status int, value func(string) string, refusal error) error {
	f := p.BareFrame(c, kit.Words{"设置场馆", "Set up your venue"})
	dress(&f)
	f.Live = true
	f.Nav, f.Narrow = nil, true
	page := setUpPage{Token: tokenOf(c), Weekend: value("peak_weekend") != ""}
	page.Frame, page.Self = f, "/setup"
	s := kit.NewSheet("", value, kit.WrongAt(refusal, func(name string) string { return name }))
	page.addFields(s)
	page.Trouble = kit.TroubleOf(refusal, s)
	page.Grid = gridOf(value)
	return p.Render(c, status, "setup", page)
}

// previewSetUp says what the hours in the form as it is come to.
func (p *pages) previewSetUp(c *fiber.Ctx) error {
	if err := p.mayBeSetUp(c); err != nil {
		return err
	}
	return p.RenderPart(c, http.StatusOK, "setup", "grid", setUpPage{Grid: gridOf(sent(c))})
}

func (page *setUpPage) addFields(s *kit.Sheet) {
	page.Name = textField(s, "name", kit.Words{"场馆名称", "Name of the venue"}, 2*domain.MaxNameChars)
	page.Name.Auto, page.Name.Required = "organization", true
	page.Address = textField(s, "address", kit.Words{"地址（可不填）", "Address (optional)"}, 2*domain.MaxNoteChars)
	page.Address.Auto = "street-address"
	page.Phone = textField(s, "phone", kit.Words{"电话（可不填）", "Phone (optional)"}, 2*domain.MaxNameChars)
	page.Phone.Kind, page.Phone.Auto = "tel", "tel"
	page.Zone = textField(s, "zone", kit.Words{"时区", "Time zone"}, 64)
	page.Zone.Hint = kit.Words{"以后不能改。中国各地都填 Asia/Shanghai", "Cannot be changed later. Such as Asia/Shanghai or Europe/Berlin"}
	page.Courts = numberField(s, "courts", kit.Words{"有几片场地", "How many courts"}, kit.Words{"片", "courts"})
	page.NamesWrong = s.At("names", kit.Words{"场地名称", "Names of the courts"})
	page.NamesValue = s.Value("names")
	page.Opens, page.Closes = clockField(s, "opens", kit.Words{"每天开门", "Opens every day"}), clockField(s, "closes", kit.Words{"关门", "Closes"})
	page.Slot = numberField(s, "slot_minutes", kit.Words{"每场时长", "Length of a slot"}, minutes)
	yuan := func(name string, label kit.Words) kit.Field {
		return s.Draw(kit.Field{Name: name, Label: label, Mode: "decimal", Most: 12, Unit: kit.Words{"元", "yuan"}})
	}
	page.DayPrice = yuan("day_price", kit.Words{"平时每场", "A slot, as a rule"})
	page.DayPrice.Required = true
	page.PeakPrice = yuan("peak_price", kit.Words{"晚间每场（可不填）", "A slot in the evening (optional)"})
	page.PeakFrom = clockField(s, "peak_from", kit.Words{"晚间从几点起", "Evening begins at"})
	page.Hold = numberField(s, "hold_minutes", kit.Words{"下单后几分钟内要付款", "Time to pay an order"}, minutes)
	page.Username = textField(s, "username", kit.Words{"您的用户名", "Your user name"}, domain.MaxNameChars)
	page.Username.Auto, page.Username.Required, page.Username.Hint = "username", true, kit.Words{"英文字母、数字或符号，不能有空格", "Plain letters, digits or signs, no spaces"}
	page.Password, page.Again = textField(s, "password", kit.Words{"密码", "Password"}, domain.MaxPasswordChars), textField(s, "again", kit.Words{"再输一次密码", "The password again"}, domain.MaxPasswordChars)
	page.Password.Hint = kit.Words{fmt.Sprintf("至少 %d 个字符", domain.MinPasswordChars), fmt.Sprintf("At least %d characters", domain.MinPasswordChars)}
	for _, f := range []*kit.Field{&page.Password, &page.Again} {
		f.Kind, f.Auto, f.Value, f.Required = "password", "new-password", "", true // never sent back
	}
}
