package faults

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// inputUsers are faults of bad users and bad updates of users: they are accepted,
// corrected or ignored, or refused with an effect.
func inputUsers() []Fault {
	const comment = `/\*[^*]*\*/`
	passwordAlone := func(user map[string]any) {
		maps.DeleteFunc(user, func(field string, _ any) bool { return field != "user_name" && field != "password" })
	}
	metadataAlone := match(func(r *http.Request) bool { return len(requestObject(r)) == 1 }).and(sends("metadata"))
	return slices.Concat(
		breaks("users.create.user-name-required",
			fault("input-user-name-null-taken", "a new user's name may be null",
				rewriteBody(createsUser().and(sendsA("user_name", isNull)), set("user_name", "null"))),
			fault("input-wrapped-user-taken", "the fields of a new user without a user name are looked for in a field called user",
				rewriteBody(createsUser().and(not(sends("user_name"))), func(body map[string]any) {
					if inner, is := body["user"].(map[string]any); is {
						maps.Copy(body, inner)
					}
				}))),
		breaks("users.create.wrong-type",
			fault("input-user-first-name-list-joined", "a list is taken for a new user's first name, joined by commas", creatingUser(mapField("first_name", joined))),
			fault("input-user-empty-metadata-list-taken", "an empty list is taken for a new user's metadata", creatingUser(ignoring("metadata", isEmptyList))),
			fault("input-user-social-id-number-taken", "numbers are taken for a new user's social ids", creatingUser(mapField("social_ids", eachItem(numberAsText)))),
			fault("input-user-empty-email-object-ignored", "an object without fields is passed over where a new user's email should be",
				creatingUser(ignoring("email", func(value any) bool { object, ok := value.(map[string]any); return ok && len(object) == 0 }))),
			fault("input-user-password-boolean-taken", "a boolean is taken for a new user's password", creatingUser(mapField("password", boolAsText))),
			fault("input-social-id-object-flattened", "an object with an id is taken for one of a new user's social ids",
				creatingUser(mapField("social_ids", eachItem(func(value any) any {
					if object, ok := value.(map[string]any); ok && isA[string](object["id"]) {
						return object["id"]
					}
					return value
				})))),
			fault("input-user-activated-number-taken", "a number is taken for a new user's activated, which is true unless it is 0",
				creatingUser(mapField("activated", numberAsFlag))),
			fault("input-create-with-login-takes-number-as-last-name", "a create that also logs in takes a number for a last name", rewriteBody(createWithLogin(), textOf("last_name")))),
		breaks("users.create.malformed-json",
			fault("input-user-trailing-comma-taken", "a comma may stand behind the last field of a new user", repairJSON(createsUser(), trailingComma, "}")),
			fault("input-user-without-quotes-taken", "the names of a new user's fields need no quotes", repairJSON(createsUser(), unquotedKey, `$1"$2":`)),
			fault("input-user-text-behind-object-taken", "what stands behind the object in the body of a create is not read",
				rewriteRequest(createsUser(), func(r *http.Request) {
					var first json.RawMessage
					body := peekBody(r)
					if json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil && !json.Valid(body) {
						setBody(r, first)
					}
				})),
			fault("input-user-with-comment-taken", "the body of a create may contain a comment", repairJSON(createsUser(), comment, "")),
			fault("input-user-cut-off-at-the-end-taken", "the last brace of a new user may be missing", repairJSON(createsUser(), `\z`, "}")),
			fault("input-create-takes-trailing-comma", "a create is taken with a comma behind the last member of an object", repairJSON(createsUser(), `,(\s*[}\]])`, "$1")),
			fault("input-create-takes-raw-line-breaks-in-texts", "a create takes texts with line breaks and tabs in them that are not escaped, as lenient parsers do",
				repairJSON(createsUser(), `[\n\r\t]`, ` `))),
		breaks("users.create.not-an-object",
			fault("input-user-empty-list-answers-409", "a create whose body is an empty list is answered with 409",
				rewriteResponse(createsUser().and(func(r *http.Request) bool { return isEmptyList(decode(peekBody(r))) }), replaceStatus(400, 409, "{}"))),
			fault("input-user-true-answers-404", "a create whose body is true is answered with 404",
				rewriteResponse(createsUser().and(func(r *http.Request) bool { return decode(peekBody(r)) == true }), replaceStatus(400, 404, "{}"))),
			fault("input-double-encoded-user-taken", "a text is taken for a new user that is the JSON of one",
				rewriteRequest(createsUser(), inOther(parsed)))),
		breaks("users.me.update.user-name-required",
			fault("input-update-name-null-keeps-it", "an update with null for a user name keeps the one that stands",
				rewriteKnowing(updatesUser().and(sendsA("user_name", isNull)), keepingName)),
			fault("input-nameless-update-changes-password", "an update without a user name is refused, and its password counts anyway",
				intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					sent := requestObject(r)
					own := ownRecord(next, r)
					if !refusesInput(resp) || sent["user_name"] != nil || fieldText(sent, "password") == "" || own == nil {
						return resp
					}
					body := map[string]any{"password": sent["password"]}
					for _, field := range []string{"user_name", "email", "custom_id", "first_name", "last_name", "url", "social_ids", "metadata"} {
						if value, there := own[field]; there {
							body[field] = value
						}
					}
					call(next, r, http.MethodPut, "/0.2/user", body)
					return resp
				})),
			fault("input-update-of-metadata-alone-needs-no-name", "an update that sends metadata and nothing else needs no user name",
				rewriteKnowing(updatesUser().and(metadataAlone), keepingName))),
		breaks("users.me.update.keeps-identity",
			fault("input-update-takes-created-at", "an update takes a created_at over from the request", createdAtTaken())),
		breaks("users.me.update.wrong-type",
			fault("input-update-password-number-taken", "an update takes a number for a password", updatingUser(textOf("password"))),
			fault("input-update-social-ids-text-ignored", "an update passes over social_ids that are a text", updatingUser(ignoring("social_ids", isA[string]))),
			fault("input-update-empty-url-list-ignored", "an update passes over a url that is an empty list", updatingUser(ignoring("url", isEmptyList))),
			fault("input-update-custom-id-false-ignored", "an update passes over a custom_id that is false",
				updatingUser(ignoring("custom_id", func(value any) bool { return value == false }))),
			fault("input-update-activated-list-is-true", "an update takes a list for activated, which is true then",
				rewriteBody(updatesUser().and(sendsA("activated", isA[[]any])), set("activated", "true"))),
			fault("input-refused-social-ids-clear-the-old", "an update whose social_ids are not all texts is refused, and the user has none any more",
				answers(updatesUser().and(sendsA("social_ids", isMixedMap)), func(q asked) {
					if q.status == http.StatusUnprocessableEntity {
						q.call(http.MethodPut, "/0.2/user", map[string]any{"user_name": fieldText(q.own(), "user_name"), "social_ids": map[string]any{}})
					}
				})),
			fault("input-update-metadata-json-text-taken", "an update takes the text of a JSON object for metadata",
				updatingUser(mapField("metadata", parsed))),
			fault("input-update-email-list-taken", "of a list of emails an update takes the first", updatingUser(mapField("email", firstOfList))),
			fault("input-update-custom-id-number-taken", "an update takes a number for a custom_id", updatingUser(textOf("custom_id"))),
			fault("input-update-takes-empty-list-for-metadata", "an update of the user takes an empty list for metadata, as one without entries",
				rewriteBody(updatesUser().and(sendsA("metadata", isEmptyList)), set("metadata", map[string]any{}))),
			fault("input-refused-update-keeps-password", "an update with metadata that is not an object is refused, but its password is stored",
				refusedButDone(updatesUser().and(sends("password")).and(sendsA("metadata", isNo[map[string]any])), inBody(passwordAlone)))),
		breaks("users.get.unknown",
			fault("input-user-id-wraps-at-32-bits", "of the id of a user to read the lowest 32 bits count",
				answers(readsUser(), func(q asked) {
					if id, err := strconv.ParseUint(q.last(), 10, 64); q.status == 404 && err == nil && id > math.MaxUint32 {
						*q.response = *q.get(path.Dir(q.URL.Path) + "/" + strconv.FormatUint(id&math.MaxUint32, 10))
					}
				}))),
	)
}

