package report

import (
	"fmt"
	"net/http"
	"net/url"
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
	Asked, Answered             []span // the bodies, with marks
	Error, Took, Curl, CurlNote string
}

func newHTMLExchange(x *result.Exchange) htmlExchange {
	lines, note := shownCommand(x.Curl, htmlColumns, maxCommand)
	shown := htmlExchange{
		Label:       short(x.Request.Method + " " + pathOf(x.Request.URL)),
		Request:     htmlHead(x.Request.Method+" "+x.Request.URL, x.Request.Headers),
		RequestBody: htmlBody(x.Request.Body),
		Took:        fmt.Sprintf("%.1f ms", x.DurationMS),
		Curl:        strings.Join(lines, "\n"), CurlNote: note,
		Status: "no response", Error: short(x.Error),
	}
	if answer := x.Response; answer != nil {
		shown.Status = statusLine(answer.Status)
		shown.Response = htmlHead(shown.Status, answer.Headers)
		shown.ResponseBody = htmlBody(answer.Body)
	}
	shown.mark(&checkView{})
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
	for _, s := range []string{x.Label, x.Request, x.RequestBody, x.Response, x.ResponseBody, x.Error, x.Curl} {
		for _, r := range s {
			size += escapedSize(r)
		}
	}
	return size
}

// htmlHead is a first line and the headers below it, in order.
func htmlHead(line string, h http.Header) string {
	lines := []string{short(line)}
	for name, value := range fields(h) {
		lines = append(lines, short(name+": "+value))
	}
	return bounded(strings.Join(lines, "\n"), maxHTMLHead)
}
