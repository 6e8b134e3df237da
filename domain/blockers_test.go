package domain_test

import (
	"slices"
	"testing"

	"courtd/domain"
)

// Since the hours changed two holds may lie in one slot. It is free when the last of them
// is over, whichever is read first.
func TestASlotWithTwoHoldsIsFreeAfterTheLast(t *testing.T) {
	hold := func(start, end, payBy domain.Instant) domain.Reservation {
		return domain.Reservation{CourtID: "c1", Claim: domain.Claim{BookedAt: 100, PayBy: payBy, CheckInFrom: start, CheckInBy: end, StartsAt: start, EndsAt: end}}
	}
	rows := []domain.Reservation{hold(1000, 1060, 300), hold(1060, 1120, 200)}
	paid := hold(1060, 1120, 200)
	paid.PaidAt = 150
	for range 2 {
		cell := domain.Judge("c1", domain.Slot{Start: 1000, End: 1120}, 0, domain.Never, 180, rows, nil)
		if cell.State() != domain.SlotHeld || cell.FreeAt() != 300 || cell.NextChange() != 300 {
			t.Errorf("it is %s, free at %d and changes at %d; want held, 300 and 300", cell.State(), cell.FreeAt(), cell.NextChange())
		}
		if cell := domain.Judge("c1", domain.Slot{Start: 1000, End: 1120}, 0, domain.Never, 180, append(rows[:1:1], paid), nil); cell.State() != domain.SlotTaken {
			t.Errorf("with one that is paid it is %s", cell.State())
		}
		slices.Reverse(rows)
	}
}
