package faults

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// userIDs are the faults of a user's one id (User, row id).
func userIDs() []Fault {
	const rule = "users.id-stable"
	return []Fault{
		{
			Name: "users-create-answers-custom-id-as-id", Rule: rule,
			Summary: "a create with a custom_id answers that as the id",
			Apply: edit(createsUser(), inObject(func(user map[string]any) {
				if custom := fieldText(user, "custom_id"); custom != "" {
					user["id"] = custom
				}
			})),
		},
		{
			Name: "users-login-pads-id", Rule: rule,
			Summary: "the id in the answer to a login has a leading zero",
			Apply:   edit(logsIn(), inObject(func(user map[string]any) { user["id"] = "0" + fieldText(user, "id") })),
		},
		{
			Name: "users-email-login-answers-email-as-id", Rule: rule,
			Summary: "a login by email answers the email as the id",
			Apply: edit(logsIn().and(sends("email")), func(r *http.Request, resp *response) {
				resp.object(set("id", sent(r)["email"]))
			}),
		},
		{
			Name: "users-get-answers-prefixed-id", Rule: rule,
			Summary: "the record of another user has an id with a digit more",
			Apply:   edit(on("GET /0.2/users/{UserID}"), inObject(prefixedID)),
		},
		{
			Name: "users-search-rounds-ids", Rule: rule,
			Summary: "search results have ids above 2^53 rounded",
			Apply:   both(bigUserIDs, edit(on("GET /0.2/users/search"), inEach(roundedID))),
		},
		{
			Name: "users-follows-have-connection-ids", Rule: rule,
			Summary: "among the own follows, one who is a friend too has another id",
			Apply:   around(on("GET /0.2/user/follows"), friendsRenumbered),
		},
	}
}

func friendsRenumbered(next http.Handler, r *http.Request) *response {
	friends := map[string]bool{}
	inEach(func(user map[string]any) { friends[fieldText(user, "id")] = true })(r, call(next, r, http.MethodGet, "/0.2/user/friends", nil))
	follows := record(next, r)
	inEach(func(user map[string]any) {
		if friends[fieldText(user, "id")] {
			prefixedID(user)
		}
	})(r, follows)
	return follows
}

// prefixedID puts a digit in front of an id.
func prefixedID(user map[string]any) {
	user["id"] = json.Number("9" + fieldText(user, "id"))
}

// roundedID is what becomes of an id on its way through a float64; one that
// survives is made one that does not.
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
	const types, image = "users.types", "users.image-shape"
	return []Fault{
		{
			Name: "users-search-enabled-as-number", Rule: types,
			Summary: "search results have enabled as a number",
			Apply:   edit(on("GET /0.2/users/search"), inEach(set("enabled", 1))),
		},
		{
			Name: "users-followers-times-as-numbers", Rule: types,
			Summary: "the followers of a user have created_at as a number",
			Apply:   edit(on("GET /0.2/users/{UserID}/followers"), inEach(set("created_at", 1_800_000_000))),
		},
		{
			Name: "users-friends-metadata-as-list", Rule: types,
			Summary: "the friends of a user have metadata as an array of values",
			Apply:   edit(on("GET /0.2/users/{UserID}/friends"), inEach(valuesOf("metadata"))),
		},
		{
			Name: "users-own-friends-social-ids-as-list", Rule: types,
			Summary: "the own friends have social_ids as an array",
			Apply:   edit(on("GET /0.2/user/friends"), inEach(valuesOf("social_ids"))),
		},
		{
			Name: "users-followers-activated-as-text", Rule: types,
			Summary: "the own followers have activated as a string",
			Apply: edit(on("GET /0.2/user/followers"), inEach(func(user map[string]any) {
				if activated, ok := user["activated"].(bool); ok {
					user["activated"] = strconv.FormatBool(activated)
				}
			})),
		},
		{
			Name: "users-login-details-last-login-as-object", Rule: types,
			Summary: "the details of a login have the last login as an object",
			Also:    []Unavoidable{{"sessions.login.last-login", "an object is no time"}},
			Apply: edit(logsIn().and(asks("withUserDetails", "true")), inObject(func(user map[string]any) {
				user["last_login"] = map[string]any{"at": user["last_login"]}
			})),
		},
		{
			Name: "users-own-image-as-text", Rule: image,
			Summary: "the own record has image as a url alone",
			Apply:   edit(on("GET /0.2/user"), inObject(set("image", "https://images.example/1.png"))),
		},
		{
			Name: "users-friends-image-of-texts", Rule: image,
			Summary: "the own friends have image as an array of urls",
			Apply:   edit(on("GET /0.2/user/friends"), inEach(set("image", []string{"https://images.example/1.png"}))),
		},
		{
			Name: "users-search-image-without-url", Rule: image,
			Summary: "search results have images without a url",
			Apply:   edit(on("GET /0.2/users/search"), inEach(set("image", []any{map[string]any{"width": 64}}))),
		},
	}
}

// valuesOf makes an array of a map's values.
func valuesOf(field string) func(map[string]any) {
	return func(object map[string]any) {
		entries, ok := object[field].(map[string]any)
		if !ok {
			return
		}
		values := []any{}
		for _, value := range entries {
			values = append(values, value)
		}
		object[field] = values
	}
}

// shownPasswords are the faults of a password that is returned (User, row password).
func shownPasswords() []Fault {
	const rule = "users.password-hidden"
	return []Fault{
		{
			Name: "users-create-answers-masked-password", Rule: rule,
			Summary: "the answer to a create has a password of asterisks",
			Apply:   edit(createsUser(), inObject(set("password", "********"))),
		},
		{
			Name: "users-followers-show-password-hashes", Rule: rule,
			Summary: "the own followers are listed with a hash for a password",
			Apply:   edit(on("GET /0.2/user/followers"), inEach(set("password", "5f4dcc3b5aa765d61d8327deb882cf99"))),
		},
		{
			Name: "users-update-repeats-password", Rule: rule,
			Summary: "the answer to an update repeats the password under another name",
			Apply: edit(on("PUT /0.2/user"), func(r *http.Request, resp *response) {
				resp.object(set("new_secret", sent(r)["password"]))
			}),
		},
	}
}
