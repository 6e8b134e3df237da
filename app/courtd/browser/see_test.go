package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
)

// wait asks again and again until something is so. more may tell what is there instead.
func (u *user) wait(what string, so func() bool, more func() string) {
	u.t.Helper()
	for end := time.Now().Add(patience); !so(); {
		if time.Now().After(end) {
			if more != nil {
				what += "; " + more()
			}
			u.fail("there is no %s", what)
		}
		// The page's own time passes; a page that is being left has none, nor has one
		// without scripts.
		pass := "new Promise((go) => setTimeout(go, 25, true))"
		if u.bare {
			pass = "true"
		}
		tryEval[bool](u, pass)
	}
}

// until waits until an expression of the page is true.
func (u *user) until(expression string) {
	u.t.Helper()
	u.wait("moment at which "+expression, func() bool {
		so, err := tryEval[bool](u, "Boolean("+expression+")")
		return err == nil && so
	}, nil)
}

// see waits until all the texts can be read on the page.
func (u *user) see(texts ...string) {
	u.t.Helper()
	u.seeIn("body", texts...)
}

// seeIn waits until all the texts can be read in the first element of a selector.
func (u *user) seeIn(css string, texts ...string) {
	u.t.Helper()
	for _, text := range texts {
		u.wait(fmt.Sprintf("%q in %s", text, css), func() bool { return strings.Contains(u.read(css), oneLine(text)) }, nil)
	}
}

// dontSee fails if one of the texts can be read on the page now.
func (u *user) dontSee(texts ...string) {
	u.t.Helper()
	all := u.read("body")
	for _, text := range texts {
		if strings.Contains(all, oneLine(text)) {
			u.fail("the page says %q", text)
		}
	}
}

// read is what can be read in the first element of a selector, in one line.
func (u *user) read(css string) string {
	text, _ := tryEval[string](u, "document.querySelector("+quoted(css)+")?.innerText ?? ''")
	return oneLine(text)
}

// attribute waits for an element with an attribute and gives that.
func (u *user) attribute(css, name string) string {
	u.t.Helper()
	n := u.element(css)
	return on[string](u, n, "function (name) { return this.getAttribute(name) ?? '' }", name)
}

// count is how many elements a selector finds now.
func (u *user) count(css string) int {
	u.t.Helper()
	return eval[int](u, "document.querySelectorAll("+quoted(css)+").length")
}

// at is the path and query of the page.
func (u *user) at() string {
	u.t.Helper()
	return eval[string](u, "location.pathname + location.search")
}

// fits fails if the page can be moved sideways: only regions of their own may.
func (u *user) fits() {
	u.t.Helper()
	if overflow := u.overflow(); overflow != "" {
		u.complain("%s", overflow)
	}
}

// overflow says what is wider than the screen, or nothing.
func (u *user) overflow() string {
	u.t.Helper()
	is := eval[int64](u, "document.scrollingElement.scrollWidth")
	if is <= u.width {
		return ""
	}
	// What lies in a region that scrolls by itself makes nothing wider, unless it is
	// placed without regard to that.
	wide := eval[[]string](u, fmt.Sprintf(`[...document.body.querySelectorAll("*")].filter((e) => {
		const box = e.getBoundingClientRect(), spills = getComputedStyle(e).overflowX === "visible";
		if (Math.max(box.right, spills ? box.left + e.scrollWidth : 0) <= %d) return false;
		for (let p = e; p && p !== document.body; p = p.parentElement) {
			if (getComputedStyle(p).position === "absolute") return true;
			if (p !== e && getComputedStyle(p).overflowX !== "visible") return false;
		}
		return true;
	}).slice(-5).map((e) => e.outerHTML.slice(0, 120))`, u.width))
	return fmt.Sprintf("%s is %d px wide on a screen of %d: %s", u.at(), is, u.width, strings.Join(wide, "\n"))
}

// apart fails if two texts of the page lie over each other, or one over the edge of its
// card. What sticks to an edge or
// scrolls by itself is left out: it is meant to cover.
func (u *user) apart() {
	u.t.Helper()
	over := eval[[]string](u, `(() => {
		const open = [...document.querySelectorAll("dialog[open]")].pop() ?? document.querySelector("main"), texts = [];
		const covers = (e) => {
			const style = getComputedStyle(e);
			return ["fixed", "sticky"].includes(style.position) || style.overflowX !== "visible" || style.clipPath !== "none" || e.matches("svg, [aria-hidden=true]");
		};
		const walk = document.createTreeWalker(open, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const text = walk.currentNode;
			let e = text.parentElement;
			if (!text.data.trim() || !e.checkVisibility()) continue;
			const chip = getComputedStyle(e).display.startsWith("inline-") && e; // a badge or a button: its edge counts
			while (e !== open && !covers(e)) e = e.parentElement;
			if (e !== open) continue;
			const range = document.createRange();
			range.selectNodeContents(text);
			for (const box of (chip || range).getClientRects()) if (box.width > 1 && box.height > 1) texts.push({box, text, chip});
		}
		const over = [];
		texts.forEach(({box: a, text, chip}, i) => texts.slice(i + 1).forEach(({box: b, text: other, chip: others}) => {
			if (chip ? chip.contains(other) : others && others.contains(text)) return;
			const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			if (text !== other && wide > 2 && high > 5) over.push(text.data.trim() + " / " + other.data.trim());
		}));
		for (const {box, text} of texts) {
			const card = text.parentElement.closest(".card");
			if (card && box.right > card.getBoundingClientRect().right) over.push(text.data.trim() + " / the edge of its card");
		}
		return over.slice(0, 5);
	})()`)
	if len(over) > 0 {
		u.complain("%s at %d px: texts lie over each other: %s", u.at(), u.width, strings.Join(over, "; "))
	}
}

// complain fails the test, which goes on.
func (u *user) complain(format string, args ...any) {
	u.t.Helper()
	u.t.Errorf(format, args...)
}

// fail ends the test and tells what the user has before them.
func (u *user) fail(format string, args ...any) {
	u.t.Helper()
	where, _ := tryEval[string](u, "location.href")
	text := u.read("body")
	if len(text) > 1500 {
		text = text[:1500] + "…"
	}
	kept := filepath.Join(root, ".cache", "failed", strings.NewReplacer("/", "-", " ", "_").Replace(u.t.Name())+".png")
	if shot, err := try(u, page.CaptureScreenshot, page.CaptureScreenshotParams{}); err == nil && os.MkdirAll(filepath.Dir(kept), 0o755) == nil && os.WriteFile(kept, shot.Data, 0o644) == nil {
		text += "\n(picture: " + strings.TrimPrefix(kept, root+"/") + ")"
	}
	u.t.Fatalf(format+"\nat %s\n%s", append(args, where, text)...)
}
