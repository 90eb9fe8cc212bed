package scenarios

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func changedEvents(s *Suite) {
	// events.update.status: Updating an event answers 200.
	// events.update.applies: The answer to an update shows the new value of every field sent.
	// events.update.partial: An update of one other field leaves the verb as it was.
	// events.update.keeps-identity: An update leaves the event's id, user_id and created_at as they were.
	// events.update.omitted-fields (choice): Whether an update keeps or clears the optional fields that it does not send is left open.
	// events.update.unknown: An update of an event that does not exist is answered as not found.
	s.Scenario("an update of an event changes the fields that it sends, and neither an omitted verb nor the event's identity",
		Covers("events.update.status", "events.update.applies", "events.update.partial", "events.update.omitted-fields",
			"events.update.unknown", "events.update.keeps-identity"), eventUpdated)
}

func eventUpdated(t *T) {
	owner, stranger, verb := t.AnyActor(), t.AnyActor(), t.Unique()
	event, other := owner.Post(fullEvent(t)), owner.Post(fullEvent(t))
	renamed := update(t, owner, event, Fields{"verb": verb})
	place, mood := smallChanges(other)
	parts := []Fields{place, mood}
	// One to an event as it was created, and one to an event whose verb has changed since.
	changed := []*Answer{update(t, owner, other, place), update(t, owner, event, mood)}
	all := otherEvent(t)
	whole, again := update(t, owner, event, all), update(t, owner, event, all) // the same once more is an update as well
	t.Judge("events.update.status", func(c *Check) {
		c.Status(renamed, OneOf(http.StatusOK))
		if whole.Succeeded() { // else events.update.applies is broken
			c.Status(again, OneOf(http.StatusOK))
		}
	})
	t.Judge("events.update.omitted-fields", func(c *Check) { c.ObserveAnswer(fate(event, renamed.Record())) })
	t.Judge("events.update.applies", func(c *Check) {
		renamed.Record()
		c.Fields(c.Object(renamed), Fields{"verb": verb})
		comesBack(c, taken(c, whole, http.StatusOK), all)
		for i, part := range parts {
			if changed[i].Succeeded() { // else events.update.partial is broken
				comesBack(c, c.Object(changed[i]), part)
			}
		}
	})
	t.Judge("events.update.partial", func(c *Check) {
		for i, kept := range []string{other.Text("verb"), renamed.Record().Text("verb")} {
			c.Fields(taken(c, changed[i], http.StatusOK), Fields{"verb": kept})
		}
	})
	t.Judge("events.update.unknown", func(c *Check) {
		renamed.Done()
		answer := t.Send(owner, UpdateEvent, ID(unusedEvent(t, owner, event)), JSON(Fields{"verb": t.Unique()}))
		c.Status(answer, OneOf(http.StatusNotFound).Tolerating(http.StatusBadRequest, http.StatusUnprocessableEntity))
		extended := t.Send(owner, UpdateEvent, IDText(event.ID()+"a"), JSON(Fields{"verb": t.Unique()}))
		c.True(!extended.Succeeded(), "no update of an id with a letter appended", fmt.Sprint(extended.Status()))
	})
	t.Judge("events.update.keeps-identity", func(c *Check) {
		renamed.Record()
		sameIdentity(c, event, c.Object(renamed))
		named := []Fields{{"user_id": stranger.ID}, {"created_at": "2001-02-03T04:05:06Z"}, {"id": unusedEvent(t, owner, event)}}
		if all := update(t, owner, other, joined(Fields{"verb": t.Unique()}, named...)); all.Succeeded() {
			sameIdentity(c, other, all.Record())
			return
		}
		for _, one := range named { // a target may refuse some of them
			answer := update(t, owner, other, joined(Fields{"verb": t.Unique()}, one))
			if !answer.Succeeded() {
				c.Status(answer, Refused())
				continue
			}
			sameIdentity(c, other, answer.Record())
		}
	})
}

const aMetre = 0.00001 // about, in degrees

// smallChanges are updates of single fields whose new values resemble the old ones, which a
// target may take for no change: of the place and object, and of the metadata.
func smallChanges(event Record) (place, mood Fields) {
	object := Fields{"id": event.Map("object").Text("id"), "type": "song", "display_name": Fields{"en": "A picture", "de": "Ein Lied"}}
	place = Fields{"location": otherCase(event.Text("location"))}
	if latitude, is := number(event, "latitude"); is {
		place["latitude"] = -latitude
	}
	if longitude, is := number(event, "longitude"); is {
		place["longitude"] = longitude + aMetre
	}
	if event.Map("object").Text("id") != "" {
		place["object"] = object
	}
	return place, Fields{"metadata": joined(textsOf(event.Map("metadata")), Fields{"mood": "better", "Seat": "008", "day": "2024-05-02", "a.b": "d.e"})}
}

// textsOf returns the texts among metadata, which may be sent again; other values are not valid metadata.
func textsOf(metadata Record) Fields {
	valid := Fields(maps.Clone(metadata))
	maps.DeleteFunc(valid, func(_ string, value any) bool { _, is := value.(string); return !is })
	return valid
}

func unchangedEvents(s *Suite) {
	// events.update.wrong-type: An update of an event with a field of the wrong JSON type is refused and changes nothing.
	s.ScenarioWithRecheck("an update of an event with a field of the wrong type is refused and changes nothing",
		Covers("events.update.wrong-type"), mistypedChangeRefused)
}

func mistypedChangeRefused(t *T) {
	owner, reader := t.Actor(), t.Actor()
	reader.Follow(owner)
	event := owner.Post(fullEvent(t))
	control := update(t, owner, event, Fields{"verb": event.Text("verb")}) // a valid change succeeds
	control.Done()
	before := shownEvent(t, reader, event.ID())
	t.Judge("events.update.wrong-type", func(c *Check) {
		attempts := c.Attempts(OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest))
		for _, wrong := range []Fields{
			{"verb": []string{"comment"}}, {"latitude": "52.5"}, {"metadata": `{"mood":"better"}`}, {"object": `{"id":"picture-7"}`}, {"language": 0},
			{"priority": 0}, {"location": []string{"Kiel"}}, {"location": Fields{"name": "Kiel"}}, {"longitude": []float64{13.25}}, {"metadata": []string{}}, {"longitude": false},
		} {
			valid := Fields{"verb": t.Unique(), "location": "Hamburg", "latitude": 53.5, "longitude": 10}
			attempts.Add(mistyped(wrong), update(t, owner, event, joined(valid, wrong)))
		}
		attempts.Judge()
		c.EventuallyStays(feedOf(t, reader), haveUnchangedOr(control, before))
	})
}

func update(t *T, as *Actor, event Record, fields Fields) *Answer {
	return t.Send(as, UpdateEvent, IDText(event.ID()), JSON(fields))
}

// sameIdentity judges the fields that no update may change.
func sameIdentity(c *Check, before, after Record) {
	known := slices.DeleteFunc([]string{"id", "user_id", "created_at"}, func(name string) bool {
		return blank(before, name) // which events.create.body judges
	})
	m := difference(before, after, known...)
	c.True(m == Mismatch{}, m.Expected, m.Actual)
}

// fate says whether an update kept or cleared the optional fields that it did not send.
func fate(before, after Record) ChoiceAnswer {
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
		return FieldsKept
	case len(kept)+len(changed) == 0:
		return FieldsCleared
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
	return ChoiceAnswer(strings.Join(parts, "; "))
}

// blank reports whether a field is absent, or has a value that stands for none.
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
