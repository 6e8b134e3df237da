// Package mail carries notices by SMTP.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"os"
	"strings"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"courtd/app/notify"
	"courtd/app/notify/outpost"
)

// Name is the channel's name in reports.
const Name = "mail"

// Channel sends mail. Each message has a connection of its own.
type Channel struct{ config Config }

var _ notify.Channel = (*Channel)(nil)

// New makes the channel. What Check finds makes every Send a notify.ErrDown.
func New(c Config) *Channel { return &Channel{c.withDefaults()} }

// Name is the channel's name in reports.
func (*Channel) Name() string { return Name }

// Send sends the message once. It is a notify.ErrRefused for an address that cannot be
// written to, or that the server refuses for good, or if it refuses the message itself
// for good; a notify.ErrDown if the server cannot be reached, offers no encryption where
// that is asked for, has no trusted certificate, or takes neither the account nor the
// sender. Every other error is a failed try, such as a mailbox that is full for now. No
// error contains the password, the address or anything that the server said.
func (c *Channel) Send(ctx context.Context, message notify.Message) error {
	if problems := c.config.Check(); len(problems) > 0 {
		return fmt.Errorf("%w: mail is not set up: %s: %s", notify.ErrDown, problems[0].Setting, problems[0].EN)
	}
	to, err := receiver(message)
	if err != nil {
		return err
	}
	letter := c.compose(message, to)
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	client, session, err := c.connect(ctx)
	if err != nil {
		return err
	}
	err = client.SendWithSMTPClient(session, letter)
	if err == nil || letter.IsDelivered() {
		// What goes wrong while leaving changes nothing.
		_ = client.CloseWithSMTPClient(session)
		return nil
	}
	return notTaken(ctx, err)
}

