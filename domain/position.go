package domain

// CheckPosition holds the place of a court or a good in its list within bounds.
func CheckPosition(position int) error {
	if position < 1 || position > MaxPosition {
		return BadField("position", "must be from 1 to %d", MaxPosition)
	}
	return nil
}
