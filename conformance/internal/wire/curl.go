package wire

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/shell"
)

// curl writes the request as a command that a person can paste, after setting
// the variables that stand where the secrets stood. With them set it sends what
// was sent: every text is redacted first, and quoted then.
func (c *cutting) curl(x *Exchange) (command string, variables map[string]string) {
	line := &curlCommand{texts: c, shell: shell.New(), words: []string{"curl", "-sS"}}
	line.method(x)
	for _, word := range c.trust {
		line.add(word)
	}
	line.headers(x)
	body := line.body(x)
	address := x.URL.String()
	if strings.ContainsAny(address, "[]{}") {
		line.words = append(line.words, "-g")
	}
	if strings.Contains(x.URL.Path, "/.") {
		line.words = append(line.words, "--path-as-is")
	}
	line.words = append(line.words, line.quoted(address))
	return body + strings.Join(line.words, " "), line.shell.Variables
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
	texts *cutting
	shell *shell.Text
	words []string
}

// quoted is a text as a word, its secrets as variables.
func (c *curlCommand) quoted(text string) string { return c.shell.Word(c.texts.pieces(text)) }

// add adds words, the last of which may need quotes.
func (c *curlCommand) add(option string, value ...string) {
	if len(value) == 0 && !strings.HasPrefix(option, "-") {
		option = c.quoted(option)
	}
	c.words = append(c.words, option)
	for _, text := range value {
		c.words = append(c.words, c.quoted(text))
	}
}

// method asks for the headers of the response, and names the method where curl
// would take another.
func (c *curlCommand) method(x *Exchange) {
	switch {
	case x.Method == http.MethodHead:
		c.add("-I")
		return
	case x.Method == http.MethodGet && len(x.Body) == 0:
		c.add("-i")
	default:
		c.words = append(c.words, "-i", "-X", c.quoted(x.Method))
	}
}

func (c *curlCommand) headers(x *Exchange) {
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		values := x.Header[name]
		if name == "Authorization" && len(values) == 1 && c.credentials(values[0]) {
			continue
		}
		if name == "User-Agent" && len(values) == 1 && values[0] != "" {
			c.add("-A", values[0])
			continue
		}
		for _, value := range values {
			if value == "" {
				c.add("-H", name+";") // curl's way to send a header without a value
			} else {
				c.words = append(c.words, "-H", c.field(name, value))
			}
		}
	}
	without := []string{"User-Agent", "Accept"}
	if len(x.Body) > 0 {
		without = append(without, "Content-Type")
	}
	for _, name := range without {
		if len(x.Header[name]) == 0 {
			c.add("-H", name+":") // or curl sends one of its own
		}
	}
	if len(x.Body) == 0 && (x.Method == http.MethodPost || x.Method == http.MethodPut || x.Method == http.MethodPatch) {
		c.add("-H", "Content-Length: 0")
	}
}

// field is a header field as a word.
func (c *curlCommand) field(name, value string) string {
	return c.shell.Word(result.Joined(slices.Concat(c.texts.pieces(name), []piece{{Text: ": "}}, c.texts.fieldPieces(name, value))))
}

// credentials gives Basic credentials as curl takes them. It reports whether they
// are such that curl sends the same.
func (c *curlCommand) credentials(value string) bool {
	pair, ok := basicPair(value)
	if !ok || value != basicOf(pair) || strings.Contains(pair, "\x00") || strings.HasSuffix(pair, "\n") {
		return false
	}
	c.words = append(c.words, "-u", c.shell.Word(c.texts.pair(pair)))
	return true
}

// body adds the body. What no word can hold is printed into the command, which
// then begins with what is returned.
func (c *curlCommand) body(x *Exchange) (before string) {
	if len(x.Body) == 0 {
		return ""
	}
	pieces := c.texts.pieces(bounded(string(x.Body)))
	if shell.Printable(pieces) {
		c.words = append(c.words, "--data-raw", c.shell.Word(pieces))
		return ""
	}
	c.words = append(c.words, "--data-binary", "@-")
	return c.shell.Printf(pieces) + " | "
}
