package scenarios

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// events judges the contract's endpoints 18 to 20.
func events(s *Suite) {
	newEvents(s)
	ownedEvents(s)
	refusedEvents(s)
	changedEvents(s)
	unchangedEvents(s)
	deletedEvents(s)
}

func newEvents(s *Suite) {
	// events.create.status: Creating an event answers 201.
	// events.create.body: The answer to a create is the Event, with id, the verb as sent, and both timestamps.
	// events.create.enabled: A new event is enabled.
	// events.create.echo: The fields of a new event come back unchanged.
	// events.create.coordinates: Latitude and longitude come back as sent, negative and fractional values included.
	// events.create.object-url (choice): Whether the url of an event's object is returned or left out is left open.
	// events.create.alias-path (choice): Whether events can also be created at the path /0.2/users/events is left open.
	s.Scenario("a new event is enabled, has an id and its times, and comes back with all that the client stores",
		Covers("events.create.status", "events.create.body", "events.create.enabled", "events.create.echo",
			"events.create.object-url", "events.create.coordinates", "events.create.alias-path"), newEventReturned)
}

func newEventReturned(t *T) {
	author, verb, sent := t.AnyActor(), "Like-"+t.Unique(), fullEvent(t)
	sent["metadata"] = Fields{"mood": " good, between blanks ", "Seat": "007", "_team": "red", "Token": "t", "Password": "none", "user_secret": "s", "sum": "=1+1", "__v": "0", "a.b": "c.d"}
	sent["location"] = "100%s {0} %d" // which formatting functions fill in
	delete(sent, "latitude")
	delete(sent, "longitude")
	plain := t.Send(author, CreateEvent, JSON(Fields{"verb": verb, "enabled": false}))
	if !plain.Succeeded() { // a target may refuse fields that it sets itself
		plain = t.Send(author, CreateEvent, JSON(Fields{"verb": verb}))
	}
	t.Judge("events.create.status", func(c *Check) { c.Status(plain, OneOf(http.StatusCreated)) })
	t.Judge("events.create.body", func(c *Check) {
		plain.Done()
		event := c.Object(plain)
		c.Present(event, "id", "created_at", "updated_at")
		c.Fields(event, Fields{"verb": verb})
	})
	t.Judge("events.create.enabled", func(c *Check) {
		plain.Record()
		c.Fields(c.Object(plain), Fields{"enabled": true})
	})
	plain.Done()
	full := t.Send(author, CreateEvent, JSON(sent))
	t.Judge("events.create.echo", func(c *Check) {
		taken(c, full, http.StatusCreated)
		comesBack(c, c.Object(full), sent)
	})
	t.Judge("events.create.object-url", func(c *Check) {
		if full.Record().Map("object").Has("url") {
			c.Observe("returned")
		}
		c.Observe("left out")
	})
	t.Judge("events.create.coordinates", func(c *Check) { coordinates(t, c, author) })
	t.Judge("events.create.alias-path", func(c *Check) {
		answer := t.SendTo(author, http.MethodPost, "/0.2/users/events", JSON(Fields{"verb": t.Unique()}))
		if answer.Succeeded() {
			c.Observe("answers as well")
		}
		c.Observe("refused with %d", answer.Status())
	})
	sendBlanks(func(blank Fields) { t.Send(author, CreateEvent, JSON(joined(Fields{"verb": t.Unique()}, blank))) })
	sendBlanks(func(blank Fields) { update(t, author, full.Record(), blank) })
}

// sendBlanks sends events with blank values, for the rules judged on every response:
// whether a target takes them is open.
func sendBlanks(send func(Fields)) {
	for _, blank := range []Fields{
		{"language": "", "priority": "", "location": ""},
		{"location": nil, "latitude": nil, "metadata": nil, "object": nil},
	} {
		send(blank)
	}
}

func ownedEvents(s *Suite) {
	// events.create.owner: An event belongs to the user of the session, whatever user the request names.
	s.Scenario("an event belongs to the user of the session, also if the request names another one",
		Covers("events.create.owner"), ownerFromSession)
}

func ownerFromSession(t *T) {
	author, other, reader := t.Actor(), t.AnyActor(), t.Actor()
	reader.Follow(author)
	t.Judge("events.create.owner", func(c *Check) {
		plain := t.Send(author, CreateEvent, JSON(Fields{"verb": t.Unique()})).Record()
		c.Same("user_id", author.ID.String(), plain.Text("user_id"))
		answer := t.Send(author, CreateEvent, JSON(Fields{"verb": t.Unique(), "user_id": other.ID}))
		if !answer.Succeeded() {
			c.Status(answer, Refused())
			return
		}
		c.Same("user_id", author.ID.String(), answer.Record().Text("user_id"))
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(plain.ID()))
		c.Eventually(feedOf(t, reader), haveEvents(answer.Record().ID()))
	})
}

