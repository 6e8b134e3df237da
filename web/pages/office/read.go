package office

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"courtd/domain"
	"courtd/web/pages/kit"
)

// reader reads the fields of a form and collects what is wrong with them.
type reader struct {
	c     *fiber.Ctx
	wrong kit.Wrong
}

func read(c *fiber.Ctx) *reader { return &reader{c: c, wrong: kit.Wrong{}} }

// halfWidth makes plain characters of those that Chinese keyboards type.
var halfWidth = strings.NewReplacer("０", "0", "１", "1", "２", "2", "３", "3", "４", "4", "５", "5", "６", "6", "７", "7", "８", "8", "９", "9",
	"．", ".", "。", ".", "：", ":", "－", "-", "　", " ")

func (r *reader) text(name string) string {
	return strings.TrimSpace(halfWidth.Replace(typed(r.c, name)))
}

// whole reads a number of pieces or orders between two bounds; an empty field is
// otherwise, and a fault if that lies outside them.
func (r *reader) whole(name string, low, high, otherwise int) int {
	text := r.text(name)
	n, err := strconv.Atoi(strings.TrimPrefix(text, "+"))
	if text == "" {
		n, err = otherwise, nil
	}
	if err != nil || n < low || n > high {
		from, to := strconv.Itoa(low), strconv.Itoa(high)
		r.wrong[name] = &kit.Words{"须为 " + from + " 到 " + to + " 的整数", "must be a whole number from " + from + " to " + to}
		return 0
	}
	return n
}

// yuan reads an amount into fen; an empty field that need not be filled in is 0.
func (r *reader) yuan(name string, required bool) int64 {
	text := r.text(name)
	if text == "" && !required {
		return 0
	}
	fen, err := kit.ParseYuan(name, text)
	switch {
	case err != nil:
		r.refuse(err)
	case fen > domain.MaxPriceFen:
		most := kit.Yuan(domain.MaxPriceFen)
		r.wrong[name] = &kit.Words{"最多 " + most + " 元", "must not be more than " + most + " yuan"}
	}
	return fen
}

// day reads a date; an empty field is the zero Date, and a fault if it is required.
func (r *reader) day(name string, required bool) domain.Date {
	text := r.text(name)
	if text == "" && !required {
		return domain.Date{}
	}
	d, err := domain.ParseDate(name, text)
	r.refuse(err)
	return d
}

// clock reads a time of the day.
func (r *reader) clock(name string) domain.Minute {
	text := r.text(name)
	if len(text) > len("17:30") {
		text = strings.TrimSuffix(text, ":00") // some browsers send seconds
	}
	m, err := domain.ParseMinute(name, text)
	r.refuse(err)
	return m
}

// refuse notes what an error says of fields; what is noted already stays.
func (r *reader) refuse(err error, pairs ...string) {
	for name, w := range wrongOf(err, pairs...) {
		if _, noted := r.wrong[name]; !noted {
			r.wrong[name] = w
		}
	}
}

// back gives the form back when something is wrong with it.
func (r *reader) back(form string) *refused {
	if len(r.wrong) == 0 {
		return nil
	}
	return &refused{form: form, wrong: r.wrong}
}
