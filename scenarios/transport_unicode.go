package scenarios

import (
	"fmt"
	"maps"
	"reflect"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// unicodeText judges that text comes back as it was sent (transport rule 3).
func unicodeText(s *Suite) {
	// transport.unicode-roundtrip: Text in Normalization Form C comes back exactly as it was sent, characters beyond the Basic Multilingual Plane included.
	s.Scenario("composed text comes back code point for code point", Covers("transport.unicode-roundtrip"), composedTextComesBack)
	// transport.nfd-input (choice): Whether decomposed text is kept as sent or composed to Normalization Form C is left open.
	s.Scenario("decomposed text is kept or composed", Covers("transport.nfd-input"), decomposedText)
}

// composedTextComesBack blocks a check where plain text does not come back either, by the rule
// about that.
func composedTextComesBack(t *T) {
	judge := func(at Endpoint, owner string, text func(writing) Fields, trip func(Fields) *Answer) {
		t.JudgeAt(at, "transport.unicode-roundtrip", func(c *Check) {
			sent := text(composedWriting())
			answer := trip(sent)
			if comesBackWhole(answer, sent) {
				return
			}
			if plain := text(plainWriting()); !comesBackWhole(trip(plain), plain) {
				t.Blocked(owner, "needs %s to give plain text back", at)
			}
			c.True(answer.Succeeded(), "success, as with plain text", fmt.Sprintf("a %d", answer.Status()))
			c.Fields(texts(answer.Record()), Fields(texts(Record(sent))))
		})
	}
	judge(CreateUser, "users.create.echo", userText, func(text Fields) *Answer {
		return t.Send(t.AppOnly(), CreateUser, JSON(t.NewUser(text)))
	})
	judge(GetMe, GetMe.BlockingRule(), userText, func(text Fields) *Answer {
		bearer := t.ActorWith(text)
		own := t.Send(bearer, GetMe)
		theUser(t, bearer, GetMe, own.Record())
		return own
	})
	actor := t.ActorWith(Fields{"first_name": "Ida", "last_name": "Hall", "metadata": nil}) // an update may add to earlier entries
	judge(UpdateMe, "users.me.update.applies", userText, func(text Fields) *Answer {
		return t.Send(actor, UpdateMe, JSON(actor.Required(text)))
	})
	judge(CreateEvent, "events.create.echo", eventText, func(text Fields) *Answer {
		text["verb"] = t.Unique()
		return t.Send(actor, CreateEvent, JSON(text))
	})
}

func decomposedText(t *T) {
	t.Judge("transport.nfd-input", func(c *Check) {
		answer := t.Send(t.AppOnly(), CreateUser, JSON(t.NewUser(Fields{"first_name": "Zoe\u0301"})))
		if !answer.Succeeded() {
			needCreates(t)
			c.Observe("refused with %d", answer.Status())
		}
		switch answer.Record().Text("first_name") {
		case "Zoe\u0301":
			c.Observe("kept")
		case "Zo\u00e9":
			c.Observe("composed")
		}
		c.Observe("neither kept nor composed")
	})
}

// writing is two short texts, a text of characters that encoders get wrong, and a longer one.
type writing struct{ line, another, marks, lines string }

func plainWriting() writing { return writing{"Ada", "Hill", "Grace", "a plain line"} }

// composedWriting is text in Normalization Form C: accents, other scripts, characters
// beyond the Basic Multilingual Plane, typographic marks, emoji sequences, a combining mark without
// a composed form, a no-break space, a line break, and characters that careless encoders escape.
func composedWriting() writing {
	return writing{
		line:    "Zo\u00e9\u00a0\u00c5str\u00f6m \u738b\u5c0f\u660e \U0001d49c\U0001f989",
		another: "d\u2019A \u201cx\u201d\u2026 \U0001d49c \U0001f469\U0001f3fd\u200d\U0001f680",
		marks:   "<b> & \"q\" 'a' \\ /",
		lines:   "\u1ed7 \u0416\u00fc\u00df \u6f22\u5b57 \uac00 \U00020000 \U0001f469\U0001f3fd\u200d\U0001f680 \U0001f1eb\U0001f1f7 x\u0302\n\"q\" 'a' \\ / <b> & \u20ac",
	}
}

func userText(w writing) Fields {
	return Fields{"first_name": w.line, "last_name": w.another, "metadata": map[string]any{w.line: w.lines}}
}

func eventText(w writing) Fields {
	return Fields{
		"location": w.line,
		"priority": w.another,
		"metadata": map[string]any{w.line: w.lines},
		"object":   map[string]any{"id": "1", "display_name": map[string]any{"en": w.marks}},
	}
}

// comesBackWhole reports whether an answer has every text that was sent. A map may also
// have earlier entries: a target may add to it instead of replacing it.
func comesBackWhole(answer *Answer, sent Fields) bool {
	if !answer.Succeeded() {
		return false
	}
	got, want := texts(answer.Record()), texts(Record(sent))
	back, metadata := got.Map("metadata"), want["metadata"].(map[string]any)
	if len(back) > len(metadata) {
		back = maps.Clone(back)
		maps.DeleteFunc(back, func(key string, _ any) bool { _, there := metadata[key]; return !there })
		got["metadata"] = map[string]any(back)
	}
	return reflect.DeepEqual(got, want)
}

// texts are the fields of a user or an event that hold text in these scenarios.
func texts(r Record) Record {
	found := Record{}
	for _, name := range []string{"first_name", "last_name", "location", "priority", "metadata"} {
		if r.Has(name) {
			found[name] = r[name]
		}
	}
	if object := r.Map("object"); object.Has("display_name") {
		found["display_name"] = object["display_name"]
	}
	return found
}
