package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"courtd/sqlite"
)

const (
	changesTold     = 50  // at most, of one act
	changeValueLong = 120 // characters of what a setting was or is

	// noItems is the value of an empty list, which is not the same as none: no channel is
	// other than the usual ones.
	noItems = "[]"
)

// settings are parts of the set-up taken apart: what each setting says, by where it stands,
// such as policy.hold_minutes. What a list holds stands under its id, or else its place.
type settings map[string]string

// settingsOf takes the venue's set-up apart. Messages are told of by themselves.
func settingsOf(v sqlite.Venue) settings {
	return apart(map[string]any{"name": v.Name, "zone": v.Zone, "currency": v.Currency, "address": v.Address, "phone": v.Phone,
		"policy": v.Policy, "hours": v.Calendar.Hours, "prices": v.Prices})
}

func apart(part any) settings {
	text, err := json.Marshal(part)
	if err != nil {
		panic("settings: " + err.Error()) // parts are plain values
	}
	var whole any
	reader := json.NewDecoder(strings.NewReader(string(text)))
	reader.UseNumber()
	if err := reader.Decode(&whole); err != nil {
		panic("settings: " + err.Error())
	}
	out := settings{}
	out.take("", whole)
	return out
}

func (s settings) take(at string, v any) {
	under := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for name, inner := range v {
			s.take(under(name), inner)
		}
	case []any:
		if len(v) == 0 {
			s[at] = noItems
		}
		var flat []string
		for i, item := range v {
			object, ok := item.(map[string]any)
			if !ok {
				flat = append(flat, fmt.Sprint(item))
				continue
			}
			name, ok := object["id"].(string)
			if !ok {
				name = strconv.Itoa(i + 1)
			}
			delete(object, "id") // it is in the name
			s.take(under(name), object)
		}
		if flat != nil {
			s[at] = strings.Join(flat, ", ")
		}
	default:
		s[at] = fmt.Sprint(v)
		if strings.HasSuffix(at, ".url") { // what follows may be somebody's secret
			if address, query, has := strings.Cut(s[at], "?"); has {
				s[at] = address + "?… (" + hash(query)[:6] + ")"
			}
		}
	}
}

// Changed is a setting that an act changed; Before is empty if there was none, After if
// there is none any more.
type Changed struct {
	Setting string `json:"setting"`
	Before  string `json:"before"`
	After   string `json:"after"`
}

func shown(value string) string {
	if runes := []rune(value); len(runes) > changeValueLong {
		return string(runes[:changeValueLong]) + "…"
	}
	return value
}

// since says for the audit what differs from before, in the order of the settings.
func (s settings) since(before settings) map[string]any {
	var all []Changed
	names := maps.Clone(s)
	maps.Copy(names, before)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was, is := before[name], s[name]; was != is {
			all = append(all, Changed{name, shown(was), shown(is)})
		}
	}
	if len(all) <= changesTold {
		return map[string]any{"changes": all}
	}
	return map[string]any{"changes": all[:changesTold], "further": len(all) - changesTold}
}
