// Package browser opens pages in a headless Chromium and tells tests what a page did: what it wrote to the console, what
// it asked for, what a person can reach with the keyboard.
//
// A page is opened as its reader would: from a file or a server, in a light or a dark theme, with every request that it
// makes written down. Only tests import this package; without a Chromium they are skipped (see internal/parts).
package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay/internal/parts"
)

// Browser is a running Chromium with a profile of its own.
type Browser struct{ ctx context.Context }

// patience bounds what a test does with one page: a shared machine may be slow, a hang must still end.
const patience = 3 * time.Minute

// Start runs a Chromium, in a new profile, until the test ends.
func Start(t testing.TB) *Browser {
	t.Helper()
	opts := []chromedp.ExecAllocatorOption{chromedp.ExecPath(parts.Chromium(t)), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.WindowSize(1100, 900), chromedp.WSURLReadTimeout(patience)}
	for _, f := range []string{"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps",
		"disable-dev-shm-usage", "hide-scrollbars"} {
		opts = append(opts, chromedp.Flag(f, true))
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(func() {
		cancel()
		stop()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return &Browser{ctx}
}

// Page is an open tab.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	console  []string
	requests []string
}

// Open loads an address, or a file by its path, in a new tab with the given theme.
func (b *Browser) Open(t testing.TB, address string, dark bool) *Page {
	t.Helper()
	if !strings.Contains(address, "://") {
		address = (&url.URL{Scheme: "file", Path: address}).String()
	}
	tab, cancel := chromedp.NewContext(b.ctx)
	ctx, stop := context.WithTimeout(tab, patience)
	t.Cleanup(func() {
		stop()
		cancel()
	})
	p := &Page{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	call(p, runtime.Enable, cdp.Empty{})
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: Theme(dark)}}})
	p.Do(chromedp.Navigate(address))
	return p
}

func call[P, R any](p *Page, command cdp.Command[P, R], params P) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, command, params); err != nil {
		p.t.Fatalf("%s: %v", command.Method, err)
	}
}

// hear writes down what the page does.
func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		line := string(e.Type)
		for _, a := range e.Args {
			line += " " + string(a.Value)
		}
		p.console = append(p.console, line)
	case *runtime.EventExceptionThrown:
		p.console = append(p.console, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		p.console = append(p.console, fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text))
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

// Console is what the page wrote there, errors and violations of its own policy included.
func (p *Page) Console() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.console...)
}

// Requests are the addresses that the page asked for, its own first. Data in the page itself (data:) is no request.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, r := range p.requests {
		if !strings.HasPrefix(r, "data:") {
			out = append(out, r)
		}
	}
	return out
}

// Do runs actions on the page and ends the test when one fails.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatalf("in the browser: %v", err)
	}
}

// Eval runs a script of the test's in the page and returns its value, which is that of the last expression.
func Eval[T any](p *Page, script string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		p.t.Fatalf("in the browser: %v", err)
	}
	return v
}

// Sound reports what no page of ours may do: write to the console, ask for anything but itself, which is named by the end of
// its address, or show text that is too faint to read.
func (p *Page) Sound(name, itself string) {
	p.t.Helper()
	if low := p.LowContrast(); len(low) > 0 {
		p.t.Errorf("%s: too little contrast:\n%s", name, strings.Join(low, "\n"))
	}
	if lines := p.Console(); len(lines) > 0 {
		p.t.Errorf("%s: on the console: %q", name, lines)
	}
	if r := p.Requests(); len(r) != 1 || !strings.HasSuffix(r[0], itself) {
		p.t.Errorf("%s: requests: %q", name, r)
	}
}

// Keep writes a screenshot of the whole page, as PNG, into the folder that ASSAY_TEST_SCREENSHOTS names, to be looked at.
func (p *Page) Keep(name string) {
	p.t.Helper()
	dir := os.Getenv("ASSAY_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Fatalf("screenshot %s: %v", name, err)
	}
}

// Theme is the word for a theme in names.
func Theme(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}
