package scenarios

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// versions judges the contract's part Versioning.
func versions(s *Suite) {
	versionList(s)
	versionCredentials(s)
	otherVersions(s)
}

// versionList judges the content of the list of versions (rule 2).
func versionList(s *Suite) {
	// versions.status: The list of versions is an array at a path without a version segment.
	// versions.shape: Each entry names a version and its status.
	// versions.current: Version 0.2 is listed as current.
	// versions.disabled (should): Version 0.1 is listed as disabled.
	s.Scenario("the list of versions names each with its status",
		Covers("versions.status", "versions.shape", "versions.current", "versions.disabled"), func(t *T) {
			reader := versionsReader(t)
			t.Judge("versions.status", func(c *Check) {
				answer := t.Send(reader, Versions)
				c.Status(answer, OneOf(http.StatusOK))
				_, isList := answer.Value().([]any)
				c.True(isList, "a JSON array", "a body that is not an array")
			})
			list := sync.OnceValue(func() []any { return versionsList(t, reader) })
			t.Judge("versions.shape", func(c *Check) {
				for i, entry := range list() {
					fields, _ := entry.(map[string]any)
					for _, name := range []string{"version", "status"} {
						_, isText := fields[name].(string)
						c.True(isText, fmt.Sprintf("a string %s in entry %d", name, i), fmt.Sprint(entry))
					}
				}
			})
			t.Judge("versions.current", func(c *Check) {
				for range 3 { // every time, not only the first
					hasStatus(t, c, versionsList(t, reader), "0.2", "current")
				}
			})
			t.Judge("versions.disabled", func(c *Check) { hasStatus(t, c, list(), "0.1", "disabled") })
		})
}

// versionCredentials records who may read the list of versions (Authentication, rule 9).
func versionCredentials(s *Suite) {
	// versions.credentials (choice): Which credentials the list of versions needs is left open.
	s.Scenario("the list of versions needs some credentials or none", Covers("versions.credentials"), func(t *T) {
		t.Judge("versions.credentials", func(c *Check) {
			if t.Send(Anonymous{}, Versions).Succeeded() {
				c.Observe("none")
			}
			if t.Send(t.AppOnly(), Versions).Succeeded() {
				c.Observe("app token")
			}
			t.Send(t.AnyActor(), Versions).Done()
			c.Observe("both")
		})
	})
}

// otherVersions judges paths under another version than the contract's (rules 1 and 2).
func otherVersions(s *Suite) {
	// versions.unknown: A path under a version that does not exist is refused.
	// versions.disabled-refused (should): A path under the disabled version 0.1 is refused.
	s.Scenario("a path under another version is refused", Covers("versions.unknown", "versions.disabled-refused"), func(t *T) {
		reader := t.AnyActor()
		current := t.Send(reader, GetMe) // the control
		t.Judge("versions.unknown", func(c *Check) {
			current.Done()
			list := t.Send(reader, Versions).Body()
			for _, label := range []string{"9.9", "0.20", "0.3"} {
				if !bytes.Contains(list, []byte(`"`+label+`"`)) { // the target may have newer versions
					c.Status(t.SendTo(reader, http.MethodGet, "/"+label+"/user"), Refused())
				}
			}
		})
		t.Judge("versions.disabled-refused", func(c *Check) {
			current.Done()
			c.Status(t.SendTo(reader, http.MethodGet, "/0.1/user"), Refused())
		})
	})
}

// versionsList reads the list of versions; an answer that is not an array blocks the check.
func versionsList(t *T, reader Credentials) []any {
	answer := t.Send(reader, Versions)
	answer.Done()
	list, isList := answer.Value().([]any)
	if !isList {
		t.Blocked(Versions.BlockingRule(), "needs a JSON array of versions")
	}
	return list
}

// hasStatus judges that a version is listed, and that each entry of it has the status.
func hasStatus(t *T, c *Check, list []any, version, status string) {
	listed := false
	for _, entry := range list {
		fields, isObject := entry.(map[string]any)
		if !isObject {
			t.Blocked("versions.shape", "needs entries that are objects, and got %v", entry)
		}
		if Record(fields).Text("version") == version {
			listed = true
			c.Fields(fields, Fields{"status": status})
		}
	}
	c.True(listed, "an entry for version "+version, fmt.Sprintf("%d entries without it", len(list)))
}
