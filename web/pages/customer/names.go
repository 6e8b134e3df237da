package customer

import "unicode"

// rightToLeft are the scripts that are written from right to left.
var rightToLeft = []*unicode.RangeTable{unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic}

// apart keeps a name of the other direction from turning the words beside it around,
// where no element can stand around it: in a label, in the middle of a sentence.
func apart(name string) string {
	for _, char := range name {
		if unicode.In(char, rightToLeft...) {
			return "\u2068" + name + "\u2069"
		}
	}
	return name
}
