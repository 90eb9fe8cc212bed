// Package seeds makes the seed of a fake from traffic with a real service: who is there, who is connected
// to whom, and what they did, under made-up names.
package seeds

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/rules"
)

// What a seed has at most. What comes after that is left out, and counted.
const (
	MaxUsers       = 1_000
	MaxConnections = 20_000
	MaxEvents      = 10_000
)

// Recorder gathers what answers show. Its methods may be called at the same time.
type Recorder struct {
	basePath string

	mu       sync.Mutex
	users    map[string]map[string]any // by id; nil for one that was only named
	order    []string                  // of their ids, as they were seen
	sessions map[string]string         // ids of users, by session token
	secrets  map[string]bool           // tokens and passwords that were seen
	edges    map[edge]bool
	edgeList []edge // in the order in which they were seen
	events   map[string]event
	eventIDs []string
	gone     map[string]bool // ids of users and events that were deleted
	left     int             // beyond the bounds
}

// edge is a connection between users.
type edge struct{ from, to, kind string }

// event is one as an answer showed it, with its author.
type event struct {
	by     string
	at     time.Time
	fields map[string]any
}

// NewRecorder makes a recorder of a service whose paths begin with a prefix.
func NewRecorder(basePath string) *Recorder {
	return &Recorder{basePath: basePath, users: map[string]map[string]any{}, sessions: map[string]string{}, secrets: map[string]bool{}, edges: map[edge]bool{},
		events: map[string]event{}, gone: map[string]bool{}}
}

// See learns from an exchange that succeeded.
func (r *Recorder) See(x *clients.Exchange) {
	at := x.Endpoint(r.basePath)
	if at == rules.NoEndpoint || x.Status/100 != 2 || x.Refused {
		return
	}
	plain, _ := x.Unpacked()
	var body any
	if len(plain) > 0 {
		decoder := json.NewDecoder(strings.NewReader(string(plain)))
		decoder.UseNumber()
		if decoder.Decode(&body) != nil {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	app, session := credentialsOf(x.Header)
	self := r.sessions[session]
	r.keepSecret(app)
	r.keepSecret(session)
	for _, record := range recordsIn(body) {
		r.keepSecret(text(record["session_token"]))
		r.keepSecret(text(record["password"]))
	}
	switch at.Answer().Resource {
	case rules.User:
		r.seeUsers(at, x, self, body)
	case rules.Connection:
		for _, record := range recordsIn(body) {
			r.connect(text(record["user_from_id"]), text(record["user_to_id"]), text(record["type"]))
		}
	case rules.Event:
		for _, record := range recordsIn(body) {
			r.happen(record)
		}
	}
	r.seeOther(at, x, self, body)
}

// seeUsers learns users, and connections from lists of them.
func (r *Recorder) seeUsers(at rules.Endpoint, x *clients.Exchange, self string, body any) {
	of := self
	if strings.Contains(at.Path(), "{UserID}") {
		of = r.parameter(x, at)
	}
	for _, record := range recordsIn(body) {
		id := text(record["id"])
		r.meet(id, record)
		switch path := at.Path(); {
		case at == rules.GetMe, at == rules.CreateUser:
			r.own(x, record, id)
		case strings.HasSuffix(path, "/follows"):
			r.connect(of, id, "follow")
		case strings.HasSuffix(path, "/followers"):
			r.connect(id, of, "follow")
		case strings.HasSuffix(path, "/friends"):
			r.connect(of, id, "friend")
		}
	}
}

// own learns whose a session is.
func (r *Recorder) own(x *clients.Exchange, record map[string]any, id string) {
	if token := text(record["session_token"]); token != "" {
		r.sessions[token] = id
	} else if _, token := credentialsOf(x.Header); token != "" && x.Method == http.MethodGet {
		r.sessions[token] = id
	}
}

// seeOther learns from logins and deletions.
func (r *Recorder) seeOther(at rules.Endpoint, x *clients.Exchange, self string, body any) {
	switch at {
	case rules.Login:
		for _, record := range recordsIn(body) {
			r.meet(text(record["id"]), record)
			r.own(x, record, text(record["id"]))
		}
	case rules.DeleteMe:
		r.gone[self] = self != ""
	case rules.DeleteEvent:
		r.gone[r.parameter(x, at)] = true
	case rules.DeleteConnection:
		other := r.parameter(x, at)
		for _, kind := range []string{"follow", "friend"} {
			delete(r.edges, edge{self, other, kind})
		}
	}
}

// meet learns a user, or more of one. A record without a name tells an id alone.
func (r *Recorder) meet(id string, record map[string]any) {
	if id == "" {
		return
	}
	known, there := r.users[id]
	switch {
	case !there && len(r.users) >= MaxUsers:
		r.left++
		return
	case !there:
		r.order = append(r.order, id)
	}
	if record["user_name"] == nil && known != nil {
		return
	}
	r.users[id] = record
}

func (r *Recorder) connect(from, to, kind string) {
	e := edge{from, to, kind}
	switch {
	case from == "" || to == "" || from == to || r.edges[e] || kind != "follow" && kind != "friend":
		return
	case len(r.edgeList) >= MaxConnections:
		r.left++
		return
	}
	r.meet(from, nil)
	r.meet(to, nil)
	r.edges[e] = true
	r.edgeList = append(r.edgeList, e)
}

func (r *Recorder) happen(record map[string]any) {
	id, by := text(record["id"]), text(record["user_id"])
	at, err := time.Parse(time.RFC3339, text(record["created_at"]))
	if id == "" || by == "" || err != nil || text(record["verb"]) == "" {
		return
	}
	if _, there := r.events[id]; !there {
		if len(r.events) >= MaxEvents {
			r.left++
			return
		}
		r.eventIDs = append(r.eventIDs, id)
	}
	r.meet(by, nil)
	r.events[id] = event{by, at, record}
}

// parameter is the id in the path of a request.
func (r *Recorder) parameter(x *clients.Exchange, at rules.Endpoint) string {
	path, _, _ := strings.Cut(x.Target, "?")
	before, after, _ := strings.Cut(at.Path(), "{")
	_, after, _ = strings.Cut(after, "}")
	path = strings.TrimPrefix(path, strings.TrimSuffix(r.basePath, "/")+before)
	return strings.TrimSuffix(path, after)
}

// maxSecrets bounds how many secrets are remembered.
const maxSecrets = 100_000

// keepSecret remembers a secret, which a seed must not hold even where it could be a plain word.
func (r *Recorder) keepSecret(secret string) {
	if secret != "" && len(r.secrets) < maxSecrets {
		r.secrets[secret] = true
	}
}

// credentialsOf are the app token and the session token of a request, "" for none.
func credentialsOf(h http.Header) (app, session string) {
	encoded, _ := strings.CutPrefix(h.Get("Authorization"), "Basic ")
	plain, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", ""
	}
	app, session, _ = strings.Cut(string(plain), ":")
	return app, session
}

// recordsIn are the objects of a list, or the one object that a body is.
func recordsIn(body any) (all []map[string]any) {
	list, is := body.([]any)
	if !is {
		list = []any{body}
	}
	for _, item := range list {
		if record, ok := item.(map[string]any); ok {
			all = append(all, record)
		}
	}
	return all
}

// text is a text, or a number as text.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}
