//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// flooding makes something of a good server's answer that takes as much memory as it can.
type flooding func(w http.ResponseWriter, r *http.Request, good *httptest.ResponseRecorder)

// flooded serves a good server's answers, each altered. It counts the answers.
func flooded(good http.Handler, alter flooding, answers *atomic.Int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers.Add(1)
		answer := httptest.NewRecorder()
		good.ServeHTTP(answer, r)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		alter(w, r, answer)
	})
}

// send sends an answer with another body.
func send(w http.ResponseWriter, status int, body []byte) {
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = w.Write(body) // the judge may have hung up
	}
}

// widened is an object that holds something, or a list whose first object, has one more field; any other body is what it was.
func widened(body []byte, field string) []byte {
	body = bytes.TrimSpace(body)
	switch {
	case bytes.HasPrefix(body, []byte(`{"`)):
		return append([]byte(`{`+field+`,`), body[1:]...)
	case bytes.HasPrefix(body, []byte(`[{"`)):
		return append([]byte(`[{`+field+`,`), body[2:]...)
	}
	return body
}

// manyFields sets as many header fields as the judge takes, none of them short.
func manyFields(h http.Header, name func(i int) string, size int) {
	const most = 240 << 10
	value := strings.Repeat("v", size)
	for i := range most / (size + 24) {
		h[name(i)] = append(h[name(i)], value)
	}
}

