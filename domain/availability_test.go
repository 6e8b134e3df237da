package domain_test

import (
	"testing"

	"courtd/domain"
)

var evening = domain.Slot{Start: startsAt, End: endsAt}

func TestSlotsThatOnlyTouchDoNotOverlap(t *testing.T) {
	for other, want := range map[domain.Slot]bool{
		{Start: startsAt - 100, End: startsAt}:     false,
		{Start: startsAt - 100, End: startsAt + 1}: true,
		{Start: startsAt, End: endsAt}:             true,
		{Start: startsAt + 1, End: endsAt - 1}:     true,
		{Start: startsAt - 1, End: endsAt + 1}:     true,
		{Start: endsAt - 1, End: endsAt + 100}:     true,
		{Start: endsAt, End: endsAt + 100}:         false,
	} {
		if evening.Overlaps(other) != want || other.Overlaps(evening) != want {
			t.Errorf("%v and %v overlap: want %v", evening, other, want)
		}
	}
}

func closed() domain.Closure {
	return domain.Closure{ID: "k", Courts: []string{"c9", "c1"}, From: startsAt, To: endsAt, Reason: "wet", MadeAt: bookedAt, LiftedAt: payBy}
}

func TestClosureCovers(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*domain.Closure)
		court  string
		slot   domain.Slot
		at     domain.Instant
		want   bool
	}{
		"a second before it was made": {nil, "c1", evening, bookedAt - 1, false},
		"as it was made":              {nil, "c1", evening, bookedAt, true},
		"a second before it's lifted": {nil, "c1", evening, payBy - 1, true},
		"as it's lifted":              {nil, "c1", evening, payBy, false},
		"a second later":              {nil, "c1", evening, payBy + 1, false},
		"never lifted":                {func(c *domain.Closure) { c.LiftedAt = 0 }, "c1", evening, domain.Never, true},
		"another court":               {nil, "c2", evening, bookedAt, false},
		"its first court":             {nil, "c9", evening, bookedAt, true},
		"the slot before":             {nil, "c1", domain.Slot{Start: startsAt - 10, End: startsAt}, bookedAt, false},
		"the slot after":              {nil, "c1", domain.Slot{Start: endsAt, End: endsAt + 10}, bookedAt, false},
		"its last second":             {nil, "c1", domain.Slot{Start: endsAt - 1, End: endsAt + 10}, bookedAt, true},
	} {
		c := closed()
		if test.change != nil {
			test.change(&c)
		}
		if got := c.Covers(test.court, test.slot, test.at); got != test.want {
			t.Errorf("%s: covers %v, want %v", name, got, test.want)
		}
	}
}

func row(id string, facts ...func(*domain.Claim)) domain.Reservation {
	return domain.Reservation{ID: id, CourtID: "c1", Claim: with(facts...)}
}

func TestJudgeFindsWhatBlocks(t *testing.T) {
	elsewhere := row("elsewhere")
	elsewhere.CourtID = "c2"
	before, half := row("before"), row("half")
	before.StartsAt, before.EndsAt = startsAt-100, startsAt
	half.StartsAt, half.EndsAt = endsAt-1, endsAt+100
	for name, test := range map[string]struct {
		rows []domain.Reservation
		at   domain.Instant
		want string
	}{
		"nothing":                     {nil, bookedAt, ""},
		"not booked yet":              {[]domain.Reservation{row("a")}, bookedAt - 1, ""},
		"held":                        {[]domain.Reservation{row("a")}, bookedAt, "a"},
		"held to the last second":     {[]domain.Reservation{row("a")}, payBy - 1, "a"},
		"lapsed":                      {[]domain.Reservation{row("a")}, payBy, ""},
		"on another court":            {[]domain.Reservation{elsewhere}, bookedAt, ""},
		"back to back":                {[]domain.Reservation{before}, bookedAt, ""},
		"half of it":                  {[]domain.Reservation{half}, bookedAt, "half"},
		"the live one of two":         {[]domain.Reservation{row("a", cancelled(10_001)), row("b")}, 10_001, "b"},
		"the one before a later fact": {[]domain.Reservation{row("a", cancelled(10_001))}, bookedAt, "a"},
		"paid before held":            {[]domain.Reservation{row("a"), row("b", paid(10_300)), row("c")}, 10_300, "b"},
		"paid later":                  {[]domain.Reservation{row("a"), row("b", paid(10_300))}, 10_299, "a"},
	} {
		cell := domain.Judge("c1", evening, 0, startsAt, test.at, test.rows, nil)
		got := ""
		if cell.Blocker != nil {
			got = cell.Blocker.ID
		}
		if got != test.want {
			t.Errorf("%s: blocked by %q, want %q", name, got, test.want)
		}
		if cell.CourtID != "c1" || cell.Slot != evening || cell.At != test.at || cell.SaleEnds != startsAt {
			t.Errorf("%s: the cell is another one: %+v", name, cell)
		}
	}
	two := []domain.Closure{{ID: "k1", Courts: []string{"c2"}, From: 0, To: domain.Never}, closed()}
	if cell := domain.Judge("c1", evening, 0, startsAt, bookedAt, nil, two); cell.Closure == nil || cell.Closure.ID != "k" {
		t.Errorf("closed by %+v, want k", cell.Closure)
	}
}

