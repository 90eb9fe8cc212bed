package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/redact"
)

const (
	secretApp      = "Ap+p/tok<e>n-9"
	secretSecond   = "second.app.token"
	secretSession  = "se\"ss\\ion:tökèn 🦉"
	secretPassword = "p&ss'w%6frd\tx"
)

func knowing() *Redactor {
	r := NewRedactor(secretApp, secretSecond)
	r.Learn(secretSession, "SESSION_TOKEN")
	r.Learn(secretPassword, "PASSWORD")
	return r
}

// rendered is an exchange as a report shows it, and the text of all of it.
func rendered(t *testing.T, r *Redactor, x *Exchange) (result.Exchange, string) {
	t.Helper()
	if x.URL == nil {
		x.URL = &url.URL{Scheme: "https", Host: "host", Path: "/0.2/user"}
	}
	r.LearnCredentials(x.Header)
	shown := r.Exchange(x)
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(shown); err != nil {
		t.Fatal(err)
	}
	parts := []string{b.String(), shown.Request.Body, shown.Request.URL, shown.Curl, shown.Error}
	if shown.Response != nil {
		parts = append(parts, shown.Response.Body)
	}
	return shown, strings.Join(parts, "\n")
}

// surviving names a secret that a text still holds, in any spelling.
func surviving(text string, secrets ...string) string {
	unescaped, _ := redact.Unescape(text, redact.JSONEscape)
	unquoted, _ := redact.Unescape(text, redact.PercentEscape)
	for _, secret := range secrets {
		for _, spelled := range []string{text, unescaped, unquoted} {
			if strings.Contains(spelled, secret) || strings.Contains(spelled, base64.StdEncoding.EncodeToString([]byte(secret+":"))) {
				return secret
			}
		}
	}
	return ""
}

