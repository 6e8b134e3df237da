package office

import (
	"net/http"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// memberPage is one member of the staff and what can be changed about them.
type memberPage struct {
	kit.Frame
	kit.Trouble
	Member         memberRow
	Name, Password kit.Field
}

var memberSaid = map[string]kit.Words{
	"renamed":    {"已改名，并已在所有设备上退出登录", "Renamed, and signed out everywhere"},
	"role":       {"角色已改，并已在所有设备上退出登录", "The role was changed, and they are signed out everywhere"},
	"dismissed":  {"已停用，并已在所有设备上退出登录", "Dismissed, and signed out everywhere"},
	"reinstated": {"已恢复，可以重新登录", "Reinstated; they can sign in again"},
}

func (p *pages) showMember(c *fiber.Ctx) error { return p.drawMember(c, http.StatusOK, nil) }

func (p *pages) drawMember(c *fiber.Ctx, status int, back *refused) error {
	m, err := p.member(c)
	if err != nil {
		return err
	}
	f, _, _, err := p.frame(c, kit.Words{m.Name, ""}, memberSaid)
	if err != nil {
		return err
	}
	page := memberPage{Frame: f, Member: memberOf(m, httpx.ActorOf(c))}
	rename := sheetOf(c, "name", back, map[string]string{"name": m.Name})
	page.Name = rename.Draw(kit.Field{Name: "name", Label: kit.Words{"姓名", "Name"}, Most: 2 * domain.MaxNameChars, Required: true})
	reset := sheetOf(c, "password", back, map[string]string{"password": app.NewPassword()})
	page.Password = passwordField(reset)
	page.Trouble = told(back, rename, reset)
	return p.Render(c, status, "member", page)
}

func (p *pages) member(c *fiber.Ctx) (m sqlite.Staff, err error) {
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) (err error) {
		m, err = s.StaffMember(c.Params("id"))
		return err
	})
	return m, err
}

// changeMember changes a member of the staff for one of the forms of the page.
func (p *pages) changeMember(c *fiber.Ctx, form, said string, change app.StaffChange) error {
	_, err := p.App.ChangeStaff(c.UserContext(), httpx.ActorOf(c), c.Params("id"), change)
	if err == nil {
		return kit.Done(c, "/owner/staff/"+c.Params("id"), said)
	}
	return p.memberBack(c, form, err)
}

// memberBack shows somebody's page with why one of its forms was refused.
func (p *pages) memberBack(c *fiber.Ctx, form string, err error) error {
	return kit.Beside(c, err, func(status int) error {
		return p.drawMember(c, status, &refused{form: form, wrong: wrongOf(err), err: err})
	})
}

// renameMember gives somebody another name. An empty one is refused here, because to
// the use case it means that the name stays.
func (p *pages) renameMember(c *fiber.Ctx) error {
	in := read(c)
	_, err := domain.ParseName("name", kit.Sent(c, "name"))
	in.refuse(err)
	if back := in.back("name"); back != nil {
		return p.drawMember(c, http.StatusUnprocessableEntity, back)
	}
	return p.changeMember(c, "name", "renamed", app.StaffChange{Name: kit.Sent(c, "name")})
}

func (p *pages) changeRole(c *fiber.Ctx) error {
	role := kit.Sent(c, "role")
	if role == "" {
		return domain.BadField("role", `must be "desk" or "owner"`)
	}
	return p.changeMember(c, "role", "role", app.StaffChange{Role: role})
}

// employMember dismisses somebody, who can sign in no more, or takes them back.
func (p *pages) employMember(c *fiber.Ctx) error {
	active, said := kit.Sent(c, "active") == "1", "dismissed"
	if active {
		said = "reinstated"
	}
	return p.changeMember(c, "active", said, app.StaffChange{Active: &active})
}

// resetPassword sets a new password and shows it.
func (p *pages) resetPassword(c *fiber.Ctx) error {
	in := read(c)
	if kit.Sent(c, "password") == "" {
		in.refuse(domain.BadField("password", "is required"))
	}
	if back := in.back("password"); back != nil {
		return p.drawMember(c, http.StatusUnprocessableEntity, back)
	}
	actor := httpx.ActorOf(c)
	m, err := p.App.ChangeStaff(c.UserContext(), actor, c.Params("id"), app.StaffChange{Password: kit.Sent(c, "password")})
	if err == nil {
		return p.drawPassword(c, passwordPage{Name: m.Name, Username: m.Username, You: m.ID == actor.ID})
	}
	return p.memberBack(c, "password", err)
}
