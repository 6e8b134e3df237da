package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// text reads a string of a body; "" is none.
func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// session is the exchange of a sign-in code.
func (w *WeChat) session(r *http.Request, _ map[string]json.RawMessage) any {
	q := r.URL.Query()
	switch c := w.codes[q.Get("js_code")]; {
	case q.Get("appid") != w.appID:
		return refusal{40013, "invalid appid"}
	case q.Get("secret") != w.secret:
		return refusal{40125, "invalid appsecret"}
	case q.Get("grant_type") != "authorization_code":
		return refusal{40002, "invalid grant_type"}
	case c == nil, !w.now().Before(c.until):
		return refusal{40029, "invalid code"}
	case c.used:
		return refusal{40163, "code been used"}
	case c.openid == "":
		return refusal{40226, "code blocked"}
	default:
		c.used = true
		return map[string]string{"openid": c.openid, "session_key": "c2Vzc2lvbi1rZXktb2YtdGhlLXVzZXI=", "unionid": "u-" + c.openid}
	}
}

// stableToken gives the token that is good, or the next one.
func (w *WeChat) stableToken(_ *http.Request, raw map[string]json.RawMessage) any {
	w.fetches++
	var force bool
	_ = json.Unmarshal(raw["force_refresh"], &force)
	switch {
	case text(raw["grant_type"]) != "client_credential":
		return refusal{40002, "invalid grant_type"}
	case text(raw["appid"]) != w.appID:
		return refusal{40013, "invalid appid"}
	case text(raw["secret"]) != w.secret:
		return refusal{40125, "invalid appsecret"}
	}
	if force || w.token == "" || !w.now().Before(w.tokenUntil.Add(-5*time.Minute)) {
		w.tokens++
		w.token, w.tokenUntil, w.revoked = fmt.Sprintf("access-token-%d", w.tokens), w.now().Add(tokenLife), false
	}
	return map[string]any{"access_token": w.token, "expires_in": int(w.tokenUntil.Sub(w.now()) / time.Second)}
}

// send takes a subscribed message.
func (w *WeChat) send(_ *http.Request, raw map[string]json.RawMessage) any {
	var data map[string]struct{ Value string }
	if json.Unmarshal(raw["data"], &data) != nil {
		return refusal{47001, "data format error"}
	}
	m := Message{OpenID: text(raw["touser"]), TemplateID: text(raw["template_id"]), Page: text(raw["page"]), Data: map[string]string{}}
	names, found := w.templates[m.TemplateID]
	switch {
	case !w.known[m.OpenID]:
		return refusal{40003, "invalid openid " + m.OpenID}
	case !found:
		return refusal{40037, "invalid template_id"}
	case strings.HasPrefix(m.Page, "/") || strings.Contains(m.Page, "://"):
		return refusal{41030, "invalid page"}
	}
	for name, v := range data {
		if !slices.Contains(names, name) {
			return refusal{47003, "argument invalid! data." + name + " is not of the template"}
		}
		if !fits(name, v.Value) {
			return refusal{47003, "argument invalid! data." + name + ".value invalid"}
		}
		m.Data[name] = v.Value
	}
	for _, name := range names {
		if _, given := data[name]; !given {
			return refusal{47003, "argument invalid! data." + name + " missing"}
		}
	}
	allowance := [2]string{m.OpenID, m.TemplateID}
	if w.allowances[allowance] == 0 {
		return refusal{43101, "user refuse to accept the msg of " + m.OpenID}
	}
	w.allowances[allowance]--
	w.messages = append(w.messages, m)
	return ok
}

// forms are what WeChat says of parameters, by the kind at the start of their names.
var forms = map[string]*regexp.Regexp{
	"number":           regexp.MustCompile(`^[0-9.]{1,32}$`),
	"letter":           regexp.MustCompile(`^[A-Za-z]{1,32}$`),
	"symbol":           regexp.MustCompile(`^[^\p{L}\p{N}\s]{1,5}$`),
	"character_string": regexp.MustCompile(`^[!-~]{1,32}$`),
	"time":             regexp.MustCompile(`^(\d{4}年\d{1,2}月\d{1,2}日)?( ?\d\d:\d\d(:\d\d)?)?$`),
	"date":             regexp.MustCompile(`^\d{4}年\d{1,2}月\d{1,2}日( \d\d:\d\d(:\d\d)?)?$`),
	"amount":           regexp.MustCompile(`^[¥￥$€]?\d{1,10}(\.\d{1,2})?元?$`),
	"phone_number":     regexp.MustCompile(`^[0-9+*() -]{1,17}$`),
	"car_number":       regexp.MustCompile(`^[\p{Han}A-Za-z0-9]{1,8}$`),
	"name":             regexp.MustCompile(`^([\p{Han}A-Za-z·.-]{1,10}|[A-Za-z !-/:-@]{1,20})$`),
	"phrase":           regexp.MustCompile(`^\p{Han}{1,5}$`),
}

// fits says whether a parameter's value is within WeChat's limits, counted in characters.
func fits(name, value string) bool {
	if !utf8.ValidString(value) || strings.TrimSpace(value) == "" {
		return false
	}
	kind := strings.TrimRight(name, "0123456789")
	if form, found := forms[kind]; found {
		return form.MatchString(value)
	}
	return utf8.RuneCountInString(value) <= 20 && !strings.ContainsFunc(value, unicode.IsControl)
}

// ship takes word that an order can be picked up. What was said before can be changed
// once.
func (w *WeChat) ship(_ *http.Request, raw map[string]json.RawMessage) any {
	var key struct {
		Type          int    `json:"order_number_type"`
		TransactionID string `json:"transaction_id"`
		MchID         string `json:"mchid"`
		OutTradeNo    string `json:"out_trade_no"`
	}
	var list []struct {
		Description string `json:"item_desc"`
	}
	var payer struct {
		OpenID string `json:"openid"`
	}
	_ = json.Unmarshal(raw["order_key"], &key)
	_ = json.Unmarshal(raw["shipping_list"], &list)
	_ = json.Unmarshal(raw["payer"], &payer)
	number := key.TransactionID
	switch {
	case key.Type == 1:
		number = key.MchID + "/" + key.OutTradeNo
	case key.Type != 2:
		return refusal{268485194, "invalid order_number_type"}
	}
	switch {
	case string(raw["logistics_type"]) != "4":
		return refusal{10060005, "invalid logistics_type"}
	case string(raw["delivery_mode"]) != "1":
		return refusal{268485224, "invalid delivery_mode"}
	case len(list) != 1:
		return refusal{268485228, "shipping_list must have one item"}
	case list[0].Description == "":
		return refusal{10060008, "item_desc is empty"}
	case utf8.RuneCountInString(list[0].Description) > 120:
		return refusal{10060009, "item_desc is too long"}
	case !stamp.MatchString(text(raw["upload_time"])):
		return refusal{268485216, "invalid upload_time"}
	}
	said := list[0].Description
	switch p := w.payments[number]; {
	case p == nil:
		return refusal{10060001, "no such payment"}
	case p.openid != payer.OpenID:
		return refusal{10060031, "payment is not of " + payer.OpenID}
	case p.shipped > 0 && p.said == said:
		return refusal{10060023, "nothing new"}
	case p.shipped > 1:
		return refusal{10060003, "changed once already"}
	default:
		p.shipped++
		p.said = said
	}
	w.shipments = append(w.shipments, Shipment{TransactionID: key.TransactionID, MchID: key.MchID, OutTradeNo: key.OutTradeNo,
		OpenID: payer.OpenID, Description: said, UploadTime: text(raw["upload_time"])})
	return ok
}

var stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$`)
