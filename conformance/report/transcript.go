package report

import (
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/result"
)

// maxShown is how much of a header or a body a transcript shows, in bytes: more than a
// report keeps of a body, so that none is cut twice.
const maxShown = 4096

// transcript is an exchange as printable lines: what was sent after ">", what came back
// after "<".
func transcript(x *result.Exchange) []string {
	lines := []string{"> " + oneLine(cut(x.Request.Method+" "+x.Request.URL, maxShown))}
	if x.TraceID != "" {
		lines[0] += "  (trace " + oneLine(cut(x.TraceID, maxShown)) + ")"
	}
	lines = append(lines, headerLines("> ", x.Request.Headers)...)
	lines = append(lines, bodyLines("> ", x.Request.Body, maxShown)...)
	if x.Response == nil {
		return append(lines, "< no response: "+oneLine(cut(x.Error, maxShown)))
	}
	lines = append(lines, "< "+statusLine(x.Response.Status))
	lines = append(lines, headerLines("< ", x.Response.Headers)...)
	return append(lines, bodyLines("< ", x.Response.Body, maxShown)...)
}

func statusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// maxHeaders is how many header fields of a message are shown.
const maxHeaders = 50

// fields are the fields of a header by name.
func fields(h http.Header) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, name := range slices.Sorted(maps.Keys(h)) {
			for _, value := range h[name] {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}

func headerLines(prefix string, h http.Header) []string {
	var lines []string
	for name, value := range fields(h) {
		lines = append(lines, prefix+oneLine(cut(name+": "+value, maxShown)))
	}
	if rest := len(lines) - maxHeaders; rest > 0 {
		lines = append(lines[:maxHeaders], prefix+"and "+result.Plural(rest, "more header field"))
	}
	return lines
}

// bodyLines is an empty line and a body, nothing for no body.
func bodyLines(prefix, body string, most int) []string {
	if body == "" {
		return nil
	}
	lines := []string{strings.TrimRight(prefix, " ")}
	for line := range strings.SplitSeq(strings.TrimRight(cut(body, most), "\n"), "\n") {
		lines = append(lines, prefix+visible(strings.TrimSuffix(line, "\r")))
	}
	return lines
}

// wholeBefore moves a cut before the character or the placeholder that it would split.
func wholeBefore(s string, end int) int {
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return beforeName(s, end)
}

// cut keeps the first bytes of a text, and marks that it was cut. It splits neither a
// character nor a placeholder.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := wholeBefore(s, most)
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", s[:end], end, len(s))
}

// telling are the response headers that rules are about.
func telling(h http.Header) []string {
	var shown []string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if isTelling(name) {
			shown = append(shown, name+": "+strings.Join(h[name], ", "))
		}
	}
	return shown
}

// isTelling reports whether rules are about a header field.
func isTelling(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Authorization", "Content-Type", "Allow", "Location", "Retry-After", "Www-Authenticate",
		"Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers":
		return true
	default:
		return false
	}
}
