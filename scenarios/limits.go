package scenarios

import (
	"fmt"
	"net/http"
	"strings"
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
		// events.create.echo: What a client stores with a new event comes back unchanged.
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

// metadataBearer is a user or an event with metadata: how to send it some, and how to
// read what a refusal must not change.
type metadataBearer struct {
	send    func(metadata Fields, beside string) *Answer
	stored  func() Record             // nil where there is nothing yet
	beside  string                    // a field of text that is sent beside the metadata where something is stored
	refused []string                  // what it was in requests that were refused
	has     Record                    // what the latest success answered
	rule    string                    // that is being judged
	leaky   bool                      // metadata beyond a limit was taken
	nothing func(c *Check, of string) // judges that nothing came of what was refused under a rule; nil where stored shows it
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

func metadataPlaces() []place {
	return []place{
		{CreateUser, "a new user", http.StatusCreated, "users.create.echo", "l", true, func(t *T) *metadataBearer {
			return &metadataBearer{send: func(metadata Fields, _ string) *Answer {
				return t.Send(t.AppOnly(), CreateUser, JSON(t.NewUser(Fields{"metadata": metadata})))
			}}
		}},
		{UpdateMe, "a changed user", http.StatusCreated, "users.me.update.applies", " ", false, func(t *T) *metadataBearer {
			user := t.ActorWith(Fields{"metadata": nil}) // an update may add to what there is
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
			owner := t.Actor()
			event := owner.Post(Fields{"metadata": nil}) // an update may add to what there is
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
			c.True(refused[event.Text("verb")] != of, "no event of a refused request in a follower's feed", "event "+event.ID())
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

// longKey is a key of 40 characters, as long as one may be.
const longKey = "llllllllllllllllllllllllllllllllllllllll"

// metadataLimits judges the limits at one place. Every map has the key k and extends the
// one before: a target may add to metadata instead of replacing it.
func metadataLimits(t *T, p place) {
	first := p.bearer(t)
	most := longest(first)
	all := first.try(most) // when this is accepted, each limit that it reaches is
	judge := func(rule string, judged func(*Check)) {
		first.rule = rule
		t.Judge(rule, judged)
	}
	taken, alone := all.Succeeded() && bears(all.Record(), most), 0
	judge("limits.metadata.value-length", func(c *Check) {
		if !taken {
			within(t, c, p, first, Fields{"k": strings.Repeat("v", 500)})
			alone++
		}
		value := strings.Repeat("v", 500)
		if p.at == CreateEvent {
			value = strings.Repeat("é", 500) // each is one character, too
		}
		p.oneBeyond(c, first, func(more string) Fields { return Fields{"k": value + more} })
	})
	judge("limits.metadata.key-length", func(c *Check) {
		if !taken {
			within(t, c, p, first, Fields{"k": "v", longKey: "v"})
			alone++
		}
		p.oneBeyond(c, first, func(more string) Fields { return Fields{"k": "v", longKey + more: "v"} })
	})
	judge("limits.metadata.strings-only", func(c *Check) {
		beyond(c, first, OneOf(http.StatusUnprocessableEntity).Tolerating(http.StatusBadRequest), noStrings(p, first)...)
	})
	if p.at == CreateEvent {
		judge(p.blocking, func(c *Check) { // nothing of a refused request is left for the next one
			next := Fields{"k": "v"}
			if answer := first.try(next); answer.Succeeded() {
				c.Fields(answer.Record(), Fields{"metadata": next})
			}
		})
	}
	judge("limits.metadata.keys", func(c *Check) {
		another, ten, eleven := first, joined(most, Fields{"j": "v"}), Fields{"m": "v"}
		for name := range ten {
			eleven[name] = "w"
		}
		if !taken {
			ten, eleven = keys(10, "v"), keys(11, "v")
			if first.stored != nil {
				another = p.bearer(t)
			}
		}
		if !taken || len(most) < len(ten) {
			within(t, c, p, another, ten)
			alone++
		}
		refused := OneOf(http.StatusBadRequest, http.StatusUnprocessableEntity)
		beyond(c, another, refused, eleven)
		if p.at == CreateUser {
			c.Status(createUser(t, t.NewUser(Fields{"metadata": eleven}), Query("withLogin", "true")), refused)
		}
	})
	const limits = 3
	if !taken && alone == limits {
		judge("limits.metadata.value-length", func(c *Check) { // of all values at the same time
			within(t, c, p, first, most)
		})
	}
	if p.characters {
		judge("limits.metadata.characters", func(c *Check) {
			metadata := keys(7, strings.Repeat("語", 500))
			for _, character := range []string{"é", "語", "🦉"} { // two, three and four bytes
				metadata[strings.Repeat(character, 40)] = strings.Repeat(character, 500)
			}
			if !taken {
				needLimits(t, first)
			}
			within(t, c, p, first, metadata)
		})
	}
	if first.nothing != nil && !first.leaky { // else the feed may show events of which more is wrong
		for _, rule := range []string{"limits.metadata.value-length", "limits.metadata.key-length", "limits.metadata.keys", "limits.metadata.strings-only"} {
			t.Judge(rule, func(c *Check) { first.nothing(c, rule) })
		}
	}
}
