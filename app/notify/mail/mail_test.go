package mail_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/emersion/go-smtp"

	"courtd/app/notify"
	"courtd/app/notify/mail"
)

const entry = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//courtd//EN\r\nMETHOD:PUBLISH\r\nBEGIN:VEVENT\r\nUID:o-1@courtd\r\n" +
	"DTSTAMP:20261210T093000Z\r\nDTSTART:20261210T093000Z\r\nDTEND:20261210T103000Z\r\nSUMMARY:1号场 羽毛球\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

func message() notify.Message {
	return notify.Message{ID: "n-42", Kind: "paid", CustomerName: "王小明", Phone: "13812345678", Email: "wang.xiaoming@customer.example",
		Title: "预订成功", Text: "订单 1210-0042 已确认\n1号场 <17:30> & 拍子", TitleEN: "Booked", TextEN: "Order 1210-0042 is booked\nCourt 1", ICS: []byte(entry)}
}

// leaks fails if an error repeats the password, the address or what the server said.
func leaks(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	for _, word := range []string{password, base64.StdEncoding.EncodeToString([]byte("\x00" + username + "\x00" + password)), username, "wang.xiaoming", "13812345678", "王小明", "said the server"} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("%q is in the error %q", word, err)
		}
	}
}

// part is one piece of a mail, decoded.
type part struct{ kind, disposition, text string }

// pieces takes a mail apart as a mail program does.
func pieces(t *testing.T, header interface{ Get(string) string }, body io.Reader) []part {
	t.Helper()
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		if header.Get("Content-Transfer-Encoding") != "base64" {
			t.Errorf("%s is encoded %q", kind, header.Get("Content-Transfer-Encoding"))
		}
		text, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, body))
		if err != nil {
			t.Fatal(err)
		}
		return []part{{header.Get("Content-Type"), header.Get("Content-Disposition"), string(text)}}
	}
	found := []part{{kind: kind}}
	for reader := multipart.NewReader(body, params["boundary"]); ; {
		p, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, pieces(t, p.Header, p)...)
	}
}

