package api

import (
	"context"

	"courtd/app"
)

// Demo is what only a demonstration has.
type Demo struct {
	Info    app.DemoInfo
	Sandbox Sandbox
}

// Sandbox plays the customer's bank; it gives the notice that the provider sends.
type Sandbox interface {
	Succeed(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error)
	Fail(ctx context.Context, outTradeNo string) (headers map[string]string, body []byte, err error)
}
