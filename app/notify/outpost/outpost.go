// Package outpost posts JSON to addresses that the owner chose, signed after the Standard
// Webhooks specification, and says what an answer means for the channel. The SMS gateway
// and the webhooks share it.
package outpost

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"courtd/app/notify"
	"courtd/domain"
)

const (
	// Timeout is how long one post may take, from the first name to the last byte.
	Timeout = 10 * time.Second
	// mostAnswer is how much of an answer is read, in bytes; nothing in it is used.
	mostAnswer = 64 << 10
	// MinSecret and MaxSecret bound the bytes in a secret, as the specification does.
	MinSecret, MaxSecret = 24, 64
	secretPrefix         = "whsec_"
)

// Post is one message to one address.
type Post struct {
	URL    string    // http or https
	Secret string    // "whsec_" and base64
	ID     string    // the same ID is the same message, however often it is posted
	At     time.Time // the instant of this try, which is signed
	Body   []byte    // JSON
}

// NewClient makes the client that posts go through. It follows no redirects, uses no
// proxy, gives up after Timeout, and connects to no link-local address: there clouds
// keep the credentials of their machines. Loopback and private networks are allowed,
// because venues run their own software beside this.
func NewClient() *http.Client {
	dialer := &net.Dialer{Timeout: Timeout, Control: guard}
	return &http.Client{
		Timeout:       Timeout,
		CheckRedirect: stay,
		Transport: &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxIdleConns: 16,
			IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: Timeout, MaxResponseHeaderBytes: mostAnswer},
	}
}

// stay follows no redirect: a signed message goes where the owner said and nowhere else.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// errForbidden is why no connection is made to an address.
var errForbidden = errors.New("link-local and metadata addresses are not posted to")

// guard looks at the address that a name has led to, right before it is connected to, so
// that no name can lead elsewhere afterwards.
func guard(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || forbidden(to.Addr()) {
		return errForbidden
	}
	return nil
}

func forbidden(ip netip.Addr) bool { return !domain.MayBeTold(ip) }

// CheckURL says in plain words what is wrong with an address, or "" twice.
func CheckURL(address string) (zh, en string) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return "必须是以 http:// 或 https:// 开头的完整网址", "must be a whole address that begins with http:// or https://"
	case u.User != nil:
		return "网址中不能带用户名或密码", "must not contain a user name or password"
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && forbidden(ip) {
		return "不能使用链路本地或云平台元数据地址", "must not be a link-local or metadata address"
	}
	return "", ""
}

// CheckSecret says in plain words what is wrong with a secret, or "" twice.
func CheckSecret(secret string) (zh, en string) {
	text, ok := strings.CutPrefix(secret, secretPrefix)
	if !ok {
		return "必须以 whsec_ 开头", "must begin with whsec_"
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) < MinSecret || len(key) > MaxSecret {
		return fmt.Sprintf("whsec_ 之后必须是 %d 至 %d 字节的 base64", MinSecret, MaxSecret),
			fmt.Sprintf("whsec_ must be followed by base64 of %d to %d bytes", MinSecret, MaxSecret)
	}
	return "", ""
}

// Send posts once. It returns nil if the message was taken (2xx); notify.ErrRefused (400,
// 422) if it never will be; notify.ErrGone (410) if nothing will be there any more; a notify.LaterError if the address
// wants to be left alone; and notify.ErrDown for everything else that is not the
// message's fault: nobody there, too slow, an error on the other side, a redirect, or an
// address or secret that is set up wrongly. It is a plain error only if ctx was
// cancelled. No error contains the address, the secret or anything from the body or the
// answer.
func Send(ctx context.Context, client *http.Client, p Post) error {
	if _, en := CheckURL(p.URL); en != "" {
		return fmt.Errorf("%w: the address %s", notify.ErrDown, en)
	}
	if _, en := CheckSecret(p.Secret); en != "" {
		return fmt.Errorf("%w: the secret %s", notify.ErrDown, en)
	}
	if p.ID == "" || strings.ContainsAny(p.ID, ". \r\n") {
		return fmt.Errorf("%w: a message's id must not be empty or contain dots or spaces", notify.ErrRefused)
	}
	signer, err := standardwebhooks.NewWebhook(p.Secret)
	if err != nil {
		return fmt.Errorf("%w: the secret cannot be read", notify.ErrDown)
	}
	signature, err := signer.Sign(p.ID, p.At, p.Body)
	if err != nil {
		return fmt.Errorf("%w: the message cannot be signed", notify.ErrDown)
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, strings.NewReader(string(p.Body)))
	if err != nil {
		return fmt.Errorf("%w: the address cannot be read", notify.ErrDown)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "courtd")
	req.Header.Set(standardwebhooks.HeaderWebhookID, p.ID)
	req.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(p.At.Unix(), 10))
	req.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	direct := *client
	direct.CheckRedirect = stay
	answer, err := direct.Do(req)
	if err != nil {
		return Unreached(err)
	}
	defer answer.Body.Close()
	// The rest is read so that the connection can be used again, and only so much of it.
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostAnswer))
	return judge(answer, p.At)
}

// judge says what an answer means.
func judge(answer *http.Response, at time.Time) error {
	code := answer.StatusCode
	switch {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusGone:
		return notify.ErrGone
	case code == http.StatusBadRequest || code == http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: answered %d", notify.ErrRefused, code)
	case code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable:
		problem := fmt.Errorf("answered %d", code)
		if after := retryAfter(answer.Header.Get("Retry-After"), at); after > 0 {
			return notify.LaterError{After: after, Err: problem}
		}
		return fmt.Errorf("%w: %w", notify.ErrDown, problem)
	case code >= 300 && code < 400:
		return fmt.Errorf("%w: answered %d; redirects are not followed, set the final address", notify.ErrDown, code)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("%w: answered %d; does it know the same secret, and is its clock right?", notify.ErrDown, code)
	case code >= 400 && code < 500:
		return fmt.Errorf("%w: answered %d; is the address right?", notify.ErrDown, code)
	}
	return fmt.Errorf("%w: answered %d", notify.ErrDown, code)
}

// retryAfter reads the header, which holds seconds or a date; 0 is neither, or now. The
// answer is at most a day.
func retryAfter(header string, at time.Time) time.Duration {
	const most = 24 * time.Hour
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 63); err == nil {
		if seconds > uint64(most/time.Second) {
			return most
		}
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(header); err == nil {
		return min(max(date.Sub(at), 0), most)
	}
	return 0
}

// Unreached says why a connection or an HTTP request got no answer, as a notify.ErrDown;
// as a plain error if its context was cancelled. Where there was no connection it is
// notify.Unreached too: nothing was sent. Nothing of err's own words, which hold the
// address, is repeated.
func Unreached(err error) error {
	var name *net.DNSError
	var slow net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("broken off: %w", context.Canceled)
	case errors.Is(err, errForbidden):
		return notify.Unreached(fmt.Errorf("%w: %w", notify.ErrDown, errForbidden))
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return fmt.Errorf("%w: no answer in time", notify.ErrDown)
	case errors.Is(err, syscall.ECONNREFUSED):
		return notify.Unreached(fmt.Errorf("%w: the connection was refused; nobody listens there", notify.ErrDown))
	case errors.As(err, &name):
		return notify.Unreached(fmt.Errorf("%w: the host's name was not found", notify.ErrDown))
	case certificate(err):
		return notify.Unreached(fmt.Errorf("%w: its TLS certificate is not to be trusted", notify.ErrDown))
	}
	return fmt.Errorf("%w: the connection broke", notify.ErrDown)
}
