package office

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

// staffPage lists everybody who works here.
type staffPage struct {
	kit.Frame
	kit.Trouble
	Members  []memberRow
	Username kit.Field
	Name     kit.Field
	Password kit.Field
	AsOwner  bool // the role that is chosen for a new one
	Open     bool
	Nonce    string
}

// memberRow is somebody who works here.
type memberRow struct {
	ID, Username, Name string
	Owner, Active, You bool
}

func memberOf(m sqlite.Staff, you app.Actor) memberRow {
	return memberRow{ID: m.ID, Username: m.Username, Name: m.Name, Owner: m.Role == string(app.RoleOwner), Active: m.Active, You: m.ID == you.ID}
}

func (p *pages) showStaff(c *fiber.Ctx) error { return p.drawStaff(c, http.StatusOK, nil) }

func (p *pages) drawStaff(c *fiber.Ctx, status int, back *refused) error {
	f, _, _, err := p.frame(c, kit.Words{"员工", "Staff"}, nil)
	if err != nil {
		return err
	}
	page := staffPage{Frame: f, Open: back != nil, Nonce: kit.Nonce(c)}
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		all, err := s.AllStaff()
		for _, m := range all {
			page.Members = append(page.Members, memberOf(m, httpx.ActorOf(c)))
		}
		return err
	})
	if err != nil {
		return err
	}
	s := sheetOf(c, "add", back, map[string]string{"role": string(app.RoleDesk), "password": app.NewPassword()})
	page.Username = s.Draw(kit.Field{Name: "username", Label: kit.Words{"用户名", "User name"}, Most: domain.MaxKeyChars, Required: true,
		Hint: kit.Words{"登录用：英文字母、数字或符号，不能有空格。以后不能改。", "For signing in: plain letters, digits or signs, no spaces. It cannot be changed later."}})
	page.Name = s.Draw(kit.Field{Name: "name", Label: kit.Words{"姓名", "Name"}, Most: 2 * domain.MaxNameChars,
		Hint: kit.Words{"不填就用用户名。", "Empty: the user name."}})
	page.Password = passwordField(s)
	page.AsOwner = s.Value("role") == string(app.RoleOwner)
	page.Trouble = told(back, s)
	return p.Render(c, status, "staff", page)
}

func passwordField(s *kit.Sheet) kit.Field {
	return s.Draw(kit.Field{Name: "password", Label: kit.Words{"密码", "Password"}, Most: domain.MaxPasswordChars, Required: true,
		Hint: kit.Words{fmt.Sprintf("已为您生成一个，也可改成自己的（至少 %d 个字符）。", domain.MinPasswordChars),
			fmt.Sprintf("One has been made up; or type your own, of %d characters or more.", domain.MinPasswordChars)}})
}

// passwordPage shows a password that was set, once.
type passwordPage struct {
	kit.Frame
	Name, Username, Password string
	Added, You               bool
}

func (p *pages) drawPassword(c *fiber.Ctx, page passwordPage) error {
	title := kit.Words{"密码已重设", "The password is set"}
	if page.Added {
		title = kit.Words{"员工已添加", "Added"}
	}
	f, _, _, err := p.frame(c, title, nil)
	if err != nil {
		return err
	}
	f.Narrow = true
	page.Frame, page.Password = f, kit.Sent(c, "password")
	return p.Render(c, http.StatusOK, "staff_password", page)
}

// addStaff lets somebody work here and shows their password. It stands on the answer
// itself and on no address, so that it is shown once; the same form again shows it again.
func (p *pages) addStaff(c *fiber.Ctx) error {
	n := app.NewStaff{Username: kit.Sent(c, "username"), Name: kit.Sent(c, "name"), Password: kit.Sent(c, "password"), Role: kit.Sent(c, "role")}
	m, err := p.App.AddStaff(c.UserContext(), httpx.ActorOf(c), n, keyOf(c))
	if err == nil {
		return p.drawPassword(c, passwordPage{Name: m.Name, Username: m.Username, Added: true})
	}
	back := &refused{form: "add", wrong: wrongOf(err), err: err}
	if reasonOf(err) == "username_exists" {
		back.wrong["username"] = &kit.Words{"这个用户名已经有人用了", "somebody has this user name already"}
	}
	return kit.Beside(c, err, func(status int) error { return p.drawStaff(c, status, back) })
}
