package standin

import (
	"encoding/json"
	"fmt"
	"slices"
)

// numberIn finds what the body of a call is about.
func numberIn(body []byte) string {
	var b struct {
		OutTradeNo  string `json:"out_trade_no"`
		OutRefundNo string `json:"out_refund_no"`
	}
	_ = json.Unmarshal(body, &b) // what cannot be read is about nothing
	if b.OutRefundNo != "" {
		return b.OutRefundNo
	}
	return b.OutTradeNo
}

// Pay is the customer paying, and queues the notice of it. It is an error when WeChat
// would not take the money: the number is unknown, paid, closed or past its last moment.
func (s *Server) Pay(outTradeNo string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[outTradeNo]
	switch {
	case o == nil:
		return errNoSuch
	case o.state == Closed || o.state == Revoked:
		return fmt.Errorf("standin: %s is %s and cannot be paid", outTradeNo, o.state)
	case s.config.Now().After(o.lastMoment):
		return fmt.Errorf("standin: %s is past its last moment and cannot be paid", outTradeNo)
	}
	return s.pay(o)
}

// PayAnyway is money that was on its way when the order was closed or ran out: it
// succeeds after all. Only what is unknown or paid cannot be.
func (s *Server) PayAnyway(outTradeNo string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[outTradeNo]
	if o == nil {
		return errNoSuch
	}
	return s.pay(o)
}

func (s *Server) pay(o *order) error {
	if o.paid() {
		return fmt.Errorf("standin: %s has been paid", o.number)
	}
	s.serial++
	o.state, o.paidAt, o.transactionID = Success, s.config.Now(), fmt.Sprintf("4200%024d", s.serial)
	s.enqueue("TRANSACTION.SUCCESS", "transaction", o.number, o.notifyURL, s.account(o))
	return nil
}

// SetState puts an order that is not paid into any state in which there is no money.
func (s *Server) SetState(outTradeNo, state string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[outTradeNo]
	switch {
	case o == nil:
		return errNoSuch
	case o.paid() || !slices.Contains([]string{NotPay, UserPaying, PayError, Closed, Revoked}, state):
		return fmt.Errorf("standin: %s cannot become %s", outTradeNo, state)
	}
	o.state = state
	return nil
}

// HoldRefunds keeps refunds PROCESSING until FinishRefund; otherwise the next query
// settles them.
func (s *Server) HoldRefunds(hold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = hold
}

// FinishRefund settles a refund as Success, Closed or AbnormalRefund and queues the
// notice of it. An abnormal one can still succeed, by hand; other ends are final.
func (s *Server) FinishRefund(outRefundNo, state string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.refunds[outRefundNo]
	switch {
	case r == nil:
		return errNoSuch
	case !slices.Contains([]string{Success, Closed, AbnormalRefund}, state):
		return fmt.Errorf("standin: %q is no end of a refund", state)
	case r.state == Success || r.state == Closed || r.state == state:
		return fmt.Errorf("standin: refund %s is %s already", outRefundNo, r.state)
	}
	s.settle(r, state)
	return nil
}

// RefundOnPlatform is somebody giving money back on the merchant platform, under a number
// that is WeChat's own: nobody is told.
func (s *Server) RefundOnPlatform(outTradeNo string, amountFen int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[outTradeNo]
	switch {
	case o == nil:
		return errNoSuch
	case !o.paid() || s.leaving(o)+amountFen > o.totalFen:
		return fmt.Errorf("standin: %s has no %d fen to give back", outTradeNo, amountFen)
	}
	s.serial++
	r := &refund{number: fmt.Sprintf("platform-%d", s.serial), trade: o.number, refundID: fmt.Sprintf("5030000%020d", s.serial),
		amountFen: amountFen, totalFen: o.totalFen, state: Success, askedAt: s.config.Now(), doneAt: s.config.Now()}
	s.refunds[r.number] = r
	o.refunds, o.state = append(o.refunds, r.number), Refunded
	return nil
}

// Account is what has come in and gone back under one out_trade_no.
type Account struct {
	State       string
	PaidFen     int64
	RefundedFen int64    // of refunds that succeeded
	LeavingFen  int64    // of refunds that are processing or abnormal
	Refunds     []string // out_refund_no, in the order in which they were asked for
}

// Ledger is the whole account, by out_trade_no.
func (s *Server) Ledger() map[string]Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	ledger := make(map[string]Account, len(s.orders))
	for number, o := range s.orders {
		a := Account{State: o.state, Refunds: slices.Clone(o.refunds)}
		if o.paid() {
			a.PaidFen = o.totalFen
		}
		for _, refundNo := range o.refunds {
			switch r := s.refunds[refundNo]; r.state {
			case Success:
				a.RefundedFen += r.amountFen
			case Processing, AbnormalRefund:
				a.LeavingFen += r.amountFen
			}
		}
		ledger[number] = a
	}
	return ledger
}