// Probe connects, encrypts, signs in and leaves; it sends nothing. Its errors are those
// of Send before any message.
func (c *Channel) Probe(ctx context.Context) error {
	if problems := c.config.Check(); len(problems) > 0 {
		return fmt.Errorf("%w: mail is not set up: %s: %s", notify.ErrDown, problems[0].Setting, problems[0].EN)
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	client, session, err := c.connect(ctx)
	if err == nil {
		_ = client.CloseWithSMTPClient(session)
	}
	return err
}

// connect begins a session in which a message can be sent.
func (c *Channel) connect(ctx context.Context) (*gomail.Client, *smtp.Client, error) {
	dial := func(dialling context.Context, network, address string) (net.Conn, error) {
		conn, err := c.dial(dialling, network, address)
		if err == nil {
			// The library leaves the connection open when something goes wrong, and does not
			// stop for the context once it is connected.
			context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}
	client, err := gomail.NewClient(c.config.Host, append(c.options(), gomail.WithDialContextFunc(dial))...)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: mail is not set up", notify.ErrDown)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, nil, notConnected(ctx, err)
	}
	return client, session, nil
}

// dial connects, and encrypts from the first byte where that is asked for.
func (c *Channel) dial(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	plain, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := &bounded{Conn: plain}
	if c.config.TLS != TLS {
		return conn, nil
	}
	secure := tls.Client(conn, c.tls())
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return secure, nil
}

func (c *Channel) tls() *tls.Config {
	return &tls.Config{ServerName: c.config.Host, RootCAs: c.config.RootCAs, MinVersion: tls.VersionTLS12}
}

func (c *Channel) options() []gomail.Option {
	options := []gomail.Option{gomail.WithPort(c.config.Port), gomail.WithTimeout(c.config.Timeout), gomail.WithTLSConfig(c.tls())}
	switch c.config.TLS {
	case TLS:
		options = append(options, gomail.WithSSL())
	case NoTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if c.config.Username == "" {
		return options
	}
	ways := []gomail.SMTPAuthType{gomail.SMTPAuthPlain, gomail.SMTPAuthLogin, gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthCramMD5}
	if c.config.TLS == NoTLS {
		ways = []gomail.SMTPAuthType{gomail.SMTPAuthPlainNoEnc, gomail.SMTPAuthLoginNoEnc}
	}
	return append(options, gomail.WithUsername(c.config.Username), gomail.WithPassword(c.config.Password), gomail.WithOpportunisticSMTPAuth(ways...))
}

// tooSlow reports whether it was the time that ended a session. The connection has the same
// bound as the context and may come to it first.
func tooSlow(ctx context.Context, err error) bool {
	return errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || strings.Contains(err.Error(), os.ErrDeadlineExceeded.Error())
}

// tooMuch reports whether a session ended because the server did not stop.
func tooMuch(err error) bool {
	return errors.Is(err, errTooMuch) || strings.Contains(err.Error(), errTooMuch.Error())
}

// notConnected says why no message could be begun, so that none was sent.
func notConnected(ctx context.Context, err error) error {
	return notify.Unreached(whyNotConnected(ctx, err))
}

func whyNotConnected(ctx context.Context, err error) error {
	var answer *textproto.Error
	switch {
	case tooMuch(err):
		return fmt.Errorf("%w: %w", notify.ErrDown, errTooMuch)
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("mail: broken off: %w", context.Canceled)
	case tooSlow(ctx, err):
		return fmt.Errorf("%w: the mail server did not answer in time", notify.ErrDown)
	case errors.As(err, &answer) && (answer.Code == 534 || answer.Code == 535):
		return fmt.Errorf("%w: the mail server does not take the user name and password (%d)", notify.ErrDown, answer.Code)
	case errors.As(err, &answer):
		return fmt.Errorf("%w: the mail server answered %d before any message", notify.ErrDown, answer.Code)
	case strings.Contains(err.Error(), "does not support STARTTLS"):
		return fmt.Errorf("%w: the mail server offers no STARTTLS, and nothing is sent in the open", notify.ErrDown)
	case errors.Is(err, gomail.ErrNoSupportedAuthDiscovered), strings.Contains(err.Error(), "does not support SMTP AUTH"):
		return fmt.Errorf("%w: the mail server offers no way to sign in that is known here", notify.ErrDown)
	}
	return fmt.Errorf("mail server: %w", outpost.Unreached(err))
}

// stages are the commands that a server can refuse.
var stages = map[gomail.SendErrReason]string{gomail.ErrSMTPMailFrom: "the sender", gomail.ErrSMTPRcptTo: "the receiver",
	gomail.ErrSMTPData: "the message", gomail.ErrSMTPDataClose: "the message"}

// notTaken says why a message that was begun was not taken.
func notTaken(ctx context.Context, err error) error {
	var problem *gomail.SendError
	code, stage := 0, ""
	if errors.As(err, &problem) {
		code, stage = problem.ErrorCode(), stages[problem.Reason]
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("mail: broken off: %w", context.Canceled)
	case tooSlow(ctx, err):
		return fmt.Errorf("%w: the mail server did not answer in time", notify.ErrDown)
	case tooMuch(err):
		return fmt.Errorf("%w: %w", notify.ErrDown, errTooMuch)
	case code == 0 || stage == "":
		return fmt.Errorf("%w: the connection to the mail server broke", notify.ErrDown)
	}
	text := strings.TrimSpace(fmt.Sprintf("the mail server answered %d %s to %s", code, problem.EnhancedStatusCode(), stage))
	switch {
	case code == 421:
		return fmt.Errorf("%w: %s", notify.ErrDown, text)
	case code < 500:
		return errors.New(text)
	case code == 530 || code == 534 || code == 535:
		return fmt.Errorf("%w: %s; it wants to be signed in to", notify.ErrDown, text)
	case problem.Reason == gomail.ErrSMTPMailFrom:
		return fmt.Errorf("%w: %s; may this account send from this address?", notify.ErrDown, text)
	case code == 552 && problem.Reason == gomail.ErrSMTPRcptTo: // a mailbox that is full
		return errors.New(text)
	case code >= 502 && code <= 504: // commands that it does not know
		return fmt.Errorf("%w: %s", notify.ErrDown, text)
	}
	return fmt.Errorf("%w: %s", notify.ErrRefused, text)
}
