package report

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// htmlExchange is a request and its response.
type htmlExchange struct {
	at                          int // among the exchanges of its check
	Label                       string
	Decisive, Open              bool
	Request, RequestBody        string
	Status                      string // of the response, "no response" when none came
	Response, ResponseBody      string
	Asking, Answering           []string // the header fields that no rule is about, as lines
	Asked, Answered             []span   // the bodies, with marks
	Error, Took, Curl, CurlNote string
	Trace                       string // its id, "" for none
}

// newHTMLExchange shows an exchange for a check: the fields that the check names are marked.
func newHTMLExchange(x *result.Exchange, c *checkView) htmlExchange {
	lines, note := shownCommand(x.Curl, htmlColumns, maxCommand)
	shown := htmlExchange{
		Label:       short(x.Request.Method + " " + pathOf(x.Request.URL)),
		RequestBody: htmlBody(x.Request.Body),
		Took:        fmt.Sprintf("%.1f ms", x.DurationMS),
		Curl:        strings.Join(lines, "\n"), CurlNote: note,
		Status: "no response", Error: short(x.Error), Trace: short(x.TraceID),
	}
	shown.Request, shown.Asking = htmlHead(x.Request.Method+" "+x.Request.URL, x.Request.Headers, c)
	if answer := x.Response; answer != nil {
		shown.Status = statusLine(answer.Status)
		shown.Response, shown.Answering = htmlHead(shown.Status, answer.Headers, c)
		shown.ResponseBody = htmlBody(answer.Body)
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

func (x htmlExchange) size() int {
	size := htmlMarkup
	for _, s := range slices.Concat([]string{x.Label, x.Request, x.RequestBody, x.Response, x.ResponseBody, x.Error, x.Curl, x.Trace}, x.Asking, x.Answering) {
		for _, r := range s {
			size += escapedSize(r)
		}
	}
	return size
}

// htmlHead is a first line, and below it the header fields that rules are about or that the check names. The other
// fields are the rest.
func htmlHead(line string, h http.Header, c *checkView) (head string, rest []string) {
	lines, named := []string{short(line)}, strings.ToLower(c.Expected+" "+c.Actual+" "+c.Message)
	for name, value := range fields(h) {
		field := short(name + ": " + value)
		switch {
		case isTelling(name), strings.Contains(named, strings.ToLower(name)):
			lines = append(lines, field)
		case len(rest) < maxHeaders:
			rest = append(rest, field)
		}
	}
	return bounded(strings.Join(lines, "\n"), maxHTMLHead), rest
}
