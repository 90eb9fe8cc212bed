package model

import (
	"encoding/json"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

// thing names a user or an event.
type thing struct {
	app   string
	event bool
	id    string
}

// shadowed is a user or an event with what was written to it, and the wrong values that it
// was shown with, by field: where they come up again, what showed them first is to blame.
type shadowed struct {
	versions []version
	created  any // created_at in the answer to its create, nil where that is not known
	wrong    map[string]lawful
}

// version is what one write made of a thing. A field that is not in it is not known.
type version struct {
	fields   map[string]lawful
	from, to time.Time
	written  any // evidence
	certain  bool
}

// following is a shadow at one scenario.
type following struct {
	shadow  *Shadow
	things  map[thing]*shadowed
	holders map[[2]string]string // the user of a session, by its application and token
	refused map[string]lawful    // values that writes without success have sent, by field
	logins  *logins
}

// writes reports whether an endpoint writes users or events.
func writes(at rules.Endpoint) bool {
	switch at {
	case rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent:
		return true
	}
	return false
}

func ofEvents(at rules.Endpoint) bool {
	return at == rules.CreateEvent || at == rules.UpdateEvent || at == rules.Feed
}

// follow takes in what an exchange has written.
func (f *following) follow(x Sighting) {
	o := x.object()
	if token, _ := o["session_token"].(string); token != "" {
		f.holders[[2]string{x.App, token}] = idText(o["id"])
	}
	f.logins.follow(x, f.holders[[2]string{x.App, x.Session}])
	sent, _ := x.Sent.(map[string]any)
	if x.Endpoint == rules.ConnectSocial && (x.OK() || x.Doubtful) {
		f.named(x, sent)
	}
	if !writes(x.Endpoint) {
		return
	}
	if !x.OK() {
		for name, v := range sent {
			f.refused[name] = f.refused[name].or(v)
		}
	}
	id := idText(o["id"])
	switch {
	case id != "":
	case x.Endpoint == rules.UpdateMe:
		id = f.holders[[2]string{x.App, x.Session}]
	case x.Endpoint == rules.UpdateEvent:
		id = x.ID
	}
	if id == "" || !x.OK() && !x.Doubtful {
		return
	}
	key := thing{x.App, ofEvents(x.Endpoint), id}
	is := f.things[key]
	if is == nil {
		is = &shadowed{wrong: map[string]lawful{}}
		f.things[key] = is
	}
	if x.OK() && (x.Endpoint == rules.CreateUser || x.Endpoint == rules.CreateEvent) {
		is.created = o["created_at"]
	}
	v := version{fields: map[string]lawful{}, from: x.From, to: x.To, written: x.Evidence, certain: x.OK() && !x.Doubtful}
	for _, name := range fieldsOf(x.Endpoint) {
		value, wasSent := sent[name]
		switch {
		case wasSent && !documented(x.Endpoint, name, value):
		case x.Endpoint == rules.CreateUser || x.Endpoint == rules.CreateEvent:
			if wasSent {
				v.fields[name] = stated(name, value)
			}
		default:
			if known := is.after(name, value, wasSent); known != nil {
				v.fields[name] = known.only(valueOf(o, name))
			}
		}
	}
	is.versions = append(is.versions, v)
}

// named takes in what a user who connected by social ids may have as its own since.
func (f *following) named(x Sighting, sent Fields) {
	is := f.things[thing{x.App, false, f.holders[[2]string{x.App, x.Session}]}]
	if is == nil || len(is.versions) == 0 {
		return
	}
	latest := is.versions[len(is.versions)-1]
	if was, known := latest.fields["social_ids"]; known {
		latest.fields["social_ids"] = withPlatformID(was, sent)
	}
}

// after are the lawful values of a field after an update, nil where they are not known.
func (s *shadowed) after(name string, value any, sent bool) lawful {
	if len(s.versions) == 0 {
		if _, isMap := value.(map[string]any); sent && !isMap {
			return lawful{value}
		}
		return nil // what it is added to is not known
	}
	was, known := s.versions[len(s.versions)-1].fields[name]
	_, isMap := value.(map[string]any)
	switch {
	case !known && sent && !isMap:
		return lawful{value}
	case !known:
		return nil
	case sent:
		return replaced(name, was, value, Unknown)
	case name == "verb" || name == "user_name":
		return was
	}
	return omitted(was, Unknown, lawful{absent{}})
}

func fieldsOf(at rules.Endpoint) []string {
	if ofEvents(at) {
		return eventFields()
	}
	return []string{"user_name", "email", "custom_id", "first_name", "last_name", "url", "metadata", "social_ids"}
}

// documented reports whether a value has a type that the contract documents for a field.
func documented(at rules.Endpoint, name string, v any) bool {
	if blank(v) || v == nil {
		return false
	}
	switch gridFields()[at][name] {
	case aMap, socials:
		entries, ok := v.(map[string]any)
		for key, each := range entries {
			value, isText := each.(string)
			ok = ok && isText && composed(key) && composed(value)
		}
		return ok
	case aNumber:
		_, ok := v.(json.Number)
		return ok
	case anObject:
		o, ok := v.(map[string]any)
		_, named := o["id"].(string)
		return ok && named && composed(asText(v))
	}
	text, ok := v.(string)
	return ok && composed(text)
}

// composed reports whether a text is in Normalization Form C: what becomes of others is open.
func composed(text string) bool { return norm.NFC.IsNormalString(text) }
