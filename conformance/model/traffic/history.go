package traffic

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

// resource identifies a user or an event.
type resource struct {
	app   string
	event bool
	id    string
}

// resourceHistory is what was written to a user or an event, and the wrong values that it was
// shown with, by field: the first exchange that shows a wrong value is to blame.
type resourceHistory struct {
	versions    []version
	created     any // created_at in the answer to its create, nil where that is not known
	wrongValues map[string]value.Set
	born        bool      // its create was seen
	unclear     bool      // a write of unknown outcome may come into effect at any time
	forgotten   time.Time // when the latest of the forgotten versions was replaced
}

// version is a resource after one write. A field that is not in it is unknown.
type version struct {
	fields   map[string]value.Set
	from, to time.Time
	written  any // evidence
	certain  bool
}

// scenarioTraffic is the state of a Checker within one scenario, or over the whole stream of
// exchanges that a Follower sees.
type scenarioTraffic struct {
	checker      *Checker
	facts        *facts // of a Follower, nil within a scenario
	resources    map[resource]*resourceHistory
	sessionUsers map[[2]string]string // the user of a session, by its application and token
	refused      map[string]value.Set // values in writes that did not succeed, by field
	logins       *logins
	connections  map[connection][]string // the kinds that were asked for so far
	social       map[[2]string]bool      // the users, by application, who connected by social ids
}

