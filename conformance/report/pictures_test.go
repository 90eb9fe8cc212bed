package report

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// picture is one of a page that the documentation shows.
type picture struct {
	report, anchor string
	width, height  int
	dark           bool
}

// TestDocumentedPictures sees that the documentation's pictures are there; with
// -update and a browser it makes them.
func TestDocumentedPictures(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "sample-reports.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]picture{
		"three-failures":        {"three-failures", "", 1280, 1500, false},
		"three-failures-narrow": {"three-failures", "", 390, 1300, false},
		"three-failures-dark":   {"three-failures", "", 1280, 900, true},
		"purge-story":           {"three-failures", "#rule-feed.purge.followers", 1280, 1400, false},
		"half-built":            {"half-built", "", 1280, 1500, false},
		"causes":                {"half-built", "#blocked", 1280, 900, false},
		"map":                   {"half-built", "#map", 1280, 880, false},
		"green":                 {"green", "", 1280, 1000, false},
	} {
		path := filepath.Join(docs, "sample-"+name+".png")
		if flag.Lookup("update").Value.String() == "true" {
			p.take(t, path)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%v (go test -update makes it, with a browser)", err)
		}
		if !strings.Contains(string(page), filepath.Base(path)) {
			t.Errorf("%s is not shown", filepath.Base(path))
		}
	}
}

// take opens the page in a browser and writes what is in its window.
func (p picture) take(t *testing.T, path string) {
	t.Helper()
	text, _ := htmlOf(t, recorded(t, p.report))
	if p.anchor != "" {
		text = strings.ReplaceAll(text, "<details><summary>Story", "<details open><summary>Story")
	}
	folder := t.TempDir()
	page := filepath.Join(folder, "page.html")
	// A window can be no narrower than 500 px: the page stands in a frame.
	frame := fmt.Sprintf(`<body style="margin:0;overflow:hidden"><iframe src="page.html%s" style="border:0;width:%dpx;height:%dpx"></iframe>`, p.anchor, p.width, p.height)
	for name, content := range map[string]string{page: text, filepath.Join(folder, "frame.html"): frame} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	scheme := 1
	if p.dark {
		scheme = 0
	}
	cmd := exec.CommandContext(t.Context(), testkit.Chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--hide-scrollbars", "--user-data-dir="+filepath.Join(folder, "profile"), fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme),
		fmt.Sprintf("--window-size=%d,%d", p.width, p.height), "--virtual-time-budget=5000", "--screenshot="+path, "file://"+filepath.Join(folder, "frame.html"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the browser: %v\n%s", err, out)
	}
}
