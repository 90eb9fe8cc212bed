package faults

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
)

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
			intercept(readsFollows(), friendsRenumbered)))
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
	return slices.Concat(
		breaks("users.types",
			fault("users-search-enabled-as-number", "search results have enabled as a number", rewriteEach(searches(), set("enabled", 1))),
			fault("users-followers-times-as-numbers", "the followers of a user have created_at as a number",
				rewriteEach(readsFollowersOf(), set("created_at", 1_800_000_000))),
			fault("users-friends-metadata-as-list", "the friends of a user have metadata as an array of values",
				rewriteEach(readsFriendsOf(), valuesOf("metadata"))),
			fault("users-own-friends-social-ids-as-list", "the own friends have social_ids as an array",
				rewriteEach(readsFriends(), valuesOf("social_ids"))),
			fault("users-followers-activated-as-text", "the own followers have activated as a string",
				rewriteEach(readsFollowers(), mapField("activated", boolAsText))),
			fault("users-login-details-last-login-as-object", "the details of a login have the last login as an object",
				rewriteObject(logsIn().and(detailed), mapField("last_login", func(at any) any { return map[string]any{"at": at} }))).
				also("sessions.login.last-login", "an object is no time")),
		breaks("users.image-shape",
			fault("users-own-image-as-text", "the own record has image as a url alone",
				rewriteObject(readsOwnRecord(), set("image", "https://images.example/1.png"))),
			fault("users-friends-image-of-texts", "the own friends have image as an array of urls",
				rewriteEach(readsFriends(), set("image", []string{"https://images.example/1.png"}))),
			fault("users-search-image-without-url", "search results have images without a url",
				rewriteEach(searches(), set("image", []any{map[string]any{"width": 64}})))),
	)
}

// valuesOf makes an array of a map's values.
func valuesOf(field string) objectEdit {
	return mapField(field, func(value any) any {
		entries, _ := value.(map[string]any)
		return slices.AppendSeq([]any{}, maps.Values(entries))
	})
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
