package desk_test

import (
	"testing"

	"courtd/web/pages/clubtest"
)

func TestDeskIsForStaff(t *testing.T) {
	k := clubtest.Open(t, true)
	for _, b := range []*clubtest.Browser{k.Browser(), k.Customer("13800138000")} {
		b.Get("/desk").WantRedirect("/desk/login?next=%2Fdesk")
	}
	b := k.Browser()
	b.Post("/desk/login", "username", "desk", "password", "wrong password").Want(401).Says("用户名或密码错误").Has(`value="desk"`)
	b.Get("/desk").Want(303)
	k.Desk().Get("/desk").Want(200)
}
