//go:build unix

package proof_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/restarts"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// upgraded has one reference server fill a file, and another start on it.
func upgraded(t *testing.T, old, now []string) (*result.Upgrade, error) {
	t.Helper()
	file := []string{"--data", filepath.Join(t.TempDir(), "data")}
	before := restartable(t, append(file, old...)...)
	after := restartable(t, append(append(file, now...), "--addr", strings.TrimPrefix(before.Target.BaseURL, "http://"))...)
	after.Target.BaseURL = before.Target.BaseURL
	return restarts.Upgrade(t.Context(), restarts.UpgradeConfig{Target: before.Target, Old: before, New: after, Seed: 1})
}

// TestUpgradesLoseNothing upgrades the reference server to itself, to other choices and to more fields: nothing
// that was there is different, but what the choices say.
func TestUpgradesLoseNothing(t *testing.T) {
	for name, now := range map[string][]string{
		"itself": nil, "synced": {"--data-sync"}, "further fields": {"--choose", "further-fields=true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, err := upgraded(t, nil, now)
			must(t, err)
			if u.Noticeable() || u.Answers < 50 || len(u.Notes) > 0 || (name == "further fields") == u.Empty() {
				t.Errorf("%d answers: %+v %q", u.Answers, u.Changes, u.Notes)
			}
		})
	}
}

// TestUpgradesOfDialectsLoseNothing upgrades servers of dialects to themselves: one in UPGRADE_SHARES, that whose
// turn it is.
func TestUpgradesOfDialectsLoseNothing(t *testing.T) {
	shares, turn := fromEnvironment(t, "UPGRADE_SHARES", 12), fromEnvironment(t, "PROOF_TURN", 0)
	for i, dialect := range refserver.Dialects() {
		if i%shares != turn%shares {
			continue
		}
		t.Run(dialect.Name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--dialect", dialect.Name}
			u, err := upgraded(t, flags, flags)
			if must(t, err); !u.Empty() || u.Answers < 50 {
				t.Errorf("%d answers: %+v", u.Answers, u.Changes)
			}
			t.Logf("%d answers; %q", u.Answers, u.Notes)
		})
	}
}

// TestUpgradesShowWhatIsDifferent upgrades the reference server to one with a mistake: that is named, and
// nothing else.
func TestUpgradesShowWhatIsDifferent(t *testing.T) {
	for fault, wanted := range map[string][]string{
		"first-events-lost-at-start": {"restarts.order GET /0.2/user/feed $[]"},
		"metadata-of-users-lost-at-start": {
			" GET /0.2/user $.metadata", " GET /0.2/user/followers $[].metadata", " GET /0.2/user/follows $[].metadata", " GET /0.2/user/friends $[].metadata",
			" GET /0.2/users/search $[].metadata", " GET /0.2/users/{UserID} $.metadata", " GET /0.2/users/{UserID}/followers $[].metadata",
			" GET /0.2/users/{UserID}/follows $[].metadata", " GET /0.2/users/{UserID}/friends $[].metadata",
		},
		"sessions-lost-at-start":         {"restarts.sessions GET /0.2/user session"},
		"ids-from-rows":                  {"restarts.ids  with what was there"},
		"index-of-users-not-rebuilt":     {"restarts.order GET /0.2/users/search $[]"},
		"index-of-followers-not-rebuilt": {"restarts.order GET /0.2/user/followers $[]", "restarts.order GET /0.2/users/{UserID}/followers $[]"},
		"fails-where-it-finds-something": {"restarts.serves  with what was there"},
		"deletions-of-events-undone":     {"restarts.deleted  with what was there"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			u, err := upgraded(t, nil, []string{"--data-fault", fault})
			must(t, err)
			var shown []string
			for _, c := range u.Changes {
				shown = append(shown, fmt.Sprintf("%s %s %s", c.Rule, c.Endpoint, c.What))
			}
			if slices.Sort(shown); !slices.Equal(shown, wanted) || !u.Noticeable() {
				t.Errorf("shown is %q: %+v", shown, u.Changes)
			}
		})
	}
}

// TestUpgradesOfWhatKeepsNothingAreNone upgrades a server that has no file.
func TestUpgradesOfWhatKeepsNothingAreNone(t *testing.T) {
	t.Parallel()
	before := restartable(t)
	_, err := restarts.Upgrade(t.Context(), restarts.UpgradeConfig{Target: before.Target, Old: before, New: before, Seed: 1})
	if !errors.Is(err, restarts.ErrNothingKept) {
		t.Errorf("the error is %v", err)
	}
}
