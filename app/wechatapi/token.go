package wechatapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"courtd/app/notify"
)

// tokenMargin is how long before its end a token is not used any more: from then on
// WeChat gives out the next one, while the last one still works.
const tokenMargin = 5 * time.Minute

// forceEvery is how long after a token was forced no other one is: WeChat allows twenty a
// day, and a mini-program whose fresh token is refused has a trouble that no token mends.
const forceEvery = 90 * time.Minute

// tokenAgain is how long WeChat is left alone when it does not take a fresh token that was
// not forced.
const tokenAgain = time.Minute

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
	if err := c.leftAlone(); err != nil {
		return "", err
	}
	if text, ok := c.fresh(refused); ok {
		return text, nil
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return "", fmt.Errorf("%w: the access token did not come in time", ErrDown)
	}
	if err := c.leftAlone(); err != nil { // whoever had the turn before has found out
		return "", err
	}
	if text, ok := c.fresh(refused); ok {
		return text, nil
	}
	got, err := c.stableToken(ctx, false)
	if err == nil && got.text == refused && refused != "" {
		// WeChat gives the one again that it does not take. A new one has to be forced, which
		// it allows twenty times a day.
		if err = c.force(); err == nil {
			got, err = c.stableToken(ctx, true)
		}
	}
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	c.token = got
	c.mu.Unlock()
	return got.text, nil
}

// force says that a token is about to be forced, or why none is: one was a while ago.
func (c *Client) force() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.config.Now()
	if since := now.Sub(c.forced); !c.forced.IsZero() && since < forceEvery {
		c.until = now.Add(forceEvery - since)
		return c.notTaken(now)
	}
	c.forced = now
	return nil
}

// freshRefused notes that WeChat does not take a token that it has just given out, and
// says for how long no call is made.
func (c *Client) freshRefused(err Error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.config.Now()
	c.until, c.refusal = now.Add(tokenAgain), err
	if again := c.forced.Add(forceEvery); !c.forced.IsZero() && again.After(c.until) {
		c.until = again
	}
	return c.notTaken(now)
}

// leftAlone says that no call is made now because no token is taken; nil if calls are.
func (c *Client) leftAlone() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.config.Now(); now.Before(c.until) {
		return c.notTaken(now)
	}
	return nil
}

// notTaken says that WeChat takes no token, and when it is asked again.
func (c *Client) notTaken(now time.Time) error {
	var why error = fmt.Errorf("%w: WeChat does not take the access token", ErrDown)
	if c.refusal.Code != 0 {
		why = fmt.Errorf("%w: %w", why, c.refusal)
	}
	return notify.LaterError{After: c.until.Sub(now), Err: why}
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
		if !ok || (refusal.Code != 40001 && refusal.Code != 42001 && refusal.Code != 40014) {
			return err
		}
		if refused != "" {
			return c.freshRefused(refusal)
		}
		refused = text
	}
}

// Probe asks WeChat for the access token, which shows whether it accepts the AppID, the
// AppSecret and this machine's address. It uses nothing up.
func (c *Client) Probe(ctx context.Context) error {
	_, err := c.stableToken(ctx, false)
	return err
}
