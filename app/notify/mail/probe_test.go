package mail_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"courtd/app/notify"
	"courtd/app/notify/mail"
)

// silent accepts connections and says nothing.
func silent(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestProbe(t *testing.T) {
	for _, how := range []string{"starttls", "tls"} {
		s := serve(t, how)
		if err := mail.New(s.config(how)).Probe(t.Context()); err != nil {
			t.Errorf("%s: %v", how, err)
		}
		if len(s.received()) != 0 || len(s.from) != 0 {
			t.Errorf("%s: it began a mail", how)
		}
	}
	s := serve(t, "none")
	c := s.config("none")
	s.open, c.Username, c.Password = true, "", ""
	if err := mail.New(c).Probe(t.Context()); err != nil {
		t.Errorf("in the open, on this machine: %v", err)
	}
}

func TestProbeOfWhatIsWrong(t *testing.T) {
	s, plain := serve(t, "starttls"), serve(t, "none")
	encrypted := serve(t, "tls") // from the first byte
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := gone.Addr().(*net.TCPAddr).Port
	_ = gone.Close()
	for name, c := range map[string]struct {
		change func(*mail.Config)
		words  string
	}{
		"another password":  {func(c *mail.Config) { c.Password = "wrong" }, "does not take the user name and password"},
		"another user":      {func(c *mail.Config) { c.Username = "nobody" }, "does not take the user name and password"},
		"nobody there":      {func(c *mail.Config) { c.Port = port }, "nobody listens there"},
		"no such host":      {func(c *mail.Config) { c.Host = "mail.invalid" }, "not found"},
		"not to be trusted": {func(c *mail.Config) { c.RootCAs = nil }, "not to be trusted"},
		"no encryption":     {func(c *mail.Config) { c.Port, c.RootCAs = plain.port, plain.pool }, "offers no STARTTLS"},
		"another encryption": {func(c *mail.Config) {
			c.Port, c.RootCAs, c.Timeout = encrypted.port, encrypted.pool, 300*time.Millisecond
		}, "mail server"},
		"never says a word":    {func(c *mail.Config) { c.Port, c.Timeout = silent(t), 200*time.Millisecond }, "in time"},
		"never, over TLS":      {func(c *mail.Config) { c.Port, c.TLS, c.Timeout = silent(t), mail.TLS, 200*time.Millisecond }, "in time"},
		"settings that cannot": {func(c *mail.Config) { c.From = "" }, "not set up"},
	} {
		t.Run(name, func(t *testing.T) {
			config := s.config("")
			c.change(&config)
			// The bound is the configuration's, not the caller's.
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			err := mail.New(config).Probe(ctx)
			leaks(t, err)
			if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), c.words) || ctx.Err() != nil {
				t.Errorf("got %v, want %q", err, c.words)
			}
		})
	}
	config := s.config("")
	config.Port = silent(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := mail.New(config).Probe(ctx); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("the caller's bound: %v", err)
	}
	if len(s.received()) != 0 || len(s.from) != 0 {
		t.Error("it began a mail")
	}
}
