package sourcemutants

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// how says where the text of a change goes.
type how int

const (
	insertBefore     how = iota // a statement, at an offset
	replaceStatement            // guarded statements in the place of one
	replaceNode                 // an expression in the place of one
)

// span is a part of a file, in bytes; an insertion has no length.
type span struct {
	start, end int
	how        how
}

// site is a place that options change.
type site struct {
	span
	typ     string // of an expression, as the file writes it
	options []option
}

// option is one change of a site.
type option struct {
	mutant *Mutant
	code   string // in the place of the site; blank leaves a statement out
}

// sortSites brings sites in the order of the source, outer ones before those inside.
func sortSites(sites []*site) {
	slices.SortStableFunc(sites, func(a, b *site) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(a.how, 1), min(b.how, 1)), cmp.Compare(b.end, a.end), cmp.Compare(a.how, b.how))
	})
}

// render is the file with all of its mutants.
func (f *file) render() string { return f.between(0, len(f.text), f.sites) }

// between is a part of the file, in which the sites lie.
func (f *file) between(start, end int, sites []*site) string {
	var b strings.Builder
	for at := start; ; {
		if len(sites) == 0 {
			b.Write(f.text[at:end])
			return b.String()
		}
		outer := sites[0]
		inside := 1
		for inside < len(sites) && outer.how != insertBefore && sites[inside].start < outer.end {
			inside++
		}
		b.Write(f.text[at:outer.start])
		b.WriteString(outer.render(f.between(outer.start, outer.end, sites[1:inside])))
		at, sites = outer.end, sites[inside:]
	}
}

// render is the site with its options around what stood there.
func (s *site) render(original string) string {
	if len(s.options) == 0 {
		return original
	}
	var b strings.Builder
	if s.how == replaceNode {
		fmt.Fprintf(&b, "func() %s { switch {", s.typ)
		for _, o := range s.options {
			fmt.Fprintf(&b, "case mutated(%d): return %s;", o.mutant.Number, o.marked())
		}
		fmt.Fprintf(&b, "}; return %s }()", original)
		return s.marked(b.String())
	}
	left := ""
	if s.how == insertBefore {
		b.WriteString("; ")
	}
	for _, o := range s.options {
		if o.code == "" {
			left = fmt.Sprintf("!mutated(%d)", o.mutant.Number)
			continue
		}
		fmt.Fprintf(&b, "if mutated(%d) { %s }; ", o.mutant.Number, o.marked())
	}
	if left != "" {
		original = fmt.Sprintf("if %s { %s }", left, original)
	}
	return s.marked(b.String() + original)
}

// Comments mark what belongs to which mutant, so that a complaint of the type checker finds it:
// that of an option names its mutant, that of a site all of its mutants by the first.
func (o option) marked() string {
	return fmt.Sprintf("/*<%d*/%s/*>*/", o.mutant.Number, o.code)
}

func (s *site) marked(text string) string {
	return fmt.Sprintf(" /*<%d+*/%s/*>*/", s.options[0].mutant.Number, text)
}

// offenders are the mutants that a complaint at an offset of the rendered file is about: one
// option, or all options of a site; none where it lies outside of all.
func (f *file) offenders(rendered string, offset int) []int {
	var open []string
	for i := 0; i < offset; {
		mark := strings.Index(rendered[i:offset], "/*")
		if mark < 0 {
			break
		}
		i += mark + len("/*")
		end := strings.Index(rendered[i:], "*/")
		if end < 0 {
			break
		}
		switch text := rendered[i : i+end]; {
		case text == ">" && len(open) > 0:
			open = open[:len(open)-1]
		case strings.HasPrefix(text, "<"):
			open = append(open, text[1:])
		}
		i += end
	}
	if len(open) == 0 {
		return nil
	}
	var first int
	whole := strings.HasSuffix(open[len(open)-1], "+")
	fmt.Sscan(strings.TrimSuffix(open[len(open)-1], "+"), &first)
	if !whole {
		return []int{first}
	}
	var all []int
	for _, s := range f.sites {
		if len(s.options) > 0 && s.options[0].mutant.Number == first {
			for _, o := range s.options {
				all = append(all, o.mutant.Number)
			}
		}
	}
	return all
}
