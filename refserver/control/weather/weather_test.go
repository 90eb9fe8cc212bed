package weather_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/control/openapi"
	"github.com/socialfeed/conform/refserver/control/weather"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// fates sends requests through one rule, a second of the world's clock apart, and
// notes with a letter which of them it struck.
func fates(t *testing.T, rule string, n int, request weather.Request) string {
	t.Helper()
	var sky weather.Sky
	if err := sky.Set([]string{rule}, noon); err != nil {
		t.Fatal(err)
	}
	var fates strings.Builder
	for i := range n {
		if sky.Next(request, noon.Add(time.Duration(i)*time.Second)).Text() == "" {
			fates.WriteByte('.')
		} else {
			fates.WriteByte('x')
		}
	}
	return fates.String()
}

func TestWhichRequestsARuleIsFor(t *testing.T) {
	feed := weather.Request{Method: "GET", Operation: openapi.Operation{Number: 21}, User: "ada"}
	for rule, want := range map[string]string{
		"429":                              "xxxxxxxx",
		"429,after=5":                      ".....xxx",
		"500,nth=3":                        "..x.....",
		"500,after=2,until=4":              "..xx....",
		"503,after=3s,until=5s":            "...xx...",
		"500,on=21":                        "xxxxxxxx",
		"500,on=GET /0.2/user/feed,nth=1":  "x.......",
		"500,on=18":                        "........",
		"500,on=GET":                       "xxxxxxxx",
		"500,on=POST":                      "........",
		"500,user=ada,nth=2":               ".x......",
		"500,user=bob":                     "........",
		"500,probability=0":                "........",
		"delay=1s,probability=0.5,seed=11": fates(t, "cut=3,probability=0.5,seed=11", 8, feed),
	} {
		if got := fates(t, rule, 8, feed); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
	if a, b := fates(t, "429,probability=0.5,seed=1", 64, feed), fates(t, "429,probability=0.5,seed=2", 64, feed); a == b || !strings.Contains(a, "x") || !strings.Contains(a, ".") {
		t.Errorf("by chance: %s and %s", a, b)
	}
	if got := fates(t, "429", 2, weather.Request{Method: "OPTIONS"}); got != ".." {
		t.Errorf("a preflight has weather: %s", got)
	}
}

func TestWrongRules(t *testing.T) {
	for rule, says := range map[string]string{
		"": "begins with", "rain": "begins with", "delay=fast": "a time such as", "delay=2h": "longest delay", "delay=1s-2h": "longest delay", "delay=3s-1s": "shorter one", "399": "begins with", "600": "begins with", "cut=-1": "from 0", "html=200": "500 to 599",
		"429,on=99": "1 to 22", "429,on=GET /0.2/usr": "not an endpoint", "429,nth=0": "from 1", "429,after=soon": "number of requests", "429,probability=2": "from 0 to 1",
		"429,probability=NaN": "from 0 to 1", "500,retry-after=3s": "429 and 503", "503,done=true": "504", "429,colour=red": "no such condition", "429,": "no such condition",
	} {
		if _, err := weather.Parse(rule); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", rule, err, says)
		}
	}
}

// through sends one POST through the weather over a real socket.
func through(t *testing.T, rule string) (response *http.Response, body string, written int, bodyErr error) {
	t.Helper()
	var sky weather.Sky
	if err := sky.Set([]string{rule}, noon); err != nil {
		t.Fatal(err)
	}
	service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		written++
		if !strings.Contains(rule, "on=POST") { // then the body is sent in chunks, without its length
			w.Header().Set("Content-Length", "26")
		}
		_, _ = io.WriteString(w, "abcdefghijklmnopqrstuvwxyz")
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sky.Next(weather.Request{Method: r.Method}, noon).Serve(w, r, service)
	}))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", "https://page.example")
	if response, err = server.Client().Do(request); err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, bodyErr := io.ReadAll(response.Body)
	server.CloseClientConnections()
	return response, string(text), written, bodyErr
}

func TestWhatAClientMeets(t *testing.T) {
	for rule, want := range map[string]struct {
		status  int
		says    string
		written int
		retry   string
	}{
		"delay=1ms": {200, "xyz", 1, ""}, "429": {429, `"code":9429`, 0, "1"}, "500": {500, "Internal", 0, ""}, "503,retry-after=2500ms": {503, "Unavailable", 0, "3"},
		"504": {504, "Timeout", 0, ""}, "504,done": {504, "Timeout", 1, ""}, "html=502": {502, "<h1>Bad Gateway</h1>", 0, ""}, "403,on=POST": {403, `"code":9403`, 0, ""}, "delay=1ms-2ms": {200, "xyz", 1, ""},
	} {
		response, body, written, err := through(t, rule)
		if err != nil || response.StatusCode != want.status || !strings.Contains(body, want.says) || written != want.written || response.Header.Get("Retry-After") != want.retry {
			t.Errorf("%s: %d %q, %d written, Retry-After %q (%v)", rule, response.StatusCode, body, written, response.Header.Get("Retry-After"), err)
		}
		if isJSON := strings.HasPrefix(body, "{"); isJSON && response.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: no page can read the refusal", rule)
		}
	}
	for rule, want := range map[string]string{"cut=5": "abcde", "cut=5,on=POST": "abcde", "cut=26": "abcdefghijklmnopqrstuvwxy", "cut=99,on=POST": "abcdefghijklmnopqrstuvwxy"} {
		response, body, written, err := through(t, rule)
		if response.StatusCode != 200 || body != want || err == nil || written != 1 {
			t.Errorf("%s: %d %q, %d written (%v)", rule, response.StatusCode, body, written, err)
		}
	}
}

// TestConnectionsThatEnd: a reset comes at once, and what hangs ends with the client's patience.
func TestConnectionsThatEnd(t *testing.T) {
	for rule, ends := range map[string]func(error) bool{
		"reset": func(err error) bool { return errors.Is(err, syscall.ECONNRESET) },
		"hang":  func(err error) bool { return errors.Is(err, context.DeadlineExceeded) },
	} {
		var sky weather.Sky
		if err := sky.Set([]string{rule}, noon); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sky.Next(weather.Request{Method: r.Method}, noon).Serve(w, r, http.NotFoundHandler())
		}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := server.Client().Do(request)
		if err == nil {
			response.Body.Close()
		}
		if !ends(err) {
			t.Errorf("%s ends with %v", rule, err)
		}
		cancel()
		server.Close()
	}
}

func FuzzParse(f *testing.F) {
	f.Add("429,after=5")
	f.Add("delay=2s,on=GET /0.2/user/feed,probability=0.5,seed=3")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = weather.Parse(text)
	})
}
