package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

func users() []Fault {
	return slices.Concat(userCreates(), userEchoes(), userCreatesWithLogin(), refusedUsers(), unreadUsers(), serverFields(),
		userValues(), activatedTexts(),
		userIDs(), userShapes(), shownPasswords(), ownRecords(), userUpdateFaults(), updatedIdentities(), refusedUserUpdates(),
		userDeletes(), otherUsers())
}

func plainCreate() match { return createsUser().and(not(hasQuery("withLogin", "true"))) }

func createWithLogin() match { return createsUser().and(hasQuery("withLogin", "true")) }

// userCreates are the faults of what a create answers (Endpoints, row 1).
func userCreates() []Fault {
	const tokenStrays = "the token stands where that rule forbids it"
	return slices.Concat(
		breaks("users.create.status",
			fault("users-create-answers-200", "a create answers 200", rewriteResponse(plainCreate(), status(200))),
			fault("users-create-with-login-answers-200", "a create with login answers 200", rewriteResponse(createWithLogin(), status(200)))),
		breaks("users.create.body",
			fault("users-create-answer-lacks-created-at", "the answer to a create has no created_at",
				rewriteObject(createsUser(), drop("created_at"))),
			fault("users-create-answer-lacks-updated-at", "a user that was never updated has no updated_at in the answer to its create",
				rewriteObject(createsUser(), drop("updated_at"))),
			fault("users-create-folds-user-name", "the answer to a create has the user name in lower case",
				rewriteObject(createsUser(), lowerCased("user_name")))),
		breaks("users.create.enabled",
			fault("users-create-not-enabled", "a new user is not enabled", rewriteObject(createsUser(), set("enabled", false))),
			fault("users-create-omits-enabled", "the answer to a create without login leaves enabled out",
				rewriteObject(plainCreate(), drop("enabled"))),
			fault("users-create-with-login-not-enabled", "a user who is created with login is not enabled",
				rewriteObject(createWithLogin(), set("enabled", false)))),
		breaks("users.create.no-session-token",
			fault("users-create-opens-session", "a create opens a session without being asked to",
				rewriteObject(plainCreate(), set("session_token", refserver.NewAppToken()))).also("sessions.token-confined", tokenStrays),
			fault("users-create-login-false-opens-session", "a create with withLogin=false opens a session",
				rewriteObject(createsUser().and(hasQuery("withLogin", "false")), set("session_token", refserver.NewAppToken()))).
				also("sessions.token-confined", tokenStrays)),
		breaks("users.create.last-login-unset",
			fault("users-create-sets-last-login", "a new user's last_login is the time of its creation",
				rewriteObject(plainCreate(), func(user map[string]any) { user["last_login"] = user["created_at"] })),
			fault("users-create-last-login-epoch", "a new user's last_login is the beginning of 1970",
				rewriteObject(plainCreate(), set("last_login", "1970-01-01T00:00:00Z")))),
	)
}

// userEchoes are faults of the answers to creates.
func userEchoes() []Fault {
	return breaks("users.create.echo",
		fault("users-create-drops-custom-id", "the answer to a create leaves custom_id out", rewriteObject(createsUser(), drop("custom_id"))),
		fault("users-create-keeps-one-social-id", "of several social_ids the answer to a create has one",
			rewriteObject(createsUser(), firstEntry("social_ids"))),
		fault("users-create-tidies-url", "the answer to a create has the url with a slash at its end",
			rewriteObject(createsUser(), func(user map[string]any) {
				if url := fieldText(user, "url"); url != "" && !strings.HasSuffix(url, "/") {
					user["url"] = url + "/"
				}
			})),
		fault("users-create-folds-email", "the answer to a create has the email in lower case", rewriteObject(createsUser(), lowerCased("email"))),
		fault("users-create-folds-custom-id", "the answer to a create has the custom_id in lower case",
			rewriteObject(createsUser(), lowerCased("custom_id"))),
		fault("users-create-folds-metadata-keys", "the answer to a create has the keys of metadata in lower case",
			rewriteObject(createsUser(), eachKey("metadata", strings.ToLower))),
		fault("users-create-swaps-names", "the answer to a create has the last name as the first name, and the first as the last",
			rewriteObject(createsUser(), func(user map[string]any) {
				first, last := user["first_name"], user["last_name"]
				if first != nil && last != nil {
					user["first_name"], user["last_name"] = last, first
				}
			})))
}

