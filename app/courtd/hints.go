package main

import (
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"courtd/app/pay/wechat"
)

// hints warn of settings each of which could be meant, and together hardly are.
func (o outside) hints(w *world) {
	warn := func(bad bool, setting, zh, en string) {
		if bad && !w.wrong(setting) {
			w.problems = append(w.problems, asWarning(setting, zh, en))
		}
	}
	warn(o.SMTP.Port == 465 && (o.SMTP.TLS == "" || o.SMTP.TLS == "starttls"), "COURTD_SMTP_TLS",
		"465 端口一般要设为 tls", "port 465 usually wants tls")
	warn((o.SMTP.Port == 587 || o.SMTP.Port == 25) && o.SMTP.TLS == "tls", "COURTD_SMTP_TLS",
		"587 和 25 端口一般要设为 starttls", "ports 587 and 25 usually want starttls")
	warn(inTheOpen(o.SMS.URL), "COURTD_SMS_URL", "登录验证码会不加密地经过网络，请用 https://", "login codes would cross the network unencrypted; use https://")
	if w.pay == nil {
		return
	}
	warn(!w.pay.Offers(wechat.ViaNative) && !w.pay.Offers(wechat.ViaH5), "COURTD_WECHAT_PAY_WAYS",
		"没有 native 和 h5，浏览器里的顾客不能在线付款，只能用小程序", "without native and h5 customers in a browser cannot pay online, only those in the mini-program")
	warn(w.pay.Offers(wechat.ViaJSAPI) && o.Pay.AppID != "" && o.App.AppID != "" && o.Pay.AppID != o.App.AppID, "COURTD_WECHAT_PAY_APP_ID",
		"与 COURTD_WECHAT_APP_ID 不同：在小程序里付款（jsapi）要用小程序的 AppID", "is not COURTD_WECHAT_APP_ID: to pay in the mini-program (jsapi) takes the mini-program's app id")
}

// inTheOpen reports whether an address is reached over a network without encryption.
func inTheOpen(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback() && !ip.IsPrivate())
}

// unknownVariables warns of variables that look like settings and set nothing, with the
// one that may be meant.
func unknownVariables(node *kong.Node) []problem {
	var known []string
	for _, flag := range flagsBelow(node) {
		known = append(known, flag.Tag.Envs...)
	}
	var out []problem
	for _, set := range os.Environ() {
		name, _, _ := strings.Cut(set, "=")
		if !strings.HasPrefix(name, "COURTD_") || slices.Contains(known, name) {
			continue
		}
		zh, en := "没有这个设置", "there is no such setting"
		if like := nearest(name, known); like != "" {
			zh, en = zh+"，是不是 "+like+"？", en+"; is "+like+" meant?"
		}
		out = append(out, asWarning(name, zh, en))
	}
	return out
}

// nearest gives the name that takes the fewest changes, if they are few.
func nearest(name string, known []string) string {
	best, fewest := "", 4
	for _, k := range known {
		if n := changes(name, k); n < fewest {
			best, fewest = k, n
		}
	}
	return best
}

// changes counts how many letters must be put in, taken out or changed to make b of a.
func changes(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
