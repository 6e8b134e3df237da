package messages

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/app/notify/wechat"
	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/kit"
)

// kindPage is one kind of message: its words, its templates, what they look like, and a
// test.
type kindPage struct {
	kit.Frame
	kit.Trouble
	Theirs       []kit.Words
	Self, Kind   string
	Name         named
	Code         bool // it is the login code, which has nothing but a template
	Own          bool // it has words of the owner's
	TextMark     string
	Titles, Says [2]kit.Field // Chinese, English
	WeChat, SMS  templateForm
	Places       []place
	Preview      preview
	Test         testForm
}

// templateForm is a template that the platform has approved.
type templateForm struct {
	CSRF   string
	Form   string // wechat or sms
	Action string
	Look   string // where to ask what it comes to
	Named  bool   // its fields have names of the platform's
	Own    bool
	SetUp  bool
	Needs  bool // without it nothing of this kind goes by the channel
	Mark   string
	ID     kit.Field
	Params []paramFields
	More   bool // there can be more parameters than are offered
}

type paramFields struct{ Name, From kit.Field }

// place is a placeholder with what stands there in the example.
type place struct {
	Name    string // with its braces
	Words   kit.Words
	Example string
}

// preview is what the message looks like with the example's facts.
type preview struct {
	Bad         []kit.Fault // why there is none
	Shown       app.Preview
	Own         bool // in the owner's words
	WeChat, SMS []fitted
}

// fitted is what a parameter of a template becomes.
type fitted struct {
	Name, Text, Value string
	Cut               bool
	Refused           bool // nothing can stand there
}

type testForm struct {
	Nonce        string
	Ways         []testWay
	Wrong        *kit.Words // with the choice of the channel
	Phone, Email kit.Field
	Answer       *kit.Words // what the channel said
}

type testWay struct {
	Channel string
	Words   kit.Words
	On      bool
}

var kindSaid = map[string]kit.Words{
	"saved":   {"已保存。以后产生的通知用新的文字", "Saved. Notices that are made from now on have the new words"},
	"dropped": {"已恢复程序的原文", "The program's words are back"},
	"kept":    {"模板已保存", "The template is saved"},
	"removed": {"模板已去掉", "The template is removed"},
	"sent":    {"测试已发出，渠道已接收", "The test was sent; the channel has taken it"},
	"again":   {"这张表已经发过一次测试，没有再发。结果见“消息”页上渠道的状态", "This form has sent a test before; nothing was sent again. See how the channel does on the page of messages"},
}

// A form offers as many parameters as WeChat's templates have, and always a few empty
// ones behind the last that is filled in.
const (
	fewestParams = 5
	blankParams  = 2
)

// kindOf is the kind that a page is about.
func kindOf(c *fiber.Ctx) (string, error) {
	kind := c.Params("kind")
	if _, known := kinds[kind]; !known {
		return "", domain.Refuse(domain.NotFound, "not_found", "no such kind of message")
	}
	return kind, nil
}

func (p *pages) showKind(c *fiber.Ctx) error { return p.drawKind(c, http.StatusOK, nil, nil) }

// drawKind draws the page; answer is what a channel said to a test.
func (p *pages) drawKind(c *fiber.Ctx, status int, b *back, answer *kit.Words) error {
	page, err := p.kindPage(c, b)
	if err != nil {
		return err
	}
	page.Test.Answer = answer
	return p.Render(c, status, "message", page)
}