// numberAsFlag makes of a number the text that stands for true or false.
func numberAsFlag(value any) any {
	return of(func(number json.Number) any { return strconv.FormatBool(!isZero(number)) })(value)
}

// createdAtTaken shows users with the created_at that their updates sent.
func createdAtTaken() mutation {
	return recalls(updatesUser().and(sends("created_at")), asked.inApp, updatesUser().or(readsOwnRecord()).or(readsUser()), asked.inApp,
		func(q asked, update exchange) {
			if !timeIn(update.sent, "created_at").IsZero() {
				q.object(set("created_at", update.sent["created_at"]))
			}
		})
}

// isMixedMap reports whether a value is a map with something that is neither a text nor null.
func isMixedMap(value any) bool {
	entries, _ := value.(map[string]any)
	for _, entry := range entries {
		if entry != nil && isNo[string](entry) {
			return true
		}
	}
	return false
}

// parsed is the object whose JSON a text is; other values stay.
func parsed(value any) any {
	text, _ := value.(string)
	if object := objectOf([]byte(text)); object != nil {
		return object
	}
	return value
}

// inputSessions are the faults of bad logins that are taken, or refused in another way than
// they should be.
func inputSessions() []Fault {
	isOperator := func(value any) bool {
		object, _ := value.(map[string]any)
		return slices.ContainsFunc(slices.Collect(maps.Keys(object)), func(key string) bool { return strings.HasPrefix(key, "$") })
	}
	alwaysTrue := regexp.MustCompile(`(?i)'\s*or\b`)
	return slices.Concat(
		breaks("sessions.login.brief",
			fault("input-details-false-gives-details", "a login with withUserDetails=false answers the full user",
				rewriteRequest(logsIn().and(hasQuery("withUserDetails", "false")), func(r *http.Request) { r.URL.RawQuery = "withUserDetails=true" }))),
		breaks("sessions.login.wrong-password",
			fault("input-login-operator-for-password-taken", "an object with a query operator, such as $ne, is taken for the right password",
				knowingPasswords(func(known *passwords) mutation {
					return rewriteBody(logsIn().and(sendsA("password", isOperator)), func(login map[string]any) {
						if right, exists := known.by(login); exists {
							login["password"] = right
						}
					})
				})),
			fault("input-login-password-ends-the-query", "a password with a quote and OR becomes a part of the query, and logs in as the user of the given name",
				misled(logsInByName(), func(_, given string) bool { return alwaysTrue.MatchString(given) })),
			fault("input-login-trims-password", "a login takes a password with spaces around it for the one without",
				misled(logsIn(), func(right, given string) bool { return given != right && strings.TrimSpace(given) == right }))),
		breaks("sessions.login.unknown-user",
			fault("input-login-name-is-a-pattern", "a login compares user names as patterns: ann% and the password of anna log anna in",
				breaking(loginsAs(func(l look, name, _ string) (string, string) {
					like, err := regexp.Compile("(?is)^" + strings.ReplaceAll(regexp.QuoteMeta(name), "%", ".*") + "$")
					if err == nil && strings.Contains(name, "%") && like.MatchString(l.user.UserName) {
						return l.user.UserName, ""
					}
					return "", ""
				})))),
		breaks("sessions.login.password-required",
			fault("input-login-null-password-taken", "a login by user name needs no password where that is null",
				misled(logsInByName().and(sendsA("password", isNull)), func(_, given string) bool { return given == "" })),
			fault("input-login-of-user-without-password-needs-none", "who was created without a password logs in by user name without one", blankPasswordsMatch)),
		breaks("sessions.login.identifier-required",
			fault("input-login-null-names-conflict", "a login with null for user name and email is answered with 409",
				rewriteResponse(logsIn().and(sendsA("user_name", isNull)).and(sendsA("email", isNull)), replaceStatus(422, 409, "{}")))),
	)
}

