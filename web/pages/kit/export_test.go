package kit

import "io/fs"

// Sources are the kit's templates that the binary carries.
var Sources fs.FS = sources

// CheckTemplates does with the templates of one set of pages what Check does with all.
func CheckTemplates(set Pages) error {
	for _, lang := range Langs {
		t, err := newTemplates(lang, func(name string) (string, error) { return "/" + name, nil }, []Pages{set})
		if err != nil {
			return err
		}
		if err := t.check(); err != nil {
			return err
		}
	}
	return nil
}
