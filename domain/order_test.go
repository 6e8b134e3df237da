package domain_test

import (
	"slices"
	"testing"

	"courtd/domain"
)

func basket(lines int, facts ...func(*domain.Claim)) domain.Basket {
	b := domain.Basket{ID: "b", Coupon: "TEN", Claim: with(facts...)}
	b.StartsAt, b.EndsAt, b.CheckInFrom, b.CheckInBy = 0, b.CheckedInAt, 0, endsAt
	for range lines {
		b.Lines = append(b.Lines, domain.BasketLine{GoodID: "g", Qty: 2, PriceFen: 300})
	}
	return b
}

func order(claims ...any) domain.Order {
	o := domain.Order{ID: "o"}
	for _, c := range claims {
		switch c := c.(type) {
		case domain.Reservation:
			o.Reservations = append(o.Reservations, c)
		case domain.Basket:
			o.Baskets = append(o.Baskets, c)
		}
	}
	return o
}

// slot is a reservation of 6000 fen with a discount of 500.
func slot(facts ...func(*domain.Claim)) domain.Reservation {
	r := row("r", facts...)
	r.PriceFen, r.DiscountFen = 6000, 500
	return r
}

func replaced(r domain.Reservation, at domain.Instant) domain.Reservation {
	r.ReplacedAt = at
	return r
}

func TestRowsCountFromBookingUntilReplaced(t *testing.T) {
	for _, test := range []struct {
		replacedAt, at domain.Instant
		want           bool
	}{
		{0, bookedAt - 1, false}, {0, bookedAt, true}, {0, domain.Never, true},
		{payBy, bookedAt - 1, false}, {payBy, payBy - 1, true}, {payBy, payBy, false}, {payBy, payBy + 1, false},
	} {
		r, b := slot(), basket(1)
		r.ReplacedAt, b.ReplacedAt = test.replacedAt, test.replacedAt
		if got := r.Counts(test.at); got != test.want {
			t.Errorf("reservation replaced at %d counts at %d: %v, want %v", test.replacedAt, test.at, got, test.want)
		}
		if got := b.Counts(test.at); got != test.want {
			t.Errorf("basket replaced at %d counts at %d: %v, want %v", test.replacedAt, test.at, got, test.want)
		}
		o := order(r, b)
		if _, has := o.Basket(test.at); has != test.want || len(o.Slots(test.at)) == 1 != test.want {
			t.Errorf("replaced at %d: the order of %d disagrees", test.replacedAt, test.at)
		}
		if got := len(o.Claims(test.at)); got == 2 != test.want || got == 0 == test.want {
			t.Errorf("replaced at %d: %d claims at %d", test.replacedAt, got, test.at)
		}
	}
}

func TestUsesCoupon(t *testing.T) {
	kept := func(b domain.Basket) domain.Basket { b.CouponKept = true; return b }
	gone := func(b domain.Basket) domain.Basket { b.ReplacedAt = 10_500; return b }
	none := func(b domain.Basket) domain.Basket { b.Coupon = ""; return b }
	for name, test := range map[string]struct {
		basket domain.Basket
		at     domain.Instant
		want   bool
	}{
		"not booked yet":              {basket(0), bookedAt - 1, false},
		"held":                        {basket(0), bookedAt, true},
		"held to the last second":     {basket(0), payBy - 1, true},
		"lapsed":                      {basket(0), payBy, false},
		"without a coupon":            {none(basket(1)), bookedAt, false},
		"confirmed":                   {basket(0, paid(10_300)), payBy, true},
		"never fetched":               {basket(1, paid(10_300)), endsAt, true},
		"handed over":                 {basket(1, paid(10_300), checkedIn(16_000)), 16_000, true},
		"cancelled":                   {basket(0, paid(10_300), cancelled(12_000)), 12_000, false},
		"before it was cancelled":     {basket(0, paid(10_300), cancelled(12_000)), 11_999, true},
		"cancelled too late":          {kept(basket(0, paid(10_300), cancelled(12_000))), 12_000, true},
		"moved along":                 {basket(0, paid(10_300), moved(12_000)), 12_000, false},
		"replaced":                    {gone(basket(0, paid(10_300))), 10_500, false},
		"a second before replacement": {gone(basket(0, paid(10_300))), 10_499, true},
		"lapsed, whatever was kept":   {kept(basket(0)), payBy, false},
	} {
		if got := test.basket.UsesCoupon(test.at); got != test.want {
			t.Errorf("%s: uses its coupon %v, want %v", name, got, test.want)
		}
	}
}

