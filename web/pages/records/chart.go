package records

import (
	"fmt"
	"math"
	"strings"

	"courtd/web/pages/kit"
)

// Charts are drawn here, on the server, as plain SVG, and by no library of charts.
// A library draws when a script runs, sets styles on elements, and weighs more than all
// our scripts together; these charts are there without scripts, under a content policy
// that allows no inline styles, on paper, and in the dark, where the style sheet
// changes their colours like those of any text. What they need is little: an axis
// with round numbers, bars, a line and words. A picture that is made smaller
// makes its words smaller too, so each chart is drawn twice, for phones and for
// desks, and the style sheet shows one. The same figures stand in a table below.

// gap stands where a series has no value.
const gap = math.MinInt64

// series is one row of figures, one for each column of the chart.
type series struct {
	Name   kit.Words
	Look   string // s1 to s4, out or line: a colour and a pattern
	values []int64
}

// column is one place on the horizontal axis.
type column struct{ name, tip kit.Words }

// plot is what a chart shows.
type plot struct {
	id          string
	title, desc kit.Words
	columns     []column
	quantity    quantity
	stacked     []series // on top of each other, from the axis up
	beside      []series // next to each other
	below       *series  // from the axis down
	line        *series  // labelled where there is room
}

// figure is a chart in both sizes with its legend.
type figure struct {
	Charts []chart
	Legend []series
}

// chart is one drawing.
type chart struct {
	ID, Size                string
	Title, Desc             kit.Words
	Width, Height           int
	Left, Right, Zero, Foot float64
	Ticks                   []tick
	Bars                    []bar
	Line                    string // points of a line
	Dots                    []dot
	Texts                   []text
}

type tick struct {
	Y    float64
	Zero bool
	Name kit.Words
}

type bar struct {
	X, Y, W, H float64
	Thin       bool // too thin for an edge
	Look       string
	Tip        kit.Words
}

type dot struct{ X, Y float64 }

type text struct {
	X, Y  float64
	Look  string
	Words kit.Words
}

// sizes are the drawings that are made of each chart.
var sizes = []struct {
	name                string
	width, height, font int
}{{"small", 360, 250, 12}, {"wide", 1000, 300, 13}}

func (p plot) figure() figure {
	f := figure{Legend: append(append([]series{}, p.stacked...), p.beside...)}
	if p.below != nil {
		f.Legend = append(f.Legend, *p.below)
	}
	if p.line != nil {
		f.Legend = append(f.Legend, *p.line)
	}
	for _, size := range sizes {
		c := chart{ID: p.id + "-" + size.name, Size: size.name, Title: p.title, Desc: p.desc, Width: size.width, Height: size.height,
			Right: float64(size.width) - 4, Foot: float64(size.height) - 26}
		p.draw(&c, float64(size.font))
		f.Charts = append(f.Charts, c)
	}
	return f
}

// draw puts everything into its place, the words last.
func (p plot) draw(c *chart, font float64) {
	lo, hi := p.bounds()
	s := newScale(lo, hi, p.quantity.unit, 5)
	top := font + 10
	at := func(v int64) float64 { return s.y(v, top, c.Foot) }
	c.Zero = at(0)
	for _, v := range s.ticks() {
		name := p.quantity.tick(v)
		c.Ticks = append(c.Ticks, tick{Y: at(v), Zero: v == 0, Name: name})
		c.Left = max(c.Left, math.Ceil(widest(name, font))+10)
	}
	pitch := (c.Right - c.Left) / float64(len(p.columns))
	full := p.thickness(pitch)
	for i := range p.columns {
		middle := c.Left + pitch*(float64(i)+0.5)
		p.bars(c, i, middle-full/2, full, at)
	}
	p.drawLine(c, pitch, at)
	p.names(c, pitch, font)
	p.values(c, pitch, font, at)
}

// thickness is how wide all bars of a column are together.
func (p plot) thickness(pitch float64) float64 {
	return math.Min(pitch*0.72, 64*float64(max(len(p.beside), 1)))
}

// bounds are the lowest and the highest point of all columns.
func (p plot) bounds() (lo, hi int64) {
	for i := range p.columns {
		sum := int64(0)
		for _, s := range p.stacked {
			sum += s.values[i]
		}
		hi = max(hi, sum)
		for _, s := range p.beside {
			hi = max(hi, s.values[i])
		}
		if p.below != nil {
			lo = min(lo, -p.below.values[i])
		}
		if p.line != nil {
			lo, hi = min(lo, p.line.values[i]), max(hi, p.line.values[i])
		}
	}
	return lo, hi
}

