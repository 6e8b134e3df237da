package domain

import "time"

// Limits of the venue and its grid.
const (
	MaxCourts       = 200     // courts of one venue
	MaxPosition     = 100_000 // place of a court or good in its list
	MaxSlotsPerDay  = 96      // slots of one court on a business day of ordinary length
	MaxDaysAhead    = 90      // days ahead that can be opened for booking
	MinSlotMinutes  = 5       // minutes
	MaxSlotMinutes  = 1440    // minutes
	MaxClosesMinute = 2160    // minutes since midnight: a business day ends by noon of the next day
	MaxExceptions   = 1000    // dates with opening hours of their own
	MaxHolidays     = 1000    // dates
	MaxPriceRules   = 100     // rules in the ordered list
	MaxRefundSteps  = 10      // steps of the refund ladder
)

// Limits of one order.
const (
	MaxSlotsPerOrder = 8          // slots
	MaxGoodsLines    = 20         // different goods
	MaxPriceFen      = 10_000_000 // fen: ￥100,000 for one slot or good, or off with one coupon
)

// Limits of text. Characters are Unicode code points, never bytes.
const (
	MaxNameChars       = 40  // characters
	MaxNoteChars       = 200 // characters
	MaxCouponCodeChars = 32  // ASCII characters
	MaxKeyChars        = 64  // ASCII characters of an idempotency key or a nonce
	MinPhoneDigits     = 6   // digits
	MaxPhoneDigits     = 15  // digits, as in E.164
)

// Limits of requests and answers.
const (
	MaxBodyBytes    = 64 << 10       // bytes of a request body
	MaxBillBytes    = 16 << 20       // bytes of a provider's bill of one day
	MaxBillLines    = 20_000         // payments and refunds in it
	MaxTableRows    = 50_000         // differences of one table to save
	MaxPageItems    = 100            // items on one page of a list
	MaxReportDays   = 366            // days of one report
	MaxFound        = 20             // orders that one search of the desk gives
	FindAmong       = 20_000         // newest orders that it looks through
	IdempotencyLife = 48 * time.Hour // how long an idempotency key is remembered
)

// Limits of the reconciler.
const (
	SettleBatch    = 500 // rows that one step of a round takes up at most
	MaxNoticeTries = 8   // deliveries tried before a notice is given up
)

// Limits of signing in.
const (
	SessionLife       = 90 * 24 * time.Hour
	LoginCodeLife     = 5 * time.Minute
	MaxLoginCodeTries = 5 // wrong guesses at one login code from one address

	// MaxLoginCodeTriesAnyhow are wrong guesses at one login code from all addresses. A
	// code is one of a million: the odds to hit one are 30 in a million, and those to
	// hit any of a phone's in a day (20 codes) 600 in a million, for somebody who has
	// addresses enough. With fewer, a handful of strangers could end the code of somebody
	// who is about to type it.
	MaxLoginCodeTriesAnyhow = 30

	LoginCodesWindow     = 24 * time.Hour
	LoginCodesPerDay     = 20 // codes sent to one phone in that time: what a stranger can cost the venue
	LoginCodesPerAddress = 6  // of those, at the request of one address

	MaxWeChatCodeChars   = 128 // ASCII characters of a code from wx.login
	MaxEmailBytes        = 254 // bytes of an email address
	MaxAllowancesPerCall = 3   // templates that WeChat asks about at one tap
	MaxAllowances        = 50  // messages of one template that are counted for one customer

	KnownBrowserLife = 180 * 24 * time.Hour // since the last time that a staff member signed in there
	MaxKnownBrowsers = 20                   // of one staff member
)

// The cool-down after unpaid orders.
const (
	CoolDownWindow = 24 * time.Hour   // lapses this close to the last one count
	CoolDownFrom   = 3                // lapses that start a cool-down
	CoolDownBase   = 15 * time.Minute // the first cool-down; each further lapse doubles it
	CoolDownMax    = 24 * time.Hour
)

// The passwords of those who work here.
const (
	MinPasswordChars = 10
	MaxPasswordChars = 200
)

