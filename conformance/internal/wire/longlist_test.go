package wire

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// crowd serves a server that has so many users besides the one that the run creates, who has the id
// in the middle. It returns the address.
func crowd(t *testing.T, users int, tail string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		user := func(id int) string {
			return fmt.Sprintf(`{"id":%d,"user_name":"person%d","enabled":true,"metadata":{"note":%q}}`, id, id, strings.Repeat("x", 100))
		}
		if r.Method == http.MethodPost {
			rw.WriteHeader(http.StatusCreated)
			io.WriteString(rw, user(users/2))
			return
		}
		io.WriteString(rw, "[")
		for id := range users {
			if id > 0 {
				io.WriteString(rw, ",")
			}
			io.WriteString(rw, user(id))
		}
		io.WriteString(rw, tail)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestLongListsKeepWhatIsOfTheRun searches a server with many users: of what it finds the run holds
// little, and its own user in any case.
func TestLongListsKeepWhatIsOfTheRun(t *testing.T) {
	for _, users := range []int{1_000, 10_000} { // the second one is longer than what is held of any answer
		server := crowd(t, users, "]")
		w := testWire(t, server)
		w.patience = time.Hour // the machine may be slow
		create, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/0.2/users", nil)
		if err != nil {
			t.Fatal(err)
		}
		if x := w.Send(create, []byte(`{"user_name":"somebody"}`), true); x.Err != nil {
			t.Fatal(x.Err)
		}
		x := get(t, w, server+"/0.2/users/search?q=person")
		value, err := x.Value()
		list, _ := value.([]any)
		if x.Err != nil || err != nil || x.Partial() || x.Cut() {
			t.Fatalf("%d users: %v, %v, partial %t, cut %t", users, x.Err, err, x.Partial(), x.Cut())
		}
		if !bytes.Contains(x.RespBody, fmt.Appendf(nil, `"person%d"`, users/2)) || !bytes.Contains(x.RespBody, []byte(`"person0"`)) || len(list) < 50 || len(list) > 500 {
			t.Errorf("%d users: %d elements are held", users, len(list))
		}
		if lists := w.LongLists(); lists.Answers != 1 || lists.Elements != users {
			t.Errorf("told: %+v", lists)
		}
	}
}

// TestSamplesEndEarly asks for a sample of a list: what follows it is not read.
func TestSamplesEndEarly(t *testing.T) {
	server := crowd(t, 100_000, "]")
	w := testWire(t, server)
	req, err := http.NewRequestWithContext(WithSample(t.Context()), http.MethodGet, server+"/0.2/users/search?q=person", nil)
	if err != nil {
		t.Fatal(err)
	}
	x := w.Send(req, nil, true)
	if _, err := x.Value(); x.Err != nil || err != nil || !x.Partial() || x.thinned.size > maxBody {
		t.Errorf("%v, %v, partial %t, %d bytes", x.Err, err, x.Partial(), x.thinned.size)
	}
}

// TestBrokenLongListsAreNoJSON has lists that are no JSON at their ends.
func TestBrokenLongListsAreNoJSON(t *testing.T) {
	for _, users := range []int{1_000, 10_000} {
		for _, tail := range []string{"", ",]", "]]", "}", "] x"} {
			server := crowd(t, users, tail)
			x := get(t, testWire(t, server), server+"/0.2/users/search?q=person")
			if _, err := x.Value(); x.Err != nil || err == nil {
				t.Errorf("%d users and %q: %v, %v", users, tail, x.Err, err)
			}
		}
	}
}

// TestEndlessListsEndInAnError has lists without an end, and elements without one.
func TestEndlessListsEndInAnError(t *testing.T) {
	for text, says := range map[string]string{"[1,": "no complete answer within", `["x`: "an element of the list is longer than 1048576 bytes"} {
		server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			io.WriteString(rw, text)
			flood(rw, []byte(strings.Repeat(strings.TrimLeft(text, `["`), 10_000)))
		}))
		w := testWire(t, server.URL)
		w.patience = hastyTimeout
		x := get(t, w, server.URL+"/0.2/users/search?q=a")
		if x.Err == nil || !strings.Contains(x.Err.Error(), says) {
			t.Errorf("%s: %v", text, x.Err)
		}
		server.Close()
	}
}
