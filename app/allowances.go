package app

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"courtd/domain"
	"courtd/sqlite"
)

// AllowanceView is a template of the venue's messages at WeChat, and how many messages
// of it somebody still allows.
type AllowanceView struct {
	Template string   `json:"template" doc:"id of the template, for wx.requestSubscribeMessage"`
	Kinds    []string `json:"kinds" doc:"what messages of it are about"`
	Left     int      `json:"left" doc:"messages that may still be sent"`
}

// AllowancesView is what a customer allows the venue to send by WeChat.
type AllowancesView struct {
	Templates []AllowanceView `json:"templates"`
}

// Allowances shows what a customer allows the venue to send by WeChat.
func (a *App) Allowances(ctx context.Context, actor Actor) (AllowancesView, error) {
	var out AllowancesView
	err := a.read(ctx, func(s *sqlite.Snapshot, venue sqlite.Venue) error {
		mine, err := me(s, actor)
		if err != nil {
			return err
		}
		out, err = viewAllowances(s, venue, mine)
		return err
	})
	return out, err
}

// Allow counts one more message of each template that a customer has accepted at one tap
// in the mini-program. WeChat is not asked: what it does not know of, it will not send.
func (a *App) Allow(ctx context.Context, actor Actor, accepted []string, key Key) (AllowancesView, error) {
	if actor.Role != RoleCustomer {
		return AllowancesView{}, errNotACustomer()
	}
	if len(accepted) > domain.MaxAllowancesPerCall {
		return AllowancesView{}, domain.BadField("accepted", "must not name more than %d templates", domain.MaxAllowancesPerCall)
	}
	var out AllowancesView
	err := a.write(ctx, func(tx *sqlite.Tx, venue sqlite.Venue) error {
		mine, err := me(&tx.Snapshot, actor)
		if err != nil {
			return err
		}
		actor.ID = mine.ID
		_, _, err = once(tx, actor, key, "allow messages", accepted, func() (string, error) {
			return "", allow(tx, venue, mine, accepted)
		})
		if err != nil {
			return err
		}
		out, err = viewAllowances(&tx.Snapshot, venue, mine)
		return err
	})
	return out, err
}

func allow(tx *sqlite.Tx, venue sqlite.Venue, mine sqlite.Customer, accepted []string) error {
	used := wechatTemplates(venue)
	for i, id := range accepted {
		if used[id] == nil || slices.Contains(accepted[:i], id) {
			return domain.BadField(fmt.Sprintf("accepted[%d]", i), "must be a template of this venue, named once")
		}
	}
	if mine.OpenID == "" {
		return domain.Refuse(domain.Conflict, "wechat_sign_in_needed", "sign in with WeChat first")
	}
	for _, id := range accepted {
		if err := tx.AllowMessage(mine.OpenID, id, domain.MaxAllowances); err != nil {
			return err
		}
	}
	return nil
}

// wechatTemplates gives the templates of the venue, with the kinds of each.
func wechatTemplates(venue sqlite.Venue) map[string][]string {
	out := map[string][]string{}
	for _, kind := range slices.Sorted(maps.Keys(venue.Messages.WeChat)) {
		id := venue.Messages.WeChat[kind].ID
		out[id] = append(out[id], kind)
	}
	return out
}

func viewAllowances(s *sqlite.Snapshot, venue sqlite.Venue, mine sqlite.Customer) (AllowancesView, error) {
	left := map[string]int{}
	var err error
	if mine.OpenID != "" {
		left, err = s.Allowances(mine.OpenID)
	}
	out, used := AllowancesView{Templates: []AllowanceView{}}, wechatTemplates(venue)
	for _, id := range slices.Sorted(maps.Keys(used)) {
		out.Templates = append(out.Templates, AllowanceView{Template: id, Kinds: used[id], Left: left[id]})
	}
	return out, err
}
