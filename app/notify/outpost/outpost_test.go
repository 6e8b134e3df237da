package outpost

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"courtd/app/notify"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

// private is in every post of these tests and in no error.
const private = "token-in-the-address"

func post(address string) Post {
	return Post{URL: address + "/hook?key=" + private, Secret: secret, ID: "n-1", At: time.Unix(1800000000, 0), Body: []byte(`{"phone":"+8613812345678"}`)}
}

// leaks fails if an error repeats anything that the owner must not read in it.
func leaks(t *testing.T, err error) {
	t.Helper()
	for _, word := range []string{private, secret, strings.TrimPrefix(secret, "whsec_"), "13812345678", "/hook", "echoed"} {
		if err != nil && strings.Contains(err.Error(), word) {
			t.Errorf("%q is in the error %q", word, err)
		}
	}
}

func TestSendSaysWhatAnAnswerMeans(t *testing.T) {
	at := post("").At
	for name, c := range map[string]struct {
		code  int
		after string
		want  error
		later time.Duration
	}{
		"200":                 {code: 200},
		"202":                 {code: 202},
		"204":                 {code: 204},
		"301":                 {code: 301, want: notify.ErrDown},
		"307":                 {code: 307, want: notify.ErrDown},
		"400":                 {code: 400, want: notify.ErrRefused},
		"401":                 {code: 401, want: notify.ErrDown},
		"403":                 {code: 403, want: notify.ErrDown},
		"404":                 {code: 404, want: notify.ErrDown},
		"410":                 {code: 410, want: notify.ErrGone},
		"418":                 {code: 418, want: notify.ErrDown},
		"422":                 {code: 422, want: notify.ErrRefused},
		"429":                 {code: 429, want: notify.ErrDown},
		"429 seconds":         {code: 429, after: "90", want: notify.ErrDown, later: 90 * time.Second},
		"429 nonsense":        {code: 429, after: "soon", want: notify.ErrDown},
		"429 negative":        {code: 429, after: "-5", want: notify.ErrDown},
		"500":                 {code: 500, want: notify.ErrDown},
		"502":                 {code: 502, want: notify.ErrDown},
		"503":                 {code: 503, want: notify.ErrDown},
		"503 a date":          {code: 503, after: at.Add(5 * time.Minute).UTC().Format(http.TimeFormat), want: notify.ErrDown, later: 5 * time.Minute},
		"503 a date in past":  {code: 503, after: at.Add(-time.Hour).UTC().Format(http.TimeFormat), want: notify.ErrDown},
		"503 a year":          {code: 503, after: "31536000", want: notify.ErrDown, later: 24 * time.Hour},
		"503 beyond a number": {code: 503, after: "9223372036854775807", want: notify.ErrDown, later: 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			followed := false
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/hook" {
					followed = true
				}
				w.Header().Set("Location", "/elsewhere")
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				w.WriteHeader(c.code)
				_, _ = io.WriteString(w, "echoed "+private)
			}))
			defer server.Close()
			err := Send(t.Context(), NewClient(), post(server.URL))
			leaks(t, err)
			if !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if errors.Is(c.want, notify.ErrDown) && errors.Is(err, notify.ErrRefused) || errors.Is(c.want, notify.ErrRefused) && errors.Is(err, notify.ErrDown) {
				t.Errorf("%v is both down and refused", err)
			}
			var later notify.LaterError
			if errors.As(err, &later) != (c.later > 0) || later.After != c.later {
				t.Errorf("later is %v in %v, want %v", later.After, err, c.later)
			}
			if followed {
				t.Error("a redirect was followed")
			}
		})
	}
}

// A client of somebody else's that would follow redirects does not.
func TestSendFollowsNoRedirectByAnyClient(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.Path)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	if err := Send(t.Context(), server.Client(), post(server.URL)); !errors.Is(err, notify.ErrDown) || len(seen) != 1 {
		t.Errorf("got %v after %v", err, seen)
	}
}

func TestSendIsSignedSoThatTheLibraryVerifiesIt(t *testing.T) {
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		body, _ = io.ReadAll(r.Body)
	}))
	defer server.Close()
	p := post(server.URL)
	p.At = time.Now()
	if err := Send(t.Context(), NewClient(), p); err != nil {
		t.Fatal(err)
	}
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := verifier.Verify(body, header); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(body, p.Body) || header.Get("webhook-id") != "n-1" || header.Get("Content-Type") != "application/json" {
		t.Errorf("got %s %v", body, header)
	}
	body[3] ^= 1
	if err := verifier.Verify(body, header); err == nil {
		t.Error("a changed byte was verified")
	}
}