// Limits of the settings in Policy that no other limit bounds.
const (
	MaxHoldMinutes       = 24 * 60           // minutes an unpaid order may be held
	MaxCheckInMinutes    = 24 * 60           // minutes, on either side of a slot's start
	MaxSaleEndsMinutes   = 24 * 60           // minutes before a slot's start
	MaxReminderMinutes   = 7 * 24 * 60       // minutes before a slot's start
	MaxRefundHoursBefore = MaxDaysAhead * 24 // hours
	MaxLiveOrders        = 100               // unpaid orders of one customer at once
	MaxStrikes           = 100               // no-shows
	MaxStrikeDays        = 365               // days
	MaxCouponUses        = 1_000_000         // orders
)

// Limits of the reconciler's care for one claim or question.
const (
	MaxEffectTries      = 3                   // tries to post one effect of an ending before it is left to the staff
	SettlePerCommand    = 10                  // ended claims settled in one command, so that other writers need not wait long
	NoticeLease         = time.Minute         // how long one try to deliver a notice keeps others from trying
	FirstRetry          = time.Minute         // the wait after a failed call to a provider or channel; doubles each time
	MaxRetry            = 6 * time.Hour       // the longest such wait
	RefundFollowUp      = 2 * time.Minute     // between questions about a refund under way
	HandedBackFirstLook = time.Hour           // after a refund was handed back by hand the provider is asked whether it has sent it as well,
	HandedBackLooks     = 30 * 24 * time.Hour // then every RefundAskAgain, for so long
	RefundFailsFor      = 3 * 24 * time.Hour  // after that long without an answer but failures a refund is handed to the desk
	RefundAskAgain      = 24 * time.Hour      // between questions about, or tries of, a refund that was
	PageAsks            = 4 * time.Second     // for all questions to providers that one page waits for
	PageAsksAtOnce      = 4                   // of those questions
	CommandTimeout      = 10 * time.Second    // for one call to a provider or channel
	CancelGrace         = 2 * time.Minute     // an unpaid order cancelled within this is no lapse
	MaxOpenAttempts     = 10                  // payments of one order open at once
	MaxQty              = 999                 // pieces of one good in one order
	MaxClosureDays      = 366                 // length of one closure
	LateAfterRounds     = 3                   // rounds that may be missed before the reconciler is late
	ReconcilerLate      = 15 * time.Minute    // the shortest wait before it is: three rounds of five minutes
	RecentNotices       = 24 * time.Hour      // how far back notices that are out of the way are counted
)

// Limits of messages.
const (
	MaxTitleChars      = 40 // characters of a notice's title in own words
	MaxTextChars       = 500
	MaxTemplateParams  = 12
	MaxTemplateIDChars = 64      // ASCII characters
	MaxWebhooks        = 20      // addresses of the venue's own software
	MaxURLBytes        = 500     // of such an address
	MaxReplay          = 1000    // events told again by one replay
	DefaultDaily       = 1000    // messages a channel takes on a business day
	MaxDaily           = 100_000 // the most that can be set

	GiveUpAfterDown = 24 * time.Hour // a message is not given up sooner for a channel that does not work

	EventLife = 90 * 24 * time.Hour // how long an event can be told again

	ChannelFailsToPause = 3                // failed tries in a row after which a channel is left alone
	ChannelFirstPause   = time.Minute      // then; doubles with each further failure
	ChannelMaxPause     = 30 * time.Minute // the longest pause
	RefusalsToFail      = 5                // receivers in a row who were refused, after which a channel is shown as failing
	ChannelPassBudget   = time.Minute      // for one channel in one pass over the outbox
)

// Second looks at closed payments: how long after the last one the provider is asked
// again, in case money came after all and its notice was lost.
var SecondLooks = []time.Duration{FirstSecondLook, 2 * time.Hour, 24 * time.Hour}

// FirstSecondLook is the first of them; it is also how soon one that got no answer is
// made up for.
const FirstSecondLook = 15 * time.Minute

// PrepaySettles is how long after the last call that opened an attempt a provider may
// still come to know of it; before that "never heard of it" is no final answer.
const PrepaySettles = 2 * time.Minute
