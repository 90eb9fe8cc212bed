package wire

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

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

// The command for a request of a browser lacks what browsers add by themselves, and keeps what the service may heed.
// A request of the judge is repeated with all that it had.
func TestCommandsLackWhatBrowsersAdd(t *testing.T) {
	at, err := url.Parse("https://feeds.example.com/0.2/user")
	if err != nil {
		t.Fatal(err)
	}
	x := &Exchange{Method: http.MethodGet, URL: at, Header: http.Header{"Accept": {"application/json"}, "User-Agent": {"Mozilla/5.0"}, "Origin": {"https://app.example.com"},
		"Accept-Encoding": {"gzip"}, "Sec-Fetch-Mode": {"cors"}, "Referer": {"https://app.example.com/"}, "Priority": {"u=1"}}}
	const added = "Accept-Encoding|Sec-Fetch-Mode|Referer|Priority"
	of := func() string {
		return NewRedactor("the-app-token-1", "").Exchange(x).Curl
	}
	if command := of(); len(regexp.MustCompile(added).FindAllString(command, -1)) != 4 {
		t.Errorf("a request of the judge is repeated by %s", command)
	}
	x.Observed(time.Now(), 0, 0)
	if command := of(); regexp.MustCompile(added).MatchString(command) || !strings.Contains(command, "Origin") || !strings.Contains(command, "Mozilla") {
		t.Errorf("a request of a browser is repeated by %s", command)
	}
}
