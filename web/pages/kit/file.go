package kit

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
)

// BillPath is where the owner's form sends a provider's bill, which is longer than any
// other form.
const BillPath = "/owner/bills/upload"

// fileKey is a file of the form that was sent, by its field.
type fileKey string

// maxParts is more than any form with a file has.
const maxParts = 20

// File is a file of the form that was sent; nil when there is none.
func File(c *fiber.Ctx, name string) []byte {
	file, _ := c.Locals(fileKey(name)).([]byte)
	return file
}

// readFiles reads a form that files are sent with, so that its fields are found by Sent
// as those of every form are, and its files by File. The body has been received within
// its limit before; nothing of it is written to a disk.
func readFiles(c *fiber.Ctx) error {
	kind, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm {
		return c.Next() // without a file; the fields are where they always are
	}
	form, args := multipart.NewReader(bytes.NewReader(c.Request().Body()), params["boundary"]), c.Context().PostArgs()
	for n := 0; ; n++ {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return c.Next()
		}
		if err != nil || n == maxParts {
			return badForm(err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return badForm(err)
		}
		_, params, err := mime.ParseMediaType(part.Header.Get(fiber.HeaderContentDisposition))
		switch _, isFile := params["filename"]; {
		case err != nil || part.FormName() == "":
			return badForm(err)
		case isFile:
			c.Locals(fileKey(part.FormName()), value)
		case len(value) > domain.MaxBodyBytes:
			return fiber.ErrRequestEntityTooLarge
		default:
			args.AddBytesV(part.FormName(), value)
		}
	}
}

func badForm(cause error) error {
	return domain.Refuse(domain.Malformed, "malformed", "the form cannot be read").Because(cause)
}
