package restarts

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestSnapshotsAreComparedByValue compares answers of an old version with those of a new one.
func TestSnapshotsAreComparedByValue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ was, is, shown string }{
		"the same":                 {`{"id":1,"at":"2026-01-02T03:04:05Z"}`, `{"at":"2026-01-02T04:04:05+01:00","id":1}`, ""},
		"a field gone":             {`{"id":1,"url":"a"}`, `{"id":1}`, `$.url "a" nothing`},
		"a new field":              {`{"id":1}`, `{"id":1,"nick":"a"}`, `allowed $.nick nothing "a"`},
		"a new pair of metadata":   {`{"metadata":{}}`, `{"metadata":{"a":"b"}}`, `$.metadata.a nothing "b"`},
		"another value":            {`{"latitude":47.25}`, `{"latitude":47}`, `$.latitude 47.25 47`},
		"the same number":          {`{"latitude":47.0}`, `{"latitude":47}`, ""},
		"ids that only differ far": {`{"user_id":9007199254740993}`, `{"user_id":9007199254740992}`, `$.user_id 9007199254740993 9007199254740992`},
		"another type":             {`{"user_id":1}`, `{"user_id":"1"}`, `$.user_id 1 "1"`},
		"another order of users":   {`[{"id":1},{"id":2}]`, `[{"id":2},{"id":1}]`, `order of $ 1, 2 2, 1`},
		"an item gone":             {`[{"id":1},{"id":2}]`, `[{"id":1}]`, `restarts.order $[] {"id":2} nothing`},
		"an item back":             {`[{"id":1}]`, `[{"id":1},{"id":2}]`, `restarts.deleted $[] nothing {"id":2}`},
		"a token":                  {`{"a":"1"}`, `{"a":"secret"}`, `$.a "1" "$APP_TOKEN"`},
		"a list without ids":       {`{"image":[{"url":"a"}]}`, `{"image":[{"url":"b"}]}`, `$.image[].url "a" "b"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := &comparison{hide: strings.NewReplacer("secret", "$APP_TOKEN")}
			as := func(text string) snapshot {
				return snapshot{answers: map[string]reading{"k": {"GET " + feed, answer{status: 200, body: decoded(t, text)}}}}
			}
			c.compare(as(test.was), as(test.is))
			if shown := tell(c.changes); shown != test.shown {
				t.Errorf("shown is %q, want %q", shown, test.shown)
			}
		})
	}
}

func tell(changes []result.UpgradeChange) string {
	var all []string
	for _, c := range changes {
		words := []string{c.Rule, c.What, c.Old, c.New}
		if c.Allowed {
			words[0] = "allowed"
		}
		all = append(all, strings.TrimSpace(strings.Join(words, " ")))
	}
	return strings.Join(all, "; ")
}

// TestSnapshotsAreComparedByStatus compares sessions and refusals.
func TestSnapshotsAreComparedByStatus(t *testing.T) {
	t.Parallel()
	const served, refused, failing = 200, 401, 500
	as := func(session, user int) snapshot {
		return snapshot{sessions: map[int]answer{1: {status: session}}, answers: map[string]reading{"k": {"GET /a", answer{status: user}}}}
	}
	for name, test := range map[string]struct {
		was, is snapshot
		shown   string
	}{
		"a session that ended":        {as(served, served), as(refused, served), "restarts.sessions session served 401"},
		"a session that is back":      {as(refused, served), as(served, served), "restarts.ended-sessions session 401 served"},
		"a user who is gone":          {as(served, served), as(served, 404), "status 200 404"},
		"a user who is back":          {as(served, 404), as(served, served), "restarts.deleted status 404 200"},
		"an answer that is an error":  {as(served, served), as(served, failing), "restarts.serves status 200 500"},
		"what was refused before too": {as(refused, refused), as(refused, refused), ""},
	} {
		c := &comparison{hide: strings.NewReplacer()}
		if c.compare(test.was, test.is); tell(c.changes) != test.shown {
			t.Errorf("%s: shown is %q, want %q", name, tell(c.changes), test.shown)
		}
	}
	c := &comparison{hide: strings.NewReplacer(), unlike: map[[2]string]bool{{"GET /a", "status"}: true}}
	if c.compare(as(served, served), as(served, refused)); len(c.changes) > 0 {
		t.Errorf("what differs by itself is told: %+v", c.changes)
	}
}
