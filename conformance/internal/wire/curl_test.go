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
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/shell"
	"mvdan.cc/sh/v3/syntax"
)

// runShell runs a script with variables set.
func runShell(t *testing.T, script string, variables map[string]string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Env = os.Environ()
	for name, text := range variables {
		cmd.Env = append(cmd.Env, name+"="+text)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// parses fails the test for what is no command of a POSIX shell.
func parses(t *testing.T, command string) {
	t.Helper()
	if _, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(command), ""); err != nil {
		t.Fatalf("%v in %s", err, command)
	}
}

// words are a command's words as the shell understands them, and what it reads.
func words(t *testing.T, command string, variables map[string]string) (words []string, stdin string) {
	t.Helper()
	parses(t, command)
	out := runShell(t, `curl() { for word; do printf '%s\0' "$word"; if [ "$word" = @- ]; then piped=1; fi; done; printf '\0'; if [ -n "$piped" ]; then cat; fi; }; `+command, variables)
	said, stdin, _ := strings.Cut(out, "\x00\x00")
	return strings.Split(said, "\x00"), stdin
}

func at(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCurlWordsMeanTheRequest(t *testing.T) {
	basic := func(app, session string) http.Header {
		return http.Header{"Authorization": {basicAuth(app, session)}, "Accept": {"application/json"}, "User-Agent": {"conform/dev"}}
	}
	hostile := "`touch /tmp/x`$(touch /tmp/x) $HOME ${PATH} \"' \\ \n!! ; & |"
	for name, tc := range map[string]struct {
		x    *Exchange
		want []string
	}{
		"a read": {&Exchange{Method: "GET", Header: basic(secretApp, secretSession)},
			[]string{"-sS", "-i", "-H", "Accept: application/json", "-u", secretApp + ":" + secretSession, "-A", "conform/dev", "https://host/0.2/user"}},
		"the app alone": {&Exchange{Method: "DELETE", Header: basic(secretApp, "")},
			[]string{"-sS", "-i", "-X", "DELETE", "-H", "Accept: application/json", "-u", secretApp + ":", "-A", "conform/dev", "https://host/0.2/user"}},
		"a made-up session": {&Exchange{Method: "GET", Header: basic(secretApp, "made up '"+hostile)},
			[]string{"-sS", "-i", "-H", "Accept: application/json", "-u", secretApp + ":made up '" + hostile, "-A", "conform/dev", "https://host/0.2/user"}},
		"a token with an end": {&Exchange{Method: "GET", Header: basic(secretApp+"x", secretSession+"_1")},
			[]string{"-sS", "-i", "-H", "Accept: application/json", "-u", secretApp + "x:" + secretSession + "_1", "-A", "conform/dev", "https://host/0.2/user"}},
		"a hostile body": {&Exchange{Method: "POST", Header: http.Header{"Accept": {"*/*"}, "User-Agent": {"a"}}, Body: []byte(hostile)},
			[]string{"-sS", "-i", "-X", "POST", "-H", "Accept: */*", "-A", "a", "-H", "Content-Type:", "--data-binary", "@-", "https://host/0.2/user"}},
		"a hostile header": {&Exchange{Method: "OPTIONS", Header: http.Header{"Accept": {"a"}, "User-Agent": {"a"}, "Origin": {hostile}}},
			[]string{"-sS", "-i", "-X", "OPTIONS", "-H", "Accept: a", "-H", "Origin: " + hostile, "-A", "a", "https://host/0.2/user"}},
		"neither agent nor accept": {&Exchange{Method: "GET", Header: http.Header{}},
			[]string{"-sS", "-i", "-H", "User-Agent:", "-H", "Accept:", "https://host/0.2/user"}},
		"an odd query": {&Exchange{Method: "GET", Header: basic(secretSecond, secretSession), URL: at(t, "https://host/p?q="+url.QueryEscape("it's $5 & [x]"))},
			[]string{"-sS", "-i", "-H", "Accept: application/json", "-u", secretSecond + ":" + secretSession, "-A", "conform/dev", "https://host/p?q=it%27s+%245+%26+%5Bx%5D"}},
		"a long body": {&Exchange{Method: "PUT", Header: http.Header{"Accept": {"a"}, "User-Agent": {"a"}}, Body: []byte(strings.Repeat("m", 3*maxShownBody))},
			[]string{"-sS", "-i", "-X", "PUT", "-H", "Accept: a", "-A", "a", "-H", "Content-Type:", "--data-raw", strings.Repeat("m", 3*maxShownBody), "https://host/0.2/user"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := knowing()
			rendered(t, r, tc.x)
			command, variables := r.cutting().curl(tc.x)
			if got, _ := words(t, command, variables); !slices.Equal(got, tc.want) {
				t.Errorf("%s\nmeans %q\nwant  %q", command, got, tc.want)
			}
		})
	}
}

func TestCurlReadsWell(t *testing.T) {
	x := &Exchange{Method: "GET", Header: http.Header{"Authorization": {basicAuth(secretApp, secretSession)}, "Accept": {"a"}, "User-Agent": {"a"}}}
	shown, _ := rendered(t, knowing(), x)
	if want := `curl -sS -i -H 'Accept: a' -u "$APP_TOKEN:$SESSION_TOKEN" -A 'a' 'https://host/0.2/user'`; shown.Curl != want {
		t.Errorf("got  %s\nwant %s", shown.Curl, want)
	}
}

// Credentials without a colon are none for curl, which would ask for a password.
func TestCurlOfMalformedCredentials(t *testing.T) {
	for _, value := range []string{"Basic " + "bm8gY29sb24=", "Basic ???", "Bearer x", "Basic"} {
		x := &Exchange{Method: "GET", Header: http.Header{"Authorization": {value}, "Accept": {"a"}, "User-Agent": {"a"}}}
		r := knowing()
		rendered(t, r, x)
		command, variables := r.cutting().curl(x)
		got, _ := words(t, command, variables)
		if slices.Contains(got, "-u") || !slices.ContainsFunc(got, func(w string) bool { return strings.HasPrefix(w, "Authorization: B") }) {
			t.Errorf("%s is sent as %q", value, got)
		}
	}
}

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
			sh := shell.New()
			command := sh.Printf(pieces)
			parses(t, command)
			if strings.Contains(s, "\x00") && strings.Contains(strings.Join(slices.Collect(maps.Values(sh.Variables)), ""), "\x00") {
				return // no variable can hold that
			}
			if got := runShell(t, command, sh.Variables); got != s {
				t.Fatalf("%s prints %q, want %q", command, got, s)
			}
			if strings.ContainsAny(s, "\x00") || strings.HasSuffix(s, "\n") {
				continue
			}
			word := sh.Word(pieces)
			parses(t, "echo "+word)
			if got := runShell(t, "printf %s "+word, sh.Variables); got != s {
				t.Fatalf("%s means %q, want %q", word, got, s)
			}
		}
	})
}

func basicAuth(app, session string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(app+":"+session))
}
