package records_test

import (
	"fmt"
	"strings"
	"testing"

	"courtd/domain"
	"courtd/sqlite"
	"courtd/web/pages/clubtest"
)

func itoa(n domain.Instant) string { return fmt.Sprint(int64(n)) }

const rightAllTheSame = "对账晚了：消息与退款会迟到；订场与空位不受影响，仍然准确到秒"

// The page turns red at the second at which the reconciler is late.
func TestThePageIsRedWhenTheReconcilerIsLate(t *testing.T) {
	h := open(t)
	h.round()
	calm := func(clock string) {
		t.Helper()
		h.SetClock("2026-12-10T" + clock + "+08:00")
		h.owner.Get("/owner/reconciler").Want(200).Says("对账正常").HasNot("state late", rightAllTheSame)
		h.owner.Get("/owner").Says("对账正常").HasNot("对账晚了")
	}
	red := func(clock, since string) {
		t.Helper()
		h.SetClock("2026-12-10T" + clock + "+08:00")
		h.owner.Get("/owner/reconciler").Want(200).Has("state late").Says("对账晚了，上次成功："+since+"前", rightAllTheSame, "超过 15 分钟没有成功运行")
		h.owner.Get("/owner").Says("对账晚了，上次成功："+since+"前", "订场与空位不受影响，仍然准确到秒")
	}
	calm("10:00:00")
	h.owner.Get("/owner/reconciler").Has(`data-changes-at="` + itoa(clubtest.At(t, "2026-12-10T10:15:00+08:00")) + `"`).Says("上次成功：不到 1 分钟前")
	calm("10:14:59")
	red("10:15:00", "15 分钟")
	red("18:00:00", "8 小时")
	h.round()
	calm("18:00:00")
	h.owner.Get("/owner/reconciler?lang=en").Want(303)
	h.SetClock("2026-12-10T19:00:00+08:00")
	h.owner.Get("/owner/reconciler").Says("The reconciler is late; last good run 1 hour ago", "Bookings and free slots do not depend on it and are right to the second")
}

func TestNeverRanIsLateToo(t *testing.T) {
	h := open(t)
	h.SetClock("2026-12-10T11:00:00+08:00")
	h.owner.Get("/owner/reconciler").Has("state late").Says("还没有成功运行过", "场馆开设以来没有一轮成功", "还没有运行过")
}

func TestARoundByHandIsToldInWords(t *testing.T) {
	h := open(t)
	h.Customer("13800138000").Book("slot", clubtest.Slot(t, "c1", "17:30"), "qty.g1", "2")
	h.round()
	h.SetClock("2026-12-10T10:31:00+08:00")
	h.owner.Get("/owner/reconciler").Says("待登记 2", "最早一项等了多久")
	h.owner.Get("/owner/reconciler/foresee").Want(200).Says("登记 2 项已经结束的占用", "1210-0001", "商品或优惠码", "○ 已失效", "这里只是查看，什么都没有做")
	h.owner.Get("/owner/reconciler").Says("待登记 2")
	h.round()
	h.owner.Get("/owner/reconciler?said=run").Says("已运行一轮", "待登记 0", "2 项到期的占用已登记结束", "1 条通知已发出", "12-10 10:31:00 · 成功")
	h.owner.Get("/owner/reconciler/foresee").Says("没有到期的")
	h.round()
	h.owner.Get("/owner/reconciler").Says("没有要做的事")
}

func TestARoundThatFailsIsToldToo(t *testing.T) {
	h := open(t)
	h.fails = errRound
	h.owner.Post("/owner/reconciler/run").Want(503).Says("这一轮没有全部做完").HasNot("disk full")
	h.fails = nil
	clubtest.Must(t, h.App.RecordRun(t.Context(), clubtest.At(t, clubtest.Opening), map[string]any{}, "settle: <b>disk full</b>"))
	h.owner.Get("/owner/reconciler").Says("没有全部做完", "settle: <b>disk full</b>").HasNot("<b>disk")
}

