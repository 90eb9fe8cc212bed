package faults

import (
	"net/http"
	"slices"
	"strings"
)

// tenthInput are the faults of input that is trimmed, filled in or parsed before anybody looks at it.
func tenthInput() []Fault {
	emptyList := func(value any) bool { list, is := value.([]any); return is && len(list) == 0 }
	wordInPath := func(r *http.Request) bool { return !strings.ContainsAny(lastSegment(r), "0123456789") }
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("input-empty-list-taken-for-metadata", "an empty list is taken for the metadata of a new user, as if it were an empty object",
				rewriteBody(createsUser(), ignoring("metadata", emptyList)))),
		breaks("errors.no-5xx",
			fault("input-event-id-without-digits-fails", "a change of an event whose id is a word fails with 500",
				rewriteResponse(updatesEvent().and(wordInPath), replaceStatus(404, 500, complaint("internal server error"))))),
		breaks("sessions.login.wrong-password",
			fault("input-login-trims-password", "a login takes a password with spaces around it for the one without",
				misled(logsIn(), func(right, given string) bool { return given != right && strings.TrimSpace(given) == right }))),
		breaks("events.update.wrong-type",
			fault("input-blank-text-for-longitude-passed-over", "in a change of an event a blank text as the longitude is passed over",
				rewriteBody(updatesEvent(), ignoring("longitude", is(""))))),
	)
}
