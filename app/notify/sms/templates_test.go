package sms_test

import (
	"testing"

	"courtd/app/notify"
	"courtd/app/notify/sms"
)

// TestWhichNeedTemplates: Tencent refuses what has none, as it says; a gateway of the
// owner's may take any words.
func TestWhichNeedTemplates(t *testing.T) {
	needs := func(c notify.Channel) bool {
		says, may := c.(interface{ NeedsTemplates() bool })
		return may && says.NeedsTemplates()
	}
	if !needs(sms.NewTencent(sms.TencentConfig{})) || needs(sms.NewGateway(sms.GatewayConfig{})) {
		t.Error("want Tencent to need templates, and a gateway not")
	}
}
