package records

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"courtd/app"
	"courtd/sqlite"
	"courtd/web/httpx"
	"courtd/web/pages/kit"
)

// reconcilerPage shows what rounds have done and what waits for them.
type reconcilerPage struct {
	kit.Frame
	Refusal *kit.Say
	Rounds  kit.Live
}

// rounds is its part that keeps itself fresh.
type rounds struct {
	CSRF    string
	View    app.ReconcilerView
	Health  health
	Right   kit.Words // what being late does not change
	Clock   *kit.Say
	Notices []kit.Say // what is wrong with those of providers
	Bills   []kit.Say // those that could not be fetched
	Lag     kit.Words
	LastRun string
	Did     []kit.Words // what the last round did
	Parked  []parkedRow
	Refunds []refundRow
	GaveUp  bool // a parked row waits for somebody to ask for it
}

type parkedRow struct {
	app.ParkedView
	What kit.Words
}

type refundRow struct {
	app.RefundOnItsWay
	Age kit.Words
	Who kit.Words // whom it waits for
}

// effects are what can be parked.
var effects = map[string]kit.Words{
	"settle":  {"结束登记", "writing down an ending"},
	"restock": {"商品退回货架", "putting goods back on the shelf"},
	"refund":  {"退款", "a refund"},
	"notice":  {"通知", "a notice"},
	"event":   {"推送空场事件", "telling webhooks of a free slot"},
}

// ran are what this page says when it has done something.
var ran = map[string]kit.Words{
	"run":      {"已运行一轮，结果见“最近一轮”", "One round has been run; see “The last round”"},
	"retried":  {"已运行一轮并重试搁置的项目，结果见“最近一轮”", "One round has been run and what was parked was tried again; see “The last round”"},
	"accepted": {"已接受这台机器的时钟", "The machine's clock has been accepted"},
	"shipped":  {"已记下：此笔已在微信商户平台办理", "Noted: this one has been done at WeChat's merchant platform"},
}

func (p *pages) showReconciler(c *fiber.Ctx) error { return p.drawReconciler(c, http.StatusOK, nil) }

func (p *pages) drawReconciler(c *fiber.Ctx, status int, refusal *kit.Say) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"对账", "Reconciler"})
	if err != nil {
		return err
	}
	live, err := p.rounds(c)
	if err != nil {
		return err
	}
	f.Styles, f.Live, f.Said = []string{"records.css"}, true, kit.SaidOf(c, ran)
	return p.Render(c, status, "reconciler", reconcilerPage{Frame: f, Refusal: refusal, Rounds: live})
}

func (p *pages) sendRounds(c *fiber.Ctx) error {
	live, err := p.rounds(c)
	if err != nil {
		return err
	}
	return p.SendLive(c, live)
}

func (p *pages) rounds(c *fiber.Ctx) (kit.Live, error) {
	view, err := p.App.Reconciler(c.UserContext())
	if err != nil {
		return kit.Live{}, err
	}
	clock, err := p.clockTrouble(c.UserContext(), view.Now.Location())
	if err != nil {
		return kit.Live{}, err
	}
	r := rounds{CSRF: httpx.CSRFToken(c), View: view, Health: healthOf(view), Right: rightAllTheSame, Clock: clock, Notices: p.troubles(c.UserContext(), view.Now.Location()),
		Bills: tryWords(view.BillTries), Lag: ago(time.Duration(view.LagSeconds) * time.Second), Did: did(view.LastReport)}
	if view.LastRun != nil {
		r.LastRun = view.LastRun.Format("01-02 15:04:05")
	}
	for _, k := range view.ParkedRows {
		what, known := effects[k.Effect]
		if !known {
			what = kit.Words{k.Effect}
		}
		r.Parked, r.GaveUp = append(r.Parked, parkedRow{k, what}), r.GaveUp || k.GivenUp
	}
	for _, f := range view.Refunds {
		row := refundRow{RefundOnItsWay: f, Age: ago(time.Duration(f.AgeSeconds) * time.Second), Who: kit.Words{"等待支付方", "waits for the provider"}}
		if f.ForStaff {
			row.Who = kit.Words{"等待前台", "waits for the desk"}
		}
		r.Refunds = append(r.Refunds, row)
	}
	return p.Live(c, "reconciler", "rounds", "rounds", "/owner/reconciler/rounds", view.Now, lateAt(view), r)
}

// lateAt is when the reconciler will be late if no round succeeds until then; nil when
// it is late already or has never run.
func lateAt(v app.ReconcilerView) *time.Time {
	if v.Late || v.LastGoodRun == nil {
		return nil
	}
	at := v.LastGoodRun.Add(time.Duration(v.LateAfter) * time.Second)
	return &at
}

// run is one round by hand, at once.
func (p *pages) run(c *fiber.Ctx) error {
	retry := kit.Sent(c, "retry_parked") != ""
	if _, err := p.Run(c.UserContext(), false, retry); err != nil {
		// What the round could do is done and written down; the log gets the rest.
		httpx.NoteOf(c).Err = err
		said := kit.Say{Words: kit.Words{"这一轮没有全部做完，下一轮会补上", "This round did not do everything; the next will make up for it"}, Tone: "bad"}
		return kit.Again(c, err, httpx.ProblemOf(err, time.UTC).Status, func(status int) error { return p.drawReconciler(c, status, &said) })
	}
	if retry {
		return kit.Done(c, "/owner/reconciler", "retried")
	}
	return kit.Done(c, "/owner/reconciler", "run")
}

