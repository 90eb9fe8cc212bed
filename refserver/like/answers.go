// Package like makes the reference server imitate another server: it finds the choices for which a
// run of conform would report the same answers.
package like

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// Answers returns the answers that a run of conform records for a server with these choices, by the
// id of the rule.
func Answers(c refserver.Choices) map[string]string {
	refused := func(status, fallback int) string {
		return fmt.Sprintf("refused with %d", cmp.Or(status, fallback))
	}
	unprocessable := refused(c.RequiredStatus, http.StatusUnprocessableEntity)
	either := func(set bool, yes, no string) string {
		if set {
			return yes
		}
		return no
	}
	userFate, eventFate := "kept", "kept"
	if c.ClearOmittedPlaces {
		userFate, eventFate = "kept custom_id, first_name, last_name, metadata, social_ids; cleared url", "kept: language, priority, location, metadata, object; cleared: latitude, longitude"
	}
	accept := either(c.RequireAccept, "refused with 406", "accepted")
	return map[string]string{
		"transport.nfd-input":              either(c.ComposeText, "composed", "kept"),
		"transport.empty-collections":      either(c.SendEmptyCollections, "sent", "omitted"),
		"transport.user-agent-status":      refused(c.UserAgentStatus, http.StatusBadRequest),
		"transport.accept-any":             "*/*: " + accept + ", none: " + accept,
		"sessions.concurrent":              either(c.SingleSession, "ends", "survives"),
		"sessions.logout.others":           either(c.SingleSession, "one session at a time", either(c.LogoutEverywhere, "end", "survive")),
		"users.create.activated-boolean":   either(c.RefuseActivatedBoolean, "refused with 422", "accepted"),
		"users.create.social-ids-array":    either(c.RefuseSocialIDsArray, "refused with 422", "accepted and returned"),
		"users.create.unknown-field":       either(c.RefuseUnknownFields, "refused with 422", "accepted and ignored"),
		"users.create.minimal":             either(c.RequireCredentials, unprocessable, "accepted"),
		"users.create.duplicate-user-name": either(c.UniqueUserNames, "refused with 409", "accepted"),
		"users.create.duplicate-email":     either(c.UniqueEmails, "refused with 409", "accepted"),
		"users.create.duplicate-custom-id": either(c.UniqueCustomIDs, "refused with 409", "accepted"),
		"users.id-type":                    userIDs(c),
		"users.me.update.omitted-fields":   either(c.ClearOmittedUserFields, "cleared", userFate),
		"users.get.email-visible":          either(c.HideEmail, "hidden", "visible"),
		"search.blank-query":               "q empty: " + blank(c.BlankQuery) + "; q missing: " + blank(c.MissingQuery),
		"search.self":                      either(c.ExcludeSelf, "left out", "included"),
		"connections.create.type-missing":  typeless(c.MissingType, unprocessable),
		"connections.create.duplicate":     repeated(c.DuplicateStatus),
		"connections.create.self":          either(c.AllowSelf, "accepted", unprocessable),
		"connections.friends.one-sided":    either(c.MutualFriends, "after the other side's too", "friends at once"),
		"connections.followed-path":        either(c.FollowedPath, "answers as well", "refused with 404"),
		"events.create.object-url":         either(c.OmitObjectURL, "left out", "returned"),
		"events.create.alias-path":         either(c.UsersEventsPath, "answers as well", "refused with 405"),
		"events.id-type":                   shape(c.EventIDs) + " everywhere",
		"events.update.omitted-fields":     either(c.ClearOmittedEventFields, "cleared", eventFate),
		"feed.own-events":                  either(c.OwnEvents, "there", "not there"),
		"versions.credentials":             credentials(c.VersionsCredentials),
	}
}

// withLimits adds the answers that only a run with --rate-limits records.
func withLimits(c refserver.Choices) map[string]string {
	all := Answers(c)
	all["limits.rate.scope"] = "per " + cmp.Or(string(c.RateScope), "application")
	return all
}

// userIDs tells the form of user ids: the login answer's is a string in every dialect.
func userIDs(c refserver.Choices) string {
	if form := c.UserIDs; form == refserver.DigitStringIDs || form == refserver.UUIDs {
		return shape(form) + " everywhere"
	}
	users := []string{"POST /0.2/users", "GET /0.2/user", "PUT /0.2/user", "GET /0.2/users/{UserID}", "GET /0.2/users/search"}
	lists := []string{"GET /0.2/user/follows", "GET /0.2/user/followers", "GET /0.2/user/friends",
		"GET /0.2/users/{UserID}/follows", "GET /0.2/users/{UserID}/followers", "GET /0.2/users/{UserID}/friends"}
	connection := []string{"POST /0.2/user/connections"}
	events := []string{"POST /0.2/user/events", "PUT /0.2/user/events/{EventID}", "GET /0.2/user/feed"}
	texts, integers := []string{"POST /0.2/user/login"}, slices.Concat(users, connection, lists, events)
	if c.StringReferences {
		texts, integers = slices.Concat(texts, connection, events), slices.Concat(users, lists)
	}
	return "digit string at " + strings.Join(texts, ", ") + "; integer at " + strings.Join(integers, ", ")
}

func shape(form refserver.IDForm) string {
	return cmp.Or(map[refserver.IDForm]string{refserver.DigitStringIDs: "digit string", refserver.UUIDs: "UUID"}[form], "integer")
}

func blank(answer refserver.QueryAnswer) string {
	return cmp.Or(map[refserver.QueryAnswer]string{refserver.FindsAll: "users", refserver.RefusesQuery: "refused with 400"}[answer], "no users")
}

func typeless(becomes store.ConnectionType, refused string) string {
	if becomes == "" {
		return refused
	}
	return "becomes " + string(becomes)
}

func repeated(status int) string {
	return cmp.Or(map[int]string{http.StatusOK: "200", http.StatusConflict: "refused with 409"}[status], "201 again")
}

func credentials(needed refserver.Credentials) string {
	return cmp.Or(map[refserver.Credentials]string{refserver.AppToken: "app token", refserver.BothTokens: "both"}[needed], "none")
}
