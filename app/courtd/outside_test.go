package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"courtd/app/pay/wechat/standin"
	wechatstandin "courtd/app/wechatapi/standin"
)

// What must never be seen outside, of the venue in outsideWorld.
const (
	outsideAPIKey    = "ApiV3-key-of-32-characters-here!"
	outsideAppSecret = "0123456789abcdef0123456789abcdef"
	outsideSMSSecret = "whsec_c21zLWdhdGV3YXktc2VjcmV0LW9mLXRoaXJ0eS1ieXRlcw=="
	outsidePassword  = "smtp-password-that-nobody-may-see"
	outsideAppID     = "wx0123456789abcdef"
	outsideMch       = "1900000001"
	outsideSerial    = "ABCDEF0123456789ABCDEF0123456789ABCDEF01"
	outsideKeyID     = "PUB_KEY_ID_0119000000012026010100000001"
)

// outsideWorld is everything that a venue reaches: WeChat Pay, WeChat's servers, an SMS
// gateway, a mail server and the venue's own software.
type outsideWorld struct {
	t      *testing.T
	bank   *standin.Server
	wechat *wechatstandin.WeChat
	env    []string
	ours   *httptest.Server

	stopMail func() // nobody listens at the mail server any more

	mu     sync.Mutex
	texts  []string // bodies that the gateway was sent
	events []string // bodies that our software was sent
	hook   string   // its secret
	mail   []string
	broken bool // everything answers 500 or not at all

	keyLine string // a line of the merchant's private key
}

func pemFile(t *testing.T, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	programOK(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	return path
}

func newOutsideWorld(t *testing.T) *outsideWorld {
	t.Helper()
	merchant, err := rsa.GenerateKey(rand.Reader, 2048)
	programOK(t, err)
	theirs, err := rsa.GenerateKey(rand.Reader, 2048)
	programOK(t, err)
	w := &outsideWorld{t: t, wechat: wechatstandin.New(outsideAppID, outsideAppSecret, time.Now)}
	w.bank = standin.New(standin.Config{MchID: outsideMch, AppID: outsideAppID, Serial: outsideSerial, MerchantKey: &merchant.PublicKey,
		APIv3Key: outsideAPIKey, KeyID: outsideKeyID, Key: theirs, Wall: time.Now})
	private, err := x509.MarshalPKCS8PrivateKey(merchant)
	programOK(t, err)
	public, err := x509.MarshalPKIXPublicKey(&theirs.PublicKey)
	programOK(t, err)
	serve := func(h http.Handler) string {
		server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if w.isBroken() {
				http.Error(out, "broken", http.StatusInternalServerError)
				return
			}
			h.ServeHTTP(out, r)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	smtpPort, trust := w.serveMail()
	w.env = []string{"COURTD_WECHAT_PAY_MCH_ID=" + outsideMch, "COURTD_WECHAT_PAY_MCH_SERIAL=" + outsideSerial,
		"COURTD_WECHAT_PAY_MCH_KEY_FILE=" + pemFile(t, "apiclient_key.pem", "PRIVATE KEY", private), "COURTD_WECHAT_PAY_API_V3_KEY=" + outsideAPIKey,
		"COURTD_WECHAT_PAY_PUBLIC_KEY_ID=" + outsideKeyID, "COURTD_WECHAT_PAY_PUBLIC_KEY_FILE=" + pemFile(t, "pub_key.pem", "PUBLIC KEY", public),
		"COURTD_WECHAT_PAY_APP_ID=" + outsideAppID, "COURTD_WECHAT_PAY_NOTIFY_URL=http://127.0.0.1/pay/wechat/notify", "COURTD_WECHAT_PAY_BASE_URL=" + serve(w.bank),
		"COURTD_WECHAT_APP_ID=" + outsideAppID, "COURTD_WECHAT_APP_SECRET=" + outsideAppSecret, "COURTD_WECHAT_API_BASE_URL=" + serve(w.wechat),
		"COURTD_SMS_URL=" + serve(http.HandlerFunc(w.takeText)), "COURTD_SMS_SECRET=" + outsideSMSSecret,
		"COURTD_SMTP_HOST=127.0.0.1", "COURTD_SMTP_PORT=" + strconv.Itoa(smtpPort), "COURTD_SMTP_USERNAME=venue", "COURTD_SMTP_PASSWORD=" + outsidePassword,
		"COURTD_SMTP_FROM=venue@example.com", "SSL_CERT_FILE=" + trust}
	w.ours = httptest.NewServer(http.HandlerFunc(w.takeEvent))
	t.Cleanup(w.ours.Close)
	w.keyLine = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))[100:150]
	return w
}

func (w *outsideWorld) isBroken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}

func (w *outsideWorld) breakAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
}

// verified reads a signed body, or refuses it: the verifier is the standard's own.
func verified(secret string, r *http.Request) (string, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	wh, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return "", err
	}
	return string(body), wh.Verify(body, r.Header)
}

func (w *outsideWorld) takeText(out http.ResponseWriter, r *http.Request) {
	body, err := verified(outsideSMSSecret, r)
	if err != nil {
		http.Error(out, err.Error(), http.StatusUnauthorized)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts = append(w.texts, body)
}

func (w *outsideWorld) takeEvent(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	body, err := verified(w.hook, r)
	if err != nil || w.broken {
		http.Error(out, "not verified", http.StatusUnauthorized)
		return
	}
	w.events = append(w.events, body)
}

// mailSession takes mail from whoever knows the password.
type mailSession struct {
	world  *outsideWorld
	signed bool
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "venue" || password != outsidePassword {
			return errors.New("no")
		}
		s.signed = true
		return nil
	}), nil
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error {
	if !s.signed || s.world.isBroken() {
		return smtp.ErrAuthRequired
	}
	return nil
}
func (*mailSession) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (s *mailSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.mail = append(s.world.mail, string(text))
	return err
}
func (*mailSession) Reset()        {}
func (*mailSession) Logout() error { return nil }

// serveMail starts a mail server with STARTTLS, and gives its port and the file of whom
// to trust.
func (w *outsideWorld) serveMail() (port int, trust string) {
	t := w.t
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	programOK(t, err)
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	programOK(t, err)
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{world: w}, nil }))
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.ErrorLog = log.New(io.Discard, "", 0)
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	programOK(t, err)
	go server.Serve(listener)
	w.stopMail = func() { server.Close() }
	t.Cleanup(func() { server.Close() })
	return listener.Addr().(*net.TCPAddr).Port, pemFile(t, "trust.pem", "CERTIFICATE", der)
}

// arrives waits until something has come that holds a text, and gives the first of it.
func (w *outsideWorld) arrives(what string, in *[]string, holds ...string) string {
	w.t.Helper()
	for deadline := time.Now().Add(programPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		w.mu.Lock()
		for _, text := range *in {
			if containsAll(text, holds) {
				w.mu.Unlock()
				return text
			}
		}
		w.mu.Unlock()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.Fatalf("no %s with %q came: %q", what, holds, *in)
	return ""
}
