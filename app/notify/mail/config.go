package mail

import (
	"crypto/x509"
	"net"
	"net/mail"
	"strings"
	"time"

	"courtd/app/notify"
)

// The ways to keep a connection secret.
const (
	StartTLS = "starttls" // begun in the open and then encrypted, or given up; the default
	TLS      = "tls"      // encrypted from the first byte
	NoTLS    = "none"     // in the open; only to a server on this machine
)

// DefaultTimeout is how long one message may take, from the first name to the last byte.
const DefaultTimeout = 10 * time.Second

// Config is an account at a mail server.
type Config struct {
	Host     string         // COURTD_SMTP_HOST: a name without a port
	Port     int            // COURTD_SMTP_PORT; 0 is 587, or 465 for TLS, or 25 for NoTLS
	Username string         // COURTD_SMTP_USERNAME; "" signs in nowhere
	Password string         // COURTD_SMTP_PASSWORD
	From     string         // COURTD_SMTP_FROM: an address without a name
	FromName string         // COURTD_SMTP_FROM_NAME: the venue's name
	TLS      string         // COURTD_SMTP_TLS: StartTLS, TLS or NoTLS; "" is StartTLS
	RootCAs  *x509.CertPool // who may vouch for the server; nil is whom the machine trusts
	Timeout  time.Duration  // of one message; 0 is DefaultTimeout
	Now      func() time.Time
}

// withDefaults fills in what was left empty.
func (c Config) withDefaults() Config {
	if c.TLS == "" {
		c.TLS = StartTLS
	}
	if c.Port == 0 {
		c.Port = map[string]int{TLS: 465, NoTLS: 25}[c.TLS]
		if c.Port == 0 {
			c.Port = 587
		}
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	return c
}

// Check says everything that is wrong with the settings; nothing is nil. It repeats no
// setting's value.
func (c Config) Check() []notify.Problem {
	var problems []notify.Problem
	add := func(bad bool, setting, zh, en string) {
		if bad {
			problems = append(problems, notify.Problem{Setting: "COURTD_SMTP_" + setting, ZH: zh, EN: en})
		}
	}
	c = c.withDefaults()
	ip := net.ParseIP(c.Host)
	add(c.Host == "", "HOST", "缺少邮件服务器地址", "the mail server's name is missing")
	add(strings.ContainsAny(c.Host, "/@ \r\n") || ip == nil && strings.Contains(c.Host, ":"), "HOST", "只写邮件服务器的主机名，不带协议和端口", "must be the mail server's name alone, without a scheme or a port")
	add(c.Port < 1 || c.Port > 65535, "PORT", "端口必须在 1 至 65535 之间", "the port must be from 1 to 65535")
	known := c.TLS == StartTLS || c.TLS == TLS || c.TLS == NoTLS
	add(!known, "TLS", "必须是 starttls、tls 或 none", "must be starttls, tls or none")
	add(c.TLS == NoTLS && c.Host != "localhost" && (ip == nil || !ip.IsLoopback()), "TLS", "只有本机的邮件服务器才能不加密", "only a mail server on this machine may be used without encryption")
	add((c.Username == "") != (c.Password == ""), "PASSWORD", "用户名和密码要么都填，要么都不填", "the user name and the password go together, or neither is set")
	from, err := mail.ParseAddress(c.From)
	add(err != nil || from.Name != "" || from.Address != c.From || !ascii(c.From), "FROM", "发件地址必须是一个不带名称的邮箱地址", "the sender must be one mail address without a name")
	add(strings.ContainsAny(c.FromName, "\r\n"), "FROM_NAME", "发件人名称不能换行", "the sender's name must be one line")
	add(c.Timeout > time.Minute, "TIMEOUT", "超时不能超过一分钟", "the timeout must be a minute at most")
	return problems
}

// ascii says whether text has nothing but printable ASCII characters in it.
func ascii(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
