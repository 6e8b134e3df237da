package csv_test

import (
	"bytes"
	stdcsv "encoding/csv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"courtd/web/csv"
)

// FuzzTable writes hostile cells and reads the file as a spreadsheet program does: every
// cell is text, is one cell, and says what was written.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"1号场", "=1+1", "+86", "-1", "@SUM(A1)", "\t=1", "a\r\nb", "\"quoted\"", ",", "\u200b=1", "\U000e0001=1", "\xff=1", "＝1", "\x00=1", "'=1", "\u2800=1", "\u180e=1", "\u034f=1", "\ufff9=1", "\U0001d173=1", "\U000e0100=1", "\u00ad=1", "\u2212=1"} {
		f.Add(text, int64(-5))
	}
	f.Fuzz(func(t *testing.T, text string, fen int64) {
		table := csv.NewTable("名称", "金额", text)
		table.Row(csv.Text(text), csv.Yuan(fen), csv.Int(fen))
		file := table.Bytes()
		body, marked := bytes.CutPrefix(file, []byte("\xEF\xBB\xBF"))
		if !marked || !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
			t.Fatalf("%q", file)
		}
		rows, err := stdcsv.NewReader(bytes.NewReader(body)).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[0]) != 3 || len(rows[1]) != 3 {
			t.Fatalf("%q: %v", body, err)
		}
		cell := rows[1][0]
		if rows[0][2] != cell {
			t.Errorf("as a heading it is %q, as a cell %q", rows[0][2], cell)
		}
		// What such a program sees first is what it goes by.
		seen := strings.TrimLeftFunc(cell, func(r rune) bool {
			return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || r == '\u2800' || r == '\uFFFD'
		})
		if seen != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(seen)[0]) {
			t.Errorf("%q is the formula %q", text, cell)
		}
		plain := func(s string) string {
			return strings.NewReplacer("\r\n", "\n", "\x00", "\uFFFD").Replace(strings.ToValidUTF8(s, "\uFFFD"))
		}
		if got := strings.TrimPrefix(plain(cell), "'"); got != plain(text) && plain(cell) != plain(text) {
			t.Errorf("%q is read as %q", text, cell)
		}
		if digits := strings.Trim(rows[1][1], "-0123456789"); digits != "." || rows[1][2] == "" {
			t.Errorf("%d fen are %q", fen, rows[1][1])
		}
	})
}
