package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// broker is a server that alternatives need, as Debian has it.
type broker struct {
	name, pkg string
	program   func() string // its path, or empty where it is missing
	// start runs it on a loopback address with its files in dir; persistent turns on
	// what keeps its data over a crash and is off by default.
	start func(program, dir, addr string, persistent bool) ([]*process, error)
	ready func(ctx context.Context, addr string) error
	off   string // what persistent turns on; empty where the default persists already
}

// missing says in a word why a row is skipped, or "".
func (b *broker) missing() string {
	if b == nil || b.program() != "" {
		return ""
	}
	return fmt.Sprintf("skipped: %s is not installed (apt-get install %s)", b.pkg, b.pkg)
}

func inPath(name string, others ...string) func() string {
	return func() string {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
		for _, pattern := range others {
			if found, _ := filepath.Glob(pattern); len(found) > 0 {
				return found[len(found)-1]
			}
		}
		return ""
	}
}

const redisConf = "/etc/redis/redis.conf" // Debian's; only root and redis may read it

var redisServer = &broker{name: "Redis", pkg: "redis-server", program: inPath("redis-server"), off: "appendonly yes",
	start: func(program, dir, addr string, persistent bool) ([]*process, error) {
		var args []string
		if f, err := os.Open(redisConf); err == nil {
			f.Close()
			args = append(args, redisConf)
		}
		host, port, _ := net.SplitHostPort(addr)
		args = append(args, "--bind", host, "--port", port, "--dir", dir, "--daemonize", "no", "--logfile", "", "--pidfile", filepath.Join(dir, "redis.pid"))
		if persistent {
			args = append(args, "--appendonly", "yes")
		}
		return one(start("redis-server", dir, nil, false, program, args...))
	},
	ready: func(ctx context.Context, addr string) error {
		client := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1})
		defer client.Close()
		return client.Ping(ctx).Err()
	}}

var beanstalkd = &broker{name: "beanstalkd", pkg: "beanstalkd", program: inPath("beanstalkd", "/usr/bin/beanstalkd"), off: "-b",
	start: func(program, dir, addr string, persistent bool) ([]*process, error) {
		host, port, _ := net.SplitHostPort(addr)
		args := []string{"-l", host, "-p", port}
		if persistent {
			binlog := filepath.Join(dir, "binlog")
			if err := os.MkdirAll(binlog, 0o700); err != nil {
				return nil, err
			}
			args = append(args, "-b", binlog)
		}
		return one(start("beanstalkd", dir, nil, false, program, args...))
	},
	ready: func(_ context.Context, addr string) error { return dial(addr) }}

// The script of the package itself: the one in the path wants to be a certain user.
var rabbitServer = &broker{name: "RabbitMQ", pkg: "rabbitmq-server",
	program: inPath("rabbitmq-server-itself", "/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server"),
	start:   startRabbit,
	ready: func(_ context.Context, addr string) error {
		d, err := newDeadLetters(addr)
		if err == nil {
			d.close()
		}
		return err
	}}

// startRabbit runs a node of its own name with all of its files in dir, and the mapper
// of names (epmd) that Erlang wants, on a port of its own.
func startRabbit(program, dir, addr string, _ bool) ([]*process, error) {
	host, port, _ := net.SplitHostPort(addr)
	mapper, err := freeAddr()
	if err != nil {
		return nil, err
	}
	dist, err := freeAddr()
	if err != nil {
		return nil, err
	}
	_, mapperPort, _ := net.SplitHostPort(mapper)
	_, distPort, _ := net.SplitHostPort(dist)
	env := []string{"HOME=" + dir, "ERL_EPMD_PORT=" + mapperPort, "ERL_EPMD_ADDRESS=" + host,
		"RABBITMQ_NODENAME=compare@localhost", "RABBITMQ_NODE_IP_ADDRESS=" + host, "RABBITMQ_NODE_PORT=" + port, "RABBITMQ_DIST_PORT=" + distPort,
		"RABBITMQ_MNESIA_BASE=" + filepath.Join(dir, "mnesia"), "RABBITMQ_LOG_BASE=" + filepath.Join(dir, "log"),
		"RABBITMQ_ENABLED_PLUGINS_FILE=" + filepath.Join(dir, "plugins"), "RABBITMQ_PID_FILE=" + filepath.Join(dir, "rabbit.pid"),
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}",
		"detached=1"} // to its script: become the node, and do not stay beside it as a shell
	epmd := inPath("epmd")()
	if epmd == "" {
		return nil, fmt.Errorf("epmd is missing")
	}
	names, err := start("epmd", dir, env, false, epmd, "-port", mapperPort)
	if err != nil {
		return nil, err
	}
	if err := waitFor(context.Background(), "epmd", 5*time.Second, func() error { return dial(mapper) }); err != nil {
		return nil, err
	}
	node, err := start("rabbitmq-server", dir, env, false, program)
	return []*process{node, names}, err
}

func one(p *process, err error) ([]*process, error) { return []*process{p}, err }

func dial(addr string) error {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err == nil {
		conn.Close()
	}
	return err
}

// freeAddr is a loopback address on which nobody listens.
func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// version is that of a package as installed.
func version(pkg string) string {
	out, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", pkg).Output()
	if err != nil || len(out) == 0 {
		return "version unknown"
	}
	return strings.TrimSpace(string(out))
}
