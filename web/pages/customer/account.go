package customer

import (
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// accountPage is what a customer is known by: how they are called, their phone, whether
// WeChat leads here, and an address of mail, which is proven by a code.
type accountPage struct {
	kit.Frame
	Customer app.ProfileView
	Mail     bool // mail can be sent
	App      bool // the mini-program signs customers in
	Name     kit.Field
	Email    kit.Field
	Code     kit.Field
	Sent     string // the address that a code was sent to
	DemoCode string
	Refusal  *kit.Say
}

// accountForm is what was sent to the page, and what came of it.
type accountForm struct {
	name, email *string // as typed; nil where nothing was
	sent, shown string
	err         error
}

// accountSaid are the words for what has been done here.
var accountSaid = map[string]kit.Words{
	"named":     {"姓名已保存", "The name is saved"},
	"mailed":    {"邮箱已验证", "The email address is confirmed"},
	"forgotten": {"邮箱已删除，不再发送邮件", "The email address is removed; no more mail is sent"},
}

func (p *pages) showAccount(c *fiber.Ctx) error {
	return p.drawAccount(c, http.StatusOK, accountForm{})
}

func (p *pages) drawAccount(c *fiber.Ctx, status int, form accountForm) error {
	f, _, _, err := p.FrameOf(c, kit.Words{"我的账号", "My account"})
	if err != nil {
		return err
	}
	me, err := p.App.Me(c.UserContext(), httpx.ActorOf(c))
	if err != nil {
		return err
	}
	f.Narrow, f.Styles, f.Said = true, []string{"customer.css"}, kit.SaidOf(c, accountSaid)
	f.OtherLang = kit.OtherLangAt(c, "/me")
	page := accountPage{Frame: f, Customer: *me.Customer, Mail: p.App.SendsMailCodes(), App: p.App.SignsInWithWeChat(), Sent: form.sent, DemoCode: form.shown}
	sheet := kit.NewSheet("", func(name string) string {
		switch {
		case name == "name" && form.name != nil:
			return *form.name
		case name == "name":
			return me.Customer.Name
		case name == "email" && form.email != nil:
			return *form.email
		}
		return ""
	}, kit.WrongOf(form.err))
	page.Name = sheet.Draw(kit.Field{Name: "name", Label: kit.Words{"姓名（选填）", "Name (optional)"}, Auto: "name", Most: domain.MaxNameChars})
	page.Email = sheet.Draw(kit.Field{Name: "email", Kind: "email", Label: kit.Words{"邮箱", "Email address"}, Auto: "email", Mode: "email", Most: domain.MaxEmailBytes, Required: true,
		Hint: kit.Words{"用来接收订单通知", "Notices of orders are sent there"}})
	page.Code = sheet.Draw(kit.Field{Name: "code", Label: kit.Words{"6 位验证码", "6-digit code"}, Auto: "one-time-code", Mode: "numeric", Most: 12, Required: true})
	page.Refusal = kit.TroubleOf(form.err, sheet).Refusal
	return p.Render(c, status, "account", page)
}

// nameMyself sets the customer's own name.
func (p *pages) nameMyself(c *fiber.Ctx) error {
	name := kit.Sent(c, "name")
	_, err := p.App.Rename(c.UserContext(), httpx.ActorOf(c), name)
	if err == nil {
		return kit.Done(c, "/me", "named")
	}
	return kit.Beside(c, err, func(status int) error {
		return p.drawAccount(c, status, accountForm{name: &name, err: err})
	})
}

// mailCode mails a code to an address and asks for it.
func (p *pages) mailCode(c *fiber.Ctx) error {
	email := strings.TrimSpace(kit.Sent(c, "email"))
	sent, err := httpx.SendEmailCode(httpx.Context(c), p.App, httpx.ActorOf(c), email)
	if err == nil {
		return p.drawAccount(c, http.StatusOK, accountForm{sent: sent.Email, shown: sent.Code})
	}
	return kit.Beside(c, err, func(status int) error {
		form := accountForm{email: &email, err: err}
		if domain.IsReason(err, "code_just_sent") || domain.IsReason(err, "code_in_doubt") { // that one still serves
			form.sent = email
		}
		return p.drawAccount(c, status, form)
	})
}

// confirmEmail makes an address the customer's own by its code.
func (p *pages) confirmEmail(c *fiber.Ctx) error {
	email := strings.TrimSpace(kit.Sent(c, "email"))
	_, err := httpx.ProveEmail(httpx.Context(c), p.App, httpx.ActorOf(c), email, strings.TrimSpace(kit.Sent(c, "code")))
	if err == nil {
		return kit.Done(c, "/me", "mailed")
	}
	return kit.Beside(c, err, func(status int) error {
		form := accountForm{email: &email, err: err}
		if status != http.StatusUnprocessableEntity {
			form.sent, form.shown = email, p.shown(kit.Sent(c, "shown"))
		}
		return p.drawAccount(c, status, form)
	})
}

// forgetEmail forgets the address.
func (p *pages) forgetEmail(c *fiber.Ctx) error {
	if _, err := p.App.ForgetEmail(c.UserContext(), httpx.ActorOf(c)); err != nil {
		return err
	}
	return kit.Done(c, "/me", "forgotten")
}
