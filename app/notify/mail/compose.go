package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"net/mail"
	"regexp"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"courtd/app/notify"
)

// longestSubject and longestName bound what goes into headers, in characters.
const longestSubject, longestName = 150, 60

var (
	plainID = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]{0,78}[A-Za-z0-9])?$`)
	method  = regexp.MustCompile(`(?m)^METHOD:([A-Z]{1,20})\r?$`)
)

// receiver reads the customer's address. One that cannot be written to is a
// notify.ErrRefused, which shows only a little of it.
func receiver(message notify.Message) (*mail.Address, error) {
	address := strings.TrimSpace(message.Email)
	if address == "" {
		return nil, fmt.Errorf("%w: the customer has no mail address", notify.ErrRefused)
	}
	to, err := mail.ParseAddress(address)
	if err != nil || to.Name != "" || to.Address != address || !ascii(address) || len(address) > 254 {
		return nil, fmt.Errorf("%w: %s is no mail address that can be written to", notify.ErrRefused, Mask(address))
	}
	return &mail.Address{Name: notify.OneLine(message.CustomerName, longestName), Address: to.Address}, nil
}

// Mask hides the most of a mail address: "w***@example.com".
func Mask(address string) string {
	at := strings.LastIndex(address, "@")
	if at < 1 {
		return "***"
	}
	first := []rune(address)[:1]
	return notify.OneLine(string(first), 1) + "***" + notify.OneLine(address[at:], 60)
}

// messageID is the same whenever the message is sent, so that mail programs can tell a
// repetition.
func messageID(id, from string) string {
	if !plainID.MatchString(id) {
		sum := sha256.Sum256([]byte(id))
		id = hex.EncodeToString(sum[:16])
	}
	return "courtd." + id + from[strings.LastIndex(from, "@"):]
}

// compose writes the mail: both languages as text and as simple HTML, and the calendar
// entry beside them.
func (c *Channel) compose(message notify.Message, to *mail.Address) *gomail.Msg {
	m := gomail.NewMsg(gomail.WithCharset(gomail.CharsetUTF8), gomail.WithEncoding(gomail.EncodingB64), gomail.WithNoDefaultUserAgent())
	m.FromMailAddress(&mail.Address{Name: notify.OneLine(c.config.FromName, longestName), Address: c.config.From})
	m.ToMailAddress(to)
	m.Subject(notify.OneLine(joined(message.Title, message.TitleEN, " / "), longestSubject))
	m.SetMessageIDWithValue(messageID(message.ID, c.config.From))
	m.SetDateWithValue(c.config.Now())
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(gomail.TypeTextPlain, joined(plain(message.Title, message.Text), plain(message.TitleEN, message.TextEN), "\r\n\r\n----\r\n\r\n")+"\r\n")
	m.AddAlternativeString(gomail.TypeTextHTML, "<!DOCTYPE html>\r\n<html><head><meta charset=\"utf-8\"></head><body>\r\n"+
		joined(marked("zh", message.Title, message.Text), marked("en", message.TitleEN, message.TextEN), "\r\n<hr>\r\n")+"\r\n</body></html>\r\n")
	if len(message.ICS) > 0 {
		kind := "text/calendar; charset=UTF-8"
		if found := method.FindSubmatch(message.ICS); found != nil {
			kind += "; method=" + string(found[1])
		}
		// A reader of bytes cannot fail.
		_ = m.AttachReader("order.ics", bytes.NewReader(message.ICS), gomail.WithFileContentType(gomail.ContentType(kind)))
	}
	return m
}

// joined puts a sign between two texts, if there are two.
func joined(a, b, between string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

func plain(title, text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(joined(title, text, "\n\n"), "\r\n", "\n"), "\n", "\r\n")
}

// marked is one language as HTML; every text is escaped.
func marked(language, title, text string) string {
	if title == "" && text == "" {
		return ""
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = html.EscapeString(line)
	}
	return fmt.Sprintf("<div lang=%q>\r\n<h2>%s</h2>\r\n<p>%s</p>\r\n</div>", language, html.EscapeString(title), strings.Join(lines, "<br>\r\n"))
}
