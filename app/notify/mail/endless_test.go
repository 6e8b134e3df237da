package mail_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"courtd/app/notify"
	"courtd/app/notify/mail"
)

// endless is a mail server that does what it is told with a connection, and counts what it
// could get rid of.
func endless(t *testing.T, then func(io.ReadWriter)) (port int, said *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	said = &atomic.Int64{}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				then(&counted{conn, said})
			}()
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port, said
}

type counted struct {
	net.Conn
	said *atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.said.Add(int64(n))
	return n, err
}

// on says the same until nobody takes it.
func on(w io.Writer) {
	for text := []byte(strings.Repeat("x", 32<<10)); ; {
		if _, err := w.Write(text); err != nil {
			return
		}
	}
}

// buffers is what the machine takes of a connection that nobody reads.
const buffers = 16 << 20

// TestAServerThatDoesNotStop is not listened to for long, neither before TLS nor after, and
// whether it greets or answers.
func TestAServerThatDoesNotStop(t *testing.T) {
	cert, pool := certificate(t)
	answers := func(w io.ReadWriter, greeting string, last string) {
		_, _ = io.WriteString(w, greeting)
		lines := bufio.NewReader(w)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, last) {
				_, _ = io.WriteString(w, "250-")
				on(w)
				return
			}
			switch {
			case strings.HasPrefix(line, "EHLO"):
				_, _ = io.WriteString(w, "250-localhost\r\n250 8BITMIME\r\n")
			case strings.HasPrefix(line, "DATA"):
				_, _ = io.WriteString(w, "354 go on\r\n")
			case strings.HasPrefix(line, "."):
				_, _ = io.WriteString(w, "250 taken\r\n")
			default:
				_, _ = io.WriteString(w, "250 ok\r\n")
			}
		}
	}
	for name, c := range map[string]struct {
		how  string
		then func(io.ReadWriter)
	}{
		"a greeting":      {"none", func(w io.ReadWriter) { on(w) }},
		"before STARTTLS": {"starttls", func(w io.ReadWriter) { on(w) }},
		"an answer":       {"none", func(w io.ReadWriter) { answers(w, "220 hello\r\n", "EHLO") }},
		"to the sender":   {"none", func(w io.ReadWriter) { answers(w, "220 hello\r\n", "MAIL") }},
		"within TLS": {"tls", func(w io.ReadWriter) {
			on(tls.Server(w.(*counted), &tls.Config{Certificates: []tls.Certificate{cert}}))
		}},
	} {
		port, said := endless(t, c.then)
		began := time.Now()
		err := mail.New(mail.Config{Host: "127.0.0.1", Port: port, From: "post@courtd.example", TLS: c.how, RootCAs: pool, Timeout: 5 * time.Second,
			Now: func() time.Time { return now }}).Send(t.Context(), message())
		if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "says too much") {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%s: it was listened to for %s", name, took)
		}
		if n := said.Load(); n > buffers {
			t.Errorf("%s: %d bytes were taken", name, n)
		}
	}
}

// TestDataThatHangsIsToldAsTime, and not as a connection that broke.
func TestDataThatHangsIsToldAsTime(t *testing.T) {
	for _, end := range []string{"DATA", "."} {
		port, _ := endless(t, func(w io.ReadWriter) {
			_, _ = io.WriteString(w, "220 hello\r\n")
			lines := bufio.NewReader(w)
			for {
				line, err := lines.ReadString('\n')
				switch {
				case err != nil:
					return
				case strings.TrimSpace(line) == end:
					_, _ = io.Copy(io.Discard, lines) // and no answer
					return
				case strings.HasPrefix(line, "EHLO"):
					_, _ = io.WriteString(w, "250-localhost\r\n250 8BITMIME\r\n")
				case strings.HasPrefix(line, "DATA"):
					_, _ = io.WriteString(w, "354 go on\r\n")
				case strings.HasPrefix(line, "MAIL"), strings.HasPrefix(line, "RCPT"), strings.HasPrefix(line, "NOOP"), strings.HasPrefix(line, "RSET"):
					_, _ = io.WriteString(w, "250 ok\r\n")
				}
			}
		})
		err := mail.New(mail.Config{Host: "127.0.0.1", Port: port, From: "post@courtd.example", TLS: "none", Timeout: 300 * time.Millisecond,
			Now: func() time.Time { return now }}).Send(t.Context(), message())
		if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") {
			t.Errorf("at %q: %v", end, err)
		}
	}
}
