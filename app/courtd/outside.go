package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/app/notify/mail"
	"courtd/app/notify/sms"
	"courtd/app/notify/webhook"
	notifywechat "courtd/app/notify/wechat"
	"courtd/app/pay"
	"courtd/app/pay/wechat"
	"courtd/app/wechatapi"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/api"
)

// outside are the flags that say how the venue reaches the world. What is secret has no
// flag, because everybody on a machine can read a command line: it comes from the
// environment or from a file.
type outside struct {
	Pay           payFlags  `embed:"" prefix:"wechat-pay-" group:"WeChat Pay · 微信支付"`
	App           appFlags  `embed:"" prefix:"wechat-" group:"Mini-program · 小程序"`
	SMS           smsFlags  `embed:"" prefix:"sms-" group:"SMS · 短信"`
	SMTP          smtpFlags `embed:"" prefix:"smtp-" group:"Mail · 邮件"`
	around        []problem // with the variables themselves
	SecretKeyFile string    `env:"COURTD_SECRET_KEY_FILE" help:"The key from which the secrets of webhooks follow; by default a file beside the database, which is made. 推送密钥文件。"`
}

type payFlags struct {
	MchID            string   `env:"COURTD_WECHAT_PAY_MCH_ID" help:"Merchant number; without it nobody can pay online. 商户号。"`
	MchSerial        string   `env:"COURTD_WECHAT_PAY_MCH_SERIAL" help:"Serial number of the merchant's certificate. 商户证书序列号。"`
	MchKeyFile       string   `env:"COURTD_WECHAT_PAY_MCH_KEY_FILE" help:"The merchant's private key, apiclient_key.pem. 商户私钥文件。"`
	APIV3Key         string   `name:"api-v3-key" env:"COURTD_WECHAT_PAY_API_V3_KEY" hidden:""`
	APIV3KeyFile     string   `name:"api-v3-key-file" env:"COURTD_WECHAT_PAY_API_V3_KEY_FILE" help:"A file with the APIv3 key; COURTD_WECHAT_PAY_API_V3_KEY may hold it too. APIv3 密钥文件。"`
	PublicKeyID      string   `env:"COURTD_WECHAT_PAY_PUBLIC_KEY_ID" help:"Id of WeChat Pay's public key. 微信支付公钥 ID。"`
	PublicKeyFile    string   `env:"COURTD_WECHAT_PAY_PUBLIC_KEY_FILE" help:"WeChat Pay's public key, pub_key.pem. 微信支付公钥文件。"`
	PublicKeyID2     string   `name:"public-key-id-2" env:"COURTD_WECHAT_PAY_PUBLIC_KEY_ID_2" help:"A second key, while WeChat changes it. 第二个公钥 ID。"`
	PublicKeyFile2   string   `name:"public-key-file-2" env:"COURTD_WECHAT_PAY_PUBLIC_KEY_FILE_2" help:"Its file. 第二个公钥文件。"`
	CertificateFiles []string `env:"COURTD_WECHAT_PAY_CERTIFICATE_FILES" help:"Platform certificates that still sign. 平台证书文件。"`
	AppID            string   `env:"COURTD_WECHAT_PAY_APP_ID" help:"App id that is bound to the merchant; by default the mini-program's. 绑定商户号的 AppID。"`
	NotifyURL        string   `env:"COURTD_WECHAT_PAY_NOTIFY_URL" help:"Where WeChat tells of payments, such as https://venue.example/pay/wechat/notify. 支付通知地址。"`
	Ways             []string `env:"COURTD_WECHAT_PAY_WAYS" help:"Which of jsapi, native and h5 the merchant may use; by default all. 已开通的支付产品。"`
	BaseURL          string   `env:"COURTD_WECHAT_PAY_BASE_URL" help:"Another place that plays WeChat Pay, for tests. 测试用接口地址。"`
}

