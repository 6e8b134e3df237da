package sms

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
)

func FuzzE164(f *testing.F) {
	for _, text := range []string{"13800000001", "+86 138-0000-0001", "008613800000001", "+85298765432", "02155550100", "", "+0123456", "１３８００００００００", "abc\n"} {
		f.Add(text)
	}
	form := regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	f.Fuzz(func(t *testing.T, text string) {
		number, err := E164(text)
		if err != nil {
			if !errors.Is(err, notify.ErrRefused) || len(strings.TrimSpace(text)) > 8 && strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if !form.MatchString(number) {
			t.Errorf("%q is dialled as %q", text, number)
		}
		if again, err := E164(number); again != number || err != nil {
			t.Errorf("%q is dialled as %q, %v", number, again, err)
		}
		phone, err := domain.ParsePhone("of", text)
		if err != nil {
			return // the form for phones of customers is stricter
		}
		if other, err := E164(phone); err != nil || other != number {
			t.Errorf("%q is kept as %q, and dialled as %q or %q, %v", text, phone, number, other, err)
		}
	})
}

// TestALandlineOfChinaIsNotDialled: written with its country it is no more a mobile.
func TestALandlineOfChinaIsNotDialled(t *testing.T) {
	for _, phone := range []string{"+8602155550100", "+862155550100", "02155550100", "+8612345678901"} {
		if number, err := E164(phone); !errors.Is(err, notify.ErrRefused) {
			t.Errorf("%s is dialled as %q, %v", phone, number, err)
		}
	}
}
