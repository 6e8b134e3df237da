package bill_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"courtd/app/pay/wechat/bill"
	"courtd/domain"
)

// FuzzLines writes bills of what the fuzzer made up and reads them back: what is taken is
// what was written, and a line cut off anywhere is noticed.
func FuzzLines(f *testing.F) {
	f.Add("pay-00001", "羽毛球 一筒", uint32(6000), "refund-1", uint32(100), uint16(0))
	f.Add("a,`b", "x,`y", uint32(1), "`", uint32(0), uint16(3))
	f.Add("", "\n", uint32(1<<31), "0", uint32(1<<32-1), uint16(700))
	f.Add("总交易单数", "\xff", uint32(5), "\r", uint32(5), uint16(1))
	f.Fuzz(func(t *testing.T, no, goods string, fen uint32, refund string, backFen uint32, cut uint16) {
		yuan := func(fen uint32) string { return fmt.Sprintf("%d.%02d", fen/100, fen%100) }
		text := file(paid(no, yuan(fen), "商品名称", goods), back(no, refund, yuan(backFen)))
		b, err := bill.Parse([]byte(text), domain.Date{})
		if err != nil {
			wantRefused(t, err)
		} else {
			if len(b.Lines) != 2 || b.Day.String() != "2026-12-09" || b.Merchant != "1900000109" {
				t.Fatalf("%q is read as %+v", text, b)
			}
			first, second := b.Lines[0], b.Lines[1]
			if first.Kind != bill.Payment || first.OutTradeNo != strings.TrimSpace(no) || first.AmountFen != int64(fen) ||
				second.Kind != bill.Refund || second.OutRefundNo != strings.TrimSpace(refund) || second.AmountFen != int64(backFen) {
				t.Errorf("%q, %d and %q, %d are read as %+v", no, fen, refund, backFen, b.Lines)
			}
		}
		// A line that is missing makes a day of fewer trades, which nobody would notice.
		rows := strings.Split(text, "\n")
		if fewer := strings.Join(append(rows[:1:1], rows[2:]...), "\n"); err == nil && fewer != text {
			if c, err := bill.ParseProven([]byte(fewer), domain.Date{}); err == nil {
				t.Errorf("without a line it is read as %+v", c)
			}
		}
		short := strings.TrimRight(text[:int(cut)%len(text)], "\n")
		if c, err := bill.Parse([]byte(short), domain.Date{}); err == nil && len(c.Lines) != len(b.Lines) {
			t.Errorf("cut off at %d it is read as %+v", len(short), c)
		}
	})
}

// FuzzBytes reads whatever somebody uploads: what is refused is the file or the day.
func FuzzBytes(f *testing.F) {
	whole := file(paid("pay-00001", "60.00"), back("pay-00001", "refund-1", "1.00"))
	for _, text := range []string{whole, file(paid("", "60.00")), file(paid("pay-\xff", "60.00")), "\ufeff" + strings.ReplaceAll(whole, "\n", "\r\n"), strings.Replace(whole, "60.00", "1e9", 1), strings.Replace(whole, "`60.00", "`99999999999999999999.99", 2),
		"PK\x03\x04xl/", "\xbd\xbb\xd2\xd7\xca\xb1\xbc\xe4", "\x1f\x8b", header} {
		f.Add([]byte(text), "2026-12-09")
	}
	f.Fuzz(func(t *testing.T, text []byte, on string) {
		day, _ := domain.ParseDate("day", on)
		b, err := bill.Parse(text, day)
		proven, err2 := bill.ParseProven(text, day)
		if err != nil {
			wantRefused(t, err)
		}
		if err2 != nil {
			wantRefused(t, err2)
		}
		if err != nil {
			return
		}
		if err2 != nil || len(proven.Lines) != len(b.Lines) {
			t.Errorf("proven it is %+v, %v", proven, err2)
		}
		if b.Day.IsZero() || !day.IsZero() && b.Day != day {
			t.Errorf("the bill of %s is that of %s", day, b.Day)
		}
		for i, l := range b.Lines {
			if l.AmountFen < 0 || l.OutTradeNo == "" || l.Kind == bill.Refund && l.OutRefundNo == "" && l.State != bill.Revoked || !utf8.ValidString(l.OutTradeNo) || i > 0 && l.No <= b.Lines[i-1].No {
				t.Errorf("line %+v", l)
			}
		}
	})
}

func wantRefused(t *testing.T, err error) {
	t.Helper()
	refusal, ok := domain.AsError(err)
	if !ok || refusal.Kind != domain.Invalid || len(refusal.Fields) != 1 || (refusal.Fields[0].Field != "file" && refusal.Fields[0].Field != "day") ||
		!utf8.ValidString(refusal.Message) || len(refusal.Message) > 600 {
		t.Fatalf("%v is no refusal of the file", err)
	}
}
