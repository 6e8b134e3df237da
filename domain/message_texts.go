package domain

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// plainText reports what may not stand in own words or in what fills a template: other
// names in braces than those of facts, characters that cannot be seen, and line breaks
// where one line is meant.
func plainText(field, text string, lines bool, kind string) error {
	if !utf8.ValidString(text) {
		return BadField(field, "must be valid UTF-8")
	}
	for _, char := range text {
		switch {
		case char == '\u200D', char == '\u200C', lines && char == '\n': // the first two hold emoji and letters together
		case char == '\r', char == '\n', char == '\u2028', char == '\u2029':
			if !lines {
				return BadField(field, "must be one line")
			}
			return BadField(field, "must not contain the character %U", char)
		case hidden(char):
			return BadField(field, "must not contain the character %U", char)
		}
	}
	if unknown, found := unknownPlaceholder(text); found {
		return BadField(field, "names {%s}, which is none of {%s}", unknown, strings.Join(PlaceholdersOf(kind), "}, {"))
	}
	return nil
}

// unknownPlaceholder gives what a text has in braces that is no placeholder; it may be
// nothing at all.
func unknownPlaceholder(text string) (string, bool) {
	for {
		_, rest, found := strings.Cut(text, "{")
		if !found {
			return "", false
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || !slices.Contains(Placeholders, name) {
			return shortened(strings.TrimSpace(name)), true
		}
		text = after
	}
}

// shortened keeps the beginning of what may be a whole text, as behind a brace that
// nobody has closed.
func shortened(name string) string {
	const most = 20
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return name
}
