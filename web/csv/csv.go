// Package csv writes tables for spreadsheet programs. Every export goes through it,
// so that no name that somebody has chosen can become a formula.
package csv

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// ContentType is the media type of every file made here.
const ContentType = "text/csv; charset=utf-8"

const (
	byteOrderMark = "\uFEFF" // without it Excel reads Chinese as gibberish
	lineEnd       = "\r\n"
)

// Cell is one field: text that somebody wrote, or a number that we worked out.
type Cell struct {
	text   string
	number bool
}

// Text is a cell of text. Whatever it says, it stays text.
func Text(text string) Cell { return Cell{text: text} }

// Int is a whole number.
func Int[N int | int64](n N) Cell { return Cell{text: strconv.FormatInt(int64(n), 10), number: true} }

// Yuan is a sum of money, kept in fen and shown in yuan with two decimals.
func Yuan(fen int64) Cell {
	sign, size := "", uint64(fen)
	if fen < 0 {
		sign, size = "-", -size
	}
	return Cell{text: fmt.Sprintf("%s%d.%02d", sign, size/100, size%100), number: true}
}

// Percent is a share with one decimal; nil is an empty cell.
func Percent(percent *float64) Cell {
	if percent == nil {
		return Cell{number: true}
	}
	return Cell{text: strconv.FormatFloat(*percent, 'f', 1, 64), number: true}
}

// Table is a table in the making.
type Table struct {
	columns int
	out     strings.Builder
}

// NewTable begins a table with the headings of its columns.
func NewTable(headings ...string) *Table {
	t := &Table{columns: len(headings)}
	t.out.WriteString(byteOrderMark)
	cells := make([]Cell, len(headings))
	for i, h := range headings {
		cells[i] = Text(h)
	}
	t.Row(cells...)
	return t
}

// Row adds a row. It panics unless there is one cell for each heading.
func (t *Table) Row(cells ...Cell) {
	if len(cells) != t.columns {
		panic(fmt.Sprintf("csv: %d cells under %d headings", len(cells), t.columns))
	}
	for i, c := range cells {
		if i > 0 {
			t.out.WriteByte(',')
		}
		if c.number {
			t.out.WriteString(c.text)
			continue
		}
		t.out.WriteByte('"')
		t.out.WriteString(strings.ReplaceAll(guard(c.text), `"`, `""`))
		t.out.WriteByte('"')
	}
	t.out.WriteString(lineEnd)
}

// Bytes is the file.
func (t *Table) Bytes() []byte { return []byte(t.out.String()) }

// guard makes text that a spreadsheet program would take for a formula plain, by
// an apostrophe in front. What cannot be seen, or is not a character, is looked
// through: such programs skip it too.
func guard(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	for _, char := range text {
		switch {
		case startsFormula(char):
			return "'" + text
		case !unseen(char):
			return text
		}
	}
	return text
}

// startsFormula reports whether a cell that begins with a character may be taken for
// a formula or for more than one cell. Full-width and small forms count in East Asia.
func startsFormula(char rune) bool {
	return strings.ContainsRune("=+-@\t\r\n＝＋－＠﹦﹢﹣﹫−", char)
}

// unseen reports whether a character leaves no mark on its own.
func unseen(char rune) bool {
	return unicode.In(char, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || char == '\u2800' || char == '\uFFFD'
}
