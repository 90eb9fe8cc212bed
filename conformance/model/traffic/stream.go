package traffic

import (
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// Bounds of what a Follower remembers of one user or event.
const (
	mostVersions = 16
	mostRefused  = 100 // values of a field
	longestText  = 200 // characters of a text that every server is expected to keep
	longestInMap = 500 // the same of a text in a map, as the contract limits it in metadata
)

// follow records what an exchange of a stream has written.
func (f *scenarioTraffic) follow(x Observation) {
	sent, _ := x.Sent.(map[string]any)
	switch {
	case x.Endpoint == rules.ConnectSocial && (x.OK() || x.Doubtful):
		f.sessionUsers = map[[2]string]string{{x.App, x.Session}: f.facts.userOf(x)}
		f.recordPlatformID(x, sent)
	case x.Endpoint == rules.DeleteEvent && x.writes():
		f.drop(resource{x.App, true, x.ID}, x.From)
	case x.Endpoint == rules.DeleteMe && x.writes():
		f.drop(resource{x.App, false, f.facts.userOf(x)}, x.From)
	case writes(x.Endpoint):
		f.sessionUsers = map[[2]string]string{{x.App, x.Session}: f.facts.userOf(x)}
		f.recordWrite(x)
		f.bound(x)
	}
}

// drop forgets what was written to a user or an event that a request may have deleted from a time on. A write that
// was under way then, or whose outcome is unknown, may still come into effect if it was not.
func (f *scenarioTraffic) drop(r resource, from time.Time) {
	history := f.resources[r]
	if history == nil || !history.unclear && !slices.ContainsFunc(history.versions, func(v version) bool { return v.to.After(from) }) {
		delete(f.resources, r)
		return
	}
	f.resources[r] = &resourceHistory{wrongValues: map[string]value.Set{}, unclear: true}
}

// bound drops what is too much of what a write has added.
func (f *scenarioTraffic) bound(x Observation) {
	for name, values := range f.refused {
		if len(values) > mostRefused {
			f.refused[name] = slices.Clone(values[len(values)-mostRefused/2:])
		}
	}
	id := value.ID(x.Object()["id"])
	switch {
	case id != "":
	case x.Endpoint == rules.UpdateMe:
		id = f.facts.userOf(x)
	case x.Endpoint == rules.UpdateEvent:
		id = x.ID
	}
	key := resource{x.App, ofEvents(x.Endpoint), id}
	history := f.resources[key]
	if history == nil {
		return
	}
	again := len(history.versions) > 1 && (x.Endpoint == rules.CreateUser || x.Endpoint == rules.CreateEvent) // as another one
	history.unclear = history.unclear || x.Doubtful || again
	if drop := len(history.versions) - mostVersions; drop > 0 {
		last, next := history.versions[drop-1], history.versions[drop]
		history.unclear = history.unclear || !next.certain || !next.from.After(last.to)
		history.forgotten = next.to
		history.versions = slices.Clone(history.versions[drop:])
	}
	f.facts.remember(key)
}

// judges reports whether the fields that an answer shows of a user or an event are known. Within a
// scenario they are.
func (f *scenarioTraffic) judges(x Observation, history *resourceHistory) bool {
	switch {
	case f.facts == nil:
		return true
	case x.Endpoint == rules.CreateUser, x.Endpoint == rules.CreateEvent:
		return true // nobody else knows it
	case f.knowsAnswerAlone(x):
		return len(history.versions) > 0 && history.versions[0].certain
	case !f.facts.presumed.AllTraffic, history.unclear, history.forgotten.After(x.From.Add(-f.facts.lag(x))):
		return false
	}
	versions := history.versions
	before := !writes(x.Endpoint) && !versions[0].to.Before(x.From.Add(-f.facts.lag(x))) // what was there before may still be shown
	return history.born || !before && f.facts.knownSince(versions[len(versions)-1].from)
}

// knowsAnswerAlone reports whether all that is known of what an update has written is its answer: others, who are not
// seen, may have written before it and after it.
func (f *scenarioTraffic) knowsAnswerAlone(x Observation) bool {
	return f.facts != nil && !f.facts.presumed.AllTraffic && (x.Endpoint == rules.UpdateMe || x.Endpoint == rules.UpdateEvent)
}

// written is what an update has written, without what was there before. Nothing of it is certain if another write that was
// seen came at the same time.
func (f *scenarioTraffic) written(x Observation, history *resourceHistory) *resourceHistory {
	sent, _ := x.Sent.(map[string]any)
	alone := &resourceHistory{wrongValues: history.wrongValues, created: history.created, born: history.born}
	v := alone.next(x, sent, f.checker.types[x.Endpoint])
	v.certain = slices.ContainsFunc(history.versions, func(seen version) bool { return seen.written == x.Evidence && seen.certain })
	alone.versions = []version{v}
	return alone
}

// keeps counts a field that an answer shows as it was written.
func (f *scenarioTraffic) keeps(at rules.Endpoint, name string, changed bool, want value.Set, got any) {
	if f.checker.kept != nil {
		rule, at := shownRule(at, name, changed, want, got)
		f.checker.keep(rule, at)
	}
}

// keep counts an answer that keeps a rule.
func (s *Checker) keep(rule string, at rules.Endpoint) {
	s.kept[rules.Place{Rule: rule, At: at}]++
}

// beyond reports whether a value has texts that are longer than what every server is expected to keep.
func beyond(v any) bool {
	switch t := v.(type) {
	case string:
		return utf8.RuneCountInString(t) > longestText
	case map[string]any:
		for _, each := range t {
			if text, isText := each.(string); isText && utf8.RuneCountInString(text) > longestInMap || !isText && beyond(each) {
				return true
			}
		}
	}
	return false
}

// always is a lag without an end.
const always = time.Duration(math.MaxInt64)

// lag is how long ago what an answer shows may have been replaced. Within a scenario lists, feeds and searches
// may lag for as long as it takes.
func (s *facts) lag(x Observation) time.Duration {
	switch {
	case writes(x.Endpoint):
		return 0
	case s != nil:
		return s.presumed.Settle
	case x.Endpoint == rules.GetMe, x.Endpoint == rules.Login:
		return 0
	}
	return always
}
