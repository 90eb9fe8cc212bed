package conformance

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/observed"
)

// Users and events that scenarios need carry awkward values in the fields that do not matter to
// the scenario: that costs no request, and the traffic checker judges how they are shown.

// turn returns a number that chooses values. Each use of a kind in a scenario has its own, the
// same in every run: whether a scenario fails must not depend on the seed. All scenarios
// together go through the values; drawn stories draw theirs.
func (t *T) turn(used *int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	*used++
	const uses = 3 // of a scenario, more or less
	return uses*t.scenario.position + *used
}

// Awkward returns a text that servers may mishandle and must not refuse, to append to a unique
// one. It consists of plain characters: others have a rule of their own.
func (t *T) Awkward() string {
	return " " + shortEnough(shortText-longWord-1, func() string {
		for {
			if text := body.AwkwardText(t.turn(&t.awkwardUsed)); !strings.ContainsFunc(text, special) {
				return text
			}
		}
	})
}

// NameWord returns a word for names, of six characters at most, that searches are apt to
// mishandle.
func (t *T) NameWord() string { return body.NameWord(t.turn(&t.awkwardUsed)) }

// NamePhrase returns several words like NameWord's, together too long for some targets.
func (t *T) NamePhrase() string { return body.NamePhrase(t.turn(&t.awkwardUsed)) }

// special reports whether a character is one that encoders mistake.
func special(r rune) bool { return r > unicode.MaxASCII || strings.ContainsRune(`<>&"'\`, r) }

// shortText is how long a text may be that no valid server refuses for its length.
const shortText = 20

// shortEnough returns the first text that is not too long.
func shortEnough(most int, next func() string) string {
	for {
		if text := next(); utf8.RuneCountInString(text) <= most {
			return text
		}
	}
}

// CustomID returns an id chosen by the client, in one of the forms that servers may mishandle
// and must not refuse.
func (t *T) CustomID() string {
	return shortEnough(shortText, func() string { return body.AwkwardID(t.turn(&t.awkwardUsed), t.Unique()) })
}

// UUID returns an id chosen by the client that is a UUID in upper case. A valid server may refuse it for
// its length.
func (t *T) UUID() string { return body.UUID(t.Unique()) }

// creation is a user or an event that a scenario needs.
type creation struct {
	plain   Fields        // what it takes
	anew    func() Fields // the same for a second try
	fixed   Fields        // what the scenario gave; nil stands for a field that is left out
	payload *body.Payload // awkward values for the fields that are free
}

// createAwkward creates something with awkward values, and without them if they are refused,
// since a valid server may refuse some. It returns the fields of what was created.
func (t *T) createAwkward(c creation, create func(Fields) (*call, error)) (Fields, *call, error) {
	with := func(fields, awkward Fields) Fields {
		all := maps.Clone(fields)
		maps.Copy(all, awkward)
		maps.Copy(all, c.fixed)
		maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
		return all
	}
	all := with(c.plain, c.payload.Fields)
	sent, err := create(all)
	if !errors.As(err, new(*client.Error)) || !refusesValues(sent.exchange.Status) {
		return all, sent, err
	}
	without := with(c.anew(), nil)
	again, err := create(without)
	if err != nil {
		return without, again, err
	}
	t.refused(c.payload, all, sent.exchange)
	return without, again, nil
}

// updated updates something, also to awkward values, and without them if they are refused. It
// returns the latest answer.
func (t *T) updated(fields Fields, payload *body.Payload, send func(Fields) *Answer) *Answer {
	all := maps.Clone(payload.Fields)
	for _, name := range []string{"metadata", "social_ids"} { // an update may add them to what there is
		delete(all, name)
	}
	maps.Copy(all, fields)
	answer := send(all)
	if !refusesValues(answer.Status()) {
		return answer
	}
	again := send(fields)
	if again.Succeeded() {
		t.refused(payload, all, answer.exchange)
	}
	return again
}

// refusesValues reports whether a status may be that of a refusal of values: not where the endpoint
// seems not to be there.
func refusesValues(status int) bool { return status/100 == 4 && !observed.SaysAbsent(status) }

// refused excludes awkward values of a request that was refused with them and accepted without.
func (t *T) refused(payload *body.Payload, sent Fields, x *wire.Exchange) {
	complains := x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity
	if t.run.payloads.MarkRefused(payload); complains && !payload.Refusable {
		t.run.traffic.Refused(x.Endpoint, sent, x, x.Summary())
	}
}
