package proof_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// crowd are clients that do anything at the same time, as one another too.
type crowd struct {
	t       *testing.T
	watched http.Handler
	unseen  http.Handler // where some requests go instead, nil for none
	mu      sync.Mutex
	people  []*someone
	names   int
	seen    atomic.Int64 // exchanges that were watched
}

// someone is a user of the service, as its clients know it.
type someone struct {
	id, name, password string
	sessions, events   []string
}

const (
	crowdToken   = "first-application-token"
	mostPeople   = 12
	mostSessions = 4
)

// act does one thing that comes to mind.
func (c *crowd) act(ctx context.Context, r *rand.Rand) {
	me, other := c.pick(r), c.pick(r)
	if me == nil || other == nil || r.IntN(40) == 0 {
		c.join(ctx, r)
		return
	}
	session, text := c.sessionOf(r, me), fmt.Sprint("text ", r.IntN(1000))
	kind := []string{"follow", "follow", "friend"}[r.IntN(3)]
	switch r.IntN(22) {
	case 0, 1, 2, 3:
		answer := c.send(ctx, r, "POST", "/0.2/user/events", session, map[string]any{"verb": text, "location": "here", "metadata": map[string]any{"k": text}})
		c.hasEvent(me, textOf(answer["id"]))
	case 4:
		if event := c.eventOf(r, me); event != "" {
			c.send(ctx, r, "PUT", "/0.2/user/events/"+event, session, map[string]any{"verb": text, "priority": "high"})
		}
	case 5:
		if event := c.eventOf(r, me); event != "" {
			c.send(ctx, r, "DELETE", "/0.2/user/events/"+event, session, nil)
		}
	case 6, 7:
		c.send(ctx, r, "POST", "/0.2/user/connections", session, map[string]any{"user_to_id": other.id, "type": kind})
	case 8:
		c.send(ctx, r, "DELETE", "/0.2/user/connections/"+other.id, session, nil)
	case 9:
		if r.IntN(4) == 0 {
			c.send(ctx, r, "POST", "/0.2/user/connections/social", session,
				map[string]any{"platform": "net", "type": kind, "platform_user_id": me.name, "connection_ids": []string{other.name, "nobody"}})
		}
	case 10:
		c.send(ctx, r, "PUT", "/0.2/user", session, map[string]any{"user_name": me.name, "password": me.password, "email": me.name + "@example.com", "first_name": text})
	case 11, 12:
		answer := c.send(ctx, r, "POST", "/0.2/user/login"+[]string{"", "?withUserDetails=true"}[r.IntN(2)], "", map[string]any{"user_name": me.name, "password": me.password})
		c.hasSession(me, textOf(answer["id"]), textOf(answer["session_token"]))
	case 13:
		if r.IntN(3) == 0 {
			c.send(ctx, r, "DELETE", "/0.2/user/logout", session, nil)
		}
	case 14:
		if r.IntN(4) == 0 {
			c.send(ctx, r, "DELETE", "/0.2/user", session, nil)
			c.leave(r, me)
		}
	case 15:
		c.send(ctx, r, "GET", "/0.2/user", session, nil)
	case 16:
		c.send(ctx, r, "GET", "/0.2/users/"+other.id, session, nil)
	case 17:
		c.send(ctx, r, "GET", "/0.2/users/search?q="+other.name[:3], session, nil)
	case 18:
		list := []string{"follows", "followers", "friends"}[r.IntN(3)]
		c.send(ctx, r, "GET", []string{"/0.2/user/", "/0.2/users/" + other.id + "/"}[r.IntN(2)]+list, session, nil)
	default:
		c.send(ctx, r, "GET", "/0.2/user/feed", session, nil)
	}
}

func (c *crowd) join(ctx context.Context, r *rand.Rand) {
	c.mu.Lock()
	c.names++
	who := &someone{name: fmt.Sprintf("user%06d", c.names), password: "0123456789abcdef0123456789abcdef"}
	c.mu.Unlock()
	answer := c.send(ctx, r, "POST", "/0.2/users?withLogin=true", "",
		map[string]any{"user_name": who.name, "password": who.password, "email": who.name + "@example.com", "social_ids": map[string]any{"net": who.name}})
	if who.id = textOf(answer["id"]); who.id == "" {
		return
	}
	who.sessions = []string{textOf(answer["session_token"])}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.people = append(c.people, who); len(c.people) > mostPeople {
		c.people = c.people[1:] // who stays there, and acts no more
	}
}

func (c *crowd) leave(r *rand.Rand, who *someone) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.IntN(4) > 0 { // others of its clients go on for a while
		c.people = slices.DeleteFunc(c.people, func(each *someone) bool { return each == who })
	}
}

func (c *crowd) pick(r *rand.Rand) *someone {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.people) == 0 {
		return nil
	}
	return c.people[r.IntN(len(c.people))]
}

func (c *crowd) sessionOf(r *rand.Rand, who *someone) string { return c.one(r, &who.sessions) }
func (c *crowd) eventOf(r *rand.Rand, who *someone) string   { return c.one(r, &who.events) }

func (c *crowd) one(r *rand.Rand, of *[]string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*of) == 0 {
		return ""
	}
	return (*of)[r.IntN(len(*of))]
}

func (c *crowd) hasEvent(who *someone, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id != "" {
		who.events = append(who.events, id)
		who.events = who.events[max(0, len(who.events)-mostSessions):]
	}
}

func (c *crowd) hasSession(who *someone, id, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == who.id && token != "" {
		who.sessions = append(who.sessions, token)
		who.sessions = who.sessions[max(0, len(who.sessions)-mostSessions):]
	}
}

// send sends a request to the service, some past the one who watches, and returns the object that is answered.
func (c *crowd) send(ctx context.Context, r *rand.Rand, method, path, session string, body any) map[string]any {
	var sent bytes.Buffer
	if body != nil {
		must(c.t, json.NewEncoder(&sent).Encode(body))
	}
	request := httptest.NewRequestWithContext(ctx, method, "https://feeds.example"+path, &sent)
	request.RequestURI, request.TLS = path, &tls.ConnectionState{} // as a server has them
	request.RemoteAddr = fmt.Sprintf("127.0.0.1:%d", 1024+r.IntN(60000))
	request.SetBasicAuth(crowdToken, session)
	request.Header.Set("User-Agent", "crowd/1.0")
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	} else {
		request.Body, request.ContentLength = http.NoBody, 0
	}
	to := c.watched
	if c.unseen != nil && r.IntN(3) == 0 {
		to = c.unseen
	} else {
		c.seen.Add(1)
	}
	answer := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // the connection broke
		to.ServeHTTP(answer, request)
	}()
	var object map[string]any
	decoder := json.NewDecoder(answer.Body)
	decoder.UseNumber()
	_ = decoder.Decode(&object) // lists and refusals are of no use to it
	return object
}

func textOf(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
