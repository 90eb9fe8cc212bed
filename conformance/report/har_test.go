package report

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/report/har"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/testkit"
)

func TestHARGolden(t *testing.T) {
	for name, r := range fixtures() {
		t.Run(name, func(t *testing.T) { golden(t, name+".har", writtenAs(t, "har", r)) })
	}
}

func TestHARFollowsTheSchema(t *testing.T) {
	t.Parallel()
	schema := testkit.Schema(t, "testdata/har-1.2.schema.json")
	all := everyReport()
	all["kept"] = keeping()
	for name, r := range all {
		if err := schema.Validate(testkit.JSON(t, writtenAs(t, "har", r))); err != nil {
			t.Errorf("%s: %s", name, plain.Cut(err.Error(), 1000))
		}
	}
}

func archive(t *testing.T, r *result.Report) har.Log {
	t.Helper()
	var file struct{ Log har.Log }
	if err := json.Unmarshal([]byte(writtenAs(t, "har", r)), &file); err != nil {
		t.Fatal(err)
	}
	return file.Log
}

// keeping is a report with all exchanges of the run, of which a check shows one.
func keeping() *result.Report {
	c := broken(rules.SearchUsers, result.Fail, "200 OK", 500, "{}")
	x := &c.Exchanges[0]
	x.Request.URL += "?q=a%20b+c&empty=&flag&q=%zz#end"
	x.Request.Body = `{"a":1}`
	x.Request.Headers = http.Header{"Content-Type": {"application/json"}, "Cookie": {"s=1; t=2"}}
	x.Response.Headers = http.Header{"Set-Cookie": {"u=3; Path=/"}, "Location": {"/there"}, "Vary": {"a", "b"}}
	x.Response.Body = strings.Repeat("é", 100) + "… (cut at 2048 of 9000 bytes)"
	r := newReport(result.NonConformant, []result.Rule{newRule("search.status", rules.Must, c)})
	r.Exchanges = []result.Exchange{newExchange(rules.GetMe, 200, "{}"), *x}
	return r
}

func TestHAREntry(t *testing.T) {
	entries := archive(t, keeping()).Entries
	if len(entries) != 2 || entries[0].Comment != "" || entries[1].Comment != "search.status (fail) in a story about GET /0.2/users/search" {
		t.Fatalf("got %d entries: %+v", len(entries), entries)
	}
	e := entries[1]
	if want := []har.Pair{{Name: "q", Value: "a b c"}, {Name: "empty"}, {Name: "flag"}, {Name: "q", Value: "%zz"}}; !reflect.DeepEqual(e.Request.Query, want) {
		t.Errorf("the query is %v", e.Request.Query)
	}
	if e.Request.Post == nil || e.Request.Post.Text != `{"a":1}` || e.Request.Post.MimeType != "application/json" || e.Request.BodySize != 7 {
		t.Errorf("the request is %+v", e.Request)
	}
	if !slices.Contains(e.Request.Cookies, har.Pair{Name: "t", Value: "2"}) || !slices.Contains(e.Response.Cookies, har.Pair{Name: "u", Value: "3"}) ||
		!slices.Contains(e.Response.Headers, har.Pair{Name: "Vary", Value: "b"}) {
		t.Errorf("headers or cookies are lost: %+v", e)
	}
	if e.Response.Content.Size != 9000 || e.Response.Content.MimeType != "x-unknown" || !strings.Contains(e.Response.Content.Comment, "2048") {
		t.Errorf("the content is %+v", e.Response.Content)
	}
	if e.Response.RedirectURL != "/there" || e.Response.StatusText != "Internal Server Error" {
		t.Errorf("the response is %+v", e.Response)
	}
	if !e.Started.Equal(time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)) || e.Time != 3.25 || e.Timings.Send+e.Timings.Wait+e.Timings.Receive != e.Time {
		t.Errorf("from %s, %v ms: %+v", e.Started, e.Time, e.Timings)
	}
}

func TestHARWithoutResponse(t *testing.T) {
	for _, e := range archive(t, failing()).Entries {
		if strings.Contains(e.Response.Comment, "the target closed the connection") && e.Response.Status == 0 {
			return
		}
	}
	t.Error("no entry tells why there is no response")
}

// An exchange that several checks show is one entry, with all that it is shown
// for; entries are in the order of their start.
func TestHARListsEachExchangeOnce(t *testing.T) {
	one := broken(rules.GetMe, result.Fail, "200 OK", 500, "{}")
	other := one
	earlier := broken(rules.Feed, result.Warn, "200 OK", 201, "{}")
	earlier.Exchanges[0].StartedAt = earlier.Exchanges[0].StartedAt.Add(-time.Second)
	r := newReport(result.NonConformant, []result.Rule{
		newRule("users.me.get", rules.Must, one), newRule("errors.no-5xx", rules.Must, other, earlier)})
	entries := archive(t, r).Entries
	if len(entries) != 2 || !strings.HasPrefix(entries[0].Comment, "errors.no-5xx (warn)") ||
		!strings.Contains(entries[1].Comment, "users.me.get (fail)") || !strings.Contains(entries[1].Comment, "errors.no-5xx (fail)") {
		t.Errorf("got %+v", entries)
	}
}