type appFlags struct {
	AppID      string `env:"COURTD_WECHAT_APP_ID" help:"App id of the mini-program. 小程序 AppID。"`
	Secret     string `name:"app-secret" env:"COURTD_WECHAT_APP_SECRET" hidden:""`
	SecretFile string `name:"app-secret-file" env:"COURTD_WECHAT_APP_SECRET_FILE" help:"A file with the mini-program's secret; COURTD_WECHAT_APP_SECRET may hold it too. 小程序密钥文件。"`
	Page       string `env:"COURTD_WECHAT_PAGE" help:"Page of the mini-program that a message leads to, such as pages/order/order. 消息打开的小程序页面。"`
	BaseURL    string `name:"api-base-url" env:"COURTD_WECHAT_API_BASE_URL" help:"Another place that plays WeChat's servers, for tests. 测试用接口地址。"`
}

type smsFlags struct {
	URL              string `env:"COURTD_SMS_URL" help:"Where text messages are posted to, signed: a gateway of yours. 短信网关地址。"`
	Secret           string `env:"COURTD_SMS_SECRET" hidden:""`
	SecretFile       string `env:"COURTD_SMS_SECRET_FILE" help:"A file with the gateway's secret (whsec_…); COURTD_SMS_SECRET may hold it too. 短信网关密钥文件。"`
	TencentSecretID  string `env:"COURTD_SMS_TENCENT_SECRET_ID" help:"Tencent Cloud instead of a gateway: the SecretId. 腾讯云 SecretId。"`
	TencentSecretKey string `env:"COURTD_SMS_TENCENT_SECRET_KEY" hidden:""`
	TencentKeyFile   string `env:"COURTD_SMS_TENCENT_SECRET_KEY_FILE" help:"A file with the SecretKey; COURTD_SMS_TENCENT_SECRET_KEY may hold it too. 腾讯云 SecretKey 文件。"`
	TencentAppID     string `env:"COURTD_SMS_TENCENT_APP_ID" help:"SdkAppId of the SMS application. 短信应用 SdkAppId。"`
	TencentSign      string `env:"COURTD_SMS_TENCENT_SIGN" help:"The approved signature, without brackets. 短信签名。"`
	TencentRegion    string `env:"COURTD_SMS_TENCENT_REGION" help:"By default ap-guangzhou. 地域。"`
	TencentBaseURL   string `env:"COURTD_SMS_TENCENT_BASE_URL" help:"Another place that plays Tencent Cloud, for tests. 测试用接口地址。"`
}

type smtpFlags struct {
	Host         string `env:"COURTD_SMTP_HOST" help:"Mail server; without it no mail is sent. 邮件服务器。"`
	Port         int    `env:"COURTD_SMTP_PORT" help:"By default 587, or 465 for tls. 端口。"`
	Username     string `env:"COURTD_SMTP_USERNAME" help:"User name there. 用户名。"`
	Password     string `env:"COURTD_SMTP_PASSWORD" hidden:""`
	PasswordFile string `env:"COURTD_SMTP_PASSWORD_FILE" help:"A file with the password; COURTD_SMTP_PASSWORD may hold it too. 密码文件。"`
	From         string `env:"COURTD_SMTP_FROM" help:"Address that mail comes from. 发件地址。"`
	FromName     string `env:"COURTD_SMTP_FROM_NAME" help:"Name beside it. 发件人名称。"`
	TLS          string `name:"tls" env:"COURTD_SMTP_TLS" help:"starttls (default), tls, or none for a server on this machine. 加密方式。"`
}

// problem is something that is wrong with a setting, in words for people.
type problem struct {
	Setting, ZH, EN string
	Warning         bool
}

// Error is what String says, where a problem ends a command.
func (p problem) Error() string { return p.String() }

func (p problem) String() string {
	name := p.Setting
	if name != "" {
		name += ": "
	}
	return name + p.ZH + " · " + p.EN
}

// world is what the flags come to.
type world struct {
	pay      *wechat.Provider
	api      *wechatapi.Client
	channels []notify.Channel
	problems []problem
	told     []string // settings of whose files something has been said
}

// reach reads every setting and reports everything that is wrong with any of them.
func (o outside) reach() world {
	w := world{problems: slices.Clone(o.around)}
	o.reachPay(&w)
	o.reachApp(&w)
	o.reachSMS(&w)
	o.reachMail(&w)
	o.hints(&w)
	return w
}

// failed gives the problems that keep the program from serving.
func (w world) failed() error {
	var lines []string
	for _, p := range w.problems {
		if !p.Warning {
			lines = append(lines, "  "+p.String())
		}
	}
	if lines == nil {
		return nil
	}
	return fmt.Errorf("settings cannot be used; courtd check says the same and more · 设置有误：\n%s", strings.Join(lines, "\n"))
}

