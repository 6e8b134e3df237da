package app

import (
	"context"

	"courtd/domain"
	"courtd/sqlite"
)

// Rename sets a customer's own name. Nobody has to have one: an empty name takes it away.
func (a *App) Rename(ctx context.Context, actor Actor, name string) (ProfileView, error) {
	if actor.Role != RoleCustomer {
		return ProfileView{}, errNotACustomer()
	}
	name, err := domain.ParseNameOrNone("name", name)
	if err != nil {
		return ProfileView{}, err
	}
	var out ProfileView
	err = a.write(ctx, func(tx *sqlite.Tx, _ sqlite.Venue) error {
		c, err := me(&tx.Snapshot, actor)
		if err != nil {
			return err
		}
		c.Name = name
		out = *profile(c)
		return tx.NameCustomer(c.ID, name)
	})
	return out, err
}
