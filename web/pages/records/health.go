package records

import (
	"fmt"
	"time"

	"courtd/app"
	"courtd/web/pages/kit"
)

// health is how the reconciler is, in a line.
type health struct {
	Late  bool
	Words kit.Words
	Why   kit.Words // when late
}

// rightAllTheSame is what a reconciler that is late does not change.
var rightAllTheSame = kit.Words{"对账晚了：消息与退款会迟到；订场与空位不受影响，仍然准确到秒。",
	"The reconciler is late: messages and refunds come late. Bookings and free slots do not depend on it and are right to the second."}

func healthOf(v app.ReconcilerView) health {
	h := health{Late: v.Late}
	last := kit.Words{"还没有成功运行过", "it has never run well"}
	if v.LastGoodRun != nil {
		when := ago(v.Now.Sub(*v.LastGoodRun))
		last = kit.Words{"上次成功：" + when[0] + "前", "last good run " + when[1] + " ago"}
	}
	switch v.LateWhy {
	case "":
		h.Words = kit.Words{"对账正常，" + last[0], "The reconciler is in time; " + last[1]}
		if v.Due > 0 {
			h.Words[0] += fmt.Sprintf("，%d 项待处理", v.Due)
			h.Words[1] += fmt.Sprintf("; %d due", v.Due)
		}
		return h
	case "never_ran":
		h.Why = kit.Words{"场馆开设以来没有一轮成功。", "No round has succeeded since the venue was set up."}
	case "no_good_run":
		limit := ago(time.Duration(v.LateAfter) * time.Second)
		h.Why = kit.Words{"超过 " + limit[0] + "没有成功运行。", "No round has succeeded for more than " + limit[1] + "."}
	default:
		lag := ago(time.Duration(v.LagSeconds) * time.Second)
		h.Why = kit.Words{"最早的一项已经等了 " + lag[0] + "。", "The oldest of what is due has waited for " + lag[1] + "."}
	}
	h.Words = kit.Words{"对账晚了，" + last[0], "The reconciler is late; " + last[1]}
	return h
}

func count(n int64, zh, en string) kit.Words {
	if n != 1 {
		en += "s"
	}
	return kit.Words{fmt.Sprintf("%d %s", n, zh), fmt.Sprintf("%d %s", n, en)}
}
