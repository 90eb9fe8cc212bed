package wire

import (
	"encoding/json"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// own is what a run's users and events are known by: the ids that it was answered or asked for, and
// the names that it sent. The ids of users and of events may be the same numbers.
type own struct {
	mu     sync.RWMutex
	users  map[string]bool // ids, and names in lower case
	events map[string]bool // ids
}

// sends records what a request names, before it is sent.
func (o *own) sends(x *Exchange) {
	if strings.Contains(x.Endpoint.Path(), "{") {
		id, _ := url.PathUnescape(path.Base(x.URL.EscapedPath()))
		if x.Endpoint.ListsUsers() {
			id, _ = url.PathUnescape(path.Base(path.Dir(x.URL.EscapedPath())))
		}
		o.add(x.Endpoint.Answer().Resource == rules.Event || x.Endpoint == rules.DeleteEvent, id)
	}
	if x.Endpoint != rules.CreateUser && x.Endpoint != rules.UpdateMe {
		return
	}
	value, _ := x.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	o.add(false, strings.ToLower(sent.Text("user_name")))
}

// answered records what a successful answer is about.
func (o *own) answered(x *Exchange) {
	shape := x.Endpoint.Answer()
	if x.Err != nil || x.Status/100 != 2 || shape.List {
		return
	}
	value, _ := x.Value()
	got, _ := jsonvalue.AsRecord(value)
	o.add(shape.Resource == rules.Event, got.ID())
}

func (o *own) add(event bool, text string) {
	if text == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.users == nil {
		o.users, o.events = map[string]bool{}, map[string]bool{}
	}
	if event {
		o.events[text] = true
	} else {
		o.users[text] = true
	}
}

// has reports whether an element of a list is one of the run's users or events.
func (o *own) has(element []byte) bool {
	var is struct {
		ID       json.RawMessage `json:"id"`
		UserID   json.RawMessage `json:"user_id"`
		UserName json.RawMessage `json:"user_name"`
	}
	if json.Unmarshal(element, &is) != nil {
		return false
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	if is.UserID != nil {
		return o.users[plain(is.UserID)] || o.events[plain(is.ID)]
	}
	return o.users[plain(is.ID)] || o.users[strings.ToLower(plain(is.UserName))]
}

// plain is a JSON string or number as text.
func plain(value json.RawMessage) string {
	var text string
	if len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
