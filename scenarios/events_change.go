package scenarios

import (
	"fmt"
	"net/http"
	"strings"

	. "github.com/socialfeed/conform/conformance"
)

func changedEvents(s *Suite) {
	s.Scenario("an update of an event changes what it sends, and neither the verb it does not send nor the event's identity",
		Judges("events.update.status", "events.update.applies", "events.update.partial", "events.update.omitted-fields",
			"events.update.unknown", "events.update.keeps-identity"), func(t *Trial) {
			owner, stranger, verb := t.Actor(), t.Actor(), t.Unique()
			event, other := owner.Post(fullEvent(t)), owner.Post(fullEvent(t))
			renamed := update(t, owner, event, Fields{"verb": verb})
			t.Judge("events.update.status", func(c *Check) { c.Status(renamed, OneOf(http.StatusOK)) })
			t.Judge("events.update.omitted-fields", func(c *Check) { c.Observe("%s", fate(event, renamed.Record())) })
			t.Judge("events.update.applies", func(c *Check) {
				renamed.Record()
				c.Fields(c.Object(renamed), Fields{"verb": verb})
				all := otherEvent(t)
				comesBack(c, taken(c, update(t, owner, event, all), http.StatusOK), all)
			})
			t.Judge("events.update.partial", func(c *Check) {
				renamed.Done()
				for _, part := range []Fields{{"location": "Hamburg"}, {"metadata": Fields{"mood": "better", "seat": "008"}}} {
					got := taken(c, update(t, owner, other, part), http.StatusOK)
					c.Fields(got, Fields{"verb": other.Text("verb")})
				}
			})
			t.Judge("events.update.unknown", func(c *Check) {
				renamed.Done()
				answer := t.Send(owner, UpdateEvent, ID(unusedEvent(t, owner, event)), JSON(Fields{"verb": t.Unique()}))
				c.Status(answer, OneOf(http.StatusNotFound).Tolerating(http.StatusBadRequest, http.StatusUnprocessableEntity))
			})
			t.Judge("events.update.keeps-identity", func(c *Check) {
				renamed.Record()
				sameIdentity(c, event, c.Object(renamed))
				for _, named := range []Fields{{"user_id": stranger.ID}, {"created_at": "2001-02-03T04:05:06Z"}, {"id": unusedEvent(t, owner, event)}} {
					answer := update(t, owner, other, joined(Fields{"verb": t.Unique()}, named))
					if !answer.Succeeded() {
						c.Status(answer, Refused())
						continue
					}
					sameIdentity(c, other, answer.Record())
				}
			})
		})
}

func unchangedEvents(s *Suite) {
	s.Scenario("an update of an event with a field of the wrong type is refused and changes nothing",
		Judges("events.update.wrong-type"), func(t *Trial) {
			owner, reader := t.Actor(), t.Actor()
			reader.Follow(owner)
			event := owner.Post(fullEvent(t))
			owner.Change(event, Fields{"verb": event.Text("verb")}) // a valid one is taken
			t.Await("feed.follow.new-events", holds(feedOf(t, reader), "event", event.ID()))
			before := entryOf(t, reader, event.ID())
			t.Judge("events.update.wrong-type", func(c *Check) {
				for _, wrong := range []Fields{
					{"verb": []string{"comment"}}, {"latitude": "52.5"}, {"metadata": "better"}, {"object": "picture-7"},
					{"language": 7}, {"priority": 7}, {"location": []string{"Kiel"}}, {"longitude": []float64{13.25}},
				} {
					valid := Fields{"verb": t.Unique(), "location": "Hamburg"}
					answer := update(t, owner, event, joined(valid, wrong))
					c.Status(answer, OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest))
				}
				c.EventuallyForGood(unchanged(t, reader, before))
			})
		})
}

func update(t *Trial, as *Actor, event Record, fields Fields) *Answer {
	return t.Send(as, UpdateEvent, IDText(event.ID()), JSON(fields))
}

// sameIdentity judges what no update may touch.
func sameIdentity(c *Check, before, after Record) {
	if problem := difference(before, after, "id", "user_id", "created_at"); problem != (Problem{}) {
		c.Fail(problem.Expected, problem.Actual)
	}
}

// fate says what became of the optional fields that an update did not send.
func fate(before, after Record) string {
	var kept, cleared, changed []string
	for _, name := range []string{"language", "priority", "location", "latitude", "longitude", "metadata", "object"} {
		switch {
		case sameField(before, after, name):
			kept = append(kept, name)
		case blank(after, name):
			cleared = append(cleared, name)
		default:
			changed = append(changed, name)
		}
	}
	switch {
	case len(cleared)+len(changed) == 0:
		return "kept"
	case len(kept)+len(changed) == 0:
		return "cleared"
	}
	var parts []string
	for _, group := range []struct {
		word  string
		names []string
	}{{"kept", kept}, {"cleared", cleared}, {"changed", changed}} {
		if len(group.names) > 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", group.word, strings.Join(group.names, ", ")))
		}
	}
	return strings.Join(parts, "; ")
}

// blank tells whether a field is absent, or has a value that stands for none.
func blank(r Record, field string) bool {
	switch value := r[field].(type) {
	case nil:
		return true
	case string:
		return value == ""
	case map[string]any:
		return len(value) == 0
	}
	coordinate, is := number(r, field)
	return is && coordinate == 0
}
