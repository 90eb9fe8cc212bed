//go:build unix

package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/socialfeed/conform/conformance/result"
)

// chromium finds a browser. Without one the test is skipped, unless CONFORM_REQUIRE_BROWSER is 1.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CONFORM_REQUIRE_BROWSER") == "1" {
		t.Fatal("CONFORM_REQUIRE_BROWSER is 1, and no Chromium is installed")
	}
	t.Skip("no Chromium is installed")
	return ""
}

// A browser's page is a lawful client: preflights are not its own, and its
// User-Agent cannot be changed.
func TestWatchedSessionOfABrowser(t *testing.T) {
	t.Parallel()
	program := chromium(t)
	page := httptest.NewServer(http.FileServer(http.Dir("../../examples/page")))
	t.Cleanup(page.Close)
	w := startWatch(t, reference(t, nil))
	const patience = time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ctx, stopBrowser := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(patience), chromedp.UserDataDir(t.TempDir()), chromedp.IgnoreCertErrors)...)
	defer stopBrowser()
	ctx, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	parameters := url.Values{"service": {w.url}, "app_token": {appToken}}
	if err := chromedp.Do(ctx, chromedp.Navigate(page.URL+"/?"+parameters.Encode()), chromedp.WaitVisible(chromedp.CSS("#feed li"))); err != nil {
		t.Fatalf("the page shows no event: %v", err)
	}
	o := w.stop()
	o.wants(t, exitConformant)
	if blamed := o.blamed(); len(blamed) > 0 {
		t.Errorf("blamed is %v", blamed)
	}
	for _, id := range []string{"client.accept", "client.content-type", "client.basic", "client.both-tokens"} {
		if status := o.status(id); status != result.Pass {
			t.Errorf("%s is %s", id, status)
		}
	}
}
