package body

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/value"
)

// TestEveryValueOfAPoolTurnsUp draws the bodies of many turns in a row: each field of users and
// events must take each value of its pool, and a last name also alone. What leaves fields out
// must not go in step with what chooses their values.
func TestEveryValueOfAPoolTurnsUp(t *testing.T) {
	const turns = 1500
	pools := map[string][]Value{
		"user_name": UserNames(), "email": emails(), "social_ids": socialIDs(), "first_name": Texts(), "last_name": Texts(), "url": urls(), "metadata": metadata(),
		"verb": verbs(), "language": languages(), "priority": Texts(), "location": Texts(), "latitude": numbers("90"), "longitude": numbers("180"),
		"object.id": Texts(), "object.type": objectTypes(), "object.url": urls(), "object.display_name": displayNames(),
	}
	for _, made := range []struct {
		what string
		body func(w *Payloads, v int) *Payload
		Of   []string
	}{
		{"new user", func(w *Payloads, v int) *Payload { return w.NewUser(v, "a1b2c3") }, []string{"user_name", "email", "social_ids", "first_name", "last_name", "url", "metadata"}},
		{"profile", func(w *Payloads, v int) *Payload { return w.Update(v, "a1b2c3") }, []string{"social_ids", "first_name", "last_name", "url", "metadata"}},
		{"event", func(w *Payloads, v int) *Payload { return w.Event(v) }, []string{"verb", "language", "priority", "location", "latitude", "longitude", "metadata",
			"object.id", "object.type", "object.url", "object.display_name"}},
	} {
		seen := map[string]map[string]bool{}
		note := func(field string, value any) {
			if seen[field] == nil {
				seen[field] = map[string]bool{}
			}
			seen[field][fmt.Sprint(value)] = true
		}
		for v := range turns {
			for field, value := range made.body(NewPayloads(), v).Fields {
				note(field, value)
				if object, is := value.(map[string]any); is && field == "object" {
					for inner, each := range object {
						note("object."+inner, each)
					}
				}
			}
		}
		for _, field := range made.Of {
			if got := len(seen[field]); got < len(pools[field]) {
				t.Errorf("of %d values %d turn up as %s of a %s", len(pools[field]), got, field, made.what)
			}
		}
		if made.what == "event" {
			continue
		}
		bare := slices.DeleteFunc(Texts(), func(each Value) bool { return seen["last_name"][each.JSON.(string)] })
		if len(bare) > 0 {
			t.Errorf("%d texts are never the whole last name of a %s, %s among them", len(bare), made.what, bare[0].Class)
		}
	}
}

// TestFormsTellTokensApart sees that what must be unique has the token in it, in each of its forms:
// users of one social id would all be found by it.
func TestFormsTellTokensApart(t *testing.T) {
	for field, pool := range map[string][]Value{"custom_id": customIDs(), "social_ids": socialIDs(), "user_name": UserNames(), "password": Passwords()} {
		for _, value := range pool {
			form := value.JSON.(string)
			if network, id, there := strings.Cut(form, ":"); there && field == "social_ids" && !strings.Contains(network, "*") {
				form = id
			}
			if one, other := fillForm(form, "abcdef"), fillForm(form, "ghijkl"); one == other {
				t.Errorf("%s: %s is %q for every token", field, value.Class, one)
			}
		}
	}
}

// TestNoKeyIsOfASecret checks that metadata has no key whose value every report hides: the evidence
// would lack it, and no script could show it.
func TestNoKeyIsOfASecret(t *testing.T) {
	for _, v := range metadata() {
		for _, secret := range []string{"password", "session_token"} {
			if _, there := v.JSON.(value.Fields)[secret]; there {
				t.Errorf("%s: %s", v.Class, secret)
			}
		}
	}
}