func newScenarioTraffic(s *Checker) *scenarioTraffic {
	return &scenarioTraffic{checker: s, resources: map[resource]*resourceHistory{}, sessionUsers: map[[2]string]string{}, refused: map[string]value.Set{}, logins: newLogins(),
		connections: map[connection][]string{}, social: map[[2]string]bool{}}
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

// record records what an exchange has written.
func (f *scenarioTraffic) record(x Observation) {
	o := x.Object()
	if token, _ := o["session_token"].(string); token != "" {
		f.sessionUsers[[2]string{x.App, token}] = value.ID(o["id"])
	}
	f.logins.record(x, f.sessionUsers[[2]string{x.App, x.Session}])
	f.recordWrite(x)
}

// recordWrite records what an exchange has written to users and events.
func (f *scenarioTraffic) recordWrite(x Observation) {
	sent, _ := x.Sent.(map[string]any)
	if x.Endpoint == rules.ConnectSocial && (x.OK() || x.Doubtful) {
		f.recordPlatformID(x, sent)
	}
	if !writes(x.Endpoint) {
		return
	}
	if !x.OK() {
		for name, v := range sent {
			f.refused[name] = f.refused[name].Or(v)
		}
	}
	f.addVersion(x, sent)
}

// addVersion adds the version that an exchange has written of a user or an event.
func (f *scenarioTraffic) addVersion(x Observation, sent value.Fields) {
	o := x.Object()
	id := value.ID(o["id"])
	switch {
	case id != "":
	case x.Endpoint == rules.UpdateMe:
		id = f.sessionUsers[[2]string{x.App, x.Session}]
	case x.Endpoint == rules.UpdateEvent:
		id = x.ID
	}
	if id == "" || !x.OK() && !x.Doubtful {
		return
	}
	key := resource{x.App, ofEvents(x.Endpoint), id}
	history := f.resources[key]
	if history == nil {
		history = &resourceHistory{wrongValues: map[string]value.Set{}}
		f.resources[key] = history
	}
	if x.OK() && (x.Endpoint == rules.CreateUser || x.Endpoint == rules.CreateEvent) {
		history.created, history.born = o["created_at"], true
	}
	history.add(x, sent, f.checker.types[x.Endpoint])
}

// add adds the version that a write makes. Which of two writes at the same time came last is not known:
// neither of them is certain.
func (s *resourceHistory) add(x Observation, sent value.Fields, types map[string]rules.Type) {
	added := s.next(x, sent, types)
	for i := range s.versions {
		if v := &s.versions[i]; v.to.After(x.From) {
			v.certain = false
			added = version{from: x.From, to: x.To, written: x.Evidence}
		}
	}
	s.versions = append(s.versions, added)
}

// next returns the version that a write makes of the resource.
func (s *resourceHistory) next(x Observation, sent value.Fields, types map[string]rules.Type) version {
	v := version{fields: map[string]value.Set{}, from: x.From, to: x.To, written: x.Evidence, certain: x.OK() && !x.Doubtful}
	for _, name := range fieldsOf(x.Endpoint) {
		given, wasSent := sent[name]
		switch {
		case wasSent && !typed(types, name, given):
		case x.Endpoint == rules.CreateUser || x.Endpoint == rules.CreateEvent:
			if wasSent {
				v.fields[name] = leeway.Sent(name, given)
			}
		default:
			known := s.after(name, given, wasSent)
			if known != nil && !v.certain { // it may not have been carried out
				known = s.unlessDone(name, known)
			}
			if known != nil {
				v.fields[name] = known.Only(value.Of(x.Object(), name))
			}
		}
	}
	return v
}

// recordPlatformID records which social ids a user may have after connecting by social ids.
func (f *scenarioTraffic) recordPlatformID(x Observation, sent value.Fields) {
	history := f.resources[resource{x.App, false, f.sessionUsers[[2]string{x.App, x.Session}]}]
	if history == nil || len(history.versions) == 0 {
		return
	}
	latest := history.versions[len(history.versions)-1]
	if was, known := latest.fields["social_ids"]; known {
		latest.fields["social_ids"] = leeway.WithPlatformID(was, sent)
	}
}

// unlessDone adds to the lawful values of a field after a write those of before, nil if they are
// unknown.
func (s *resourceHistory) unlessDone(name string, after value.Set) value.Set {
	if len(s.versions) == 0 {
		return nil
	}
	before, known := s.versions[len(s.versions)-1].fields[name]
	if !known {
		return nil
	}
	return after.Or(before...)
}

// after returns the lawful values of a field after an update, nil if they are unknown.
func (s *resourceHistory) after(name string, v any, sent bool) value.Set {
	if len(s.versions) == 0 {
		if _, isMap := v.(map[string]any); sent && !isMap {
			return value.Set{v}
		}
		return nil // the map that it may be merged with is unknown
	}
	was, known := s.versions[len(s.versions)-1].fields[name]
	_, isMap := v.(map[string]any)
	switch {
	case !known && sent && !isMap:
		return value.Set{v}
	case !known:
		return nil
	case sent:
		return leeway.Replaced(name, was, v, leeway.Unknown)
	case name == "verb" || name == "user_name":
		return was
	}
	return leeway.Omitted(was, leeway.Unknown, value.Set{value.Absent{}})
}

func fieldsOf(at rules.Endpoint) []string {
	if ofEvents(at) {
		return value.EventFields()
	}
	return []string{"user_name", "email", "custom_id", "first_name", "last_name", "url", "metadata", "social_ids"}
}

// profileFields are the optional fields of a user that a target may keep from others. Whether
// others see an email is a choice of its own; names are what searches find users by.
func profileFields() []string { return []string{"custom_id", "url", "metadata", "social_ids"} }

// documented reports whether a value has a type that the contract documents for a field that a
// client may set.
func documented(at rules.Endpoint, name string, v any) bool {
	return typed(typesSent(at), name, v)
}

// typesSent returns the types that the contract documents for the fields that a client may set, by name.
func typesSent(at rules.Endpoint) map[string]rules.Type {
	types := map[string]rules.Type{}
	for _, param := range at.Request().Body {
		if len(param.Sent) > 0 {
			types[param.Name] = param.Sent[0]
		}
	}
	return types
}

// typed reports whether a value is of the type of its field.
func typed(types map[string]rules.Type, name string, v any) bool {
	want, known := types[name]
	if !known || value.Blank(v) || v == nil || !want.Allows(v) {
		return false
	}
	switch want {
	case rules.TextMapType:
		for key, value := range v.(map[string]any) {
			if !composed(key) || !composed(value.(string)) {
				return false
			}
		}
		return true
	case rules.NumberType:
		return true
	case rules.ObjectType:
		_, named := v.(map[string]any)["id"].(string)
		return named && composed(value.Text(v))
	}
	return composed(value.Text(v))
}

// composed reports whether a text is in Normalization Form C and was sent as Unicode: what becomes of
// others is open. Half a surrogate pair, which a decoder turns into one replacement character or into
// several, is none.
func composed(text string) bool {
	return norm.NFC.IsNormalString(text) && !strings.ContainsRune(text, utf8.RuneError)
}
