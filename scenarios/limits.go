package scenarios

import (
	"fmt"
	"net/http"
	"sync"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// limits judges the contract's part Limits.
func limits(s *Suite) {
	for _, p := range metadataPlaces() {
		rules := []string{"limits.metadata.keys", "limits.metadata.key-length", "limits.metadata.value-length", "limits.metadata.strings-only"}
		if p.characters {
			rules = append(rules, "limits.metadata.characters")
		}
		if p.at == CreateEvent {
			rules = append(rules, p.blocking)
		}
		// events.create.echo: The fields of a new event come back unchanged.
		// limits.metadata.keys: Metadata holds up to 10 keys and not more.
		// limits.metadata.key-length: A metadata key is up to 40 characters long and not longer.
		// limits.metadata.value-length: A metadata value is up to 500 characters long and not longer.
		// limits.metadata.characters: The limits of metadata keys and values count characters, not bytes.
		// limits.metadata.strings-only: A metadata value that is not a string is refused.
		s.Scenario("metadata of "+p.text+" is taken and returned up to its limits, and refused beyond them",
			CoversAt(p.at, rules...), func(t *T) { metadataLimits(t, p) })
	}
	rateLimits(s)
}

// place is an endpoint that takes metadata.
type place struct {
	at         Endpoint
	text       string
	taken      int    // the status of success
	blocking   string // the rule about metadata well below the limits
	oneMore    string // a character beyond a limit
	characters bool   // whether limits.metadata.characters is judged here
	bearer     func(*T) *metadataBearer
}

// metadataBearer is a user or an event with metadata: it sends metadata, and reads the
// state that a refusal must not change.
type metadataBearer struct {
	send    func(metadata Fields, beside string) *Answer
	stored  func() Record             // nil where there is nothing yet
	beside  string                    // a field of text that is sent beside the metadata where something is stored
	refused []string                  // the metadata of refused requests
	has     Record                    // the latest successful answer
	rule    string                    // that is being judged
	leaky   bool                      // metadata beyond a limit was taken
	nothing func(c *Check, of string) // judges that requests refused under a rule had no effect; nil if stored shows it
}

func (b *metadataBearer) try(metadata Fields) *Answer {
	beside := fmt.Sprintf("number %d", len(b.refused))
	answer := b.send(metadata, beside)
	if answer.Succeeded() {
		b.has = answer.Record().Map("metadata")
		beside = ""
	}
	b.refused = append(b.refused, beside)
	return answer
}

// judge judges a rule by the answers to metadata.
func (b *metadataBearer) judge(t *T, rule string, judged func(*Check)) {
	b.rule = rule
	t.Judge(rule, judged)
}

func metadataPlaces() []place {
	return []place{
		{CreateUser, "a new user", http.StatusCreated, "users.create.echo", "l", true, func(t *T) *metadataBearer {
			return &metadataBearer{send: func(metadata Fields, _ string) *Answer {
				return t.Send(t.AppOnly(), CreateUser, JSON(t.NewUser(Fields{"metadata": metadata})))
			}}
		}},
		{UpdateMe, "a changed user", http.StatusCreated, "users.me.update.applies", " ", false, func(t *T) *metadataBearer {
			user := t.ActorWith(Fields{"metadata": nil}) // an update may add to earlier entries
			return &metadataBearer{
				beside: "first_name",
				send: func(metadata Fields, beside string) *Answer {
					return t.Send(user, UpdateMe, JSON(user.Required(Fields{"metadata": metadata, "first_name": beside})))
				},
				stored: func() Record { return theUser(t, user, GetMe, t.Send(user, GetMe).Record()) },
			}
		}},
		{CreateEvent, "a new event", http.StatusCreated, "events.create.echo", " ", true, newEventBearer},
		{UpdateEvent, "a changed event", http.StatusOK, "events.update.applies", "l", false, func(t *T) *metadataBearer {
			owner := t.AnyActor()
			event := owner.Post(Fields{"metadata": nil}) // an update may add to earlier entries
			return &metadataBearer{
				beside: "location",
				send: func(metadata Fields, beside string) *Answer {
					return update(t, owner, event, Fields{"metadata": metadata, "location": beside})
				},
				stored: func() Record { return update(t, owner, event, Fields{"priority": "high"}).Record() },
			}
		}},
	}
}

// newEventBearer posts events with metadata, which a follower would see.
func newEventBearer(t *T) *metadataBearer {
	author, reader := t.Actor(), t.Actor()
	reader.Follow(author)
	refused := map[string]string{} // the rule by verb
	caughtUp := sync.OnceFunc(func() {
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(author.Post(Fields{"metadata": Fields{"k": "v"}}).ID()))
	})
	bearer := &metadataBearer{nothing: func(c *Check, of string) {
		caughtUp()
		for _, event := range t.Send(reader, Feed).Records() {
			c.True(refused[event.Text("verb")] != of, "no event from the refused request in a follower's feed", "event "+event.ID())
		}
	}}
	bearer.send = func(metadata Fields, _ string) *Answer {
		verb := t.Unique()
		answer := t.Send(author, CreateEvent, JSON(Fields{"verb": verb, "metadata": metadata}))
		if !answer.Succeeded() {
			refused[verb] = bearer.rule
		}
		return answer
	}
	return bearer
}
