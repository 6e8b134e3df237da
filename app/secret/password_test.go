package secret_test

import (
	"strings"
	"sync"
	"testing"

	"courtd/app/secret"
)

func TestPassword(t *testing.T) {
	hash := secret.HashPassword("correct horse 电池")
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("hash %q has other parameters", hash)
	}
	for _, c := range []struct {
		password string
		want     bool
	}{{"correct horse 电池", true}, {"correct horse 电地", false}, {"", false}, {"correct horse 电池 ", false}} {
		got, err := secret.CheckPassword(hash, c.password)
		if err != nil || got != c.want {
			t.Errorf("CheckPassword(%q) = %v, %v; want %v", c.password, got, err, c.want)
		}
	}
	if again := secret.HashPassword("correct horse 电池"); again == hash {
		t.Error("two hashes of one password share a salt")
	}
}

// A hash that another program made with other parameters is read as it is:
// echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32, whose result is
// the published test vector.
func TestCheckPasswordPublishedVector(t *testing.T) {
	const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if ok, err := secret.CheckPassword(hash, "password"); err != nil || !ok {
		t.Fatalf("got %v, %v; want true", ok, err)
	}
	if ok, err := secret.CheckPassword(hash, "differentpassword"); err != nil || ok {
		t.Fatalf("got %v, %v; want false", ok, err)
	}
}

func TestCheckPasswordRefusesDamagedHash(t *testing.T) {
	const salt, key = "$c29tZXNhbHQ", "$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for _, hash := range []string{
		"",
		"password",
		"$argon2i$v=19$m=19456,t=2,p=1" + salt + key,
		"$argon2id$v=16$m=19456,t=2,p=1" + salt + key,
		"$argon2id$v=19$m=65537,t=2,p=1" + salt + key,
		"$argon2id$v=19$m=4294967295,t=2,p=1" + salt + key,
		"$argon2id$v=19$m=19456,t=11,p=1" + salt + key,
		"$argon2id$v=19$m=19456,t=0,p=1" + salt + key,
		"$argon2id$v=19$m=19456,t=2,p=0" + salt + key,
		"$argon2id$v=19$m=19456,t=2,p=5" + salt + key,
		"$argon2id$v=19$m=19456,t=2,p=1 " + salt + key,
		"$argon2id$v=19$t=2,m=19456,p=1" + salt + key,
		"$argon2id$v=19$m=19456,t=2,p=1" + salt,
		"$argon2id$v=19$m=19456,t=2,p=1$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1" + salt + "$",
		"$argon2id$v=19$m=19456,t=2,p=1" + salt + "$!!!!",
		"$argon2id$v=19$m=19456,t=2,p=1" + salt + key + "$",
	} {
		if ok, err := secret.CheckPassword(hash, "password"); err == nil || ok {
			t.Errorf("CheckPassword(%q) = %v, %v; want an error", hash, ok, err)
		}
	}
}

func TestPasswordsHashedAtOnce(t *testing.T) {
	hash := secret.HashPassword("p")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if ok, err := secret.CheckPassword(hash, "p"); err != nil || !ok {
				t.Errorf("got %v, %v; want true", ok, err)
			}
			secret.CheckNobody("p")
		})
	}
	wait.Wait()
}
