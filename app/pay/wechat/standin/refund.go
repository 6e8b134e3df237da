package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// The states of a refund. Success and Closed are those of orders too.
const (
	Processing     = "PROCESSING"
	AbnormalRefund = "ABNORMAL"
)

type refund struct {
	number, trade string
	refundID      string
	amountFen     int64
	totalFen      int64
	reason        string
	notifyURL     string
	state         string
	askedAt       time.Time
	doneAt        time.Time
	abnormal      bool // what it comes to when it is settled
}

const (
	maxReasonBytes = 80
	maxRefunds     = 50 // of one order
)

type refundBody struct {
	OutTradeNo  string `json:"out_trade_no"`
	OutRefundNo string `json:"out_refund_no"`
	Reason      string `json:"reason"`
	NotifyURL   string `json:"notify_url"`
	Amount      struct {
		Refund   int64  `json:"refund"`
		Total    int64  `json:"total"`
		Currency string `json:"currency"`
	} `json:"amount"`
}

// refund takes a refund in. The same number asks only once.
func (s *Server) refund(req request, abnormal bool) answer {
	var b refundBody
	if json.Unmarshal(req.body, &b) != nil {
		return paramError("请求体不是有效的JSON")
	}
	o := s.orders[b.OutTradeNo]
	known := s.refunds[b.OutRefundNo]
	switch {
	case !refundNo.MatchString(b.OutRefundNo):
		return paramError("out_refund_no不符合规则")
	case b.Amount.Refund <= 0 || b.Amount.Total <= 0 || b.Amount.Currency != "CNY":
		return paramError("amount不正确")
	case len(b.Reason) > maxReasonBytes:
		return paramError("reason太长")
	case b.NotifyURL != "" && !notifyURL(b.NotifyURL):
		return paramError("notify_url不符合规则")
	case known != nil && (known.trade != b.OutTradeNo || known.amountFen != b.Amount.Refund || known.totalFen != b.Amount.Total):
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "订单金额或退款金额与之前请求不一致，请核实后再试")
	case known != nil:
		return answer{status: http.StatusOK, body: s.refundAccount(known)}
	case o == nil || !o.paid():
		return refuse(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "订单不存在")
	case b.Amount.Total != o.totalFen:
		return paramError("amount.total与订单金额不一致")
	case s.leaving(o)+b.Amount.Refund > o.totalFen:
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "累计退款金额大于支付金额")
	case len(o.refunds) >= maxRefunds:
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "部分退款次数超过限制")
	}
	s.serial++
	r := &refund{number: b.OutRefundNo, trade: o.number, refundID: fmt.Sprintf("5030000%020d", s.serial), amountFen: b.Amount.Refund,
		totalFen: b.Amount.Total, reason: b.Reason, notifyURL: b.NotifyURL, state: Processing, askedAt: s.config.Now(), abnormal: abnormal}
	s.refunds[r.number] = r
	o.refunds = append(o.refunds, r.number)
	o.state = Refunded
	return answer{status: http.StatusOK, body: s.refundAccount(r)}
}

// leaving is what an order's refunds take or have taken, in fen.
func (s *Server) leaving(o *order) (sumFen int64) {
	for _, number := range o.refunds {
		if r := s.refunds[number]; r.state != Closed {
			sumFen += r.amountFen
		}
	}
	return sumFen
}

func (s *Server) queryRefund(req request) answer {
	r := s.refunds[req.number]
	if r == nil {
		return refuse(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "退款单不存在")
	}
	if r.state == Processing && !s.hold {
		state := Success
		if r.abnormal {
			state = AbnormalRefund
		}
		s.settle(r, state)
	}
	return answer{status: http.StatusOK, body: s.refundAccount(r)}
}

// settle ends a refund and queues the notice of it.
func (s *Server) settle(r *refund, state string) {
	r.state = state
	if state == Success {
		r.doneAt = s.config.Now()
	}
	s.enqueue("REFUND."+state, "refund", r.number, r.noticeAddress(s.orders[r.trade]), s.refundNotice(r))
}

// noticeAddress is that of the payment when the refund named none.
func (r *refund) noticeAddress(o *order) string {
	if r.notifyURL == "" {
		return o.notifyURL
	}
	return r.notifyURL
}

// refundAccount is what WeChat tells of a refund in an answer.
func (s *Server) refundAccount(r *refund) map[string]any {
	told := map[string]any{
		"refund_id": r.refundID, "out_refund_no": r.number, "out_trade_no": r.trade,
		"transaction_id": s.orders[r.trade].transactionID, "channel": "ORIGINAL", "user_received_account": "支付用户零钱",
		"create_time": r.askedAt.In(china).Format(time.RFC3339), "status": r.state, "funds_account": "AVAILABLE",
		"amount": map[string]any{"total": r.totalFen, "refund": r.amountFen, "payer_total": r.totalFen, "payer_refund": r.amountFen,
			"settlement_refund": r.amountFen, "settlement_total": r.totalFen, "discount_refund": 0, "currency": "CNY"},
	}
	if !r.doneAt.IsZero() {
		told["success_time"] = r.doneAt.In(china).Format(time.RFC3339)
	}
	return told
}

// refundNotice is what it tells in a notice, which has other names for the same.
func (s *Server) refundNotice(r *refund) map[string]any {
	told := map[string]any{
		"mchid": s.config.MchID, "out_trade_no": r.trade, "transaction_id": s.orders[r.trade].transactionID,
		"out_refund_no": r.number, "refund_id": r.refundID, "refund_status": r.state, "user_received_account": "支付用户零钱",
		"amount": map[string]any{"total": r.totalFen, "refund": r.amountFen, "payer_total": r.totalFen, "payer_refund": r.amountFen},
	}
	if !r.doneAt.IsZero() {
		told["success_time"] = r.doneAt.In(china).Format(time.RFC3339)
	}
	return told
}
