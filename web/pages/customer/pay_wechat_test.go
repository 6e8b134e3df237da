package customer_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"courtd/app/pay/wechat"
	"courtd/app/pay/wechat/standin"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

// What some browsers say of themselves.
const (
	aPhone   = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
	inWeChat = aPhone + " MicroMessenger/8.0.50(0x1800322f) NetType/WIFI Language/zh_CN"
	aDesktop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
)

// withWeChat lets a real venue's customers pay with WeChat, played by a stand-in whose
// notices are all lost.
func withWeChat(t *testing.T, k *clubtest.Club) *standin.Server {
	t.Helper()
	ours, err := rsa.GenerateKey(rand.Reader, 2048)
	clubtest.Must(t, err)
	theirs, err := rsa.GenerateKey(rand.Reader, 2048)
	clubtest.Must(t, err)
	const mch, appID, serial, keyID, apiKey = "1900000001", "wx0123456789abcdef", "ABCDEF0123456789ABCDEF0123456789ABCDEF01", "PUB_KEY_ID_0119000000012026010100000001", "0123456789abcdefghijklmnopqrstuv"
	now := func() (at time.Time) {
		clubtest.Must(t, k.DB.Read(context.Background(), func(s *sqlite.Snapshot) error {
			at = s.Now.In(time.UTC)
			return nil
		}))
		return at
	}
	bank := standin.New(standin.Config{MchID: mch, AppID: appID, Serial: serial, MerchantKey: &ours.PublicKey, APIv3Key: apiKey, KeyID: keyID, Key: theirs, Wall: time.Now, Now: now})
	bank.On(standin.CallNotice, "", standin.LoseNotice, 0)
	server := httptest.NewServer(bank)
	t.Cleanup(server.Close)
	provider, err := wechat.New(wechat.Config{MchID: mch, AppID: appID, Serial: serial, Key: ours, APIv3Key: apiKey,
		PublicKeys: map[string]*rsa.PublicKey{keyID: &theirs.PublicKey}, NotifyURL: "http://127.0.0.1/pay/wechat/notify", BaseURL: server.URL})
	clubtest.Must(t, err)
	k.App.AddProvider(provider)
	return bank
}

// openAttempt is the number of the payment that is open.
func openAttempt(t *testing.T, k *clubtest.Club) (no string) {
	t.Helper()
	clubtest.Must(t, k.DB.Read(context.Background(), func(s *sqlite.Snapshot) error {
		return s.QueryRow("SELECT id FROM payments WHERE succeeded_at IS NULL AND closed_at IS NULL ORDER BY called_at DESC, id DESC").Scan(&no)
	}))
	return no
}

// TestPaysWithWeChatOnADesktop: a code to scan; the page follows by itself, although no
// notice has come.
func TestPaysWithWeChatOnADesktop(t *testing.T) {
	k := clubtest.Open(t, false)
	bank := withWeChat(t, k)
	b := k.Customer("13800138000")
	b.Agent = aDesktop
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	page := b.Get(order).Says("微信扫码支付 ￥60").HasNot("去前台", "请到前台付款", "用另一部手机", "打开微信付款")
	b.Send(order+"/pay", page.Form(order+"/pay")).WantRedirect(order)
	page = b.Get(order).Says("用微信扫一扫付款", "打开手机微信").Has(`<img src="data:image/png;base64,`)
	if n := bank.Calls(standin.CallOpen); n != 1 {
		t.Errorf("%d prepays for one press", n)
	}
	b.Send(order+"/pay", page.Form(order+"/pay")).WantRedirect(order) // once more: the same attempt
	if n := len(bank.Ledger()); n != 1 {
		t.Errorf("%d attempts there", n)
	}
	b.Get(order + "/live").Says("待付款")
	clubtest.Must(t, bank.Pay(openAttempt(t, k)))
	k.SetClock("2026-12-10T10:00:09+08:00")
	b.Get(order + "/live").Says("待付款") // it was asked nine seconds ago
	k.SetClock("2026-12-10T10:00:10+08:00")
	b.Get(order + "/live").Says("已付款")
	b.Get(order).Says("到场出示此码").HasNot("用微信扫一扫付款")
}

// TestPaysWithWeChatOnAPhone goes over to WeChat and comes back; the link serves for less
// than five minutes, and another is had by the same button.
func TestPaysWithWeChatOnAPhone(t *testing.T) {
	k := clubtest.Open(t, false)
	bank := withWeChat(t, k)
	b := k.Customer("13800138000")
	b.Agent = aPhone
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	page := b.Get(order).Says("微信支付 ￥60", "用另一部手机扫码付款")
	b.Send(order+"/pay", page.Form(order+"/pay", "via", wechat.ViaH5)).WantRedirect(order)
	page = b.Get(order).Says("打开微信付款")
	if !strings.Contains(page.Body, "redirect_url="+"http%3A%2F%2Fexample.com%2Forders") {
		t.Errorf("the link does not lead back: %s", clubtest.Around(page.Body, `button block" href="`, `"`))
	}
	k.SetClock("2026-12-10T10:04:44+08:00")
	b.Get(order).Says("打开微信付款")
	k.SetClock("2026-12-10T10:04:45+08:00")
	page = b.Get(order).Says("付款链接已过期").HasNot("打开微信付款")
	b.Send(order+"/pay", page.Form(order+"/pay", "via", wechat.ViaH5)).WantRedirect(order)
	b.Get(order).Says("打开微信付款")
	if n := len(bank.Ledger()); n != 1 {
		t.Errorf("%d attempts there", n)
	}
	clubtest.Must(t, bank.Pay(openAttempt(t, k)))
	b.Get(order + "?check=1").Says("已付款")
}

// TestPayingInsideWeChat is not possible in its own browser, and the page says what to do.
func TestPayingInsideWeChat(t *testing.T) {
	for _, miniProgram := range []bool{false, true} {
		k := openWith(t, miniProgram)
		withWeChat(t, k)
		b := k.Customer("13800138000")
		b.Agent = inWeChat
		order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
		p := b.Get(order).Says("微信里不能直接付款", "在浏览器打开", "在浏览器里打开后需要重新登录，付款时限不停").HasNot(order+"/pay", "请到前台付款")
		if is := strings.Contains(p.Text(), "也可以在我们的小程序里付"); is != miniProgram {
			t.Errorf("with a mini-program: %t; it is named: %t", miniProgram, is)
		}
		b.Get("/login?lang=en")
		if is := strings.Contains(b.Get(order).Says("There you sign in again, and the time to pay runs on").Text(), "mini-program"); is != miniProgram {
			t.Errorf("with a mini-program: %t; in English it is named: %t", miniProgram, is)
		}
	}
}

// TestTheLastMinute: less than a minute is too little for WeChat.
func TestTheLastMinute(t *testing.T) {
	k := clubtest.Open(t, false)
	withWeChat(t, k)
	b := k.Customer("13800138000")
	order := b.Book("slot", clubtest.Slot(t, "c1", "17:30"))
	form := b.Get(order).Form(order + "/pay")
	k.SetClock("2026-12-10T10:09:01+08:00")
	b.Send(order+"/pay", form).Want(409).Says("离支付时限不到一分钟", "重新预订")
}
