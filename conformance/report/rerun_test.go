package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// Every format that tells failures tells how to judge them again, and names the
// report that lies where someone asked for it.
func TestRerunNamesTheReport(t *testing.T) {
	elsewhere := failing()
	elsewhere.Target.BaseURL = "http://localhost:8080/a b"
	embedded := failing()
	embedded.Target.Embedded = true
	drawn, kept := failing(), failing()
	for i := range drawn.Rules {
		for k := range drawn.Rules[i].Checks {
			drawn.Rules[i].Checks[k].Drawn = true
			kept.Rules[i].Checks[k].Drawn, kept.Rules[i].Checks[k].Story = true, json.RawMessage(`{}`)
		}
	}
	deep := *drawn
	deep.Stories = &result.DrawnStories{DeepMS: 1000}
	for name, told := range map[string]struct {
		report  *result.Report
		path    string
		command string
	}{
		"a report":       {failing(), "out/a.json", "conform replay out/a.json --rule auth.missing"},
		"with a space":   {failing(), "it's mine/a.json", `conform replay 'it'\''s mine/a.json' --rule auth.missing`},
		"over HTTP":      {elsewhere, "a.json", "conform replay a.json --rule auth.missing --base-url 'http://localhost:8080/a b' --allow-http"},
		"no report":      {failing(), "", "conform --base-url https://feed.example:8443 --rule auth.missing --seed 424242"},
		"none, and HTTP": {elsewhere, "", "conform --base-url 'http://localhost:8080/a b' --rule auth.missing --seed 424242 --allow-http"},
		"drawn":          {drawn, "a.json", "conform --base-url https://feed.example:8443 --seed 424242"},
		"drawn and deep": {&deep, "a.json", "conform --base-url https://feed.example:8443 --deep --seed 424242"},
		"kept":           {kept, "a.json", "conform replay a.json --rule auth.missing"},
		"kept, no file":  {kept, "", "conform --base-url https://feed.example:8443 --seed 424242"},
		"embedded":       {embedded, "", "conform --rule auth.missing --seed 424242"},
	} {
		for _, format := range []string{"text", "html", "junit", "markdown", "github"} {
			got := strings.NewReplacer(" \\\n", " ", "&#39;", "'", "&#43;", "+").Replace(writtenFor(t, format, told.report, told.path))
			got = strings.Join(strings.Fields(got), " ")
			if !strings.Contains(got, told.command) {
				t.Errorf("%s as %s: %s is not told", name, format, told.command)
			}
			if strings.Contains(got, "report.json") {
				t.Errorf("%s as %s: a report that nobody wrote is named", name, format)
			}
		}
	}
}
