//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

// A browser's page is a lawful client: preflights are not its own, and its
// User-Agent cannot be changed.
func TestWatchedSessionOfABrowser(t *testing.T) {
	t.Parallel()
	ctx := testkit.Tab(t, chromedp.IgnoreCertErrors)
	page := httptest.NewServer(http.FileServer(http.Dir("../../examples/page")))
	t.Cleanup(page.Close)
	w := startWatch(t, reference(t, nil))
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
