package app

import (
	"maps"
	"slices"

	"courtd/app/pay"
)

// Vias lists the ways to pay that can be used here.
func (a *App) Vias() []string {
	vias := []string{}
	for _, via := range slices.Sorted(maps.Keys(a.providers)) {
		if a.offers(via) {
			vias = append(vias, via)
		}
	}
	return vias
}

// offers reports whether new payments may be made by a way to pay.
func (a *App) offers(via string) bool {
	p, ok := a.providers[via]
	chooses, may := p.(interface{ Offers(via string) bool })
	return ok && (!may || chooses.Offers(via))
}

// PaysOnline reports whether customers can pay by themselves. The sandbox takes no
// money: it counts in a demonstration alone. A way that asks who somebody is at WeChat
// counts where the mini-program tells that.
func (a *App) PaysOnline() bool {
	return slices.ContainsFunc(a.Vias(), func(via string) bool {
		if via == pay.ViaSandbox {
			return a.demo
		}
		return a.wechat != nil || !a.providers[via].Rules(via).NeedsOpenID
	})
}