func TestOrderState(t *testing.T) {
	p := paid(10_300)
	in := checkedIn(16_000)
	out := cancelled(12_000)
	for name, test := range map[string]struct {
		order domain.Order
		at    domain.Instant
		want  domain.State
	}{
		"nothing":                                {order(), bookedAt, domain.None},
		"not booked yet":                         {order(slot(), basket(1)), bookedAt - 1, domain.None},
		"held":                                   {order(slot(), basket(1)), bookedAt, domain.Held},
		"held to the last second":                {order(slot(), basket(1)), payBy - 1, domain.Held},
		"lapsed":                                 {order(slot(), basket(1)), payBy, domain.Lapsed},
		"a second before the money":              {order(slot(p)), 10_299, domain.Held},
		"paid":                                   {order(slot(p), basket(1, p)), 10_300, domain.Paid},
		"a hold given up":                        {order(slot(cancelled(10_300)), basket(1, cancelled(10_300))), 10_300, domain.Cancelled},
		"before it was given up":                 {order(slot(cancelled(10_300))), 10_299, domain.Held},
		"a hold of which the venue closed half":  {order(slot(cancelled(10_300)), slot()), 10_300, domain.Held},
		"half closed, half lapsed":               {order(slot(cancelled(10_300)), slot()), payBy, domain.Lapsed},
		"all of it cancelled":                    {order(slot(p, out), slot(p, out), basket(1, p, out)), 12_000, domain.Cancelled},
		"a second before all was cancelled":      {order(slot(p, out), slot(p, out), basket(1, p, out)), 11_999, domain.Paid},
		"one slot closed, one to come":           {order(slot(p, out), slot(p)), 12_000, domain.Paid},
		"one slot closed, one not come to":       {order(slot(p, out), slot(p)), shutsDoor, domain.NoShow},
		"one slot closed, one played":            {order(slot(p, out), slot(p, in)), endsAt, domain.Completed},
		"slots closed, goods to fetch":           {order(slot(p, out), basket(1, p)), 12_000, domain.Paid},
		"slots closed, goods fetched":            {order(slot(p, out), basket(1, p, in)), 16_000, domain.Completed},
		"goods given back, slot to come":         {order(slot(p), basket(1, p, out)), 12_000, domain.Paid},
		"playing":                                {order(slot(p, in)), endsAt - 1, domain.Paid},
		"played":                                 {order(slot(p, in)), endsAt, domain.Completed},
		"nobody came":                            {order(slot(p)), shutsDoor, domain.NoShow},
		"a second before the door shuts":         {order(slot(p)), shutsDoor - 1, domain.Paid},
		"came to one of two":                     {order(slot(p, in), slot(p)), endsAt, domain.Completed},
		"came to neither of two":                 {order(slot(p), slot(p)), endsAt, domain.NoShow},
		"one shut, one to play":                  {order(slot(p), slot(p, doorUntilEnd)), shutsDoor, domain.Paid},
		"nobody came, goods wait":                {order(slot(p), basket(1, p)), shutsDoor, domain.Paid},
		"nobody came for goods or slot":          {order(slot(p), basket(1, p)), endsAt, domain.NoShow},
		"nobody came, goods fetched":             {order(slot(p), basket(1, p, in)), endsAt, domain.NoShow},
		"goods alone, held":                      {order(basket(1)), bookedAt, domain.Held},
		"goods alone, waiting":                   {order(basket(1, p)), endsAt - 1, domain.Paid},
		"goods alone, fetched":                   {order(basket(1, p, in)), 16_000, domain.Completed},
		"goods alone, a second before":           {order(basket(1, p, in)), 15_999, domain.Paid},
		"goods alone, cancelled":                 {order(basket(1, p, out)), 12_000, domain.Cancelled},
		"a coupon waits, slot played":            {order(slot(p, in), basket(0, p)), endsAt - 1, domain.Paid},
		"a coupon's end is no end":               {order(slot(p, in), basket(0, p)), endsAt, domain.Completed},
		"a coupon kept by a cancelled order":     {order(slot(p, out), basket(0, p)), 12_000, domain.Cancelled},
		"a coupon waits, nobody came":            {order(slot(p), basket(0, p)), shutsDoor, domain.NoShow},
		"a coupon alone is no order":             {order(basket(0, p)), bookedAt, domain.None},
		"born paid":                              {order(slot(bornPaid)), bookedAt, domain.Paid},
		"a lapsed row replaced, revived":         {order(replaced(slot(), 11_000), slot(func(c *domain.Claim) { c.BookedAt = 11_000 }, bornPaid)), 11_000, domain.Paid},
		"the second before its revival":          {order(replaced(slot(), 11_000), slot(func(c *domain.Claim) { c.BookedAt = 11_000 }, bornPaid)), 10_999, domain.Lapsed},
		"a no-show replaced, undone":             {order(replaced(slot(p), 18_000), slot(func(c *domain.Claim) { c.BookedAt = 18_000 }, bornPaid, checkedIn(18_000))), 18_000, domain.Paid},
		"the undone one ends":                    {order(replaced(slot(p), 18_000), slot(func(c *domain.Claim) { c.BookedAt = 18_000 }, bornPaid, checkedIn(18_000))), endsAt, domain.Completed},
		"moved, and the other cancelled":         {order(replaced(slot(p, moved(11_000)), 11_000), slot(func(c *domain.Claim) { c.BookedAt = 11_000 }, bornPaid, out)), 12_000, domain.Cancelled},
		"moved, before the other cancelled":      {order(replaced(slot(p, moved(11_000)), 11_000), slot(func(c *domain.Claim) { c.BookedAt = 11_000 }, bornPaid, out)), 11_999, domain.Paid},
		"paid although the paid part is no more": {order(slot(p, out), slot(bornPaid)), shutsDoor, domain.NoShow},
	} {
		if got := test.order.State(test.at); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestOrderMoneyAndDeadlines(t *testing.T) {
	early := slot(paid(10_300), cancelled(12_000))
	early.StartsAt -= 100
	late := slot(bornPaid)
	late.StartsAt += 100
	goods := basket(2, paid(10_300))
	goods.DiscountFen = 150
	o := order(early, late, slot(paid(10_300)), goods)
	for _, at := range []domain.Instant{11_999, 12_000} {
		if got := o.TotalFen(at); got != 3*5500+2*600-150 {
			t.Errorf("total at %d is %d", at, got)
		}
		if got := o.DiscountFen(at); got != 3*500+150 {
			t.Errorf("discount at %d is %d", at, got)
		}
	}
	if got := o.PayBy(bookedAt); got != payBy {
		t.Errorf("pay by %d", got)
	}
	if got := order(slot(bornPaid), basket(1, bornPaid)).PayBy(bookedAt); got != 0 {
		t.Errorf("born paid, pay by %d", got)
	}
	for at, want := range map[domain.Instant]domain.Instant{bookedAt - 1: 0, 11_999: startsAt - 100, 12_000: startsAt, domain.Never: startsAt} {
		if got := o.FirstStart(at); got != want {
			t.Errorf("first start at %d is %d, want %d", at, got, want)
		}
	}
	if got := order(goods).FirstStart(bookedAt); got != 0 {
		t.Errorf("goods alone start at %d", got)
	}
}

func TestCancelRefund(t *testing.T) {
	p := paid(10_300)
	in := checkedIn(16_000)
	odd := slot(p)
	odd.PriceFen, odd.DiscountFen = 101, 0
	goods := basket(1, p)
	goods.DiscountFen = 100
	far := func(r domain.Reservation) domain.Reservation { r.StartsAt += 100_000; return r }
	for name, test := range map[string]struct {
		order   domain.Order
		at      domain.Instant
		byVenue bool
		want    domain.Refund
	}{
		"in good time":                     {order(far(slot(p)), goods), 10_300, false, domain.Refund{Percent: 100, SlotsFen: 5500, GoodsFen: 500, AmountFen: 6000}},
		"an hour before":                   {order(slot(p), goods), startsAt - 3600, false, domain.Refund{Percent: 50, Step: 1, SlotsFen: 2750, GoodsFen: 500, AmountFen: 3250}},
		"a second later":                   {order(slot(p), goods), startsAt - 3599, false, domain.Refund{Percent: 0, Step: 2, GoodsFen: 500, AmountFen: 500}},
		"the venue cancels":                {order(slot(p), goods), startsAt - 1, true, domain.Refund{Percent: 100, SlotsFen: 5500, GoodsFen: 500, AmountFen: 6000}},
		"rounded down":                     {order(odd), startsAt - 3600, false, domain.Refund{Percent: 50, Step: 1, SlotsFen: 50, AmountFen: 50}},
		"rounded once, not per slot":       {order(odd, odd), startsAt - 3600, false, domain.Refund{Percent: 50, Step: 1, SlotsFen: 101, AmountFen: 101}},
		"by the order's first start":       {order(far(slot(p)), slot(p)), startsAt - 3600, false, domain.Refund{Percent: 50, Step: 1, SlotsFen: 5500, AmountFen: 5500}},
		"a closed slot is no first start":  {order(far(slot(p)), slot(p, cancelled(10_400))), startsAt - 3600, false, domain.Refund{Percent: 100, SlotsFen: 5500, AmountFen: 5500}},
		"unpaid":                           {order(slot(), basket(1)), bookedAt, true, domain.Refund{Percent: 100}},
		"before the money":                 {order(slot(p), goods), 10_299, true, domain.Refund{Percent: 100}},
		"goods alone":                      {order(goods), 10_300, false, domain.Refund{Percent: 100, GoodsFen: 500, AmountFen: 500}},
		"goods fetched":                    {order(slot(p), basket(1, p, in)), 16_000, true, domain.Refund{Percent: 100, SlotsFen: 5500, AmountFen: 5500}},
		"what has ended gives nothing":     {order(slot(p), slot(p, in)), shutsDoor, true, domain.Refund{Percent: 100, SlotsFen: 5500, AmountFen: 5500}},
		"last second of the door":          {order(slot(p), slot(p, in)), shutsDoor - 1, true, domain.Refund{Percent: 100, SlotsFen: 11000, AmountFen: 11000}},
		"goods not fetched in time":        {order(basket(1, p)), endsAt, true, domain.Refund{Percent: 100}},
		"replaced rows give nothing twice": {order(replaced(slot(p), 10_400), slot(bornPaid)), 10_400, true, domain.Refund{Percent: 100, SlotsFen: 5500, AmountFen: 5500}},
	} {
		test.order.Terms.RefundLadder = domain.RefundLadder{{HoursBefore: 24, Percent: 100}, {HoursBefore: 1, Percent: 50}}
		if got := test.order.CancelRefund(test.at, test.byVenue); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestShareDiscount(t *testing.T) {
	for _, test := range []struct {
		discount int64
		prices   []int64
		shares   []int64
		rest     int64
	}{
		{0, []int64{6000, 6000}, []int64{0, 0}, 0},
		{1000, []int64{6000, 4000}, []int64{600, 400}, 0},
		{100, []int64{1, 1, 1}, []int64{1, 1, 1}, 97},
		{2, []int64{1, 1, 1}, []int64{0, 1, 1}, 0},
		{10, []int64{3, 3, 3}, []int64{3, 3, 3}, 1},
		{500, nil, []int64{}, 500},
		{500, []int64{0, 0}, []int64{0, 0}, 500},
		{500, []int64{0, 700}, []int64{0, 500}, 0},
	} {
		shares, rest := domain.ShareDiscount(test.discount, test.prices)
		if !slices.Equal(shares, test.shares) || rest != test.rest {
			t.Errorf("%d over %v: %v and %d, want %v and %d", test.discount, test.prices, shares, rest, test.shares, test.rest)
		}
	}
}

func TestSharesAlwaysAddUp(t *testing.T) {
	prices := []int64{0, 1, 2, 7, 6000}
	for discount := range int64(40) {
		for _, a := range prices {
			for _, b := range prices {
				for _, c := range prices {
					slots := []int64{a, b, c}
					sum := int64(0)
					shares, rest := domain.ShareDiscount(discount, slots)
					for i, share := range shares {
						if share < 0 || share > slots[i] {
							t.Fatalf("%d over %v: share %v", discount, slots, shares)
						}
						sum += share
					}
					if sum+rest != discount || rest < 0 || rest > 0 && sum != a+b+c {
						t.Fatalf("%d over %v: %v and %d", discount, slots, shares, rest)
					}
				}
			}
		}
	}
}
