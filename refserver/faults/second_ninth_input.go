package faults

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

// ninthInput are the faults of what an application is likely to send that has its ids from
// somewhere else, and of a name that a library does not know.
func ninthInput() []Fault {
	return slices.Concat(
		breaks("errors.no-5xx",
			fault("input-body-in-unknown-charset-fails", "a body whose Content-Type names a charset that nobody knows fails with 500", respond(namesUnknownCharset, 500, complaint("unknown encoding")))),
		breaks("events.update.wrong-type",
			fault("input-change-object-id-number-taken", "a change of an event takes a number for the id of its object", rewriteBody(updatesEvent(), within("object", textOf("id"))))),
		breaks("users.me.update.wrong-type",
			fault("input-update-custom-id-number-taken", "an update takes a number for a custom_id", rewriteBody(updatesUser(), textOf("custom_id")))),
		breaks("social.wrong-type",
			fault("input-social-contacts-with-id-taken", "of objects in the list of identifiers, as a network lists contacts, the ids are taken",
				rewriteBody(connectsSocially().and(sendsA("connection_ids", isA[[]any])), mapField("connection_ids", eachItem(func(value any) any {
					contact, _ := value.(map[string]any)
					if id, named := contact["id"].(string); named {
						return id
					}
					return value
				}))))),
	)
}

// namesUnknownCharset picks the requests whose JSON is said to be in a charset that a library
// does not find.
func namesUnknownCharset(r *http.Request) bool {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(parameters["charset"])
	known := []string{"", "utf-8", "utf8", "utf-16", "utf-32", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1", "windows-1252"}
	return err == nil && mediaType == "application/json" && !slices.Contains(known, charset)
}
