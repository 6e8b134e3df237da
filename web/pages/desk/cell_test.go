package desk

import (
	"reflect"
	"slices"
	"testing"

	"courtd/web/pages/kit"
)

// Whatever a cell shows tells one state of its slot from another, a field that is added
// later too. How somebody has come to look at it does not: the panel and the board work
// the sum out from different places.
func TestASumTellsEverythingThatACellShows(t *testing.T) {
	theLookers := []string{"Href", "Part", "Open", "Sum"}
	base := func() boardCell {
		return boardCell{Money: &kit.Words{"现金", "cash"}, Note: &kit.Words{"至 10:10", "until 10:10"}, Flags: []kit.Words{{"封场", "closed"}}}
	}
	sum := base().sum()
	if sum == "" || base().sum() != sum {
		t.Fatal("two cells that show the same have different sums")
	}
	kinds := reflect.TypeFor[boardCell]()
	for i := range kinds.NumField() {
		name, cell := kinds.Field(i).Name, base()
		if !kinds.Field(i).IsExported() {
			t.Errorf("%s has no part in the sum: it is not exported", name)
			continue
		}
		changed := reflect.ValueOf(&cell).Elem().Field(i)
		switch was := changed.Interface().(type) {
		case string:
			changed.SetString(was + "x")
		case bool:
			changed.SetBool(!was)
		case int, int64:
			changed.SetInt(changed.Int() + 1)
		case kit.Words:
			changed.Set(reflect.ValueOf(kit.Words{was[0], was[1] + "x"}))
		case *kit.Words:
			changed.Set(reflect.ValueOf(&kit.Words{was[0], was[1] + "x"}))
		case []kit.Words:
			changed.Set(reflect.ValueOf([]kit.Words{{was[0][0], "x"}}))
		default:
			t.Fatalf("%s: this test does not know how to change a %T", name, was)
		}
		if looker := slices.Contains(theLookers, name); (cell.sum() == sum) != looker {
			t.Errorf("%s: the sum is another: %t; the looker's own: %t", name, cell.sum() != sum, looker)
		}
	}
}
