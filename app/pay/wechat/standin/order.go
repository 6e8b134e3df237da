package standin

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"time"
)

// The trade states.
const (
	NotPay     = "NOTPAY"
	UserPaying = "USERPAYING"
	PayError   = "PAYERROR"
	Success    = "SUCCESS"
	Refunded   = "REFUND"
	Closed     = "CLOSED"
	Revoked    = "REVOKED"
)

type order struct {
	number, via   string
	asked         any // the request as it was, to compare a replay with
	description   string
	totalFen      int64
	currency      string
	openID        string
	notifyURL     string
	lastMoment    time.Time
	state         string
	paidAt        time.Time
	transactionID string
	refunds       []string // in the order in which they were asked for
}

// paid reports whether money came in, whatever became of it since.
func (o *order) paid() bool { return o.transactionID != "" }

// shortest is what a nearer last moment is raised to.
const shortest = time.Minute

const (
	maxDescriptionBytes = 127
	maxNotifyURLBytes   = 255
	defaultLife         = 7 * 24 * time.Hour
)

// china is the zone in which WeChat tells times.
var china = time.FixedZone("", 8*60*60)

var (
	tradeNo  = regexp.MustCompile(`^[0-9A-Za-z_|*-]{6,32}$`)
	refundNo = regexp.MustCompile(`^[0-9A-Za-z_|*@-]{1,64}$`)
)

type openBody struct {
	AppID       string `json:"appid"`
	MchID       string `json:"mchid"`
	Description string `json:"description"`
	OutTradeNo  string `json:"out_trade_no"`
	TimeExpire  string `json:"time_expire"`
	NotifyURL   string `json:"notify_url"`
	Amount      struct {
		Total    int64  `json:"total"`
		Currency string `json:"currency"`
	} `json:"amount"`
	Payer struct {
		OpenID string `json:"openid"`
	} `json:"payer"`
	SceneInfo struct {
		PayerClientIP string `json:"payer_client_ip"`
		H5Info        struct {
			Type string `json:"type"`
		} `json:"h5_info"`
	} `json:"scene_info"`
}

func paramError(message string) answer {
	return refuse(http.StatusBadRequest, "PARAM_ERROR", message)
}

// open registers an order, or gives a fresh way to pay one that is asked for again.
func (s *Server) open(req request) answer {
	var b openBody
	var asked any
	if json.Unmarshal(req.body, &b) != nil || json.Unmarshal(req.body, &asked) != nil {
		return paramError("请求体不是有效的JSON")
	}
	if refusal := s.checkOpen(req.via, b); refusal != nil {
		return *refusal
	}
	now := s.config.Now()
	if known := s.orders[b.OutTradeNo]; known != nil {
		switch {
		case known.via != req.via || !reflect.DeepEqual(known.asked, asked):
			return refuse(http.StatusBadRequest, "INVALID_REQUEST", "201 商户订单号重复")
		case known.paid():
			return refuse(http.StatusBadRequest, "ORDERPAID", "该订单已支付")
		case known.state == Closed || known.state == Revoked || now.After(known.lastMoment):
			return refuse(http.StatusBadRequest, "ORDER_CLOSED", "该订单已关闭")
		}
		return s.prepaid(known)
	}
	lastMoment := now.Add(defaultLife)
	if b.TimeExpire != "" {
		at, err := time.Parse(time.RFC3339, b.TimeExpire)
		if err != nil {
			return paramError("time_expire格式不正确")
		}
		lastMoment = at
	}
	if nearest := now.Add(shortest); lastMoment.Before(nearest) {
		lastMoment = nearest
	}
	o := &order{number: b.OutTradeNo, via: req.via, asked: asked, description: b.Description, totalFen: b.Amount.Total,
		currency: "CNY", openID: b.Payer.OpenID, notifyURL: b.NotifyURL, lastMoment: lastMoment, state: NotPay}
	if o.openID == "" {
		o.openID = "oStandIn" + random(10)
	}
	s.orders[o.number] = o
	return s.prepaid(o)
}

