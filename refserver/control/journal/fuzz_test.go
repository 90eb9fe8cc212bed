package journal_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// FuzzShown shows any body and path, and never a token or a password.
func FuzzShown(f *testing.F) {
	f.Add("/0.2/user?q=hush-session", `{"password":"hush-word","list":["hush-app",{"session_token":"hush-session"}]}`)
	f.Add("/%68ush-app", `{"hush-session":1}`)
	f.Fuzz(func(t *testing.T, path, body string) {
		if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, " \r\n\t") {
			return
		}
		if _, err := url.ParseRequestURI(path); err != nil {
			return // no request has such a target
		}
		e := entry(t, path, body, body)
		shown, err := json.Marshal(e.View())
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"hush-app", "hush-session", "hush-header"} {
			if strings.Contains(string(shown), secret) || strings.Contains(e.Line(), secret) {
				t.Errorf("%s is shown in %s", secret, shown)
			}
		}
	})
}
