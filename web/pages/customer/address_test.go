package customer_test

import (
	"strings"
	"testing"

	"courtd/web/pages/clubtest"
)

// What stands wrongly in an address is named as it was written, on whoever's pages.
func TestAnAddressSaysWhatIsWrongInIt(t *testing.T) {
	k := clubtest.Open(t, true)
	mine, desk := k.Customer("13800138000"), k.Desk()
	for _, c := range []struct {
		who     *clubtest.Browser
		path    string
		says    string
		english string
	}{
		{mine, "/?date=2026-02-30", "日期不对：2026-02-30（须为日期，例如 2026-12-10）", "This date cannot be used: 2026-02-30"},
		{mine, "/?date=2030-01-01", "日期不对：2030-01-01（须在今天前后 400 天以内）", "within 400 days of today"},
		{mine, "/?date=%E4%BB%8A%E5%A4%A9%20%E2%80%AE", "日期不对（须为日期", "This date cannot be used (must be"},
		{mine, "/orders?cursor=xyz", "页码不对：xyz", "This page cannot be used: xyz"},
		{mine, "/notices?cursor=xyz", "页码不对：xyz", "This page cannot be used: xyz"},
		{desk, "/desk?date=2026-02-30", "日期不对：2026-02-30", "This date cannot be used: 2026-02-30"},
		{desk, "/desk?at=noon", "时间不对：noon", "This time cannot be used: noon"},
	} {
		c.who.Get("/?lang=zh")
		c.who.Get(c.path).Want(422).Says(c.says)
		c.who.Get("/?lang=en")
		p := c.who.Get(c.path).Want(422).Says(c.english)
		if strings.Contains(p.Text(), "\u202e") {
			t.Errorf("%s turns the page around", c.path)
		}
	}
}
