package records

import (
	"reflect"
	"strings"
	"testing"

	"courtd/domain"
)

// TestEverySettingHasWords: a new setting is told of in the audit in both languages.
func TestEverySettingHasWords(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
			look(of.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[of] {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			if w := settingNames[name]; w[0] == "" || w[1] == "" {
				t.Errorf("%s.%s: %q has no words", of, of.Field(i).Name, name)
			}
			look(of.Field(i).Type)
		}
	}
	for _, part := range []any{domain.Policy{}, domain.Hours{}, domain.PriceRules{}, domain.Messages{}} {
		look(reflect.TypeOf(part))
	}
	if len(seen) < 8 {
		t.Errorf("only %d kinds of settings were looked at", len(seen))
	}
}
