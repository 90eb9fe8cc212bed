package refserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
)

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
