package app

import (
	"maps"
	"slices"
)

// Vias lists the ways to pay that can be used here.
func (a *App) Vias() []string {
	vias := slices.Sorted(maps.Keys(a.providers))
	if vias == nil {
		vias = []string{}
	}
	return vias
}
