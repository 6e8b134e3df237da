package office_test

import (
	"strings"
	"testing"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// idOf finds somebody who works here.
func idOf(t *testing.T, k *clubtest.Club, username string) string {
	t.Helper()
	return read(t, k, func(s *sqlite.Snapshot) (string, error) {
		m, found, err := s.StaffByUsername(username)
		if !found {
			t.Fatalf("nobody is called %s", username)
		}
		return m.ID, err
	})
}

func signIn(k *clubtest.Club, username, password string) (*clubtest.Browser, clubtest.Page) {
	b := k.Browser()
	return b, b.Post("/desk/login", "username", username, "password", password)
}

func TestPasswordsAreShownOnce(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	form := owner.Get("/owner/staff").Says("馆主 owner 馆主 您", "前台 desk 前台")
	password := clubtest.Around(clubtest.Around(form.Body, `name="password"`, ">"), `value="`, `"`)
	if len(password) != 19 || strings.Contains(owner.Get("/owner/staff").Body, password) {
		t.Fatalf("the password that was made up is %q", password)
	}
	send := func(username string) clubtest.Page {
		t.Helper()
		return owner.Post("/owner/staff", "nonce", field(t, form, "nonce"), "username", username, "name", "李雷", "role", "desk", "password", password)
	}
	send("li lei").Want(422).Says("只能由可见的英文字符组成").Has(`value="`+password+`"`, `value="li lei"`, `value="李雷"`)
	for range 2 { // the button was pressed twice
		send("lilei").Want(200).Says("李雷", "lilei", password, "只在这里显示一次")
	}
	owner.Get("/owner/staff").Says("李雷 lilei 前台").HasNot(password)
	b, in := signIn(k, "lilei", password)
	in.WantRedirect("/desk")
	b.Get("/owner/staff").Want(403)
	owner.Post("/owner/staff", "username", "lilei", "role", "desk", "password", "0123456789").Want(409).Says("这个用户名已经有人用了").Has(`href="#add-username"`)
	owner.Post("/owner/staff", "username", "", "role", "desk", "password", "short").Want(422).Says("须为 1 到 64 个字符", "须为 10 到 200 个字符")
	owner.Post("/owner/staff", "username", "x", "role", "king", "password", "0123456789").Want(422)

	li := "/owner/staff/" + idOf(t, k, "lilei")
	owner.Get(li).Says("任何改动都会让对方在所有设备上退出登录")
	owner.Post(li+"/password", "password", "123").Want(422).Says("须为 10 到 200 个字符").Has(`value="123"`)
	owner.Post(li+"/password", "password", "").Want(422).Says("必填")
	b.Get("/desk").Want(200)
	owner.Post(li+"/password", "password", "another-one-1").Want(200).Says("another-one-1", "只在这里显示一次", "已在所有设备上退出登录").HasNot("您已退出登录")
	b.Get("/desk").Want(303)
	if _, in := signIn(k, "lilei", password); in.Status == 303 {
		t.Error("the old password still counts")
	}
	_, in = signIn(k, "lilei", "another-one-1")
	in.WantRedirect("/desk")
}

func TestNamesRolesAndLeaving(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	desk := "/owner/staff/" + idOf(t, k, app.Demo().Accounts["desk"].Username)
	account := app.Demo().Accounts["desk"]
	again := func() (*clubtest.Browser, clubtest.Page) { return signIn(k, account.Username, account.Password) }

	b, _ := again()
	owner.Post(desk+"/name", "name", " ").Want(422).Says("不能为空")
	b.Get("/desk").Want(200) // a refusal signs nobody out
	owner.Post(desk+"/name", "name", "小王").WantRedirect(desk + "?said=renamed")
	owner.Get(desk+"?said=renamed").Says("小王 前台", "已在所有设备上退出登录")
	b.Get("/desk").Want(303)

	b, _ = again()
	owner.Post(desk+"/role", "role", "owner").WantRedirect(desk + "?said=role")
	owner.Get(desk).Says("小王 馆主")
	b.Get("/desk").Want(303)
	b, _ = again()
	b.Get("/owner/goods").Want(200)
	owner.Post(desk+"/role", "role", "desk").Want(303)
	owner.Post(desk+"/role", "role", "king").Want(422)
	owner.Post(desk + "/role").Want(422)

	owner.Post(desk+"/active", "active", "0").WantRedirect(desk + "?said=dismissed")
	owner.Get("/owner/staff").Says("小王 desk 前台 已停用")
	if _, in := again(); in.Status == 303 {
		t.Error("somebody who was dismissed signs in")
	}
	owner.Post(desk+"/active", "active", "1").WantRedirect(desk + "?said=reinstated")
	_, in := again()
	in.WantRedirect("/desk")
	owner.Post("/owner/staff/nobody/name", "name", "x").Want(404)
}

func TestAnOwnerRemains(t *testing.T) {
	k := clubtest.Open(t, true)
	owner := k.Owner()
	me := "/owner/staff/" + idOf(t, k, app.Demo().Accounts["owner"].Username)
	owner.Get(me).Says("这是您自己", "馆主 馆主 您")
	for act, form := range map[string][]string{"/active": {"active", "0"}, "/role": {"role", "desk"}} {
		owner.Post(me+act, form...).Want(409).Says("最后一位馆主")
		owner.Get(me).Want(200).Says("馆主 馆主 您") // and is still signed in
	}
	owner.Post("/owner/staff", "username", "second", "role", "owner", "password", "0123456789", "nonce", "n").Want(200)
	owner.Post(me+"/role", "role", "desk").WantRedirect(me + "?said=role")
	owner.Get(me).Want(303)
	second, in := signIn(k, "second", "0123456789")
	in.WantRedirect("/desk")
	second.Post("/owner/staff/"+idOf(t, k, "second")+"/active", "active", "0").Want(409).Says("最后一位馆主")
	own := second.Post("/owner/staff/"+idOf(t, k, "second")+"/password", "password", "my-new-password").Want(200).Says("my-new-password", "您已退出登录")
	own.HasNot("0123456789")
	second.Get("/owner/staff").Want(303)
}