func TestSecretsNeverSurvive(t *testing.T) {
	all := []string{secretApp, secretSecond, secretSession, secretPassword}
	pair := basicAuth(secretApp, secretSession)
	encode := func(secret string, html bool) string {
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(html)
		if err := encoder.Encode(map[string]string{"a": secret}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, spell := range map[string]func(string) string{
		"as it is":        func(s string) string { return s },
		"in JSON":         func(s string) string { return encode(s, false) },
		"in JSON in HTML": func(s string) string { return encode(s, true) },
		"in ASCII": func(s string) string {
			return strings.NewReplacer("ö", `\u00F6`, "è", `\u00e8`, "🦉", `\uD83E\udd89`, `"`, `\"`, `\`, `\\`, "\t", `\t`).Replace(s)
		},
		"slashes escaped": func(s string) string {
			return strings.NewReplacer(`\`, `\\`, "/", `\/`, "+", `\u002B`, `"`, `\"`, "\t", `\t`).Replace(s)
		},
		"in a query":     func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") },
		"in a path":      url.PathEscape,
		"in credentials": func(string) string { return pair },
		"twice":          func(s string) string { return s + s + "x" + encode(s, true) + s },
	} {
		for _, secret := range all {
			text := spell(secret)
			for place, x := range map[string]*Exchange{
				"the request's body":  {Method: "POST", Body: []byte(text)},
				"a request header":    {Method: "GET", Header: http.Header{"X-Probe": {"a", text}}},
				"the authorization":   {Method: "GET", Header: http.Header{"Authorization": {text}}},
				"bearer":              {Method: "GET", Header: http.Header{"Authorization": {"Bearer " + text}}},
				"the response's body": {Method: "GET", Status: 200, RespBody: []byte("<p>" + text)},
				"a header's name":     {Method: "GET", RespHeader: http.Header{text: {"x"}}},
				"a response header":   {Method: "GET", RespHeader: http.Header{"Location": {"https://host/?t=" + text}}},
				"the error":           {Method: "GET", Err: errors.New("malformed answer: " + text)},
				"the query":           {Method: "GET", URL: &url.URL{Scheme: "https", Host: "host", RawQuery: url.Values{"q": {text}}.Encode()}},
				"the path":            {Method: "GET", URL: &url.URL{Scheme: "https", Host: "host", Path: "/" + secret}},
			} {
				r := knowing()
				r.LearnCredentials(http.Header{"Authorization": {pair}})
				_, shown := rendered(t, r, x)
				if left := surviving(shown, all...); left != "" || strings.Contains(shown, strings.TrimPrefix(pair, "Basic ")) {
					t.Errorf("%q %s in %s survives: %s", left, name, place, jsonvalue.Cut(shown, 400))
				}
			}
		}
	}
}

func TestSecretsDoNotSurviveCuts(t *testing.T) {
	secret := strings.Repeat("0123456789abcdef", 8)
	r := NewRedactor(secret, "")
	for _, size := range []int{maxShownBody, 16 * maxShownBody} {
		for before := size - 2*len(secret); before <= size; before += 7 {
			x := &Exchange{Method: "GET", Status: 200, RespBody: []byte(strings.Repeat("-", before) + secret + strings.Repeat("-", size))}
			_, shown := rendered(t, r, x)
			if strings.Contains(shown, secret[:MinSecretEcho]) {
				t.Errorf("half a secret after %d bytes survives", before)
			}
		}
	}
	// Placeholders are shorter: what stood beyond the cut comes to stand before it.
	many := &Exchange{Method: "GET", Status: 200, RespBody: []byte(strings.Repeat(secret, 400))}
	if _, shown := rendered(t, r, many); strings.Contains(shown, secret[:MinSecretEcho]) {
		t.Errorf("half a secret survives in %s", shown)
	}
	// Messages are cut before they are redacted.
	for _, message := range []string{
		"201 with " + jsonvalue.Cut(`{"id":1,"x":"`+secret+`"}`, 60),
		"expected 200; got 201 with " + jsonvalue.Cut(`{"session_token":"never-learned-by-anybody"}`, 30),
	} {
		if got := r.Text(message); strings.Contains(got, secret[:MinSecretEcho]) || strings.Contains(got, "never-l") {
			t.Errorf("half a secret survives in %q", got)
		}
	}
}

// Secret fields are hidden also where nobody learned their values.
func TestSecretFields(t *testing.T) {
	r := knowing()
	for text, want := range map[string]string{
		`{"password":"unknown"}`:                   `{"password":"$SECRET"}`,
		`{"session_token" : "a\"b","id":1}`:        `{"session_token" : "$SECRET","id":1}`,
		`{"password":"$2b$10$N9qo8uLOickgx2ZMRZ"}`: `{"password":"$SECRET"}`,
		`{"password":""}`:                          `{"password":""}`,
		`{"password":"` + secretApp + `"}`:         `{"password":"$APP_TOKEN"}`,
		`{"errors":{"password":["is too short"]}}`: `{"errors":{"password":["is too short"]}}`,
		`{"password":17}`:                          `{"password":17}`,
		`no secrets here`:                          `no secrets here`,
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
}

func TestShortTextsAreNoSecrets(t *testing.T) {
	r := NewRedactor("ab", "")
	r.Learn("", "SESSION_TOKEN")
	if got := r.Text("about ab"); got != "about ab" {
		t.Errorf("garbled: %q", got)
	}
}

func TestLongerSecretsGoFirst(t *testing.T) {
	r := NewRedactor("token", "")
	r.Learn("token-of-session", "SESSION_TOKEN")
	if got := r.Text("token-of-session and token"); got != "$SESSION_TOKEN and $APP_TOKEN" {
		t.Errorf("got %q", got)
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("s3cr3t-t0k3n", "before ", " after", uint8(0))
	f.Add("a\"b\\c<d>/é🦉", `{"password":"`, `"}`, uint8(1))
	f.Add("tok%41en+/=", "https://host/?q=", "#x", uint8(2))
	f.Add("abcabc", "abc", "abc…abcab…", uint8(3))
	f.Fuzz(func(t *testing.T, secret, before, after string, place uint8) {
		secret = strings.ToValidUTF8(secret, "")
		frame := "$SECRET $APP_TOKEN $SESSION_TOKEN base64($BROKEN:) curl -sS -i -X POST -u -H --data-raw User-Agent: Accept: https://host/0.2/user Authorization Basic X-Probe request response method url headers body status started_at duration_ms 0001-01-01T00:00:00Z (cut at 2048 of bytes)"
		if len(secret) < MinSecretEcho || strings.Contains(frame, secret) || strings.ContainsAny(secret, "\x00\ufffd") {
			return // not to be told from the frame of a report
		}
		r := NewRedactor(secret, "")
		escaped, err := json.Marshal(secret)
		if err != nil {
			t.Fatal(err)
		}
		text := before + []string{secret, string(escaped), url.QueryEscape(secret), basicAuth(secret, "x")}[place%4] + after
		if place%4 == 3 {
			r.LearnCredentials(http.Header{"Authorization": {basicAuth(secret, "x")}})
		}
		x := &Exchange{Method: "POST", Body: []byte(text), RespBody: []byte(text), Header: http.Header{"X-Probe": {text}}, RespHeader: http.Header{"X-Probe": {text}}}
		shown := r.Exchange(func() *Exchange {
			x.URL = &url.URL{Scheme: "https", Host: "host", Path: "/0.2/user", RawQuery: url.Values{"q": {text}}.Encode()}
			return x
		}())
		for _, out := range []string{shown.Request.Body, shown.Request.URL, shown.Response.Body, shown.Curl, shown.Request.Headers.Get("X-Probe"), shown.Response.Headers.Get("X-Probe")} {
			if strings.Contains(out, secret) {
				t.Errorf("%q survives in %q", secret, out)
			}
		}
	})
}

// A token of which another secret is made is told as what it is, not as part of the other.
func TestWholeSecretsBeforeParts(t *testing.T) {
	const token = "a10e7c2f-93be-4d11-8c55-0b6ef2c1d7aa"
	r := NewRedactor("the-app", "")
	r.Learn(token, "SESSION_TOKEN")
	r.Learn(token+"peuzhxcz", "SECRET")
	for text, want := range map[string]string{token: "$SESSION_TOKEN", token + "peuzhxcz": "$SECRET"} {
		if got := r.Text("-u " + text); got != "-u "+want {
			t.Errorf("%s is told as %s", text, got)
		}
	}
}

// TestShortTokensAreHiddenInCredentials has tokens that are too short to be looked for in
// every text.
func TestShortTokensAreHiddenInCredentials(t *testing.T) {
	for _, pair := range []string{"ab:", "ab:7", "cd:" + secretSession, secretApp + ":7", "x:7"} {
		r := NewRedactor("ab", "cd")
		r.Learn(secretApp, "TOKEN")
		r.Learn(secretSession, "SESSION_TOKEN")
		r.Learn("7", "SESSION_TOKEN_1")
		x := &Exchange{Method: http.MethodGet, Header: http.Header{"Authorization": {basicOf(pair)}}, Status: http.StatusOK, RespBody: []byte(`{"tab":77}`)}
		shown, _ := rendered(t, r, x)
		for _, text := range []string{shown.Request.Headers.Get("Authorization"), shown.Curl} {
			for half := range strings.SplitSeq(pair, ":") {
				if len(half) > 0 && half != "x" && (strings.Contains(text, "("+half) || strings.Contains(text, half+":") || strings.Contains(text, ":"+half) || strings.Contains(text, basicOf(pair)[6:])) {
					t.Errorf("%s of %s survives in %s", half, pair, text)
				}
			}
		}
		if shown.Response.Body != `{"tab":77}` {
			t.Errorf("the body is garbled: %s", shown.Response.Body)
		}
	}
}
