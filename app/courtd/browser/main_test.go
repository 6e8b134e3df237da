// Package browser_test proves the pages in a real Chromium: the built binary serves
// a demonstration, people of flesh and blood are played by one browser context each.
//
// A journey reads as what somebody does and sees (act_test.go, see_test.go). Every
// page is watched (watch_test.go): an error in the console, a breach of the content
// policy or a request that fails fails the test, whatever else the journey found.
package browser_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// root is the top of the repository as seen from this package.
const root = "../../.."

// patience bounds every wait; nothing waits that long if it works.
const patience = 30 * time.Second

var (
	pictures = flag.String("pictures", "", "a folder to write pictures of the main pages to")
	allPages = flag.Bool("all", false, "write pictures of every page, also in English and in the dark")
)

// scratch is a folder for the whole run.
var scratch string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if scratch, err = os.MkdirTemp("", "courtd-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	defer func() { stopChromium() }()
	return m.Run()
}

// binary builds courtd once, as make build does but for the version.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "courtd")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", path, "courtd/app/courtd")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build courtd: %w: %s", err, out)
	}
	return path, nil
})

// stopChromium ends the browser, if one was started.
var stopChromium = func() {}

// chromium starts the one browser of the run and gives the context that its windows
// come from.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path, err := chromiumPath()
	if err != nil {
		return nil, err
	}
	if err := writeCamera(blankCamera()); err != nil {
		return nil, err
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.UserDataDir(filepath.Join(scratch, "profile")),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		// Windows lie behind each other; each must go on as if it were looked at.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		// The address bar's own pages cost more than ours, in every window anew.
		chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup,InstantUsesSpareRenderer,SpareRendererForSitePerProcess,"+
			"MediaRouter,GlobalMediaControls,Translate,PaintHolding"),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("password-store", "basic"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("use-fake-device-for-media-stream", true),
		chromedp.Flag("use-fake-ui-for-media-stream", true),
		chromedp.Flag("use-file-for-fake-video-capture", cameraFile()),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
	)
	ctx, _ = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	stopChromium = func() {
		chromedp.Cancel(ctx)
		stop()
	}
	return ctx, nil
})

// chromiumPath finds the browser. Without one these tests prove nothing, so they fail.
func chromiumPath() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("the browser tests need Chromium: sudo apt-get install chromium fonts-wqy-zenhei")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