func (p plot) bars(c *chart, i int, x, width float64, at func(int64) float64) {
	add := func(x, width float64, from, to int64, s series, value int64) {
		y, foot := at(to), at(from)
		c.Bars = append(c.Bars, bar{X: round(x), Y: y, W: round(width), H: round(foot - y), Thin: width < 6, Look: s.Look, Tip: p.tip(i, s, value)})
	}
	sum := int64(0)
	for _, s := range p.stacked {
		if v := s.values[i]; v > 0 {
			add(x, width, sum, sum+v, s, v)
			sum += v
		}
	}
	part := width / float64(max(len(p.beside), 1))
	for n, s := range p.beside {
		if v := s.values[i]; v > 0 {
			add(x+part*float64(n), part-1, 0, v, s, v)
		}
	}
	if p.below != nil && p.below.values[i] > 0 {
		add(x, width, -p.below.values[i], 0, *p.below, p.below.values[i])
	}
}

// tip is what a bar says of itself when one points at it.
func (p plot) tip(i int, s series, value int64) kit.Words {
	var out kit.Words
	for lang := range out {
		out[lang] = p.columns[i].tip[lang] + " · " + s.Name[lang] + " " + p.quantity.full(value)
	}
	return out
}

func (p plot) drawLine(c *chart, pitch float64, at func(int64) float64) {
	if p.line == nil {
		return
	}
	var points []string
	for i, v := range p.line.values {
		x, y := round(c.Left+pitch*(float64(i)+0.5)), at(v)
		points = append(points, fmt.Sprintf("%g,%g", x, y))
		c.Dots = append(c.Dots, dot{X: x, Y: y})
	}
	c.Line = strings.Join(points, " ")
}

// names writes as many names under the axis as have room.
func (p plot) names(c *chart, pitch, font float64) {
	most := 0.0
	for _, col := range p.columns {
		most = max(most, widest(col.name, font))
	}
	every := max(1, int(math.Ceil((most+6)/pitch)))
	for i, col := range p.columns {
		if i%every == 0 {
			x := min(c.Left+pitch*(float64(i)+0.5), float64(c.Width)-most/2)
			c.Texts = append(c.Texts, text{X: round(x), Y: c.Foot + font + 6, Look: "name", Words: col.name})
		}
	}
}

// values writes the figures themselves where all of them have room: those of the
// line over the bars, else each over its own bar.
func (p plot) values(c *chart, pitch, font float64, at func(int64) float64) {
	type place struct {
		x, y  float64
		words string
	}
	var places []place
	room := pitch
	if p.line != nil {
		for i, v := range p.line.values {
			sum := max(v, 0)
			for n, high := 0, int64(0); n < len(p.stacked); n++ {
				high += p.stacked[n].values[i]
				sum = max(sum, high)
			}
			if sum > 0 || v != 0 {
				places = append(places, place{c.Left + pitch*(float64(i)+0.5), at(sum) - 6, p.quantity.full(v)})
			}
		}
	}
	if n := len(p.beside); n > 0 {
		full := p.thickness(pitch)
		room = full / float64(n)
		for i := range p.columns {
			for k, s := range p.beside {
				if v := s.values[i]; v != gap {
					x := c.Left + pitch*(float64(i)+0.5) - full/2 + room*(float64(k)+0.5)
					places = append(places, place{x, at(v) - 4, p.quantity.full(v)})
				}
			}
		}
	}
	for _, at := range places {
		if wide(at.words, font)+2 > room {
			return
		}
	}
	for _, at := range places {
		c.Texts = append(c.Texts, text{X: round(at.x), Y: round(at.y), Look: "value", Words: kit.Words{at.words, at.words}})
	}
}

func widest(w kit.Words, font float64) float64 { return max(wide(w[0], font), wide(w[1], font)) }

// wide is about how many units a text takes: characters of East Asia are as wide
// as they are high, others little more than half.
func wide(text string, font float64) float64 {
	sum := 0.0
	for _, char := range text {
		if char >= 0x2e80 {
			sum += font
			continue
		}
		sum += font * 0.58
	}
	return sum
}
