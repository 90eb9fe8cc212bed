package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// service is the service over a store. Keys read user/ID, name/NAME, session/TOKEN, link/FROM/TO,
// back/TO/FROM and event/OWNER/ID.
type service struct {
	store    store
	appToken string
}

type fields map[string]any

// status is an answer without a body.
type status int

func (s status) Error() string { return strconv.Itoa(int(s)) }

// call is a request in its transaction, with the user of its session, "" for none.
type call struct {
	tx
	*http.Request
	user, token string
	body        fields
}

func (s service) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, session bool, act func(*call) (int, any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, session, act) })
	}
	handle("GET /versions", false, func(*call) (int, any, error) {
		return 200, []fields{{"version": "0.2", "status": "current"}}, nil
	})
	handle("POST /0.2/users", false, (*call).createUser)
	handle("POST /0.2/user/login", false, (*call).logIn)
	handle("DELETE /0.2/user/logout", true, func(c *call) (int, any, error) { return 204, nil, c.remove("session/" + c.token) })
	handle("GET /0.2/user", true, func(c *call) (int, any, error) { return c.shown(c.user) })
	handle("PUT /0.2/user", true, (*call).updateUser)
	handle("DELETE /0.2/user", true, (*call).deleteUser)
	handle("GET /0.2/users/search", true, (*call).search)
	handle("GET /0.2/users/{id}", true, func(c *call) (int, any, error) { return c.shown(c.PathValue("id")) })
	handle("GET /0.2/users/{id}/follows", true, func(c *call) (int, any, error) { return c.list("link/" + c.PathValue("id") + "/") })
	handle("GET /0.2/users/{id}/followers", true, func(c *call) (int, any, error) { return c.list("back/" + c.PathValue("id") + "/") })
	handle("POST /0.2/user/connections", true, (*call).connect)
	handle("DELETE /0.2/user/connections/{id}", true, func(c *call) (int, any, error) { return 204, nil, c.unlink(c.user, c.PathValue("id")) })
	handle("POST /0.2/user/events", true, (*call).post)
	handle("PUT /0.2/user/events/{id}", true, (*call).edit)
	handle("DELETE /0.2/user/events/{id}", true, func(c *call) (int, any, error) {
		if _, err := c.object(c.eventKey()); err != nil {
			return 0, nil, err
		}
		return 204, nil, c.remove(c.eventKey())
	})
	handle("GET /0.2/user/feed", true, (*call).feed)
	return mux
}

// serve serves a request in one transaction.
func (s service) serve(w http.ResponseWriter, r *http.Request, session bool, act func(*call) (int, any, error)) {
	code, answer := 0, any(nil)
	err := s.store.do(r.Method != http.MethodGet, func(t tx) error {
		c := &call{tx: t, Request: r}
		app, token, _ := r.BasicAuth()
		if r.URL.Path != "/versions" && app != s.appToken {
			return status(401)
		}
		if session {
			user, err := c.get("session/" + token)
			if err != nil {
				return err
			}
			if c.user, c.token = string(user), token; len(user) == 0 {
				return status(401)
			}
		}
		const most = 1 << 20
		if content, err := io.ReadAll(io.LimitReader(r.Body, most)); err != nil || len(content) > 0 && json.Unmarshal(content, &c.body) != nil {
			return status(400)
		}
		var err error
		code, answer, err = act(c)
		return err
	})
	if refused, is := errors.AsType[status](err); is {
		code, answer = int(refused), fields{}
	} else if err != nil {
		code, answer = 500, fields{}
	}
	if code == 204 {
		w.WriteHeader(code)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer) // the client's error
}

// object reads an object; that there is none is a 404.
func (c *call) object(key string) (fields, error) {
	text, err := c.get(key)
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, status(404)
	}
	var f fields
	return f, json.Unmarshal(text, &f)
}

func (c *call) keep(key string, f fields) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return c.put(key, text)
}

// next is an id that was never given.
func (c *call) next() (string, error) {
	last, err := c.get("last")
	if err != nil {
		return "", err
	}
	n, _ := strconv.Atoi(string(last)) // 0 at first
	text := fmt.Sprintf("%08d", n+1)
	return text, c.put("last", []byte(text))
}

func now() string { return time.Now().UTC().Format(time.RFC3339Nano) }

func (c *call) createUser() (int, any, error) {
	name, _ := c.body["user_name"].(string)
	if taken, err := c.get("name/" + name); err != nil || taken != nil || name == "" {
		return 0, nil, errors.Join(err, status(409))
	}
	id, err := c.next()
	if err != nil {
		return 0, nil, err
	}
	f := maps.Clone(c.body)
	f["id"], f["enabled"], f["created_at"], f["updated_at"] = id, true, now(), now()
	if err := errors.Join(c.keep("user/"+id, f), c.put("name/"+name, []byte(id))); err != nil {
		return 0, nil, err
	}
	delete(f, "password")
	if c.URL.Query().Get("withLogin") == "true" {
		f["session_token"], err = c.open(id)
	}
	return 201, f, err
}

