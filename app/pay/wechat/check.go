package wechat

import (
	"crypto/rsa"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Bounds that WeChat sets.
const (
	apiV3KeyBytes     = 32
	minKeyBits        = 2048
	maxNotifyURLBytes = 255
)

var (
	mchIDForm       = regexp.MustCompile(`^[0-9]{8,10}$`)
	serialForm      = regexp.MustCompile(`^[0-9A-Fa-f]{40}$`)
	appIDForm       = regexp.MustCompile(`^wx[0-9A-Za-z]{16}$`)
	publicKeyIDForm = regexp.MustCompile(`^PUB_KEY_ID_[0-9A-Za-z]+$`)
)

// missing are the words for a setting that is empty.
func (list *problems) missing(setting string) {
	list.add(setting, "没有设置", "is not set")
}

// checkTexts judges every setting that is a text and not a key.
func (list *problems) checkTexts(c Config) {
	list.checkForm(SettingMchID, c.MchID, mchIDForm, "商户号应为 8 到 10 位数字", "is not a merchant number: 8 to 10 digits")
	list.checkForm(SettingSerial, c.Serial, serialForm, "商户证书序列号应为 40 位十六进制数字", "is not a certificate's serial number: 40 hex digits")
	list.checkForm(SettingAppID, c.AppID, appIDForm, `AppID 应为 "wx" 加 16 位字母或数字`, `is not an app id: "wx" and 16 letters or digits`)
	for _, way := range c.Ways {
		if !slices.Contains([]string{"jsapi", "native", "h5"}, way) {
			list.add(SettingWays, "只能写 jsapi、native、h5，用逗号分开", "may name jsapi, native and h5, with commas between")
		}
	}
	list.checkURL(SettingNotifyURL, c.NotifyURL)
	if c.RefundNotifyURL != "" {
		list.checkURL(SettingNotifyURL, c.RefundNotifyURL)
	}
	if c.BaseURL != "" {
		list.checkURL(SettingBaseURL, c.BaseURL)
		if u, err := url.Parse(c.BaseURL); err == nil && strings.Trim(u.Path, "/") != "" {
			list.add(SettingBaseURL, "只能写协议和主机名，不能带路径", "has a path; give the scheme and the host only")
		}
	}
}

func (list *problems) checkForm(setting, value string, form *regexp.Regexp, zh, en string) {
	switch {
	case value == "":
		list.missing(setting)
	case !form.MatchString(value):
		list.add(setting, zh, en)
	}
}

// checkURL holds an address to https (http to this machine only) without a query.
func (list *problems) checkURL(setting, value string) {
	u, err := url.Parse(value)
	switch {
	case value == "":
		list.missing(setting)
	case err != nil || u.Hostname() == "" || u.User != nil:
		list.add(setting, "不是网址", "is not an address")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		list.add(setting, "网址不能带参数（? 或 # 之后的部分）", "must not have a query (anything after ? or #)")
	case u.Scheme == "http" && !loopback(u.Hostname()), u.Scheme != "http" && u.Scheme != "https":
		list.add(setting, "网址必须以 https:// 开头", "must begin with https://")
	case len(value) > maxNotifyURLBytes:
		list.add(setting, "网址太长，最多 255 个字符", "is too long; at most 255 characters")
	}
}

// warnUnreachable warns of an address for notices that WeChat cannot reach from outside.
func (list *problems) warnUnreachable(setting, value string) {
	u, err := url.Parse(value)
	if err != nil || list.has(setting) {
		return
	}
	if nobodyOutside(u.Hostname()) {
		list.warn(setting, "主机在本机或内网，微信无法把通知送到；应为公网能访问的 https 网址", "leads to this machine or a private network, where WeChat brings no notice; it must be an https address that can be reached from outside")
	}
}

// sharedAddresses are those that providers give to many customers at once (RFC 6598).
var sharedAddresses = netip.MustParsePrefix("100.64.0.0/10")

// nobodyOutside reports whether a host can only be reached from this machine or its own
// network.
func nobodyOutside(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		addr = addr.Unmap()
		return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.IsUnspecified() || addr.IsMulticast() || sharedAddresses.Contains(addr)
	}
	last := host[strings.LastIndex(host, ".")+1:]
	return last == host || slices.Contains([]string{"localhost", "local", "lan", "internal", "intranet", "home", "test", "invalid"}, last) || strings.HasSuffix(host, ".home.arpa")
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

func (list *problems) checkAPIv3Key(setting, value string) {
	switch {
	case value == "":
		list.missing(setting)
	case len(value) != apiV3KeyBytes:
		list.add(setting, "APIv3 密钥应为 32 个字符", "is not an APIv3 key: it must have 32 characters")
	}
}

func (list *problems) checkPublicKeyID(setting, id string) {
	list.checkForm(setting, id, publicKeyIDForm, "微信支付公钥 ID 应以 PUB_KEY_ID_ 开头", "is not the id of a public key of WeChat Pay: it begins with PUB_KEY_ID_")
}

// checkPublicKey judges a key that is said to be WeChat's.
func (list *problems) checkPublicKey(setting string, key *rsa.PublicKey, merchant *rsa.PrivateKey) {
	switch {
	case key == nil:
		list.missing(setting)
	case merchant != nil && merchant.PublicKey.Equal(key):
		list.add(setting, "这是商户自己的公钥；应为商户平台下载的微信支付公钥 pub_key.pem",
			"is the merchant's own public key; it must be WeChat Pay's (pub_key.pem of the merchant platform)")
	case key.N.BitLen() < minKeyBits:
		list.add(setting, "密钥太短，至少 2048 位", "is too short; an RSA key needs at least 2048 bits")
	}
}

// check judges a whole configuration, as New needs it.
func (c Config) check() error {
	var list problems
	list.checkTexts(c)
	list.checkAPIv3Key(SettingAPIv3Key, c.APIv3Key)
	switch {
	case c.Key == nil:
		list.missing(SettingKeyFile)
	case c.Key.N.BitLen() < minKeyBits:
		list.add(SettingKeyFile, "密钥太短，至少 2048 位", "is too short; an RSA key needs at least 2048 bits")
	}
	if c.PublicKeys[c.PublicKeyID] == nil {
		list.add(SettingPublicKeyID, "没有这个 ID 的微信支付公钥", "names no public key that is set up")
	}
	for id, key := range c.PublicKeys {
		list.checkPublicKeyID(SettingPublicKeyID, id)
		list.checkPublicKey(SettingPublicKeyFile, key, c.Key)
	}
	return list.err()
}

// refundAddress is the neighbour of the address for notices of payments.
func refundAddress(notifyURL string) string {
	u, err := url.Parse(notifyURL)
	if err != nil || notifyURL == "" {
		return ""
	}
	u.Path = path.Join("/", path.Dir(strings.TrimSuffix(u.Path, "/")), "refund-notify")
	return u.String()
}
