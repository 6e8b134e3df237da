package httpx

// FieldTexts are all texts that can be said of a field, by their English.
var FieldTexts = fieldWords

// PageTexts are those that pages say in English otherwise.
var PageTexts = pageWords
