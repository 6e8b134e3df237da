package secret_test

import (
	"strings"
	"testing"

	"courtd/app/secret"
)

// FuzzHash checks passwords against damaged hashes: none fits, none takes the machine's
// memory, and no error tells one.
func FuzzHash(f *testing.F) {
	good := secret.HashPassword("the password")
	// Cheap ones of the same form, so that many can be tried.
	for _, hash := range []string{good, good[:20], "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg", "$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg",
		"$argon2id$v=19$m=08,t=1,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg", "$$$$$", ""} {
		f.Add(hash)
	}
	f.Fuzz(func(t *testing.T, hash string) {
		fits, err := secret.CheckPassword(hash, "another password")
		if fits {
			t.Errorf("another password fits %q", hash)
		}
		parts := strings.Split(hash, "$")
		if err != nil && len(parts) == 6 && len(parts[5]) > 10 && strings.Contains(err.Error(), parts[5]) {
			t.Errorf("%v tells the hash", err)
		}
	})
}
