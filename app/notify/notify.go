// Package notify carries notices to people: what they say (texts.go) and the
// channels that deliver them. A channel is called outside every transaction
// and may be asked to send the same message twice.
package notify

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"courtd/domain"
)

// Message is one notice to one person, in the words that were written down
// when it was caused. The same ID is the same message.
type Message struct {
	ID           string
	Kind         string
	CustomerName string
	Phone        string
	OpenID       string // of the customer at WeChat; never shown to anybody
	Email        string
	Title        string
	Text         string
	TitleEN      string
	TextEN       string

	// Template says how the message is said where words of one's own are not allowed;
	// nil where they are.
	Template *Template
	// Page is where the customer reads on, as a path such as "orders/ID"; may be empty.
	Page string
	// ICS is the order as a calendar, when it has slots that stand; may be nil.
	ICS []byte
}

// Template is a message in a form that a carrier or a platform has approved: its id
// there and the values of its parameters.
type Template struct {
	ID     string
	Values []Value // in the template's order
}

// Value is one parameter of a template. Name is the platform's, such as "thing2";
// carriers go by the order alone.
type Value struct{ Name, Text string }

// Sentinel errors of channels. Every other error is a failed try of one message, which
// is made again later.
var (
	// ErrRefused says that this message will never arrive by this channel, as for a
	// number that does not exist or a person who has not allowed it. It is not tried
	// again.
	ErrRefused = errors.New("refused for good")
	// ErrNotAllowed is an ErrRefused because the person has allowed no (more) messages
	// of this template.
	ErrNotAllowed = fmt.Errorf("%w: not allowed by the receiver", ErrRefused)
	// ErrDown says that the channel as a whole does not work: nobody is there, it is not
	// set up as it should be, or it wants to be left alone. The message is not to blame.
	ErrDown = errors.New("channel does not work")
	// ErrGone is an ErrDown of an address that says of itself that it has been given up
	// for good (HTTP 410).
	ErrGone = fmt.Errorf("%w: the address answers that it is gone (410)", ErrDown)
)

// LaterError is an ErrDown that says how long the channel wants to be left alone.
type LaterError struct {
	After time.Duration
	Err   error
}

// Error says for how long, and, where that is longer than anybody is left alone, what is
// done.
func (e LaterError) Error() string {
	text := fmt.Sprintf("%v; wants to be asked again in %s", e.Err, e.After)
	if e.After > domain.MaxRetry {
		text += fmt.Sprintf("; is asked again in %s", domain.MaxRetry)
	}
	return text
}

// Unwrap gives what went wrong, and ErrDown.
func (e LaterError) Unwrap() []error { return []error{e.Err, ErrDown} }

// unreached is an ErrDown of which it is certain that nothing was sent.
type unreached struct{ error }

// Unwrap gives what went wrong.
func (u unreached) Unwrap() error { return u.error }

// Unreached marks an error as one that came before anything was sent.
func Unreached(err error) error { return unreached{err} }

// IsUnreached reports whether an error came before anything was sent, so that the message
// has surely not arrived.
func IsUnreached(err error) bool {
	var u unreached
	return errors.As(err, &u)
}

// Channel delivers messages. An error means that the message may not have
// arrived. No error contains a secret, an openid or a whole phone number: it is
// shown to the owner.
type Channel interface {
	Name() string
	Send(ctx context.Context, message Message) error
}

// Log is the channel of a venue that has no other: customers read their
// notices on the page, and the log shows that one was due.
type Log struct {
	logger *slog.Logger
}

var _ Channel = Log{}

// NewLog makes a channel that writes to logger.
func NewLog(logger *slog.Logger) Log { return Log{logger: logger} }

// Name is the channel's name in reports.
func (Log) Name() string { return "log" }

// Send writes one line. Neither the name nor the whole phone number of the
// customer goes into the log.
func (l Log) Send(ctx context.Context, message Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.logger.InfoContext(ctx, "notice",
		"id", message.ID, "kind", message.Kind, "phone", domain.MaskPhone(message.Phone),
		"title", message.Title, "text", message.Text)
	return nil
}

// KindEmailCode is the message that carries a code to prove an email address.
const KindEmailCode = "email_code"
