package standin

import (
	"crypto/sha1" //nolint:gosec // the digest that WeChat names
	"encoding/hex"
	"fmt"
	"net/http"
	"sort"
	"strings"
	"time"
)

// readyHour is when yesterday's bill can be had.
const readyHour = 10

const (
	billHeader = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类," +
		"应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率," +
		"订单金额,申请退款金额,费率备注"
	billSummary = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额"
	billTime    = "2006-01-02 15:04:05"
	lineEnd     = "\r\n"
)

// The merchant pays 0.60 % of every payment, and gets it back with a refund.
const (
	feeText      = "0.60%"
	feePerMyriad = 60
)

// bill gives the address of a day's bill. Payments stand under the day on which they
// succeeded, refunds under the day on which they were accepted.
func (s *Server) bill(req request) answer {
	day, err := time.ParseInLocation("2006-01-02", req.number, china)
	now := s.config.Now().In(china)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, china)
	switch {
	case err != nil || req.query["bill_type"] != "ALL" && req.query["bill_type"] != "":
		return paramError("bill_date或bill_type不正确")
	case !day.Before(today):
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "账单日期不能是今天或之后")
	case day.Equal(today.AddDate(0, 0, -1)) && now.Hour() < readyHour:
		return refuse(http.StatusBadRequest, "STATEMENT_CREATING", "账单生成中")
	}
	text, ok := s.billOf(day)
	if !ok {
		return refuse(http.StatusBadRequest, "NO_STATEMENT_EXIST", "账单不存在")
	}
	token := random(16)
	s.bills[token] = []byte(text)
	sum := sha1.Sum([]byte(text)) //nolint:gosec // see above
	return answer{status: http.StatusOK, body: map[string]any{"hash_type": "SHA1", "hash_value": hex.EncodeToString(sum[:]),
		"download_url": "https://api.mch.weixin.qq.com" + downloadPath + "?token=" + token}}
}

func (s *Server) download(req request) answer {
	bill, ok := s.bills[req.number]
	if !ok {
		return refuse(http.StatusForbidden, "NO_AUTH", "token无效")
	}
	return answer{status: http.StatusOK, raw: bill}
}

type billRow struct {
	at   time.Time
	line string
}

// billOf writes one day's bill; ok is whether there was any trade.
func (s *Server) billOf(day time.Time) (text string, ok bool) {
	var rows []billRow
	var paid, back, fees int64
	next := day.AddDate(0, 0, 1)
	within := func(at time.Time) bool { return !at.Before(day) && at.Before(next) }
	for _, o := range s.orders {
		if o.paid() && within(o.paidAt) {
			rows = append(rows, billRow{o.paidAt, s.paymentLine(o)})
			paid, fees = paid+o.totalFen, fees+fee(o.totalFen)
		}
		for _, number := range o.refunds {
			if r := s.refunds[number]; within(r.askedAt) {
				rows = append(rows, billRow{r.askedAt, s.refundLine(o, r)})
				back, fees = back+r.amountFen, fees-fee(r.amountFen)
			}
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].at.Equal(rows[j].at) {
			return rows[i].line < rows[j].line
		}
		return rows[i].at.Before(rows[j].at)
	})
	lines := []string{billHeader}
	for _, r := range rows {
		lines = append(lines, r.line)
	}
	lines = append(lines, billSummary, ticked(fmt.Sprint(len(rows)), yuan(paid), yuan(back), "0.00", yuan(fees), yuan(paid), yuan(back)))
	return strings.Join(lines, lineEnd) + lineEnd, len(rows) > 0
}

func (s *Server) paymentLine(o *order) string {
	return ticked(o.paidAt.In(china).Format(billTime), s.config.AppID, s.config.MchID, "0", "", o.transactionID, o.number, o.openID,
		tradeTypes[o.via], "SUCCESS", "OTHERS", o.currency, yuan(o.totalFen), "0.00", "0", "0", "0.00", "0.00", "", "",
		o.description, "", yuan(fee(o.totalFen)), feeText, yuan(o.totalFen), "0.00", "")
}

func (s *Server) refundLine(o *order, r *refund) string {
	state := r.state
	if state == AbnormalRefund {
		state = "CHANGE"
	}
	return ticked(r.askedAt.In(china).Format(billTime), s.config.AppID, s.config.MchID, "0", "", o.transactionID, o.number, o.openID,
		tradeTypes[o.via], "REFUND", "OTHERS", o.currency, "0.00", "0.00", r.refundID, r.number, yuan(r.amountFen), "0.00", "ORIGINAL", state,
		o.description, "", yuan(-fee(r.amountFen)), feeText, "0.00", yuan(r.amountFen), "")
}

// ticked joins values, each behind a backtick so that spreadsheets leave it alone.
func ticked(values ...string) string { return "`" + strings.Join(values, ",`") }

// yuan writes fen as yuan with two decimals.
func yuan(fen int64) string {
	sign := ""
	if fen < 0 {
		sign, fen = "-", -fen
	}
	return fmt.Sprintf("%s%d.%02d", sign, fen/100, fen%100)
}

// fee is rounded to the fen.
func fee(fen int64) int64 { return (fen*feePerMyriad + 5000) / 10000 }
