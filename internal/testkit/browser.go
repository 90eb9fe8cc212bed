package testkit

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Chromium finds a browser. Without one the test is skipped, unless
// CONFORM_REQUIRE_BROWSER=1 says that there must be one.
func Chromium(t testing.TB) string {
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

// tabTime bounds a round in the browser, also on a machine that is busy.
const tabTime = 3 * time.Minute

// Tab opens a tab of a browser of its own, until the test ends.
func Tab(t testing.TB, options ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	all := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(Chromium(t)), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(tabTime), chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := context.WithTimeout(context.Background(), tabTime)
	t.Cleanup(cancel)
	ctx, stopBrowser := chromedp.NewExecAllocator(ctx, append(all, options...)...)
	t.Cleanup(stopBrowser)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(closeTab)
	return ctx
}
