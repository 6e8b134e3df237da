package customer

import (
	"encoding/json"
	"html/template"
	"net/url"
	"time"

	"courtd/app"
	"courtd/app/pay/wechat"
	"courtd/domain"
	"courtd/sqlite"
)

// linkLife is how long WeChat takes the link that leads a phone over to it. A code to
// scan lives longer than any order is held.
const linkLife = 5*time.Minute - 15*time.Second

// wechatAttempt is a payment with WeChat that is open.
type wechatAttempt struct {
	Number string
	QR     template.URL // to be scanned by a phone
	Link   string       // to go over to WeChat on this phone
	Old    bool         // the link serves no more; another can be had
}

// attemptOf reads what an open attempt can be paid with, as the provider gave it.
func attemptOf(p sqlite.Payment, now domain.Instant, back string) *wechatAttempt {
	var given struct {
		CodeURL string `json:"code_url"`
		H5URL   string `json:"h5_url"`
	}
	if !p.Open() || p.Opened == "" || json.Unmarshal([]byte(p.Opened), &given) != nil {
		return nil
	}
	out := &wechatAttempt{Number: p.ID}
	switch {
	case p.Via == wechat.ViaNative && given.CodeURL != "":
		picture, err := app.QR(given.CodeURL).MarshalText()
		if err != nil {
			return nil
		}
		out.QR = template.URL(picture)
	case p.Via == wechat.ViaH5 && given.H5URL != "":
		out.Link, out.Old = withReturn(given.H5URL, back), now.Sub(p.CalledAt) >= linkLife
	default:
		return nil
	}
	return out
}

// withReturn says where WeChat leads back to.
func withReturn(link, back string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += "redirect_url=" + url.QueryEscape(back)
	return u.String()
}
