package refserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/socialfeed/conform/refserver"
)

// historiesVariable says how many operations the histories are to have; without
// it they have a small share of what `make histories` does.
const historiesVariable = "HISTORIES"

// TestHistories has clients call all endpoints at once, logouts and deletions
// among them and bodies that come late, and asks porcupine whether the answers
// could have come from one client after another.
func TestHistories(t *testing.T) {
	operations := 20_000
	if text := os.Getenv(historiesVariable); text != "" {
		var err error
		if operations, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
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

// name draws a name that other rounds do not have, often one that is taken.
func (r *round) name(dice *rand.Rand) string {
	return fmt.Sprintf("round%dname%d.", r.seed, dice.IntN(3))
}

func (r *round) creation(dice *rand.Rand, withLogin bool) asked {
	return asked{endpoint: 1, name: r.name(dice), first: r.first(dice), password: password(dice), social: r.social(dice), more: withLogin}
}

func (r *round) first(dice *rand.Rand) string {
	return fmt.Sprintf("round%dfirst%d.", r.seed, dice.IntN(2))
}

func (r *round) social(dice *rand.Rand) string {
	return fmt.Sprintf("round%dsocial%d", r.seed, dice.IntN(3))
}

func password(dice *rand.Rand) string { return fmt.Sprint("password", dice.IntN(2)) }

// draw draws a request, about what the clients have seen so far.
func (r *round) draw(dice *rand.Rand) asked {
	r.mu.Lock()
	defer r.mu.Unlock()
	pick := func(from []string) string {
		if len(from) == 0 {
			return "1"
		}
		return from[dice.IntN(len(from))]
	}
	typ := []string{"follow", "friend"}[dice.IntN(2)]
	endpoints := []int{1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 9, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 18, 18, 19, 20, 21, 21, 22}
	in := asked{endpoint: endpoints[dice.IntN(len(endpoints))], token: pick(r.tokens), target: pick(r.users), more: dice.IntN(2) == 0}
	switch in.endpoint {
	case 1:
		in = r.creation(dice, in.more)
	case 2:
		in.name, in.password = r.name(dice), password(dice)
	case 5:
		in.name, in.first, in.password = r.name(dice), r.first(dice), password(dice)
	case 8:
		in.term = []string{r.name(dice), r.first(dice)}[dice.IntN(2)]
	case 9:
		in.typ = typ
	case 10:
		in.typ = []string{"", typ}[dice.IntN(2)]
	case 17:
		in.typ, in.ids = typ, []string{r.social(dice), r.social(dice)}
	case 18:
		in.verb = fmt.Sprint("verb", dice.IntN(3))
	case 19, 20:
		in.target, in.verb = pick(r.events), fmt.Sprint("changed", dice.IntN(3))
	}
	return in
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

// lateBody comes only after others had their turns.
type lateBody struct {
	io.Reader
	turns int
}

func (b *lateBody) Read(p []byte) (int, error) {
	for ; b.turns > 0; b.turns-- {
		runtime.Gosched()
	}
	return b.Reader.Read(p)
}

// wireRequest writes a request as the contract has it.
func wireRequest(in asked, late int) *http.Request {
	method, path, body := wire(in)
	var content []byte
	if body != nil {
		content, _ = json.Marshal(body) // strings alone
	}
	request := httptest.NewRequest(method, path, &lateBody{bytes.NewReader(content), late})
	request.ContentLength = int64(len(content))
	request.SetBasicAuth(appToken, in.token)
	request.Header.Set("User-Agent", "histories/1")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request
}

func wire(in asked) (method, path string, body object) {
	query := map[int]string{1: "?withLogin=true", 2: "?withUserDetails=true"}[in.endpoint]
	if !in.more {
		query = ""
	}
	if in.endpoint == 10 && in.typ != "" {
		query = "?type=" + in.typ
	}
	switch in.endpoint {
	case 1:
		return "POST", "/0.2/users" + query, object{"user_name": in.name, "first_name": in.first, "password": in.password, "social_ids": object{"net": in.social}}
	case 2:
		return "POST", "/0.2/user/login" + query, object{"user_name": in.name, "password": in.password}
	case 3:
		return "DELETE", "/0.2/user/logout", nil
	case 4:
		return "GET", "/0.2/user", nil
	case 5:
		return "PUT", "/0.2/user", object{"user_name": in.name, "first_name": in.first, "password": in.password}
	case 6:
		return "DELETE", "/0.2/user", nil
	case 7:
		return "GET", "/0.2/users/" + in.target, nil
	case 8:
		return "GET", "/0.2/users/search?q=" + in.term, nil
	case 9:
		return "POST", "/0.2/user/connections", object{"user_to_id": in.target, "type": in.typ}
	case 10:
		return "DELETE", "/0.2/user/connections/" + in.target + query, nil
	case 11, 12, 13:
		return "GET", "/0.2/user/" + []string{"follows", "followers", "friends"}[in.endpoint-11], nil
	case 14, 15, 16:
		return "GET", "/0.2/users/" + in.target + "/" + []string{"follows", "followers", "friends"}[in.endpoint-14], nil
	case 17:
		return "POST", "/0.2/user/connections/social", object{"platform": "net", "platform_user_id": "x", "type": in.typ, "connection_ids": in.ids}
	case 18:
		return "POST", "/0.2/user/events", object{"verb": in.verb}
	case 19:
		return "PUT", "/0.2/user/events/" + in.target, object{"verb": in.verb}
	case 20:
		return "DELETE", "/0.2/user/events/" + in.target, nil
	case 21:
		return "GET", "/0.2/user/feed", nil
	default:
		return "GET", "/versions", nil
	}
}

// resource is any resource of the contract, as far as the model compares it.
type resource struct {
	ID           json.RawMessage `json:"id"`
	UserName     string          `json:"user_name"`
	FirstName    string          `json:"first_name"`
	LastLogin    string          `json:"last_login"`
	SessionToken string          `json:"session_token"`
	UserID       json.RawMessage `json:"user_id"`
	Verb         string          `json:"verb"`
}

func (x resource) id() string { return strings.Trim(string(x.ID), `"`) }

func (x resource) describe() string {
	if x.Verb != "" {
		return describeEvent(x.id(), string(x.UserID), x.Verb)
	}
	return describeUser(x.id(), x.UserName, x.FirstName, !strings.HasPrefix(x.LastLogin, "0000"))
}

// decodeAnswer reads an answer; one that is no JSON has no status that the model allows.
func decodeAnswer(endpoint int, recorder *httptest.ResponseRecorder) got {
	out := got{status: recorder.Code}
	text := recorder.Body.Bytes()
	if recorder.Code >= 300 || len(text) == 0 || endpoint == 22 {
		return out
	}
	var list []resource
	if text[0] != '[' {
		text = []byte("[" + string(text) + "]")
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return got{}
	}
	if len(list) == 1 {
		out.id, out.token = list[0].id(), list[0].SessionToken
	}
	for _, x := range list {
		if x.UserName != "" || x.Verb != "" {
			out.items = append(out.items, x.describe())
		}
	}
	return out
}
