package domain_test

import (
	"strings"
	"testing"

	"courtd/domain"
)

// blamed gives the field that a check blames, and with which words.
func blamed(t *testing.T, m domain.Messages) (field, words string) {
	t.Helper()
	refusal, ok := domain.AsError(m.Validate())
	if !ok || len(refusal.Fields) != 1 {
		return "", ""
	}
	return refusal.Fields[0].Field, refusal.Fields[0].Message
}

// TestTextsThatCannotBeSaidAsTheyAre, in own words and in what fills a template.
func TestTextsThatCannotBeSaidAsTheyAre(t *testing.T) {
	for _, c := range []struct{ text, words string }{
		{"{} {evil}", "names {}"}, {"a {", "names {}"}, {"{number} { } {number}", "names {}"}, {"{number} {}", "names {}"}, {"x {evil}", "names {evil}"},
		{"two\r\nlines", "one line"}, {"two\nlines", "one line"}, {"two\u2028lines", "one line"}, {"a\x00b", "U+0000"}, {"a\u202eb", "U+202E"}, {"a\xffb", "UTF-8"}, {"a\tb", "U+0009"},
	} {
		m := sampleMessages()
		text := m.Texts["paid"]
		text.Title = c.text
		m.Texts["paid"] = text
		if field, words := blamed(t, m); field != "texts.paid.title" || !strings.Contains(words, c.words) {
			t.Errorf("title %q: %s %s", c.text, field, words)
		}
		m = sampleMessages()
		m.WeChat["paid"].Params[0].From = c.text
		if field, words := blamed(t, m); field != "wechat.paid.params[0].from" || !strings.Contains(words, c.words) {
			t.Errorf("parameter %q: %s %s", c.text, field, words)
		}
	}
	m := sampleMessages()
	m.Texts["paid"] = domain.MessageText{Title: "👨‍👩‍👧 {venue}", Text: "one\ntwo {number}", TitleEN: "x", TextEN: "one\n\ntwo"}
	if err := m.Validate(); err != nil {
		t.Errorf("lines of a text, and an emoji of several parts: %v", err)
	}
	text := m.Texts["paid"]
	text.TextEN = "a\u2028b"
	m.Texts["paid"] = text
	if field, _ := blamed(t, m); field != "texts.paid.text_en" {
		t.Errorf("%s is blamed", field)
	}
	m = sampleMessages()
	twice := m.WeChat["paid"]
	twice.Params = append(twice.Params, domain.TemplateParam{Name: "time2", From: "{start}"}, domain.TemplateParam{Name: "thing1", From: "{number}"})
	m.WeChat["paid"] = twice
	if field, words := blamed(t, m); field != "wechat.paid.params[2].name" || words != "is named twice" {
		t.Errorf("%s %s", field, words)
	}
}

// TestWebhooksAtNobodysAddress are refused when they are kept, however the address is written.
func TestWebhooksAtNobodysAddress(t *testing.T) {
	for host, may := range map[string]bool{
		"[fd00:ec2::254]": false, "168.63.129.16": false, "100.100.100.200": false, "169.254.169.254": false, "[64:ff9b::a9fe:a9fe]": false, "[64:ff9b:1::a9fe:a9fe]": false,
		"[2002:a9fe:a9fe::1]": false, "[::ffff:169.254.169.254]": false, "[::169.254.169.254]": false, "[fe80::1%25eth0]": false, "[fd00:ec2::254%25eth0]": false, "0.0.0.0": false, "[::]": false, "[ff02::1]": false,
		"[64:ff9b::a83f:8110]": false, "127.0.0.1": true, "[::1]": true, "10.0.0.7": true, "[64:ff9b::102:304]": true, "[fd00::7]": true, "203.0.113.9": true, "venue.example": true,
	} {
		err := domain.Webhook{ID: "w", URL: "https://" + host + "/hook", Kinds: []string{"order.paid"}}.Validate("")
		if (err == nil) != may {
			t.Errorf("%s: %v", host, err)
		}
	}
}
