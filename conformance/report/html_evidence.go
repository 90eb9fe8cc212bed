package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance"
)

// The bounds of what a page shows, in bytes of the page.
const (
	maxHTMLEvidence = 3 << 19 // all exchanges together
	maxHTMLHead     = 4 << 10 // the headers of a request or a response
	maxHTMLBody     = 16 << 10
	htmlMarkup      = 1700 // what the page adds to the text of one exchange, at most
)

// htmlExchange is a request and its response.
type htmlExchange struct {
	number                      int // among those of its check, from 1
	Label                       string
	Decisive                    bool
	Request, RequestBody        string
	Status                      string // of the response, "no response" when none came
	Response, ResponseBody      string
	Error, Took, Curl, CurlNote string
}

// urgency orders exchanges by how much a reader would miss them.
type urgency int

const (
	first   urgency = iota // the check that a breach is told by
	another                // a check that came out like it
	earlier                // what led up to a decisive exchange; added to the two above
)

// htmlEvidence shares a page's room out among the exchanges.
type htmlEvidence struct {
	room   int
	wanted []htmlWanted
}

type htmlWanted struct {
	check   *htmlCheck
	of      []conformance.Exchange
	index   int
	urgency urgency
}

// wants asks for room for a check's exchanges.
func (e *htmlEvidence) wants(check *htmlCheck, c conformance.CheckReport, u urgency) {
	for i := range c.Exchanges {
		w := htmlWanted{check, c.Exchanges, i, u}
		if i < len(c.Exchanges)-1 {
			w.urgency += earlier
		}
		e.wanted = append(e.wanted, w)
	}
}

// fill gives room to the most urgent exchanges, and tells the checks what there
// was none for.
func (e *htmlEvidence) fill() {
	slices.SortStableFunc(e.wanted, func(a, b htmlWanted) int { return cmp.Compare(a.urgency, b.urgency) })
	leftOut := map[*htmlCheck]int{}
	for _, w := range e.wanted {
		if e.room > htmlMarkup { // else even an empty one has no room
			x := newHTMLExchange(w.of, w.index)
			x.Decisive = x.Decisive && w.check.Status != conformance.Unstable // there, each is of another repeat
			if size := x.size(); size <= e.room {
				e.room -= size
				w.check.Exchanges = append(w.check.Exchanges, x)
				continue
			}
		}
		leftOut[w.check]++
		w.check.LeftOut = plural(leftOut[w.check], "exchange")
	}
	for _, w := range e.wanted {
		slices.SortFunc(w.check.Exchanges, func(a, b htmlExchange) int { return cmp.Compare(a.number, b.number) })
	}
}

func newHTMLExchange(all []conformance.Exchange, i int) htmlExchange {
	x := &all[i]
	label := htmlText(x.Request.Method + " " + pathOf(x.Request.URL))
	if len(all) > 1 {
		label = fmt.Sprintf("%d of %d: %s", i+1, len(all), label)
	}
	lines, note := shownCommand(x.Curl, maxCurlColumns)
	shown := htmlExchange{
		number: i + 1, Label: label, Decisive: i == len(all)-1 && len(all) > 1,
		Request:     htmlHead(x.Request.Method+" "+x.Request.URL, x.Request.Headers),
		RequestBody: htmlBody(x.Request.Body),
		Took:        fmt.Sprintf("%.1f ms", x.DurationMS),
		Curl:        strings.Join(lines, "\n"), CurlNote: note,
		Status: "no response", Error: htmlText(x.Error),
	}
	if answer := x.Response; answer != nil {
		shown.Status = statusLine(answer.Status)
		shown.Response = htmlHead(shown.Status, answer.Headers)
		shown.ResponseBody = htmlBody(answer.Body)
	}
	return shown
}

// maxCurlColumns keeps a command on one line, which a page wraps as it needs to;
// one whose body is three times as long reads it from a file.
const maxCurlColumns = 1500

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
	lines := []string{htmlText(line)}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			lines = append(lines, htmlText(name+": "+value))
		}
	}
	return bounded(strings.Join(lines, "\n"), maxHTMLHead)
}

// htmlBody is a body with its lines kept, indented where it is JSON.
func htmlBody(body string) string {
	var indented bytes.Buffer
	if nesting(body) <= maxNesting && json.Indent(&indented, []byte(body), "", "  ") == nil {
		body = indented.String()
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(body, "\n"), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = visible(strings.ReplaceAll(line, "\t", "    "))
	}
	return bounded(strings.Join(lines, "\n"), maxHTMLBody)
}

// maxNesting is how deep a JSON body may be nested to be indented: deeper, and
// it would be mostly indentation.
const maxNesting = 16

// nesting is how deep brackets are open in a text, those inside of strings counted too.
func nesting(s string) int {
	deepest, depth := 0, 0
	for _, r := range s {
		switch r {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// bounded cuts a text to so many bytes of a page, which escapes some characters.
func bounded(s string, most int) string {
	size := 0
	for i, r := range s {
		if size += escapedSize(r); size > most {
			return s[:beforeName(s, i)] + "…"
		}
	}
	return s
}

func escapedSize(r rune) int {
	switch r {
	case '"', '\'', '&', '+':
		return len("&#34;")
	case '<', '>':
		return len("&lt;")
	}
	return max(utf8.RuneLen(r), 1)
}