// userCreatesWithLogin are the faults of withLogin=true.
func userCreatesWithLogin() []Fault {
	return breaks("users.create.with-login",
		fault("users-create-with-login-without-token", "a create with login answers no session token",
			rewriteObject(createWithLogin(), drop("session_token"))),
		fault("users-create-with-login-leaves-last-login", "the answer to a create with login shows last_login as if there had been none",
			rewriteObject(createWithLogin(), set("last_login", neverLoggedIn))),
		fault("users-create-with-login-omits-last-login", "the answer to a create with login has no last_login",
			rewriteObject(createWithLogin(), drop("last_login"))))
}

// userValues are the faults of values that a create or an update takes, changes
// or stumbles over (Endpoints, rows 1 and 5).
func userValues() []Fault {
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("users-create-ignores-boolean-first-name", "a create ignores a first name that is a boolean",
				rewriteBody(createsUser(), ignoring("first_name", isA[bool])))),
		breaks("users.create.echo",
			fault("users-create-trims-metadata", "blanks around the values of a new user's metadata are dropped",
				rewriteText(createsUser(), "metadata", strings.TrimSpace)),
			fault("users-create-takes-digits-for-numbers", "values of a new user's metadata that look like numbers lose their leading zeros",
				rewriteText(createsUser(), "metadata", func(text string) string {
					if digits := strings.Trim(text, "0123456789") == ""; digits && len(text) > 1 {
						return strings.TrimLeft(text, "0")
					}
					return text
				}))),
		breaks("users.me.update.applies",
			fault("users-update-hides-metadata", "after an update the own record leaves metadata out", afterUpdate(drop("metadata")))),
		breaks("users.get.other",
			fault("users-get-folds-user-name", "the record of another user has the user name in lower case",
				rewriteObject(readsUser(), lowerCased("user_name")))),
	)
}

// activatedTexts are the faults of a flag that was sent as a string, and is shown as one.
func activatedTexts() []Fault {
	asText := mapField("activated", boolAsText)
	return breaks("users.types",
		fault("users-search-activated-as-text", "search results have activated as a string", rewriteEach(searches(), asText)),
		fault("users-get-activated-as-text", "the record of another user has activated as a string", rewriteObject(readsUser(), asText)),
		fault("users-own-record-activated-as-text", "the own record has activated as a string", rewriteObject(readsOwnRecord(), asText)),
		fault("users-login-details-activated-as-text", "the details of a login have activated as a string", rewriteObject(logsIn(), asText)))
}

// refusedUsers are the faults of creates that lack the user name or have a field
// of the wrong type (Errors, row 422).
func refusedUsers() []Fault {
	nameless := createsUser().and(not(sends("user_name")))
	return slices.Concat(
		breaks("users.create.user-name-required",
			fault("users-create-names-users-by-email", "a user without a user name is called by its email", rewriteBody(nameless, nameByEmail)),
			fault("users-create-refused-leaves-user", "a create without a user name is refused and leaves a user behind",
				refusedButDone(nameless, inBody(nameByEmail))),
			fault("users-create-without-user-name-answers-409", "a create without a user name is answered with 409",
				rewriteResponse(nameless, otherStatus(422, 409)))),
		breaks("users.create.wrong-type",
			fault("users-create-takes-number-as-custom-id", "a create takes a number for a custom_id, as text",
				rewriteBody(createsUser(), textOf("custom_id"))),
			fault("users-create-takes-number-as-password", "a create takes a number for a password, as text",
				rewriteBody(createsUser(), textOf("password"))),
			fault("users-create-ignores-boolean-last-name", "a create ignores a last name that is a boolean",
				rewriteBody(createsUser(), ignoring("last_name", isA[bool]))),
			fault("users-create-ignores-boolean-url", "a create ignores a url that is a boolean",
				rewriteBody(createsUser(), ignoring("url", isA[bool]))),
			fault("users-create-ignores-object-as-email", "a create ignores an email that is an object",
				rewriteBody(createsUser(), ignoring("email", isA[map[string]any]))),
			fault("users-create-ignores-text-as-social-ids", "a create ignores social_ids that are a string",
				rewriteBody(createsUser(), ignoring("social_ids", isA[string]))),
			fault("users-create-takes-list-as-metadata", "a create ignores metadata that is an array",
				rewriteBody(createsUser(), ignoring("metadata", isA[[]any]))),
			fault("users-create-ignores-number-as-activated", "a create ignores activated as a number",
				rewriteBody(createsUser(), ignoring("activated", isA[json.Number]))),
			fault("users-create-wrong-type-leaves-user", "a url of the wrong type is refused when the user has been created already",
				refusedButDone(createsUser(), inBody(ignoring("url", isNo[string])))),
			fault("users-create-wrong-type-answers-409", "an email of the wrong type is answered with 409",
				rewriteResponse(createsUser().and(sendsA("email", isNo[string])), otherStatus(422, 409)))),
	)
}

