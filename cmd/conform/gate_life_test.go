package main

import (
	markup "html"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

// TestAWaiverFromItsDraftToItsEnd does what a team does about a deviation that it
// accepts for now, and reads every report of it: those that people read, and those
// that programs do.
func TestAWaiverFromItsDraftToItsEnd(t *testing.T) {
	t.Parallel()
	const rule, reason, link = "sessions.logout.status", "the gateway is replaced in May", "https://tracker.example/GW-7"
	waivers := filepath.Join(t.TempDir(), "waivers.yaml")
	month := time.Now().UTC().AddDate(0, 0, drafted).Format(time.DateOnly)

	red := lived(t, http.StatusOK)
	red.comesTo(t, exitNonConformant, rule, "204 No Content")
	conform(t, "waive", red.json, "-o", waivers).says(t, exitConformant, "waivers: 1 new; write the reason of each before use")
	draft := read(t, waivers)
	lived(t, http.StatusOK, "--waivers", waivers).says(t, exitUsage, "waivers.yaml", "line 1", "the reason is still to be written")

	// A person gives the reason, where to read more, and how far it goes.
	written := regexp.MustCompile(`reason: .*`).ReplaceAllString(draft, "reason: "+reason) + "  link: " + link + "\n"
	agreed := file(t, []byte(written))
	used := "it waives 1 of 1 checks until " + month
	lived(t, http.StatusOK, "--waivers", agreed).comesTo(t, exitConformant, rule, "used", used, "waived", reason, link, month)

	otherwise := "fails in another way: waived is any failure with 200, and it came out as fail with 202"
	lived(t, http.StatusAccepted, "--waivers", agreed).comesTo(t, exitNonConformant, rule, "stale", otherwise, "204 No Content", reason)
	lived(t, http.StatusNoContent, "--waivers", agreed).comesTo(t, exitNonConformant, "stale", rule+" passes now: remove the waiver", reason)

	past := file(t, []byte(strings.ReplaceAll(written, month, "2020-01-31")))
	late := "it expired on 2020-01-31: fix the target, or agree on another day"
	lived(t, http.StatusOK, "--waivers", past).comesTo(t, exitNonConformant, rule, "expired", late, "204 No Content", reason)
	lived(t, http.StatusNoContent, "--waivers", past).comesTo(t, exitNonConformant, "expired", late)

	mistyped := file(t, []byte(strings.ReplaceAll(written, rule, "sessions.logout.statsu")))
	lived(t, http.StatusOK, "--waivers", mistyped).comesTo(t, exitNonConformant, "sessions.logout.statsu", "unknown", "did you mean "+rule+"?", "204 No Content")
	lived(t, http.StatusNoContent, "--waivers", file(t, []byte("[]\n"))).comesTo(t, exitConformant)
}

// life is a run with its reports, by format.
type life struct {
	outcome
	json  string // where the JSON report is
	texts map[string]string
}

// lived judges a server that answers a logout with a status, and reads the reports.
func lived(t *testing.T, status int, more ...string) life {
	t.Helper()
	dir := t.TempDir()
	args := append(serve(t, logout(reference(t, nil), always(status))), fast("--rule", "sessions.logout.status")...)
	for _, format := range report.Formats() {
		args = append(args, "--report", format+"="+filepath.Join(dir, format))
	}
	l := life{outcome: conform(t, append(args, more...)...), json: filepath.Join(dir, "json"), texts: map[string]string{}}
	if l.code == exitUsage {
		return l
	}
	l.read(t, l.json)
	for _, format := range report.Formats() {
		l.texts[format] = read(t, filepath.Join(dir, format))
	}
	return l
}

// comesTo sees how a run ends, that every report tells the same verdict, and that
// those with room for it tell certain words.
func (l life) comesTo(t *testing.T, code int, words ...string) {
	t.Helper()
	l.wants(t, code)
	follows(t, reportSchema, l.written)
	if conforms := l.report.Verdict == result.Conformant; conforms != (code == exitConformant) {
		t.Errorf("exit %d and the verdict %s", code, l.report.Verdict)
	}
	for format, begins := range map[string][2]string{ // when it does not conform, and when it does
		"text":     {`^✗ NOT CONFORMANT `, `^✓ CONFORMANT `},
		"markdown": {`^## ❌ Not conformant: `, `^## ✅ Conformant: `},
		"html":     {`<h1>Not conformant</h1>`, `<h1>Conformant</h1>`},
		"junit":    {`<testsuites [^>]* failures="[1-9]`, `<testsuites [^>]* failures="0" errors="0"`},
		"github":   {`^::notice title=conform%3A not conformant::[^\n]*\n::error `, `^::notice title=conform%3A conformant::[^\n]*\n$`},
		"badge":    {`<title>contract: not conformant `, `<title>contract: conformant `},
		"har":      {`"comment": "https://[^"]*: not conformant"`, `"comment": "https://[^"]*: conformant"`},
	} {
		for i, pattern := range begins {
			if wanted := (i == 1) == (code == exitConformant); regexp.MustCompile(pattern).MatchString(l.texts[format]) != wanted {
				t.Errorf("exit %d, and %s begins %.300q", code, format, l.texts[format])
			}
		}
	}
	for _, format := range []string{"text", "json", "markdown", "junit", "html"} {
		text := spoken(format, l.texts[format])
		for _, word := range words {
			if !strings.Contains(text, strings.ToLower(word)) {
				t.Errorf("%s does not tell %q:\n%.3000s", format, word, text)
			}
		}
	}
}

// spoken is what someone reads in a report: its words, in lower case.
func spoken(format, text string) string {
	if format == "html" {
		_, text, _ = strings.Cut(text, "<body>") // the style has words of its own
		text, _, _ = strings.Cut(text, "<script>")
		text = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, " ")
	}
	if format == "html" || format == "junit" {
		text = markup.UnescapeString(text)
	}
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

const reportSchema = "../../conformance/report/schema.json"

// follows sees that a JSON text follows the schema in a file.
func follows(t *testing.T, schema, text string) {
	t.Helper()
	if err := testkit.Schema(t, schema).Validate(testkit.JSON(t, text)); err != nil {
		t.Errorf("%.1000s", err)
	}
}
