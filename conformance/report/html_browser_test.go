package report

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/testkit"
	nethtml "golang.org/x/net/html"
)

// browse opens an address and gives the page as it is once its scripts are done.
func browse(t *testing.T, address string, flags ...string) *nethtml.Node {
	t.Helper()
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile)
	cmd := exec.CommandContext(t.Context(), testkit.Chromium(t), append(flags,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--no-first-run", "--user-data-dir="+profile,
		"--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom", address)...)
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("the browser: %v\n%s", err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") && !strings.Contains(line, "sandboxed and the 'allow-scripts'") {
			t.Errorf("the browser complains: %s", line)
		}
	}
	tree, err := nethtml.Parse(&stdout)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// A person's round through the reports; testdata/html_driver.html is the person.
func TestHTMLInABrowser(t *testing.T) {
	t.Parallel()
	pages := reports()
	pages["tame"], pages["endless"] = hostile("EVIL"), hostile(hostileTexts()["one word"])
	pages["three"] = recorded(t, "three-failures")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /driver", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join("testdata", "html_driver.html"))
	})
	for name, r := range pages {
		page, _ := htmlOf(t, r)
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(page)) })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	names := "failing,blocked,passing,unreachable,tame,endless,three"
	for _, c := range []struct {
		scheme, flag string
		looked       []string
	}{
		{"light", "--blink-settings=preferredColorScheme=1",
			[]string{"widths", "words", "lengths", "names", "groups", "texts in light", "controls", "filters", "copies", "pages without scripts"}},
		{"dark", "--blink-settings=preferredColorScheme=0", []string{"texts in dark"}},
	} {
		t.Run(c.scheme, func(t *testing.T) {
			t.Parallel()
			page := browse(t, server.URL+"/driver?scheme="+c.scheme+"&names="+names, c.flag)
			var result struct {
				Problems []string
				Looked   map[string]int
			}
			if err := json.Unmarshal([]byte(textIn(byID(page, "result"))), &result); err != nil {
				t.Fatalf("%v: %s", err, textIn(page))
			}
			for _, problem := range result.Problems {
				t.Error(problem)
			}
			for _, what := range c.looked {
				if result.Looked[what] == 0 {
					t.Errorf("it did not look at %s", what)
				}
			}
		})
	}
}

// An address with a filter, as one person sends it to another, from a file.
func TestHTMLFilterInAnAddress(t *testing.T) {
	t.Parallel()
	r := failing()
	page, _ := htmlOf(t, r)
	path := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	tree := browse(t, "file://"+filepath.ToSlash(path)+"#outcome=fail&endpoint=21")
	var shown []string
	for _, row := range find(byID(tree, "rules"), func(n *nethtml.Node) bool { return attribute(n, "data-rule") != "" }) {
		if !slices.ContainsFunc(row.Attr, func(a nethtml.Attribute) bool { return a.Key == "hidden" }) {
			shown = append(shown, attribute(row, "data-rule"))
		}
	}
	var want []string
	for _, rule := range r.Rules {
		at := func(c result.Check) bool { return c.Endpoint == rules.Feed.String() }
		if rule.Status == result.Fail && slices.ContainsFunc(rule.Checks, at) {
			want = append(want, rule.ID)
		}
	}
	if !slices.Equal(shown, want) {
		t.Errorf("shown are %v, not %v", shown, want)
	}
	wantText(t, byID(tree, "count"), "2 of 8 rules")
}
