package wechat

import (
	"net/http"
	"net/url"
	"time"
)

// The most that is read of an answer. A bill of one day is the only long one.
const maxAnswerBytes = 64 << 20

// elsewhere sends every request to one scheme and host, whatever address the
// library made. What is signed does not cover the host.
type elsewhere struct {
	base *url.URL
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = e.base.Scheme, e.base.Host, ""
	answer, err := e.next.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxAnswerBytes)
	}
	return answer, err
}

// httpClient calls base and nobody else: a redirect is an answer like any other.
func httpClient(base *url.URL, timeout time.Duration) *http.Client {
	next := http.DefaultTransport
	if t, ok := next.(*http.Transport); ok {
		next = t.Clone()
	}
	return &http.Client{
		Transport:     elsewhere{base: base, next: next},
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