// foreseePage lists what a round would do now.
type foreseePage struct {
	kit.Frame
	Rows []foreseenRow
	View app.ReconcilerView
	More int // endings that are not listed
}

type foreseenRow struct {
	app.Foreseen
	Number string // of the order
	What   kit.Words
}

func (p *pages) showForesee(c *fiber.Ctx) error {
	f, _, _, err := p.OwnerFrame(c, kit.Words{"下一轮会做什么", "What a round would do"})
	if err != nil {
		return err
	}
	due, view, err := p.App.Foresee(c.UserContext())
	if err != nil {
		return err
	}
	var ids []string
	for _, d := range due {
		ids = append(ids, d.Order)
	}
	page := foreseePage{Frame: f, View: view, More: max(0, view.Due-len(due))}
	page.Styles = []string{"records.css"}
	err = p.App.DB().Read(c.UserContext(), func(s *sqlite.Snapshot) error {
		numbers, err := s.OrderNumbers(ids)
		for _, d := range due {
			what := kit.Words{"场次", "slot"}
			if d.Kind == "basket" {
				what = kit.Words{"商品或优惠码", "goods or coupon"}
			}
			page.Rows = append(page.Rows, foreseenRow{d, numbers[d.Order], what})
		}
		return err
	})
	if err != nil {
		return err
	}
	return p.Render(c, http.StatusOK, "foresee", page)
}

// roundReport is what is kept of a round.
type roundReport struct {
	Asked    struct{ Asked, Closed, Paid, Failed int }
	Settled  struct{ Settled, Parked, Differences int }
	Unparked int
	Refunds  struct{ Sent, Done, Abnormal, Failed int }
	Reminded int `json:"reminders"`
	Notices  struct{ Sent, Dropped, Failed int }
	Bills    struct {
		Fetched, Failed int
		NotReady        int `json:"not_ready"`
	}
}

// did says in words what a round has done; what it did not do is left out.
func did(kept json.RawMessage) []kit.Words {
	var r roundReport
	if len(kept) == 0 || json.Unmarshal(kept, &r) != nil {
		return nil
	}
	var out []kit.Words
	say := func(n int, zh, one, more string) {
		if n == 0 {
			return
		}
		en := more
		if n == 1 {
			en = one
		}
		out = append(out, kit.Words{fmt.Sprintf("%d %s", n, zh), fmt.Sprintf("%d %s", n, en)})
	}
	say(r.Settled.Settled, "项到期的占用已登记结束", "claim that had ended was written down", "claims that had ended were written down")
	say(r.Settled.Parked, "项没有做成，已搁置", "effect could not be posted and was parked", "effects could not be posted and were parked")
	say(r.Settled.Differences, "处答案因登记而改变（应为 0，请报告）", "answer was changed by settling (must be 0; please report it)", "answers were changed by settling (must be 0; please report it)")
	say(r.Unparked, "项搁置的已补做", "parked effect was posted after all", "parked effects were posted after all")
	say(r.Asked.Asked, "笔未付完的支付已查询", "open payment was asked about", "open payments were asked about")
	say(r.Asked.Closed, "笔支付已关闭", "payment was closed", "payments were closed")
	say(r.Asked.Paid, "笔支付查到已付", "payment turned out to be paid", "payments turned out to be paid")
	say(r.Asked.Failed, "笔支付查询失败", "question about a payment failed", "questions about payments failed")
	say(r.Refunds.Sent, "笔退款已发出", "refund was sent", "refunds were sent")
	say(r.Refunds.Done, "笔退款已到账", "refund is done", "refunds are done")
	say(r.Refunds.Abnormal, "笔退款出现异常", "refund was given back to the staff", "refunds were given back to the staff")
	say(r.Refunds.Failed, "笔退款失败，将重试", "refund failed and will be tried again", "refunds failed and will be tried again")
	say(r.Reminded, "条提醒已排队", "reminder was queued", "reminders were queued")
	say(r.Notices.Sent, "条通知已发出", "notice was sent", "notices were sent")
	say(r.Notices.Dropped, "条通知已过时，未发", "notice was out of date and dropped", "notices were out of date and dropped")
	say(r.Notices.Failed, "条通知发送失败", "notice failed", "notices failed")
	say(r.Bills.Fetched, "份微信账单已获取", "bill of WeChat's was fetched", "bills of WeChat's were fetched")
	say(r.Bills.NotReady, "份微信账单还没出", "bill of WeChat's is not made yet", "bills of WeChat's are not made yet")
	say(r.Bills.Failed, "份微信账单没能获取，将重试", "bill of WeChat's could not be fetched and will be tried again", "bills of WeChat's could not be fetched and will be tried again")
	if out == nil {
		out = []kit.Words{{"没有要做的事", "there was nothing to do"}}
	}
	return out
}

// shipped notes that the owner has told WeChat what the program could not.
func (p *pages) shipped(c *fiber.Ctx) error {
	err := p.App.ShippedByHand(c.UserContext(), httpx.ActorOf(c), kit.Sent(c, "payment"))
	if err != nil {
		said := kit.Explain(err, nil)
		return kit.Beside(c, err, func(status int) error { return p.drawReconciler(c, status, &said) })
	}
	return kit.Done(c, "/owner/reconciler", "shipped")
}
