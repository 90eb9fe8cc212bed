package main

import (
	"os"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestCollectionsAreGreen runs the collections as they are printed, in the programs that read them, beside the fake:
// they pass, leave no user behind, and fail where the feed keeps a deleted event.
func TestCollectionsAreGreen(t *testing.T) {
	t.Parallel()
	if !everything() {
		t.Skip("newman and httpYac take long to install: make test-packages")
	}
	testkit.Needs(t, "node", "npm", "curl", "sh")
	dir := npmProject(t, "testdata/collections", t.TempDir())
	env := []string{"PATH=" + programPath(t) + string(os.PathListSeparator) + os.Getenv("PATH")}
	beside := func(flags, command string) (string, error) {
		return say(t, dir, env, "sh", "-c", "refserver exec "+flags+" -- sh -c '"+command+"'")
	}
	for collection, requests := range map[string]string{"postman": "29", "http": "29 requests processed (29 succeeded)"} {
		for _, dialect := range []string{"default", "uuid-ids+strict-input+wary-sessions"} {
			out, err := beside("--dialect "+dialect, "npm run --silent "+collection+" && npm run --silent users")
			if err != nil || !strings.Contains(out, requests) || !strings.Contains(out, `"users": 0`) {
				t.Errorf("%s under %s: %v\n%s", collection, dialect, err, out)
			}
		}
		if out, err := beside("--fault "+keepsDeleted, "npm run --silent "+collection); err == nil {
			t.Errorf("%s passes with %s\n%s", collection, keepsDeleted, out)
		}
	}
}

// keepsDeleted is a fault: feeds keep events that were deleted.
const keepsDeleted = "feed-deleted-event-stays-for-last-follower"
