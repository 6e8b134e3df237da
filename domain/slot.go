package domain

// Slot is one half-open interval [Start, End) of the venue's grid.
type Slot struct {
	Start Instant
	End   Instant
}

// Overlaps reports whether two half-open intervals share an instant; slots that
// only touch do not.
func (s Slot) Overlaps(other Slot) bool { return s.Start < other.End && other.Start < s.End }
