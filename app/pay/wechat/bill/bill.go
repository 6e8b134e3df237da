// Package bill reads the trade bill of a day that WeChat Pay gives a merchant: all
// payments and refunds of that day of China, and how many there are. It knows no
// club: what a bill says is compared elsewhere.
package bill

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"courtd/domain"
)

// Zone is where a bill's day begins and ends, wherever the venue is.
var Zone = time.FixedZone("Asia/Shanghai", 8*60*60)

// Why WeChat has no bill to give. Both are answers, not faults.
var (
	ErrNone     = errors.New("there is no bill for this day")
	ErrNotReady = errors.New("the bill for this day is not ready yet")
)

// What a line is about.
const (
	Payment = "payment"
	Refund  = "refund"
)

// The states that matter: whether money came, and whether a refund moved any.
const (
	Success = "SUCCESS"
	Failed  = "FAIL"    // of a refund: nothing went back
	Revoked = "REVOKED" // a payment that the merchant took back at once; a refund to us
)

// Line is one payment or refund.
type Line struct {
	No            int    // of the file, from 1
	Kind          string // Payment or Refund
	OutTradeNo    string
	OutRefundNo   string
	TransactionID string
	AmountFen     int64 // what was asked for, before any coupon of WeChat's
	At            domain.Instant
	State         string // a payment's, or the refund's when the bill was made
}

// Bill is the bill of one day.
type Bill struct {
	Merchant string // "" when there are no lines
	Day      domain.Date
	Lines    []Line
}

// The headings of the columns that are read. Others may come and go.
const (
	colTime        = "交易时间"
	colMerchant    = "商户号"
	colTransaction = "微信订单号"
	colOutTradeNo  = "商户订单号"
	colState       = "交易状态"
	colOutRefundNo = "商户退款单号"
	colRefund      = "退款金额"
	colRefundState = "退款状态"
	colAmount      = "订单金额"
	colRefundAsked = "申请退款金额" // may be missing; without it colRefund counts

	colCount = "总交易单数" // of the summary
)

// totals are the headings of the summary whose sums are those of a column.
var totals = map[string]string{"订单总金额": colAmount, "申请退款总金额": colRefundAsked}

var needed = []string{colTime, colMerchant, colTransaction, colOutTradeNo, colState, colOutRefundNo, colRefund, colRefundState, colAmount}

const (
	mark     = "`"
	between  = ",`"
	bom      = "\uFEFF"
	maxLine  = 8 << 10
	timeForm = "2006-01-02 15:04:05"
)

// Parse reads a whole bill. The day may be left out: then it is that of the lines. A
// bill that is cut off, or of which anything cannot be understood, is refused as a whole,
// by a refusal of the field "file" or "day".
func Parse(data []byte, day domain.Date) (Bill, error) { return parse(data, day, true) }

// ParseProven reads a bill whose bytes are proven to be WeChat's. Nobody has changed its
// amounts, so that it need not be understood how WeChat adds them up.
func ParseProven(data []byte, day domain.Date) (Bill, error) { return parse(data, day, false) }

func parse(data []byte, day domain.Date, addUp bool) (Bill, error) {
	rows, err := rowsOf(data)
	if err != nil {
		return Bill{}, err
	}
	columns, err := columnsOf(rows[0])
	if err != nil {
		return Bill{}, err
	}
	out, seen := Bill{}, map[string]int{}
	at := 1
	for ; at < len(rows) && summaryPlace(rows[at]) < 0; at++ {
		if len(out.Lines) == domain.MaxBillLines {
			return Bill{}, domain.BadField("file", "must not be more than %d lines of payments and refunds", domain.MaxBillLines)
		}
		line, merchant, err := columns.line(at+1, rows[at])
		if err != nil {
			return Bill{}, err
		}
		if out.Merchant == "" {
			out.Merchant = merchant
		}
		if merchant != out.Merchant {
			return Bill{}, domain.BadField("file", "line %d is of merchant %s, and those above are of %s", line.No, merchant, out.Merchant)
		}
		what := line.Kind + " " + line.OutTradeNo + " " + line.OutRefundNo
		if before := seen[what]; before > 0 {
			return Bill{}, domain.BadField("file", "line %d repeats line %d: one payment or refund stands in a bill once", line.No, before)
		}
		seen[what] = line.No
		out.Lines = append(out.Lines, line)
	}
	if err := checkCount(rows, at, len(out.Lines)); err != nil {
		return Bill{}, err
	}
	if err := columns.checkTotals(rows, at); err != nil && addUp {
		return Bill{}, err
	}
	out.Day, err = dayOf(out.Lines, day)
	return out, err
}

