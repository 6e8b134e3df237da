package app_test

import (
	"io"
	"log/slog"
	"testing"

	"courtd/app"
	"courtd/app/pay"
	"courtd/app/pay/sandbox"
)

// someWays is a provider of which the merchant has not everything.
type someWays struct {
	*sandbox.Provider
	offered string
}

func (someWays) Name() string               { return "wechat" }
func (someWays) Via() []string              { return []string{"wechat_jsapi", "wechat_native"} }
func (s someWays) Offers(via string) bool   { return via == s.offered }
func (someWays) Rules(via string) pay.Rules { return pay.Rules{NeedsOpenID: via == "wechat_jsapi"} }

// TestWhoCanPayOnline: a way that is not offered does not count, nor one that needs the
// mini-program where there is none.
func TestWhoCanPayOnline(t *testing.T) {
	c := newClub(t)
	for _, x := range []struct {
		offered string
		signsIn bool
		want    bool
	}{{"", true, false}, {"wechat_native", false, true}, {"wechat_jsapi", false, false}, {"wechat_jsapi", true, true}} {
		config := app.Config{DB: c.db, Channel: c.mail, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Providers: []pay.Provider{someWays{c.bank, x.offered}}}
		if x.signsIn {
			config.WeChat = &wechat{}
		}
		want(t, x.offered, app.New(config).PaysOnline(), x.want)
	}
}
