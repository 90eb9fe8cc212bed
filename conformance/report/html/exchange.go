package html

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// exchange is a request and its response.
type exchange struct {
	at                          int // among the exchanges of its check
	Label                       string
	Decisive, Open              bool
	Request, RequestBody        string
	Status                      string // of the response, "no response" when none came
	Response, ResponseBody      string
	Asking, Answering           []string    // the header fields that no rule is about, as lines
	Asked, Answered             []view.Span // the bodies, with marks
	Error, Took, Curl, CurlNote string
	Trace                       string // its id, "" for none
}

// newExchange shows an exchange for a check: the fields that the check names are marked.
func newExchange(x *result.Exchange, c *view.Check) exchange {
	lines, note := plain.ShownCommand(x.Curl, commandColumns, plain.MaxCommand)
	shown := exchange{
		Label:       plain.Short(x.Request.Method + " " + pathOf(x.Request.URL)),
		RequestBody: bodyText(x.Request.Body),
		Took:        fmt.Sprintf("%.1f ms", x.DurationMS),
		Curl:        strings.Join(lines, "\n"), CurlNote: note,
		Status: "no response", Error: plain.Short(x.Error), Trace: plain.Short(x.TraceID),
	}
	shown.Request, shown.Asking = headOf(x.Request.Method+" "+x.Request.URL, x.Request.Headers, c)
	if answer := x.Response; answer != nil {
		shown.Status = plain.StatusLine(answer.Status)
		shown.Response, shown.Answering = headOf(shown.Status, answer.Headers, c)
		shown.ResponseBody = bodyText(answer.Body)
	}
	shown.mark(c)
	return shown
}

// pathOf is what follows the host in a URL.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.RequestURI()
}

func (x exchange) size() int {
	size := markup
	for _, s := range slices.Concat([]string{x.Label, x.Request, x.RequestBody, x.Response, x.ResponseBody, x.Error, x.Curl, x.Trace}, x.Asking, x.Answering) {
		for _, r := range s {
			size += escapedSize(r)
		}
	}
	return size
}

// headOf is a first line, and below it the header fields that rules are about or that the check names. The other
// fields are the rest.
func headOf(line string, h http.Header, c *view.Check) (head string, rest []string) {
	lines, named := []string{plain.Short(line)}, strings.ToLower(c.Expected+" "+c.Actual+" "+c.Message)
	for name, value := range plain.Fields(h) {
		field := plain.Short(name + ": " + value)
		switch {
		case plain.IsTelling(name), strings.Contains(named, strings.ToLower(name)):
			lines = append(lines, field)
		case len(rest) < plain.MaxHeaders:
			rest = append(rest, field)
		}
	}
	return bounded(strings.Join(lines, "\n"), maxHead), rest
}
