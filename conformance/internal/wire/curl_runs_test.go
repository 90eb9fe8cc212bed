package wire

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/internal/shell"
)

// arrival is a request as a server gets it.
type arrival struct {
	method, uri, body string
	header            http.Header
}

// arrivals serves and hands over what comes.
func arrivals(t testing.TB) (address string, came <-chan arrival) {
	t.Helper()
	all := make(chan arrival, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Header.Del("Accept-Encoding") // of which the judge's library has one of its own
		r.Header.Del("Connection")
		all <- arrival{r.Method, r.RequestURI, string(body), r.Header}
	}))
	t.Cleanup(server.Close)
	return server.URL, all
}

// The command of a request, once run with its variables set, makes the same
// request: whatever stands in it.
func TestCurlRunsToTheSameRequest(t *testing.T) {
	address, came := arrivals(t)
	w := testWire(t, address)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // any order will do
	odd := []string{"", "plain", "it's \"$HOME\" `id` $(id) \\", "line\nline\r\n", "@file", "%s %d \\n", "é🦉\u202eabc\u2028", "\x1b[31m", "!!;&|<>", "{a,b}[1-3]",
		secretApp, secretSecond, secretSession, secretPassword, strings.ToUpper(secretPassword), hex.EncodeToString([]byte(secretSession)), basicAuth(secretApp, secretSession), "trailing\n\n"}
	pick := func(more ...string) string {
		all := append(slices.Clone(odd), more...)
		return all[random.IntN(len(all))] + all[random.IntN(len(all))]
	}
	for range 120 {
		r := knowing()
		method := []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}[random.IntN(6)]
		req, err := http.NewRequestWithContext(t.Context(), method, address+"/0.2/users/"+url.PathEscape(pick())+"?q="+url.QueryEscape(pick()), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{}
		for name, value := range map[string]string{"Accept": "application/json", "User-Agent": "conform/dev", "Content-Type": "text/x; y", "X-It's": oneLine(pick()),
			"Authorization": []string{basicAuth(secretApp, pick()), "Basic " + oneLine(pick()), "Bearer " + oneLine(pick())}[random.IntN(3)]} {
			if random.IntN(4) > 0 {
				req.Header.Set(name, value)
			}
		}
		if req.Header.Get("User-Agent") == "" {
			req.Header.Set("User-Agent", "")
		}
		body := pick("\x00\xff", `{"password":"unknown to all"}`, string(mustEncode(t, secretPassword)))
		if method == "GET" || method == "OPTIONS" || method == "DELETE" { // where the judge sends none
			body = ""
		}
		x := w.Attempt(req, []byte(body))
		if x.Err != nil {
			t.Fatal(x.Err)
		}
		sent := <-came
		_, text := rendered(t, r, x)
		if left := surviving(text, secretApp, secretSession, secretPassword); left != "" {
			t.Fatalf("%q survives in %s", left, text)
		}
		command, variables := r.cutting().curl(x)
		parses(t, command)
		runShell(t, command, variables)
		pasted := <-came
		if !reflect.DeepEqual(sent, pasted) {
			t.Fatalf("%s\nis   %+q\nwant %+q", command, pasted, sent)
		}
	}
}

func mustEncode(t *testing.T, value any) []byte {
	t.Helper()
	text, err := jsonvalue.Encode(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// oneLine is a text as a header can carry it.
func oneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, s))
}

// FuzzCommand holds that whatever a request is made of, its command parses, means
// it, and tells no secret.
func FuzzCommand(f *testing.F) {
	f.Add("s3cr3t-t0k3n", "it's $HOME", `{"password":"x'y"}`)
	f.Add("s3cr3t-t0k3n", "%s\\", "\x00\xff s3cr3t-t0k3n")
	f.Add("aaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "AAAAAAAAAAAAAAA{}[]")
	f.Fuzz(func(t *testing.T, secret, text, body string) {
		if len(secret) < MinSecretEcho || strings.Contains(secret, "\x00") {
			return
		}
		r := NewRedactor(secret, "")
		for _, s := range []string{text, body} {
			pieces := r.pieces(s)
			whole := ""
			for _, p := range pieces {
				whole += p.Text
			}
			if whole != s {
				t.Fatalf("the pieces of %q are %q", s, whole)
			}
			line := &curlCommand{values: map[string]string{}}
			word := line.word(pieces)
			command, err := shell.Line(shell.Print(word))
			if err != nil {
				t.Fatal(err)
			}
			parses(t, command)
			if strings.Contains(s, "\x00") && strings.Contains(strings.Join(slices.Collect(maps.Values(line.values)), ""), "\x00") {
				return // no variable can hold that
			}
			if got := runShell(t, command, line.values); got != s {
				t.Fatalf("%s prints %q, want %q", command, got, s)
			}
			if strings.ContainsAny(s, "\x00") || strings.HasSuffix(s, "\n") {
				continue
			}
			echo, err := shell.Line(shell.Call("printf", shell.Plain("%s"), word))
			if err != nil {
				t.Fatal(err)
			}
			parses(t, echo)
			if got := runShell(t, echo, line.values); got != s {
				t.Fatalf("%s means %q, want %q", echo, got, s)
			}
		}
	})
}

func basicAuth(app, session string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(app+":"+session))
}