func (w *world) add(found []notify.Problem) bool {
	for _, p := range found {
		if slices.Contains(w.told, p.Setting) {
			continue // of its file more has been said
		}
		w.problems = append(w.problems, problem{Setting: p.Setting, ZH: p.ZH, EN: p.EN})
	}
	return len(found) == 0
}

func (o outside) reachPay(w *world) {
	f := o.Pay
	if !anySet(f.MchID, f.MchSerial, f.MchKeyFile, f.APIV3Key, f.APIV3KeyFile, f.PublicKeyID, f.PublicKeyFile, f.PublicKeyID2, f.PublicKeyFile2, f.AppID, f.NotifyURL) {
		return
	}
	appID := f.AppID
	if appID == "" {
		appID = o.App.AppID
	}
	config, found := wechat.Load(wechat.Files{MchID: f.MchID, Serial: f.MchSerial, KeyFile: f.MchKeyFile, APIv3Key: f.APIV3Key, APIv3KeyFile: f.APIV3KeyFile,
		PublicKeyID: f.PublicKeyID, PublicKeyFile: f.PublicKeyFile, PublicKeyID2: f.PublicKeyID2, PublicKeyFile2: f.PublicKeyFile2,
		CertificateFiles: f.CertificateFiles, AppID: appID, NotifyURL: f.NotifyURL, BaseURL: f.BaseURL, Ways: f.Ways})
	bad := false
	for _, p := range found {
		w.problems = append(w.problems, problem(p))
		bad = bad || !p.Warning
	}
	w.checkNotifyPath(config.NotifyURL)
	if bad {
		return
	}
	provider, err := wechat.New(config)
	if err != nil {
		w.problems = append(w.problems, problem{ZH: "微信支付设置无法使用：" + err.Error(), EN: err.Error()})
		return
	}
	w.pay = provider
}

// checkNotifyPath warns of an address at which nobody here takes notices. It is no more
// than a warning, because a proxy may write paths anew.
func (w *world) checkNotifyPath(address string) {
	u, err := url.Parse(address)
	if err != nil || w.wrong(wechat.SettingNotifyURL) || api.TakesWeChatNotices(u.Path) {
		return
	}
	w.problems = append(w.problems, asWarning(wechat.SettingNotifyURL, "courtd 不在这个路径上收支付通知，应为 https://你的域名/pay/wechat/notify；只有反向代理会改写路径时才能用别的",
		"courtd takes no notices at this path; it should be https://your.host/pay/wechat/notify, unless a proxy writes paths anew"))
}

// anySet reports whether a part of the world is set up, be it by half: then it has to be
// whole.
func anySet(values ...string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return v != "" })
}

// byteOrderMark begins the files of some editors.
const byteOrderMark = "\ufeff"

// secretOf gives a secret that is in a variable or, rather, in a file. What is wrong with
// the file is told under its own name, and then nothing is said of the secret.
func (w *world) secretOf(setting, value, file string) string {
	if file == "" {
		return value
	}
	problem := func(zh, en string) string {
		w.add([]notify.Problem{{Setting: setting + "_FILE", ZH: zh, EN: en}})
		w.told = append(w.told, setting)
		return ""
	}
	if value != "" {
		return problem("与 "+setting+" 只能设置一个", "and "+setting+" are both set; keep one")
	}
	info, err := os.Stat(file)
	if err != nil || info.IsDir() {
		return problem("文件读不了", "the file cannot be read")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return problem("文件读不了", "the file cannot be read")
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(string(text), byteOrderMark), "\n")
	if first = strings.TrimSpace(first); first == "" {
		return problem("文件的第一行是空的", "the file's first line is empty")
	}
	if info.Mode().Perm()&0o004 != 0 {
		w.problems = append(w.problems, asWarning(setting+"_FILE", "本机任何人都能读这个文件，请 chmod 600", "everybody on this machine can read the file; chmod 600 it"))
	}
	return first
}

func asWarning(setting, zh, en string) problem {
	return problem{Setting: setting, ZH: zh, EN: en, Warning: true}
}

