package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"courtd/app/notify"
	"courtd/domain"
	"courtd/sqlite"
)

// checkTimeout bounds each question that the check asks outside.
const checkTimeout = 15 * time.Second

type checkCommand struct {
	DB      string `name:"db" env:"COURTD_DB" default:"courtd.db" help:"The database file; it may be in use. 数据库文件。"`
	Offline bool   `env:"COURTD_CHECK_OFFLINE" help:"Ask nobody outside. 不访问外部服务。"`
	outside
}

// checklist prints what was looked at, and counts what must be mended.
type checklist struct {
	out io.Writer
	bad int
}

func (l *checklist) fine(zh, en string) { fmt.Fprintf(l.out, "✓ %s · %s\n", zh, en) }
func (l *checklist) none(zh, en string) { fmt.Fprintf(l.out, "– %s · %s\n", zh, en) }

func (l *checklist) wrong(p problem) {
	mark := "✗"
	if p.Warning {
		mark = "!"
	} else {
		l.bad++
	}
	fmt.Fprintf(l.out, "%s %s\n", mark, p)
}

// Run looks at every setting, the file and the clock, and asks each service outside a
// question that changes nothing. It fails if anything must be mended.
func (c checkCommand) Run(ctx context.Context, stdout io.Writer) error {
	list := &checklist{out: stdout}
	reached := c.reach()
	for _, p := range reached.problems {
		list.wrong(p)
	}
	messages := c.checkFile(ctx, list)
	if _, err := os.Stat(c.DB); err == nil {
		c.checkKey(list, len(messages.Webhooks))
	}
	c.checkPay(ctx, list, reached)
	c.checkChannels(ctx, list, reached)
	checkTemplates(list, reached, messages)
	if list.bad > 0 {
		return fmt.Errorf("有 %d 处需要修正 · to be mended: %d", list.bad, list.bad)
	}
	return nil
}

// checkFile looks at the database, and gives what the owner has set there of messages.
func (c checkCommand) checkFile(ctx context.Context, list *checklist) (messages domain.Messages) {
	info, err := os.Stat(c.DB)
	if err != nil {
		list.wrong(problem{Setting: "COURTD_DB", ZH: "没有数据库文件 " + c.DB + "，请先 courtd init 或 courtd serve --setup",
			EN: "there is no file " + c.DB + "; make it with courtd init or courtd serve --setup"})
		return messages
	}
	if info.Mode().Perm()&0o004 != 0 {
		list.wrong(problem{Setting: "COURTD_DB", ZH: "本机任何人都能读数据库文件（含顾客手机号），请 chmod 600", EN: "everybody on this machine can read the file, customers' phone numbers too; chmod 600 it", Warning: true})
	}
	file, err := sqlite.Peek(ctx, c.DB)
	if err == nil {
		err = file.Unmatched
	}
	if err != nil {
		list.wrong(problem{Setting: "COURTD_DB", ZH: "数据库打不开：" + err.Error(), EN: "the file cannot be read: " + err.Error()})
		return messages
	}
	if file.Schema < file.Carried {
		list.none("数据库是旧版程序建的，启动 courtd serve 时会升级；请先备份", "the file was made by an older courtd and is upgraded when courtd serve starts; back it up first")
	}
	if file.Behind {
		behind := int64(file.Last - file.Clock)
		list.wrong(problem{ZH: fmt.Sprintf("本机时钟比数据库里最后的时间慢 %d 秒，订场已暂停；请校准时钟，或 courtd accept-clock", behind),
			EN: fmt.Sprintf("this machine's clock is %d s behind the last instant in the file and nothing can be booked; set it right, or courtd accept-clock", behind)})
	}
	if file.HasVenue {
		list.fine("数据库可用", "the database can be used")
		return file.Messages
	}
	list.wrong(problem{ZH: "数据库里还没有场馆", EN: "the database holds no venue yet"})
	return messages
}

