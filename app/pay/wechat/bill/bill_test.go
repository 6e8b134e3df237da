package bill_test

import (
	"bytes"
	"compress/gzip"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"courtd/app/pay/wechat/bill"
	"courtd/domain"
)

const header = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注"

const summaryHeader = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额"

// paid is a line of a payment; change says what is otherwise, by the heading.
func paid(no, yuan string, change ...string) string {
	return row(append([]string{"商户订单号", no, "应结订单金额", yuan, "订单金额", yuan, "交易状态", "SUCCESS", "退款金额", "0.00", "申请退款金额", "0.00", "商户退款单号", "0", "微信退款单号", "0"}, change...)...)
}

func back(no, refund, yuan string, change ...string) string {
	return row(append([]string{"商户订单号", no, "商户退款单号", refund, "交易状态", "REFUND", "退款金额", yuan, "申请退款金额", yuan, "退款状态", "SUCCESS", "订单金额", "0.00", "应结订单金额", "0.00"}, change...)...)
}

var usual = map[string]string{"交易时间": "2026-12-09 18:00:01", "公众账号ID": "wx0000000000000001", "商户号": "1900000109", "特约商户号": "0", "微信订单号": "4200001234202612090000000001",
	"用户标识": "oUser", "交易类型": "JSAPI", "付款银行": "OTHERS", "货币种类": "CNY", "商品名称": "courtd 1209-0001", "手续费": "0.36000", "费率": "0.60%"}

func row(pairs ...string) string { return rowUnder(header, pairs...) }

func rowUnder(header string, pairs ...string) string {
	values := map[string]string{}
	for name, value := range usual {
		values[name] = value
	}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	var out []string
	for _, name := range strings.Split(header, ",") {
		out = append(out, "`"+values[name])
	}
	return strings.Join(out, ",")
}

func file(rows ...string) string {
	// The two sums stand third and second from the end of a line.
	sum := func(fromEnd int) string {
		total := 0
		for _, row := range rows {
			values := strings.Split(row, ",`")
			if at := len(values) - fromEnd; at >= 0 {
				yuan, err := strconv.ParseFloat(values[at], 64)
				if err == nil {
					total += int(math.Round(yuan * 100))
				}
			}
		}
		return strconv.FormatFloat(float64(total)/100, 'f', 2, 64)
	}
	return strings.Join(append(append([]string{header}, rows...), summaryHeader,
		"`"+strconv.Itoa(len(rows))+",`1.00,`0.00,`0.00,`0.00,`"+sum(3)+",`"+sum(2)), "\n") + "\n"
}

