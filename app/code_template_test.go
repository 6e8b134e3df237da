package app_test

import (
	"fmt"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
)

// TestALoginCodeGoesByItsTemplate, where the owner has set one: a carrier that knows
// nothing else would let nobody sign in.
func TestALoginCodeGoesByItsTemplate(t *testing.T) {
	m := newClub(t).withChannels()
	_, err := m.app.SendLoginCode(ctx, "13800000001", "")
	must(t, err)
	want(t, "without one", m.sms.got[0].Template == nil, true)
	_, err = m.app.ChangeMessages(ctx, m.owner, "messages", func(s *domain.Messages) error {
		s.SMS = map[string]domain.MessageTemplate{domain.KindLoginCode: {ID: "30003", Params: []domain.TemplateParam{{From: "{code}"}, {From: "{venue}"}, {From: "5"}}}}
		return nil
	})
	must(t, err)
	sent, err := m.app.SendLoginCode(ctx, "13800000002", "")
	must(t, err)
	got := m.sms.got[1].Template
	if got == nil {
		t.Fatal("the code went without its template")
	}
	want(t, "its values", fmt.Sprint(got.ID, got.Values), fmt.Sprint("30003", []notify.Value{{Text: sent.Code}, {Text: "测试球馆"}, {Text: "5"}}))
}