func (c *call) open(user string) (string, error) {
	token := rand.Text()
	return token, c.put("session/"+token, []byte(user))
}

func (c *call) logIn() (int, any, error) {
	name, _ := c.body["user_name"].(string)
	id, err := c.get("name/" + name)
	if err != nil || id == nil {
		return 0, nil, errors.Join(err, status(401))
	}
	f, err := c.object("user/" + string(id))
	if err != nil || f["password"] != c.body["password"] {
		return 0, nil, errors.Join(err, status(401))
	}
	token, err := c.open(string(id))
	return 200, fields{"id": string(id), "session_token": token}, err
}

func (c *call) shown(id string) (int, any, error) {
	f, err := c.object("user/" + id)
	delete(f, "password")
	return 200, f, err
}

func (c *call) updateUser() (int, any, error) {
	f, err := c.object("user/" + c.user)
	if err != nil {
		return 0, nil, err
	}
	for _, name := range []string{"first_name", "metadata", "password", "email"} {
		if value, given := c.body[name]; given {
			f[name] = value
		}
	}
	f["updated_at"] = now()
	err = c.keep("user/"+c.user, f)
	delete(f, "password")
	return 201, f, err
}

func (c *call) deleteUser() (int, any, error) {
	f, err := c.object("user/" + c.user)
	if err != nil {
		return 0, nil, err
	}
	name, _ := f["user_name"].(string)
	gone := []string{"user/" + c.user, "name/" + name}
	events, err := c.keys("event/" + c.user + "/")
	gone = append(gone, events...)
	for _, prefix := range []string{"link/", "back/"} {
		others, failed := c.keys(prefix + c.user + "/")
		err = errors.Join(err, failed)
		for _, key := range others {
			other := key[strings.LastIndex(key, "/")+1:]
			back := map[string]string{"link/": "back/", "back/": "link/"}[prefix]
			gone = append(gone, key, back+other+"/"+c.user)
		}
	}
	sessions, failed := c.keys("session/")
	err = errors.Join(err, failed)
	for _, key := range sessions {
		if user, _ := c.get(key); string(user) == c.user {
			gone = append(gone, key)
		}
	}
	for _, key := range gone {
		err = errors.Join(err, c.remove(key))
	}
	return 204, nil, err
}

func (c *call) search() (int, any, error) {
	term := strings.ToLower(c.URL.Query().Get("q"))
	names, err := c.keys("name/")
	all := []fields{}
	for _, key := range names {
		if strings.Contains(strings.ToLower(strings.TrimPrefix(key, "name/")), term) {
			id, _ := c.get(key)
			f, missing := c.object("user/" + string(id))
			delete(f, "password")
			all, err = append(all, f), errors.Join(err, missing)
		}
	}
	return 200, all, err
}

func (c *call) list(prefix string) (int, any, error) {
	keys, err := c.keys(prefix)
	all := []fields{}
	for _, key := range keys {
		f, missing := c.object("user/" + key[strings.LastIndex(key, "/")+1:])
		delete(f, "password")
		all, err = append(all, f), errors.Join(err, missing)
	}
	return 200, all, err
}

func (c *call) connect() (int, any, error) {
	to, _ := c.body["user_to_id"].(string)
	if _, err := c.object("user/" + to); err != nil {
		return 0, nil, err
	}
	f := fields{"user_from_id": c.user, "user_to_id": to, "type": c.body["type"], "enabled": true, "created_at": now(), "updated_at": now()}
	return 201, f, errors.Join(c.keep("link/"+c.user+"/"+to, f), c.put("back/"+to+"/"+c.user, []byte("{}")))
}

func (c *call) unlink(from, to string) error {
	return errors.Join(c.remove("link/"+from+"/"+to), c.remove("back/"+to+"/"+from))
}

func (c *call) eventKey() string { return "event/" + c.user + "/" + c.PathValue("id") }

func (c *call) post() (int, any, error) {
	id, err := c.next()
	if err != nil {
		return 0, nil, err
	}
	f := maps.Clone(c.body)
	f["id"], f["user_id"], f["enabled"], f["created_at"], f["updated_at"] = id, c.user, true, now(), now()
	return 201, f, c.keep("event/"+c.user+"/"+id, f)
}

func (c *call) edit() (int, any, error) {
	f, err := c.object(c.eventKey())
	if err != nil {
		return 0, nil, err
	}
	maps.Copy(f, c.body)
	f["id"], f["updated_at"] = c.PathValue("id"), now()
	return 200, f, c.keep(c.eventKey(), f)
}

func (c *call) feed() (int, any, error) {
	links, err := c.keys("link/" + c.user + "/")
	all := []fields{}
	for _, key := range links {
		events, failed := c.keys("event/" + key[strings.LastIndex(key, "/")+1:] + "/")
		err = errors.Join(err, failed)
		for _, key := range events {
			f, missing := c.object(key)
			all, err = append(all, f), errors.Join(err, missing)
		}
	}
	slices.SortFunc(all, func(a, b fields) int { return strings.Compare(b["id"].(string), a["id"].(string)) })
	return 200, all, err
}
