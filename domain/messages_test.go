package domain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"courtd/domain"
)

func sampleMessages() domain.Messages {
	return domain.Messages{SetUp: []string{"sms"}, Routes: map[string][]string{"paid": {"sms", "mail"}},
		Texts:    map[string]domain.MessageText{"paid": {Title: "{venue}", Text: "{number}", TitleEN: "x", TextEN: "y"}},
		WeChat:   map[string]domain.MessageTemplate{"paid": {ID: "T", Params: []domain.TemplateParam{{Name: "thing1", From: "{court}"}}}},
		SMS:      map[string]domain.MessageTemplate{"login_code": {ID: "1", Params: []domain.TemplateParam{{From: "{code}"}}}},
		Daily:    map[string]int{"sms": 10},
		Webhooks: []domain.Webhook{{ID: "w", URL: "https://venue.example/", Kinds: []string{"order.paid"}, Generation: 1, Active: true}}}
}

// TestMessagesAreCopiedWhole: what is changed in the copy is not changed in what others read.
func TestMessagesAreCopiedWhole(t *testing.T) {
	m := sampleMessages()
	before, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	c := m.Clone()
	c.SetUp[0], c.Routes["paid"][0], c.Daily["sms"] = "x", "x", 1
	c.WeChat["paid"].Params[0].From, c.SMS["login_code"].Params[0].From = "x", "x"
	c.Webhooks[0].Kinds[0], c.Webhooks[0].URL = "x", "x"
	c.Texts["paid"] = domain.MessageText{}
	if after, err := json.Marshal(m); err != nil || string(after) != string(before) {
		t.Errorf("changed: %s", after)
	}
}

func TestMessagesThatCannotBeCarriedOut(t *testing.T) {
	if err := sampleMessages().Validate(); err != nil {
		t.Fatal(err)
	}
	for field, change := range map[string]func(*domain.Messages){
		"routes.payed":     func(m *domain.Messages) { m.Routes["payed"] = []string{"sms"} },
		"routes.paid":      func(m *domain.Messages) { m.Routes["paid"] = []string{"pigeon"} },
		"routes.held":      func(m *domain.Messages) { m.Routes["held"] = []string{"sms", "sms"} },
		"texts.paid.title": func(m *domain.Messages) { t := m.Texts["paid"]; t.Title = "{nmber}"; m.Texts["paid"] = t },
		"texts.paid.text": func(m *domain.Messages) {
			t := m.Texts["paid"]
			t.Text = strings.Repeat("场", domain.MaxTextChars+1)
			m.Texts["paid"] = t
		},
		"texts.paid.text_en":            func(m *domain.Messages) { t := m.Texts["paid"]; t.TextEN = " "; m.Texts["paid"] = t },
		"wechat.login_code":             func(m *domain.Messages) { m.WeChat["login_code"] = m.WeChat["paid"] },
		"wechat.paid.id":                func(m *domain.Messages) { t := m.WeChat["paid"]; t.ID = "a b"; m.WeChat["paid"] = t },
		"wechat.paid.params[0].name":    func(m *domain.Messages) { m.WeChat["paid"].Params[0].Name = "Thing 1" },
		"sms.login_code.params[0].from": func(m *domain.Messages) { m.SMS["login_code"].Params[0].From = "" },
		"daily.sms":                     func(m *domain.Messages) { m.Daily["sms"] = 0 },
		"daily.mail":                    func(m *domain.Messages) { m.Daily["mail"] = -1 },
		"daily.login_code":              func(m *domain.Messages) { m.Daily["login_code"] = domain.MaxDaily + 1 },
		"daily.log":                     func(m *domain.Messages) { m.Daily["log"] = 1 },
		"webhooks[0].url":               func(m *domain.Messages) { m.Webhooks[0].URL = "file:///etc/passwd" },
		"webhooks[0].kinds":             func(m *domain.Messages) { m.Webhooks[0].Kinds = []string{"order.reminder"} },
	} {
		m := sampleMessages()
		change(&m)
		refusal, ok := domain.AsError(m.Validate())
		if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Field != field {
			t.Errorf("want %s to be blamed, got %+v", field, refusal)
		}
	}
}

func TestFill(t *testing.T) {
	facts := map[string]string{"number": "1210-0001", "court": "{number}"}
	for text, want := range map[string]string{
		"{number}": "1210-0001", "a{number}b{number}": "a1210-0001b1210-0001", "{goods}": "", "{x}": "{x}", "{": "{", "{number": "{number", "{{number}}": "{1210-0001}",
		"{court}":    "{number}", // a fact is text: nothing in it is filled again
		"场{number}地": "场1210-0001地", "": ""} {
		if got := domain.Fill(text, facts); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestEventsGoWithNotices: each kind of notice but the reminder has an event of its own.
func TestEventsGoWithNotices(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range domain.NoticeKinds {
		if e := domain.EventOf(kind); e != "" {
			seen[e] = true
		} else if kind != "reminder" {
			t.Errorf("%s has no event", kind)
		}
	}
	if len(seen) != len(domain.EventKinds)-1 {
		t.Errorf("%d events go with notices, and there are %d kinds of which one goes with none", len(seen), len(domain.EventKinds))
	}
}
