package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

// fourthEndpoints are the faults of one endpoint of several: who refuses, and what the
// answer holds beside what it should.
func fourthEndpoints() []Fault {
	return slices.Concat(
		breaks("transport.json-body",
			fault("endpoint-405-of-versions-in-plain-text", "a 405 at the list of versions is that of the router, in plain text",
				rewriteResponse(at("/versions"), onStatus(405, func(_ *http.Request, resp *response) {
					resp.header.Set("Content-Type", "text/plain; charset=utf-8")
					resp.body = []byte("Method Not Allowed\n")
				}))).also("errors.json-error", "an error in plain text has no JSON body")),
		breaks("auth.challenge",
			fault("endpoint-refused-login-without-challenge", "the 401 to a login under a known app token asks for nothing",
				withTokens(func(tokens []string) mutation {
					known := appOf(func(token string) bool { return slices.Contains(tokens, token) })
					return rewriteResponse(logsIn().and(known), onStatus(401, header("WWW-Authenticate", "")))
				}))),
		breaks("social.unknown-ids",
			fault("endpoint-social-lists-unknown-ids", "the answer to a connecting by social identifiers lists those that nobody bears", unknownIDsListed)),
		breaks("connections.lists.of-user",
			fault("endpoint-followers-of-user-begin-with-the-user", "the followers of another user, where there are any, begin with that user",
				intercept(readsFollowersOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					user := objectOf(call(next, r, http.MethodGet, "/0.2/users/"+userInPath(r), nil).body)
					if resp.ok() && !resp.empty() && user != nil {
						resp.list(func(list []any) []any { return append([]any{user}, list...) })
					}
					return resp
				}))),
		breaks("users.create.echo",
			fault("endpoint-create-with-login-without-social-ids", "the answer to a create that also logs in leaves out the social_ids",
				rewriteObject(createWithLogin(), drop("social_ids")))),
	)
}

// unknownIDsListed tells which identifiers have come with no create or update.
func unknownIDsListed(o *refserver.Options) {
	borne := &memory[bool]{} // by application, platform and identifier
	combine(
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			ids, _ := requestObject(r)["social_ids"].(map[string]any)
			for platform := range ids {
				if resp.ok() {
					borne.keep(appIn(r)+"\n"+platform+"\n"+fieldText(ids, platform), true)
				}
			}
		}),
		rewriteResponse(connectsSocially(), func(r *http.Request, resp *response) {
			sent := requestObject(r)
			ids, _ := sent["connection_ids"].([]any)
			unknown := slices.DeleteFunc(slices.Clone(ids), func(id any) bool {
				text, _ := id.(string)
				return borne.get(appIn(r) + "\n" + fieldText(sent, "platform") + "\n" + text)
			})
			if len(unknown) > 0 {
				resp.object(set("unknown_ids", unknown))
			}
		}),
	)(o)
}
