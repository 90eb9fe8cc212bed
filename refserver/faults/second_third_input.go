package faults

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// thirdInput are the faults of what is missing, and found elsewhere, and of what is
// looked at in another order.
func thirdInput() []Fault {
	return slices.Concat(
		breaks("social.required",
			fault("input-social-own-id-from-record", "platform_user_id may be missing where the user's social_ids have one on the platform",
				intercept(connectsSocially().and(not(sends("platform_user_id"))), func(next http.Handler, r *http.Request) *response {
					known, _ := ownRecord(next, r)["social_ids"].(map[string]any)
					if id := fieldText(known, fieldText(requestObject(r), "platform")); id != "" {
						inBody(set("platform_user_id", id))(r)
					}
					return record(next, r)
				}))),
		breaks("events.update.others",
			fault("input-empty-change-of-anothers-event-answered", "a change of another's event that changes nothing, with {} for a body, is answered with that event", emptyChangesAnswered)),
		breaks("events.create.malformed-json",
			fault("input-event-numbers-without-leading-zero-taken", "a number of a new event may begin with its point",
				mendJSON(createsEvent(), `([:,\[]\s*-?)\.(\d)`, "${1}0.$2"))),
		breaks("sessions.login.password-required",
			fault("input-login-of-user-without-password-needs-none", "who was created without a password logs in by user name without one", blankPasswordsMatch)),
		breaks("errors.bad-request-empty",
			fault("input-malformed-change-says-where", "the 400 to a change of an event that is no JSON says where it breaks off",
				rewriteResponse(updatesEvent(), onStatus(400, func(r *http.Request, resp *response) {
					var value any
					if err := json.Unmarshal(peekBody(r), &value); err != nil && !json.Valid(peekBody(r)) {
						resp.become(http.StatusBadRequest, complaint(err.Error()))
					}
				})))),
		breaks("auth.app-token-unknown",
			fault("input-app-token-in-other-case-taken", "app tokens are compared without regard to case",
				withTokens(func(tokens []string) mutation {
					return rewriteRequest(unknownApp(tokens), func(r *http.Request) {
						if i := slices.IndexFunc(tokens, func(token string) bool { return strings.EqualFold(token, appIn(r)) }); i >= 0 {
							underApp(tokens[i])(r)
						}
					})
				}))),
	)
}

// emptyChangesAnswered asks whose an event is where there is something to change alone.
func emptyChangesAnswered(o *refserver.Options) {
	latest := &memory[[]byte]{} // by event
	combine(
		rewriteResponse(createsEvent().or(updatesEvent()), func(_ *http.Request, resp *response) {
			if event := objectOf(resp.body); resp.ok() && event != nil {
				latest.keep(fieldText(event, "id"), resp.body)
			}
		}),
		rewriteResponse(updatesEvent(), onStatus(403, func(r *http.Request, resp *response) {
			event, known := latest.lookup(lastSegment(r))
			if sent := requestObject(r); known && sent != nil && len(sent) == 0 {
				resp.become(http.StatusOK, string(event))
			}
		})),
	)(o)
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
