package conformance

import (
	"bytes"
	"net/http"
	"strconv"
)

// observation is an exchange as passive rules look at it: the body decoded once,
// the resources in it found.
type observation struct {
	*exchange
	value     any   // the decoded body
	broken    error // why there is none
	resources []resource
}

// kind is which of the contract's resources an object is.
type kind string

const (
	userKind       kind = "User"
	connectionKind kind = "Connection"
	eventKind      kind = "Event"
	objectKind     kind = "Object"
)

// resource is one object of the contract in a response.
type resource struct {
	kind   kind
	where  string // its place in the body, "" for the body itself
	record Record
}

func observe(x *exchange) *observation {
	o := &observation{exchange: x}
	if len(x.answered) == 0 {
		return o
	}
	if o.value, o.broken = decodeJSON(x.answered); o.broken == nil && x.status/100 == 2 {
		o.resources = resourcesIn(x, o.value)
	}
	return o
}

// resourcesIn finds the resources of a successful response by its endpoint.
func resourcesIn(x *exchange, value any) []resource {
	switch x.endpoint {
	case CreateUser, GetMe, UpdateMe, GetUser:
		return resourceAt(userKind, "", value)
	case Login:
		if withDetails, _ := strconv.ParseBool(x.url.Query().Get("withUserDetails")); withDetails {
			return resourceAt(userKind, "", value)
		}
	case SearchUsers, MyFollows, MyFollowers, MyFriends, FollowsOf, FollowersOf, FriendsOf:
		return resourcesOf(userKind, value)
	case CreateConnection:
		return resourceAt(connectionKind, "", value)
	case CreateEvent, UpdateEvent:
		return resourceAt(eventKind, "", value)
	case Feed:
		return resourcesOf(eventKind, value)
	}
	return nil
}

func resourcesOf(k kind, value any) []resource {
	list, _ := value.([]any)
	var found []resource
	for i, item := range list {
		found = append(found, resourceAt(k, "["+strconv.Itoa(i)+"]", item)...)
	}
	return found
}

func resourceAt(k kind, where string, value any) []resource {
	record, ok := asRecord(value)
	if !ok {
		return nil
	}
	found := []resource{{k, where, record}}
	if object, nested := asRecord(record["object"]); nested && k == eventKind {
		found = append(found, resource{objectKind, where + ".object", object})
	}
	return found
}

// has tells whether the response holds a resource of the kind.
func (o *observation) has(k kind) bool {
	for _, r := range o.resources {
		if r.kind == k {
			return true
		}
	}
	return false
}

// sentArray tells whether the request carried the field as an array: what comes
// back for it is then the target's choice.
func (o *observation) sentArray(field string) bool {
	value, err := decodeJSON(o.body)
	if err != nil {
		return false
	}
	record, _ := asRecord(value)
	_, is := record[field].([]any)
	return is
}

func (o *observation) refused() bool   { return o.status/100 == 4 }
func (o *observation) succeeded() bool { return o.status/100 == 2 }

// strayBody is what a target sent as the body of a 204, where HTTP has none.
func (o *observation) strayBody() string {
	if o.status != http.StatusNoContent {
		return ""
	}
	if length := o.answer.Get("Content-Length"); length != "" && length != "0" {
		return "Content-Length: " + length
	}
	if o.stray != nil {
		if behind := bytes.TrimSpace(o.stray.behindHeaders()); len(behind) > 0 && !bytes.Equal(behind, []byte("0")) {
			return cutText(string(behind), 80)
		}
	}
	return ""
}

// walk visits every object of a decoded body with its path; visit answers
// whether to go deeper.
func walk(value any, path string, visit func(path, key string, value any) bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			if visit(path, key, item) {
				walk(item, path+"."+key, visit)
			}
		}
	case []any:
		for i, item := range v {
			at := path + "[" + strconv.Itoa(i) + "]"
			if visit(at, "", item) {
				walk(item, at, visit)
			}
		}
	}
}

// clientsOwn tells fields whose contents are the client's: their keys and values
// say nothing about the target.
func clientsOwn(key string) bool {
	return key == "metadata" || key == "social_ids" || key == "display_name"
}
