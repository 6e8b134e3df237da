package mail_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"courtd/app/notify/mail"
)

const (
	username = "post@courtd.example"
	password = "pa55word-of-the-account"
)

// certificate makes one that nobody vouches for but itself.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// server is a mail server that takes mail from those who have signed in over TLS.
type server struct {
	mu       sync.Mutex
	mail     []string
	to, from []string
	open     bool // takes mail without TLS and without a password
	refuse   map[string]*smtp.SMTPError
	hang     chan struct{} // at RCPT, if it is not nil
	leave    bool          // breaks off once it has taken a mail

	port int
	pool *x509.CertPool
}

type session struct {
	*server
	conn   *smtp.Conn
	signed bool
}

func (s *server) NewSession(conn *smtp.Conn) (smtp.Session, error) {
	return &session{server: s, conn: conn}, nil
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, pass string) error {
		if user != username || pass != password {
			return smtp.ErrAuthFailed
		}
		s.signed = true
		return nil
	}), nil
}

func (s *session) fails(stage string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuse[stage]; err != nil {
		return err
	}
	return nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if _, secure := s.conn.TLSConnectionState(); !s.open && (!secure || !s.signed) {
		return &smtp.SMTPError{Code: 530, Message: "Must issue a STARTTLS command first"}
	}
	if err := s.fails("mail"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.from = append(s.from, from)
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.hang != nil {
		<-s.hang
	}
	if err := s.fails("rcpt"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.fails("data"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mail = append(s.mail, string(text))
	return nil
}

func (s *session) Reset() {
	if s.leave && len(s.received()) > 0 {
		_ = s.conn.Conn().Close()
	}
}

func (*session) Logout() error { return nil }

// serve starts a server; how is "starttls", "tls" or "none".
func serve(t *testing.T, how string) *server {
	t.Helper()
	s := &server{refuse: map[string]*smtp.SMTPError{}}
	cert, pool := certificate(t)
	s.pool = pool
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = listener.Addr().(*net.TCPAddr).Port
	secure := &tls.Config{Certificates: []tls.Certificate{cert}}
	srv := smtp.NewServer(s)
	srv.Domain = "localhost"
	srv.ErrorLog = log.New(io.Discard, "", 0)
	srv.AllowInsecureAuth = how == "none"
	switch how {
	case "starttls":
		srv.TLSConfig = secure
	case "tls":
		listener = tls.NewListener(listener, secure)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(listener) }()
	t.Cleanup(func() {
		_ = srv.Close()
		_ = listener.Close() // the server may not have begun to listen
		if err := <-done; err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return s
}

var now = time.Date(2026, 12, 10, 17, 30, 0, 0, time.FixedZone("CST", 8*3600))

// config is the account at a server.
func (s *server) config(how string) mail.Config {
	return mail.Config{Host: "127.0.0.1", Port: s.port, Username: username, Password: password, From: "post@courtd.example", FromName: "晨光羽毛球馆",
		TLS: how, RootCAs: s.pool, Timeout: 5 * time.Second, Now: func() time.Time { return now }}
}

// received are the mails that arrived.
func (s *server) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.mail...)
}
