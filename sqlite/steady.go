package sqlite

import (
	"regexp"
	"sync"
)

// SQLite looks at the value of a parameter when a column is compared with it (col = ?),
// because 0 and 1 are commoner than other numbers, and throws the prepared statement away
// when another value is bound: for a text, always. Preparing costs many times what the
// statement itself does. A plus before the parameter changes no value and no affinity,
// and what stands behind it is not looked at.
var comparedWith = regexp.MustCompile(`(=|\bIS)\s*\?`)

// steadied keeps what steady has made of each statement: there are as many as the source has.
var steadied sync.Map

// steady writes a statement so that it stays prepared whatever its parameters are.
func steady(query string) string {
	if kept, ok := steadied.Load(query); ok {
		return kept.(string)
	}
	out := comparedWith.ReplaceAllString(query, "$1 +?")
	steadied.Store(query, out)
	return out
}
