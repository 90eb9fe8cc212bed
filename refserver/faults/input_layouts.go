package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// inputLayouts are the faults of parsers that do not take every text of the same JSON value.
func inputLayouts() []Fault {
	const colon, comma = `"\s*:\s*`, `\s*,\s*`
	body := func(pattern string) match {
		found := regexp.MustCompile(pattern)
		return func(r *http.Request) bool { return found.Match(peekBody(r)) }
	}
	return slices.Concat(
		breaks("users.create.status",
			fault("input-user-in-lines-refused", "a new user whose JSON is laid out in several lines is refused, as one line is read",
				refused(createsUser().and(body(`\S\s*\n\s*\S`)), 400, "{}"))),
		breaks("users.me.update.status",
			fault("input-update-behind-a-blank-refused", "an update of a user with a blank in front of its JSON is refused, as its first character is not a brace",
				refused(updatesUser().and(body(`^\s`)), 422, complaint("no object")))),
		breaks("connections.create.follow",
			fault("input-connection-with-escaped-name-refused", "a new connection with escapes in the names of its fields is refused, as they are compared as they are spelled",
				refused(connects().and(body(`"(\\u[0-9a-f]{4}\w*|\w+\\u[0-9a-f]{4}\w*)`+colon)), 422, complaint("user_to_id is required")))),
		breaks("social.status",
			fault("input-contacts-before-platform-refused", "connection_ids are refused in front of the platform, as the body is read as a stream",
				refused(connectsSocially().and(body(`"connection_ids`+colon+`.*`+comma+`"platform`+colon)), 422, complaint("platform comes first")))),
		breaks("transport.equivalent-spelling",
			fault("input-accept-of-several-types-refused", "a request for the feed that accepts JSON beside other types is refused, as the header is compared as a whole",
				respond(readsFeed().and(func(r *http.Request) bool {
					return strings.HasPrefix(r.Header.Get("Accept"), "application/json,")
				}), 406, complaint("JSON only")))))
}
