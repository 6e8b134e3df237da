// Package pay says what the club asks of whoever takes its money. A provider
// is called outside every transaction, after the row that remembers the call
// has been committed, and any call may be repeated: the numbers that courtd
// chose (OutTradeNo, OutRefundNo) make the repetition harmless.
package pay

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"courtd/domain"
)

// Sentinel errors of providers. Every other error means that the outcome of a
// call is not known and the call has to be repeated or the state queried.
var (
	// ErrAlreadyPaid is the refusal to close or reopen an attempt that has been paid.
	ErrAlreadyPaid = errors.New("payment has already succeeded")
	// ErrUnknownPayment is the refusal to close or refund an attempt that the
	// provider has never seen.
	ErrUnknownPayment = errors.New("payment is not known to the provider")
	// ErrRefused is the refusal of a refund, or of a question about one, that the provider
	// would give to the same call again: nothing that time or the merchant can mend.
	ErrRefused = errors.New("refused for good")
	// ErrNeedsNewNumber is the refusal to open an attempt whose number takes no money
	// any more, because it was closed or has expired at the provider.
	ErrNeedsNewNumber = errors.New("payment needs a new number")
	// ErrBadSignature is the refusal of a notice that does not prove its sender,
	// or whose time is too far from ours. Nothing in it may be used.
	ErrBadSignature = errors.New("notice has no valid signature")
	// ErrClockDrift is an ErrBadSignature whose only fault is its time: the sender is
	// proven, so it is our clock (or theirs) that is wrong, and every notice will be
	// refused until it is right.
	ErrClockDrift = fmt.Errorf("%w: its time is too far from this machine's clock", ErrBadSignature)
	// ErrUnknownKey is an ErrBadSignature under a key that is not set up here, of a notice
	// whose content only the provider can have sealed: it has changed its key. Under such a
	// key anything else is an ErrBadSignature and no more, because anybody can claim a key.
	ErrUnknownKey = fmt.Errorf("%w: it was signed with a key that is not set up here", ErrBadSignature)
	// ErrUnreadable is the refusal of a notice whose sender is proven and whose content
	// cannot be opened, because the key for it that is set up here is not the sender's.
	// Any other error but ErrBadSignature means that it was opened and not understood.
	ErrUnreadable = errors.New("notice cannot be opened with the key that is set up here")
)

// Rules are what a way to pay asks of an attempt.
type Rules struct {
	// Replays says that an attempt which is still open can be opened again by its own
	// request, for parameters that are fresh. Without it every opening is a new attempt.
	Replays bool
	// AtLeast is how long there must be left to pay; an attempt is not opened with less,
	// because the provider would let it run longer than the order is held.
	AtLeast time.Duration
	// NeedsOpenID says that the payer must have signed in with the provider's app.
	NeedsOpenID bool
	// NeedsClientIP says that the payer's address is part of the request.
	NeedsClientIP bool
}

// ViaSandbox is the way to pay at which a demonstration plays the bank. It takes no money.
const ViaSandbox = "sandbox"

// Request is everything a provider is told when a payment is opened. It is
// stored as JSON before the call and replayed unchanged, because providers
// refuse a number that comes back with any other content.
type Request struct {
	Via         string         `json:"via,omitempty"` // one of the provider's Via names
	OutTradeNo  string         `json:"out_trade_no"`
	OrderID     string         `json:"order_id"`
	OrderNumber string         `json:"order_number"`
	Description string         `json:"description"`
	AmountFen   int64          `json:"amount_fen"`
	Currency    string         `json:"currency"`
	ExpiresAt   domain.Instant `json:"expires_at"` // the last moment to pay; does not close the attempt
	PayerOpenID string         `json:"payer_openid,omitempty"`
	ClientIP    string         `json:"client_ip,omitempty"`
}

// Opened is what the client needs to start the payment, passed on as it is.
type Opened struct {
	Params map[string]any
}

// State is what a provider says about a payment.
type State string

// The states of a payment. All but Pending are final answers, though money can
// still arrive after Closed and is then reported by a notice.
const (
	Pending   State = "pending"
	Succeeded State = "succeeded" // also when it has been refunded since: see GivenBack
	Closed    State = "closed"
	Unknown   State = "unknown" // the provider has never heard of it
)

// Result is a provider's account of one payment. SuccessTime is evidence
// only; it never back-dates a fact of the club.
type Result struct {
	OutTradeNo    string
	State         State
	AmountFen     int64
	Currency      string
	Merchant      string
	App           string
	TransactionID string
	Payer         string // openid of who paid, who need not be the customer; "" if not known; shown to nobody
	SuccessTime   domain.Instant
	// GivenBack says that some or all of the money has gone back since, or is on its way;
	// how much it does not say.
	GivenBack bool
}

// RefundRequest asks for AmountFen of a payment of PaymentFen to go back.
type RefundRequest struct {
	OutRefundNo string
	OutTradeNo  string
	AmountFen   int64
	PaymentFen  int64
	Currency    string
	Reason      string
}

// RefundState is what a provider says about a refund.
type RefundState string