func nameByEmail(body map[string]any) {
	if _, named := body["user_name"]; !named {
		body["user_name"] = body["email"]
	}
}

// unreadUsers are the faults of creates whose body is no JSON object (Errors,
// rows 400 and 422).
func unreadUsers() []Fault {
	return slices.Concat(
		breaks("users.create.malformed-json",
			fault("users-create-mends-json", "a create takes a body whose last brace is missing", rewriteRequest(createsUser(), func(r *http.Request) {
				if body := peekBody(r); len(body) > 0 && decode(body) == nil && decode(append(body, '}')) != nil {
					setBody(r, append(body, '}'))
				}
			})),
			fault("users-create-malformed-json-answers-404", "a create whose body is no JSON is answered with 404",
				rewriteResponse(createsUser().and(not(sendsJSON(anything))), otherStatus(400, 404)))),
		breaks("users.create.not-an-object",
			fault("users-create-takes-first-of-array", "a create takes the first element of an array",
				rewriteRequest(createsUser(), inOther(firstOfList))),
			fault("users-create-takes-text-as-user-name", "a create takes a JSON string for the user name",
				rewriteRequest(createsUser(), inOther(of(func(name string) any { return map[string]any{"user_name": name} })))),
			fault("users-create-number-answers-415", "a create whose body is a JSON number is answered with 415",
				rewriteResponse(createsUser().and(sendsJSON(isA[json.Number])), otherStatus(400, 415)))),
	)
}

// serverFields are the faults of activated and of what the server sets.
func serverFields() []Fault {
	return slices.Concat(
		breaks("users.create.activated-string",
			fault("users-create-refuses-activated-text", "a create takes activated as a boolean alone",
				rewriteBody(createsUser().and(sendsA("activated", isA[string])), set("activated", 0))),
			fault("users-create-answers-activated-text", "the answer to a create has activated as a string",
				rewriteObject(createsUser(), mapField("activated", boolAsText))).also("users.types", "that rule documents activated as a boolean")),
		breaks("users.create.server-set-ignored",
			fault("users-create-takes-id", "the answer to a create has the id of the request", rewriteResponse(createsUser(), fromRequest("id", "id"))),
			fault("users-create-takes-created-at", "the answer to a create has created_at as the request has it",
				rewriteResponse(createsUser(), fromRequest("created_at", "created_at"))),
			fault("users-create-takes-enabled", "a create with enabled false makes a user who is not enabled",
				rewriteResponse(createsUser(), fromRequest("enabled", "enabled"))),
			fault("users-create-stores-created-at", "created_at of a create is stored, and shown by later reads", storedFromRequest("created_at"))),
	)
}

// storedFromRequest shows a field of a create in reads of the user, and not in
// the answer to the create.
func storedFromRequest(field string) mutation {
	return recalls(createsUser(), asked.id, readsOwnRecord(), asked.id, func(q asked, made exchange) {
		if value, there := made.sent[field]; there {
			q.object(set(field, value))
		}
	})
}