// blankPasswordsMatch compares no password with none: it stands for the one of users
// who were created without.
func blankPasswordsMatch(o *refserver.Options) {
	stands := refserver.NewAppToken()
	without := &memory[bool]{} // by application and user name
	lacks := func(r *http.Request) bool {
		body := requestObject(r)
		return body != nil && (body["password"] == nil || body["password"] == "")
	}
	key := func(r *http.Request) string { return appIn(r) + " " + fieldText(requestObject(r), "user_name") }
	combine(
		intercept(createsUser(), func(next http.Handler, r *http.Request) *response {
			blank := lacks(r)
			if blank {
				inBody(set("password", stands))(r)
			}
			resp := record(next, r)
			if resp.ok() {
				without.keep(key(r), blank)
			}
			return resp
		}),
		rewriteResponse(updatesUser().and(not(lacks)), func(r *http.Request, resp *response) {
			if resp.ok() {
				without.keep(key(r), false)
			}
		}),
		rewriteRequest(logsInByName().and(lacks), func(r *http.Request) {
			if without.get(key(r)) {
				inBody(set("password", stands))(r)
			}
		}),
	)(o)
}

// inputAuth are the faults of credentials that are not quite right, and that are taken.
func inputAuth() []Fault {
	return slices.Concat(
		breaks("auth.app-token-unknown",
			fault("input-app-token-in-other-case-taken", "app tokens are compared without regard to case",
				withTokens(func(tokens []string) mutation {
					return rewriteRequest(unknownApp(tokens), func(r *http.Request) {
						if i := slices.IndexFunc(tokens, func(token string) bool { return strings.EqualFold(token, appIn(r)) }); i >= 0 {
							underApp(tokens[i])(r)
						}
					})
				}))),
		breaks("auth.session-unknown",
			fault("input-session-token-ends-at-colon", "of the credentials what stands behind a second colon is not looked at",
				rewriteRequest(insession, func(r *http.Request) {
					token, _, _ := strings.Cut(sessionIn(r), ":")
					r.SetBasicAuth(appIn(r), token)
				})),
			fault("input-session-token-in-lower-case-taken", "a session token is also taken in lower case",
				breaking(around(toUse, func(l *step) error {
					if err := l.do(); err == nil {
						return nil
					}
					l.term = strings.ToUpper(l.term)
					return l.do()
				})))),
	)
}

