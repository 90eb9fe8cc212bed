package main

import (
	"strings"
	"testing"
)

// TestExplainFinds lists what a word and an endpoint's number match, and quotes the contract.
func TestExplainFinds(t *testing.T) {
	t.Parallel()
	for asked, says := range map[string][]string{
		"feed.order":          {"The feed (#21) holds events of users the session user follows. The example shows"},
		"purge":               {"feed.purge.followers", "feed.purge.no-return"},
		"21":                  {"GET /0.2/user/feed · auth: both", "feed.order"},
		"#21":                 {"GET /0.2/user/feed · auth: both"},
		"get /0.2/user/feed":  {"GET /0.2/user/feed · auth: both"},
		"exceeding":           {"Limits: Exceeding a limit yields 429."},
		"Last Login":          {"sessions.login.last-login"},
		"users.me.delete.sta": {"users.me.delete.status"},
		"client.checks-504":   {"client.checks-504", "conform client -- COMMAND"},
		"checks 504":          {"client.checks-504"},
	} {
		o := conform(t, "explain", asked)
		o.wants(t, exitConformant)
		for _, text := range says {
			if !contains(o.stdout, text) {
				t.Errorf("explain %s does not say %q:\n%s", asked, text, o.stdout)
			}
		}
	}
}

// TestExplainFindsNoHeadings, which alone say nothing.
func TestExplainFindsNoHeadings(t *testing.T) {
	t.Parallel()
	o := conform(t, "explain", "rules")
	o.wants(t, exitConformant)
	if strings.Contains(o.stdout, "rules:\n") {
		t.Error(o.stdout)
	}
}

// TestContractIsShown whole and by its parts.
func TestContractIsShown(t *testing.T) {
	t.Parallel()
	for part, says := range map[string]string{"": "# Social Activity Feed Service", "limits": "## Limits", "event": "## Resources and their fields: Event", "What the": "General transport rules"} {
		args := []string{"contract"}
		if part != "" {
			args = append(args, part)
		}
		o := conform(t, args...)
		o.wants(t, exitConformant)
		if !contains(o.stdout, says) {
			t.Errorf("contract %s does not say %q", part, says)
		}
	}
}

// contains reports whether a text has words, wherever its lines end.
func contains(text, words string) bool {
	return strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(words), " "))
}

// TestContractNamesItsRules reads the sentences of a part with what judges them.
func TestContractNamesItsRules(t *testing.T) {
	t.Parallel()
	o := conform(t, "contract", "--rules", "versioning")
	o.says(t, exitConformant, "Backwards-incompatible changes", "no rule", "versions.disabled-refused")
	if strings.Contains(o.stdout, "feed.order") {
		t.Errorf("another part is shown, too:\n%s", o.stdout)
	}
	conform(t, "contract", "--rules", "prices").says(t, exitUsage, "its parts: What the service does")
}
