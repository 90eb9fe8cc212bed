package refserver_test

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// TestDialectsExerciseEverySetting: a setting that no dialect makes is one that
// no run of the suite ever meets. How many settings a field has is counted from
// what validation lets through.
func TestDialectsExerciseEverySetting(t *testing.T) {
	settings := map[string]map[any]bool{}
	names := map[string]bool{}
	for _, dialect := range refserver.Dialects() {
		if names[dialect.Name] || dialect.Summary == "" || !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(dialect.Name) {
			t.Errorf("dialect %q: the name is taken or unfit, or the summary blank", dialect.Name)
		}
		names[dialect.Name] = true
		made := reflect.ValueOf(dialect.Choices)
		for i := range made.NumField() {
			field := made.Type().Field(i).Name
			if settings[field] == nil {
				settings[field] = map[any]bool{}
			}
			settings[field][made.Field(i).Interface()] = true
		}
	}
	candidates := map[reflect.Kind][]any{
		reflect.Bool:   {false, true},
		reflect.Int:    {0, 200, 400, 403, 404, 409, 422},
		reflect.String: {"", "big", "digits", "uuid", "seconds", "offset", "kept", "cut", "rounded", "password", "update", "all", "400", "follow", "friend", "app", "both", "user", "address", "none", "quota"},
	}
	for _, measure := range []string{"Lag", "ClockSkew", "SessionLifetime", "SessionsPerUser", "TextBytes", "ListLength", "FeedLength"} {
		if len(settings[measure]) < 2 {
			t.Errorf("no dialect sets %s", measure)
		}
		delete(settings, measure) // any value will do
	}
	for field, made := range settings {
		for _, candidate := range candidates[reflect.ValueOf(refserver.Choices{}).FieldByName(field).Kind()] {
			var choices refserver.Choices
			target := reflect.ValueOf(&choices).Elem().FieldByName(field)
			target.Set(reflect.ValueOf(candidate).Convert(target.Type()))
			_, err := refserver.New(refserver.Options{AppTokens: []string{"a"}, Choices: choices})
			isDefault := err == nil && candidate == sameAsDefault[field]
			if err == nil && !isDefault && !made[target.Interface()] {
				t.Errorf("no dialect sets %s to %v", field, candidate)
			}
		}
	}
}

// sameAsDefault are the statuses that a zero stands for.
var sameAsDefault = map[string]any{
	"UserAgentStatus": 400, "DuplicateStatus": 201, "OthersEventStatus": 403, "DisabledVersionStatus": 410,
	"RequiredStatus": 422, "NonObjectStatus": 400,
}

// TestDialectsServe lives a short life in each dialect, with what every server may require.
func TestDialectsServe(t *testing.T) {
	for _, dialect := range refserver.Dialects() {
		t.Run(dialect.Name, func(t *testing.T) {
			x := with(t, dialect.Choices)
			ann, bob := x.actor("ann"), x.actor("bob")
			ann.connect(bob, "follow")
			event := bob.post("like")
			x.clock.Advance(dialect.Choices.Lag)
			equal(t, "follows", ann.list("/0.2/user/follows"), bob.id)
			equal(t, "search", ann.list("/0.2/users/search?q=bob"), bob.id)
			equal(t, "feed", ann.list("/0.2/user/feed"), event)
			bob.must(204, "DELETE", "/0.2/user", nil)
			x.clock.Advance(dialect.Choices.Lag)
			equal(t, "feed after the purge", ann.list("/0.2/user/feed"))
			ann.must(200, "GET", "/versions", nil)
			ann.must(204, "DELETE", "/0.2/user", nil)
			if counts := x.server.Stats(); counts.Users+counts.Sessions+counts.Connections+counts.Events != 0 {
				t.Errorf("left behind: %+v", counts)
			}
		})
	}
}
