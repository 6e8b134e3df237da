package kit

import (
	"html/template"
	"strings"
	"time"

	"courtd/app"
	"courtd/app/notify"
	"courtd/domain"
)

// functions are what templates may call. Those that speak do it in the language of
// the page.
func functions(lang Lang, asset func(string) (string, error)) template.FuncMap {
	say := func(w Words) string { return w.In(lang) }
	return template.FuncMap{
		"asset": asset,
		"lang":  func() string { return htmlLangs[lang] },
		"zh":    func() bool { return lang == ZH },
		"t":     func(zh, en string) string { return Words{zh, en}.In(lang) },
		"say":   say,

		"yuan":      func(fen int64) string { return sign(lang) + strings.TrimPrefix(notify.Yuan(fen), "￥") },
		"yuanSign":  func() string { return sign(lang) },
		"times":     func(fen int64, qty int) int64 { return fen * int64(qty) },
		"clock":     func(at time.Time) string { return at.Format("15:04") },
		"dayClock":  func(at time.Time) string { return at.Format("01-02 15:04") },
		"fullClock": func(at time.Time) string { return at.Format("2006-01-02 15:04:05") },
		"rfc3339":   func(at time.Time) string { return at.Format(time.RFC3339) },
		"dayWords":  func(day, today domain.Date) string { return say(DayWords(day, today)) },

		"stateWords":   func(state string) string { return say(StateWords[state]) },
		"stateMark":    func(state string) string { return StateMarks[state] },
		"viaWords":     func(via string) string { return say(ViaWords(via)) },
		"refundWords":  func(r app.RefundView) string { return say(refundWords(r)) },
		"paymentWords": func(p app.PaymentView) string { return say(paymentWords(p)) },
		"channelSaid":  func(problem string) string { return say(ChannelSaid(problem)) },
		"reasonWords":  func(reason string) string { return say(ReasonWords(reason)) },
	}
}

// ChannelSaid is what a channel's error says, as far as it is known in Chinese.
func ChannelSaid(problem string) Words { return Words{notify.SaidWords(problem), problem} }

// sign is that of the yuan: the wide one belongs among Chinese characters.
func sign(lang Lang) string {
	if lang == EN {
		return "¥"
	}
	return "￥"
}

// htmlLangs are the languages as HTML names them.
var htmlLangs = map[Lang]string{ZH: "zh-CN", EN: "en"}
