package browser_test

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// user is somebody in front of a screen: a window of their own, with cookies of
// their own.
type user struct {
	*club
	screen
	ctx    context.Context
	loaded chan struct{} // one for each page that has loaded
	bare   bool          // no page runs scripts

	mu       sync.Mutex
	trouble  []string
	foreseen map[int64]int                // statuses that the journey has announced
	address  map[network.RequestID]string // what is under way
	received float64                      // bytes over the wire
	asked    []string                     // the addresses that were asked for
}

// screen is what a user looks at.
type screen struct {
	width, height int64
	touch, dark   bool
	lang          string // zh or en
}

// The two screens that every page is made for.
var (
	phone = screen{width: 360, height: 740, touch: true, lang: "zh"}
	wide  = screen{width: 1280, height: 900, lang: "zh"}
)

func (s screen) in(lang string) screen {
	s.lang = lang
	return s
}

func (s screen) inTheDark() screen {
	s.dark = true
	return s
}

// tellBreaches writes every breach of the content policy to the console, where it is an error.
const tellBreaches = `addEventListener("securitypolicyviolation", (e) =>
	console.error("content policy: " + e.violatedDirective + " forbids " + (e.blockedURI || "inline") + " " + (e.sample || "") + " at " + e.sourceFile + ":" + e.lineNumber));`

// visitor opens a window for somebody new. What goes wrong in it fails the test.
func (k *club) visitor(s screen) *user {
	k.t.Helper()
	browser, err := chromium()
	must(k.t, err)
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	u := &user{club: k, ctx: ctx, loaded: make(chan struct{}, 64),
		foreseen: map[int64]int{}, address: map[network.RequestID]string{}}
	must(k.t, chromedp.Listen(ctx, u.watch))
	k.t.Cleanup(func() {
		u.report()
		cancel()
	})
	send(u, network.Enable, network.EnableParams{})
	send(u, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: tellBreaches})
	u.speak(s.lang)
	u.look(s)
	return u
}

// speak gives the user another language, from the next page on.
func (u *user) speak(lang string) {
	u.t.Helper()
	u.cookie("courtd_lang", lang)
}

// cookie gives the browser a cookie of the club.
func (u *user) cookie(name, value string) {
	u.t.Helper()
	send(u, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: u.base})
}

// look gives the user another screen.
func (u *user) look(s screen) {
	u.t.Helper()
	u.screen = s
	send(u, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.touch})
	send(u, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: s.touch})
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	// Nothing moves, so that what is measured does not depend on when.
	send(u, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// expect announces that an answer will have a status of 400 or more.
func (u *user) expect(status int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.foreseen[status]++
}

// watch takes down what happens in the window.
func (u *user) watch(event any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch e := event.(type) {
	case *page.EventLoadEventFired:
		select {
		case u.loaded <- struct{}{}:
		default:
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			u.note("console", wordsOf(e.Args))
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		u.note("exception", text)
	case *log.EventEntryAdded:
		// A request that fails is told with its status below.
		if e.Entry.Level == log.EntryLevelError && e.Entry.Source != log.EntrySourceNetwork {
			u.note("browser", e.Entry.Text+" "+e.Entry.URL)
		}
	case *inspector.EventTargetCrashed:
		u.note("browser", "the page crashed")
	default:
		u.watchNetwork(event)
	}
}

func (u *user) watchNetwork(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		u.address[e.RequestID] = e.Request.Method + " " + e.Request.URL
		u.asked = append(u.asked, e.Request.URL)
		if !strings.HasPrefix(e.Request.URL, u.base) && !strings.HasPrefix(e.Request.URL, "data:") && !strings.HasPrefix(e.Request.URL, "blob:") {
			u.note("another host", e.Request.URL)
		}
	case *network.EventResponseReceived:
		if e.Response.Status < 400 {
			return
		}
		if u.foreseen[e.Response.Status] > 0 {
			u.foreseen[e.Response.Status]--
			return
		}
		u.note("answer", fmt.Sprintf("%s: status %d", u.address[e.RequestID], e.Response.Status))
	case *network.EventLoadingFinished:
		u.received += e.EncodedDataLength
	case *network.EventLoadingFailed:
		// A page that is left lets go of what it was asking for.
		if !e.Canceled {
			u.note("request", u.address[e.RequestID]+": "+e.ErrorText+" "+string(e.BlockedReason))
		}
	}
}

func (u *user) note(kind, text string) {
	u.trouble = append(u.trouble, kind+": "+strings.TrimSpace(text))
}

// report fails the test if anything went wrong, or did not go wrong as announced.
func (u *user) report() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, text := range u.trouble {
		u.t.Error(text)
	}
	for status, n := range u.foreseen {
		if n > 0 && !u.t.Failed() {
			u.t.Errorf("%d answers with status %d were announced and did not come", n, status)
		}
	}
	u.trouble, u.foreseen = nil, map[int64]int{}
}

func wordsOf(args []*runtime.RemoteObject) string {
	var out []string
	for _, arg := range args {
		if arg.Description != "" {
			out = append(out, arg.Description)
		} else {
			out = append(out, string(arg.Value))
		}
	}
	return strings.Join(out, " ")
}