func parse(t *testing.T, text, day string) bill.Bill {
	t.Helper()
	b, err := bill.Parse([]byte(text), date(t, day))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func date(t *testing.T, text string) (d domain.Date) {
	t.Helper()
	if text == "" {
		return d
	}
	d, err := domain.ParseDate("day", text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func at(t *testing.T, text string) domain.Instant {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return domain.InstantOf(when)
}

func TestABill(t *testing.T) {
	b := parse(t, file(paid("pay-00001", "60.00"), back("pay-00001", "refund-1", "30.50", "退款状态", "PROCESSING", "交易时间", "2026-12-09 23:59:59")), "")
	if b.Merchant != "1900000109" || b.Day != date(t, "2026-12-09") || len(b.Lines) != 2 {
		t.Fatalf("the bill is %+v", b)
	}
	want := []bill.Line{
		{No: 2, Kind: bill.Payment, OutTradeNo: "pay-00001", TransactionID: usual["微信订单号"], AmountFen: 6000, At: at(t, "2026-12-09T18:00:01+08:00"), State: "SUCCESS"},
		{No: 3, Kind: bill.Refund, OutTradeNo: "pay-00001", OutRefundNo: "refund-1", TransactionID: usual["微信订单号"], AmountFen: 3050, At: at(t, "2026-12-09T23:59:59+08:00"), State: "PROCESSING"},
	}
	for i, line := range b.Lines {
		if line != want[i] {
			t.Errorf("line %d is %+v, want %+v", i, line, want[i])
		}
	}
}

// A file may look different and say the same.
func TestTheSameBillInOtherForms(t *testing.T) {
	plain := file(paid("pay-00001", "60.00"), paid("pay-00002", "0.01"))
	want := parse(t, plain, "")
	reordered := strings.Split(header, ",")
	for i, j := 0, len(reordered)-1; i < j; i, j = i+1, j-1 {
		reordered[i], reordered[j] = reordered[j], reordered[i]
	}
	other := strings.Join(reordered, ",")
	turned := strings.Join([]string{other,
		rowUnder(other, "商户订单号", "pay-00001", "订单金额", "60.00", "交易状态", "SUCCESS", "商品名称", "羽毛球,12只,`好`,`球"),
		rowUnder(other, "商户订单号", "pay-00002", "订单金额", "0.01", "交易状态", "SUCCESS"),
		"应结订单总金额,总交易单数", "`60.01,`2"}, "\n")
	for name, text := range map[string]string{
		"a byte order mark":           "\uFEFF" + plain,
		"CRLF":                        strings.ReplaceAll(plain, "\n", "\r\n"),
		"CRLF in another order":       strings.ReplaceAll(turned, "\n", "\r\n"),
		"both":                        "\uFEFF" + strings.ReplaceAll(plain, "\n", "\r\n"),
		"no line end at the end":      strings.TrimSuffix(plain, "\n"),
		"empty lines at the end":      plain + "\r\n\n",
		"columns in another order":    turned,
		"commas in a name":            file(paid("pay-00001", "60.00", "商品名称", "羽毛球,12只,,红"), paid("pay-00002", "0.01")),
		"the boundary in a name":      file(paid("pay-00001", "60.00", "商品名称", "a,`b,`"), paid("pay-00002", "0.01")),
		"marks and quotes in a name":  file(paid("pay-00001", "60.00", "商品名称", "`\"羽\"`"), paid("pay-00002", "0.01")),
		"a coupon paid a part of it":  file(paid("pay-00001", "60.00", "应结订单金额", "50.00", "代金券金额", "10.00"), paid("pay-00002", "0.01")),
		"a column that is new":        strings.ReplaceAll(strings.ReplaceAll(plain, "费率备注", "费率备注,新的一列"), ",`0.60%", ",`0.60%"),
		"a sub-merchant called other": strings.ReplaceAll(plain, "特约商户号", "子商户号"),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a column that is new" {
				rows := strings.Split(text, "\n")
				rows[1], rows[2] = rows[1]+",`x", rows[2]+",`y"
				text = strings.Join(rows, "\n")
			}
			got := parse(t, text, "2026-12-09")
			if got.Merchant != want.Merchant || got.Day != want.Day || len(got.Lines) != len(want.Lines) {
				t.Fatalf("got %+v", got)
			}
			for i := range got.Lines {
				if got.Lines[i] != want.Lines[i] {
					t.Errorf("line %d is %+v, want %+v", i, got.Lines[i], want.Lines[i])
				}
			}
		})
	}
}

func TestAmounts(t *testing.T) {
	for yuan, fen := range map[string]int64{"0.01": 1, "0.10": 10, "0.1": 10, "60": 6000, "60.00": 6000, "100000.00": 10_000_000, "-12.34": -1234, "0.00": 0,
		"19.99": 1999, "1.15": 115, "9999999.99": 999_999_999} {
		if b := parse(t, file(paid("pay-00001", yuan)), ""); b.Lines[0].AmountFen != fen {
			t.Errorf("%s yuan are %d fen, want %d", yuan, b.Lines[0].AmountFen, fen)
		}
		if b := parse(t, file(back("pay-00001", "refund-1", yuan)), ""); b.Lines[0].AmountFen != fen {
			t.Errorf("%s yuan back are %d fen, want %d", yuan, b.Lines[0].AmountFen, fen)
		}
	}
	// What was asked to go back counts, and what went back where nothing else is said.
	less := back("pay-00001", "refund-1", "30.00", "退款金额", "25.00")
	if b := parse(t, file(less), ""); b.Lines[0].AmountFen != 3000 {
		t.Errorf("the refund is %d fen", b.Lines[0].AmountFen)
	}
	old := strings.Replace(file(less), ",申请退款金额", "", 1)
	rows := strings.Split(old, "\n")
	rows[1] = rowUnder(rows[0], "商户订单号", "pay-00001", "商户退款单号", "refund-1", "交易状态", "REFUND", "退款金额", "25.00", "退款状态", "SUCCESS", "订单金额", "0.00")
	if b := parse(t, strings.Join(rows, "\n"), ""); b.Lines[0].AmountFen != 2500 {
		t.Errorf("the refund without the column is %d fen", b.Lines[0].AmountFen)
	}
}

