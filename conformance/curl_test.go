package conformance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// shell runs a script with the secrets in the variables that placeholders name.
func shell(t *testing.T, script string, flags ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append(flags, "-c", script)...)
	cmd.Env = append(os.Environ(), "APP_TOKEN="+secretApp, "SECOND_APP_TOKEN="+secretSecond, "SESSION_TOKEN="+secretSession, "PASSWORD="+secretPassword)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// words are a command's words as the shell understands them.
func words(t *testing.T, command string) []string {
	t.Helper()
	shell(t, command, "-n")
	out := shell(t, `curl() { for word; do printf '%s\0' "$word"; done; }; `+command)
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
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
		return http.Header{"Authorization": {Basic{app, session}.authorization()}, "Accept": {"application/json"}, "User-Agent": {"conform/dev"}}
	}
	hostile := "`touch /tmp/x`$(touch /tmp/x) $HOME ${PATH} \"' \\ \n!! ; & |"
	for name, tc := range map[string]struct {
		x    *exchange
		want []string
	}{
		"a read": {&exchange{method: "GET", header: basic(secretApp, secretSession)},
			[]string{"-sS", "-i", "-u", secretApp + ":" + secretSession, "-H", "Accept: application/json", "https://host/0.2/user"}},
		"the app alone": {&exchange{method: "DELETE", header: basic(secretApp, "")},
			[]string{"-sS", "-i", "-X", "DELETE", "-u", secretApp + ":", "-H", "Accept: application/json", "https://host/0.2/user"}},
		"a made-up session": {&exchange{method: "GET", header: basic(secretApp, "made up '"+hostile)},
			[]string{"-sS", "-i", "-u", secretApp + ":made up '" + hostile, "-H", "Accept: application/json", "https://host/0.2/user"}},
		"a token with an end": {&exchange{method: "GET", header: basic(secretApp+"x", secretSession+"_1")},
			[]string{"-sS", "-i", "-u", secretApp + "x:" + secretSession + "_1", "-H", "Accept: application/json", "https://host/0.2/user"}},
		"a hostile body": {&exchange{method: "POST", header: http.Header{"Accept": {"*/*"}, "User-Agent": {"a"}}, body: []byte(hostile)},
			[]string{"-sS", "-i", "-X", "POST", "-H", "Accept: */*", "--data-raw", hostile, "https://host/0.2/user"}},
		"a hostile header": {&exchange{method: "OPTIONS", header: http.Header{"Accept": {"a"}, "User-Agent": {"a"}, "Origin": {hostile}}},
			[]string{"-sS", "-i", "-X", "OPTIONS", "-H", "Accept: a", "-H", "Origin: " + hostile, "https://host/0.2/user"}},
		"neither agent nor accept": {&exchange{method: "GET", header: http.Header{}},
			[]string{"-sS", "-i", "-H", "User-Agent:", "-H", "Accept:", "https://host/0.2/user"}},
		"an odd query": {&exchange{method: "GET", header: basic(secretSecond, secretSession), url: at(t, "https://host/p?q="+url.QueryEscape("it's $5 & [x]"))},
			[]string{"-sS", "-i", "-u", secretSecond + ":" + secretSession, "-H", "Accept: application/json", "https://host/p?q=it%27s+%245+%26+%5Bx%5D"}},
		"a long body": {&exchange{method: "PUT", header: http.Header{"Accept": {"a"}, "User-Agent": {"a"}}, body: []byte(strings.Repeat("m", 3*maxShownBody))},
			[]string{"-sS", "-i", "-X", "PUT", "-H", "Accept: a", "--data-raw", strings.Repeat("m", 3*maxShownBody), "https://host/0.2/user"}},
	} {
		t.Run(name, func(t *testing.T) {
			shown, _ := rendered(t, knowing(), tc.x)
			if got := words(t, shown.Curl); !slices.Equal(got, tc.want) {
				t.Errorf("%s\nmeans %q\nwant  %q", shown.Curl, got, tc.want)
			}
		})
	}
}

func TestCurlReadsWell(t *testing.T) {
	x := &exchange{method: "GET", header: http.Header{"Authorization": {Basic{secretApp, secretSession}.authorization()}, "Accept": {"a"}, "User-Agent": {"a"}}}
	shown, _ := rendered(t, knowing(), x)
	if want := `curl -sS -i -u "$APP_TOKEN:$SESSION_TOKEN" -H 'Accept: a' 'https://host/0.2/user'`; shown.Curl != want {
		t.Errorf("got  %s\nwant %s", shown.Curl, want)
	}
}

// Credentials without a colon are none for curl, which would ask for a password.
func TestCurlOfMalformedCredentials(t *testing.T) {
	for _, value := range []string{"Basic " + "bm8gY29sb24=", "Basic ???", "Bearer x", "Basic"} {
		x := &exchange{method: "GET", header: http.Header{"Authorization": {value}, "Accept": {"a"}, "User-Agent": {"a"}}}
		shown, _ := rendered(t, knowing(), x)
		got := words(t, shown.Curl)
		if slices.Contains(got, "-u") || !slices.ContainsFunc(got, func(w string) bool { return strings.HasPrefix(w, "Authorization: B") }) {
			t.Errorf("%s is sent as %q", value, got)
		}
	}
}

// The command of a recorded request, once run, makes the same request.
func TestCurlRunsToTheSameRequest(t *testing.T) {
	type arrival struct {
		method, uri, body string
		header            http.Header
	}
	arrivals := make(chan arrival, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		arrivals <- arrival{r.Method, r.RequestURI, string(body), r.Header}
	}))
	defer server.Close()
	w := testWire(t, server.URL)
	req, err := http.NewRequestWithContext(t.Context(), "PUT", server.URL+"/0.2/users/a%2Fb?q=x%20y", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{
		"Authorization": {Basic{secretApp, secretSession}.authorization()}, "Accept": {"application/json"},
		"Content-Type": {"application/json; charset=utf-8"}, "User-Agent": {"conform/dev"}, "X-It's": {"a 'quoted' $value"},
	}
	body, err := encodeJSON(Fields{"user_name": "it's $HOME", "password": secretPassword, "first_name": strings.Repeat("é🦉", 600)})
	if err != nil {
		t.Fatal(err)
	}
	r := knowing()
	// In a JSON text a placeholder stands for the password as JSON spells it.
	spelled, err := encodeJSON(secretPassword)
	if err != nil {
		t.Fatal(err)
	}
	x := w.attempt(req, body)
	if x.err != nil {
		t.Fatal(x.err)
	}
	shown, text := rendered(t, r, x)
	if left := surviving(text, secretApp, secretSession, secretPassword); left != "" {
		t.Fatalf("%q survives", left)
	}
	shell(t, "PASSWORD="+quoted(strings.Trim(string(spelled), `"`))+"; "+shown.Curl)
	sent, pasted := <-arrivals, <-arrivals
	for _, a := range []arrival{sent, pasted} {
		for _, name := range []string{"User-Agent", "Accept-Encoding"} {
			a.header.Del(name)
		}
	}
	if sent.method != pasted.method || sent.uri != pasted.uri || sent.body != pasted.body {
		t.Errorf("pasted, it is %+v\nwas         %+v", pasted, sent)
	}
	if len(sent.header) != len(pasted.header) {
		t.Errorf("headers %v, were %v", pasted.header, sent.header)
	}
	for name, values := range sent.header {
		if !slices.Equal(values, pasted.header[name]) {
			t.Errorf("header %s: %q, was %q", name, pasted.header[name], values)
		}
	}
}
