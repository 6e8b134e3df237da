// Package notify carries notices to people: what they say (texts.go) and the
// channels that deliver them. A channel is called outside every transaction
// and may be asked to send the same message twice.
package notify

import (
	"context"
	"log/slog"

	"courtd/domain"
)

// Message is one notice to one person, in the words that were written down
// when it was caused. The same ID is the same message.
type Message struct {
	ID           string
	Kind         string
	CustomerName string
	Phone        string
	Title        string
	Text         string
	TitleEN      string
	TextEN       string
}

// Channel delivers messages. An error means that the message may not have
// arrived; the outbox tries again later.
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
