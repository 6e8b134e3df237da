package pages

import "courtd/web/pages/kit"

// Check draws every page that there is.
func Check() error {
	s, err := kit.New(kit.Config{}, all...)
	if err != nil {
		return err
	}
	return s.Check()
}
