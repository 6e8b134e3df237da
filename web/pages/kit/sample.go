package kit

import (
	"fmt"
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

// hidesFrame finds a field of a page that has the name of one of its frame's: the
// layout would show it instead.
func hidesFrame(view any) error {
	page, frame := reflect.TypeOf(view).Elem(), reflect.TypeFor[Frame]()
	if page.Kind() != reflect.Struct {
		return nil
	}
	if f, has := page.FieldByName(frame.Name()); !has || !f.Anonymous || f.Type != frame {
		return nil
	}
	for i := range frame.NumField() {
		name := frame.Field(i).Name
		if f, has := page.FieldByName(name); has && len(f.Index) == 1 {
			return fmt.Errorf("%s.%s hides the frame's own", page, name)
		}
	}
	return nil
}
