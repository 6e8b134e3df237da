package notify_test

import (
	"slices"
	"testing"

	"courtd/app/notify"
	"courtd/domain"
)

// TestEveryWhyHasWords: each word for why a message did not go out is said in both
// languages, and is either about the message or about its way.
func TestEveryWhyHasWords(t *testing.T) {
	words := append(slices.Clone(domain.WhyStale), domain.WhyNotReached...)
	for _, state := range []domain.State{domain.Held, domain.Lapsed, domain.Cancelled, domain.Paid, domain.NoShow, domain.Completed} {
		words = append(words, domain.WhyOrderIs+string(state))
	}
	for _, why := range words {
		zh, en := notify.WhyWords(why)
		if zh == why || en == why || zh == en || zh == "" || en == "" {
			t.Errorf("%s: %q, %q", why, zh, en)
		}
		if domain.IsStale(why) == slices.Contains(domain.WhyNotReached, why) {
			t.Errorf("%s is about both the message and its way, or neither", why)
		}
	}
}

// TestEveryKindHasWords: a kind without words of the program would panic when it is caused.
func TestEveryKindHasWords(t *testing.T) {
	for _, kind := range domain.NoticeKinds {
		w := notify.Render(kind, notify.Facts{OrderNumber: "1210-0001", Slots: []string{"x"}, SlotsEN: []string{"x"}})
		if w.Title == "" || w.Text == "" || w.TitleEN == "" || w.TextEN == "" {
			t.Errorf("%s: %+v", kind, w)
		}
	}
}
