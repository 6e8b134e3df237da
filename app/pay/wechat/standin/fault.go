package standin

import "math/rand/v2"

// Misbehaviour is one way in which the stand-in does not do what it should.
type Misbehaviour string

// What can go wrong with a call.
const (
	FailBefore    Misbehaviour = "fail before"    // 500, nothing was done
	FailAfter     Misbehaviour = "fail after"     // 500, it was done
	HangBefore    Misbehaviour = "hang before"    // no answer until the client gives up, nothing was done
	HangAfter     Misbehaviour = "hang after"     // no answer until the client gives up, it was done
	CorruptAnswer Misbehaviour = "corrupt answer" // one bit changed after signing
	Refuse        Misbehaviour = "refuse"         // 400 INVALID_REQUEST, nothing was done
	TooOften      Misbehaviour = "too often"      // 429 FREQUENCY_LIMITED, nothing was done
	NotEnough     Misbehaviour = "not enough"     // a refund: the merchant's balance is too low
	Abnormal      Misbehaviour = "abnormal"       // a refund: accepted, and ABNORMAL when settled by a query
)

// What can go wrong with a notice.
const (
	LoseNotice    Misbehaviour = "lose notice"    // never sent
	DelayNotice   Misbehaviour = "delay notice"   // left out of the next deliveries, DelayRounds of them
	DoubleNotice  Misbehaviour = "double notice"  // sent twice
	ReorderNotice Misbehaviour = "reorder notice" // sent before those that are waiting
	CorruptNotice Misbehaviour = "corrupt notice" // one bit changed after signing, the first time only
)

// DelayRounds is for how many deliveries a delayed notice is left out.
const DelayRounds = 2

// CallNotice stands for the notice about a payment or refund, for On.
const CallNotice Call = "notice"

// always is a fault that goes on until Behave.
const always = -1

type fault struct {
	call   Call
	number string // "" for all
	what   Misbehaviour
	left   int
}

// On misbehaves at the next calls of one kind about one number, or about any if
// number is "". times 0 means until Behave. The number of a refund is its
// out_refund_no, that of a notice what it is about.
func (s *Server) On(call Call, number string, what Misbehaviour, times int) {
	if times == 0 {
		times = always
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &fault{call: call, number: number, what: what, left: times})
}

// Behave ends every misbehaviour; notices that are lost already stay lost.
func (s *Server) Behave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults, s.chaos = nil, nil
}

// Odds are how often each misbehaviour is drawn, 0 to 1, per call or per notice.
type Odds struct {
	FailBefore, FailAfter, HangBefore, HangAfter, CorruptAnswer, TooOften float64
	RefuseClose, NotEnough, Abnormal                                      float64
	LoseNotice, DelayNotice, DoubleNotice, ReorderNotice, CorruptNotice   float64
}

type chaos struct {
	random *rand.Rand
	odds   Odds
}

// Misbehave draws for every call and every notice whether it goes wrong, and how. With
// the same seed and the same order of calls it goes wrong in the same way. What On has
// set goes first.
func (s *Server) Misbehave(random *rand.Rand, odds Odds) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chaos = &chaos{random: random, odds: odds}
}

// spoil says how a call is to go wrong, or "".
func (s *Server) spoil(req request) Misbehaviour {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := req.number
	if number == "" {
		number = numberIn(req.body)
	}
	return s.draw(req.call, number)
}

type chance struct {
	what Misbehaviour
	odds float64
}

func (s *Server) draw(call Call, number string) Misbehaviour {
	for _, f := range s.faults {
		if f.call == call && f.left != 0 && (f.number == "" || f.number == number) {
			if f.left > 0 {
				f.left--
			}
			return f.what
		}
	}
	if s.chaos == nil {
		return ""
	}
	o := s.chaos.odds
	chances := []chance{{FailBefore, o.FailBefore}, {FailAfter, o.FailAfter}, {HangBefore, o.HangBefore},
		{HangAfter, o.HangAfter}, {CorruptAnswer, o.CorruptAnswer}, {TooOften, o.TooOften}}
	switch call {
	case CallClose:
		chances = append(chances, chance{Refuse, o.RefuseClose})
	case CallRefund:
		chances = append(chances, chance{NotEnough, o.NotEnough}, chance{Abnormal, o.Abnormal})
	case CallNotice:
		chances = []chance{{LoseNotice, o.LoseNotice}, {DelayNotice, o.DelayNotice}, {DoubleNotice, o.DoubleNotice},
			{ReorderNotice, o.ReorderNotice}, {CorruptNotice, o.CorruptNotice}}
	}
	at := s.chaos.random.Float64()
	for _, c := range chances {
		if at < c.odds {
			return c.what
		}
		at -= c.odds
	}
	return ""
}
