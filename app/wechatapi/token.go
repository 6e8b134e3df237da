package wechatapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// tokenMargin is how long before its end a token is not used any more: from then on
// WeChat gives out the next one, while the last one still works.
const tokenMargin = 5 * time.Minute

// token is an access token and the instant from which it is not used.
type token struct {
	text  string
	until time.Time
}

// fresh gives the token that is kept, if it may still be used and is not the one that
// WeChat has just refused.
func (c *Client) fresh(refused string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.token.text, c.token.text != "" && c.token.text != refused && c.config.Now().Before(c.token.until)
}

// accessToken gives a token that is not the refused one (""). Of several who need one at
// once, one fetches it and the others wait for it.
func (c *Client) accessToken(ctx context.Context, refused string) (string, error) {
	if text, ok := c.fresh(refused); ok {
		return text, nil
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return "", fmt.Errorf("%w: the access token did not come in time", ErrDown)
	}
	if text, ok := c.fresh(refused); ok {
		return text, nil
	}
	got, err := c.stableToken(ctx, false)
	if err == nil && got.text == refused && refused != "" {
		// WeChat gives the one again that it does not take. A new one has to be forced, which
		// it allows twenty times a day.
		got, err = c.stableToken(ctx, true)
	}
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	c.token = got
	c.mu.Unlock()
	return got.text, nil
}

// stableToken fetches a token. Without force it is the one that WeChat gave out before,
// while that is good.
func (c *Client) stableToken(ctx context.Context, force bool) (token, error) {
	var answer struct {
		Token     string `json:"access_token"`
		ExpiresIn int64  `json:"expires_in"` // seconds
	}
	asked := c.config.Now()
	err := c.do(ctx, request{method: http.MethodPost, path: "/cgi-bin/stable_token", body: struct {
		GrantType string `json:"grant_type"`
		AppID     string `json:"appid"`
		Secret    string `json:"secret"`
		Force     bool   `json:"force_refresh"`
	}{"client_credential", c.config.AppID, c.config.Secret, force}}, &answer)
	var refusal Error
	if errors.As(err, &refusal) {
		if err = down(refusal); !errors.Is(err, ErrDown) {
			err = fmt.Errorf("%w: %w", ErrDown, err)
		}
		return token{}, err
	}
	if err != nil {
		return token{}, err
	}
	if answer.Token == "" || answer.ExpiresIn <= 0 {
		return token{}, fmt.Errorf("%w: WeChat stable_token gave no token", ErrDown)
	}
	life := time.Duration(min(answer.ExpiresIn, 24*3600)) * time.Second
	return token{text: answer.Token, until: asked.Add(life - min(tokenMargin, life/2))}, nil
}

// post makes a call that needs a token, with a fresh one once if WeChat does not take the
// one that is kept.
func (c *Client) post(ctx context.Context, path string, body any, private ...string) error {
	refused := ""
	for {
		text, err := c.accessToken(ctx, refused)
		if err != nil {
			return err
		}
		err = c.do(ctx, request{method: http.MethodPost, path: path, query: url.Values{"access_token": {text}}, body: body, private: append(private, text)}, nil)
		refusal, ok := err.(Error)
		if ok && refused == "" && (refusal.Code == 40001 || refusal.Code == 42001 || refusal.Code == 40014) {
			refused = text
			continue
		}
		return err
	}
}

// Probe asks WeChat for the access token, which shows whether it accepts the AppID, the
// AppSecret and this machine's address. It uses nothing up.
func (c *Client) Probe(ctx context.Context) error {
	_, err := c.stableToken(ctx, false)
	return err
}
