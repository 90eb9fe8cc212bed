package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/result"
)

// The bounds of what a page shows, in bytes of the page.
const (
	maxHTMLEvidence = 3 << 19 // all exchanges and scripts together
	maxHTMLHead     = 4 << 10 // the headers of a request or a response
	maxHTMLBody     = 16 << 10
	maxHTMLValue    = 1500 // what was expected, or what came
	htmlMarkup      = 1700 // what the page adds to the text of one exchange, at most
)

// htmlColumns is how wide a command is laid out.
const htmlColumns = 110

// maxHTMLViolations is how many different violations of a rule the page shows.
const maxHTMLViolations = 5

// htmlExchange is a request and its response.
type htmlExchange struct {
	Label                       string
	Decisive, Open              bool
	Request, RequestBody        string
	Status                      string // of the response, "no response" when none came
	Response, ResponseBody      string
	Error, Took, Curl, CurlNote string
}

// htmlChecked is what the page shows of one check.
type htmlChecked struct {
	First     bool // the rule is told by it
	Exchanges []htmlExchange
	Script    string // that shows the failure, "" where there is none or no room for it
	LeftOut   string // what there was no room for, "" when all is there
}

// htmlEvidence shares a page's room out among the checks that violations are told by.
type htmlEvidence struct {
	room int
	of   map[*checkView]*htmlChecked
}

// newHTMLEvidence gives room to the exchanges that decided, then to those before
// them, and then to the scripts.
func newHTMLEvidence(r *result.Report, v *view) *htmlEvidence {
	e := &htmlEvidence{maxHTMLEvidence, map[*checkView]*htmlChecked{}}
	var told []*checkView
	script := map[*checkView]result.Rule{}
	for i, rule := range v.Rules {
		for at, violation := range rule.Violations[:min(len(rule.Violations), maxHTMLViolations)] {
			if len(violation.check.Exchanges) > 0 && rule.Status != result.Blocked {
				told = append(told, violation.checkView)
				e.of[violation.checkView] = &htmlChecked{First: at == 0}
				script[violation.checkView] = r.Rules[i]
			}
		}
	}
	for _, decisive := range []bool{true, false} {
		for _, c := range told {
			e.exchanges(c, decisive)
		}
	}
	for _, c := range told {
		var b bytes.Buffer
		if c.check.Reproduction != nil && Reproduce(&b, Shell, r, script[c], *c.check) == nil && b.Len()*2 < e.room {
			e.of[c].Script = htmlBody(b.String())
			e.room -= b.Len() * 2
		}
	}
	return e
}

// story is what led to a check, folded where it is not what its rule is told by; nil
// where there is none or no room for it.
func (e *htmlEvidence) story(c *checkView) *story {
	s := storyOf(c)
	if s == nil || e.of[c] == nil {
		return nil
	}
	size := 0
	for _, step := range s.Steps {
		size += 2*(len(step.Request)+len(step.Body)) + htmlMarkup/2
	}
	if size > e.room {
		return nil
	}
	e.room -= size
	s.Long = s.Long || !e.of[c].First
	return s
}

// exchanges are those of a check, the one that decided or the others.
func (e *htmlEvidence) exchanges(c *checkView, decisive bool) {
	shown, left := e.of[c], 0
	for i := range c.check.Exchanges {
		if (i == c.check.DecisiveIndex()) != decisive {
			continue
		}
		if e.room > htmlMarkup { // else even an empty one has no room
			x := newHTMLExchange(&c.check.Exchanges[i])
			if of := len(c.check.Exchanges); of > 1 {
				x.Label = fmt.Sprintf("%d of %d: %s", i+1, of, x.Label)
			}
			x.Decisive = decisive && c.Status != result.Unstable // there, each is of another repeat
			x.Open = x.Decisive && shown.First
			if size := x.size(); size <= e.room {
				e.room -= size
				if decisive {
					shown.Exchanges = append(shown.Exchanges, x)
				} else { // those before the one that decided stand before it
					at := min(i, len(shown.Exchanges))
					shown.Exchanges = slices.Insert(shown.Exchanges, at, x)
				}
				continue
			}
		}
		left++
	}
	if left > 0 {
		shown.LeftOut = plural(left, "exchange")
	}
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
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			lines = append(lines, short(name+": "+value))
		}
	}
	return bounded(strings.Join(lines, "\n"), maxHTMLHead)
}

// htmlBody is a body with its lines kept, indented where it is JSON.
func htmlBody(body string) string {
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(indented(body), "\n"), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = visible(strings.ReplaceAll(line, "\t", "    "))
	}
	return bounded(strings.Join(lines, "\n"), maxHTMLBody)
}

// indented lays JSON out over lines; any other text stays as it is.
func indented(body string) string {
	var laidOut bytes.Buffer
	if nesting(body) <= maxNesting && json.Indent(&laidOut, []byte(body), "", "  ") == nil {
		return laidOut.String()
	}
	return body
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

// htmlCompared is what was expected and what came, side by side.
type htmlCompared struct{ Expected, Got []span }

// htmlComparison lays both out alike, JSON over lines, and marks where they differ.
func htmlComparison(c *checkView) htmlCompared {
	expected, got := differences(bounded(laidOut(c.Expected), maxHTMLValue), bounded(laidOut(c.Actual), maxHTMLValue))
	return htmlCompared{expected, got}
}

// laidOut puts the JSON that a text ends in over lines of its own, where it is long.
func laidOut(s string) string {
	const glance = 40
	at := strings.IndexAny(s, "{[")
	if at < 0 || len(s)-at < glance {
		return s
	}
	tail := ""
	if end := strings.LastIndexAny(s, "}]") + 1; end > at {
		s, tail = s[:end], s[end:]
	}
	if over := indented(s[at:]); over != s[at:] {
		return strings.TrimSpace(s[:at]) + "\n" + over + tail
	}
	return s + tail
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
