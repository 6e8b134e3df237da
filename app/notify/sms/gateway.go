package sms

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"courtd/app/notify"
	"courtd/app/notify/outpost"
)

// GatewayConfig is where the owner's gateway listens.
type GatewayConfig struct {
	URL    string           // COURTD_SMS_URL
	Secret string           // COURTD_SMS_SECRET: "whsec_" and base64 of 24 to 64 bytes
	Now    func() time.Time // the instant that is signed
}

// Check says everything that is wrong with the settings; nothing is nil. It repeats no
// setting's value.
func (c GatewayConfig) Check() []notify.Problem {
	var problems []notify.Problem
	if zh, en := outpost.CheckURL(c.URL); en != "" {
		problems = append(problems, notify.Problem{Setting: "COURTD_SMS_URL", ZH: "短信网关地址" + zh, EN: "the SMS gateway's address " + en})
	}
	if zh, en := outpost.CheckSecret(c.Secret); en != "" {
		problems = append(problems, notify.Problem{Setting: "COURTD_SMS_SECRET", ZH: "短信网关密钥" + zh, EN: "the SMS gateway's secret " + en})
	}
	return problems
}

// Gateway hands messages to a program of the owner's, which knows a carrier. It posts
// GatewayMessage as JSON, signed after Standard Webhooks with the message's ID, so that
// the program can tell a repetition.
type Gateway struct {
	config GatewayConfig
	client *http.Client
}

var _ notify.Channel = (*Gateway)(nil)

// NewGateway makes the channel. What Check finds makes every Send a notify.ErrDown.
func NewGateway(c GatewayConfig) *Gateway { return &Gateway{config: c, client: outpost.NewClient()} }

// GatewayMessage is the body that a gateway receives. Template and Params are for
// carriers that allow no words of one's own: the template's id there and its parameters
// in order. They are "" and [] where the owner set up no template.
type GatewayMessage struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Phone    string   `json:"phone"` // E.164, such as "+8613812345678"
	Template string   `json:"template"`
	Params   []string `json:"params"`
	Text     string   `json:"text"`
	TextEN   string   `json:"text_en"`
}

// Name is the channel's name in reports.
func (*Gateway) Name() string { return Name }

// Send posts the message once. Its errors are those of outpost.Send, and a
// notify.ErrRefused for a phone number that is no mobile's.
func (g *Gateway) Send(ctx context.Context, message notify.Message) error {
	phone, err := E164(message.Phone)
	if err != nil {
		return err
	}
	body := GatewayMessage{ID: message.ID, Kind: message.Kind, Phone: phone, Params: []string{}, Text: message.Text, TextEN: message.TextEN}
	if message.Template != nil {
		body.Template, body.Params = message.Template.ID, params(message.Template)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("%w: the message cannot be written as JSON", notify.ErrRefused)
	}
	err = outpost.Send(ctx, g.client, outpost.Post{URL: g.config.URL, Secret: g.config.Secret, ID: message.ID, At: g.config.Now(), Body: text})
	if err != nil {
		return fmt.Errorf("SMS gateway: %w", err)
	}
	return nil
}

// params are a template's values in order.
func params(template *notify.Template) []string {
	texts := make([]string, len(template.Values))
	for i, v := range template.Values {
		texts[i] = v.Text
	}
	return texts
}
