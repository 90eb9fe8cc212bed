//go:build unix

package main

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// trusting is a client that trusts a target's certificate.
func trusting(t *testing.T, target []string) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(read(t, target[5])))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// What lines of a Hurl file there are, as its grammar has them:
// https://hurl.dev/docs/grammar.html. A value is of texts, escapes and templates.
const (
	hurlPlain = `[^#\\` + "`" + `{]|\\[#\\]|\\u\{[0-9a-f]+\}`
	hurlValue = `((?:` + hurlPlain + `|\{(?:` + hurlPlain + `)|\{\{[a-z0-9_]+\}\})*)`
	hurlName  = `((?:[A-Za-z0-9_-]|\{\{[a-z0-9_]+\}\})+)`
)

// hurlLine is a line that means something in one section of a Hurl file.
type hurlLine struct {
	section string // in which it stands: "" for a request's beginning, "response" behind it
	form    *regexp.Regexp
	take    func(s *story, found []string)
}

func hurlLines() []hurlLine {
	last := func(s *story) *step { return &s.steps[len(s.steps)-1] }
	line := func(text string) *regexp.Regexp { return regexp.MustCompile("^" + text + "$") }
	return []hurlLine{
		{"", line(`([A-Z]+) (\{\{base_url\}\}` + hurlValue + `)`), func(s *story, found []string) {
			s.steps = append(s.steps, step{method: found[1], address: unhurl(found[2]), captures: map[string]string{}})
		}},
		{"", line(hurlName + `: ` + hurlValue), func(s *story, found []string) {
			last(s).header = append(last(s).header, [2]string{found[1], unhurl(found[2])})
		}},
		{"[BasicAuth]", line(hurlName + `: ` + hurlValue), func(s *story, found []string) { last(s).user = found[1] + ":" + unhurl(found[2]) }},
		{"[Options]", line(`delay: ([0-9]+)ms`), func(*story, []string) {}},
		{"", line("`" + hurlValue + "`"), func(s *story, found []string) { last(s).body = unhurl(found[1]) }},
		{"[BasicAuth]", line("`" + hurlValue + "`"), func(s *story, found []string) { last(s).body = unhurl(found[1]) }},
		{"[Captures]", line(`decided: (status)`), func(s *story, _ []string) { last(s).decides = true }},
		{"[Captures]", line(`([a-z0-9_]+): jsonpath "\$\.([a-z_]+)"`), func(s *story, found []string) { last(s).captures[found[1]] = found[2] }},
		{"[Asserts]", line(`(variable "decided"|status) != ([0-9]{3}) #.*`), func(s *story, found []string) {
			s.unlike, _ = strconv.Atoi(found[2]) // digits
			last(s).decides = last(s).decides || found[1] == "status"
		}},
	}
}

// unhurl undoes the escapes of a value. An escaped brace begins no variable: it stays
// told apart up to the sending.
func unhurl(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\#`, "#", `\u{60}`, "`", `\u{7b}`, "\x00").Replace(text)
}

// readHurl reads a Hurl file. Sections follow one another as its grammar wants: those of
// a request before the line HTTP, those of a response behind it.
func readHurl(t *testing.T, text string) story {
	t.Helper()
	var s story
	section, after := "", ""
lines:
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case line == "[BasicAuth]" || line == "[Options]":
			if after != "" {
				t.Errorf("%s in a response", line)
			}
			section = line
			continue
		case line == "HTTP *":
			section, after = "response", line
			continue
		case line == "[Captures]" || line == "[Asserts]":
			if after == "" {
				t.Errorf("%s in a request", line)
			}
			section = line
			continue
		case after != "" && regexp.MustCompile(`^[A-Z]+ \{\{base_url`).MatchString(line):
			section, after = "", ""
		}
		for _, known := range hurlLines() {
			if found := known.form.FindStringSubmatch(line); found != nil && known.section == section {
				known.take(&s, found)
				continue lines
			}
		}
		t.Errorf("no line of a Hurl file, in %q: %s", section, line)
	}
	return s
}

// What is found in a .http file.
var (
	httpRequestLine = regexp.MustCompile(`^([A-Z]+) (\{\{base_url\}\}\S*)$`)
	httpField       = regexp.MustCompile(`^([A-Za-z-]+): (.*)$`)
	httpCapture     = regexp.MustCompile(`const given = response\.body && response\.body\.([a-z_]+);[^%]*?client\.global\.set\("([a-z0-9_]+)", String\(given\)\);`)
	httpUnlike      = regexp.MustCompile(`response\.status !== (\d+)`)
)

// readHTTPFile reads a .http file.
func readHTTPFile(t *testing.T, text string) story {
	t.Helper()
	var s story
	head, requests, _ := strings.Cut(text, "\n### ")
	for line := range strings.SplitSeq(head, "\n") {
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "@base_url = https://") {
			t.Errorf("no line of a .http file's head: %s", line)
		}
	}
	for each := range strings.SplitSeq(requests, "\n### ") {
		title, each, _ := strings.Cut(each, "\n")
		one := step{captures: map[string]string{}, decides: strings.Contains(title, "decides")}
		each, script, _ := strings.Cut(each, "\n> {%\n")
		if found := httpUnlike.FindStringSubmatch(script); found != nil {
			s.unlike, _ = strconv.Atoi(found[1]) // digits
		}
		for _, found := range httpCapture.FindAllStringSubmatch(script, -1) {
			one.captures[found[2]] = found[1]
		}
		for i, line := range strings.Split(each, "\n") {
			request, field := httpRequestLine.FindStringSubmatch(line), httpField.FindStringSubmatch(line)
			switch {
			case line == "" || strings.HasPrefix(line, "# "):
			case request != nil && one.method == "":
				one.method, one.address = request[1], request[2]
			case strings.HasPrefix(line, "{") && one.body == "":
				one.body = line
			case field != nil && field[1] == "Authorization":
				one.user = strings.TrimPrefix(field[2], "Basic ")
			case field != nil:
				one.header = append(one.header, [2]string{field[1], field[2]})
			default:
				t.Errorf("request %s: no line of a .http file: %d %s", title, i, line)
			}
		}
		s.steps = append(s.steps, one)
	}
	return s
}

// TestHurlValues has what a value may be, and what ends it.
func TestHurlValues(t *testing.T) {
	t.Parallel()
	value := regexp.MustCompile("^" + hurlValue + "$")
	for text, is := range map[string]bool{
		``: true, `{"a":{"b":1}}`: true, `"{\\"a\\":1}"`: true, `{{app_token}}`: true, `{\#`: true, `\u{7b}\u{7b}`: true,
		`{{App}}`: false, `#`: false, "`": false, `\n`: false, `{\n`: false,
	} {
		if value.MatchString(text) != is {
			t.Errorf("%s is a value: %v", text, !is)
		}
	}
}