func TestSendOverSTARTTLS(t *testing.T) {
	s := serve(t, "starttls")
	channel := mail.New(s.config(""))
	if channel.Name() != "mail" {
		t.Error(channel.Name())
	}
	for range 2 { // the same twice
		if err := channel.Send(t.Context(), message()); err != nil {
			t.Fatal(err)
		}
	}
	got := s.received()
	if len(got) != 2 || s.to[0] != "wang.xiaoming@customer.example" || s.from[0] != "post@courtd.example" {
		t.Fatalf("%d arrived, to %v from %v", len(got), s.to, s.from)
	}
	read, err := netmail.ReadMessage(strings.NewReader(got[0]))
	if err != nil {
		t.Fatal(err)
	}
	again, err := netmail.ReadMessage(strings.NewReader(got[1]))
	if err != nil {
		t.Fatal(err)
	}
	if id := read.Header.Get("Message-ID"); id != "<courtd.n-42@courtd.example>" || again.Header.Get("Message-ID") != id {
		t.Errorf("the ids are %q and %q", id, again.Header.Get("Message-ID"))
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
	if err != nil || subject != "预订成功 / Booked" {
		t.Errorf("subject %q %v", subject, err)
	}
	from, err := netmail.ParseAddress(read.Header.Get("From"))
	if err != nil || from.Name != "晨光羽毛球馆" || from.Address != "post@courtd.example" {
		t.Errorf("from %v %v", from, err)
	}
	to, err := netmail.ParseAddress(read.Header.Get("To"))
	if err != nil || to.Name != "王小明" || to.Address != "wang.xiaoming@customer.example" {
		t.Errorf("to %v %v", to, err)
	}
	if date, err := read.Header.Date(); err != nil || !date.Equal(now) {
		t.Errorf("date %v %v", date, err)
	}
	if auto := read.Header.Get("Auto-Submitted"); auto != "auto-generated" {
		t.Errorf("Auto-Submitted: %q", auto)
	}
	found := pieces(t, read.Header, read.Body)
	if len(found) != 5 || found[0].kind != "multipart/mixed" || found[1].kind != "multipart/alternative" {
		t.Fatalf("got %v", found)
	}
	if found[2].kind != "text/plain; charset=UTF-8" || found[2].text != "预订成功\r\n\r\n订单 1210-0042 已确认\r\n1号场 <17:30> & 拍子\r\n\r\n----\r\n\r\nBooked\r\n\r\nOrder 1210-0042 is booked\r\nCourt 1\r\n" {
		t.Errorf("the text is %q", found[2])
	}
	for _, want := range []string{"<h2>预订成功</h2>", "1号场 &lt;17:30&gt; &amp; 拍子", `<div lang="en">`, "Order 1210-0042 is booked<br>"} {
		if !strings.Contains(found[3].text, want) || found[3].kind != "text/html; charset=UTF-8" {
			t.Errorf("%q is missing in %q", want, found[3])
		}
	}
	if kind, params, err := mime.ParseMediaType(found[4].kind); err != nil || kind != "text/calendar" || params["method"] != "PUBLISH" || params["charset"] != "UTF-8" || params["name"] != "order.ics" {
		t.Errorf("%s %v %v", kind, params, err)
	}
	calendar, err := ics.ParseCalendar(strings.NewReader(found[4].text))
	if err != nil || len(calendar.Events()) != 1 || calendar.Events()[0].GetProperty(ics.ComponentPropertySummary).Value != "1号场 羽毛球" || found[4].text != entry {
		t.Errorf("the calendar is %q %v", found[4].text, err)
	}
}

func TestSendOtherwise(t *testing.T) {
	s := serve(t, "tls")
	m := message()
	m.ICS, m.TitleEN, m.TextEN = nil, "", ""
	if err := mail.New(s.config(mail.TLS)).Send(t.Context(), m); err != nil || len(s.received()) != 1 {
		t.Fatalf("TLS from the first byte: %v", err)
	}
	read, err := netmail.ReadMessage(strings.NewReader(s.received()[0]))
	if err != nil {
		t.Fatal(err)
	}
	if found := pieces(t, read.Header, read.Body); len(found) != 3 || found[0].kind != "multipart/alternative" || strings.Contains(found[1].text, "----") {
		t.Errorf("got %v", found)
	}
	s = serve(t, "none")
	s.open = true
	if err := mail.New(s.config(mail.NoTLS)).Send(t.Context(), message()); err != nil || len(s.received()) != 1 {
		t.Errorf("in the open to this machine, with a password: %v", err)
	}
	bare := s.config(mail.NoTLS)
	bare.Username, bare.Password = "", ""
	if err := mail.New(bare).Send(t.Context(), message()); err != nil || len(s.received()) != 2 {
		t.Errorf("without a password: %v", err)
	}
}

// Nothing that people write gets into the headers.
func TestSendNoHeaderIsInjected(t *testing.T) {
	s := serve(t, "starttls")
	m := message()
	m.ID = "n\r\nX-Evil: 1"
	m.CustomerName = "Wang\r\nBcc: evil@example.com\r\n\r\nbody\" <evil@example.com>, \"" + strings.Repeat("x", 60)
	m.Title = "预订\r\nX-Evil: 2\r\n\r\n" + strings.Repeat("很长的标题", 60)
	m.TitleEN = "Booked\nX-Evil: 3"
	m.ICS = []byte("METHOD:X; evil\r\n")
	if err := mail.New(s.config("")).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(s.received()[0], "\r\n\r\n")
	for _, line := range strings.Split(head, "\r\n") {
		if strings.HasPrefix(line, "X-Evil") || strings.HasPrefix(line, "Bcc") || len(line) > 998 {
			t.Errorf("a line of the header is %q", line)
		}
	}
	read, err := netmail.ReadMessage(strings.NewReader(s.received()[0]))
	if err != nil {
		t.Fatal(err)
	}
	to, err := read.Header.AddressList("To")
	if err != nil || len(to) != 1 || to[0].Address != "wang.xiaoming@customer.example" || strings.ContainsAny(to[0].Name, "\r\n") || len([]rune(to[0].Name)) != 60 {
		t.Errorf("to %v %v", to, err)
	}
	if id := read.Header.Get("Message-ID"); !regexp.MustCompile(`^<courtd\.[0-9a-f]{32}@courtd\.example>$`).MatchString(id) {
		t.Errorf("the id is %q", id)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
	if err != nil || !strings.HasPrefix(subject, "预订 X-Evil: 2 很长") || len([]rune(subject)) != 150 {
		t.Errorf("subject %q %v", subject, err)
	}
	if len(s.to) != 1 {
		t.Errorf("it went to %v", s.to)
	}
}

func TestSendRefusesAddressesThatAreNone(t *testing.T) {
	s := serve(t, "starttls")
	for _, bad := range []string{"", "  ", "wang.xiaoming", "wang.xiaoming@", "Wang <wang.xiaoming@customer.example>", "wang.xiaoming@a.example, b@b.example",
		"wang.xiaoming@customer.example\r\nBcc: b@b.example", "小明wang.xiaoming@customer.example", strings.Repeat("x", 300) + "@a.example"} {
		m := message()
		m.Email = bad
		err := mail.New(s.config("")).Send(t.Context(), m)
		leaks(t, err)
		if !errors.Is(err, notify.ErrRefused) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if len(s.received()) != 0 {
		t.Error("something was sent")
	}
}

func TestSendSaysWhatTheServersAnswerMeans(t *testing.T) {
	s := serve(t, "starttls")
	plain := errors.New("a failed try")
	for _, c := range []struct {
		stage string
		code  int
		want  error
	}{
		{"rcpt", 550, notify.ErrRefused}, {"rcpt", 551, notify.ErrRefused}, {"rcpt", 553, notify.ErrRefused}, {"rcpt", 554, notify.ErrRefused},
		{"rcpt", 450, plain}, {"rcpt", 451, plain}, {"rcpt", 452, plain}, {"rcpt", 552, plain}, {"rcpt", 421, notify.ErrDown}, {"rcpt", 530, notify.ErrDown}, {"rcpt", 503, notify.ErrDown},
		{"mail", 451, plain}, {"mail", 550, notify.ErrDown}, {"mail", 553, notify.ErrDown}, {"mail", 535, notify.ErrDown},
		{"data", 451, plain}, {"data", 552, notify.ErrRefused}, {"data", 554, notify.ErrRefused},
	} {
		s.mu.Lock()
		s.refuse = map[string]*smtp.SMTPError{c.stage: {Code: c.code, EnhancedCode: smtp.EnhancedCode{c.code / 100, 1, 1}, Message: "<wang.xiaoming@customer.example> no, said the server"}}
		s.mu.Unlock()
		err := mail.New(s.config("")).Send(t.Context(), message())
		leaks(t, err)
		name := fmt.Sprintf("%d at %s", c.code, c.stage)
		if err == nil || c.want != plain && !errors.Is(err, c.want) || !strings.Contains(err.Error(), fmt.Sprint(c.code)) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		for _, kind := range []error{notify.ErrRefused, notify.ErrDown} {
			if kind != c.want && errors.Is(err, kind) {
				t.Errorf("%s: %v is %v", name, err, kind)
			}
		}
	}
}

func TestSendIsDown(t *testing.T) {
	s := serve(t, "starttls")
	try := func(what, words string, spoil func(*mail.Config)) {
		t.Helper()
		c := s.config("")
		spoil(&c)
		err := mail.New(c).Send(t.Context(), message())
		leaks(t, err)
		if !errors.Is(err, notify.ErrDown) || errors.Is(err, notify.ErrRefused) || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", what, err)
		}
	}
	try("another password", "user name and password", func(c *mail.Config) { c.Password += "x" })
	try("a certificate nobody vouches for", "certificate", func(c *mail.Config) { c.RootCAs = nil })
	try("TLS where STARTTLS is spoken", "", func(c *mail.Config) { c.TLS = mail.TLS })
	try("no TLS where it is asked for", "", func(c *mail.Config) { c.TLS = mail.NoTLS })
	try("nobody there", "refused", func(c *mail.Config) { c.Port = closedPort(t) })
	try("no such name", "name", func(c *mail.Config) { c.Host = "nobody.invalid" })
	try("not set up", "COURTD_SMTP_HOST", func(c *mail.Config) { c.Host = "" })
	try("in the open to another machine", "COURTD_SMTP_TLS", func(c *mail.Config) { c.Host, c.TLS = "mail.example.com", mail.NoTLS })
	if len(s.received()) != 0 {
		t.Error("something was sent")
	}
	s = serve(t, "none")
	s.open = true
	try("no STARTTLS offered", "STARTTLS", func(*mail.Config) {})
	try("no STARTTLS offered, no password", "STARTTLS", func(c *mail.Config) { c.Username, c.Password = "", "" })
	if len(s.received()) != 0 {
		t.Error("something was sent in the open")
	}
}

// What was taken is sent, however the server takes its leave: nothing goes out twice.
func TestSendIsDoneOnceTheMailIsTaken(t *testing.T) {
	s := serve(t, "starttls")
	s.leave = true
	if err := mail.New(s.config("")).Send(t.Context(), message()); err != nil || len(s.received()) != 1 {
		t.Errorf("%d arrived, %v", len(s.received()), err)
	}
}

func closedPort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestSendTakesNoLongerThanItMay(t *testing.T) {
	s := serve(t, "starttls")
	s.hang = make(chan struct{})
	defer close(s.hang)
	c := s.config("")
	c.Timeout = 300 * time.Millisecond
	began := time.Now()
	err := mail.New(c).Send(t.Context(), message())
	leaks(t, err)
	if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") || time.Since(began) > 3*time.Second {
		t.Errorf("a server that says nothing: %v after %v", err, time.Since(began))
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	c.Timeout = 5 * time.Second
	began = time.Now()
	err = mail.New(c).Send(ctx, message())
	if errors.Is(err, notify.ErrDown) || !errors.Is(err, context.Canceled) || time.Since(began) > 3*time.Second {
		t.Errorf("broken off: %v after %v", err, time.Since(began))
	}
	// One that takes the connection and never greets.
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	c.Port, c.Timeout = mute.Addr().(*net.TCPAddr).Port, 300*time.Millisecond
	for _, how := range []string{mail.StartTLS, mail.TLS} {
		c.TLS = how
		if err := mail.New(c).Send(t.Context(), message()); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") {
			t.Errorf("%s to one that is mute: %v", how, err)
		}
	}
}

func TestMask(t *testing.T) {
	for address, want := range map[string]string{"wang@example.com": "w***@example.com", "小明@例子.cn": "小***@例子.cn", "": "***", "@x": "***", "nobody": "***", "a@b@c.d": "a***@c.d"} {
		if got := mail.Mask(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	good := mail.Config{Host: "smtp.example.com", Username: "u", Password: "p", From: "post@example.com", FromName: "晨光"}
	for _, how := range []string{"", mail.StartTLS, mail.TLS} {
		good.TLS = how
		if problems := good.Check(); problems != nil {
			t.Errorf("%q: %v", how, problems)
		}
	}
	problems := mail.Config{Host: "smtp://hunter2:25", Port: 70000, Username: "hunter2", From: "Hunter <hunter2@example.com>", FromName: "hunter2\r\n", TLS: "hunter2", Timeout: time.Hour}.Check()
	if len(problems) != 7 {
		t.Errorf("got %v", problems)
	}
	for _, p := range problems {
		if !strings.HasPrefix(p.Setting, "COURTD_SMTP_") || p.ZH == "" || p.EN == "" || strings.Contains(p.String(), "hunter") {
			t.Errorf("got %v", p)
		}
	}
	for _, host := range []string{"localhost", "127.0.0.1", "::1"} {
		if problems := (mail.Config{Host: host, From: "a@b.c", TLS: mail.NoTLS}).Check(); problems != nil {
			t.Errorf("%s: %v", host, problems)
		}
	}
}
