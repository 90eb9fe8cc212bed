// Package html writes a report as one page, and many of them as a grid of pages.
package html

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

var (
	//go:embed report.html.tmpl
	pageTemplate string
	//go:embed style/*.css
	styles embed.FS
	//go:embed report.js
	pageScript string
)

// styleSheet is the style sheet, with further files of it: later ones override earlier ones.
func styleSheet(more ...string) string {
	var all strings.Builder
	for _, name := range append([]string{"base", "frame", "sections", "map", "media"}, more...) {
		sheet, _ := styles.ReadFile("style/" + name + ".css") // embedded: it is there
		all.Write(sheet)
	}
	return all.String()
}

// Write writes the report as one self-contained page: its style and script are
// inline, and its content security policy allows no others. Whatever the target sent is
// escaped text. The page stays below about 3 MB: it leaves evidence out beyond that and
// says so; the JSON report has all of it.
func Write(w io.Writer, v *view.View) error {
	page := template.Must(template.New("report").Funcs(funcs(v, newEvidence(v.Report, v))).Parse(pageTemplate))
	style := styleSheet()
	out := bufio.NewWriter(w)
	err := page.Execute(out, pageData{
		View: v, Style: template.CSS(style), Script: template.JS(pageScript),
		Policy: fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sourceHash(style), sourceHash(pageScript)),
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// pageData is the data of the template.
type pageData struct {
	*view.View
	Policy string // allows one style and one script, by their hashes, and nothing from anywhere
	Style  template.CSS
	Script template.JS
}

// Outcomes are the statuses that rules have, the worst first.
func (p pageData) Outcomes() []result.Status {
	return slices.DeleteFunc(result.Statuses(), func(s result.Status) bool { return p.Sums()[s] == 0 })
}

// Sums counts all rules by outcome.
func (p pageData) Sums() map[result.Status]int {
	if len(p.Tallies) == 0 {
		return nil
	}
	return p.Tallies[len(p.Tallies)-1].N
}

// maxNamed is how many broken rules the page's head names.
const maxNamed = 8

// Named are the broken rules that the page's head lists: the evidence of the first one
// fills the screen.
func (p pageData) Named() []*view.Rule {
	all := p.Broken()
	return all[:min(len(all), maxNamed)]
}

// Unnamed is how many broken rules the head does not list.
func (p pageData) Unnamed() int { return len(p.Broken()) - len(p.Named()) }

func funcs(v *view.View, e *evidence) template.FuncMap {
	return template.FuncMap{
		"bar":       barOf,
		"shown":     func(all []view.Violation) []view.Violation { return all[:min(len(all), maxViolations)] },
		"more":      func(all []view.Violation) int { return max(len(all)-maxViolations, 0) },
		"breakable": breakable,
		"briefly":   briefly,
		"causes":    causes,
		"lanes":     lanes,
		"command":   func(s string) string { return strings.Join(plain.Command(s, commandColumns), "\n") },
		"compared":  comparisonOf,
		"fact":      v.Fact,
		"glance":    func(s string) string { return bounded(s, maxGlance) },
		"plural":    result.Plural,
		"evidence":  func(c *view.Check) *checked { return e.of[c] },
		"numbers":   numbersOf,
		"exchanged": func(x *result.Exchange) exchange { return newExchange(x, &view.Check{}) },
		"unfolded":  v.IsFirst,
		"story":     e.story,
		"variables": v.Variables,
		"waiting":   view.WaitingFor,
		"web":       func(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") },
		"worst":     worst,
	}
}

// breakable is a name or a path, escaped, with a line break allowed after each separator.
func breakable(s string) template.HTML {
	var b strings.Builder
	for part := range strings.SplitAfterSeq(s, "/") {
		for piece := range strings.SplitAfterSeq(part, ".") {
			b.WriteString(html.EscapeString(piece))
			if strings.HasSuffix(piece, ".") || strings.HasSuffix(piece, "/") {
				b.WriteString("<wbr>")
			}
		}
	}
	return template.HTML(b.String())
}

// slice is a status's share of a bar that is 100 wide.
type slice struct {
	Status   result.Status
	Checks   int
	X, Width string
}

// barOf divides a bar among the statuses that occur, the worst first.
func barOf(n map[result.Status]int) []slice {
	total := 0
	for _, s := range result.Statuses() {
		total += max(n[s], 0)
	}
	var bar []slice
	x := 0.0
	for _, s := range result.Statuses() {
		if n[s] <= 0 {
			continue
		}
		width := 100 * float64(n[s]) / float64(total)
		bar = append(bar, slice{s, n[s], fmt.Sprintf("%.2f", x), fmt.Sprintf("%.2f", width)})
		x += width
	}
	return bar
}

// worst is the worst status that occurs, "" for none.
func worst(n map[result.Status]int) result.Status {
	for _, s := range result.Statuses() {
		if n[s] > 0 {
			return s
		}
	}
	return ""
}

// numbersOf lists the numbers of the endpoints that a rule was judged at, each
// once, 0 for none, as the page's script reads them.
func numbersOf(rule *view.Rule) string {
	var numbers []string
	seen := map[int]bool{}
	for _, c := range rule.Checks {
		if !seen[c.Number] {
			seen[c.Number] = true
			numbers = append(numbers, fmt.Sprint(c.Number))
		}
	}
	return strings.Join(numbers, " ")
}

// sourceHash is the source expression of an inline style or script in a content security policy.
func sourceHash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
