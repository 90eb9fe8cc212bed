package plain

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

// Transcript is an exchange as printable lines: what was sent after ">", what came back
// after "<".
func Transcript(x *result.Exchange) []string {
	lines := []string{"> " + Line(Cut(x.Request.Method+" "+x.Request.URL, maxShown))}
	if x.TraceID != "" {
		lines[0] += "  (trace " + Line(Cut(x.TraceID, maxShown)) + ")"
	}
	lines = append(lines, headerLines("> ", x.Request.Headers)...)
	lines = append(lines, BodyLines("> ", x.Request.Body, maxShown)...)
	if x.Response == nil {
		return append(lines, "< no response: "+Line(Cut(x.Error, maxShown)))
	}
	lines = append(lines, "< "+StatusLine(x.Response.Status))
	lines = append(lines, headerLines("< ", x.Response.Headers)...)
	return append(lines, BodyLines("< ", x.Response.Body, maxShown)...)
}

// StatusLine is a status with its words.
func StatusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// MaxHeaders is how many header fields of a message are shown.
const MaxHeaders = 50

// Fields are the fields of a header by name.
func Fields(h http.Header) iter.Seq2[string, string] {
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
	for name, value := range Fields(h) {
		lines = append(lines, prefix+Line(Cut(name+": "+value, maxShown)))
	}
	if rest := len(lines) - MaxHeaders; rest > 0 {
		lines = append(lines[:MaxHeaders], prefix+"and "+result.Plural(rest, "more header field"))
	}
	return lines
}

// BodyLines is an empty line and a body, nothing for no body.
func BodyLines(prefix, body string, most int) []string {
	if body == "" {
		return nil
	}
	lines := []string{strings.TrimRight(prefix, " ")}
	for line := range strings.SplitSeq(strings.TrimRight(Cut(body, most), "\n"), "\n") {
		lines = append(lines, prefix+Visible(strings.TrimSuffix(line, "\r")))
	}
	return lines
}

// WholeBefore moves a cut before the character or the placeholder that it would split.
func WholeBefore(s string, end int) int {
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return BeforeName(s, end)
}

// Cut keeps the first bytes of a text, and marks that it was cut. It splits neither a
// character nor a placeholder.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := WholeBefore(s, most)
	return fmt.Sprintf("%s… (cut at %d of %d bytes)", s[:end], end, len(s))
}

// Telling are the response headers that rules are about.
func Telling(h http.Header) []string {
	var shown []string
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if IsTelling(name) {
			shown = append(shown, name+": "+strings.Join(h[name], ", "))
		}
	}
	return shown
}

// IsTelling reports whether rules are about a header field.
func IsTelling(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Authorization", "Content-Type", "Allow", "Location", "Retry-After", "Www-Authenticate",
		"Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers":
		return true
	default:
		return false
	}
}
