package model

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

// Shadow follows the users and events that others create on the target, and sees
// that each, wherever it is shown, is as its client wrote it. It asks for nothing.
type Shadow struct {
	mu     sync.Mutex
	shows  map[place]bool // fields that an endpoint shows, of somebody
	hidden []omission
	found  []Difference
}

// place is a field at an endpoint.
type place struct {
	at    rules.Endpoint
	field string
}

// omission is a field that was not shown: a difference where the endpoint does show
// it of others, else a choice of the target's.
type omission struct {
	place
	Difference
}

// NewShadow returns a shadow that has seen nothing yet.
func NewShadow() *Shadow { return &Shadow{shows: map[place]bool{}} }

// Sighting is one exchange as a shadow sees it.
type Sighting struct {
	Endpoint rules.Endpoint
	App      string // whose users and events they are
	Session  string
	ID       string // the path's parameter
	Sent     any    // decoded
	Response
	From, To time.Time
	Doubtful bool // it may not have been carried out, or twice
}

// See takes in all exchanges of a scenario, in the order of their starts, and tells
// whom of its users a story can adopt: more of them where the target was right in it.
func (s *Shadow) See(all []Sighting, right bool) []Adopted {
	f := &following{shadow: s, things: map[thing]*shadowed{}, holders: map[string]string{}, refused: map[string]lawful{}}
	for _, x := range all {
		f.follow(x)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range all {
		f.judge(x)
	}
	return f.adoptable(all, right)
}

// Refused takes in that an endpoint refused values that no valid server may refuse,
// and took the same request without them.
func (s *Shadow) Refused(at rules.Endpoint, evidence any, answer string) {
	rule := map[rules.Endpoint]string{rules.CreateUser: "users.create.status", rules.CreateEvent: "events.create.status"}[at]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = append(s.found, Difference{Rule: rule, At: at, Expected: "201", Actual: answer, Evidence: []any{evidence}})
}

// Differences are where something was shown otherwise than it was written, each
// rule at each endpoint once.
func (s *Shadow) Differences() []Difference {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &Outcome{}
	for _, d := range s.found {
		if !o.Has(d) {
			o.Differences = append(o.Differences, d)
		}
	}
	for _, h := range s.hidden {
		if s.shows[h.place] && !o.Has(h.Difference) {
			o.Differences = append(o.Differences, h.Difference)
		}
	}
	return o.Differences
}

// thing names a user or an event.
type thing struct {
	app   string
	event bool
	id    string
}

// shadowed is a user or an event with what was written to it.
type shadowed struct{ versions []version }

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
	holders map[string]string // the user of a session, by its token
	refused map[string]lawful // values that writes without success have sent, by field
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
		f.holders[token] = idText(o["id"])
	}
	sent, _ := x.Sent.(map[string]any)
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
		id = f.holders[x.Session]
	case x.Endpoint == rules.UpdateEvent:
		id = x.ID
	}
	if id == "" || !x.OK() && !x.Doubtful {
		return
	}
	key := thing{x.App, ofEvents(x.Endpoint), id}
	is := f.things[key]
	if is == nil {
		is = &shadowed{}
		f.things[key] = is
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

// after are the lawful values of a field after an update, nil where they are not known.
func (s *shadowed) after(name string, value any, sent bool) lawful {
	w := &World{}
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
		return w.replaced(name, was, value)
	case name == "verb" || name == "user_name":
		return was
	}
	return omitted(was, Unknown)
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

// judge compares what an answer shows with what was written.
func (f *following) judge(x Sighting) {
	if !x.OK() || x.Doubtful {
		return
	}
	if objects, ok := x.objects(); ok {
		for _, o := range objects {
			f.compare(x, o)
		}
		return
	}
	if x.Endpoint == rules.Login && len(x.object()) <= 2 {
		return // an id and a session
	}
	f.compare(x, x.object())
}

func (f *following) compare(x Sighting, o Fields) {
	is := f.things[thing{x.App, ofEvents(x.Endpoint), idText(o["id"])}]
	if is == nil {
		return
	}
	for _, name := range fieldsOf(x.Endpoint) {
		got := valueOf(o, name)
		want, changed, written := is.lawful(name, x)
		if want == nil || f.refused[name].allows(got) {
			continue
		}
		self := f.holders[x.Session] == idText(o["id"]) && mayHide(x.Endpoint)
		if !same(got, absent{}) && !self {
			f.shadow.shows[place{x.Endpoint, name}] = true
		}
		if want.allows(got) {
			continue
		}
		rule, at := shownRule(x.Endpoint, name, changed, want, got)
		d := Difference{Rule: rule, At: at, Expected: name + " " + want.show(), Actual: showValue(got), Evidence: []any{written, x.Evidence}}
		if written == x.Evidence {
			d.Evidence = []any{x.Evidence}
		}
		if same(got, absent{}) && mayHide(x.Endpoint) && (self || name == "email") {
			continue // whether others see it is open
		}
		if same(got, absent{}) && mayHide(x.Endpoint) {
			f.shadow.hidden = append(f.shadow.hidden, omission{place{x.Endpoint, name}, d})
			continue
		}
		f.shadow.found = append(f.shadow.found, d)
	}
}

// mayHide reports whether an endpoint may leave out fields of a user.
func mayHide(at rules.Endpoint) bool {
	switch at {
	case rules.GetUser, rules.SearchUsers, rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		return true
	}
	return false
}

// lawful are the lawful values of a field in an answer, nil where they are not known,
// whether it was changed by an update, and by what it was written. Lists, feeds and
// searches may lag, and show what was there before.
func (s *shadowed) lawful(name string, x Sighting) (values lawful, changed bool, written any) {
	lags := x.Endpoint != rules.GetMe && !writes(x.Endpoint) && x.Endpoint != rules.Login
	for i, v := range s.versions {
		superseded := slices.ContainsFunc(s.versions[i+1:], func(later version) bool {
			return later.certain && later.from.After(v.to) && !later.to.After(x.From)
		})
		if v.from.After(x.To) || superseded && !lags || writes(x.Endpoint) && v.written != x.Evidence {
			continue
		}
		known, there := v.fields[name]
		if !there || !v.certain {
			return nil, false, nil
		}
		values, changed, written = values.or(known...), i > 0, v.written
	}
	return values, changed, written
}

// shownRule is the rule that stands for a field being shown as it was written.
func shownRule(at rules.Endpoint, name string, changed bool, want lawful, got any) (string, rules.Endpoint) {
	switch at {
	case rules.CreateUser:
		if name == "user_name" {
			return unicodeRule(want, got, at, "users.create.body")
		}
		return unicodeRule(want, got, at, "users.create.echo")
	case rules.UpdateMe:
		return unicodeRule(want, got, at, "users.me.update.applies")
	case rules.GetMe:
		if changed {
			return unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
		}
		return unicodeRule(want, got, at, "users.me.get")
	case rules.Login:
		return "sessions.login.details", at
	case rules.GetUser:
		return "users.get.other", at
	case rules.SearchUsers:
		return "search.status", at
	case rules.CreateEvent:
		return createRule(name, want, got)
	case rules.UpdateEvent:
		return "events.update.applies", at
	case rules.Feed:
		return "feed.event-shape", at
	}
	return listRule(at)
}
