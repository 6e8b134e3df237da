package kit

import "io/fs"

// Sources are the kit's templates that the binary carries.
var Sources fs.FS = sources

// CheckTemplates is what New does with the templates of one set of pages.
func CheckTemplates(set Pages) error {
	for _, lang := range Langs {
		if _, err := parseTemplates(lang, func(name string) (string, error) { return "/" + name, nil }, []Pages{set}); err != nil {
			return err
		}
	}
	return nil
}
