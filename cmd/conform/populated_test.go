//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// crowded fills a server with users, of whom each follows the next one and has performed an event.
func crowded(t *testing.T, server *refserver.Server, users int) {
	t.Helper()
	create := httptest.NewRequest(http.MethodPost, "/0.2/users", bytes.NewReader([]byte(`{"user_name":"person","password":"0123456789abcdef"}`)))
	create.SetBasicAuth(appToken, "")
	create.Header.Set("User-Agent", "crowd")
	create.Header.Set("Content-Type", "application/json")
	server.ServeHTTP(httptest.NewRecorder(), create)
	state := server.State()
	if len(state.Users) != 1 {
		t.Fatalf("%d users are there", len(state.Users))
	}
	first := state.Users[0]
	state.Users = state.Users[:0]
	for i := range users {
		id := first.ID + store.ID(i)
		user := store.User{App: first.App, ID: id, UserName: fmt.Sprintf("person%d", i), FirstName: "Will", LastName: fmt.Sprintf("the %dth Van Andersen", i),
			Email: fmt.Sprintf("person%d@example.com", i), Password: first.Password, CreatedAt: first.CreatedAt, UpdatedAt: first.UpdatedAt}
		state.Users = append(state.Users, user)
		if i > 0 {
			state.Connections = append(state.Connections, store.Connection{App: user.App, From: id - 1, To: id, Type: "follow", CreatedAt: user.CreatedAt, UpdatedAt: user.CreatedAt})
			state.Events = append(state.Events, store.Event{App: user.App, ID: store.ID(i), Owner: id, Verb: "like", CreatedAt: user.CreatedAt, UpdatedAt: user.CreatedAt})
		}
	}
	state.LastUser, state.LastEvent = first.ID+store.ID(users), store.ID(users)
	if err := server.Restore(state); err != nil {
		t.Fatal(err)
	}
}

// TestPopulatedTargetsAreJudgedAsEmptyOnes judges a server that many others use, as a staging system
// is. POPULATION sets how many, beside 10,000.
func TestPopulatedTargetsAreJudgedAsEmptyOnes(t *testing.T) {
	populations := []int{0, 10_000}
	if more := os.Getenv("POPULATION"); more != "" {
		n, err := strconv.Atoi(more)
		if err != nil {
			t.Fatal(err)
		}
		populations = append(populations, n)
	}
	for _, users := range populations {
		t.Run(strconv.Itoa(users), func(t *testing.T) {
			server := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
			if users > 0 {
				empty := server.State()
				crowded(t, server, users)
				defer func() { // else the index of a million users would still be made
					if err := server.Restore(empty); err != nil {
						t.Error(err)
					}
				}()
			}
			path := filepath.Join(t.TempDir(), "report.json")
			cmd := command(t, append(serve(t, server), "--settle", "2s", "--request-timeout", "60s", "--report", "json="+path)...)
			used := measured(t, cmd)
			start := time.Now()
			o := finish(t, cmd)
			o.read(t, path)
			o.wants(t, 0)
			r := o.report
			if r.Summary.Rules[result.Error]+r.Summary.Rules[result.Blocked]+r.Summary.Rules[result.Unstable] > 0 {
				t.Errorf("%v\n%v", r.Summary.Rules, o.troubles())
			}
			t.Logf("%d users: %s, %v, %d KiB, notes %q", users, time.Since(start).Round(time.Millisecond), r.Summary.Rules, used(), r.Notes)
			if most := used(); most > mostMemory {
				t.Errorf("took %d KiB", most)
			}
		})
	}
}
