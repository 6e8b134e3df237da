package kit

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/httpx"
)

// refusalPage says in words why there is nothing else to see.
type refusalPage struct {
	Frame
	Say  Say
	Back string
}

// sayErrors turns what the actions behind it return into a page with words. A
// fault of ours is noted for the log and told to nobody else.
func (s *Site) sayErrors(c *fiber.Ctx) error {
	err := c.Next()
	if err == nil {
		return nil
	}
	var status *fiber.Error
	if _, refused := domain.AsError(err); !refused && errors.As(err, &status) && status.Code < http.StatusInternalServerError {
		err = domain.Refuse(domain.NotFound, "not_found", "there is nothing at this address")
	}
	problem := httpx.ProblemOf(err, time.UTC)
	if problem.Status >= http.StatusInternalServerError && !domain.IsReason(err, "not_set_up") {
		httpx.NoteOf(c).Err = err
	}
	f := s.bareFrame(c, Words{"无法完成", "This cannot be done"})
	if full, _, _, frameErr := s.FrameOf(c, f.Title); frameErr == nil {
		f = full
	}
	f.Narrow = true
	said := Explain(err, nil)
	if problem.Reason == "not_found" {
		f.Title = Words{"找不到这个页面", "There is no such page"}
		said = Say{Words: Words{"地址有误，或者内容已经不在了", "The address is wrong, or what was here is gone"}, Tone: "warn"}
	}
	if bad := badAddress(c, problem); bad != nil {
		said = *bad
	}
	SayWhen(c, err)
	back := backFrom(c)
	if problem.Reason == "not_set_up" {
		f.Nav, back = nil, "" // every other page says the same
	}
	return s.Render(c, problem.Status, "refusal", refusalPage{Frame: f, Say: said, Back: back})
}

// Refuse tells of a request that was refused before it came to any page. It looks
// nothing up: too many requests must not cost as much as the pages they ask for.
func (s *Site) Refuse(c *fiber.Ctx, err error) error {
	problem, ok := err.(httpx.Problem)
	if !ok {
		problem = httpx.ProblemOf(err, time.UTC)
	}
	readLang(c)
	f := Frame{Title: Words{"无法完成", "This cannot be done"}, Demo: s.Demo, Narrow: true, OtherLang: otherLang(c)}
	back := ""
	if problem.Status == http.StatusRequestEntityTooLarge {
		back = backFrom(c)
	}
	if when := problem.GetHeaders().Get(fiber.HeaderRetryAfter); when != "" {
		c.Set(fiber.HeaderRetryAfter, when)
	}
	said := Say{Words: Words{problem.Title, problem.TitleEN}, Tone: "bad"}
	return s.Render(c, problem.Status, "refusal", refusalPage{Frame: f, Say: said, Back: back})
}

// SayWhen tells in a header when to try again, if a refusal knows.
func SayWhen(c *fiber.Ctx, err error) {
	if when := httpx.ProblemOf(err, time.UTC).GetHeaders().Get(fiber.HeaderRetryAfter); when != "" {
		c.Set(fiber.HeaderRetryAfter, when)
	}
}

func backFrom(c *fiber.Ctx) string {
	if back := here(c); c.Method() != fiber.MethodGet {
		return back
	}
	return "/"
}

// Explain says a refusal in both languages, with what it is about where that
// helps: until when, how many are left, which order stands in the way. Instants
// are told when the zone is known.
func Explain(err error, zone *time.Location) Say {
	problem := httpx.ProblemOf(err, time.UTC)
	out := Say{Words: Words{problem.Title, problem.TitleEN}, Tone: "bad"}
	refusal, ok := domain.AsError(err)
	if !ok {
		return out
	}
	for _, name := range []string{"until", "opens_at"} {
		if at, ok := refusal.Detail[name].(domain.Instant); ok && zone != nil {
			when := at.In(zone).Format("01-02 15:04")
			out.Words[0] += fmt.Sprintf("，%s 起可订", when)
			out.Words[1] += fmt.Sprintf(" (from %s)", when)
		}
	}
	if words, ok := explainCoupon(refusal, zone); ok {
		out.Words = words
	}
	switch refusal.Detail["limit"] {
	case "max_live_orders":
		out.Words = Words{"未付款订单过多，请先付款或取消其中一张", "You have too many unpaid orders: pay or cancel one first"}
	case "pay_at_least":
		out.Words = Words{"离支付时限不到一分钟，来不及付款了：请等它失效后重新预订", "Less than a minute is left, too little to pay: let it lapse and book again"}
	case "max_slots_per_day":
		out.Words = Words{"超过每天可订的场次数", "More slots than one person may have on a day"}
	}
	if good, ok := refusal.Detail["good"].(map[string]any); ok {
		out.Words[0] += fmt.Sprintf("，仅剩 %v 件", good["available"])
		out.Words[1] += fmt.Sprintf(" (%v left)", good["available"])
	}
	if id, ok := refusal.Detail["order"].(string); ok {
		if refusal.Reason == "slot_taken" {
			out.Words = Words{"这个场次已在您另一张未付款订单里", "You hold this slot in another unpaid order"}
		}
		out.Href, out.Link = "/orders/"+id, Words{"查看该订单", "See that order"}
	}
	return out
}
