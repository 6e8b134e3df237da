package notify_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app/notify"
)

var kinds = []string{"held", "lapsed", "paid", "reminder", "cancelled", "moved", "refunded", "late_money", "no_show", "closure"}

func someFacts() notify.Facts {
	return notify.Facts{
		OrderNumber: "1210-0042",
		Slots:       []string{"12-10 周四 17:30–19:00 1号场", "12-10 周四 19:00–20:30 2号场"},
		SlotsEN:     []string{"Thu 12-10 17:30–19:00 court 1", "Thu 12-10 19:00–20:30 court 2"},
		Goods:       []string{"羽毛球 一筒 × 2"},
		PayBy:       "17:40",
		AmountFen:   12050,
		OldSlot:     "12-10 周四 17:30–19:00 1号场", NewSlot: "12-11 周五 19:00–20:30 2号场",
		OldSlotEN: "Thu 12-10 17:30–19:00 court 1", NewSlotEN: "Fri 12-11 19:00–20:30 court 2",
	}
}

func TestYuan(t *testing.T) {
	for _, c := range []struct {
		fen  int64
		want string
	}{{0, "￥0"}, {1, "￥0.01"}, {10, "￥0.10"}, {100, "￥1"}, {6000, "￥60"}, {6050, "￥60.50"},
		{6005, "￥60.05"}, {1_000_000_000, "￥10000000"}, {-150, "￥-1.50"}} {
		if got := notify.Yuan(c.fen); got != c.want {
			t.Errorf("Yuan(%d) = %s, want %s", c.fen, got, c.want)
		}
	}
}

// Every kind has words in both languages, names the order, fits the 20
// characters that a message template allows a title, and leaves no trace of a
// wrong format or of a missing fact.
func TestRenderEveryKind(t *testing.T) {
	full := someFacts()
	full.RefundFen, full.Reason = 6000, "水管维修"
	revived := someFacts()
	revived.Revived = true
	bare := notify.Facts{OrderNumber: "1210-0042", Slots: []string{"S"}, PayBy: "17:40", OldSlot: "S", NewSlot: "N"}
	for _, kind := range kinds {
		for _, facts := range []notify.Facts{full, revived, someFacts(), bare} {
			texts := notify.Render(kind, facts)
			if n := utf8.RuneCountInString(texts.Title); n == 0 || n > 20 {
				t.Errorf("%s: title %q has %d characters, want 1 to 20", kind, texts.Title, n)
			}
			if texts.TitleEN == "" {
				t.Errorf("%s: no English title", kind)
			}
			for _, text := range []string{texts.Text, texts.TextEN} {
				if !strings.Contains(text, "1210-0042") {
					t.Errorf("%s: %q does not name the order", kind, text)
				}
				for _, bad := range []string{"%!", "  ", "：。", ": .", "。。", "..", "因，", "()", "（）"} {
					if strings.Contains(text, bad) {
						t.Errorf("%s: %q contains %q", kind, text, bad)
					}
				}
			}
			if strings.ContainsAny(texts.TextEN, "。，；：￥") {
				t.Errorf("%s: Chinese punctuation in %q", kind, texts.TextEN)
			}
		}
	}
}

func TestRenderWords(t *testing.T) {
	cases := []struct {
		name string
		kind string
		edit func(*notify.Facts)
		has  []string
		lack []string
	}{
		{"held says when and how much", "held", func(*notify.Facts) {},
			[]string{"17:40 前支付 ￥120.50", "1号场；12-10 周四 19:00–20:30 2号场；羽毛球 一筒 × 2", "Pay ¥120.50 before 17:40", "court 2; 羽毛球 一筒 × 2"}, nil},
		{"held to be paid at the desk", "held", func(f *notify.Facts) { f.AtDesk = true },
			[]string{"请在 17:40 前到前台付款", "17:40 前到前台支付 ￥120.50", "Pay at the desk by 17:40", "Pay ¥120.50 at the desk before 17:40"}, nil},
		{"lapsed claims nothing about money", "lapsed", func(*notify.Facts) {},
			[]string{"在 17:40 前未收到付款", "重新预订"}, []string{"未扣款", "￥"}},
		{"paid", "paid", func(*notify.Facts) {}, []string{"已付 ￥120.50", "二维码", "Paid ¥120.50."}, nil},
		{"paid by a coupon alone", "paid", func(f *notify.Facts) { f.AmountFen = 0 }, []string{"已确认"}, []string{"已付", "Paid"}},
		{"paid goods alone", "paid", func(f *notify.Facts) { f.Slots, f.SlotsEN = nil, nil },
			[]string{"领取", "at the desk to collect"}, []string{"到场"}},
		{"cancelled with a refund", "cancelled", func(f *notify.Facts) { f.RefundFen = 9640; f.Reason = "临时有事" },
			[]string{"原因：临时有事", "退款 ￥96.40", "refund of ¥96.40"}, []string{"不退款"}},
		{"cancelled too late", "cancelled", func(*notify.Facts) {}, []string{"不退款", "nothing is refunded"}, []string{"退款 ￥"}},
		{"cancelled before it was paid", "cancelled", func(f *notify.Facts) { f.AmountFen = 0 }, []string{"已取消"}, []string{"退款", "refund"}},
		{"moved to a dearer slot", "moved", func(f *notify.Facts) { f.AmountFen = 1000 },
			[]string{"由 12-10 周四 17:30–19:00 1号场 改为 12-11 周五 19:00–20:30 2号场", "补差价 ￥10", "旧二维码已作废"}, []string{"退还"}},
		{"moved to a cheaper slot", "moved", func(f *notify.Facts) { f.AmountFen = 0; f.RefundFen = 1000 }, []string{"差价 ￥10 将由前台退还"}, []string{"补差价"}},
		{"refunded", "refunded", func(f *notify.Facts) { f.RefundFen = 6000 }, []string{"退款 ￥60 已退回"}, nil},
		{"late money revived", "late_money", func(f *notify.Facts) { f.Revived = true }, []string{"已为您恢复", "restored", "二维码"}, []string{"退回", "refund"}},
		{"late money refunded", "late_money", func(f *notify.Facts) { f.RefundFen = 12050; f.Reason = "slot_taken" },
			[]string{"场次已被他人预订", "￥120.50 将全额退回", "重新预订", "booked by someone else"}, []string{"slot_taken", "恢复：", "二维码"}},
		{"paid twice", "late_money", func(f *notify.Facts) { f.Reason = "already_paid" },
			[]string{"此前已付款", "￥120.50 将全额退回"}, []string{"重新预订", "book again"}},
		{"no-show", "no_show", func(*notify.Facts) {}, []string{"爽约", "联系前台"}, []string{"退款"}},
		{"closure", "closure", func(f *notify.Facts) { f.Reason = "水管维修"; f.RefundFen = 6000 },
			[]string{"因水管维修", "退款 ￥60", "(水管维修)"}, nil},
	}
	for _, c := range cases {
		facts := someFacts()
		c.edit(&facts)
		texts := notify.Render(c.kind, facts)
		all := strings.Join([]string{texts.Title, texts.Text, texts.TitleEN, texts.TextEN}, "\n")
		for _, words := range c.has {
			if !strings.Contains(all, words) {
				t.Errorf("%s: %q is missing in\n%s", c.name, words, all)
			}
		}
		for _, words := range c.lack {
			if strings.Contains(all, words) {
				t.Errorf("%s: %q must not be in\n%s", c.name, words, all)
			}
		}
	}
}

func TestRenderUnknownKindPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("an unknown kind was rendered")
		}
	}()
	notify.Render("birthday", someFacts())
}
