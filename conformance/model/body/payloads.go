package body

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// Payloads make the bodies that scenarios create users and events with, of awkward values.
// Values that the target has refused are not used again.
type Payloads struct {
	mu      sync.Mutex
	refused map[string]bool
	short   bool // the target refused something with a text longer than what every target takes
	sent    SentValues
}

// Payload is the body of a user or an event.
type Payload struct {
	Fields value.Fields
	// Refusable reports that a valid server may refuse the values.
	Refusable bool
	inner     *Drawn
}

// NewPayloads returns Payloads without refused values.
func NewPayloads() *Payloads {
	return &Payloads{refused: map[string]bool{}, sent: SentValues{}}
}

// Update returns the fields of an updated profile; unique values contain the token. Some lack
// fields, some all. In half of them a name has many values in one or is long, since there are few updates.
func (w *Payloads) Update(v int, token string) *Payload {
	d := w.user(v, token)
	return w.sending(story.Edit, w.choose(func(p *Generator) *Drawn {
		if value.Scatter(v)%2 == 0 {
			return d.inner
		}
		p.give(d.inner, []string{"first_name", "last_name"}[v%2], scarce(v/2), Texts()[0], func(value any) any { return fmt.Sprintf("%s %v", token, value) })
		return d.inner
	}))
}

// user returns a profile. None has a custom_id: a target that takes it for the id would break every
// scenario.
func (w *Payloads) user(v int, token string) *Payload {
	const rare = 4
	return w.choose(func(p *Generator) *Drawn {
		d := p.User(v, token)
		for i, name := range []string{"custom_id", "first_name", "last_name", "url", "metadata", "social_ids"} {
			if i == 0 || (value.Scatter(v)+i)%rare == 0 {
				d.Drop(name)
			}
		}
		p.emptied(d, v)
		return d
	})
}

// NewUser returns a profile with names that contain the token. The password is left as it is,
// since the cleanup of a killed run derives it again.
func (w *Payloads) NewUser(v int, token string) *Payload {
	d := w.user(v, token)
	return w.choose(func(p *Generator) *Drawn { return d.inner.With(p.Names(v, token)) })
}

// Event returns the fields of a new event.
func (w *Payloads) Event(v int) *Payload { return w.sending(story.Post, w.event(v)) }

// Change returns the fields of a changed event. Now and then one has many values in one or is long.
func (w *Payloads) Change(v int) *Payload {
	const often = 4
	d := w.event(v)
	return w.sending(story.Change, w.choose(func(p *Generator) *Drawn {
		if v%often == 0 {
			p.give(d.inner, []string{"location", "priority"}[v/often%2], scarce(v/often/2), Texts()[0], asIs)
		}
		return d.inner
	}))
}

func (w *Payloads) event(v int) *Payload {
	const atZero, often, fields = 4, 13, 7
	return w.choose(func(p *Generator) *Drawn {
		if v%often == atZero {
			return p.Event(v)
		}
		d := p.full(v)
		mixed := value.Scatter(v)
		for i, name := range value.EventFields()[1:] { // one or two are left out
			if mixed%fields == i || mixed/fields%(fields+2) == i {
				d.Drop(name)
			}
		}
		p.emptied(d, v)
		return d
	})
}

// sending records the values of a payload, except a verb: scenarios have verbs of their own.
func (w *Payloads) sending(kind story.Kind, d *Payload) *Payload {
	w.mu.Lock()
	defer w.mu.Unlock()
	for place := range d.inner.coverageKeys(kind) {
		w.sent[place] = true
	}
	maps.DeleteFunc(w.sent, func(place string, _ bool) bool { return strings.HasPrefix(place, kind.String()+"/verb/") })
	return d
}

// Sent returns the values that have been sent so far.
func (w *Payloads) Sent() SentValues {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.sent)
}

func (w *Payloads) choose(fields func(*Generator) *Drawn) *Payload {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := fields(&Generator{Refused: w.refused})
	if w.short {
		for name, v := range maps.Clone(d.Fields) {
			if TooLong(name, v) {
				d.Drop(name)
			}
		}
	}
	return &Payload{Fields: d.Fields, Refusable: len(d.Refusable) > 0 || TooLong("", d.Fields), inner: d}
}

// TooLong reports whether a value contains a text that is longer than what every target
// accepts. Metadata has documented limits, and passwords are as long as hashes.
func TooLong(name string, v any) bool {
	if name == "metadata" || name == "password" {
		return false
	}
	if o, ok := v.(map[string]any); ok {
		for name, each := range o {
			if TooLong(name, each) {
				return true
			}
		}
	}
	return Long(v)
}

// MarkRefused excludes the values of a payload that may be refused from further use.
func (w *Payloads) MarkRefused(d *Payload) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.short = w.short || TooLong("", d.Fields)
	(&Generator{Refused: w.refused}).MarkRefused(d.inner)
}

// AwkwardText returns the v-th of the short texts that no valid server refuses.
func AwkwardText(v int) string {
	const short = 8 // behind a name of the scenario's own
	return unrefusable(slices.DeleteFunc(Texts(), func(each Value) bool { return utf8.RuneCountInString(each.JSON.(string)) > short }), v).(string)
}

// NameWord returns the v-th of the short words of names that searches mishandle, in lower case:
// case in searches has rules of its own.
func NameWord(v int) string {
	words := []string{"o'hara", "the", "zoé", "0071", "d’arc", "and", "王小明", "a-b", "żółć", "not", "12345", "мир", "st.", "it's", "null", "a+b", "b&b", "jr,", "c#", "a/b", `"al"`, "or"}
	return words[v%len(words)]
}

// NamePhrase returns the v-th of the phrases of a particle and several such words.
func NamePhrase(v int) string {
	particles := []string{"and", "van", "not", "de", "or", "von"}
	const words = 4
	phrase := []string{particles[v%len(particles)]}
	for i := range words {
		phrase = append(phrase, NameWord(words*v+i))
	}
	return strings.Join(phrase, " ")
}

// AwkwardID returns a token in the v-th of the forms of ids that no valid server refuses.
func AwkwardID(v int, token string) string {
	return fillForm(unrefusable(customIDs(), v).(string), token)
}

func unrefusable(pool []Value, v int) any {
	pool = slices.DeleteFunc(pool, func(each Value) bool { return each.Refusable })
	return pool[v%len(pool)].JSON
}