func TestParkedRowsAreShownAndTriedAgain(t *testing.T) {
	h := open(t)
	order := strings.TrimPrefix(h.Customer("13800138000").Book("slot", clubtest.Slot(t, "c1", "17:30")), "/orders/")
	h.SetClock("2026-12-10T10:10:00+08:00")
	h.round()
	var claim string
	clubtest.Must(t, h.DB.Write(t.Context(), func(tx *sqlite.Tx) error {
		o, err := tx.Order(order)
		if err != nil {
			return err
		}
		claim = o.Reservations[0].ID
		for range domain.MaxEffectTries {
			if err := tx.ParkEffect(claim, "notice", order, "no <i>channel</i>"); err != nil {
				return err
			}
		}
		return nil
	}))
	h.owner.Get("/owner").Says("1 项对账搁置")
	p := h.owner.Get("/owner/reconciler").Says("搁置 1", "1210-0001 通知 自 12-10 10:10", fmt.Sprintf("已试 %d 次，最近一次 12-10 10:10 · 已停止自动重试", domain.MaxEffectTries), "no <i>channel</i>", "重试搁置的项目").HasNot("<i>channel")
	p.Has(`<a class="tap num" href="/orders/` + order + `">1210-0001</a>`)
	h.owner.Post("/owner/reconciler/run", "retry_parked", "1").WantRedirect("/owner/reconciler?said=retried")
	h.owner.Get("/owner/reconciler?said=retried").Says("搁置 0", "1 项搁置的已补做", "已运行一轮并重试搁置的项目").HasNot("已停止自动重试")
}

// A clock that went back stops writes; the owner is told, and may accept it.
func TestAClockThatWentBack(t *testing.T) {
	h := open(t)
	h.owner.Get("/owner/clock").Want(200).Says("时钟正常").HasNot("/owner/clock/accept")
	h.SetClock("2026-12-10T11:00:00+08:00")
	h.Customer("13800138000").Book("slot", clubtest.Slot(t, "c1", "17:30"))
	h.SetClock("2026-12-10T10:58:30+08:00")
	for _, path := range []string{"/owner", "/owner/reconciler"} {
		h.owner.Get(path).Want(200).Says("慢了 1 分 30 秒，暂停一切订场和收款").Has(`href="/owner/clock"`)
	}
	h.owner.Get("/owner/clock").Says("2026-12-10 10:58:30", "2026-12-10 11:00:00", "慢了 1 分 30 秒", "时钟是对的，接受它")
	// A booking lies ahead: it must not be undone.
	h.owner.Post("/owner/clock/accept").Want(409).Says("时钟之后还有记录，最晚的是 2026-12-10 11:00:00").HasNot("起可订")
	h.SetClock("2026-12-10T11:30:00+08:00")
	h.record(sqlite.AuditRow{Actor: h.me.ID, Role: "owner", Action: "change policy", Target: "venue"})
	h.SetClock("2026-12-10T11:20:00+08:00")
	h.owner.Get("/owner/clock").Says("慢了 10 分钟")
	h.owner.Post("/owner/clock/accept").WantRedirect("/owner/reconciler?said=accepted")
	h.owner.Get("/owner/reconciler?said=accepted").Says("已接受这台机器的时钟").HasNot("暂停一切")
	h.owner.Get("/owner/audit").Says("接受机器时钟")
}

func TestRefundsAndFlaggedMoneyAreListed(t *testing.T) {
	h := open(t)
	made := h.sell("李雷", "c1", "2026-12-10", "17:30")
	_, err := h.App.Goodwill(t.Context(), h.me, made.ID, 1234, "灯坏了", "")
	clubtest.Must(t, err)
	h.SetClock("2026-12-10T13:00:00+08:00")
	p := h.owner.Get("/owner/reconciler").Says("退款中 1")
	wantRow(t, p, made.Number, "￥12.34 现金 等待前台 3 小时 灯坏了")
	h.owner.Get("/owner/reports?range=days7").Says("另有 1 笔退款（￥12.34）在这段时间发起，尚未完成", "此刻共有 1 笔退款（￥12.34）待退")
}
