package messages

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/domain"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// valuesOfText are the fields of the form for own words.
func valuesOfText(t domain.MessageText) map[string]string {
	return map[string]string{"title": t.Title, "text": t.Text, "title_en": t.TitleEN, "text_en": t.TextEN}
}

func readText(value func(string) string) domain.MessageText {
	return domain.MessageText{Title: tidy(value("title")), Text: tidy(value("text")), TitleEN: tidy(value("title_en")), TextEN: tidy(value("text_en"))}
}

func linesOfText(t domain.MessageText) []kit.Words {
	if t.Title == "" {
		return []kit.Words{{"程序的原文", "the program's words"}}
	}
	return []kit.Words{{t.Title + "：" + t.Text, t.TitleEN + ": " + t.TextEN}}
}

// valuesOfTemplate are the fields of the form for a template: p.N.name and p.N.from are
// its parameters.
func valuesOfTemplate(t domain.MessageTemplate) map[string]string {
	out := map[string]string{"id": t.ID}
	for i, param := range t.Params {
		out[fmt.Sprintf("p.%d.name", i)], out[fmt.Sprintf("p.%d.from", i)] = param.Name, param.From
	}
	return out
}

// readTemplate reads a template and in which place of the form each parameter stands:
// empty ones do not count.
func readTemplate(value func(string) string) (t domain.MessageTemplate, places []int) {
	t.ID = tidy(value("id"))
	for i := range domain.MaxTemplateParams {
		at := fmt.Sprintf("p.%d.", i)
		param := domain.TemplateParam{Name: tidy(value(at + "name")), From: tidy(value(at + "from"))}
		if param.Name+param.From != "" {
			t.Params, places = append(t.Params, param), append(places, i)
		}
	}
	return t, places
}

func linesOfTemplate(t domain.MessageTemplate) []kit.Words {
	if t.ID == "" {
		return []kit.Words{{"没有模板", "no template"}}
	}
	out := []kit.Words{{"模板编号 " + t.ID, "Template " + t.ID}}
	for i, param := range t.Params {
		line := strings.TrimSpace(fmt.Sprintf("%d. %s ← %s", i+1, param.Name, param.From))
		out = append(out, kit.Words{line, line})
	}
	return out
}

// put sets a part of a map of parts, if it is still as the form has seen it.
func put[T any](of *map[string]T, kind string, wanted T, mark string) error {
	is := (*of)[kind]
	if err := app.Change(&is, wanted, mark); err != nil {
		return err
	}
	if *of == nil {
		*of = map[string]T{}
	}
	(*of)[kind] = is
	return nil
}

// drop takes a part out, if it is still as the form has seen it; one that is not there is
// out already.
func drop[T any](of map[string]T, kind, mark string) error {
	is, own := of[kind]
	if !own {
		return nil
	}
	if err := app.Unchanged(is, mark); err != nil {
		return err
	}
	delete(of, kind)
	return nil
}

// typedInto gives the settings with the part that a form carries put in.
func typedInto(c *fiber.Ctx, m domain.Messages, kind string, b *back) (domain.Messages, error) {
	m = m.Clone()
	mark := func(part any) string { return app.Mark(part) } // only to look at
	switch {
	case b.is("texts") && blankText(readText(sent(c))):
		return m, drop(m.Texts, kind, mark(m.Texts[kind]))
	case b.is("texts"):
		return m, put(&m.Texts, kind, readText(sent(c)), mark(m.Texts[kind]))
	case b.is("wechat"):
		t, _ := readTemplate(sent(c))
		return m, put(&m.WeChat, kind, t, mark(m.WeChat[kind]))
	case b.is("sms"):
		t, _ := readTemplate(sent(c))
		return m, put(&m.SMS, kind, t, mark(m.SMS[kind]))
	}
	return m, nil
}

func blankText(t domain.MessageText) bool { return t == domain.MessageText{} }

// nameIn gives what a refusal names the name that it has in a form of the page.
func nameIn(c *fiber.Ctx, form, kind string) func(string) string {
	_, places := readTemplate(sent(c))
	return func(name string) string {
		rest, mine := strings.CutPrefix(name, form+"."+kind+".")
		if !mine {
			return name
		}
		for i, place := range places {
			if field, is := strings.CutPrefix(rest, fmt.Sprintf("params[%d].", i)); is {
				return fmt.Sprintf("p.%d.%s", place, field)
			}
		}
		return rest
	}
}