// userIDs are the faults of a user's one id (User, row id).
func userIDs() []Fault {
	return breaks("users.id-stable",
		fault("users-create-answers-custom-id-as-id", "a create with a custom_id answers that as the id",
			rewriteObject(createsUser(), func(user map[string]any) {
				if custom := fieldText(user, "custom_id"); custom != "" {
					user["id"] = custom
				}
			})),
		fault("users-login-pads-id", "the id in the answer to a login has a leading zero",
			rewriteObject(logsIn(), func(user map[string]any) { user["id"] = "0" + fieldText(user, "id") })),
		fault("users-email-login-answers-email-as-id", "a login by email answers the email as the id",
			rewriteResponse(logsInByEmail(), fromRequest("id", "email"))),
		fault("users-get-answers-prefixed-id", "the record of another user has an id with a digit more", rewriteObject(readsUser(), prefixedID)),
		fault("users-search-rounds-ids", "search results have ids above 2^53 rounded", combine(bigUserIDs, rewriteEach(searches(), roundedID))),
		fault("users-follows-have-connection-ids", "among the own follows, one who is a friend too has another id",
			answers(readsFollows(), func(q asked) {
				q.each(where(func(user map[string]any) bool { return q.lists("/0.2/user/friends", fieldText(user, "id")) }, prefixedID))
			})))
}

// prefixedID puts a digit in front of an id.
func prefixedID(user map[string]any) {
	user["id"] = json.Number("9" + fieldText(user, "id"))
}

// roundedID is an id after a conversion to float64; an id that would survive it is
// changed, too.
func roundedID(user map[string]any) {
	id := fieldText(user, "id")
	number, err := strconv.ParseFloat(id, 64)
	if err != nil {
		return
	}
	rounded := strconv.FormatFloat(number, 'f', -1, 64)
	if rounded == id {
		rounded = id[:len(id)-2] + "00"
	}
	user["id"] = json.Number(rounded)
}

// userShapes are the faults of the types of a user's fields (User).
func userShapes() []Fault {
	return slices.Concat(
		breaks("users.types",
			fault("users-search-enabled-as-number", "search results have enabled as a number", rewriteEach(searches(), set("enabled", 1))),
			fault("users-followers-times-as-numbers", "the followers of a user have created_at as a number",
				rewriteEach(readsFollowersOf(), set("created_at", 1_800_000_000))),
			fault("users-friends-metadata-as-list", "the friends of a user have metadata as an array of values",
				rewriteEach(readsFriendsOf(), mapField("metadata", valuesAlone))),
			fault("users-own-friends-social-ids-as-list", "the own friends have social_ids as an array",
				rewriteEach(readsFriends(), mapField("social_ids", valuesAlone))),
			fault("users-followers-activated-as-text", "the own followers have activated as a string",
				rewriteEach(readsFollowers(), mapField("activated", boolAsText))),
			fault("users-login-details-last-login-as-object", "the details of a login have the last login as an object",
				rewriteObject(logsIn().and(detailed), mapField("last_login", func(at any) any { return map[string]any{"at": at} }))).
				also("sessions.login.last-login", "an object is not a time")),
		breaks("users.image-shape",
			fault("users-own-image-as-text", "the own record has image as a url alone",
				rewriteObject(readsOwnRecord(), set("image", "https://images.example/1.png"))),
			fault("users-friends-image-of-texts", "the own friends have image as an array of urls",
				rewriteEach(readsFriends(), set("image", []string{"https://images.example/1.png"}))),
			fault("users-search-image-without-url", "search results have images without a url",
				rewriteEach(searches(), set("image", []any{map[string]any{"width": 64}})))),
	)
}

// shownPasswords are the faults of a password that is returned (User, row password).
func shownPasswords() []Fault {
	return breaks("users.password-hidden",
		fault("users-create-answers-masked-password", "the answer to a create has a password of asterisks",
			rewriteObject(createsUser(), set("password", "********"))),
		fault("users-followers-show-password-hashes", "the own followers are listed with a hash for a password",
			rewriteEach(readsFollowers(), set("password", "5f4dcc3b5aa765d61d8327deb882cf99"))),
		fault("users-update-repeats-password", "the answer to an update repeats the password under another name",
			rewriteResponse(updatesUser(), fromRequest("new_secret", "password"))))
}
