package settings_test

import (
	"reflect"
	"testing"

	"courtd/domain"
	"courtd/web/pages/settings"
)

// Every number of the policy has a field: one without would be 0 whenever the owner
// saves another.
func TestPolicyFormHasEveryNumber(t *testing.T) {
	policy := domain.DefaultPolicy()
	numbers := reflect.ValueOf(&policy).Elem()
	seen := 0
	for i := range numbers.NumField() {
		if f := numbers.Field(i); f.CanInt() {
			f.SetInt(f.Int() + int64(10+i))
			seen++
		}
	}
	if seen < 10 {
		t.Fatalf("%d numbers: the policy is read wrongly", seen)
	}
	if got := settings.ThroughTheForm(policy); !reflect.DeepEqual(got, policy) {
		t.Errorf("the form makes\n%+v of\n%+v", got, policy)
	}
}
