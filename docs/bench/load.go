package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// loadJob is what a load generator does: one request again and again for a while, or
// each of a list once.
type loadJob struct {
	Base   string
	Conns  int
	Span   time.Duration // of repeating Repeat
	Repeat *loadRequest
	List   []loadRequest // each is sent once
	Stop   string        // a file that ends a list early once it is there
	Rush   *rushJob      // instead of either
}

type loadRequest struct {
	Method, Path, Token, Key, Body, IfNoneMatch string
	At                                          time.Time // not to be sent before
}

// answered is one answer of a list.
type answered struct {
	Status int // 0 is none
	At     time.Time
}

// loadResult is what came of it.
type loadResult struct {
	Status  map[string]int // answers by status; "failed" for none
	Reasons map[string]int // of refusals
	Span    time.Duration
	Times   []time.Duration // of each request, by connection
	Done    []answered      // of a list, in its order
	Rush    *rushResult     `json:",omitempty"`
}

// rate is answers of a status in a second.
func (r loadResult) rate(status string) float64 {
	return float64(r.Status[status]) / r.Span.Seconds()
}

// only complains about answers of any other status.
func (r loadResult) only(status string) error {
	for got, n := range r.Status {
		if got != status && n > 0 {
			return fmt.Errorf("%d answers are %s, not %s: %v", n, got, status, r.Reasons)
		}
	}
	if r.Status[status] == 0 {
		return fmt.Errorf("nothing was answered")
	}
	return nil
}

const mostRequests = 20_000_000 // of one job

// serveLoad reads a job and does it.
func serveLoad(ctx context.Context, in io.Reader, out io.Writer) error {
	var job loadJob
	if err := json.NewDecoder(in).Decode(&job); err != nil {
		return err
	}
	at, err := url.Parse(job.Base)
	if err != nil || at.Hostname() != "127.0.0.1" {
		return fmt.Errorf("load goes to loopback only, not to %q", job.Base)
	}
	client := &fasthttp.HostClient{Addr: at.Host, MaxConns: job.Conns, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
		NoDefaultUserAgentHeader: true, DisablePathNormalizing: true}
	l := &loader{job: job, client: client, until: time.Now().Add(job.Span), result: loadResult{Status: map[string]int{}, Reasons: map[string]int{}}}
	l.result.Done = make([]answered, len(job.List))
	began := time.Now()
	if job.Rush != nil {
		client.MaxConnWaitTimeout = 30 * time.Second
		l.result.Rush = job.Rush.serve(ctx, job.Base, client)
	} else {
		var all sync.WaitGroup
		for range job.Conns {
			all.Go(func() { l.connection(ctx) })
		}
		all.Wait()
	}
	l.result.Span = time.Since(began)
	return json.NewEncoder(out).Encode(l.result)
}

type loader struct {
	job    loadJob
	client *fasthttp.HostClient
	until  time.Time
	next   atomic.Int64
	mu     sync.Mutex
	result loadResult
}

func (l *loader) connection(ctx context.Context) {
	req, res := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	status, reasons := map[int]int{}, map[string]int{}
	var times []time.Duration
	if l.job.Repeat != nil {
		l.job.Repeat.write(l.job.Base, req)
	}
	for ctx.Err() == nil {
		n := int(l.next.Add(1) - 1)
		if l.job.Repeat == nil {
			if n >= len(l.job.List) || (l.job.Stop != "" && exists(l.job.Stop)) {
				break
			}
			l.job.List[n].write(l.job.Base, req)
			time.Sleep(time.Until(l.job.List[n].At))
		} else if n >= mostRequests || !time.Now().Before(l.until) {
			break
		}
		began := time.Now()
		err := l.client.Do(req, res)
		times = append(times, time.Since(began))
		code := res.StatusCode()
		if err != nil {
			code = 0
		}
		status[code]++
		if err == nil && code >= 400 {
			var problem struct{ Reason string }
			json.Unmarshal(res.Body(), &problem)
			reasons[problem.Reason]++
		}
		if l.job.Repeat == nil {
			l.result.Done[n] = answered{Status: code, At: time.Now()}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for code, n := range status {
		name := strconv.Itoa(code)
		if code == 0 {
			name = "failed"
		}
		l.result.Status[name] += n
	}
	for reason, n := range reasons {
		l.result.Reasons[reason] += n
	}
	l.result.Times = append(l.result.Times, times...)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func touch(path string) error { return os.WriteFile(path, nil, 0o600) }

func (r loadRequest) write(base string, req *fasthttp.Request) {
	req.Reset()
	req.SetRequestURI(base + r.Path)
	req.Header.SetMethod(r.Method)
	if r.Token != "" {
		req.Header.Set("Authorization", "Bearer "+r.Token)
	}
	if r.Key != "" {
		req.Header.Set("Idempotency-Key", r.Key)
	}
	if r.IfNoneMatch != "" {
		req.Header.Set("If-None-Match", r.IfNoneMatch)
	}
	if r.Body != "" {
		req.Header.SetContentType("application/json")
		req.SetBodyString(r.Body)
	}
}
