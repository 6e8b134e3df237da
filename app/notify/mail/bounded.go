package mail

import (
	"errors"
	"net"
	"sync/atomic"
)

// How much a server may say to one message, in bytes: the library reads a line to its end,
// however long it is. A session that goes well takes some hundred.
const (
	mostBeforeTLS = 64 << 10
	mostAnswer    = 1 << 20
)

// errTooMuch ends a session with a server that does not stop.
var errTooMuch = errors.New("the mail server says too much")

// bounded is a connection from which only so much is read. It lies beneath TLS.
type bounded struct {
	net.Conn
	read   atomic.Int64
	secure atomic.Bool // TLS has begun
}

// Write notices that TLS begins: no command of SMTP begins as its handshake does.
func (b *bounded) Write(p []byte) (int, error) {
	const handshake = 0x16
	if len(p) > 0 && p[0] == handshake {
		b.secure.Store(true)
	}
	return b.Conn.Write(p)
}

func (b *bounded) Read(p []byte) (int, error) {
	most := int64(mostBeforeTLS)
	if b.secure.Load() {
		most = mostAnswer
	}
	left := most - b.read.Load()
	if left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.Conn.Read(p[:min(int64(len(p)), left)])
	b.read.Add(int64(n))
	return n, err
}
