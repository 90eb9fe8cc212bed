package report

import (
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"
)

func TestHTMLStructure(t *testing.T) {
	t.Parallel()
	for name, r := range everyReport() {
		_, tree := htmlOf(t, r)
		for element, want := range map[string]int{"h1": 1, "main": 1, "header": 1, "footer": 1, "nav": 1, "form": 1, "style": 1, "script": 1, "title": 1} {
			ours := func(n *nethtml.Node) bool { return n.Data == element && n.Namespace == "" } // a drawing has titles, too
			if got := len(find(tree, ours)); got != want {
				t.Errorf("%s: %d elements %s", name, got, element)
			}
		}
		level := 0
		for _, h := range find(tree, named("h1", "h2", "h3", "h4", "h5", "h6")) {
			if next := int(h.Data[1] - '0'); next > level+1 {
				t.Errorf("%s: heading %q is %s below h%d", name, textIn(h), h.Data, level)
			} else {
				level = next
			}
		}
		for _, table := range find(tree, named("table")) {
			if table.FirstChild.NextSibling.Data != "caption" {
				t.Errorf("%s: a table without a caption", name)
			}
		}
		for _, th := range find(tree, named("th")) {
			if attribute(th, "scope") == "" {
				t.Errorf("%s: the header %q has no scope", name, textIn(th))
			}
		}
		for _, symbol := range find(tree, named("use")) {
			if id := strings.TrimPrefix(attribute(symbol, "href"), "#"); byID(tree, id).Data != "symbol" {
				t.Errorf("%s: there is no symbol %s", name, id)
			}
		}
	}
}

// The contents list the sections in their order: what went wrong comes before the
// tables of everything.
func TestHTMLContents(t *testing.T) {
	for name, r := range figured() {
		_, tree := htmlOf(t, r)
		var listed, there []string
		for _, link := range find(find(tree, named("nav"))[0], named("a")) {
			listed = append(listed, strings.TrimPrefix(attribute(link, "href"), "#"))
		}
		for _, section := range find(tree, named("section")) {
			there = append(there, attribute(section, "id"))
		}
		if !slices.Equal(listed, there) {
			t.Errorf("%s: the contents are %v, the sections %v", name, listed, there)
		}
	}
	_, tree := htmlOf(t, mixed())
	var order []string
	for _, section := range find(tree, named("section")) {
		order = append(order, attribute(section, "id"))
	}
	if want := []string{"failures", "unstable", "warnings", "waived", "blocked", "errors", "map", "rules", "skipped", "run"}; !slices.Equal(order, want) {
		t.Errorf("the order is %v", order)
	}
}

func TestHTMLLinksLeadSomewhere(t *testing.T) {
	r := failing()
	r.Rules = append(r.Rules, blockedRun().Rules[:12]...)
	_, tree := htmlOf(t, r)
	ids := map[string]bool{}
	for _, n := range find(tree, func(n *nethtml.Node) bool { return attribute(n, "id") != "" }) {
		if id := attribute(n, "id"); ids[id] {
			t.Errorf("the id %s stands twice", id)
		} else {
			ids[id] = true
		}
	}
	for _, rule := range r.Rules {
		if !ids["rule-"+rule.ID] {
			t.Errorf("there is no anchor for %s", rule.ID)
		}
	}
	for _, link := range find(tree, named("a")) {
		id := strings.TrimPrefix(attribute(link, "href"), "#")
		absent := id == "rule-sessions.login.user-name" || id == "rule-users.id-type" // of the fixtures' rules
		if !absent && !ids[id] {
			t.Errorf("a link leads to %q", attribute(link, "href"))
		}
	}
}