// floods are targets that answer right, and at a length that no service needs.
func floods() map[string]flooding {
	long := func(n int) string { return strings.Repeat("x", n) }
	withBody := func(change func(r *http.Request, status int, body []byte) (int, []byte)) flooding {
		return func(w http.ResponseWriter, r *http.Request, good *httptest.ResponseRecorder) {
			status, body := change(r, good.Code, good.Body.Bytes())
			send(w, status, body)
		}
	}
	withHeader := func(fill func(http.Header)) flooding {
		return func(w http.ResponseWriter, _ *http.Request, good *httptest.ResponseRecorder) {
			fill(w.Header())
			send(w, good.Code, good.Body.Bytes())
		}
	}
	numbered := func(i int) string { return fmt.Sprintf("X-Flood-%d", i) }
	return map[string]flooding{
		"big bodies": withBody(func(_ *http.Request, status int, body []byte) (int, []byte) {
			return status, widened(body, `"x":"`+long(900<<10)+`"`)
		}),
		"big headers":  withHeader(func(h http.Header) { manyFields(h, numbered, 8<<10) }),
		"many headers": withHeader(func(h http.Header) { manyFields(h, numbered, 40) }),
		"cookies":      withHeader(func(h http.Header) { manyFields(h, func(int) string { return "Set-Cookie" }, 100) }),
		"long lists": withBody(func(r *http.Request, status int, body []byte) (int, []byte) {
			if r.Method != http.MethodGet || status != http.StatusOK || len(body) == 0 || body[0] != '[' || r.URL.Path == "/versions" {
				return status, body
			}
			user := `{"id":"1","user_name":"ann","user_id":"1","verb":"liked"},`
			return status, append([]byte("["+strings.Repeat(user, 7000)+"{}"), append([]byte(","), bytes.TrimPrefix(body, []byte("["))...)...)
		}),
		"trailers": func(w http.ResponseWriter, _ *http.Request, good *httptest.ResponseRecorder) {
			w.Header().Del("Content-Length")
			send(w, good.Code, good.Body.Bytes())
			if good.Code != http.StatusNoContent {
				http.NewResponseController(w).Flush()
				manyFields(w.Header(), func(i int) string { return http.TrailerPrefix + numbered(i) }, 4000)
			}
		},
		"interim answers": func(w http.ResponseWriter, _ *http.Request, good *httptest.ResponseRecorder) {
			w.Header().Set("Link", "</"+long(8<<10)+">; rel=preload")
			for range 28 {
				w.WriteHeader(http.StatusEarlyHints)
			}
			send(w, good.Code, good.Body.Bytes())
		},
		"deep nesting": withBody(func(_ *http.Request, status int, body []byte) (int, []byte) {
			return status, widened(body, `"x":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000))
		}),
		"failing checks": func(w http.ResponseWriter, r *http.Request, good *httptest.ResponseRecorder) {
			manyFields(w.Header(), numbered, 8<<10)
			status := good.Code
			if status/100 == 2 && status != http.StatusNoContent {
				status = http.StatusAccepted
			}
			send(w, status, widened(good.Body.Bytes(), `"x":"`+long(100<<10)+`"`))
		},
		"long errors": withBody(func(_ *http.Request, status int, body []byte) (int, []byte) {
			if status/100 == 4 && status != http.StatusBadRequest { // whose body is to be {}
				body = []byte(`{"errors":[{"code":1,"message":"` + long(900<<10) + `"}]}`)
			}
			return status, body
		}),
		"compressed": func(w http.ResponseWriter, r *http.Request, good *httptest.ResponseRecorder) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				send(w, good.Code, good.Body.Bytes())
				return
			}
			var packed bytes.Buffer
			packer := gzip.NewWriter(&packed)
			_, _ = packer.Write(widened(good.Body.Bytes(), `"x":"`+long(1000<<10)+`"`))
			_ = packer.Close()
			w.Header().Set("Content-Encoding", "gzip")
			send(w, good.Code, packed.Bytes())
		},
		"slow drip": func(w http.ResponseWriter, r *http.Request, good *httptest.ResponseRecorder) {
			manyFields(w.Header(), numbered, 8<<10)
			w.WriteHeader(good.Code)
			if r.URL.Path != "/0.2/user/feed" || good.Code == http.StatusNoContent {
				_, _ = w.Write(good.Body.Bytes())
				return
			}
			for _, b := range good.Body.Bytes() {
				if _, err := w.Write([]byte{b}); err != nil || http.NewResponseController(w).Flush() != nil {
					return
				}
				select {
				case <-time.After(time.Second):
				case <-r.Context().Done():
					return
				}
			}
		},
		"long tokens": withBody(func(_ *http.Request, status int, body []byte) (int, []byte) {
			var user map[string]any
			if json.Unmarshal(body, &user) != nil || user["session_token"] == nil {
				return status, body
			}
			user["session_token"] = long(900 << 10)
			altered, _ := json.Marshal(user) // which was decoded from JSON
			return status, altered
		}),
	}
}

// unlawfulFloods are those that break rules, by patterns: lists hold what nobody put there, and
// successes have another status, in which what the answers show does not count.
func unlawfulFloods() map[string][]string {
	return map[string][]string{
		"long lists":     {"users.search.*", "connections.*", "feed.*", "social.*", "transport.*", "users.*", "sessions.*", "events.*", "auth.*"},
		"failing checks": {"*"},
	}
}

// TestMemoryUnderFloods judges targets whose answers are right and as long as the judge takes: a
// whole run takes little memory, and no rule is blamed but those that the flood breaks. FLOODS=all
// tries every kind of them, else some are.
func TestMemoryUnderFloods(t *testing.T) {
	t.Parallel()
	quick, timeout := []string{"cookies"}, "20s"
	if os.Getenv("FLOODS") == "all" {
		timeout = "60s"
	}
	for name, alter := range floods() {
		if os.Getenv("FLOODS") != "all" && !slices.Contains(quick, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var answers atomic.Int64
			good := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
			report := file(t, nil)
			cmd := command(t, append(servePlain(t, flooded(good, alter, &answers)), "--request-timeout", "3s", "--settle", "200ms", "--hold", "100ms", "--timeout", timeout, "--quiet", "--report", "json="+report)...)
			used := measured(t, cmd)
			began := time.Now()
			o := finish(t, cmd)
			o.read(t, report)
			t.Logf("%-16s %5d answers, %5.1fs: the judge took %4d MiB; exit %d, %v; report %d KiB", name, answers.Load(), time.Since(began).Seconds(), used()>>10, o.code, o.blamed(), len(o.written)>>10)
			for _, rule := range o.blamed() {
				broken := func(pattern string) bool { matches, _ := path.Match(pattern, rule); return matches }
				if !slices.ContainsFunc(unlawfulFloods()[name], broken) {
					t.Errorf("blamed is %s, which the flood does not break: %s", rule, messagesOf(o.report, rule))
				}
			}
			if used() > mostMemory {
				t.Errorf("the judge took %d KiB, want %d at most", used(), mostMemory)
			}
		})
	}
}

// messagesOf are what a report says of a rule.
func messagesOf(r *result.Report, id string) (all []string) {
	for _, rule := range r.Rules {
		for _, check := range rule.Checks {
			if rule.ID == id && check.Status != result.Pass {
				all = append(all, fmt.Sprintf("%s at %s: %s (%s)", check.Status, check.Endpoint, check.Message, check.Scenario))
			}
		}
	}
	return all
}
