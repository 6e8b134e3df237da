package api

import "context"

// Demo is what only a demonstration has.
type Demo struct {
	Info    DemoInfo
	Sandbox Sandbox
}

// DemoInfo is what a visitor of a demonstration needs to know.
type DemoInfo struct {
	Accounts map[string]DemoAccount `json:"accounts" doc:"by role: owner, desk"`
	Coupons  []DemoCoupon           `json:"coupons" doc:"the first can be used once in all"`
}

// DemoAccount is a staff account of the demonstration.
type DemoAccount struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

// DemoCoupon is a coupon to try.
type DemoCoupon struct {
	Code  string `json:"code"`
	About string `json:"about"`
}

// Sandbox plays the customer's bank; it gives the notice that the provider sends.
type Sandbox interface {
	Succeed(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error)
	Fail(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error)
}
