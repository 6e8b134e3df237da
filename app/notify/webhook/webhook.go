// Package webhook tells the venue's own software of events. What it posts is signed after
// the Standard Webhooks specification, so that every library for it can verify it.
package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"courtd/app/notify/outpost"
)

// Endpoint is where events go.
type Endpoint struct {
	URL    string
	Secret string // as Secret gives it
}

// NewClient makes the client for Send. See outpost.NewClient.
func NewClient() *http.Client { return outpost.NewClient() }

// Send posts an event once. id is the event's, the same at every try; at is the instant
// of this try. Its errors are those of outpost.Send: notify.ErrRefused, notify.ErrGone,
// notify.LaterError or notify.ErrDown; none contains the address or the secret.
func Send(ctx context.Context, client *http.Client, to Endpoint, id string, at time.Time, body []byte) error {
	return outpost.Send(ctx, client, outpost.Post{URL: to.URL, Secret: to.Secret, ID: id, At: at, Body: body})
}

// Secret gives the secret of a webhook, the same whenever it is asked, so that none has
// to be stored: "whsec_" and the base64 of HMAC-SHA256 over the webhook's id and the
// number of times that its secret was changed. Without a master there is no secret, and
// Send sends nothing.
func Secret(master []byte, id string, generation int) string {
	if len(master) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, master)
	// The byte between them keeps (1, 11) from being (11, 1).
	mac.Write([]byte(id + "\x00" + strconv.Itoa(generation)))
	return "whsec_" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