func (p *pages) kindPage(c *fiber.Ctx, b *back) (page kindPage, err error) {
	kind, err := kindOf(c)
	if err != nil {
		return page, err
	}
	f, venue, _, err := p.frame(c, kinds[kind].Words, kindSaid)
	if err != nil {
		return page, err
	}
	f.Live = true
	m := venue.Messages
	page = kindPage{Frame: f, Self: "/owner/messages/" + kind, Kind: kind, Name: kinds[kind], Code: kind == domain.KindLoginCode}
	texts := b.sheet(c, "texts", valuesOfText(m.Texts[kind]))
	page.addTexts(c, b, texts, m)
	we, sms := b.sheet(c, "wechat", valuesOfTemplate(m.WeChat[kind])), b.sheet(c, "sms", valuesOfTemplate(m.SMS[kind]))
	page.WeChat = formOfTemplate(c, b, we, "wechat", m.WeChat[kind])
	page.SMS = formOfTemplate(c, b, sms, "sms", m.SMS[kind])
	for _, form := range []*templateForm{&page.WeChat, &page.SMS} {
		form.CSRF, form.Action, form.Look = f.CSRF, page.Self+"/"+form.Form, page.Self+"/preview"
	}
	page.WeChat.SetUp, page.SMS.SetUp = slices.Contains(m.SetUp, domain.ChannelWeChat), slices.Contains(m.SetUp, domain.ChannelSMS)
	page.WeChat.Needs, page.SMS.Needs = p.App.NeedsTemplates(domain.ChannelWeChat), p.App.NeedsTemplates(domain.ChannelSMS)
	test := b.sheet(c, "test", nil)
	page.addTest(c, b, test, m)
	page.Theirs = slices.Concat(b.theirs("texts", linesOfText(m.Texts[kind])...), b.theirs("wechat", linesOfTemplate(m.WeChat[kind])...), b.theirs("sms", linesOfTemplate(m.SMS[kind])...))
	page.Trouble = saidOfTrouble(kit.TroubleOf(b.cause(), texts, we, sms, test), b.cause())
	return page, p.addPreview(c, &page, venue, b)
}

func (page *kindPage) addTexts(c *fiber.Ctx, b *back, s *kit.Sheet, m domain.Messages) {
	_, page.Own = m.Texts[page.Kind]
	page.TextMark = b.mark(c, "texts", m.Texts[page.Kind])
	for i, half := range []struct {
		at          string
		title, text kit.Words
	}{
		{"", kit.Words{"标题（中文）", "Title (Chinese)"}, kit.Words{"正文（中文）", "Text (Chinese)"}},
		{"_en", kit.Words{"标题（英文）", "Title (English)"}, kit.Words{"正文（英文）", "Text (English)"}},
	} {
		page.Titles[i] = s.Draw(kit.Field{Name: "title" + half.at, Label: half.title, Most: 2 * domain.MaxTitleChars})
		page.Says[i] = s.Draw(kit.Field{Name: "text" + half.at, Label: half.text, Most: 2 * domain.MaxTextChars})
	}
}

// formOfTemplate draws a template with its parameters and some empty ones.
func formOfTemplate(c *fiber.Ctx, b *back, s *kit.Sheet, form string, kept domain.MessageTemplate) templateForm {
	out := templateForm{Form: form, Named: form == "wechat", Own: kept.ID != "", Mark: b.mark(c, form, kept)}
	out.ID = s.Draw(kit.Field{Name: "id", Label: kit.Words{"模板编号", "The template's id"}, Most: 2 * domain.MaxTemplateIDChars})
	rows := fewestParams
	for i := range domain.MaxTemplateParams {
		if at := fmt.Sprintf("p.%d.", i); tidy(s.Value(at+"name")+s.Value(at+"from")) != "" {
			rows = max(fewestParams, i+1+blankParams)
		}
	}
	for i := range min(rows, domain.MaxTemplateParams) {
		at, no := fmt.Sprintf("p.%d.", i), i+1
		var row paramFields
		if out.Named {
			row.Name = s.Draw(kit.Field{Name: at + "name", Label: kit.Words{fmt.Sprintf("第 %d 个参数：字段名", no), fmt.Sprintf("Parameter %d: its name", no)}, Most: domain.MaxNameChars})
		}
		row.From = s.Draw(kit.Field{Name: at + "from", Label: kit.Words{fmt.Sprintf("第 %d 个参数：内容", no), fmt.Sprintf("Parameter %d: what stands there", no)}, Most: 2 * domain.MaxTextChars})
		out.Params = append(out.Params, row)
	}
	out.More = rows < domain.MaxTemplateParams
	return out
}

