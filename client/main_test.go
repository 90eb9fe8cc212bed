package client

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const (
	testApp      = "app-token-7f3a"
	testSession  = "session-token-91cc"
	testPassword = "pass\"word<51>"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is what the server says to one request.
type answer struct {
	status int
	header map[string]string
	body   string
}

// recorded is one request as it stood on the wire.
type recorded struct {
	method, uri string
	header      http.Header
	body        string
}

// server gives its answers in turn, the last one for ever, and records what it is asked.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	answers  []answer
	requests []recorded
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	s.mu.Lock()
	s.requests = append(s.requests, recorded{r.Method, r.RequestURI, r.Header, string(body)})
	a := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body) // a client that went away is the test's affair
}

func (s *server) seen() []recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]recorded(nil), s.requests...)
}

// serve starts a TLS server with the answers, and a client that trusts it.
func serve(t *testing.T, answers ...answer) (*server, *Client) {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // a refused handshake is one test's point
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, dial(t, s.Server, Config{})
}

func dial(t *testing.T, s *httptest.Server, cfg Config) *Client {
	t.Helper()
	cfg.BaseURL, cfg.AppToken, cfg.HTTPClient = s.URL, testApp, s.Client()
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}
