package pages

import "io/fs"

// Sources are the templates that the binary carries.
var Sources fs.FS = sources

// CheckTemplates is what Register does with the templates.
func CheckTemplates(from fs.FS) error {
	_, err := parseTemplates(from, func(name string) (string, error) { return "/" + name, nil })
	return err
}

// SafeNext is where a login goes on to.
var SafeNext = safeNext
