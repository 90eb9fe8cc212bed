package like

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// report is what a run says of a server with these choices, at an endpoint for each rule.
func report(c refserver.Choices) (all []Choice) {
	for rule, answer := range withLimits(c) {
		all = append(all, Choice{rule, "GET /0.2/user", answer})
	}
	return all
}

// chosen are the default choices with those of a fit.
func chosen(t *testing.T, fit Fit) refserver.Choices {
	t.Helper()
	c := refserver.Choices{}
	for _, name := range slices.Sorted(maps.Keys(fit.Choose)) {
		if err := c.Choose(name, fit.Choose[name]); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// Whatever the choices of a server are, a run says the same of one that is like it; and no choice is made
// that the report does not tell.
func TestWhatIsLikeAServerAnswersTheSame(t *testing.T) {
	servers := refserver.Dialects()
	for _, a := range alternatives() {
		servers = append(servers, refserver.Dialect{Name: a.name + " alone", Choices: a.in(refserver.Choices{})})
	}
	for _, server := range servers {
		fit := Of(report(server.Choices))
		if got, want := withLimits(chosen(t, fit)), withLimits(server.Choices); !maps.Equal(got, want) || len(fit.Other) > 0 {
			t.Errorf("%s: %v\nanswers %v\nwant    %v\nunlike it in %v", server.Name, fit.Choose, got, want, fit.Other)
		}
		for name := range fit.Choose {
			if slices.Contains(fit.Untold, name) {
				t.Errorf("%s: %s is chosen, and the report does not tell it", server.Name, name)
			}
		}
	}
}

func TestWhatAReportCannotTellIsNamed(t *testing.T) {
	fit := Of(report(refserver.Choices{}))
	for name, want := range map[string]bool{"times": true, "lag": true, "list-length": true, "user-ids": false, "single-session": false, "rate-scope": false} {
		if got := slices.Contains(fit.Untold, name); got != want {
			t.Errorf("%s is among what cannot be told: %v, in %v", name, got, fit.Untold)
		}
	}
	if fit := Of([]Choice{{"feed.own-events", "GET /0.2/user/feed", "there"}}); !slices.Contains(fit.Untold, "user-ids") || fit.Choose["own-events"] != "true" {
		t.Errorf("of one choice: %+v", fit)
	}
}

// What the reference server never does is said, with the nearest of the rest.
func TestWhatNoChoiceDoesIsSaid(t *testing.T) {
	unlike := []Choice{
		{"users.create.duplicate-email", "POST /0.2/users", "refused with 422"},
		{"no.such-rule", "", "something"},
	}
	fit := Of(append([]Choice{{"feed.own-events", "GET /0.2/user/feed", "there"}}, unlike...))
	if !slices.Equal(fit.Other, unlike) || fit.Choose["own-events"] != "true" || len(fit.Choose) != 1 {
		t.Errorf("%+v", fit)
	}
}

// A run of a part of the contract sees ids at fewer endpoints.
func TestFormsOfIdsOfAPartialRun(t *testing.T) {
	for answer, want := range map[string]string{
		"digit string at POST /0.2/user/login; integer at GET /0.2/user":                               "",
		"digit string at POST /0.2/user/login, POST /0.2/user/connections; integer at POST /0.2/users": "string-references=true",
		"UUID everywhere": "user-ids=uuid",
	} {
		fit := Of([]Choice{{"users.id-type", "", answer}})
		var got []string
		for name, value := range fit.Choose {
			got = append(got, name+"="+value)
		}
		if strings.Join(got, " ") != want || len(fit.Other) > 0 {
			t.Errorf("%s: %v, unlike it in %v", answer, got, fit.Other)
		}
	}
}

func TestOnlyReportsAreRead(t *testing.T) {
	for text, says := range map[string]string{
		"":                               "not the JSON report",
		"[]":                             "not the JSON report",
		`{"schema":"conform.diff/v1"}`:   "its schema is",
		`{"schema":"conform.report/v1"}`: "records no choice",
		`{"schema":"conform.report/v1","choices":[{"rule":1}]}`: "not the JSON report",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
