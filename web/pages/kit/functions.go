package pages

import (
	"html/template"
	"time"

	"courtd/app"
	"courtd/app/notify"
)

// functions are what templates may call.
func functions(asset func(string) (string, error)) template.FuncMap {
	return template.FuncMap{
		"asset":        asset,
		"yuan":         notify.Yuan,
		"times":        func(fen int64, qty int) int64 { return fen * int64(qty) },
		"clock":        func(at time.Time) string { return at.Format("15:04") },
		"dayClock":     func(at time.Time) string { return at.Format("01-02 15:04") },
		"stateWords":   func(state string) words { return stateWords[state] },
		"stateMark":    func(state string) string { return stateMarks[state] },
		"refundWords":  refundWords,
		"paymentWords": paymentWords,
		"reasonWords":  reasonWords,
	}
}

// words say one thing in both languages.
type words struct{ ZH, EN string }

// stateWords are the states of orders, reservations and goods.
var stateWords = map[string]words{
	"held":      {"待付款", "held, to be paid"},
	"lapsed":    {"已失效", "lapsed"},
	"cancelled": {"已取消", "cancelled"},
	"moved":     {"已改期", "moved"},
	"paid":      {"已付款", "paid"},
	"confirmed": {"待核销", "confirmed"},
	"playing":   {"已核销", "checked in"},
	"no_show":   {"爽约", "no-show"},
	"completed": {"已完成", "completed"},
}

// stateMarks tell states apart without colour.
var stateMarks = map[string]string{
	"held": "…", "lapsed": "○", "cancelled": "✕", "moved": "→", "paid": "✓", "confirmed": "✓", "playing": "▶", "no_show": "!", "completed": "■",
}

// goodsWords are the states of an order's goods.
var goodsWords = map[string]words{
	"held":      {"已为您留货，待付款", "kept for you, to be paid"},
	"confirmed": {"待领取", "to be collected"},
	"completed": {"已领取", "handed over"},
	"lapsed":    {"已退回货架", "back on the shelf"},
	"cancelled": {"已退回货架", "back on the shelf"},
	"no_show":   {"未领取，已退回货架", "not collected, back on the shelf"},
}

// reasonWords say a reason that is kept with money: ours by its name, a person's
// as they wrote it.
func reasonWords(reason string) words {
	if w, known := lateReasons[reason]; known {
		return w
	}
	return words{ZH: reason}
}

func refundWords(r app.RefundView) words {
	switch r.State {
	case "done":
		return words{"已退回", "refunded"}
	case "abnormal":
		return words{"退款遇到问题，前台会处理", "a problem; the desk sees to it"}
	case "processing":
		return words{"退款处理中", "on its way"}
	}
	if r.Via == "cash" {
		return words{"请到前台领取", "collect it at the desk"}
	}
	return words{"即将退回", "about to be sent"}
}

func paymentWords(p app.PaymentView) words {
	switch {
	case p.State == "flagged":
		return words{"金额或账户不符，待人工处理", "does not match; for staff"}
	case p.Verdict == "refunded":
		return words{"已收到，原路退回", "received, sent back"}
	case p.State == "succeeded":
		return words{"已收款", "received"}
	case p.State == "closed":
		return words{"已关闭", "closed"}
	}
	return words{"等待付款", "open"}
}