func TestRevoked(t *testing.T) {
	b := parse(t, file(back("pay-00001", "0", "60.00", "交易状态", "REVOKED")), "")
	if l := b.Lines[0]; l.Kind != bill.Refund || l.State != "REVOKED" || l.OutRefundNo != "" || l.AmountFen != 6000 {
		t.Errorf("the line is %+v", l)
	}
}

func TestDays(t *testing.T) {
	midnight := file(paid("pay-00001", "1.00", "交易时间", "2026-12-09 00:00:00"), paid("pay-00002", "1.00", "交易时间", "2026-12-09 23:59:59"))
	if b := parse(t, midnight, ""); b.Day != date(t, "2026-12-09") {
		t.Errorf("the day is %s", b.Day)
	}
	if b := parse(t, file(), "2026-12-09"); b.Day != date(t, "2026-12-09") || len(b.Lines) != 0 {
		t.Errorf("a day on which nothing was paid is %+v", b)
	}
	// A refund may name a time before the day, but does not make it the day.
	mixed := file(back("pay-00000", "refund-1", "1.00", "交易时间", "2026-12-08 12:00:00"), paid("pay-00001", "1.00"))
	if b := parse(t, mixed, ""); b.Day != date(t, "2026-12-09") {
		t.Errorf("the day is %s", b.Day)
	}
	if b := parse(t, file(back("pay-00000", "refund-1", "1.00")), ""); b.Day != date(t, "2026-12-09") {
		t.Errorf("the day of a refund alone is %s", b.Day)
	}
	if got := bill.Day(at(t, "2026-12-09T15:59:59Z")); got != date(t, "2026-12-09") {
		t.Errorf("the last second is of %s", got)
	}
	if got := bill.Day(at(t, "2026-12-09T16:00:00Z")); got != date(t, "2026-12-10") || bill.Start(got) != at(t, "2026-12-09T16:00:00Z") {
		t.Errorf("the first second is of %s", got)
	}
}

