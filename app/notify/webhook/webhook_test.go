package webhook_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"courtd/app/notify"
	"courtd/app/notify/outpost"
	"courtd/app/notify/webhook"
)

var master = []byte("a master that is nobody's, 32 bytes")

const known = "whsec_N6KuXVvjxjY1vZbV+pPiHnPJDPmyfqZzu8er5UvxM2I="

// received sends one event at an instant and gives what arrived.
func received(t *testing.T, secret string, at time.Time) (http.Header, []byte) {
	t.Helper()
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	err := webhook.Send(t.Context(), webhook.NewClient(), webhook.Endpoint{URL: server.URL, Secret: secret}, "e-7", at, []byte(`{"type":"order.paid","说明":"已付"}`))
	if err != nil {
		t.Fatal(err)
	}
	return header, body
}

func TestSendIsVerifiedByTheLibrary(t *testing.T) {
	secret := webhook.Secret(master, "w-1", 1)
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	header, body := received(t, secret, time.Now())
	if err := verifier.Verify(body, header); err != nil {
		t.Error(err)
	}
	for i := range body {
		changed := append([]byte(nil), body...)
		changed[i] ^= 1
		if err := verifier.Verify(changed, header); !errors.Is(err, standardwebhooks.ErrNoMatchingSignature) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
	other := header.Clone()
	other.Set("webhook-id", "e-8")
	if err := verifier.Verify(body, other); err == nil {
		t.Error("another id was verified")
	}
	stranger, err := standardwebhooks.NewWebhook(webhook.Secret(master, "w-2", 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := stranger.Verify(body, header); err == nil {
		t.Error("another webhook's secret verified it")
	}
	header, body = received(t, secret, time.Now().Add(-6*time.Minute))
	if err := verifier.Verify(body, header); !errors.Is(err, standardwebhooks.ErrMessageTooOld) {
		t.Errorf("an old message: %v", err)
	}
}

func TestSecretIsOneForEachWebhookAndGeneration(t *testing.T) {
	seen := map[string]string{}
	for name, secret := range map[string]string{
		"w-1 1": webhook.Secret(master, "w-1", 1), "w-1 2": webhook.Secret(master, "w-1", 2), "w-11 1": webhook.Secret(master, "w-11", 1),
		"w-1 11": webhook.Secret(master, "w-1", 11), "another master": webhook.Secret([]byte("another"), "w-1", 1),
	} {
		if other, ok := seen[secret]; ok {
			t.Errorf("%s and %s have one secret", name, other)
		}
		seen[secret] = name
		if _, problem := outpost.CheckSecret(secret); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
	if webhook.Secret(master, "w-1", 1) != webhook.Secret(master, "w-1", 1) {
		t.Error("asked twice, it is not the same")
	}
	// Known from outside: printf 'w-1\0001' | openssl dgst -sha256 -hmac KEY -binary | base64
	if got := webhook.Secret([]byte("key"), "w-1", 1); got != known {
		t.Errorf("got %s", got)
	}
	if webhook.Secret(nil, "w-1", 1) != "" {
		t.Error("there is a secret without a master")
	}
}

func TestSendGone(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusGone) }))
	defer server.Close()
	to := webhook.Endpoint{URL: server.URL, Secret: webhook.Secret(master, "w", 1)}
	err := webhook.Send(t.Context(), webhook.NewClient(), to, "e-1", time.Unix(1, 0), nil)
	if !errors.Is(err, notify.ErrGone) || errors.Is(err, notify.ErrRefused) {
		t.Errorf("got %v", err)
	}
}
