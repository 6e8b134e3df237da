package domain_test

import (
	"errors"
	"testing"

	"courtd/domain"
)

func TestTogetherNamesEveryField(t *testing.T) {
	p := domain.DefaultPolicy()
	p.HoldMinutes, p.Strikes = 0, -1
	wantFields(t, domain.Together(nil, domain.BadField("name", "must not be empty"), nil, p.Validate()), "name", "hold_minutes", "strikes")
	wantFields(t, domain.Together(nil, nil))
	one := domain.Together(domain.BadField("name", "must not be empty"))
	if one.Error() != domain.BadField("name", "must not be empty").Error() {
		t.Errorf("%v", one)
	}
	fault := errors.New("disk full")
	if got := domain.Together(domain.BadField("name", "must not be empty"), fault); got != fault {
		t.Errorf("a fault is told as %v", got)
	}
	if got := domain.Together(domain.Refuse(domain.Conflict, "slot_taken", "taken")); !domain.IsReason(got, "slot_taken") {
		t.Errorf("%v", got)
	}
}

func TestFirstRuleThatMatches(t *testing.T) {
	rules := venuePrices(t)
	if i, ok := rules.First("c6", date(t, "2026-12-10"), 600, false); !ok || i != 5 {
		t.Errorf("rule %d, %v", i, ok)
	}
	if i, ok := rules[:2].First("c6", date(t, "2026-12-10"), 600, false); ok {
		t.Errorf("rule %d matches and should not", i)
	}
	if rules[5].Unconditional() || !rules[6].Unconditional() {
		t.Error("which rule has no conditions")
	}
}
