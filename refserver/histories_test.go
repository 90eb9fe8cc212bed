package refserver_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
)

// historiesVariable says how many operations the histories are to have; without
// it they have a small share of what `make histories` does.
const historiesVariable = "HISTORIES"

// TestHistories has clients call all endpoints at once, logouts and deletions
// among them and bodies that come late, and asks porcupine whether the answers
// could have come from one client after another.
func TestHistories(t *testing.T) {
	operations := testkit.Number(t, historiesVariable, 20_000)
	kinds := map[string]refserver.Choices{
		"default":        {},
		"single-session": {SingleSession: true, SessionsEnd: refserver.ByPasswordChange},
		"wary-sessions":  {LogoutEverywhere: true, SessionsEnd: refserver.ByAnyUpdate},
		"unique-names":   {UniqueUserNames: true},
		"mutual-friends": {MutualFriends: true, FriendsFollow: true, OwnEvents: true},
	}
	for name, choices := range kinds {
		t.Run(name, func(t *testing.T) {
			server, err := refserver.New(refserver.Options{
				AppTokens: []string{appToken}, RateLimit: -1, PasswordCost: 1, AllowPlainHTTP: true, Choices: choices,
			})
			if err != nil {
				t.Fatal(err)
			}
			done, illegal := 0, 0
			for number := 0; done < operations/len(kinds); number++ {
				round := newRound(server, uint64(number))
				history := round.play()
				done += len(history)
				result, info := porcupine.CheckOperationsVerbose(model(choices), history, 10*time.Second)
				if result == porcupine.Ok {
					continue
				}
				if illegal++; illegal == 1 {
					t.Errorf("round %d is %s: %s", number, result, visualized(t, choices, info))
				}
			}
			t.Logf("%d operations, %d illegal rounds", done, illegal)
		})
	}
}

// visualized writes what porcupine found to a file and names it.
func visualized(t *testing.T, choices refserver.Choices, info porcupine.LinearizationInfo) string {
	path := filepath.Join(os.TempDir(), "history-"+strings.ReplaceAll(t.Name(), "/", "-")+".html")
	if err := porcupine.VisualizePath(model(choices), info, path); err != nil {
		return err.Error()
	}
	return path
}

// round is one short history: a few clients, and users that no other round has.
type round struct {
	server http.Handler
	seed   uint64
	start  time.Time

	mu      sync.Mutex
	history []porcupine.Operation
	tokens  []string
	users   []string
	events  []string
}

func newRound(server http.Handler, seed uint64) *round {
	return &round{server: server, seed: seed, start: time.Now()}
}

// play lets the clients loose, and deletes in the end what they left.
func (r *round) play() []porcupine.Operation {
	const clients, each = 4, 9
	dice := rand.New(rand.NewPCG(r.seed, clients))
	for range 3 {
		r.do(0, r.creation(dice, true), 0)
	}
	var work sync.WaitGroup
	for client := range clients {
		work.Go(func() {
			dice := rand.New(rand.NewPCG(r.seed, uint64(client)))
			for range each {
				r.do(client, r.draw(dice), dice.IntN(40))
			}
		})
	}
	work.Wait()
	for _, token := range r.tokens {
		r.do(0, asked{endpoint: 6, token: token}, 0)
	}
	return r.history
}

// do sends a request and notes what came of it. Its body comes after others had
// the given number of chances to run.
func (r *round) do(client int, in asked, late int) {
	request := wireRequest(in, late)
	recorder := httptest.NewRecorder()
	call := time.Since(r.start).Nanoseconds()
	r.server.ServeHTTP(recorder, request)
	back := time.Since(r.start).Nanoseconds()
	out := decodeAnswer(in.endpoint, recorder)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{ClientId: client, Input: in, Call: call, Output: out, Return: back})
	if out.token != "" {
		r.tokens = append(r.tokens, out.token)
	}
	switch {
	case in.endpoint == 1 && out.status == 201:
		r.users = append(r.users, out.id)
	case in.endpoint == 18 && out.status == 201:
		r.events = append(r.events, out.id)
	}
}
