package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// One person is one customer, known by a phone, by an openid, or by both. Both lead to
// one account as soon as somebody proves both: signed in by the one, they prove the
// other. If that other has an account of its own which has nothing that stands in the
// way, the two are merged; otherwise nothing is done, because either could be somebody
// else's.

// errTwoAccounts refuses to make one of two accounts that each have what is theirs alone.
func errTwoAccounts() error {
	return domain.Refuse(domain.Conflict, "two_accounts", "this belongs to another account that cannot be joined with the one you are signed in to")
}

// me is the customer who asks, or whoever has taken their account over since they did.
func me(s *sqlite.Snapshot, actor Actor) (sqlite.Customer, error) {
	if actor.Role != RoleCustomer {
		return sqlite.Customer{}, errNotACustomer()
	}
	return s.Survivor(actor.ID)
}

// joinOpenID adds a proven openid to the customer who asks.
func joinOpenID(tx *sqlite.Tx, actor Actor, openID string) (sqlite.Customer, error) {
	mine, err := me(&tx.Snapshot, actor)
	if err != nil || mine.OpenID == openID {
		return mine, err
	}
	if mine.OpenID != "" {
		return mine, errTwoAccounts()
	}
	other, err := tx.CustomerByOpenID(openID)
	switch {
	case domain.IsReason(err, "not_found"):
		if err := tx.OpenIDCustomer(mine.ID, openID); err != nil {
			return mine, err
		}
		return tx.Customer(mine.ID)
	case err != nil:
		return mine, err
	case other.Phone != "":
		return mine, errTwoAccounts()
	}
	return merge(tx, other, mine, "wechat")
}

// ProvePhone makes a phone the customer's own by a code that was sent there. It is
// somebody's who signed in with WeChat and has none yet, or a change of number. If the
// phone has an account that WeChat does not know, that account goes on, with all that
// the customer had, and their sessions are its own from then on.
func (a *App) ProvePhone(ctx context.Context, actor Actor, phone, code string, from From) (ProfileView, error) {
	if actor.Role != RoleCustomer {
		return ProfileView{}, errNotACustomer()
	}
	phone, err := domain.ParsePhone("phone", phone)
	if err != nil {
		return ProfileView{}, err
	}
	mine, err := a.profileOf(ctx, actor)
	if err != nil || mine.Phone == phone {
		return mine, err // as when the answer was lost
	}
	err = a.proving(ctx, phone, code, from, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		c, err := joinPhone(tx, actor, phone)
		mine = *profile(c)
		return err
	})
	if err != nil {
		return ProfileView{}, err
	}
	return mine, nil
}

// joinPhone adds a proven phone to the customer who asks.
func joinPhone(tx *sqlite.Tx, actor Actor, phone string) (sqlite.Customer, error) {
	mine, err := me(&tx.Snapshot, actor)
	if err != nil || mine.Phone == phone {
		return mine, err
	}
	other, err := tx.CustomerByPhone(phone)
	switch {
	case domain.IsReason(err, "not_found"):
		return setPhone(tx, mine, phone)
	case err != nil:
		return mine, err
	case mine.Phone != "" || other.OpenID != "":
		return mine, errTwoAccounts()
	}
	return merge(tx, mine, other, "phone")
}

func setPhone(tx *sqlite.Tx, mine sqlite.Customer, phone string) (sqlite.Customer, error) {
	if err := tx.PhoneCustomer(mine.ID, phone); err != nil {
		return mine, err
	}
	if mine.Phone != "" {
		if err := tx.Audit(ofCustomer(mine).audit("change phone", mine.ID, "", map[string]any{"from": mine.Phone, "to": phone})); err != nil {
			return mine, err
		}
	}
	return tx.Customer(mine.ID)
}

// merge makes one customer of two whom one person has proven to be.
func merge(tx *sqlite.Tx, from, into sqlite.Customer, by string) (sqlite.Customer, error) {
	if err := tx.MergeCustomers(from, into); err != nil {
		return into, err
	}
	err := tx.Audit(ofCustomer(into).audit("merge accounts", into.ID, "", map[string]any{"merged": from.ID, "proven": by}))
	if err != nil {
		return into, err
	}
	return tx.Customer(into.ID)
}

func ofCustomer(c sqlite.Customer) Actor { return Actor{Role: RoleCustomer, ID: c.ID, Name: c.Name} }

// profileOf shows the customer who asks.
func (a *App) profileOf(ctx context.Context, actor Actor) (ProfileView, error) {
	var out ProfileView
	err := a.read(ctx, func(s *sqlite.Snapshot, _ sqlite.Venue) error {
		c, err := me(s, actor)
		out = *profile(c)
		return err
	})
	return out, err
}
