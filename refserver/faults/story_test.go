package faults_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A story is a list of requests. Each is a line:
//
//	u1 = - POST /0.2/users?withLogin=true {"user_name":"ann","password":"p"}
//	u1 PUT /0.2/user/events/$e1 {"verb":"v"} [Content-Type: text/plain]
//
// It begins with the session that it is sent in: - for none, a name, or a text in quotes that stands for itself; "lower $u1"
// is the token of u1 in lower case. Headers in brackets are separated by |.
// Behind an @ stands the application, if it is another one: second, or a text in quotes. What a name is bound to is
// the answer's session_token, as a session, and its id, as $name in paths and bodies. A line that begins with &
// is sent beside the one before; one such as "wait 5s" lets time pass. In a body, (ab)×3 stands for ababab.
type story []step

type step struct {
	bind         string
	session, app operand
	method, path string
	body         string
	headers      []string // names and values by turns; a blank value takes a header away
	beside       bool
	wait         time.Duration
}

// operand is a token of a story: the name that it is bound to, or the token itself.
type operand struct{ name, text string }

const lineBreak = "␤" // stands for one in a body

var reference = regexp.MustCompile(`\$([a-z]+[0-9]+)`)

func parseStory(lines []string) (s story, err error) {
	for _, line := range lines {
		step, err := parseStep(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		s = append(s, step)
	}
	return s, nil
}

func parseStep(line string) (s step, err error) {
	if delay, is := strings.CutPrefix(line, "wait "); is {
		s.wait, err = time.ParseDuration(delay)
		return s, err
	}
	line, s.beside = strings.CutPrefix(line, "& ")
	if name, rest, is := strings.Cut(line, " = "); is && reference.MatchString("$"+name) && !strings.Contains(name, " ") {
		s.bind, line = name, rest
	}
	if s.session, line, err = parseOperand(line); err != nil {
		return s, err
	}
	if rest, is := strings.CutPrefix(line, "@"); is {
		if s.app, line, err = parseOperand(rest); err != nil {
			return s, err
		}
	}
	if at := strings.LastIndex(line, " ["); at >= 0 && strings.HasSuffix(line, "]") && strings.Contains(line[at:], ": ") {
		for header := range strings.SplitSeq(line[at+2:len(line)-1], " | ") {
			name, value, _ := strings.Cut(header, ": ")
			s.headers = append(s.headers, name, value)
		}
		line = line[:at]
	}
	s.method, line, _ = strings.Cut(strings.TrimPrefix(line, " "), " ")
	s.path, s.body, _ = strings.Cut(line, " ")
	if !strings.HasPrefix(s.path, "/") {
		return s, fmt.Errorf("its path is %q", s.path)
	}
	s.body = strings.ReplaceAll(s.body, lineBreak, "\n")
	return s, nil
}

func parseOperand(line string) (operand, string, error) {
	if quoted, err := strconv.QuotedPrefix(line); err == nil {
		text, err := strconv.Unquote(quoted)
		return operand{text: text}, line[len(quoted):], err
	}
	end := strings.IndexAny(line, " @")
	if end < 1 {
		return operand{}, line, fmt.Errorf("it begins with no session")
	}
	if line[:end] == "-" {
		return operand{}, line[end:], nil
	}
	return operand{name: line[:end]}, line[end:], nil
}

// uses are the names that a step refers to.
func (s step) uses() []string {
	names := []string{s.session.name}
	for _, found := range reference.FindAllStringSubmatch(s.path+s.body+s.session.text, -1) {
		names = append(names, found[1])
	}
	return names
}

func (s step) String() string {
	if s.wait > 0 {
		return "wait " + s.wait.String()
	}
	line := ""
	if s.beside {
		line = "& "
	}
	if s.bind != "" {
		line += s.bind + " = "
	}
	line += s.session.String()
	if s.app != (operand{}) {
		line += "@" + s.app.String()
	}
	line += " " + s.method + " " + s.path
	if s.body != "" {
		line += " " + strings.ReplaceAll(s.body, "\n", lineBreak)
	}
	if len(s.headers) > 0 {
		var headers []string
		for i := 0; i < len(s.headers); i += 2 {
			headers = append(headers, s.headers[i]+": "+s.headers[i+1])
		}
		line += " [" + strings.Join(headers, " | ") + "]"
	}
	return line
}

func (o operand) String() string {
	switch {
	case o.name != "":
		return o.name
	case o.text == "":
		return "-"
	}
	return strconv.Quote(o.text)
}

var repeated = regexp.MustCompile(`\(([^()]+)\)×(\d+)`)

// expand writes out what a text repeats.
func expand(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(found string) string {
		parts := repeated.FindStringSubmatch(found)
		times, err := strconv.Atoi(parts[2])
		if err != nil {
			return found
		}
		return strings.Repeat(parts[1], times)
	})
}

// request makes the request of a step, with what its names are bound to.
func (s step) request(bound bindings) *http.Request {
	r := newRequest(s.method, replaced(s.path, bound.ids), replaced(expand(s.body), bound.ids))
	app, session := firstApp, replaced(s.session.text, bound.tokens)
	if of, is := strings.CutPrefix(session, "lower "); is {
		session = strings.ToLower(of)
	}
	if s.session.name != "" {
		session = bound.tokens[s.session.name]
	}
	if s.app.name == "second" {
		app = secondApp
	} else if s.app.text != "" {
		app = s.app.text
	}
	r.SetBasicAuth(app, session)
	for i := 0; i < len(s.headers); i += 2 {
		if r.Header.Set(s.headers[i], s.headers[i+1]); s.headers[i+1] == "" {
			r.Header.Del(s.headers[i])
		}
	}
	return r
}

// bindings are what the names of a story are bound to.
type bindings struct {
	ids, tokens map[string]string
}

// replaced is a text with what its names are bound to.
func replaced(text string, bound map[string]string) string {
	return reference.ReplaceAllStringFunc(text, func(name string) string {
		if value, known := bound[name[1:]]; known {
			return value
		}
		return name
	})
}
