package settings

import "courtd/domain"

// ThroughTheForm is what comes of a policy that is shown in the form and sent as it
// stands, whether or not it may be so.
func ThroughTheForm(p domain.Policy) domain.Policy {
	values := valuesOfPolicy(p)
	out, _ := readPolicy(func(name string) string { return values[name] })
	return out
}