func (page *kindPage) addTest(c *fiber.Ctx, b *back, s *kit.Sheet, m domain.Messages) {
	page.Test.Nonce = kit.Nonce(c)
	asked := slices.Index(m.SetUp, c.Query("test")) // by a channel's card
	for i, name := range m.SetUp {
		on := i == max(asked, 0)
		if b.is("test") {
			on = kit.Sent(c, "channel") == name
		}
		page.Test.Ways = append(page.Test.Ways, testWay{name, channelWords(name), on})
	}
	page.Test.Wrong = s.At("channel", kit.Words{"渠道", "Channel"})
	page.Test.Phone = s.Draw(kit.Field{Name: "phone", Label: kit.Words{"手机号（短信；或用微信登录过的顾客）", "Phone (for SMS; or of a customer who has signed in with WeChat)"}, Kind: "tel", Most: 2 * domain.MaxNameChars})
	page.Test.Email = s.Draw(kit.Field{Name: "email", Label: kit.Words{"邮箱（邮件）", "Mail address (for mail)"}, Kind: "email", Most: domain.MaxEmailBytes})
}

// codeFacts are the example of a login code.
func codeFacts(venue sqlite.Venue) map[string]string {
	facts := map[string]string{"code": "123456"}
	for name, text := range map[string]string{"venue": venue.Name, "venue_phone": venue.Phone} {
		if text != "" {
			facts[name] = text
		}
	}
	return facts
}

// addPreview shows what the message looks like, with what was typed if a form came back.
func (p *pages) addPreview(c *fiber.Ctx, page *kindPage, venue sqlite.Venue, b *back) error {
	m, wrong := typedInto(c, venue.Messages, page.Kind, b)
	if wrong == nil {
		wrong = m.Validate()
		if b != nil {
			wrong = renamed(wrong, nameIn(c, b.form, page.Kind))
		}
	}
	shown := app.Preview{Kind: page.Kind, Facts: codeFacts(venue)}
	kept := venue.Messages
	if wrong == nil {
		kept = m
	}
	if !page.Code {
		var err error
		if shown, err = p.App.PreviewMessage(c.UserContext(), kept, page.Kind); err != nil {
			return err
		}
	}
	page.Places = placesOf(page.Kind, shown.Facts)
	if wrong != nil {
		page.Preview.Bad = faultsOf(c, b, page.Kind, wrong)
		return nil
	}
	_, page.Preview.Own = m.Texts[page.Kind]
	page.Preview.Shown = shown
	for _, param := range m.WeChat[page.Kind].Params {
		text := domain.Fill(param.From, shown.Facts)
		value, ok := wechat.Fit(param.Name, text)
		page.Preview.WeChat = append(page.Preview.WeChat, fitted{Name: param.Name, Text: text, Value: value, Cut: ok && value != text, Refused: !ok})
	}
	for i, param := range m.SMS[page.Kind].Params {
		page.Preview.SMS = append(page.Preview.SMS, fitted{Name: fmt.Sprint(i + 1), Value: domain.Fill(param.From, shown.Facts)})
	}
	return nil
}

// placesOf are the placeholders that a message can name, with those of the example.
func placesOf(kind string, facts map[string]string) []place {
	var out []place
	for _, name := range domain.PlaceholdersOf(kind) {
		out = append(out, place{"{" + name + "}", placeholders[name], facts[name]})
	}
	return out
}

// faultsOf draws the form that came back once more, silently, for what is wrong with it.
func faultsOf(c *fiber.Ctx, b *back, kind string, wrong error) []kit.Fault {
	if b == nil || b.form == "test" {
		return kit.NewSheet("", sent(c), kit.WrongOf(wrong)).Faults() // what is kept is at fault
	}
	silent := kit.NewSheet(b.form, sent(c), kit.WrongOf(wrong))
	page := kindPage{Kind: kind}
	if b.form == "texts" {
		page.addTexts(c, b, silent, domain.Messages{})
	} else {
		formOfTemplate(c, b, silent, b.form, domain.MessageTemplate{})
	}
	return silent.Faults()
}
