package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// TestSlowSignUpsAreTold judges a target whose sign-ups and logins take long, as those of a service that
// hashes passwords slowly do: how long they will take stands before the scenarios, and what took the time
// in the report.
func TestSlowSignUpsAreTold(t *testing.T) {
	t.Parallel()
	const hashing = time.Second
	served := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && (r.URL.Path == "/0.2/users" || r.URL.Path == "/0.2/user/login") {
			time.Sleep(hashing)
		}
		served.ServeHTTP(w, r)
	})
	o := judged(t, append(serve(t, slow), "--part", "feed")...)
	o.wants(t, exitConformant)
	first, _, _ := strings.Cut(o.stderr, "\n")
	if !strings.HasPrefix(first, "a sign-up takes 1") || !strings.Contains(first, "sign-ups and logins will take between") {
		t.Errorf("before the scenarios: %q", first)
	}
	if notes := strings.Join(o.report.Notes, "\n"); !strings.Contains(notes, "the target's own work took most of the time") {
		t.Errorf("notes: %q", notes)
	}
}