// judged is a cell that everything stands in the way of, less what change takes away.
func judged(at domain.Instant, change func(*domain.Cell)) domain.Cell {
	held, shut := row("a"), closed()
	c := domain.Cell{CourtID: "c1", Slot: evening, At: at, OpensAt: domain.Never, SaleEnds: 0, Blocker: &held, Closure: &shut}
	if change != nil {
		change(&c)
	}
	return c
}

func TestTheFirstThatFits(t *testing.T) {
	open := func(c *domain.Cell) { c.Closure = nil }
	onSale := func(c *domain.Cell) { c.Closure, c.OpensAt = nil, bookedAt }
	taken := func(c *domain.Cell) { onSale(c); c.Blocker.PaidAt = bookedAt + 1 }
	free := func(c *domain.Cell) { onSale(c); c.Blocker = nil }
	selling := func(c *domain.Cell) { free(c); c.SaleEnds = 16_620 }
	for name, test := range map[string]struct {
		cell           domain.Cell
		state          domain.SlotState
		customer, desk string
		freeAt         domain.Instant
	}{
		"its last second":      {judged(endsAt-1, free), domain.SlotPast, "slot_past", "", 0},
		"over":                 {judged(endsAt, free), domain.SlotPast, "slot_past", "slot_past", 0},
		"over and closed":      {judged(endsAt, nil), domain.SlotPast, "slot_past", "slot_past", 0},
		"begun and closed":     {judged(startsAt, nil), domain.SlotPast, "slot_past", "slot_closed", 0},
		"begun and blocked":    {judged(startsAt, open), domain.SlotPast, "slot_past", "slot_taken", 0},
		"a second to go":       {judged(startsAt-1, nil), domain.SlotClosed, "slot_closed", "slot_closed", 0},
		"closed":               {judged(bookedAt, nil), domain.SlotClosed, "slot_closed", "slot_closed", 0},
		"not open":             {judged(bookedAt, open), domain.SlotNotOpen, "not_open_yet", "slot_taken", 0},
		"a second before open": {judged(bookedAt-1, onSale), domain.SlotNotOpen, "not_open_yet", "slot_taken", 0},
		"held":                 {judged(bookedAt, onSale), domain.SlotHeld, "slot_taken", "slot_taken", payBy},
		"held, paid later":     {judged(bookedAt, taken), domain.SlotHeld, "slot_taken", "slot_taken", payBy},
		"taken":                {judged(bookedAt+1, taken), domain.SlotTaken, "slot_taken", "slot_taken", 0},
		"free, sale over":      {judged(bookedAt, free), domain.SlotFree, "slot_past", "", 0},
		"free":                 {judged(bookedAt, selling), domain.SlotFree, "", "", 0},
		"last second of sale":  {judged(16_619, selling), domain.SlotFree, "", "", 0},
		"end of sale":          {judged(16_620, selling), domain.SlotFree, "slot_past", "", 0},
	} {
		if got := test.cell.State(); got != test.state {
			t.Errorf("%s: %s, want %s", name, got, test.state)
		}
		if got := test.cell.FreeAt(); got != test.freeAt {
			t.Errorf("%s: free at %d, want %d", name, got, test.freeAt)
		}
		wantReason(t, name+": customer", test.cell.RefuseCustomer(), test.customer)
		wantReason(t, name+": desk", test.cell.RefuseDesk(), test.desk)
	}
}

