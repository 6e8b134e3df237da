package wechat_test

import (
	"errors"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"courtd/app/notify"
	"courtd/app/notify/wechat"
	"courtd/app/wechatapi"
	"courtd/app/wechatapi/standin"
)

func TestFit(t *testing.T) {
	family := "👨‍👩‍👧" // five code points that look like one
	times := strings.Repeat
	for _, c := range []struct{ name, text, want string }{
		{"thing1", "", "-"}, {"thing1", " \n\t ", "-"}, {"thing1", "1号场", "1号场"}, {"thing12", "two\r\nlines\x00 here", "two lines here"},
		{"thing1", times("场", 20), times("场", 20)}, {"thing1", times("场", 21), times("场", 19) + "…"},
		{"thing1", times("a", 20), times("a", 20)}, {"thing1", times("a", 21), times("a", 19) + "…"},
		{"thing1", times("😀", 20), times("😀", 20)}, {"thing1", times("😀", 21), times("😀", 19) + "…"},
		{"thing1", times("a", 15) + family, times("a", 15) + family}, {"thing1", times("a", 16) + family, times("a", 16) + "…"},
		{"thing1", times("a", 18) + "e\u0301", times("a", 18) + "e\u0301"}, {"thing1", times("a", 18) + "e\u0301!", times("a", 18) + "…"},
		{"thing1", "bad \xff bytes", "bad bytes"},
		{"phrase3", "已支付", "已支付"}, {"phrase3", "已支付12ok，！", "已支付"}, {"phrase3", "一二三四五", "一二三四五"}, {"phrase3", "一二三四五六", "一二三四五"}, {"phrase3", "ok", "无"}, {"phrase3", "", "无"},
		{"character_string1", "1210-0042", "1210-0042"}, {"character_string1", "订单 12 10😀", "1210"}, {"character_string1", times("x", 32), times("x", 32)}, {"character_string1", times("x", 33), times("x", 32)}, {"character_string1", "单", "-"},
		{"number1", "42", "42"}, {"number1", "约 4.5 元", "4.5"}, {"number1", ".5", "5"}, {"number1", "1.2.3", "1.23"}, {"number1", times("1", 33), times("1", 32)}, {"number1", "无", "!"}, {"number1", "", "!"},
		{"letter1", "A1B 场", "AB"}, {"letter1", times("x", 33), times("x", 32)}, {"letter1", "1", "!"},
		{"symbol1", "a★b!", "★!"}, {"symbol1", "!!!!!!", "!!!!!"}, {"symbol1", "a", "-"},
		{"time1", "2026年12月10日 17:30", "2026年12月10日 17:30"}, {"time1", "", "!"}, {"time1", "17:30", "17:30"}, {"time1", "2026年12月10日", "2026年12月10日"}, {"time1", "2026年12月10日 17:30~19:00", "2026年12月10日 17:30~19:00"}, {"date1", "2026年1月5日", "2026年1月5日"}, {"date1", "2026年01月05日 08:30:00", "2026年01月05日 08:30:00"},
		{"time1", "明天晚上七点", "!"}, {"time1", "12月10日 17:30", "!"}, {"time1", "1号场 17:30", "!"}, {"time1", "2026年13月10日 17:30", "!"}, {"time1", "25:30", "!"}, {"date1", "17:30", "!"}, {"date1", times("1", 20), "!"},
		{"amount1", "￥40.00", "￥40.00"}, {"amount1", "40", "40"}, {"amount1", "40.005", "40.00"}, {"amount1", "40元", "40元"}, {"amount1", "1,234.50", "1234.50"}, {"amount1", "1234567890", "1234567890"}, {"amount1", "12345678901", "!"}, {"amount1", "¥12345678901元", "!"}, {"amount1", "", "!"}, {"amount1", "免费", "!"}, {"amount1", "-5", "!"},
		{"phone_number1", "+86 138-1234-5678", "+86 138-1234-5678"}, {"phone_number1", "电话 021-12345678", "021-12345678"}, {"phone_number1", times("1", 18), times("1", 17)}, {"phone_number1", "", "-"},
		{"car_number1", "粤A·12345", "粤A12345"}, {"car_number1", "粤AD1234567", "粤AD12345"}, {"car_number1", "", "!"},
		{"name1", "王小明", "王小明"}, {"name1", times("王", 10), times("王", 10)}, {"name1", times("王", 11), times("王", 10)}, {"name1", "Wang 小明 2😀", "Wang小明"}, {"name1", "John Smith 3", "John Smith"},
		{"name1", times("x", 20), times("x", 20)}, {"name1", times("x", 21), times("x", 20)}, {"name1", "", "-"}, {"name1", "123", "-"},
		{"enum1", times("q", 21), times("q", 19) + "…"},
	} {
		got, ok := wechat.Fit(c.name, c.text)
		if !ok {
			got = "!"
		}
		if got != c.want || !utf8.ValidString(got) {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

const (
	openid = "oGZUI0egBJY1zhBYw2KhdUfwVJJE"
	secret = "5f4dcc3b5aa765d61d8327deb882cf99"
)

func start(t *testing.T) (*standin.WeChat, *wechat.Channel) {
	now := func() time.Time { return time.Unix(1800000000, 0) }
	w := standin.New("wx0123456789abcdef", secret, now)
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.AddUser(openid)
	w.AddTemplate("T1", "thing1", "time2", "phrase3", "amount4", "name5", "character_string6")
	api := wechatapi.New(wechatapi.Config{AppID: "wx0123456789abcdef", Secret: secret, BaseURL: server.URL, Now: now})
	return w, wechat.New(api, wechat.Config{Page: "pages/web/web"})
}

func message() notify.Message {
	return notify.Message{ID: "n-1", Kind: "paid", OpenID: openid, Page: "orders/o 1", Phone: "13812345678", Template: &notify.Template{ID: "T1", Values: []notify.Value{
		{Name: "thing1", Text: strings.Repeat("很长的场地名称", 5)}, {Name: "time2", Text: "2026年12月10日 17:30"}, {Name: "phrase3", Text: "已支付 OK"},
		{Name: "amount4", Text: "￥40.00"}, {Name: "name5", Text: "王小明 2"}, {Name: "character_string6", Text: "1210-0042 号"}}}}
}

func TestSend(t *testing.T) {
	w, channel := start(t)
	if channel.Name() != "wechat" {
		t.Error(channel.Name())
	}
	err := channel.Send(t.Context(), message())
	if !errors.Is(err, notify.ErrNotAllowed) || strings.Contains(err.Error(), openid) {
		t.Errorf("got %v", err)
	}
	w.Allow(openid, "T1", 1)
	if err := channel.Send(t.Context(), message()); err != nil {
		t.Fatal(err)
	}
	want := []standin.Message{{OpenID: openid, TemplateID: "T1", Page: "pages/web/web?path=orders%2Fo%201", Data: map[string]string{"thing1": "很长的场地名称很长的场地名称很长的场地…",
		"time2": "2026年12月10日 17:30", "phrase3": "已支付", "amount4": "￥40.00", "name5": "王小明", "character_string6": "1210-0042"}}}
	if got := w.Messages(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSendRefuses(t *testing.T) {
	w, channel := start(t)
	w.Allow(openid, "T1", 10)
	for name, c := range map[string]struct {
		spoil func(*notify.Message)
		words string
	}{
		"no openid":        {func(m *notify.Message) { m.OpenID = "" }, "signed in with WeChat"},
		"no template":      {func(m *notify.Message) { m.Template = nil }, "no template"},
		"no template's id": {func(m *notify.Message) { m.Template.ID = "" }, "no template"},
		"no time":          {func(m *notify.Message) { m.Template.Values[1].Text = "" }, "time2"},
		"another template": {func(m *notify.Message) { m.Template.ID = "T9" }, "T9"},
		"a stranger":       {func(m *notify.Message) { m.OpenID = openid[:27] + "X" }, "openid"},
	} {
		m := message()
		c.spoil(&m)
		err := channel.Send(t.Context(), m)
		if !errors.Is(err, notify.ErrRefused) || errors.Is(err, notify.ErrNotAllowed) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", name, err)
		}
		for _, private := range []string{openid[:20], secret, "13812345678", "access-token"} {
			if err != nil && strings.Contains(err.Error(), private) {
				t.Errorf("%s: %q is in %v", name, private, err)
			}
		}
	}
	if len(w.Messages()) != 0 {
		t.Error("something was sent")
	}
}

func TestCheck(t *testing.T) {
	for _, page := range []string{"", "pages/web/web"} {
		if problems := (wechat.Config{Page: page}).Check(); problems != nil {
			t.Errorf("%q: %v", page, problems)
		}
	}
	for _, page := range []string{"/pages/web", "pages/web?x=1", "https://x"} {
		if problems := (wechat.Config{Page: page}).Check(); len(problems) != 1 || problems[0].ZH == "" || problems[0].EN == "" {
			t.Errorf("%q: %v", page, problems)
		}
	}
}

// Whatever is written, WeChat takes what Fit makes of it.
func TestWhatFitsIsTaken(t *testing.T) {
	w, channel := start(t)
	texts := []string{"", " ", "-", "场", "1号场 17:30", "王小明", "O'Brien-Smith, Jr. (3)", "😀😀", "\u0301", "a\x00b", "\xff", "￥40.00", "2026年12月10日 17:30", "粤A·12345", "+86 138-1234-5678",
		strings.Repeat("场", 500), strings.Repeat("1", 500), strings.Repeat("x", 500), strings.Repeat("!", 500), strings.Repeat("👨‍👩‍👧", 50), strings.Repeat("é ", 50), "...", "【】", "[]", "．５", "٣", "ﬁ"}
	for _, kind := range []string{"thing", "phrase", "character_string", "number", "letter", "symbol", "amount", "phone_number", "car_number", "name", "enum"} {
		w.AddTemplate("T2", kind+"1")
		for _, text := range texts {
			m := message()
			m.Template = &notify.Template{ID: "T2", Values: []notify.Value{{Name: kind + "1", Text: text}}}
			w.Allow(openid, "T2", 1)
			if err := channel.Send(t.Context(), m); err != nil && !strings.Contains(err.Error(), "nothing fit") {
				t.Errorf("%s %q: %v", kind, text, err)
			}
		}
	}
	if got := len(w.Messages()); got < 200 {
		t.Errorf("only %d arrived", got)
	}
}

// The channel is asked by asking WeChat for its token, and nothing is sent.
func TestProbe(t *testing.T) {
	w, channel := start(t)
	if err := channel.Probe(t.Context()); err != nil || w.Token() == "" || len(w.Messages()) != 0 {
		t.Errorf("%v, token %q, %d messages", err, w.Token(), len(w.Messages()))
	}
	w.Misbehave("/cgi-bin/stable_token", standin.BadIP)
	if err := channel.Probe(t.Context()); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "list of IP addresses") {
		t.Errorf("from an address that is not allowed: %v", err)
	}
}