// inputVersions is the fault of a version that is compared as a number.
func inputVersions() []Fault {
	return breaks("versions.unknown",
		fault("input-version-compared-as-number", "the version in a path is read as a number: 0.20 and 00.2 are served like 0.2",
			rewriteRequest(func(r *http.Request) bool { return true }, versionAsNumber)))
}

// versionAsNumber rewrites the first segment of a path to 0.2 if it is the same number.
func versionAsNumber(r *http.Request) {
	const current = 0.2
	version, rest, below := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if number, err := strconv.ParseFloat(version, 64); err == nil && number == current && below {
		r.URL.Path, r.URL.RawPath = "/0.2/"+rest, ""
	}
}

// inputTransport are the faults of content types that are taken for JSON.
func inputTransport() []Fault {
	beginsAsJSON := func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") }
	form := connectsSocially().and(headerContains("Content-Type", "application/x-www-form-urlencoded"))
	pair := regexp.MustCompile(`(?i)\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})`)
	return slices.Concat(breaks("transport.unicode-roundtrip",
		fault("input-pairs-of-escapes-fall-apart", "a character that a new event's body writes as two escapes becomes two replacement characters",
			rewriteRequest(createsEvent(), func(r *http.Request) { setBody(r, pair.ReplaceAll(peekBody(r), []byte(`\ufffd\ufffd`))) }))), breaks("transport.content-type-415",
		fault("input-event-of-any-type-with-json-in-it-taken", "a new event is taken where its Content-Type has json anywhere in it, such as text/json",
			rewriteRequest(createsEvent().and(headerContains("Content-Type", "json")), setHeader("Content-Type", "application/json"))),
		fault("input-user-of-type-that-begins-as-json-taken", "a new user is taken where its Content-Type begins with application/json, such as application/json-patch+json",
			rewriteRequest(createsUser().and(beginsAsJSON), setHeader("Content-Type", "application/json"))),
		fault("input-update-takes-types-that-end-in-json", "an update of the user takes every content type that ends in +json",
			rewriteRequest(updatesUser().and(headerContains("Content-Type", "+json")), setHeader("Content-Type", "application/json"))),
		fault("input-merge-patch-of-event-accepted", "a change of an event that is declared as application/merge-patch+json is carried out",
			rewriteRequest(updatesEvent().and(headerContains("Content-Type", "application/merge-patch+json")), setHeader("Content-Type", "application/json"))),
		fault("input-contacts-sent-as-form", "social connections are taken where their JSON is labelled as a form, as curl does unasked",
			rewriteRequest(form, setHeader("Content-Type", "application/json")))))
}