func wantReason(t *testing.T, what string, err *domain.Error, reason string) {
	t.Helper()
	if err == nil && reason != "" {
		t.Errorf("%s: let through, want %s", what, reason)
	}
	if err != nil && (err.Reason != reason || err.Kind != domain.Conflict) {
		t.Errorf("%s: %v, want %q", what, err, reason)
	}
}

func TestNextChange(t *testing.T) {
	const saleEnds = 16_620
	held, short := []domain.Reservation{row("a")}, []domain.Reservation{row("a", paid(10_300))}
	short[0].CheckInBy = 12_000
	late := []domain.Reservation{row("a", paid(10_300), cancelled(10_500))}
	shut := []domain.Closure{closed()}
	for name, test := range map[string]struct {
		at       domain.Instant
		saleEnds domain.Instant
		rows     []domain.Reservation
		closures []domain.Closure
		want     domain.Instant
	}{
		"before it opens":            {8_999, saleEnds, nil, nil, 9_000},
		"as it opens":                {9_000, saleEnds, nil, nil, saleEnds},
		"sold by the desk already":   {8_999, saleEnds, held, nil, 9_000},
		"a second before sale ends":  {saleEnds - 1, saleEnds, nil, nil, saleEnds},
		"as sale ends":               {saleEnds, saleEnds, nil, nil, startsAt},
		"sold up to the start":       {saleEnds, startsAt, nil, nil, startsAt},
		"a second before the start":  {startsAt - 1, saleEnds, nil, nil, startsAt},
		"begun":                      {startsAt, saleEnds, nil, nil, 0},
		"begun and taken":            {startsAt, saleEnds, []domain.Reservation{row("a", paid(10_300))}, nil, 0},
		"over":                       {endsAt, saleEnds, nil, nil, 0},
		"held":                       {10_000, saleEnds, held, nil, payBy},
		"a second before the lapse":  {payBy - 1, saleEnds, held, nil, payBy},
		"at the lapse":               {payBy, saleEnds, held, nil, saleEnds},
		"held, sale ends before":     {10_000, 10_001, held, nil, payBy},
		"taken":                      {10_300, saleEnds, short, nil, 12_000},
		"taken to its end":           {10_300, saleEnds, []domain.Reservation{row("a", paid(10_300))}, nil, startsAt},
		"not known to be paid yet":   {10_299, saleEnds, short, nil, payBy},
		"not known to be cancelled":  {10_300, saleEnds, late, nil, startsAt},
		"cancelled":                  {10_500, saleEnds, late, nil, saleEnds},
		"closed until somebody acts": {10_000, saleEnds, held, shut, startsAt},
	} {
		cell := domain.Judge("c1", evening, 9_000, test.saleEnds, test.at, test.rows, test.closures)
		if got := cell.NextChange(); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
	opensLate := domain.Judge("c1", evening, domain.Never, saleEnds, bookedAt, nil, nil)
	if got := opensLate.NextChange(); got != startsAt {
		t.Errorf("a slot that never opens changes at %d, want its start", got)
	}
}

func TestWhatHasBecomeOfAClosure(t *testing.T) {
	plain := domain.Closure{From: 1000, To: 2000, MadeAt: 500}
	lifted := plain
	lifted.LiftedAt = 1500
	for at, want := range map[domain.Instant][2]domain.ClosureState{
		999: {domain.ClosureAhead, domain.ClosureAhead}, 1000: {domain.ClosureNow, domain.ClosureNow}, 1499: {domain.ClosureNow, domain.ClosureNow},
		1500: {domain.ClosureNow, domain.ClosureLifted}, 1999: {domain.ClosureNow, domain.ClosureLifted}, 2000: {domain.ClosureOver, domain.ClosureLifted},
	} {
		if got := [2]domain.ClosureState{plain.State(at), lifted.State(at)}; got != want {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
}
