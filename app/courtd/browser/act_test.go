package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// send sends one command of the browser's protocol and wants it to succeed.
func send[P, R any](u *user, cmd cdp.Command[P, R], params P) R {
	u.t.Helper()
	out, err := try(u, cmd, params)
	must(u.t, err)
	return out
}

func try[P, R any](u *user, cmd cdp.Command[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(u.ctx, patience)
	defer cancel()
	return chromedp.Call(ctx, cmd, params)
}

// eval gives the value of an expression in the page.
func eval[T any](u *user, expression string) T {
	u.t.Helper()
	out, err := tryEval[T](u, expression)
	if err != nil {
		u.fail("%s: %v", expression, err)
	}
	return out
}

func tryEval[T any](u *user, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(u.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// quoted is a text as JavaScript writes it.
func quoted(text string) string {
	out, _ := json.Marshal(text)
	return string(out)
}

// open goes to an address of the club and waits until the page has loaded.
func (u *user) open(path string) {
	u.t.Helper()
	u.goes(func() { must(u.t, chromedp.Do(u.ctx, chromedp.Navigate(u.base+path))) })
}

// goes does something that leads to another page and waits until that has loaded.
func (u *user) goes(act func()) {
	u.t.Helper()
	for len(u.loaded) > 0 {
		<-u.loaded
	}
	act()
	select {
	case <-u.loaded:
	case <-time.After(patience):
		u.fail("no page came")
	}
}

// press clicks or taps what has a role and a name for people who cannot see it:
// exactly that name or, if nothing has it, the one thing whose name contains it.
func (u *user) press(role, name string) {
	u.t.Helper()
	u.tap(u.find(name, role))
}

// presses is press on what leads to another page.
func (u *user) presses(role, name string) {
	u.t.Helper()
	u.goes(func() { u.press(role, name) })
}

// click clicks or taps the first element that a selector finds.
func (u *user) click(css string) {
	u.t.Helper()
	u.tap(u.element(css))
}

// clicks is click on what leads to another page.
func (u *user) clicks(css string) {
	u.t.Helper()
	u.goes(func() { u.click(css) })
}

// fields are the roles of what can be filled in.
var fields = []string{"textbox", "searchbox", "spinbutton", "combobox", "Date", "DateTime", "InputTime", "listbox", "slider"}

// fill puts a value into the field with a label, in place of what is there.
func (u *user) fill(label, value string) {
	u.t.Helper()
	u.put(u.find(label, fields...), value)
}

// fillAt is fill for the first field that a selector finds.
func (u *user) fillAt(css, value string) {
	u.t.Helper()
	u.put(u.element(css), value)
}

// node is an element of the page.
type node = runtime.RemoteObjectID

// find waits for the element with one of the roles and a name.
func (u *user) find(name string, roles ...string) node {
	u.t.Helper()
	var found node
	var seen []string
	u.wait(fmt.Sprintf("%s %q", strings.Join(roles, " or "), name), func() bool {
		found, seen = u.lookFor(name, roles)
		return found != ""
	}, func() string { return "there are: " + strings.Join(seen, ", ") })
	return found
}

// lookFor gives the element, or "" and the names of those that there are.
func (u *user) lookFor(name string, roles []string) (found node, seen []string) {
	var exact, alike []cdp.BackendNodeID
	document, err := tryEval[*runtime.RemoteObject](u, "document")
	if err != nil {
		return "", nil
	}
	for _, role := range roles {
		tree, err := try(u, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: document.ObjectID, Role: role})
		if err != nil {
			return "", nil
		}
		for _, n := range tree.Nodes {
			if n.Ignored || n.Name == nil {
				continue
			}
			var is string
			json.Unmarshal(n.Name.Value, &is)
			is = oneLine(is)
			seen = append(seen, is)
			if is == name {
				exact = append(exact, n.BackendDOMNodeID)
			} else if strings.Contains(is, name) {
				alike = append(alike, n.BackendDOMNodeID)
			}
		}
	}
	if len(exact) == 0 {
		exact = alike
	}
	if len(exact) != 1 {
		return "", seen
	}
	resolved, err := try(u, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: exact[0]})
	if err != nil {
		return "", seen
	}
	return resolved.Object.ObjectID, seen
}

// element waits for the first element that a selector finds.
func (u *user) element(css string) node {
	u.t.Helper()
	var found node
	u.wait("an element "+css, func() bool {
		object, err := tryEval[*runtime.RemoteObject](u, "document.querySelector("+quoted(css)+")")
		if err != nil || object == nil {
			return false
		}
		found = object.ObjectID
		return found != ""
	}, nil)
	return found
}

// on calls a function of the page with an element as this.
func on[T any](u *user, n node, function string, args ...any) T {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.ctx, patience)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.CallFunctionOn[T](function, func(p *runtime.CallFunctionOnParams) {
		p.ObjectID = n
		yes := true
		p.AwaitPromise = &yes
	}, args...))
	if err != nil {
		u.fail("%s: %v", function, err)
	}
	return out
}

