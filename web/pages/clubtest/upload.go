package clubtest

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
)

// Upload posts a form of one's own page with a file: pairs of names and values.
func (b *Browser) Upload(path, field string, file []byte, pairs ...string) Page {
	b.club.t.Helper()
	return b.SendFile(path, field, file, append([]string{"csrf", b.Token()}, pairs...)...)
}

// SendFile posts a form with a file as it stands.
func (b *Browser) SendFile(path, field string, file []byte, pairs ...string) Page {
	b.club.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		Must(b.club.t, form.WriteField(pairs[i], pairs[i+1]))
	}
	part, err := form.CreateFormFile(field, "bill.csv")
	Must(b.club.t, err)
	_, err = part.Write(file)
	Must(b.club.t, err)
	Must(b.club.t, form.Close())
	r := httptest.NewRequest("POST", path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.Do(r)
}
