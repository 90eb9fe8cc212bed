package scenarios_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/scenarios"
)

// The contract promises no length but those of metadata: a server that takes no
// more than twenty characters anywhere else, as many databases do, is judged in full.
func TestShortTextsAreEnough(t *testing.T) {
	tokens := []string{"first-application-token", "second-application-token"}
	server, err := refserver.New(refserver.Options{AppTokens: tokens, RateLimit: -1, WrapHandler: shortTexts})
	if err != nil {
		t.Fatal(err)
	}
	ts := httptest.NewTLSServer(server)
	defer ts.Close()
	report, err := conformance.Run(t.Context(), conformance.Config{Target: conformance.Target{
		BaseURL: ts.URL, AppToken: tokens[0], SecondAppToken: tokens[1],
		CACert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ts.Certificate().Raw}),
	}, Rate: 100_000}, scenarios.Register)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			switch check.Status {
			case result.Pass, result.Observed, result.Skipped:
			default:
				t.Errorf("%s at %s is %s: %s (%s)", rule.ID, check.Endpoint, check.Status, check.Message, check.Scenario)
			}
		}
	}
}

// shortTexts refuses texts of more than twenty characters.
func shortTexts(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var sent any
		if json.Unmarshal(body, &sent) == nil && r.Header.Get("Content-Type") == "application/json" && long(sent) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = io.WriteString(w, "{}") // the judge may have hung up
			return
		}
		next.ServeHTTP(w, r)
	})
}

// long reports whether a value holds a text that is too long. Passwords are hashes,
// and metadata has limits of its own.
func long(value any) bool {
	const most = 20
	switch v := value.(type) {
	case string:
		return utf8.RuneCountInString(v) > most
	case []any:
		for _, each := range v {
			if long(each) {
				return true
			}
		}
	case map[string]any:
		for name, each := range v {
			if name != "password" && name != "metadata" && long(each) {
				return true
			}
		}
	}
	return false
}
