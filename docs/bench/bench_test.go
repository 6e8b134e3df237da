package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestMedianAndQuantile(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{1, 9, 3, 5}, 4}} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v is %v, want %v", test.values, got, test.want)
		}
	}
	var hundred []time.Duration
	for i := 100; i > 0; i-- {
		hundred = append(hundred, time.Duration(i))
	}
	for share, want := range map[float64]time.Duration{0: 1, 0.5: 50, 0.99: 99, 0.991: 100, 1: 100} {
		if got := quantile(hundred, share); got != want {
			t.Errorf("quantile %v is %d, want %d", share, got, want)
		}
	}
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("quantile of nothing is %v", got)
	}
}

// TestVerdicts: a figure that is just reached is reached, and one that is not says so.
func TestVerdicts(t *testing.T) {
	b := &bench{rounds: 3}
	b.atLeast("a", 0.85, []float64{0.9, 0.85, 0.1}, "")
	b.atLeast("b", 0.85, []float64{0.9, 0.8499, 0.1}, "")
	b.atMost("c", 1.5, []float64{1.5, 1, 9}, "")
	b.atMost("d", 1.5, []float64{1.51, 1, 9}, "why")
	for i, want := range []verdict{reached, missed, reached, missed} {
		if got := b.figures[i].met; got != want {
			t.Errorf("%s: %v, want %v", b.figures[i].what, got, want)
		}
	}
	text := b.table()
	for _, line := range []string{"| a | ≥ 0.85 | 0.85 (0.10–0.90 in 3 rounds) | ✓ |", "| b | ≥ 0.85 | 0.85 (0.10–0.90 in 3 rounds) | ✗ missed |", "- **d**: why"} {
		if !strings.Contains(text, line) {
			t.Errorf("the table lacks %q:\n%s", line, text)
		}
	}
}

func TestTheTableGoesBetweenItsMarkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.md")
	if err := os.WriteFile(path, []byte("before\n"+beginMark+"\nold\n"+endMark+"\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeBetweenMarkers(path, "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "before\n" + beginMark + "\nnew\n" + endMark + "\nafter\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("no markers"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeBetweenMarkers(path, "new"); err == nil {
		t.Error("written where there are no markers")
	}
}

// TestLoad sends each request of a list once, counts what comes back, and keeps to loopback.
func TestLoad(t *testing.T) {
	var asked atomic.Int64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Method == http.MethodPost && r.Header.Get("Authorization") != "Bearer t" {
			w.WriteHeader(http.StatusConflict)
			w.Write([]byte(`{"reason":"slot_taken"}`))
		}
	})}
	go server.Serve(listener)
	defer server.Close()
	send := func(job loadJob) (loadResult, error) {
		text, err := json.Marshal(job)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		var r loadResult
		if err := serveLoad(context.Background(), bytes.NewReader(text), &out); err != nil {
			return r, err
		}
		return r, json.Unmarshal(out.Bytes(), &r)
	}
	base := "http://" + listener.Addr().String()
	r, err := send(loadJob{Base: base, Conns: 2, List: []loadRequest{{Method: "GET", Path: "/"}, {Method: "POST", Path: "/", Body: "{}"}, {Method: "POST", Path: "/", Token: "t"}}})
	if err != nil || asked.Load() != 3 || r.Status["200"] != 2 || r.Status["409"] != 1 || r.Reasons["slot_taken"] != 1 || len(r.Times) != 3 || r.Done[1].Status != 409 {
		t.Errorf("%+v, %v after %d requests", r, err, asked.Load())
	}
	if r.only("200") == nil || (loadResult{}).only("200") == nil {
		t.Error("another status, or none, is taken for the one that is wanted")
	}
	if _, err := send(loadJob{Base: "http://192.0.2.1:80", Conns: 1}); err == nil {
		t.Error("load went elsewhere than to loopback")
	}
}