// previewKind shows what a form as it is comes to.
func (p *pages) previewKind(c *fiber.Ctx) error {
	form := kit.Sent(c, "form")
	if form != "texts" && form != "wechat" && form != "sms" {
		return domain.Refuse(domain.NotFound, "not_found", "no such form")
	}
	page, err := p.kindPage(c, &back{form: form})
	if err != nil {
		return err
	}
	if c.Get("HX-Request") == "true" {
		return p.RenderPart(c, http.StatusOK, "message", "preview", page)
	}
	return p.Render(c, http.StatusOK, "message", page)
}

// saveTexts keeps own words, or takes them out.
func (p *pages) saveTexts(c *fiber.Ctx) error {
	return p.saveKind(c, "texts", "saved", "dropped", func(m *domain.Messages, kind string, out bool) error {
		if out {
			return drop(m.Texts, kind, kit.Sent(c, "mark"))
		}
		return put(&m.Texts, kind, readText(sent(c)), kit.Sent(c, "mark"))
	})
}

// saveWeChat keeps the template at WeChat, or takes it out.
func (p *pages) saveWeChat(c *fiber.Ctx) error {
	return p.saveKind(c, "wechat", "kept", "removed", func(m *domain.Messages, kind string, out bool) error {
		if out {
			return drop(m.WeChat, kind, kit.Sent(c, "mark"))
		}
		t, _ := readTemplate(sent(c))
		return put(&m.WeChat, kind, t, kit.Sent(c, "mark"))
	})
}

// saveSMS keeps the template at the carrier, or takes it out.
func (p *pages) saveSMS(c *fiber.Ctx) error {
	return p.saveKind(c, "sms", "kept", "removed", func(m *domain.Messages, kind string, out bool) error {
		if out {
			return drop(m.SMS, kind, kit.Sent(c, "mark"))
		}
		t, _ := readTemplate(sent(c))
		return put(&m.SMS, kind, t, kit.Sent(c, "mark"))
	})
}

// saveKind does what a button of one of the page's forms says: keep, take out, or show
// what it comes to.
func (p *pages) saveKind(c *fiber.Ctx, form, saved, dropped string, change func(m *domain.Messages, kind string, out bool) error) error {
	kind, err := kindOf(c)
	if err != nil {
		return err
	}
	if kind == domain.KindLoginCode && form != "sms" {
		return domain.Refuse(domain.NotFound, "not_found", "a login code has a template for SMS and nothing else")
	}
	said, act := saved, kit.Sent(c, "act")
	switch act {
	case "preview":
		said = ""
	case "drop":
		said = dropped
	}
	if said != "" {
		err = p.change(c, func(m *domain.Messages) error { return change(m, kind, act == "drop") })
		err = renamed(err, nameIn(c, form, kind))
	}
	return answerForm(c, "/owner/messages/"+kind, said, err, func(status int) error { return p.drawKind(c, status, &back{form, err}, nil) })
}

// sendTest sends an example at once and tells what the channel said.
func (p *pages) sendTest(c *fiber.Ctx) error {
	kind, err := kindOf(c)
	if err != nil {
		return err
	}
	if kind == domain.KindLoginCode {
		return domain.Refuse(domain.NotFound, "not_found", "a login code is tried out by signing in")
	}
	test := app.TestMessage{Channel: kit.Sent(c, "channel"), Kind: kind, Phone: plain(kit.Sent(c, "phone")), Email: strings.TrimSpace(kit.Sent(c, "email"))}
	repeated, err := p.App.SendTestOnce(c.UserContext(), httpx.ActorOf(c), test, keyOf(c))
	if domain.IsReason(err, "test_not_sent") {
		// The channel has answered: the next form is another test.
		httpx.NoteOf(c).Err = err
		said := answer(err)
		return p.drawKind(c, httpx.Status(domain.Unavailable), &back{form: "test"}, &said)
	}
	said := "sent"
	if repeated {
		said = "again"
	}
	return answerForm(c, "/owner/messages/"+kind, said, err, func(status int) error { return p.drawKind(c, status, &back{"test", err}, nil) })
}