// spot brings an element into view and gives the middle of it, or null when
// something else would be hit there.
const spot = `function () {
	this.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
	const box = [...this.getClientRects()].find((r) => r.width > 0 && r.height > 0);
	if (!box) return null;
	const x = box.x + box.width / 2, y = box.y + box.height / 2;
	const hit = document.elementFromPoint(x, y);
	if (!hit) return null;
	const label = hit.closest("label");
	return this.contains(hit) || hit.contains(this) && hit.tagName === "LABEL" || label && label.control === this ? [x, y] : null;
}`

// tap clicks an element, with a finger where the screen is for fingers.
func (u *user) tap(n node) {
	u.t.Helper()
	var where []float64
	u.wait("a place to hit the element", func() bool {
		where = on[[]float64](u, n, spot)
		return len(where) == 2
	}, func() string { return on[string](u, n, "function () { return this.outerHTML.slice(0, 300) }") })
	must(u.t, chromedp.Do(u.ctx, chromedp.MouseClickXY(where[0], where[1])))
}

// put sets the value of a field as a person would.
func (u *user) put(n node, value string) {
	u.t.Helper()
	typed := on[bool](u, n, `function (value) {
		this.scrollIntoView({ block: "center", behavior: "instant" });
		this.focus();
		const chosen = this.tagName === "SELECT" || ["date", "time", "datetime-local", "month", "color", "range"].includes(this.type);
		if (chosen) {
			const option = [...(this.options ?? [])].find((o) => o.label.trim() === value);
			this.value = option ? option.value : value;
			this.dispatchEvent(new Event("input", { bubbles: true }));
			this.dispatchEvent(new Event("change", { bubbles: true }));
			return false;
		}
		this.select();
		return true;
	}`, value)
	if !typed {
		if got := on[string](u, n, `function () { return this.selectedOptions ? this.selectedOptions[0]?.label.trim() + "|" + this.value : this.value }`); !slices.Contains(strings.Split(got, "|"), value) {
			u.fail("the field does not take %q but is %q", value, got)
		}
		return
	}
	if value == "" {
		u.keys(kb.Delete)
		return
	}
	send(u, input.InsertText, input.InsertTextParams{Text: value})
}

// keys presses keys one after another: text, or names of package kb.
func (u *user) keys(keys string) {
	u.t.Helper()
	must(u.t, chromedp.Do(u.ctx, chromedp.KeyEvent(keys)))
}

// chord presses keys while others are held down.
func (u *user) chord(keys string, held ...chromedp.Modifier) {
	u.t.Helper()
	must(u.t, chromedp.Do(u.ctx, chromedp.KeyEvent(keys, chromedp.KeyModifiers(held...))))
}

// mostTabs bounds the way to anything by keyboard.
const mostTabs = 200

// tabTo presses Tab until what has a name has the focus, and fails when that takes
// more than mostTabs or the focus cannot be seen on it.
func (u *user) tabTo(name string) {
	u.t.Helper()
	var passed []string
	for range mostTabs {
		u.keys(kb.Tab)
		is := u.focused()
		if is == name {
			if !eval[bool](u, focusSeen) {
				u.fail("nothing shows that %q has the focus", name)
			}
			return
		}
		passed = append(passed, is)
	}
	u.fail("%d times Tab do not lead to %q but past %s", mostTabs, name, strings.Join(passed, " | "))
}

// focusSeen says whether the focused element, or what is drawn for it, is marked.
const focusSeen = `(() => {
	const marked = (e) => { const s = getComputedStyle(e); return (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none" };
	const e = document.activeElement;
	return marked(e) || [...(e.parentElement?.children ?? [])].some(marked) || marked(e.parentElement);
})()`

// focused is the name of what has the focus.
func (u *user) focused() string {
	u.t.Helper()
	object, err := tryEval[*runtime.RemoteObject](u, "document.activeElement")
	if err != nil || object.ObjectID == "" {
		return ""
	}
	tree, err := try(u, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{ObjectID: object.ObjectID})
	if err != nil || len(tree.Nodes) == 0 || tree.Nodes[0].Name == nil {
		return ""
	}
	var is string
	json.Unmarshal(tree.Nodes[0].Name.Value, &is)
	return oneLine(is)
}

// oneLine is a text with each run of spaces as one.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
