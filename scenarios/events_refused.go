package scenarios

import (
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

// refusal is a rule with requests that break nothing but it. What comes into
// being all the same is known by the mark, as its verb or its priority.
type refusal struct {
	rule    string
	mark    string
	want    Want
	bodies  []With
	answers []*Answer
}

func refusedEvents(s *Suite) {
	s.Scenario("an event that lacks something or has a field of the wrong type is refused, and none comes into being",
		Judges("events.create.verb-required", "events.create.object-id-required", "events.create.wrong-type",
			"events.create.malformed-json"), func(t *Trial) {
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
					for _, answer := range r.answers {
						c.Status(answer, r.want)
					}
					t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", later.ID()))
					for _, event := range t.Send(reader, Feed).Records() {
						c.True(event["verb"] != r.mark && event["priority"] != r.mark,
							"no event of a refused request in a follower's feed", "event "+event.ID())
					}
				})
			}
		})
}

func refusedCreates(t *Trial) []*refusal {
	invalid := OneOf(http.StatusBadRequest, http.StatusUnprocessableEntity)
	verbless, idless, mistyped, broken := t.Unique(), t.Unique(), t.Unique(), t.Unique()
	var wrong []With
	for _, fields := range mistypedEvents() {
		wrong = append(wrong, JSON(joined(Fields{"verb": mistyped, "priority": mistyped}, fields)))
	}
	return []*refusal{
		{rule: "events.create.verb-required", mark: verbless, want: invalid,
			bodies: []With{JSON(Fields{"priority": verbless})}},
		{rule: "events.create.object-id-required", mark: idless, want: invalid,
			bodies: []With{JSON(Fields{"verb": idless, "object": Fields{"type": "picture"}})}},
		{rule: "events.create.wrong-type", mark: mistyped, bodies: wrong,
			want: OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest)},
		{rule: "events.create.malformed-json", mark: broken,
			want:   OneOf(http.StatusBadRequest).Tolerating(http.StatusUnprocessableEntity),
			bodies: []With{Text(`{"verb":"`+broken+`","priority":`, "application/json")}},
	}
}

// mistypedEvents have each documented field in a JSON type that it does not have.
func mistypedEvents() []Fields {
	return []Fields{
		{"verb": []string{"like"}},
		{"language": 7},
		{"priority": true},
		{"location": Fields{"name": "Berlin"}},
		{"latitude": "52.5"},
		{"longitude": []float64{13.25}},
		{"metadata": "good"},
		{"object": "picture-7"},
		{"verb": 7},
		{"priority": 7},
		{"object": Fields{"id": 7}},
		{"object": Fields{"id": "picture-7", "type": 7}},
		{"object": Fields{"id": "picture-7", "display_name": "A picture"}},
	}
}
