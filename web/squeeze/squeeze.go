// Package squeeze makes answers small for clients that can unpack them.
package squeeze

import (
	"bytes"
	"compress/gzip"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Coding is how an answer is packed, as Content-Encoding names it.
type Coding string

// The codings that courtd speaks, best first. Plain is no coding at all.
const (
	Brotli Coding = "br"
	Gzip   Coding = "gzip"
	Plain  Coding = ""
)

// Effort says how hard to try.
type Effort int

// Quick is for a page that is made for one visitor; Hard is for a file that is
// packed once and sent to all, at some tenths of a second for a large one.
const (
	Quick Effort = iota
	Hard
)

var levels = map[Coding][2]int{
	Brotli: {Quick: 4, Hard: 10},
	Gzip:   {Quick: 5, Hard: gzip.BestCompression},
}

// Accepted gives the best coding that an Accept-Encoding header allows: the one
// the client likes most and, among equals, the smaller one.
func Accepted(header string) Coding {
	if header == "" {
		return Plain
	}
	best, most := Plain, 0.0
	for _, coding := range []Coding{Brotli, Gzip} {
		if liked := likes(header, coding); liked > most {
			best, most = coding, liked
		}
	}
	return best
}

// likes is the weight that a header gives a coding: its own, else that of *.
func likes(header string, coding Coding) float64 {
	any := 0.0
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		weight := weightIn(parameters)
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, string(coding)):
			return weight
		case name == "*":
			any = weight
		}
	}
	return any
}

// weightIn reads ";q=0.5"; what cannot be read is a refusal.
func weightIn(parameters string) float64 {
	name, value, found := strings.Cut(parameters, "=")
	if !found {
		return 1
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !strings.EqualFold(strings.TrimSpace(name), "q") || weight > 1 {
		return 0
	}
	return weight
}

// packer is what both codings write with.
type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// quick keeps packers for pages: making one costs more than using it.
var quick = map[Coding]*sync.Pool{
	Brotli: {New: func() any { return newPacker(Brotli, Quick) }},
	Gzip:   {New: func() any { return newPacker(Gzip, Quick) }},
}

func newPacker(coding Coding, effort Effort) packer {
	level := levels[coding][effort]
	if coding == Brotli {
		return brotli.NewWriterLevel(nil, level)
	}
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // the levels above exist
	}
	return w
}

// Pack packs a body; coding must not be Plain.
func Pack(coding Coding, effort Effort, body []byte) ([]byte, error) {
	var w packer
	if effort == Quick {
		pool := quick[coding]
		w = pool.Get().(packer)
		defer pool.Put(w)
	} else {
		w = newPacker(coding, effort)
	}
	var out bytes.Buffer
	w.Reset(&out)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
