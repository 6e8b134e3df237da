package browser_test

import (
	"fmt"
	"strings"
	"testing"
)

// A harness that overlooks faults proves nothing: each kind is committed once.
func TestFaultsAreSeen(t *testing.T) {
	t.Parallel()
	u := openClub(t).visitor(phone)
	u.open("/login")
	if overflow, faults := u.overflow(), u.faults("image-alt"); overflow != "" || len(faults) != 0 {
		t.Fatalf("the page has faults of its own: %s %s", overflow, faults)
	}
	for _, c := range []struct{ fault, script, told string }{
		{"an error in the console", `console.error("o dear")`, "console: \"o dear\""},
		{"an exception", `setTimeout(() => { throw new Error("o no") })`, "Error: o no"},
		{"a promise that nobody minds", `void Promise.reject(new Error("broken"))`, "Error: broken"},
		{"a style in the page", `document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>x</p>")`, "content policy: style-src"},
		{"a script in the page", `document.body.append(Object.assign(document.createElement("script"), { text: "1" }))`, "content policy: script-src-elem"},
		{"a picture of another host", `document.body.append(Object.assign(new Image(), { src: "http://localhost:1/x.png" }))`, "content policy: img-src"},
		{"eval", `setTimeout("1")`, "content policy: script-src forbids eval"},
		{"an address that does not exist", `fetch("/nowhere").then(() => 0)`, "answer: GET " + u.base + "/nowhere: status 404"},
		{"a server that does not answer", `fetch("/login", { method: "POST", body: "x".repeat(3e6) }).then(() => 0, () => 0)`, "answer: POST"},
	} {
		u.forget()
		eval[any](u, "void ("+c.script+")")
		u.wait(c.fault+" told as "+c.told, func() bool { return strings.Contains(u.told(), c.told) }, u.told)
	}
	u.forget()
	u.expect(404)
	eval[int](u, `fetch("/nowhere").then((r) => r.status)`)
	if told := u.told(); told != "" {
		t.Errorf("what was announced is told: %s", told)
	}
	eval[any](u, `void document.body.insertAdjacentHTML("beforeend", "<hr id='wide'><img src='/static/x/icon.svg'>"), void (wide.style.width = "900px")`)
	if u.overflow() == "" {
		t.Error("a page that is too wide fits")
	}
	if faults := fmt.Sprint(u.faults()); !strings.Contains(faults, "image-alt") {
		t.Errorf("a picture without words is not found: %s", faults)
	}
}

// told is the trouble so far.
func (u *user) told() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return strings.Join(u.trouble, "\n")
}

// forget lets bygones be bygones.
func (u *user) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.trouble = nil
}
