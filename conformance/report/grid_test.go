package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/html"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"

	nethtml "golang.org/x/net/html"
)

// gridOf is the files of a grid of reports, each under the name of its file.
func gridOf(t *testing.T, files []string, reports map[string]*result.Report) map[string]string {
	t.Helper()
	written := map[string]string{}
	grid := html.NewGrid(func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if _, twice := written[name]; twice {
			t.Errorf("%s is written twice", name)
		}
		err := write(&b)
		written[name] = b.String()
		return err
	})
	for _, file := range files {
		if err := grid.Add(reports[file], file); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	if err := grid.WriteIndex(); err != nil {
		t.Fatal(err)
	}
	return written
}

// TestGridShowsEachImplementation has two reports name what they are about, of which one has a rule less.
func TestGridShowsEachImplementation(t *testing.T) {
	one, other, third := failing(), passing(), passing()
	one.Implementation = &result.Implementation{Name: "Feeds", Version: "1.0", Contact: "team@example.com"}
	other.Implementation = &result.Implementation{Name: "Feeds", Version: "2.0"}
	files := gridOf(t, []string{"a.json", "b.json", "dir/c.json"}, map[string]*result.Report{"a.json": one, "b.json": other, "dir/c.json": third})
	names := slices.Sorted(maps.Keys(files))
	want := []string{"c.badge.json", "c.html", "feeds-2-0.badge.json", "feeds-2-0.html", "feeds.badge.json", "feeds.html", "index.html"}
	if !slices.Equal(names, want) {
		t.Fatalf("the files are %v", names)
	}
	tree, err := nethtml.Parse(strings.NewReader(files["index.html"]))
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string][]string{}
	for row := range tree.Descendants() {
		if row.Data != "tr" {
			continue
		}
		name := ""
		for cell := range row.Descendants() {
			switch {
			case cell.Data == "code":
				name = textIn(cell)
			case cell.Data == "td" && name != "":
				cells[name] = append(cells[name], textIn(cell))
			}
		}
	}
	for _, r := range []*result.Report{one, other} {
		for _, rule := range r.Rules {
			if of := cells[rule.ID]; len(of) != 3 {
				t.Fatalf("%s has the cells %v", rule.ID, of)
			}
		}
	}
	for i, rule := range one.Rules {
		if got := cells[rule.ID]; got[0] != string(rule.Status) || got[1] != "" {
			t.Errorf("%s: %v, want %s in the first alone", rule.ID, got, one.Rules[i].Status)
		}
	}
	for _, rule := range other.Rules {
		if got := cells[rule.ID]; got[0] != "" || got[1] != string(rule.Status) || got[2] != got[1] {
			t.Errorf("%s: %v, want %s in the others", rule.ID, got, rule.Status)
		}
	}
	for _, e := range other.Endpoints {
		name := fmt.Sprintf("%d %s %s", e.Number, e.Method, e.Path)
		if got := cells[name]; len(got) != 3 || got[1] != string(e.Status) {
			t.Errorf("%s: %v, want %s", name, got, e.Status)
		}
	}
	for _, said := range []string{"team@example.com", `href="feeds-2-0.html"`, `href="feeds.badge.json"`} {
		if !strings.Contains(files["index.html"], said) {
			t.Errorf("the page does not say %s", said)
		}
	}
	var badge map[string]any
	if err := json.Unmarshal([]byte(files["feeds.badge.json"]), &badge); err != nil {
		t.Fatal(err)
	}
	shown := view.New(one, view.Options{}).Verdict
	if len(badge) != 4 || badge["schemaVersion"] != 1.0 || badge["label"] != "contract" || badge["message"] != shown.Count() || badge["color"] != shown.Color {
		t.Errorf("the badge is %v", badge)
	}
}

// TestGridOfHostileReports holds the page to the shape that it has of a tame report: what stands in reports and
// in names of files is text.
func TestGridOfHostileReports(t *testing.T) {
	shape := func(text, file string) string {
		page := gridOf(t, []string{file}, map[string]*result.Report{file: hostile(text)})["index.html"]
		tree, err := nethtml.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for n := range tree.Descendants() {
			if n.Type == nethtml.ElementNode && n.Data != "wbr" {
				b.WriteString(n.Data + " ")
				for _, a := range n.Attr {
					b.WriteString(a.Key + " ")
				}
			}
		}
		return b.String()
	}
	tame := shape("EVIL", "a.json")
	for name, text := range hostileTexts() {
		if strings.Contains(name, "empty") {
			continue
		}
		if got := shape(text, `"><script>alert(1)</script>.json`); got != tame {
			t.Errorf("%s: the page has another shape", name)
		}
	}
}

func TestGridsThatAreRefused(t *testing.T) {
	grid := html.NewGrid(func(string, func(io.Writer) error) error { return nil })
	client := passing()
	client.Client = &result.Client{}
	if err := grid.Add(client, "c.json"); err == nil || !strings.Contains(err.Error(), "a client") {
		t.Errorf("a report on a client: %v", err)
	}
	for range html.MostReports {
		if err := grid.Add(passing(), "a.json"); err != nil {
			t.Fatal(err)
		}
	}
	if err := grid.Add(passing(), "a.json"); err == nil {
		t.Error("one more is taken")
	}
}

// TestGridInABrowser looks at the page as wide as a telephone and as a desk: nothing is cut off, in light and dark.
func TestGridInABrowser(t *testing.T) {
	t.Parallel()
	all := map[string]*result.Report{"a.json": failing(), "b.json": passing(), "c.json": blockedRun()}
	all["a.json"].Implementation = &result.Implementation{Name: "A name of an implementation that is as long as one may be...", Version: "2026.11.28-rc.1+build.123"}
	page := gridOf(t, []string{"a.json", "b.json", "c.json"}, all)["index.html"]
	const driver = `<!DOCTYPE html><iframe src="/page" id="f" style="border:0;height:900px"></iframe><pre id="result"></pre><script>
addEventListener("load", async () => {
  const f = document.getElementById("f"), out = [];
  for (const width of [390, 1280]) {
    f.style.width = width + "px";
    await new Promise(r => setTimeout(r, 100));
    const d = f.contentDocument, root = d.documentElement;
    d.querySelectorAll("details").forEach(x => x.open = true);
    if (root.scrollWidth > width) out.push("at " + width + " the page is " + root.scrollWidth + " wide");
    for (const e of d.querySelectorAll("td.cell, th, a")) {
      const r = e.getBoundingClientRect();
      if (r.right > width + 1 && r.width > 1) out.push("at " + width + " cut off: " + e.textContent.slice(0, 40));
    }
    for (const row of d.querySelectorAll(".map tr")) {
      const boxes = [...row.querySelectorAll("td.cell")].map(c => c.getBoundingClientRect());
      boxes.forEach((b, i) => { if (i && b.top === boxes[i-1].top && b.left < boxes[i-1].right - 1) out.push("at " + width + " cells overlap: " + row.textContent.slice(0, 40)); });
    }
    out.push("background " + getComputedStyle(d.body).backgroundColor);
  }
  document.getElementById("result").textContent = out.join("\n");
});</script>`
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) })
	mux.HandleFunc("GET /driver", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, driver) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for scheme, want := range map[string]string{"1": "rgb(244, 246, 248)", "0": "rgb(14, 17, 22)"} {
		got := textIn(byID(browse(t, server.URL+"/driver", "--blink-settings=preferredColorScheme="+scheme), "result"))
		if want := "background " + want; got != want+"\n"+want && strings.TrimSpace(got) != want+" "+want {
			t.Errorf("scheme %s: %.2000s", scheme, got)
		}
	}
}
