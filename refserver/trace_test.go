package refserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

func TestTraceTellsWhyARequestWasRefused(t *testing.T) {
	server, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, AllowPlainHTTP: true, PasswordCost: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*http.Request)
		stage  string
		reason string
	}{
		"accepted":     {func(*http.Request) {}, "", ""},
		"no agent":     {func(r *http.Request) { r.Header.Del("User-Agent") }, "User-Agent", "missing"},
		"no app":       {func(r *http.Request) { r.SetBasicAuth("another", "") }, "credentials", "app token is unknown"},
		"content type": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, "Content-Type", "application/json"},
		"no such path": {func(r *http.Request) { r.URL.Path = "/0.2/nothing" }, "path", "nothing at this path"},
		"field":        {func(r *http.Request) { r.Body = http.NoBody; r.ContentLength = 0 }, "body", "not valid JSON"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/0.2/users", strings.NewReader(`{"user_name":"ann"}`))
		r.Header.Set("User-Agent", "test/1")
		r.Header.Set("Content-Type", "application/json")
		r.SetBasicAuth(appToken, "")
		tt.change(r)
		var trace refserver.Trace
		server.ServeHTTP(httptest.NewRecorder(), r.WithContext(refserver.WithTrace(r.Context(), &trace)))
		if trace.Stage != tt.stage || !strings.Contains(trace.Reason, tt.reason) || (trace.Code == 0) != (tt.stage == "") {
			t.Errorf("%s: %+v", name, trace)
		}
	}
}
