package faults

import (
	"net/http"
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

func plainCreate() match { return createsUser().and(not(asks("withLogin", "true"))) }

func createWithLogin() match { return createsUser().and(asks("withLogin", "true")) }

// userCreates are the faults of what a create answers (Endpoints, row 1).
func userCreates() []Fault {
	tokenStrays := []Unavoidable{{"sessions.token-confined", "the token stands where that rule forbids it"}}
	return []Fault{
		{
			Name: "users-create-answers-200", Rule: "users.create.status",
			Summary: "a create answers 200",
			Apply:   edit(plainCreate(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusOK) }),
		},
		{
			Name: "users-create-with-login-answers-200", Rule: "users.create.status",
			Summary: "a create with login answers 200",
			Apply:   edit(createWithLogin(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusOK) }),
		},
		{
			Name: "users-create-answer-lacks-created-at", Rule: "users.create.body",
			Summary: "the answer to a create has no created_at",
			Apply:   edit(createsUser(), inObject(drop("created_at"))),
		},
		{
			Name: "users-create-answer-lacks-updated-at", Rule: "users.create.body",
			Summary: "a user that was never updated has no updated_at in the answer to its create",
			Apply:   edit(createsUser(), inObject(drop("updated_at"))),
		},
		{
			Name: "users-create-folds-user-name", Rule: "users.create.body",
			Summary: "the answer to a create has the user name in lower case",
			Apply:   edit(createsUser(), inObject(lowerCased("user_name"))),
		},
		{
			Name: "users-create-not-enabled", Rule: "users.create.enabled",
			Summary: "a new user is not enabled",
			Apply:   edit(createsUser(), inObject(set("enabled", false))),
		},
		{
			Name: "users-create-omits-enabled", Rule: "users.create.enabled",
			Summary: "the answer to a create without login leaves enabled out",
			Apply:   edit(plainCreate(), inObject(drop("enabled"))),
		},
		{
			Name: "users-create-with-login-not-enabled", Rule: "users.create.enabled",
			Summary: "a user who is created with login is not enabled",
			Apply:   edit(createWithLogin(), inObject(set("enabled", false))),
		},
		{
			Name: "users-create-opens-session", Rule: "users.create.no-session-token",
			Summary: "a create opens a session without being asked to", Also: tokenStrays,
			Apply: edit(plainCreate(), inObject(set("session_token", refserver.NewAppToken()))),
		},
		{
			Name: "users-create-login-false-opens-session", Rule: "users.create.no-session-token",
			Summary: "a create with withLogin=false opens a session", Also: tokenStrays,
			Apply: edit(createsUser().and(asks("withLogin", "false")), inObject(set("session_token", refserver.NewAppToken()))),
		},
		{
			Name: "users-create-sets-last-login", Rule: "users.create.last-login-unset",
			Summary: "a new user's last_login is the time of its creation",
			Apply:   edit(plainCreate(), inObject(func(user map[string]any) { user["last_login"] = user["created_at"] })),
		},
		{
			Name: "users-create-last-login-epoch", Rule: "users.create.last-login-unset",
			Summary: "a new user's last_login is the beginning of 1970",
			Apply:   edit(plainCreate(), inObject(set("last_login", "1970-01-01T00:00:00Z"))),
		},
	}
}

// userEchoes are the faults of what comes back from a create.
func userEchoes() []Fault {
	const rule = "users.create.echo"
	return []Fault{
		{
			Name: "users-create-drops-custom-id", Rule: rule,
			Summary: "the answer to a create leaves custom_id out",
			Apply:   edit(createsUser(), inObject(drop("custom_id"))),
		},
		{
			Name: "users-create-keeps-one-social-id", Rule: rule,
			Summary: "of several social_ids the answer to a create has one",
			Apply:   edit(createsUser(), inObject(firstEntry("social_ids"))),
		},
		{
			Name: "users-create-tidies-url", Rule: rule,
			Summary: "the answer to a create has the url with a slash at its end",
			Apply: edit(createsUser(), inObject(func(user map[string]any) {
				if url := fieldText(user, "url"); url != "" && !strings.HasSuffix(url, "/") {
					user["url"] = url + "/"
				}
			})),
		},
		{
			Name: "users-create-folds-email", Rule: rule,
			Summary: "the answer to a create has the email in lower case",
			Apply:   edit(createsUser(), inObject(lowerCased("email"))),
		},
		{
			Name: "users-create-folds-custom-id", Rule: rule,
			Summary: "the answer to a create has the custom_id in lower case",
			Apply:   edit(createsUser(), inObject(lowerCased("custom_id"))),
		},
		{
			Name: "users-create-folds-metadata-keys", Rule: rule,
			Summary: "the answer to a create has the keys of metadata in lower case",
			Apply:   edit(createsUser(), inObject(lowerCasedKeys("metadata"))),
		},
		{
			Name: "users-create-swaps-names", Rule: rule,
			Summary: "the answer to a create has the last name as the first name, and the first as the last",
			Apply: edit(createsUser(), inObject(func(user map[string]any) {
				first, last := user["first_name"], user["last_name"]
				if first != nil && last != nil {
					user["first_name"], user["last_name"] = last, first
				}
			})),
		},
	}
}

func lowerCased(field string) func(map[string]any) {
	return func(object map[string]any) {
		if text, ok := object[field].(string); ok {
			object[field] = strings.ToLower(text)
		}
	}
}

func lowerCasedKeys(field string) func(map[string]any) {
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

// firstEntry leaves of a map the entry whose key sorts first.
func firstEntry(field string) func(map[string]any) {
	return func(object map[string]any) {
		entries, _ := object[field].(map[string]any)
		keys := make([]string, 0, len(entries))
		for key := range entries {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys[min(1, len(keys)):] {
			delete(entries, key)
		}
	}
}

// userCreatesWithLogin are the faults of withLogin=true.
func userCreatesWithLogin() []Fault {
	const rule = "users.create.with-login"
	return []Fault{
		{
			Name: "users-create-with-login-without-token", Rule: rule,
			Summary: "a create with login answers no session token",
			Apply:   edit(createWithLogin(), inObject(drop("session_token"))),
		},
		{
			Name: "users-create-with-login-leaves-last-login", Rule: rule,
			Summary: "the answer to a create with login shows last_login as if there had been none",
			Apply:   edit(createWithLogin(), inObject(set("last_login", neverLoggedIn))),
		},
		{
			Name: "users-create-with-login-omits-last-login", Rule: rule,
			Summary: "the answer to a create with login has no last_login",
			Apply:   edit(createWithLogin(), inObject(drop("last_login"))),
		},
	}
}