func TestWhatIsRefused(t *testing.T) {
	good := file(paid("pay-00001", "60.00"))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(good))
	_ = w.Close()
	next := paid("pay-00002", "1.00", "交易时间", "2026-12-10 00:00:00")
	for name, c := range map[string]struct{ text, day, field, says string }{
		"nothing":              {"", "", "file", "is empty"},
		"gzip":                 {packed.String(), "", "file", "is packed"},
		"zip":                  {"PK\x03\x04", "", "file", "is packed"},
		"GBK":                  {"\xbd\xbb\xd2\xd7", "", "file", "no UTF-8"},
		"a page of errors":     {"<!doctype html>\n<html><body>502</body></html>", "", "file", "no trade bill"},
		"JSON":                 {`{"code":"NO_STATEMENT_EXIST"}`, "", "file", "no trade bill"},
		"one long line":        {strings.Repeat("a", 1<<20), "", "file", "no trade bill"},
		"the bill of funds":    {strings.Replace(good, "交易时间", "记账时间", 1), "", "file", "no trade bill"},
		"payments alone":       {strings.Replace(good, ",商户退款单号", "", 1), "", "file", "商户退款单号"},
		"a column twice":       {strings.Replace(good, "设备号", "商户号", 1), "", "file", "商户号 twice"},
		"no summary":           {header + "\n" + paid("pay-00001", "1.00"), "", "file", "the summary at its end is missing"},
		"an old Excel file":    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "", "file", "is an Excel file"},
		"an Excel file":        {"PK\x03\x04\x14\x00[Content_Types].xml\x00xl/workbook.xml", "", "file", "is an Excel file"},
		"UTF-16":               {"\xFF\xFE\xA4\x4E\x13\x66", "", "file", "no UTF-8"},
		"GBK below the head":   {strings.Replace(good, "courtd 1209-0001", "\xd3\xf0\xc3\xab\xc7\xf2", 1), "", "file", "no UTF-8"},
		"a line of 15 MB":      {file(paid("pay-00001", "60.00", "商品名称", strings.Repeat("长", 5<<20))), "", "file", "line 2 is no line of a bill"},
		"a payment twice":      {file(paid("pay-00001", "60.00"), paid("pay-00002", "1.00"), paid("pay-00001", "60.00")), "", "file", "line 4 repeats line 2"},
		"a payment twice over": {file(paid("pay-00001", "60.00"), paid("pay-00001", "1.00")), "", "file", "line 3 repeats line 2"},
		"a refund twice":       {file(back("pay-00001", "refund-1", "1.00"), back("pay-00001", "refund-1", "1.00")), "", "file", "line 3 repeats line 2"},
		"a changed amount":     {strings.Replace(good, ",`60.00,`0.00,`", ",`59.00,`0.00,`", 1), "", "file", `line 4: 订单总金额 is "60.00", and the lines add up to 59.00`},
		"a changed refund":     {strings.Replace(file(back("pay-00001", "refund-1", "2.00")), "`2.00\n", "`3.00\n", 1), "", "file", `line 4: 申请退款总金额 is "3.00", and the lines add up to 2.00`},
		"a total that is none": {strings.Replace(good, "`60.00,`0.00\n", "`x,`0.00\n", 1), "", "file", `line 4: 订单总金额 is "x"`},
		"a total that is gone": {strings.Replace(good, ",`60.00,`0.00\n", "\n", 1), "", "file", `line 4: 订单总金额 is ""`},
		"a bare summary":       {header + "\n" + paid("pay-00001", "1.00") + "\n" + summaryHeader, "", "file", "the summary at its end is missing"},
		"fewer lines":          {strings.Replace(file(paid("pay-00001", "1.00"), paid("pay-00002", "1.00")), paid("pay-00002", "1.00")+"\n", "", 1), "", "file", "counts 2 trades, and there are 1 lines"},
		"more lines":           {strings.Replace(good, paid("pay-00001", "60.00"), paid("pay-00001", "60.00")+"\n"+paid("pay-00002", "60.00"), 1), "", "file", "counts 1 trades, and there are 2 lines"},
		"a count that is none": {strings.Replace(good, "\n`1,`", "\n`one,`", 1), "", "file", `line 4: 总交易单数 is "one"`},
		"two files":            {good + good, "", "file", "line 5 comes after the summary"},
		"cut within a line":    {header + "\n" + paid("pay-00001", "1.00")[:60], "", "file", "line 2 has"},
		"an empty line":        {strings.Replace(good, "\n`", "\n\n`", 1), "", "file", "line 2 is no line of a bill"},
		"no marks":             {strings.ReplaceAll(good, "`", ""), "", "file", "line 2 is no line of a bill"},
		"a value too few":      {strings.Replace(good, ",`CNY", "", 1), "", "file", "line 2 has 26 values under 27 headings"},
		"a time that is none":  {file(paid("pay-00001", "1.00", "交易时间", "2026-12-09")), "", "file", `line 2: 交易时间 is "2026-12-09"`},
		"no number":            {file(paid("", "1.00")), "", "file", "line 2: 商户订单号 is empty"},
		"no number of refund":  {file(back("pay-00001", "", "1.00")), "", "file", "line 2: 商户退款单号 is empty"},
		"no merchant":          {file(paid("pay-00001", "1.00", "商户号", "")), "", "file", "line 2: 商户号 is empty"},
		"two merchants":        {file(paid("pay-00001", "1.00"), paid("pay-00002", "1.00", "商户号", "1900000110")), "", "file", "line 3 is of merchant 1900000110"},
		"an unknown state":     {file(paid("pay-00001", "1.00", "交易状态", "CLOSED")), "", "file", `line 2: 交易状态 is "CLOSED"`},
		"three decimals":       {file(paid("pay-00001", "1.001")), "", "file", `line 2: 订单金额 is "1.001"`},
		"an exponent":          {file(paid("pay-00001", "1e3")), "", "file", `line 2: 订单金额 is "1e3"`},
		"a dot":                {file(paid("pay-00001", ".5")), "", "file", `line 2: 订单金额 is ".5"`},
		"a dot at the end":     {file(paid("pay-00001", "5.")), "", "file", `line 2: 订单金额 is "5."`},
		"no amount":            {file(paid("pay-00001", "")), "", "file", `line 2: 订单金额 is ""`},
		"grouped":              {file(paid("pay-00001", "100 000.00")), "", "file", "line 2: 订单金额"},
		"too much":             {file(paid("pay-00001", "99999999999999999999.00")), "", "file", "line 2: 订单金额"},
		"a refund of nothing":  {file(back("pay-00001", "refund-1", "x")), "", "file", `line 2: 申请退款金额 is "x"`},
		"two days":             {file(paid("pay-00001", "1.00"), next), "", "file", "line 3 is of 2026-12-10, and others are of 2026-12-09"},
		"another day":          {good, "2026-12-08", "day", "line 2 of the file is of 2026-12-09, and not of 2026-12-08"},
		"the day after":        {good, "2026-12-10", "day", "line 2 of the file is of 2026-12-09"},
		"no day at all":        {file(), "", "day", "is required"},
		"a later refund":       {file(paid("pay-00001", "1.00"), back("pay-00001", "refund-1", "1.00", "交易时间", "2026-12-10 00:00:00")), "2026-12-09", "day", "line 3 of the file is of 2026-12-10"},
		"refunds of two days":  {file(back("pay-00001", "refund-1", "1.00"), back("pay-00001", "refund-2", "1.00", "交易时间", "2026-12-08 00:00:00")), "", "file", "line 3 is of 2026-12-08"},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := bill.Parse([]byte(c.text), date(t, c.day))
			refusal, ok := domain.AsError(err)
			if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Field != c.field || !strings.Contains(refusal.Fields[0].Message, c.says) {
				t.Fatalf("got %+v, %v; want a refusal of %s that says %q", b, err, c.field, c.says)
			}
			if len(refusal.Message) > 300 {
				t.Errorf("the refusal is %d bytes long", len(refusal.Message))
			}
		})
	}
}

