package app

import (
	"maps"
	"slices"

	"courtd/app/pay"
)

// Vias lists the ways to pay that can be used here.
func (a *App) Vias() []string {
	vias := slices.Sorted(maps.Keys(a.providers))
	if vias == nil {
		vias = []string{}
	}
	return vias
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