// rowsOf gives the lines of a file that is text and may be a bill.
func rowsOf(data []byte) ([]string, error) {
	switch {
	case len(data) == 0:
		return nil, domain.BadField("file", "is empty")
	case len(data) > domain.MaxBillBytes:
		return nil, domain.BadField("file", "must not be larger than %d MB", domain.MaxBillBytes>>20)
	case bytes.HasPrefix(data, []byte{0xD0, 0xCF, 0x11, 0xE0}), bytes.HasPrefix(data, []byte("PK")) && bytes.Contains(data, []byte("xl/")):
		return nil, domain.BadField("file", "is an Excel file: take the file as WeChat gives it (CSV)")
	case bytes.HasPrefix(data, []byte{0x1F, 0x8B}), bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return nil, domain.BadField("file", "is packed: unpack it first (gzip, zip)")
	case !utf8.Valid(data):
		return nil, domain.BadField("file", "is no UTF-8 text: take the file as WeChat gives it, not as a spreadsheet program has saved it")
	}
	text := strings.TrimPrefix(string(data), bom)
	rows := strings.Split(text, "\n")
	for i := range rows {
		rows[i] = strings.TrimSuffix(rows[i], "\r")
	}
	for len(rows) > 1 && strings.TrimSpace(rows[len(rows)-1]) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows, nil
}

// columns says in which place of a line each heading's value stands.
type columns struct {
	place map[string]int
	n     int
	sums  map[string]int64 // fen of the columns that the summary adds up, so far
	odd   map[string]bool  // those in which something is no amount
}

func columnsOf(header string) (columns, error) {
	out := columns{place: map[string]int{}, sums: map[string]int64{}, odd: map[string]bool{}}
	if len(header) > maxLine {
		return out, domain.BadField("file", "is no trade bill of WeChat Pay: it does not begin with the headings of one")
	}
	for i, name := range strings.Split(header, ",") {
		name = strings.TrimPrefix(strings.TrimSpace(name), mark)
		if _, twice := out.place[name]; twice {
			return out, domain.BadField("file", "has the column %s twice", short(name))
		}
		out.place[name], out.n = i, i+1
	}
	if _, ok := out.place[colTime]; !ok {
		return out, domain.BadField("file", "is no trade bill of WeChat Pay: it does not begin with the headings of one")
	}
	for _, name := range needed {
		if _, ok := out.place[name]; !ok {
			return out, domain.BadField("file", "has no column %s: take the bill of all trades (type ALL)", name)
		}
	}
	return out, nil
}

// values splits a line. Names of goods contain commas, so that only a comma before the
// mark that begins every value is a boundary; and a name may contain even that, which is
// why the values around it are counted from both ends.
func (c columns) values(no int, row string) ([]string, error) {
	rest, ok := strings.CutPrefix(row, mark)
	if !ok || len(row) > maxLine {
		return nil, domain.BadField("file", "line %d is no line of a bill: each value of one begins with the mark `", no)
	}
	values := strings.Split(rest, between)
	if extra := len(values) - c.n; extra > 0 {
		// Texts of one's own are the name of the goods and what was attached.
		if at, ok := c.place["商品名称"]; ok && at < c.n {
			joined := strings.Join(values[at:at+extra+1], between)
			values = append(append(values[:at:at], joined), values[at+extra+1:]...)
		}
	}
	if len(values) != c.n {
		return nil, domain.BadField("file", "line %d has %d values under %d headings: the file is damaged or cut off", no, len(values), c.n)
	}
	return values, nil
}

func (c columns) line(no int, row string) (Line, string, error) {
	values, err := c.values(no, row)
	if err != nil {
		return Line{}, "", err
	}
	value := func(name string) string {
		at, ok := c.place[name]
		if !ok {
			return ""
		}
		return strings.TrimSpace(values[at])
	}
	for _, name := range totals {
		fen, ok := fenOf(value(name))
		c.sums[name] += fen
		c.odd[name] = c.odd[name] || !ok
	}
	at, err := time.ParseInLocation(timeForm, value(colTime), Zone)
	if err != nil {
		return Line{}, "", domain.BadField("file", "line %d: %s is %q and must be a time such as 2026-12-10 18:00:01", no, colTime, short(value(colTime)))
	}
	line := Line{No: no, OutTradeNo: value(colOutTradeNo), TransactionID: value(colTransaction), At: domain.InstantOf(at), State: value(colState)}
	if line.OutTradeNo == "" {
		return Line{}, "", domain.BadField("file", "line %d: %s is empty", no, colOutTradeNo)
	}
	if value(colMerchant) == "" {
		return Line{}, "", domain.BadField("file", "line %d: %s is empty", no, colMerchant)
	}
	money := func(name string) (fen int64) {
		if err != nil {
			return 0
		}
		var ok bool
		if fen, ok = fenOf(value(name)); !ok {
			err = domain.BadField("file", "line %d: %s is %q and must be an amount such as 60.00", no, name, short(value(name)))
		}
		return fen
	}
	switch line.State {
	case Success:
		line.Kind, line.AmountFen = Payment, money(colAmount)
	case "REFUND":
		line.Kind, line.OutRefundNo, line.State = Refund, value(colOutRefundNo), value(colRefundState)
		line.AmountFen = c.refundFen(money)
		if line.OutRefundNo == "" {
			return Line{}, "", domain.BadField("file", "line %d: %s is empty", no, colOutRefundNo)
		}
	case Revoked:
		line.Kind, line.OutRefundNo = Refund, strings.TrimLeft(value(colOutRefundNo), "0")
		line.AmountFen = c.refundFen(money)
	default:
		return Line{}, "", domain.BadField("file", "line %d: %s is %q, which is not known", no, colState, short(line.State))
	}
	return line, value(colMerchant), err
}

