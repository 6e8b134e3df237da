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
// money: it counts in a demonstration alone.
func (a *App) PaysOnline() bool {
	for via := range a.providers {
		if via != pay.ViaSandbox || a.demo {
			return true
		}
	}
	return false
}
