package app

import (
	"context"
	"errors"

	"courtd/app/secret"
	"courtd/domain"
	"courtd/sqlite"
)

// WeChat tells who somebody is at WeChat, by the code that a mini-program's wx.login
// has given them.
type WeChat interface {
	// JSCode2Session gives the openid of whoever got a code. An error that wraps
	// ErrBadWeChatCode says that the code is no good, or has served before.
	JSCode2Session(ctx context.Context, code string) (openID string, err error)
}

// ErrBadWeChatCode says that WeChat does not take a code, or takes it no more.
var ErrBadWeChatCode = errors.New("WeChat does not take this code")

// wechatAgain is in how many seconds it makes sense to ask WeChat again.
const wechatAgain = 5

// LogInWeChat signs a customer in by a code of wx.login, which serves once. A stranger
// finds or gets the account of their openid. A customer who is signed in proves that
// the openid is theirs too: from then on either leads to the one account. Nobody else's
// word joins two accounts.
func (a *App) LogInWeChat(ctx context.Context, actor Actor, code string) (SignedIn, error) {
	if actor.IsStaff() {
		return SignedIn{}, errNotACustomer()
	}
	if err := checkWeChatCode(code); err != nil {
		return SignedIn{}, err
	}
	openID, err := a.openIDOf(ctx, code)
	if err != nil {
		return SignedIn{}, err
	}
	newID := secret.NewID()
	var out SignedIn
	err = a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		var customer sqlite.Customer
		var err error
		if actor.Role == RoleCustomer {
			customer, err = joinOpenID(tx, actor, openID)
		} else {
			customer, err = findOrAddByOpenID(tx, openID, newID)
		}
		if err != nil {
			return err
		}
		out, err = signIn(tx, venue, customer)
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	return out, nil
}

func checkWeChatCode(code string) error {
	if code == "" || len(code) > domain.MaxWeChatCodeChars {
		return domain.BadField("code", "must have 1 to %d characters", domain.MaxWeChatCodeChars)
	}
	for i := range len(code) {
		if code[i] <= ' ' || code[i] > '~' {
			return domain.BadField("code", "must consist of visible ASCII characters")
		}
	}
	return nil
}

// openIDOf asks WeChat, outside of any transaction.
func (a *App) openIDOf(ctx context.Context, code string) (string, error) {
	if a.wechat == nil {
		return "", domain.Refuse(domain.Unavailable, "wechat_not_set_up", "this venue has not set up signing in with WeChat")
	}
	ctx, cancel := context.WithTimeout(ctx, domain.CommandTimeout)
	defer cancel()
	openID, err := a.wechat.JSCode2Session(ctx, code)
	if err == nil && openID == "" {
		err = errors.New("WeChat gave no openid")
	}
	switch {
	case errors.Is(err, ErrBadWeChatCode):
		return "", domain.Refuse(domain.Unauthenticated, "wechat_code_invalid", "WeChat does not take this code, or not any more; get a new one by wx.login").Because(err)
	case err != nil:
		return "", domain.Refuse(domain.Unavailable, "wechat_unavailable", "WeChat did not answer; get a new code and try again").
			With("retry_after", wechatAgain).Because(err)
	}
	return openID, nil
}

func findOrAddByOpenID(tx *sqlite.Tx, openID, newID string) (sqlite.Customer, error) {
	c, err := tx.CustomerByOpenID(openID)
	if err == nil || !domain.IsReason(err, "not_found") {
		return c, err
	}
	if err := tx.InsertCustomer(sqlite.Customer{ID: newID, OpenID: openID}); err != nil {
		return c, err
	}
	return tx.Customer(newID)
}