// The states of a refund. An accepted refund is RefundProcessing: the money is
// back only at RefundSucceeded. RefundAbnormal needs a person.
const (
	RefundProcessing RefundState = "processing"
	RefundSucceeded  RefundState = "succeeded"
	RefundClosed     RefundState = "closed"
	RefundAbnormal   RefundState = "abnormal"
	RefundUnknown    RefundState = "unknown"
)

// RefundResult is a provider's account of one refund.
type RefundResult struct {
	OutRefundNo string
	State       RefundState
	AmountFen   int64
}

// Notice is a verified message from a provider about one payment or one refund;
// neither is set when it is about something that courtd has no use for. The same
// ID may come many times.
type Notice struct {
	ID      string
	Payment *Result
	Refund  *RefundResult
}

// Provider takes and returns money.
type Provider interface {
	// Name names the provider in records: one name for all of its ways to pay.
	Name() string
	// Rules gives what one of those ways asks of an attempt.
	Rules(via string) Rules
	// Via names the ways to pay that this provider offers, as in the API.
	Via() []string
	// Merchant gives the account and app that every Result must name.
	Merchant() (merchant, app string)
	// Open registers an attempt, or gives fresh parameters for an identical one.
	// ErrAlreadyPaid and ErrNeedsNewNumber are final; after any other error the same
	// request may be sent again.
	Open(ctx context.Context, request Request) (Opened, error)
	// Close ends an attempt that is not paid. After ErrAlreadyPaid, and after
	// any other refusal, the caller asks Query what has become of it.
	Close(ctx context.Context, outTradeNo string) error
	// Query tells the state of an attempt; one never seen is Unknown, not an error.
	Query(ctx context.Context, outTradeNo string) (Result, error)
	// Refund asks for money to go back. The same OutRefundNo asks only once. ErrRefused and
	// ErrUnknownPayment are what it would answer again.
	Refund(ctx context.Context, request RefundRequest) (RefundResult, error)
	// QueryRefund tells the state of a refund; one never seen is RefundUnknown.
	QueryRefund(ctx context.Context, outRefundNo string) (RefundResult, error)
	// ParseNotice verifies the raw bytes of a notice and reads it. The header
	// function finds a header whatever its letter case. ErrBadSignature means
	// that the sender is not proven. With ErrClockDrift and ErrUnknownKey comes what the
	// notice says, if it could be read, to be held against what is recorded already;
	// nothing of it may be acted upon.
	ParseNotice(header func(name string) string, body []byte) (Notice, error)
}

// Bounds that the strictest provider sets; every provider is held to them so
// that a number accepted by one is accepted by all.
const (
	MaxDescriptionBytes = 127
	currencyCNY         = "CNY"
)

var (
	tradeNo  = regexp.MustCompile(`^[0-9A-Za-z_|*-]{6,32}$`)
	refundNo = regexp.MustCompile(`^[0-9A-Za-z_|*@-]{1,64}$`)
)

// Validate reports what would make every provider refuse the request. Such a
// request is a defect of the caller, not a mistake of a customer.
func (r Request) Validate() error {
	switch {
	case !tradeNo.MatchString(r.OutTradeNo):
		return fmt.Errorf("payment request: out_trade_no %q is not 6 to 32 of 0-9 A-Z a-z _ - | *", r.OutTradeNo)
	case r.AmountFen <= 0:
		return fmt.Errorf("payment request %s: amount is %d fen, must be positive", r.OutTradeNo, r.AmountFen)
	case r.Currency != currencyCNY:
		return fmt.Errorf("payment request %s: currency %q is not %s", r.OutTradeNo, r.Currency, currencyCNY)
	case r.Description == "" || len(r.Description) > MaxDescriptionBytes:
		return fmt.Errorf("payment request %s: description has %d bytes, must have 1 to %d",
			r.OutTradeNo, len(r.Description), MaxDescriptionBytes)
	case !r.ExpiresAt.IsSet():
		return fmt.Errorf("payment request %s: has no expiry", r.OutTradeNo)
	}
	return nil
}

// Validate reports what would make every provider refuse the refund.
func (r RefundRequest) Validate() error {
	switch {
	case !refundNo.MatchString(r.OutRefundNo):
		return fmt.Errorf("refund request: out_refund_no %q is not 1 to 64 of 0-9 A-Z a-z _ - | * @", r.OutRefundNo)
	case !tradeNo.MatchString(r.OutTradeNo):
		return fmt.Errorf("refund request %s: out_trade_no %q is not 6 to 32 of 0-9 A-Z a-z _ - | *", r.OutRefundNo, r.OutTradeNo)
	case r.AmountFen <= 0:
		return fmt.Errorf("refund request %s: amount is %d fen, must be positive", r.OutRefundNo, r.AmountFen)
	case r.AmountFen > r.PaymentFen:
		return fmt.Errorf("refund request %s: %d fen is more than the payment of %d fen", r.OutRefundNo, r.AmountFen, r.PaymentFen)
	case r.Currency != currencyCNY:
		return fmt.Errorf("refund request %s: currency %q is not %s", r.OutRefundNo, r.Currency, currencyCNY)
	}
	return nil
}
