package kit

import (
	"reflect"
	"time"
)

// sampleAsset is the name of an asset that exists: a page draws what it is given.
const sampleAsset = "app.css"

// fill puts something into every field of a view.
func fill(view any) { fillValue(reflect.ValueOf(view).Elem()) }

func fillValue(v reflect.Value) {
	if v.Kind() != reflect.Struct && !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(sampleAsset)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem())
	case reflect.Slice:
		one := reflect.MakeSlice(v.Type(), 1, 1)
		fillValue(one.Index(0))
		v.Set(one)
	case reflect.Array:
		for i := range v.Len() {
			fillValue(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fillValue(v.Field(i))
		}
	}
}
