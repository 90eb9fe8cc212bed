package report

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

	"github.com/socialfeed/conform/conformance/result"
)

var (
	//go:embed report.html.tmpl
	htmlTemplate string
	//go:embed style/*.css
	htmlStyles embed.FS
	//go:embed report.js
	htmlScript string
)

// htmlStyle is the style sheet, with further files of it: later ones override earlier ones.
func htmlStyle(more ...string) string {
	var all strings.Builder
	for _, name := range append([]string{"base", "frame", "sections", "map", "media"}, more...) {
		sheet, _ := htmlStyles.ReadFile("style/" + name + ".css") // embedded: it is there
		all.Write(sheet)
	}
	return all.String()
}

// writeHTML writes the report as one self-contained page: its style and script are
// inline, and its content security policy allows no others. Whatever the target sent is
// escaped text. The page stays below about 3 MB: it leaves evidence out beyond that and
// says so; the JSON report has all of it.
func writeHTML(w io.Writer, v *view) error {
	page := template.Must(template.New("report").Funcs(htmlFuncs(v, newHTMLEvidence(v.report, v))).Parse(htmlTemplate))
	style := htmlStyle()
	out := bufio.NewWriter(w)
	err := page.Execute(out, htmlPage{
		view: v, Style: template.CSS(style), Script: template.JS(htmlScript),
		Policy: fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", htmlHash(style), htmlHash(htmlScript)),
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// htmlPage is the data of the template.
type htmlPage struct {
	*view
	Policy string // allows one style and one script, by their hashes, and nothing from anywhere
	Style  template.CSS
	Script template.JS
}

// Outcomes are the statuses that rules have, the worst first.
func (p htmlPage) Outcomes() []result.Status {
	return slices.DeleteFunc(result.Statuses(), func(s result.Status) bool { return p.Sums()[s] == 0 })
}

// Sums counts all rules by outcome.
func (p htmlPage) Sums() map[result.Status]int {
	if len(p.Tallies) == 0 {
		return nil
	}
	return p.Tallies[len(p.Tallies)-1].N
}

// maxHTMLNamed is how many broken rules the page's head names.
const maxHTMLNamed = 8

// Named are the broken rules that the page's head lists: the evidence of the first one
// fills the screen.
func (p htmlPage) Named() []*ruleView {
	all := p.broken()
	return all[:min(len(all), maxHTMLNamed)]
}

// Unnamed is how many broken rules the head does not list.
func (p htmlPage) Unnamed() int { return len(p.broken()) - len(p.Named()) }

func htmlFuncs(v *view, e *htmlEvidence) template.FuncMap {
	return template.FuncMap{
		"bar":       htmlBar,
		"shown":     func(all []violation) []violation { return all[:min(len(all), maxHTMLViolations)] },
		"more":      func(all []violation) int { return max(len(all)-maxHTMLViolations, 0) },
		"breakable": breakable,
		"briefly":   briefly,
		"causes":    causes,
		"lanes":     lanes,
		"command":   func(s string) string { return strings.Join(command(s, htmlColumns), "\n") },
		"compared":  htmlComparison,
		"fact":      v.fact,
		"glance":    func(s string) string { return bounded(s, maxHTMLGlance) },
		"plural":    result.Plural,
		"evidence":  func(c *checkView) *htmlChecked { return e.of[c] },
		"numbers":   numbersOf,
		"exchanged": func(x *result.Exchange) htmlExchange { return newHTMLExchange(x, &checkView{}) },
		"unfolded":  v.isFirst,
		"story":     e.story,
		"variables": v.variables,
		"waiting":   waitingFor,
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

// htmlSlice is a status's share of a bar that is 100 wide.
type htmlSlice struct {
	Status   result.Status
	Checks   int
	X, Width string
}

// htmlBar divides a bar among the statuses that occur, the worst first.
func htmlBar(n map[result.Status]int) []htmlSlice {
	total := 0
	for _, s := range result.Statuses() {
		total += max(n[s], 0)
	}
	var bar []htmlSlice
	x := 0.0
	for _, s := range result.Statuses() {
		if n[s] <= 0 {
			continue
		}
		width := 100 * float64(n[s]) / float64(total)
		bar = append(bar, htmlSlice{s, n[s], fmt.Sprintf("%.2f", x), fmt.Sprintf("%.2f", width)})
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
func numbersOf(rule *ruleView) string {
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

// htmlHash is the source expression of an inline style or script in a content security policy.
func htmlHash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