// refundFen is what was asked to go back. What went back is less where a coupon of
// WeChat's had paid a part.
func (c columns) refundFen(money func(string) int64) int64 {
	if _, ok := c.place[colRefundAsked]; ok {
		return money(colRefundAsked)
	}
	return money(colRefund)
}

// summaryPlace is where among the headings of the summary the number of lines stands;
// less than 0 in any other row.
func summaryPlace(row string) int {
	if strings.HasPrefix(row, mark) {
		return -1
	}
	return slices.Index(strings.Split(row, ","), colCount)
}

// checkCount wants the two last rows: how many lines there are, as WeChat has counted
// them. Without it a download that broke off would look like a day of fewer trades.
func checkCount(rows []string, at, lines int) error {
	if at+1 >= len(rows) {
		return domain.BadField("file", "is incomplete: the summary at its end is missing")
	}
	if at+2 != len(rows) {
		return domain.BadField("file", "line %d comes after the summary: take each day's file as it is", at+3)
	}
	count := summaryValue(rows[at+1], summaryPlace(rows[at]))
	n, err := strconv.Atoi(count)
	if err != nil || !strings.HasPrefix(rows[at+1], mark) {
		return domain.BadField("file", "line %d: %s is %q and must be a number", at+2, colCount, short(count))
	}
	if n != lines {
		return domain.BadField("file", "is incomplete: its summary counts %d trades, and there are %d lines", n, lines)
	}
	return nil
}

// checkTotals wants the lines to add up to what the summary says. Otherwise an amount that
// somebody has changed would look like WeChat's own.
func (c columns) checkTotals(rows []string, at int) error {
	for place, name := range strings.Split(rows[at], ",") {
		name = strings.TrimSpace(name)
		column, summed := totals[name]
		if _, here := c.place[column]; !summed || !here || c.odd[column] {
			continue
		}
		said := summaryValue(rows[at+1], place)
		if fen, ok := fenOf(said); !ok || fen != c.sums[column] {
			return domain.BadField("file", "line %d: %s is %q, and the lines add up to %s: the file was changed or is damaged", at+2, name, short(said), yuanOf(c.sums[column]))
		}
	}
	return nil
}

// summaryValue is the value in a place of the summary's row; empty beyond its end.
func summaryValue(row string, place int) string {
	values := strings.Split(strings.TrimPrefix(row, mark), between)
	if place >= len(values) {
		return ""
	}
	return strings.TrimSpace(values[place])
}

// yuanOf writes fen as a bill does.
func yuanOf(fen int64) string {
	sign := ""
	if fen < 0 {
		sign, fen = "-", -fen
	}
	return fmt.Sprintf("%s%d.%02d", sign, fen/100, fen%100)
}

// dayOf is the day of China that a bill is about. Payments say it; a refund's time is
// when WeChat took it on, and never later than the bill's day.
func dayOf(lines []Line, asked domain.Date) (domain.Date, error) {
	day := asked
	for _, kind := range []string{Payment, Refund} {
		for _, l := range lines {
			if day.IsZero() && l.Kind == kind {
				day = Day(l.At)
			}
		}
	}
	if day.IsZero() {
		return day, domain.BadField("day", "is required: the file has no lines that would tell it")
	}
	payments := false
	for _, l := range lines {
		payments = payments || l.Kind == Payment
	}
	for _, l := range lines {
		of := Day(l.At)
		early := of.Before(day) && (l.Kind == Payment || !payments)
		if !early && !day.Before(of) {
			continue
		}
		if asked.IsZero() {
			return day, domain.BadField("file", "line %d is of %s, and others are of %s: a bill is of one day", l.No, of, day)
		}
		return day, domain.BadField("day", "line %d of the file is of %s, and not of %s", l.No, of, day)
	}
	return day, nil
}

// Day is the day of China at an instant.
func Day(at domain.Instant) domain.Date {
	y, m, d := at.In(Zone).Date()
	return domain.Date{Year: y, Month: m, Day: d}
}

// Start is the first instant of a day of China.
func Start(d domain.Date) domain.Instant {
	return domain.InstantOf(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, Zone))
}

// ReadyAt is when WeChat has made the bill of a day.
func ReadyAt(d domain.Date) domain.Instant { return Start(d.AddDays(1)).Add(10 * time.Hour) }

// KeptFor is how many days back WeChat gives bills: three months.
const KeptFor = 90

// fenOf reads yuan with at most two decimals, such as 60.00, without any rounding.
func fenOf(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, part, dotted := strings.Cut(digits, ".")
	if len(part) > 2 || whole == "" || len(whole) > 12 || (dotted && part == "") || strings.Trim(whole+part, "0123456789") != "" {
		return 0, false
	}
	fen, err := strconv.ParseInt(whole+(part + "00")[:2], 10, 64)
	if negative {
		fen = -fen
	}
	return fen, err == nil
}

// short is enough of a value to find it by.
func short(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
