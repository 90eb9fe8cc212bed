package conformance

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/rules"
)

// Users and events that scenarios need and whose further fields are free carry
// awkward values: they cost no request, and the shadow sees what becomes of them.

// turn is a number that chooses values: each use of a kind in a scenario has its own, the
// same in every run of the seed, and those of all scenarios go through the values in turns.
func (t *T) turn(used *int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	*used++
	const uses, seeds = 3, 10_000 // of a scenario, more or less
	return uses*t.scenario.position + *used + int(t.run.config.Seed%seeds)
}

// Awkward is a text that servers mishandle and must not refuse, to go behind one of
// the scenario's own. It is of plain characters: what becomes of others is judged by a
// rule of its own.
func (t *T) Awkward() string {
	return " " + shortEnough(shortText-longWord-1, func() string {
		for {
			if text := model.AwkwardText(t.turn(&t.dresses)); !strings.ContainsFunc(text, special) {
				return text
			}
		}
	})
}

// special reports whether a character is one that encoders mistake.
func special(r rune) bool { return r > unicode.MaxASCII || strings.ContainsRune(`<>&"'\`, r) }

// shortText is how long a text may be that no valid server refuses for its length.
const shortText = 20

// shortEnough is the first text that is not too long.
func shortEnough(most int, next func() string) string {
	for {
		if text := next(); utf8.RuneCountInString(text) <= most {
			return text
		}
	}
}

// CustomID is an id of a client's own, in one of the forms that servers mishandle
// and must not refuse.
func (t *T) CustomID() string {
	return shortEnough(shortText, func() string { return model.AwkwardID(t.turn(&t.dresses), t.Unique()) })
}

// dressed creates something: of plain fields, dressed in awkward values where they are
// free, and with the fixed ones, of which nil stands for none. Where that is refused it is created without the dress, of
// fields made anew, since a valid server may refuse some. The fields are those that it was created with.
func (t *T) dressed(at rules.Endpoint, plain, fixed Fields, dress *model.Dress, anew func() Fields, create func(Fields) (*call, error)) (Fields, *call, error) {
	wear := func(fields, dress Fields) Fields {
		all := maps.Clone(fields)
		maps.Copy(all, dress)
		maps.Copy(all, fixed)
		maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
		return all
	}
	all := wear(plain, dress.Fields)
	sent, err := create(all)
	if !errors.As(err, new(*client.Error)) || sent.exchange.Status/100 != 4 {
		return all, sent, err
	}
	without := wear(anew(), nil)
	again, err := create(without)
	if err != nil {
		return without, again, err
	}
	complains := sent.exchange.Status == http.StatusBadRequest || sent.exchange.Status == http.StatusUnprocessableEntity
	if t.run.wardrobe.GiveUp(dress); complains && !dress.Risky {
		t.run.shadow.Refused(at, sent.exchange, sent.exchange.Summary())
	}
	return without, again, nil
}
