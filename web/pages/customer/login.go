package customer

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// loginPage asks for a phone and then for the code that was sent to it.
type loginPage struct {
	kit.Frame
	Next       string
	Phone      string
	PhoneWrong *kit.Words
	Refusal    *kit.Say
	Sent       bool
	Minutes    int
	Wait       int // seconds until another code can be asked for
	DemoCode   string
	NoCodes    bool // codes do not get to phones here
	App        bool // the mini-program signs customers in
	unsent     bool // the refusal is about the sending of a code
}

func (p *pages) drawLogin(c *fiber.Ctx, status int, page loginPage) error {
	f, venue, _, err := p.FrameOf(c, kit.Words{"登录", "Sign in"})
	if err != nil {
		return err
	}
	page.NoCodes, page.App = !p.App.CodesReachPhones(venue.Messages), p.App.SignsInWithWeChat()
	if page.NoCodes && page.Refusal != nil && page.unsent {
		page.Refusal = nil // the page says already that none gets there
	}
	f.Narrow, f.Styles = true, []string{"customer.css"}
	for i := range f.Nav {
		if f.Nav[i].Href == "/login" {
			f.Nav[i].Href = "/login?" + url.Values{"next": {page.Next}}.Encode()
		}
	}
	f.OtherLang = kit.OtherLangAt(c, page.address())
	if page.Sent {
		f.Scripts = []string{"login.js"}
	}
	page.Frame, page.Minutes = f, int(domain.LoginCodeLife.Minutes())
	return p.Render(c, status, "login", page)
}

// address is where the same step stands again, for a browser that comes back to it
// in another language. Nothing is sent on the way.
func (page loginPage) address() string {
	query, next := url.Values{}, page.Next
	if next == "/" {
		next = "" // where everybody goes
	}
	for name, value := range map[string]string{"next": next, "phone": page.Phone, "shown": page.DemoCode} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if page.Sent {
		query.Set("sent", "1")
	}
	return "/login?" + query.Encode()
}

// shown is the code that a demonstration has shown before; real ones are never shown.
func (p *pages) shown(value string) string {
	if !p.Demo || len(value) != 6 || strings.Trim(value, "0123456789") != "" {
		return ""
	}
	return value
}

// sentCookie remembers that this browser has had a code sent to a phone: an address
// alone must not claim it.
func sentCookie(phone string) string {
	sum := sha256.Sum256([]byte(phone))
	return "courtd_sent_" + hex.EncodeToString(sum[:6])
}

// askPhone begins to sign somebody in; who is signed in already goes on.
func (p *pages) askPhone(c *fiber.Ctx) error {
	next := kit.SafeNext(c.Query("next"), "/")
	if httpx.ActorOf(c).Role == app.RoleCustomer {
		return c.Redirect(next, fiber.StatusSeeOther)
	}
	page := loginPage{Next: next, Phone: strings.TrimSpace(c.Query("phone"))}
	if phone, err := domain.ParsePhone("phone", page.Phone); err == nil && c.Query("sent") != "" && c.Cookies(sentCookie(phone)) != "" {
		page.Phone, page.Sent, page.DemoCode = phone, true, p.shown(c.Query("shown"))
	}
	return p.drawLogin(c, http.StatusOK, page)
}

// sendCode sends a code to the phone and asks for it.
func (p *pages) sendCode(c *fiber.Ctx) error {
	page := loginPage{Next: kit.SafeNext(kit.Sent(c, "next"), "/"), Phone: strings.TrimSpace(kit.Sent(c, "phone"))}
	sent, err := httpx.SendLoginCode(httpx.Context(c), p.App, page.Phone)
	if err == nil {
		page.Sent, page.Phone, page.DemoCode = true, sent.Phone, sent.Code
		httpx.KeepBriefly(c, sentCookie(page.Phone), "1", int(domain.LoginCodeLife.Seconds()))
		if page.DemoCode == "" {
			page.Wait = app.CodePause
		}
		return p.drawLogin(c, http.StatusOK, page)
	}
	return kit.Beside(c, err, func(status int) error {
		if status == http.StatusUnprocessableEntity {
			page.PhoneWrong = &kit.Words{"手机号格式不对", "This is not a phone number"}
			return p.drawLogin(c, status, page)
		}
		if refusal, _ := domain.AsError(err); refusal.Reason == "code_just_sent" || refusal.Reason == "code_in_doubt" { // that one still serves
			page.Sent = true
			page.Wait, _ = refusal.Detail["retry_after"].(int)
		}
		said := kit.Explain(err, nil)
		page.Refusal, page.unsent = &said, domain.IsReason(err, "code_just_sent") || domain.IsReason(err, "code_not_sent") || domain.IsReason(err, "code_in_doubt")
		return p.drawLogin(c, status, page)
	})
}

// logIn signs a customer in by the code and goes on to where they came from.
func (p *pages) logIn(c *fiber.Ctx) error {
	page := loginPage{Next: kit.SafeNext(kit.Sent(c, "next"), "/"), Phone: strings.TrimSpace(kit.Sent(c, "phone")), Sent: true, DemoCode: p.shown(kit.Sent(c, "shown"))}
	in, err := httpx.LogIn(httpx.Context(c), p.App, page.Phone, strings.TrimSpace(kit.Sent(c, "code")))
	if err == nil {
		httpx.SetSession(c, in.Token)
		return c.Redirect(page.Next, fiber.StatusSeeOther)
	}
	return kit.Beside(c, err, func(status int) error {
		if status == http.StatusUnprocessableEntity {
			page.Sent, page.PhoneWrong = false, &kit.Words{"手机号格式不对", "This is not a phone number"}
			return p.drawLogin(c, status, page)
		}
		said := kit.Explain(err, nil)
		page.Refusal = &said
		return p.drawLogin(c, status, page)
	})
}

// logOut ends this browser's session. Whatever else happens, the browser forgets it.
func (p *pages) logOut(c *fiber.Ctx) error {
	actor := httpx.ActorOf(c)
	httpx.SetSession(c, "")
	if actor.Role != app.Anyone {
		if err := p.App.LogOut(c.UserContext(), actor); err != nil {
			return err
		}
	}
	return c.Redirect("/", fiber.StatusSeeOther)
}

// chooseAgain is the way on from a grid that was loaded before somebody signed in
// or out: the choice is kept, and is confirmed once more.
func (p *pages) chooseAgain(c *fiber.Ctx) error {
	if c.Get("HX-Request") != "" {
		return kit.ConfirmAgain() // a part of a page; its form leads on
	}
	ch := readChoice(c.Context().PostArgs())
	switch actor := httpx.ActorOf(c); {
	case actor.IsStaff():
		return refuseStaff(c)
	case actor.Role != app.RoleCustomer:
		return kit.ToLogin(c, "/login", ch.address())
	}
	err := kit.ConfirmAgain()
	return p.drawGrid(c, http.StatusConflict, ch, err)
}
