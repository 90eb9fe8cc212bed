package faults_test

import (
	"fmt"
	"regexp"
	"sync"
	"time"
)

// request is a request that is to be sent beside others.
type request struct{ session, method, path, body string }

// atOnce sends requests at once, and returns the bodies of the answers; "failed"
// stands for that of a failure.
func (x *tour) atOnce(requests ...request) []string {
	x.t.Helper()
	var all sync.WaitGroup
	answers := make([]string, len(requests))
	for i, r := range requests {
		all.Go(func() {
			time.Sleep(time.Duration(i) * time.Millisecond)
			resp := x.exchange(r.session, r.method, r.path, r.body)
			if answers[i] = resp.Body.String(); resp.Code >= 500 {
				answers[i] = "failed"
			}
		})
	}
	all.Wait()
	return answers
}

// together sends requests at once; their order is open, and so not written down
// but for failures.
func (x *tour) together(requests ...request) (tokens []string) {
	x.t.Helper()
	for i, answer := range x.atOnce(requests...) {
		if answer == "failed" {
			x.say("%s %s failed beside another", requests[i].method, requests[i].path)
		}
		if token := sessionToken.FindStringSubmatch(answer); token != nil {
			tokens = append(tokens, token[1])
		}
		if id := createdID.FindString(answer); requests[i].path == "/0.2/users" {
			x.say("created %s", id)
		}
	}
	return tokens
}

// shown writes down what a reading has of a pattern, and nothing of the times.
func (x *tour) shown(u user, path, pattern string) {
	body := x.exchange(u.session, "GET", path, "").Body.String()
	x.say("%s has %v", path, regexp.MustCompile(pattern).FindAllString(body, -1))
}

var (
	createdID = regexp.MustCompile(`"id":\d+`)
	shownName = regexp.MustCompile(`"user_name":"[^"]*"`)
)

func concurrencyTour(x *tour) {
	x.quiet = true // holding operations open moves all times
	ann, bob := x.create("ann"), x.create("bob")
	me := func(body string) request {
		return request{ann.session, "PUT", "/0.2/user", `{"user_name":"ann",` + body + `}`}
	}
	x.together(me(`"first_name":"F"`), me(`"last_name":"L"`))
	x.shown(ann, "/0.2/user", `"(first|last)_name":"."`)
	follow := request{bob.session, "POST", "/0.2/user/connections", `{"user_to_id":` + ann.id + `,"type":"follow"}`}
	x.together(follow, follow)
	x.shown(bob, "/0.2/user/follows", `"user_name":"\w+"`)
	event := x.post(ann, `"verb":"v"`)
	path := "/0.2/user/events/" + event
	x.together(request{ann.session, "PUT", path, `{"location":"L"}`}, request{ann.session, "PUT", path, `{"priority":"P"}`})
	x.shown(bob, "/0.2/user/feed", `"(location|priority)":"."`)
	post := func(u user, verb string) request {
		return request{u.session, "POST", "/0.2/user/events", fmt.Sprintf(`{"verb":%q}`, verb)}
	}
	read := request{bob.session, "GET", "/0.2/user/feed", ""}
	x.together(post(ann, "one"), post(ann, "two"))
	x.shown(bob, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(post(ann, "three"), read)
	x.shown(bob, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(request{ann.session, "DELETE", path, ""}, request{ann.session, "PUT", path, `{"location":"M"}`}, request{ann.session, "DELETE", path, ""})
	x.shown(bob, "/0.2/user/feed", `"verb":"\w+"`)
	x.together(request{bob.session, "DELETE", "/0.2/user/connections/" + ann.id, ""}, post(ann, "four"))
	x.shown(bob, "/0.2/user/feed", `"verb":"\w+"`)
	befriend := func(from, to user) request {
		return request{from.session, "POST", "/0.2/user/connections", `{"user_to_id":` + to.id + `,"type":"friend"}`}
	}
	x.together(befriend(ann, bob), befriend(bob, ann))
	x.shown(ann, "/0.2/user/friends", `"user_name":"\w+"`)
	x.shown(bob, "/0.2/user/friends", `"user_name":"\w+"`)
	x.together(request{"", "POST", "/0.2/users", `{"user_name":"c1"}`}, request{"", "POST", "/0.2/users", `{"user_name":"c2"}`})
	login := func(name string) request {
		return request{"", "POST", "/0.2/user/login", fmt.Sprintf(`{"user_name":%q,"password":%q}`, name, password)}
	}
	for _, token := range x.together(login("ann"), login("bob")) {
		x.shown(user{session: token}, "/0.2/user", `"user_name":"\w+"`)
		logout := request{token, "DELETE", "/0.2/user/logout", ""}
		x.together(logout, request{token, "GET", "/0.2/user", ""}, logout)
		x.shown(user{session: token}, "/0.2/user", `"user_name":"\w+"`)
	}
	gone := x.create("gone")
	x.connect(bob, gone, "follow")
	tokens := x.together(request{gone.session, "DELETE", "/0.2/user", ""}, post(gone, "late"), login("gone"),
		request{ann.session, "POST", "/0.2/user/connections", `{"user_to_id":` + gone.id + `,"type":"follow"}`})
	x.shown(bob, "/0.2/user/feed", `"verb":"\w+"`)
	x.shown(ann, "/0.2/user/follows", `"user_name":"\w+"`)
	for _, token := range tokens {
		x.say("the feed of a deleted user: %d", x.exchange(token, "GET", "/0.2/user/feed", "").Code)
	}
	concurrencyOfFeeds(x)
	concurrencyOfUsers(x)
}
