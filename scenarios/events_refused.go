package scenarios

import (
	"net/http"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// refusal is a rule with requests that break that rule alone. An event that is
// nevertheless created is recognized by the mark in its verb or priority.
type refusal struct {
	rule    string
	mark    string
	want    StatusMatcher
	bodies  []With
	defects []string // the defect of each
	answers []*Answer
}

func refusedEvents(s *Suite) {
	// events.create.verb-required: An event without a verb is refused.
	// events.create.object-id-required: An event whose object has no id is refused.
	// events.create.wrong-type: An event field of the wrong JSON type is refused.
	// events.create.malformed-json: A create of an event whose body is not JSON is refused.
	s.Scenario("an event that lacks something or has a field of the wrong type is refused, and none comes into being",
		Covers("events.create.verb-required", "events.create.object-id-required", "events.create.wrong-type",
			"events.create.malformed-json"), func(t *T) {
			author, reader := t.Actor(), t.Actor()
			reader.Follow(author)
			refusals := refusedCreates(t)
			for _, r := range refusals {
				for _, body := range r.bodies {
					r.answers = append(r.answers, t.Send(author, CreateEvent, body))
				}
			}
			later := author.Post(nil)
			for _, r := range refusals {
				t.Judge(r.rule, func(c *Check) {
					attempts := c.Attempts(r.want)
					for i, answer := range r.answers {
						attempts.Add(r.defects[i], answer)
					}
					attempts.Judge()
					t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(later.ID()))
					for _, event := range t.Send(reader, Feed).Records() {
						c.True(event["verb"] != r.mark && event["priority"] != r.mark,
							"no event from the refused request in a follower's feed", "event "+event.ID())
					}
				})
			}
		})
}

func refusedCreates(t *T) []*refusal {
	invalid := OneOf(http.StatusBadRequest, http.StatusUnprocessableEntity)
	verbless, idless, typed, broken := t.Unique(), t.Unique(), t.Unique(), t.Unique()
	var wrong []With
	var types []string
	for _, fields := range mistypedEvents() {
		types = append(types, mistyped(fields))
		wrong = append(wrong, JSON(joined(Fields{"verb": typed, "priority": typed}, fields)))
	}
	types, wrong = append(types, types[0]+", again"), append(wrong, wrong[0]) // as by a client that tries once more
	return []*refusal{
		{rule: "events.create.verb-required", mark: verbless, want: invalid,
			defects: []string{"no verb", "null for a verb", "a blank verb"}, // a target that accepts a blank verb has to leave it out of the event
			bodies:  []With{JSON(Fields{"priority": verbless, "object": Fields{"id": "picture-7"}}), JSON(Fields{"verb": nil, "priority": verbless}), JSON(Fields{"verb": "", "priority": verbless})}},
		{rule: "events.create.object-id-required", mark: idless, want: invalid,
			defects: []string{"no id in object", "nothing in object"},
			bodies:  []With{JSON(Fields{"verb": idless, "object": Fields{"type": "picture", "url": "http://a.test/pics/7"}}), JSON(Fields{"verb": idless, "object": Fields{}})}},
		{rule: "events.create.wrong-type", mark: typed, bodies: wrong, defects: types,
			want: OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest)},
		{rule: "events.create.malformed-json", mark: broken,
			want:    OneOf(http.StatusBadRequest).Tolerating(http.StatusUnprocessableEntity),
			defects: []string{"a body that ends early", "a plus before a number", "a line break inside a text", "a comment", "a second object behind the first"},
			bodies: []With{Text(`{"verb":"`+broken+`","priority":`, "application/json"),
				Text(`{"verb":"`+broken+`","latitude":+1}`, "application/json"), Text("{\"verb\":\""+broken+"\",\"priority\":\"high\nest\"}", "application/json"),
				Text(`{"verb":"`+broken+`" /* which */}`, "application/json"), Text(`{"verb":"`+broken+`"}{}`, "application/json")}},
	}
}

// mistypedEvents have each documented field in a JSON type that it does not have.
func mistypedEvents() []Fields {
	return []Fields{
		{"verb": []string{"like"}},
		{"verb": 0},
		{"verb": false},
		{"language": 0},
		{"priority": 0},
		{"priority": true},
		{"location": Fields{"name": "Berlin"}},
		{"latitude": "52.5"},
		{"latitude": true},
		{"longitude": []float64{13.25}},
		{"metadata": `{"mood":"good"}`},
		{"metadata": []string{}},
		{"object": `{"id":"picture-7"}`},
		{"object": []string{}},
		{"object": Fields{"id": 0}},
		{"object": Fields{"id": "picture-7", "type": 0}},
		{"object": Fields{"id": "picture-7", "url": []string{}}},
		{"object": Fields{"id": "picture-7", "display_name": "A picture"}},
	}
}
