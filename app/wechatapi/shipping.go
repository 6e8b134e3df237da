package wechatapi

import (
	"context"
	"fmt"
	"strings"
	"time"

	"courtd/app/notify"
)

// maxDescription is how many characters a description of goods may have.
const maxDescription = 120

// ShippingInfo is word to WeChat that a paid order is there to be picked up. The payment
// is named by WeChat's number or by the merchant's and courtd's own.
type ShippingInfo struct {
	TransactionID     string // WeChat's number of the payment; wins over the other two
	MchID, OutTradeNo string
	OpenID            string    // of who paid
	Description       string    // of what was bought; cut to 120 characters
	UploadTime        time.Time // the instant of this try
}

// orderKey names a payment.
type orderKey struct {
	Type          int    `json:"order_number_type"` // 1: the merchant's number, 2: WeChat's
	TransactionID string `json:"transaction_id,omitempty"`
	MchID         string `json:"mchid,omitempty"`
	OutTradeNo    string `json:"out_trade_no,omitempty"`
}

type shippingItem struct {
	Description string `json:"item_desc"`
}

type payer struct {
	OpenID string `json:"openid"`
}

// WeChat's numbers for what is picked up by the customer, all at once.
const (
	pickedUp    = 4
	allAtOnce   = 1
	byMerchant  = 1
	byWeChat    = 2
	uploadStamp = "2006-01-02T15:04:05.000Z07:00"
)

// chinaTime is the zone of WeChat's examples.
var chinaTime = time.FixedZone("CST", 8*3600)

// UploadShippingInfo tells WeChat that an order is there to be picked up, without which
// the money of some mini-programs stays frozen. What was told before counts as done. Its
// errors are notify.ErrRefused if WeChat will never take it: the payment was refunded or
// is somebody else's, or what is said of it is wrong; a notify.LaterError or ErrDown as of
// the other calls. Every other error is to be tried again, an unknown payment too: WeChat
// knows of it a while after it was made.
func (c *Client) UploadShippingInfo(ctx context.Context, s ShippingInfo) error {
	key := orderKey{Type: byWeChat, TransactionID: s.TransactionID}
	if s.TransactionID == "" {
		key = orderKey{Type: byMerchant, MchID: s.MchID, OutTradeNo: s.OutTradeNo}
	}
	description := Cut(strings.TrimSpace(s.Description), maxDescription)
	if s.OpenID == "" || description == "" || s.TransactionID == "" && (s.MchID == "" || s.OutTradeNo == "") {
		return fmt.Errorf("%w: the payment's number, its payer or a description is missing", notify.ErrRefused)
	}
	err := c.post(ctx, "/wxa/sec/order/upload_shipping_info", struct {
		Key       orderKey       `json:"order_key"`
		Logistics int            `json:"logistics_type"`
		Delivery  int            `json:"delivery_mode"`
		List      []shippingItem `json:"shipping_list"`
		Time      string         `json:"upload_time"`
		Payer     payer          `json:"payer"`
	}{key, pickedUp, allAtOnce, []shippingItem{{description}}, s.UploadTime.In(chinaTime).Format(uploadStamp), payer{s.OpenID}}, s.OpenID)
	refusal, ok := err.(Error) // this call's own; that of a token's is judged already
	if !ok {
		return err
	}
	switch refusal.Code {
	case 10060002, 10060003, 10060023: // all sent; sent twice; nothing new
		return nil
	case 10060004: // refunded, or not to be sent at all
		return fmt.Errorf("%w: the payment is in no state to be picked up: %w", notify.ErrRefused, refusal)
	case 10060031:
		return fmt.Errorf("%w: the payment is not this user's: %w", notify.ErrRefused, refusal)
	case 10060005, 10060006, 10060007, 10060008, 10060009, 10060014, 10060020, 10060024:
		return fmt.Errorf("%w: %w", notify.ErrRefused, refusal)
	}
	if refusal.Code >= 268485194 && refusal.Code <= 268485260 { // fields that are wrong
		return fmt.Errorf("%w: %w", notify.ErrRefused, refusal)
	}
	return down(refusal)
}
