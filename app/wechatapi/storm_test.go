package wechatapi_test

import (
	"sync"
	"testing"
	"time"

	"courtd/app/notify"
	"courtd/app/wechatapi"
	"courtd/app/wechatapi/standin"
)

// TestATokenThatIsNeverTakenIsForcedOnce: WeChat allows twenty forced ones a day. After
// that it is left alone, with messages and with word of payments, and tried again later.
func TestATokenThatIsNeverTakenIsForcedOnce(t *testing.T) {
	p := newPlace(t)
	p.Allow(openid, template, 100)
	p.AddPayment("4200001", "1900000109", "courtd-1", openid)
	tell := func() error {
		return p.api.UploadShippingInfo(t.Context(), wechatapi.ShippingInfo{TransactionID: "4200001", OpenID: openid, Description: "1号场", UploadTime: p.now()})
	}
	p.is(t, "before", p.send(t.Context()), nil)
	p.Misbehave(send, standin.NoToken)
	p.Misbehave(ship, standin.NoToken)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { p.later(t, "a storm", p.send(t.Context()), 90*time.Minute) })
	}
	all.Wait()
	for range 12 {
		p.later(t, "one after the other", tell(), 90*time.Minute)
	}
	// One is asked for at the start, one after the refusal, one is forced; and somebody may
	// hear of that one's refusal first and ask before it is known to all.
	if made, asked := p.TokensMade(), p.TokenFetches(); made != 2 || asked > 4 {
		t.Errorf("%d tokens were made, %d asked for", made, asked)
	}
	for range 16 { // a day
		p.wait(90 * time.Minute)
		for range 3 {
			p.is(t, "later", tell(), notify.ErrDown)
		}
	}
	if made := p.TokensMade(); made > 20 {
		t.Errorf("%d tokens were made in a day", made)
	}
	p.Misbehave(send, standin.Fine)
	p.Misbehave(ship, standin.Fine)
	p.wait(90 * time.Minute)
	p.is(t, "mended", p.send(t.Context()), nil)
	p.is(t, "mended", tell(), nil)
}

// TestAnswersThatAreNoObjects are a WeChat that does not work, and no panic.
func TestAnswersThatAreNoObjects(t *testing.T) {
	for _, trouble := range []standin.Trouble{standin.Null, standin.List} {
		p := newPlace(t)
		p.Allow(openid, template, 10)
		p.AddCode("code-1", openid)
		p.Misbehave(session, trouble)
		_, err := p.api.JSCode2Session(t.Context(), "code-1")
		p.is(t, "sign-in", err, wechatapi.ErrDown)
		p.Misbehave(tokens, trouble)
		p.is(t, "token", p.send(t.Context()), wechatapi.ErrDown)
		p.is(t, "asked", p.api.Probe(t.Context()), wechatapi.ErrDown)
		p.Misbehave(tokens, standin.Fine)
		p.Misbehave(send, trouble)
		p.is(t, "message", p.send(t.Context()), wechatapi.ErrDown)
		p.Misbehave(ship, trouble)
		p.is(t, "shipping", p.api.UploadShippingInfo(t.Context(), wechatapi.ShippingInfo{TransactionID: "1", OpenID: openid, Description: "x", UploadTime: p.now()}), wechatapi.ErrDown)
	}
}
