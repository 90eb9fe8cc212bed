package testkit

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"testing"
)

// Attacks are texts, by what they are, each of which would create the file canary in the current folder or
// call the host where a program took it for more than a text.
func Attacks(host string) map[string]string {
	touch := "touch canary; curl http://" + host + "/;"
	return map[string]string{
		"a substitution":          "$(" + touch + ")",
		"backticks":               "`" + touch + "`",
		"a semicolon":             "x;" + touch + "#",
		"quotes":                  `'"; ` + touch + ` "'`,
		"a line break":            "x\n" + touch + "\n",
		"carriage return":         "x\r\n" + touch + "\r\n",
		"a pipe":                  "| sh -c '" + touch + "' &",
		"globs":                   "a * b ? [a-z]*",
		"history and equals":      "!! !$ =ls =(touch canary) ~root",
		"an option":               "-K/dev/stdin",
		"a configuration":         "--config=/dev/stdin",
		"an output":               "-ocanary",
		"a file":                  "@/etc/passwd",
		"another host":            "@" + host + "/x",
		"another address":         "http://" + host + "/",
		"credentials":             "http://127.0.0.1@" + host + "/",
		"a fragment":              "#@" + host,
		"slashes":                 "//" + host + "/x",
		"JavaScript in braces":    "{{require('child_process').execSync('" + touch + "')}}",
		"JavaScript in a script":  "%}\n> {% require('child_process').execSync('" + touch + "') %}",
		"half a brace":            "{",
		"an import":               "@import ./other.http",
		"another request":         "x\n### 2\nGET http://" + host + "/\n",
		"a file as a body":        "< /etc/passwd",
		"Go":                      "`+func() string { os.Create(\"canary\"); return \"\" }()+`",
		"Go in a comment":         "x\n*/ func init() { os.Create(\"canary\") } /*",
		"a template of Hurl":      "{{newUuid}}` \nGET http://" + host + "\n",
		"awk":                     "\" | getline; system(\"touch canary\") #",
		"jq":                      "\") | input_filename | @sh \"",
		"printf":                  "%s%n%d\\0142\\c",
		"directions":              "\u202e\u2066\u200b\ufeff",
		"a name of a variable":    "PATH",
		"the name of the target":  "BASE_URL",
		"a NUL":                   "x\x00" + touch,
		"what is no UTF-8":        "\xff\xfe$(" + touch + ")",
		"the command of a runner": "\n::set-env name=PATH::x\n##[command]x",
	}
}

// Canaries are a folder in which nothing may appear, and a host that nothing may call.
type Canaries struct {
	Folder, Host string
	called       atomic.Int64
}

// NewCanaries makes canaries that live as long as the test.
func NewCanaries(t testing.TB) *Canaries {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &Canaries{Folder: t.TempDir(), Host: listener.Addr().String()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			c.called.Add(1)
			conn.Close()
		}
	}()
	t.Cleanup(func() { listener.Close(); <-done })
	return c
}

// Touched says what happened to the canaries, "" where nothing did.
func (c *Canaries) Touched() string {
	entries, err := os.ReadDir(c.Folder)
	switch n := c.called.Load(); {
	case err != nil:
		return err.Error()
	case n > 0:
		return fmt.Sprintf("another host was called %d times", n)
	case len(entries) > 0:
		return fmt.Sprintf("something ran: %v", entries)
	}
	return ""
}

// Untouched fails the test where something happened to the canaries.
func (c *Canaries) Untouched(t testing.TB) {
	t.Helper()
	if what := c.Touched(); what != "" {
		t.Error(what)
	}
}