func TestSendIsDownWhereNobodyIs(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	_ = listener.Close()
	for name, where := range map[string]string{
		"refused":          address,
		"no such name":     "http://nobody.invalid",
		"link-local":       "http://169.254.169.254",
		"link-local v6":    "http://[fe80::1]",
		"mapped":           "http://[::ffff:169.254.169.254]",
		"metadata":         "http://100.100.100.200",
		"another scheme":   "ftp://127.0.0.1",
		"with a password":  "http://user:" + private + "@127.0.0.1",
		"no host":          "http://",
		"not an address":   "http://%zz" + private,
		"the local socket": "unix:///run/x",
	} {
		err := Send(t.Context(), NewClient(), post(where))
		leaks(t, err)
		if !errors.Is(err, notify.ErrDown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	server := httptest.NewTLSServer(http.NotFoundHandler())
	server.Config.ErrorLog = nil
	defer server.Close()
	err = Send(t.Context(), NewClient(), post(server.URL))
	leaks(t, err)
	if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an unknown certificate: %v", err)
	}
}

// A name is looked at after it was resolved: what it leads to decides.
func TestGuardLooksAtWhatIsConnectedTo(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "10.1.2.3": true, "192.168.1.9": true, "172.16.0.1": true, "fd00::1": true, "8.8.8.8": true, "100.64.0.1": true,
		"169.254.0.1": false, "169.254.169.254": false, "169.254.0.23": false, "fe80::1%eth0": false, "febf::1": false, "::ffff:169.254.1.1": false,
		"64:ff9b::a9fe:a9fe": false, "100.100.100.200": false, "::ffff:100.100.100.200": false, "168.63.129.16": false, "fd00:ec2::254": false, "224.0.0.1": false,
	} {
		ip := netip.MustParseAddr(address)
		if err := guard("tcp", netip.AddrPortFrom(ip, 80).String(), nil); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	if guard("tcp", "not an address", nil) == nil {
		t.Error("what is no address was let through")
	}
	// Through the client, with nothing in between that looks at the name.
	req, err := http.NewRequest(http.MethodGet, "http://169.254.169.254/", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := NewClient().Do(req)
	if err == nil {
		_ = answer.Body.Close()
	}
	if !errors.Is(err, errForbidden) {
		t.Errorf("the client: %v", err)
	}
}

func TestSendWithoutAProperSecretOrID(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("something was sent") }))
	defer server.Close()
	for _, bad := range []string{"", "whsec_", "whsec_c2hvcnQ=", "plain", "whsec_%%%", strings.TrimPrefix(secret, "whsec_")} {
		p := post(server.URL)
		p.Secret = bad
		err := Send(t.Context(), NewClient(), p)
		if !errors.Is(err, notify.ErrDown) || len(bad) > 6 && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	p := post(strings.Replace(server.URL, "http://", "http://user:"+private+"@", 1))
	if err := Send(t.Context(), NewClient(), p); !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "password") {
		t.Errorf("an address with a password: %v", err)
	}
	for _, bad := range []string{"", "a.b", "a b", "a\r\nX: y"} {
		p := post(server.URL)
		p.ID = bad
		if err := Send(t.Context(), NewClient(), p); !errors.Is(err, notify.ErrRefused) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestSendTakesNoLongerThanItMay(t *testing.T) {
	held := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-held }))
	defer server.Close()
	defer close(held)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := Send(ctx, NewClient(), post(server.URL))
	leaks(t, err)
	if !errors.Is(err, notify.ErrDown) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("too slow: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	err = Send(ctx, NewClient(), post(server.URL))
	if errors.Is(err, notify.ErrDown) || !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
	if client := NewClient(); client.Timeout != Timeout || Timeout != 10*time.Second {
		t.Errorf("the client waits %v", client.Timeout)
	}
}

// An answer without an end is not read to its end.
func TestSendReadsOnlySoMuchOfAnAnswer(t *testing.T) {
	written := 0
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		chunk := bytes.Repeat([]byte("x"), 32<<10)
		for written < 256<<20 {
			n, err := w.Write(chunk)
			if written += n; err != nil {
				return
			}
		}
	}))
	defer server.Close()
	if err := Send(t.Context(), NewClient(), post(server.URL)); err != nil {
		t.Fatal(err)
	}
	if <-done; written >= 256<<20 {
		t.Error("all of it was read")
	}
}
