package browser_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"

	"github.com/skip2/go-qrcode"
)

// The size of the picture that the camera takes.
const (
	cameraWidth  = 640
	cameraHeight = 480
)

// cameraFile is the film that the browser shows instead of a camera's picture. It
// is read anew whenever a page opens the camera.
func cameraFile() string { return filepath.Join(scratch, "camera.y4m") }

// blankCamera is a picture of a grey wall.
func blankCamera() *image.Gray {
	out := image.NewGray(image.Rect(0, 0, cameraWidth, cameraHeight))
	for i := range out.Pix {
		out.Pix[i] = 150
	}
	return out
}

// hold holds the QR code of a text before the camera.
func (k *club) hold(text string) {
	k.t.Helper()
	code, err := qrcode.New(text, qrcode.Medium)
	must(k.t, err)
	picture := blankCamera()
	qr := code.Image(300)
	for y := range 300 {
		for x := range 300 {
			grey := color.GrayModel.Convert(qr.At(x, y)).(color.Gray)
			picture.SetGray(x+(cameraWidth-300)/2, y+(cameraHeight-300)/2, grey)
		}
	}
	must(k.t, writeCamera(picture))
	k.t.Cleanup(func() { writeCamera(blankCamera()) })
}

// writeCamera writes a film in which nothing moves.
func writeCamera(picture *image.Gray) error {
	var film bytes.Buffer
	fmt.Fprintf(&film, "YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420jpeg\n", cameraWidth, cameraHeight)
	noColour := bytes.Repeat([]byte{128}, cameraWidth*cameraHeight/2)
	for range 2 {
		film.WriteString("FRAME\n")
		film.Write(picture.Pix)
		film.Write(noColour)
	}
	return os.WriteFile(cameraFile(), film.Bytes(), 0o644)
}
