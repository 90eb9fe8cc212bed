package faults

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

func users() []Fault {
	return slices.Concat(userCreates(), userEchoes(), userCreatesWithLogin(), refusedUsers(), unreadUsers(), serverFields(),
		userValues(), activatedTexts(),
		userIDs(), userShapes(), shownPasswords(), ownRecords(), userUpdates(), updatedIdentities(), refusedUserUpdates(),
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

// userEchoes are the faults of what comes back from a create.
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
			rewriteObject(createsUser(), lowerCasedKeys("metadata"))),
		fault("users-create-swaps-names", "the answer to a create has the last name as the first name, and the first as the last",
			rewriteObject(createsUser(), func(user map[string]any) {
				first, last := user["first_name"], user["last_name"]
				if first != nil && last != nil {
					user["first_name"], user["last_name"] = last, first
				}
			})))
}

func lowerCasedKeys(field string) objectEdit {
	return func(object map[string]any) {
		if entries, ok := object[field].(map[string]any); ok {
			folded := map[string]any{}
			for key, value := range entries {
				folded[strings.ToLower(key)] = value
			}
			object[field] = folded
		}
	}
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
