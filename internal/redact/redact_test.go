package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func shown(s *Secrets, text string, care Care) string {
	var b strings.Builder
	for _, span := range Cut(len(text), s.All(text, care)) {
		if span.Match != nil {
			b.WriteString("#")
			continue
		}
		b.WriteString(text[span.From:span.To])
	}
	return b.String()
}

func TestNoEightCharactersOfASecretAreShown(t *testing.T) {
	const secret = "k7Wq2-Zr9.Tb4_Lm"
	s := New()
	s.Add(secret, "TOKEN")
	for name, spell := range map[string]func(string) string{
		"plain": func(s string) string { return s }, "in capital letters": strings.ToUpper, "percent": func(s string) string { return url.QueryEscape(s) },
		"hexadecimal": func(s string) string { return hex.EncodeToString([]byte(s)) },
		"base64":      func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
		"JSON":        func(s string) string { return strings.ReplaceAll(s, "r", `\u0072`) },
		"HTML":        func(s string) string { return strings.ReplaceAll(s, "r", "&#114;") },
	} {
		for from := 0; from+Window <= len(secret); from++ {
			part := spell(secret[from : from+Window])
			if got := shown(s, "<"+part+">", Strict); got != "<#>" {
				t.Errorf("%s: %s is shown as %s", name, part, got)
			}
		}
	}
	if got := shown(s, secret[:Window-1]+" and "+secret[2:2+Window-1], Strict); strings.Contains(got, "#") {
		t.Errorf("seven characters are hidden: %s", got)
	}
}

func TestValuesAreFoundByTheirNames(t *testing.T) {
	s := New()
	for text, want := range map[string]string{
		`{"sessionToken":"a b"}`:                           `{"sessionToken":"#"}`,
		`{"X-Session-Token":["a",{"b":12345}],"n":1}`:      `{"X-Session-Token":["#",{"#":#}],"n":1}`,
		`{"password":null,"passwd":true,"pass_word":17}`:   `{"password":null,"passwd":true,"pass_word":17}`,
		`{"errors":{"password":["is too short"]}}`:         `{"errors":{"password":["is too short"]}}`,
		`a=1&passwd=x+y&b=2`:                               `a=1&passwd=#&b=2`,
		`{"raw":"{\"password\":\"x\"}"}`:                   `{"raw":"{\"password\":\"#\"}"}`,
		`%7B%22password%22%3A%22x%22%7D`:                   `%7B%22password%22%3A%22#%22%7D`,
		`https://ada:pw@host/?q=1`:                         `https://ada:#@host/?q=1`,
		`<password>x</password>`:                           `<password>#</password>`,
		"name=\"token\"\r\n\r\nx y\r\n--b":                 "name=\"token\"\r\n\r\n#\r\n--b",
		`{"name":"password","value":"x"}`:                  `{"name":"password","value":"#"}`,
		`{"password":"x`:                                   `{"password":"#`,
		`{"author":"x","keyboard":"y","opinion":"z"}`:      `{"author":"x","keyboard":"y","opinion":"z"}`,
		`Bearer abcdefghijklmnop`:                          `Bearer #`,
		`Basic authentication, the user name and the rest`: `Basic authentication, the user name and the rest`,
	} {
		if got := shown(s, text, Loose); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
	if prose := "the password: at least eight characters, a token: none"; shown(s, prose, Strict) != prose {
		t.Errorf("prose is garbled: %s", shown(s, prose, Strict))
	}
}

func TestPublicTextsAndShortSecretsGarbleNothing(t *testing.T) {
	s := New("session_token", "/0.2/user/events")
	s.Add("my-session_token-1", "TOKEN")
	s.Add("ada", "PASSWORD")
	for text, want := range map[string]string{
		`session_token at /0.2/user/events`: `session_token at /0.2/user/events`,
		`my-session_token-1`:                `#`, `radar, Canada and ada`: `radar, Canada and #`,
	} {
		if got := shown(s, text, Strict); got != want {
			t.Errorf("%s is shown as %s", text, got)
		}
	}
}

func TestWhatIsLearnedIsBounded(t *testing.T) {
	s := New()
	s.Add("the-app-token-stays", "APP")
	for i := range 5000 {
		s.Learn(fmt.Sprintf("%0400d", i), "SECRET")
	}
	if s.size > mostLearned || len(s.known) > 4000 {
		t.Errorf("%d bytes of %d secrets", s.size, len(s.known))
	}
	for _, kept := range []string{"the-app-token-stays", fmt.Sprintf("%0400d", 4999)} {
		if got := shown(s, kept, Strict); got != "#" {
			t.Errorf("%.20s is shown", kept)
		}
	}
}

func TestMessagesHaveNoTextOfTheirOwn(t *testing.T) {
	m := Say("the scheme is %q after %d", "s3cret", 7)
	data, err := json.Marshal(map[string]any{"message": m})
	for _, text := range []string{fmt.Sprint(m), fmt.Sprintf("%v %+v %s", m, m, m), string(data)} {
		if err != nil || strings.Contains(text, "s3cret") {
			t.Errorf("a message tells %s", text)
		}
	}
	if got := m.Write(func(string) string { return "#" }); got != `the scheme is "#" after 7` {
		t.Error(got)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("s3cret-token", "a \\u0073 %73 &#115; c2VjcmV0", uint8(3))
	f.Fuzz(func(t *testing.T, secret, around string, at uint8) {
		s := New()
		s.Add(secret, "TOKEN")
		i := min(int(at), len(around))
		for _, care := range []Care{Strict, Loose} {
			if got := shown(s, around[:i]+secret+around[i:], care); len(secret) >= Window && strings.Contains(got, secret) && !strings.Contains(secret, "#") {
				t.Errorf("%q survives in %q", secret, got)
			}
		}
	})
}

// FuzzTextsWithoutNamesAreSkipped holds the quick look at a text against the thorough one.
func FuzzTextsWithoutNamesAreSkipped(f *testing.F) {
	for _, text := range []string{"", "p", "PASS", "my pAss: x", "a=1&pwd=x", "%70wd=secret", "http://a:b@c", "Bearer abcdefghijklmnopq", "ſid=1", "x-kEy: abc", `{"\u0070in":"1234"}`, "12:00:00Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if mayTell(text) {
			return
		}
		for _, care := range []Care{Strict, Loose} {
			views(text, nil, func(v view) {
				named(v.plain, v.folded, care, func(from, to int) { t.Errorf("%q is skipped, and tells of %q", text, v.plain[from:to]) })
			})
		}
	})
}
