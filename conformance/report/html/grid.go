package html

import (
	"bufio"
	"cmp"

	"github.com/socialfeed/conform/conformance/report/pipeline"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/view"

	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/result"
)

//go:embed grid.html.tmpl
var gridTemplate string

// Grid compares implementations by their reports: a static page of implementations by endpoints and by
// rules, with the HTML report of each and a badge for it. It keeps of a report what the page shows.
type Grid struct {
	put     func(name string, write func(io.Writer) error) error
	columns []*gridColumn
	rules   []*gridRow
	row     map[string]*gridRow // of the rules, by id
	places  []*gridRow          // of the endpoints, in the contract's order
	names   map[string]bool     // of files that were given
}

// MostReports is how many reports a grid takes.
const MostReports = 50

// gridColumn is an implementation.
type gridColumn struct {
	Title, Version, Contact string
	Verdict                 view.Verdict
	Count, Endpoints        string
	Started, Judge          string
	Report, Badge           string // names of files
}

// gridRow is what became of a rule, or of an endpoint, with each implementation.
type gridRow struct {
	Name, Told string
	Part       string
	Cells      []gridCell
}

// gridCell is an outcome; "" where the report does not have it.
type gridCell struct {
	Status result.Status
	Of     string // the implementation
}

// NewGrid makes an empty grid, which has put write each file under its name.
func NewGrid(put func(name string, write func(io.Writer) error) error) *Grid {
	return &Grid{put: put, row: map[string]*gridRow{}, names: map[string]bool{}}
}

// Add writes the files of an implementation: its HTML report and its badge. What the report does not name it by is
// taken from the name of the report's file.
func (g *Grid) Add(r *result.Report, file string) error {
	switch {
	case r.Client != nil:
		return errors.New("it is about a client: a grid compares servers")
	case len(g.columns) == MostReports:
		return fmt.Errorf("a grid takes %d reports at the most", MostReports)
	}
	v := view.New(r, view.Options{})
	i := cmp.Or(r.Implementation, &result.Implementation{})
	c := &gridColumn{
		Title: plain.Short(cmp.Or(i.Name, strings.TrimSuffix(filepath.Base(file), ".json"))), Version: plain.Short(i.Version), Contact: plain.Short(i.Contact),
		Verdict: v.Verdict, Count: v.Verdict.Count(), Started: v.Fact("started"), Judge: v.Fact("judge"),
	}
	if e := r.Summary.Endpoints; e != nil {
		c.Endpoints = e.Told()
	}
	name := g.nameOf(c)
	c.Report, c.Badge = name+".html", name+".badge.json"
	g.columns = append(g.columns, c)
	g.enter(v, c)
	html := func(w io.Writer) error {
		return clean.Guarded(w, clean.Markup, func(w io.Writer) error { return Write(w, v) })
	}
	badge := func(w io.Writer) error {
		return clean.Guarded(w, clean.JSON, func(w io.Writer) error {
			return pipeline.WriteShieldsBadge(w, c.Verdict)
		})
	}
	return errors.Join(g.put(c.Report, html), g.put(c.Badge, badge))
}

// nameOf is a name for the files of an implementation: that of the implementation, with its version where
// another has the same, and a number where that has it as well.
func (g *Grid) nameOf(c *gridColumn) string {
	name := slug(c.Title)
	if g.names[name] {
		name = slug(c.Title + " " + c.Version)
	}
	for n := 2; g.names[name]; n++ {
		name = fmt.Sprintf("%s-%d", slug(c.Title), n)
	}
	g.names[name] = true
	return name
}

// slug is a text as the name of a file: small letters, digits and single hyphens.
func slug(s string) string {
	const most = 60
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return ' '
	}, strings.ToLower(s))
	plain = strings.Join(strings.Fields(plain), "-")
	plain = strings.Trim(plain[:min(len(plain), most)], "-")
	if plain == "" || plain == "index" {
		return "implementation"
	}
	return plain
}

// enter enters the outcomes of the latest implementation.
func (g *Grid) enter(v *view.View, c *gridColumn) {
	last := len(g.columns) - 1
	set := func(row *gridRow, s result.Status) {
		for len(row.Cells) < last {
			row.Cells = append(row.Cells, gridCell{Of: g.columns[len(row.Cells)].Title})
		}
		if len(row.Cells) == last {
			row.Cells = append(row.Cells, gridCell{s, c.Title})
		}
	}
	for _, rule := range v.Rules {
		if g.row[rule.ID] == nil {
			g.row[rule.ID] = &gridRow{Name: rule.ID, Told: rule.Statement, Part: rule.Part}
			g.rules = append(g.rules, g.row[rule.ID])
		}
		set(g.row[rule.ID], rule.Status)
	}
	for _, e := range v.Endpoints {
		name := fmt.Sprintf("%d %s %s", e.Number, e.Method, e.Path)
		i := slices.IndexFunc(g.places, func(row *gridRow) bool { return row.Name == name })
		if i < 0 {
			i, g.places = len(g.places), append(g.places, &gridRow{Name: name})
		}
		set(g.places[i], e.Status)
	}
}

// WriteIndex writes the page, index.html, which leads to the other files.
func (g *Grid) WriteIndex() error {
	for _, row := range slices.Concat(g.rules, g.places) {
		for len(row.Cells) < len(g.columns) {
			row.Cells = append(row.Cells, gridCell{Of: g.columns[len(row.Cells)].Title})
		}
	}
	page := template.Must(template.New("report").Funcs(funcs(&view.View{}, &evidence{})).Parse(pageTemplate))
	page = template.Must(page.New("grid").Parse(gridTemplate))
	style := styleSheet("grid")
	return g.put("index.html", func(w io.Writer) error {
		return clean.Guarded(w, clean.Markup, func(w io.Writer) error {
			out := bufio.NewWriter(w)
			err := page.Execute(out, map[string]any{
				"Style": template.CSS(style), "Columns": g.columns, "Endpoints": g.places, "Parts": g.parts(),
				"Policy": fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'none'", sourceHash(style)),
			})
			return cmp.Or(err, out.Flush())
		})
	})
}

// gridPart is the rules of a part of the contract.
type gridPart struct {
	Name string
	Rows []*gridRow
	Open bool // an implementation breaks one of them
}

func (g *Grid) parts() []gridPart {
	var parts []gridPart
	for name, rows := range view.InGroups(g.rules, func(row *gridRow) string { return row.Part }) {
		breaks := func(row *gridRow) bool {
			return slices.ContainsFunc(row.Cells, func(c gridCell) bool { return c.Status == result.Fail || c.Status == result.Unstable })
		}
		parts = append(parts, gridPart{name, rows, slices.ContainsFunc(rows, breaks)})
	}
	return parts
}
