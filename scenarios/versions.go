package scenarios

import (
	"bytes"
	"fmt"
	"net/http"

	. "github.com/socialfeed/conform/conformance"
)

// versions judges the contract's part Versioning.
func versions(s *Suite) {
	s.Scenario("the list of versions names each with its status",
		Judges("versions.status", "versions.shape", "versions.current", "versions.disabled"), func(t *Trial) {
			reader := versionsReader(t)
			t.Judge("versions.status", func(c *Check) {
				answer := t.Send(reader, Versions)
				c.Status(answer, OneOf(http.StatusOK))
				_, isList := answer.Value().([]any)
				c.True(isList, "a JSON array", "a body that is none")
			})
			t.Judge("versions.shape", func(c *Check) {
				for i, entry := range versionsList(t, reader) {
					fields, _ := entry.(map[string]any)
					for _, name := range []string{"version", "status"} {
						_, isText := fields[name].(string)
						c.True(isText, fmt.Sprintf("a string %s in entry %d", name, i), fmt.Sprint(entry))
					}
				}
			})
			t.Judge("versions.current", func(c *Check) { hasStatus(t, c, versionsList(t, reader), "0.2", "current") })
			t.Judge("versions.disabled", func(c *Check) { hasStatus(t, c, versionsList(t, reader), "0.1", "disabled") })
		})
	s.Scenario("the list of versions needs some credentials or none", Judges("versions.credentials"), func(t *Trial) {
		t.Judge("versions.credentials", func(c *Check) {
			if t.Send(Nobody{}, Versions).Succeeded() {
				c.Observe("none")
			}
			if t.Send(t.AppOnly(), Versions).Succeeded() {
				c.Observe("app token")
			}
			t.Send(t.Actor(), Versions).Done()
			c.Observe("both")
		})
	})
	s.Scenario("a path under another version is refused", Judges("versions.unknown", "versions.disabled-refused"), func(t *Trial) {
		reader := t.Actor()
		t.Judge("versions.unknown", func(c *Check) {
			list := t.Send(reader, Versions).Body()
			for _, label := range []string{"9.9", "0.29", "0.3"} {
				if !bytes.Contains(list, []byte(`"`+label+`"`)) { // the contract is of one version, and others may follow
					c.Status(t.SendTo(reader, http.MethodGet, "/"+label+"/user"), Refused())
				}
			}
		})
		t.Judge("versions.disabled-refused", func(c *Check) {
			c.Status(t.SendTo(reader, http.MethodGet, "/0.1/user"), Refused())
		})
	})
}

// versionsList needs the list of versions, whatever its entries look like.
func versionsList(t *Trial, reader Credentials) []any {
	answer := t.Send(reader, Versions)
	answer.Done()
	list, isList := answer.Value().([]any)
	if !isList {
		t.Blocked(Versions.Home(), "needs a JSON array of versions")
	}
	return list
}

// hasStatus judges that a version is listed, and with that status wherever it is.
func hasStatus(t *Trial, c *Check, list []any, version, status string) {
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