// coordinates creates events at places where a sign, a fraction or a zero is easily
// lost. A zero may count as blank and be left out.
func coordinates(t *T, c *Check, author *Actor) {
	for _, place := range []struct{ latitude, longitude float64 }{
		{-33.856784123, 151.215297456},
		{0, -0.000000125},
		{90, -180}, // the extremes, as whole numbers
	} {
		sent := Fields{"latitude": place.latitude, "longitude": place.longitude}
		got := taken(c, t.Send(author, CreateEvent, JSON(joined(Fields{"verb": t.Unique()}, sent))), http.StatusCreated)
		for name, want := range map[string]float64{"latitude": place.latitude, "longitude": place.longitude} {
			if want == 0 && !got.Has(name) {
				continue
			}
			if value, is := number(got, name); !is || math.Abs(value-want) > 1e-9 {
				c.Fail(fmt.Sprintf("%s %v", name, want), fmt.Sprintf("%v", got[name]))
			}
		}
	}
}

// fullEvent has every field that a client may send.
func fullEvent(t *T) Fields {
	return Fields{
		"verb": t.Unique(), "language": "en", "priority": "high" + t.Awkward(), "location": "Berlin" + t.Awkward(), "latitude": 52.75, "longitude": 13.25,
		"metadata": Fields{"mood": "=1+1", "Seat": "007", "day": "2024-05-01", "flag": "true", "price": "1.50", "list": "[1, 2]", "pad": " x ", "a.b": "c.d"},
		"object": Fields{"id": capitalized(t.Unique()), "type": "picture", "url": "http://a.test/pics?7",
			"display_name": Fields{"en": "A picture", "de": "Ein Bild"}},
	}
}

// otherEvent has another value in every field of fullEvent, under the same keys:
// whether an update replaces a map or adds to it is not judged.
func otherEvent(t *T) Fields {
	return Fields{
		"verb": t.Unique(), "language": "de", "priority": "007", "location": "Hamburg" + t.Awkward(), "latitude": 52.5, "longitude": -70.5,
		"metadata": Fields{"mood": "-1+1", "Seat": "008", "day": "2024-05-02T06:07:08+02:00", "flag": "false", "price": "0.10", "list": `{"a":1}`, "pad": "x  y ", "a.b": "d.e"},
		"object": Fields{"id": t.Unique(), "type": "song", "url": "http://a.test/pics?8", // alike except in parts that some servers do not compare
			"display_name": Fields{"en": "A song", "de": "Ein Lied"}},
	}
}

// taken is the resource in the answer to a valid request. The check fails when the request
// was refused.
func taken(c *Check, answer *Answer, status int) Record {
	if !answer.Succeeded() {
		c.Status(answer, OneOf(status))
	}
	return answer.Record()
}

// comesBack judges that the sent fields came back. The url of an object may be left out,
// and an object may have further fields.
func comesBack(c *Check, got Record, sent Fields) {
	view, want := maps.Clone(got), maps.Clone(sent)
	if object, ok := sent["object"].(Fields); ok {
		inner := maps.Clone(object)
		delete(inner, "url")
		want["object"] = inner
		if back := got.Map("object"); back != nil {
			known := map[string]any{}
			for name := range inner {
				if back.Has(name) {
					known[name] = back[name]
				}
			}
			view["object"] = known
		}
	}
	c.Fields(view, want)
}

// joined returns fields, which may be nil, with further ones beside them or in their place.
func joined(base Fields, further ...Fields) Fields {
	all := Fields{}
	for _, fields := range append([]Fields{base}, further...) {
		maps.Copy(all, fields)
	}
	return all
}

func number(r Record, field string) (float64, bool) {
	literal, is := r[field].(json.Number)
	if !is {
		return 0, false
	}
	value, err := literal.Float64()
	return value, err == nil
}

// unusedEvent makes an id of the target's own shape that no event has.
func unusedEvent(t *T, owner *Actor, event Record) fmt.Stringer {
	like := owner.ID // for its type; the value becomes the event's
	literal, err := json.Marshal(event["id"])
	if err == nil {
		err = like.UnmarshalJSON(literal)
	}
	if err != nil {
		t.Blocked("events.types", "needs the id of an event, and got %v", event["id"])
	}
	return UnusedID(like)
}
