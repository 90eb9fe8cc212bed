package scenarios

import (
	"net/http"
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

func refusedEvents(s *Suite) {
	s.Scenario("an event that lacks something or has a field of the wrong type is refused, and none comes into being",
		Judges("events.create.verb-required", "events.create.object-id-required", "events.create.wrong-type",
			"events.create.malformed-json"), func(t *Trial) {
			author, reader := t.Actor(), t.Actor()
			reader.Follow(author)
			known := []string{author.Post(nil).ID()}
			refuse := func(c *Check, want Want, bodies ...With) {
				for _, body := range bodies {
					c.Status(t.Send(author, CreateEvent, body), want)
				}
				known = nothingNew(c, t, author, reader, known)
			}
			t.Judge("events.create.verb-required", func(c *Check) {
				refuse(c, OneOf(http.StatusBadRequest, http.StatusUnprocessableEntity), JSON(Fields{"language": "en"}))
			})
			t.Judge("events.create.object-id-required", func(c *Check) {
				refuse(c, OneOf(http.StatusBadRequest, http.StatusUnprocessableEntity),
					JSON(Fields{"verb": t.Unique(), "object": Fields{"type": "picture"}}))
			})
			t.Judge("events.create.wrong-type", func(c *Check) {
				var bodies []With
				for _, wrong := range mistypedEvents() {
					bodies = append(bodies, JSON(joined(Fields{"verb": t.Unique()}, wrong)))
				}
				refuse(c, OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest), bodies...)
			})
			t.Judge("events.create.malformed-json", func(c *Check) {
				refuse(c, OneOf(http.StatusBadRequest).Tolerating(http.StatusUnprocessableEntity),
					Text(`{"verb":"`+t.Unique()+`","language":`, "application/json"))
			})
		})
}

// mistypedEvents have each documented field in a JSON type that it does not have.
func mistypedEvents() []Fields {
	return []Fields{
		{"verb": 7},
		{"verb": []string{"like"}},
		{"language": true},
		{"priority": []string{"high"}},
		{"location": Fields{"name": "Berlin"}},
		{"latitude": "52.5"},
		{"longitude": []float64{13.25}},
		{"metadata": "good"},
		{"metadata": []string{"good"}},
		{"object": "picture-7"},
		{"object": []string{"picture-7"}},
	}
}

// nothingNew judges, when a further event has come through, that the reader's
// feed has no event but that one and the known ones. It returns all that are known by then.
func nothingNew(c *Check, t *Trial, author, reader *Actor, known []string) []string {
	latest := author.Post(nil).ID()
	t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", latest))
	known = append(known, latest)
	var strays []string
	for _, id := range idsOf(t.Send(reader, Feed).Records()) {
		if !slices.Contains(known, id) {
			strays = append(strays, id)
		}
	}
	c.True(len(strays) == 0, "no event of a refused request in a follower's feed", listed(strays))
	return known
}
