package control_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver/control"
)

// TestPageOfAnotherOrigin opens the page of the examples in a browser: it reads
// the service across origins, and a refusal's Retry-After too.
func TestPageOfAnotherOrigin(t *testing.T) {
	ctx := testkit.Tab(t, chromedp.IgnoreCertErrors)
	x := start(t, control.Options{First: control.Settings{Weather: []string{"503,on=21,nth=1,retry-after=1s"}}})
	page := httptest.NewServer(http.FileServer(http.Dir("../../examples/page")))
	defer page.Close()
	tab := &tab{t, ctx}
	parameters := url.Values{"service": {x.url}, "app_token": {appToken}}
	tab.do(chromedp.Navigate(page.URL+"/?"+parameters.Encode()), chromedp.WaitVisible(chromedp.CSS("#feed li")))
	if feed := text(tab, chromedp.Text(chromedp.CSS("#feed"))); feed != "like" {
		t.Errorf("the page's feed is %q", feed)
	}
	var feeds []int
	for _, e := range entries(x) {
		if e.Endpoint == 21 && e.Method == http.MethodGet {
			feeds = append(feeds, e.Status)
		}
	}
	if len(feeds) != 2 || feeds[0] != 503 || feeds[1] != 200 {
		t.Errorf("the page asked for the feed with %v", feeds)
	}
}