// checkKey looks at the key that the secrets of so many webhooks follow from.
func (c checkCommand) checkKey(list *checklist, webhooks int) {
	file := c.SecretKeyFile
	if file == "" {
		file = c.DB + ".key"
	}
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) && c.SecretKeyFile == "" && webhooks > 0 {
		list.wrong(problem{Setting: settingKeyFile, ZH: fmt.Sprintf("密钥文件 %s 不见了；不放回备份就启动，%d 个推送的密钥会全部改变", file, webhooks),
			EN: fmt.Sprintf("the key file %s is gone; served without it, the secrets of %d webhooks become others: put it back from the backup", file, webhooks)})
		return
	}
	if errors.Is(err, fs.ErrNotExist) && c.SecretKeyFile == "" {
		list.none("推送密钥将在首次运行时生成", "the key for webhooks is made when the venue is served for the first time")
		return
	}
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		list.wrong(problem{Setting: "COURTD_SECRET_KEY_FILE", ZH: "密钥文件别人也能读，请 chmod 600", EN: "others can read the key file; chmod 600 it", Warning: true})
	}
	if _, err := loadSecretKey(file, ""); err != nil {
		list.wrong(asProblem(err))
	}
}

func (c checkCommand) checkPay(ctx context.Context, list *checklist, w world) {
	switch {
	case w.pay == nil && !w.wrong("COURTD_WECHAT_PAY_"):
		list.none("没有设置微信支付：顾客只能到前台付款", "WeChat Pay is not set up: customers pay at the desk")
	case w.pay == nil || c.Offline:
	default:
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()
		found := w.pay.Probe(ctx, sqlite.Wall())
		for _, p := range found {
			list.wrong(problem(p))
		}
		if len(found) == 0 {
			list.fine("微信支付：商户号、证书、公钥和时钟都对", "WeChat Pay: merchant, certificate, public key and clock are right")
		}
	}
}

// prober is a channel that can be asked whether it is set up right, without sending.
type prober interface {
	Probe(ctx context.Context) error
}

func (c checkCommand) checkChannels(ctx context.Context, list *checklist, w world) {
	names := map[string][2]string{"wechat": {"微信订阅消息", "WeChat messages"}, "sms": {"短信", "SMS"}, "mail": {"邮件", "mail"}}
	have := map[string]bool{}
	for _, channel := range w.channels {
		name := names[channel.Name()]
		have[channel.Name()] = true
		asks, ok := channel.(prober)
		if !ok {
			list.fine(name[0]+"：设置完整；不发消息就无法询问，请在 /owner/messages 发一条测试消息", name[1]+": the settings are complete; it cannot be asked without sending, so send a test from /owner/messages")
			continue
		}
		if c.Offline {
			list.fine(name[0]+"：设置完整，没有询问", name[1]+": the settings are complete; it was not asked")
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		err := asks.Probe(ctx)
		cancel()
		if err != nil {
			list.wrong(problem{ZH: name[0] + "：没有通过检查：" + notify.SaidWords(err.Error()), EN: name[1] + ": " + err.Error()})
			continue
		}
		list.fine(name[0]+"：已询问，可以登录", name[1]+": was asked and lets us in")
	}
	settings := map[string][]string{"wechat": {"COURTD_WECHAT_APP_", "COURTD_WECHAT_PAGE", "COURTD_WECHAT_API_"}, "sms": {"COURTD_SMS_"}, "mail": {"COURTD_SMTP_"}}
	for _, name := range []string{"wechat", "sms", "mail"} {
		switch {
		case have[name]:
		case w.wrong(settings[name]...):
			list.none(names[name][0]+"：设置有误，没有询问", names[name][1]+": the settings are wrong, and it was not asked")
		default:
			list.none("没有设置"+names[name][0], names[name][1]+": not set up")
		}
	}
	if !have["sms"] {
		list.wrong(problem{ZH: "没有短信，登录验证码只写在日志里：看得到日志的人可以登录任何账号", EN: "without SMS login codes are in the log alone: whoever reads it can sign in as anybody", Warning: true})
	}
}

// needy is a channel that can say nothing in words of one's own.
type needy interface {
	NeedsTemplates() bool
}

// checkTemplates looks for codes that cannot be sent because their template is missing.
func checkTemplates(list *checklist, w world, messages domain.Messages) {
	for _, channel := range w.channels {
		asks, ok := channel.(needy)
		if _, has := messages.SMS[domain.KindLoginCode]; ok && asks.NeedsTemplates() && channel.Name() == domain.ChannelSMS && !has {
			list.wrong(problem{ZH: "腾讯云短信：登录验证码还没有模板，顾客无法登录；请在 /owner/messages/login_code 填写",
				EN: "Tencent SMS: login codes have no template, and no customer can sign in; set it at /owner/messages/login_code"})
		}
	}
}

// wrong reports whether a setting must be mended whose name begins in one of these ways.
func (w world) wrong(prefixes ...string) bool {
	return slices.ContainsFunc(w.problems, func(p problem) bool {
		return !p.Warning && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(p.Setting, prefix) })
	})
}