// What WeChat has signed is taken as it is, however it adds up; what is damaged otherwise is not.
func TestAProvenBill(t *testing.T) {
	odd := strings.Replace(file(paid("pay-00001", "60.00")), "`60.00,`0.00\n", "`61.00,`0.00\n", 1)
	if b, err := bill.ParseProven([]byte(odd), date(t, "")); err != nil || len(b.Lines) != 1 || b.Lines[0].AmountFen != 6000 {
		t.Errorf("got %+v, %v", b, err)
	}
	if _, err := bill.Parse([]byte(odd), date(t, "")); err == nil {
		t.Error("the same file by hand was taken")
	}
	if _, err := bill.ParseProven([]byte(strings.Replace(odd, "\n`1,`", "\n`2,`", 1)), date(t, "")); err == nil {
		t.Error("one that is cut off was taken")
	}
}

// many are so many lines of payments.
func many(n int) string {
	line, out := paid("pay-NUMBER", "1.00")+"\n", strings.Builder{}
	for i := range n {
		out.WriteString(strings.Replace(line, "NUMBER", strconv.Itoa(100_000+i), 1))
	}
	return out.String()
}

func TestTooMuch(t *testing.T) {
	for name, text := range map[string]string{
		"bytes": strings.Repeat("a", domain.MaxBillBytes+1),
		"lines": header + "\n" + many(domain.MaxBillLines+1),
	} {
		if _, err := bill.Parse([]byte(text), domain.Date{}); !domain.IsReason(err, "invalid_field") || !strings.Contains(err.Error(), "must not be") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever somebody uploads is read or refused, and never takes the program down.
func FuzzParse(f *testing.F) {
	f.Add([]byte(file(paid("pay-00001", "60.00"), back("pay-00001", "refund-1", "1.00"))))
	f.Add([]byte(header + "\n`\n总交易单数\n`0"))
	f.Add([]byte("交易时间\n总交易单数\n`0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := bill.Parse(data, domain.Date{})
		if _, refused := domain.AsError(err); err != nil && !refused {
			t.Errorf("a fault: %v", err)
		}
		if err == nil && b.Day.IsZero() {
			t.Error("a bill without a day")
		}
	})
}
