package faults_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/faults"
)

func TestRows(t *testing.T) {
	name, rule := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`), regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)
	names, summaries := map[string]bool{}, map[string]bool{}
	for _, f := range append(faults.All(), faults.SecondOrder()...) {
		if names[f.Name] || summaries[f.Summary] {
			t.Errorf("two faults are called %q or do %q", f.Name, f.Summary)
		}
		names[f.Name], summaries[f.Summary] = true, true
		if !name.MatchString(f.Name) {
			t.Errorf("fault %q: its name is not words with hyphens", f.Name)
		}
		if !rule.MatchString(f.Rule) {
			t.Errorf("fault %s breaks %q, which is no rule's id", f.Name, f.Rule)
		}
		if f.Summary == "" || strings.HasSuffix(f.Summary, ".") {
			t.Errorf("fault %s: its summary is blank or ends with a full stop: %q", f.Name, f.Summary)
		}
		if f.Apply == nil {
			t.Errorf("fault %s changes nothing", f.Name)
		}
		if f.Kind != "" && !strings.HasPrefix(f.Name, string(f.Kind)+"-") {
			t.Errorf("fault %s is of the kind %q", f.Name, f.Kind)
		}
		for _, also := range f.Also {
			if !rule.MatchString(also.Rule) || also.Rule == f.Rule || also.Reason == "" {
				t.Errorf("fault %s: a further rule %q with reason %q", f.Name, also.Rule, also.Reason)
			}
		}
	}
}

func TestFind(t *testing.T) {
	all := append(faults.All(), faults.SecondOrder()...)
	for _, want := range []faults.Fault{all[0], all[len(all)/3], all[len(all)-1]} {
		if got, err := faults.Find(want.Name); err != nil || got.Name != want.Name || got.Rule != want.Rule {
			t.Errorf("finding %s: %s of %s, %v", want.Name, got.Name, got.Rule, err)
		}
	}
	for given, want := range map[string]string{
		"users-create-answer-200":  `there is no fault "users-create-answer-200" (did you mean "users-create-answers-200"?)`,
		"feed-purge-forget-friend": `there is no fault "feed-purge-forget-friend" (did you mean "feed-purge-forgets-friends"?)`,
		"nothing-like-it":          `there is no fault "nothing-like-it"`,
		"":                         `there is no fault ""`,
	} {
		if _, err := faults.Find(given); err == nil || err.Error() != want {
			t.Errorf("finding %q: %v, want %s", given, err, want)
		}
	}
}
