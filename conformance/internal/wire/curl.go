package wire

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/shell"
	"golang.org/x/net/http/httpguts"
)

// curl writes the request as a command that a person can paste, after setting
// the variables that stand where the secrets stood. With them set it sends what
// was sent: every text is redacted first, and quoted then. It is "" for what curl cannot send as it
// was: a method or a header name that is none, an address of another scheme, a NUL.
func (c *cutting) curl(x *Exchange) (command string, variables map[string]string) {
	if !sendable(x) {
		return "", nil
	}
	line := &curlCommand{texts: c, values: map[string]string{}}
	line.add("-sS")
	line.method(x)
	for _, word := range c.trust {
		if word == "-k" || word == "--cacert" {
			line.words = append(line.words, shell.Plain(word))
		} else {
			line.text(word)
		}
	}
	line.headers(x)
	input := line.body(x)
	address := x.URL.String()
	if strings.ContainsAny(address, "[]{}") {
		line.add("-g")
	}
	if strings.Contains(x.URL.Path, "/.") {
		line.add("--path-as-is")
	}
	line.text(address)
	called := shell.Call("curl", line.words...)
	if input != nil {
		called = shell.Pipe(shell.Print(*input), called)
	}
	text, err := shell.Line(called)
	if err != nil {
		return "", nil
	}
	return text, line.values
}

// sendable reports whether curl can send a request as it was, and to where it went: no part of it is an
// option or names a file.
func sendable(x *Exchange) bool {
	// A method is a token, as a field's name is.
	if !httpguts.ValidHeaderFieldName(x.Method) || x.URL.Scheme != "http" && x.URL.Scheme != "https" || x.URL.Host == "" || x.URL.User != nil {
		return false
	}
	for name := range x.Header {
		if !httpguts.ValidHeaderFieldName(name) {
			return false
		}
	}
	return true
}

// CurlTrust returns the flags with which curl trusts a target as the judge does.
func CurlTrust(insecure bool, caCertFile string) []string {
	switch {
	case insecure:
		return []string{"-k"}
	case caCertFile != "":
		return []string{"--cacert", caCertFile}
	}
	return nil
}

// curlCommand is a command in the making.
type curlCommand struct {
	texts  *cutting
	words  []shell.Word
	values map[string]string // of the variables, by name
}

// add adds options, and constant texts for them.
func (c *curlCommand) add(options ...string) {
	for _, option := range options {
		c.words = append(c.words, shell.Plain(option))
	}
}

// text adds a text as a word, its secrets as variables.
func (c *curlCommand) text(text string) { c.words = append(c.words, c.word(c.texts.pieces(text))) }

// word is a text as a word.
func (c *curlCommand) word(pieces []piece) shell.Word {
	words := make([]shell.Word, len(pieces))
	for i, p := range pieces {
		switch {
		case p.Base64 != nil:
			words[i] = shell.Base64(c.word(p.Base64))
		case p.Var != "":
			words[i] = shell.Var(c.variable(p))
		default:
			words[i] = shell.Lit(p.Text)
		}
	}
	return shell.Joined(words...)
}

// variable is the name that stands for the text of a secret. A variable stands for one text: where a
// secret comes in a second spelling, that one has a variable of its own.
func (c *curlCommand) variable(p piece) shell.Name {
	for n := 1; ; n++ {
		text := p.Var
		if n > 1 {
			text = fmt.Sprintf("%s_%d", p.Var, n)
		}
		name, err := shell.NameOf(text)
		if err != nil { // the redactor's names are such
			panic(err)
		}
		if value, taken := c.values[text]; !taken || value == p.Text {
			c.values[text] = p.Text
			return name
		}
	}
}

// method asks for the headers of the response, and names the method where curl
// would take another.
func (c *curlCommand) method(x *Exchange) {
	switch {
	case x.Method == http.MethodHead:
		c.add("-I")
	case x.Method == http.MethodGet && len(x.Body) == 0:
		c.add("-i")
	default:
		c.add("-i", "-X")
		c.text(x.Method)
	}
}

func (c *curlCommand) headers(x *Exchange) {
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		values := x.Header[name]
		if x.observed && sentByBrowsers(name) {
			continue
		}
		if name == "Authorization" && len(values) == 1 && c.credentials(values[0]) {
			continue
		}
		if name == "User-Agent" && len(values) == 1 && values[0] != "" {
			c.add("-A")
			c.text(values[0])
			continue
		}
		for _, value := range values {
			c.add("-H")
			if value == "" {
				c.text(name + ";") // curl's way to send a header without a value
			} else {
				c.words = append(c.words, c.field(name, value))
			}
		}
	}
	without := []string{"User-Agent", "Accept"}
	if len(x.Body) > 0 {
		without = append(without, "Content-Type")
	}
	for _, name := range without {
		if len(x.Header[name]) == 0 {
			c.add("-H")
			c.text(name + ":") // or curl sends one of its own
		}
	}
	if len(x.Body) == 0 && (x.Method == http.MethodPost || x.Method == http.MethodPut || x.Method == http.MethodPatch) {
		c.add("-H")
		c.text("Content-Length: 0")
	}
}

// field is a header field as a word.
func (c *curlCommand) field(name, value string) shell.Word {
	return c.word(slices.Concat(c.texts.pieces(name), []piece{{Text: ": "}}, c.texts.fieldPieces(name, value)))
}

// credentials gives Basic credentials as curl takes them. It reports whether they
// are such that curl sends the same.
func (c *curlCommand) credentials(value string) bool {
	pair, ok := basicPair(value)
	if !ok || value != basicOf(pair) || strings.Contains(pair, "\x00") || strings.HasSuffix(pair, "\n") {
		return false
	}
	c.add("-u")
	c.words = append(c.words, c.word(c.texts.pair(pair)))
	return true
}

// body adds the body. What does not print in a command is printed into it: it is returned.
func (c *curlCommand) body(x *Exchange) (input *shell.Word) {
	if len(x.Body) == 0 {
		return nil
	}
	body := c.word(c.texts.pieces(bounded(string(x.Body))))
	if body.Prints() {
		c.add("--data-raw")
		c.words = append(c.words, body)
		return nil
	}
	c.add("--data-binary", "@-")
	return &body
}