func (s *Server) checkOpen(via string, b openBody) *answer {
	bad := func(message string) *answer {
		a := paramError(message)
		return &a
	}
	switch {
	case b.MchID != s.config.MchID || b.AppID != s.config.AppID:
		a := refuse(http.StatusBadRequest, "APPID_MCHID_NOT_MATCH", "appid和mch_id不匹配")
		return &a
	case !tradeNo.MatchString(b.OutTradeNo):
		return bad("out_trade_no不符合规则")
	case b.Description == "" || len(b.Description) > maxDescriptionBytes:
		return bad("description长度不符合规则")
	case b.Amount.Total <= 0:
		return bad("amount.total必须大于0")
	case b.Amount.Currency != "" && b.Amount.Currency != "CNY":
		return bad("amount.currency不支持")
	case !notifyURL(b.NotifyURL):
		return bad("notify_url不符合规则")
	case via == "jsapi" && b.Payer.OpenID == "":
		return bad("payer.openid必填")
	case via == "h5" && b.SceneInfo.H5Info.Type == "":
		return bad("scene_info.h5_info.type必填")
	}
	if via == "h5" {
		if _, err := netip.ParseAddr(b.SceneInfo.PayerClientIP); err != nil {
			return bad("scene_info.payer_client_ip必填")
		}
	}
	return nil
}

// notifyURL reports whether notices can be sent to an address. WeChat takes https
// alone; tests live on this machine.
func notifyURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.RawQuery != "" || len(text) > maxNotifyURLBytes {
		return false
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && err == nil && addr.IsLoopback()
}

// prepaid gives a fresh way to pay.
func (s *Server) prepaid(o *order) answer {
	switch o.via {
	case "jsapi":
		return answer{status: http.StatusOK, body: map[string]any{"prepay_id": "wx" + random(16)}}
	case "native":
		return answer{status: http.StatusOK, body: map[string]any{"code_url": "weixin://wxpay/bizpayurl?pr=" + random(6)}}
	}
	return answer{status: http.StatusOK, body: map[string]any{
		"h5_url": "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx" + random(16) + "&package=" + random(4)}}
}

func (s *Server) close(req request) answer {
	var b struct {
		MchID string `json:"mchid"`
	}
	o := s.orders[req.number]
	switch {
	case json.Unmarshal(req.body, &b) != nil || b.MchID != s.config.MchID:
		return paramError("mchid不正确")
	case o == nil:
		return orderNotExist()
	case o.paid():
		return refuse(http.StatusBadRequest, "ORDERPAID", "该订单已支付")
	case o.state == UserPaying:
		return refuse(http.StatusBadRequest, "USERPAYING", "用户支付中，需要输入密码")
	}
	if o.state != Revoked {
		o.state = Closed
	}
	return answer{status: http.StatusNoContent}
}

func orderNotExist() answer { return refuse(http.StatusNotFound, "ORDER_NOT_EXIST", "订单不存在") }

func (s *Server) query(req request) answer {
	o := s.orders[req.number]
	switch {
	case req.query["mchid"] != s.config.MchID:
		return paramError("mchid不正确")
	case o == nil:
		return orderNotExist()
	}
	return answer{status: http.StatusOK, body: s.account(o)}
}

// account is what WeChat tells of an order, in an answer and in a notice.
func (s *Server) account(o *order) map[string]any {
	told := map[string]any{
		"appid": s.config.AppID, "mchid": s.config.MchID, "out_trade_no": o.number,
		"trade_state": o.state, "trade_state_desc": "订单状态 " + o.state, "attach": "",
		"amount": map[string]any{"total": o.totalFen, "currency": o.currency},
		"payer":  map[string]any{"openid": o.openID},
	}
	if o.paid() {
		told["transaction_id"] = o.transactionID
		told["success_time"] = o.paidAt.In(china).Format(time.RFC3339)
		told["bank_type"] = "OTHERS"
		told["trade_type"] = tradeTypes[o.via]
		told["amount"] = map[string]any{"total": o.totalFen, "payer_total": o.totalFen, "currency": o.currency, "payer_currency": o.currency}
	}
	return told
}

var tradeTypes = map[string]string{"jsapi": "JSAPI", "native": "NATIVE", "h5": "MWEB"}