func (o outside) reachApp(w *world) {
	f := o.App
	if !anySet(f.AppID, f.Secret, f.SecretFile, f.Page) {
		return
	}
	config := wechatapi.Config{AppID: f.AppID, Secret: w.secretOf("COURTD_WECHAT_APP_SECRET", f.Secret, f.SecretFile), BaseURL: f.BaseURL, Now: sqlite.Wall}
	page := notifywechat.Config{Page: f.Page}
	if w.add(append(config.Check(), page.Check()...)) {
		w.api = wechatapi.New(config)
		w.channels = append(w.channels, notifywechat.New(w.api, page))
	}
}

func (o outside) reachSMS(w *world) {
	f := o.SMS
	gateway := anySet(f.URL, f.Secret, f.SecretFile)
	tencent := anySet(f.TencentSecretID, f.TencentSecretKey, f.TencentKeyFile, f.TencentAppID, f.TencentSign)
	switch {
	case gateway && tencent:
		w.add([]notify.Problem{{Setting: "COURTD_SMS_URL", ZH: "短信网关和腾讯云只能选一个", EN: "a gateway and Tencent Cloud are both set; keep one"}})
	case gateway:
		config := sms.GatewayConfig{URL: f.URL, Secret: w.secretOf("COURTD_SMS_SECRET", f.Secret, f.SecretFile), Now: sqlite.Wall}
		if w.add(config.Check()) {
			w.channels = append(w.channels, sms.NewGateway(config))
		}
	case tencent:
		config := sms.TencentConfig{SecretID: f.TencentSecretID, SecretKey: w.secretOf("COURTD_SMS_TENCENT_SECRET_KEY", f.TencentSecretKey, f.TencentKeyFile),
			AppID: f.TencentAppID, SignName: f.TencentSign, Region: f.TencentRegion, Endpoint: f.TencentBaseURL, Now: sqlite.Wall}
		if w.add(config.Check()) {
			w.channels = append(w.channels, sms.NewTencent(config))
		}
	}
}

func (o outside) reachMail(w *world) {
	f := o.SMTP
	if !anySet(f.Host, f.Username, f.Password, f.PasswordFile, f.From) {
		return
	}
	config := mail.Config{Host: f.Host, Port: f.Port, Username: f.Username, Password: w.secretOf("COURTD_SMTP_PASSWORD", f.Password, f.PasswordFile),
		From: f.From, FromName: f.FromName, TLS: f.TLS, Now: sqlite.Wall}
	if w.add(config.Check()) && !w.wrong("COURTD_SMTP_") {
		w.channels = append(w.channels, mail.New(config))
	}
}

// providers are the payment providers of a real venue.
func (w world) providers() []pay.Provider {
	if w.pay == nil {
		return nil
	}
	return []pay.Provider{w.pay}
}

// miniProgram is WeChat's server as the use cases know it.
type miniProgram struct{ api *wechatapi.Client }

// JSCode2Session tells whose sign-in code it is.
func (m miniProgram) JSCode2Session(ctx context.Context, code string) (string, error) {
	openid, err := m.api.JSCode2Session(ctx, code)
	if errors.Is(err, wechatapi.ErrBadCode) {
		err = fmt.Errorf("%w: %w", app.ErrBadWeChatCode, err)
	}
	return openid, err
}

// UploadShipping tells WeChat that a customer has come.
func (m miniProgram) UploadShipping(ctx context.Context, s app.Shipping) error {
	return m.api.UploadShippingInfo(ctx, wechatapi.ShippingInfo{TransactionID: s.TransactionID, MchID: s.Merchant, OutTradeNo: s.OutTradeNo,
		OpenID: s.OpenID, Description: s.Description, UploadTime: s.At})
}

// webhooks tells the venue's own software.
type webhooks struct {
	master []byte
	client *http.Client
}

// Secret follows from the key beside the database.
func (w webhooks) Secret(hook domain.Webhook) string {
	return webhook.Secret(w.master, hook.ID, hook.Generation)
}

// Send posts one event, dated by this machine's clock, by which its receiver judges it.
func (w webhooks) Send(ctx context.Context, hook domain.Webhook, id string, _ time.Time, body []byte) error {
	return webhook.Send(ctx, w.client, webhook.Endpoint{URL: hook.URL, Secret: w.Secret(hook)}, id, sqlite.Wall(), body)
}
