package wechatapi

import "unicode"

// Cut shortens text to at most the given number of characters (code points), the last of
// which is then "…". What belongs to one visible character, such as an accent or the
// parts of an emoji, is kept or dropped together.
func Cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	if most < 1 {
		return ""
	}
	end := most - 1
	for end > 0 && joined(runes, end) {
		end--
	}
	return string(runes[:end]) + "…"
}

// joined says whether runes[i] belongs to the visible character before it.
func joined(runes []rune, i int) bool {
	const joiner = '\u200d'
	r, before := runes[i], runes[i-1]
	switch {
	case r == joiner, before == joiner, unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc), r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0020 && r <= 0xe007f:
		return true
	case flag(r) && flag(before):
		// Flags are pairs: how many there are before says whether this is a second half.
		n := 0
		for j := i - 1; j >= 0 && flag(runes[j]); j-- {
			n++
		}
		return n%2 == 1
	}
	return false
}

func flag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
