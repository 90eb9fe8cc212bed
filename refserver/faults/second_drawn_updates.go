package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// drawnUpdateSequences are the faults of updates, and of social ids, after certain steps.
func drawnUpdateSequences() []Fault {
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("sequence-update-after-refused-one-rolled-back", "the first update of a session after one that was refused is answered as if it were made, and is rolled back", refusalsRollBack)),
		breaks("users.me.update.password",
			fault("sequence-new-password-after-new-email-lost", "who changed the email, and changes the password with a later update, goes on logging in by the old password", passwordsOfOldEmails)),
		breaks("social.connects",
			fault("sequence-given-up-social-id-still-connects", "connecting by a social id also connects to who gave it up for another",
				overrideStore(func(inner refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by platform and id
					s.onUpdateUser(func(before, after store.User) {
						for platform, id := range before.SocialIDs {
							if after.SocialIDs[platform] != id {
								givenUp.keep(keyOf(after.App)+platform+"/"+id, after.ID)
							}
						}
					})
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						for _, id := range ids {
							former := givenUp.get(keyOf(app) + platform + "/" + id)
							if _, gone := inner.User(app, former); gone == nil && former != from {
								if _, _, err := inner.Connect(app, from, former, typ); err != nil {
									return err
								}
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
		breaks("social.unknown-ids",
			fault("sequence-social-id-of-deleted-not-found", "connecting by the social id of a user who was deleted is answered with 404",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted := &memory[bool]{} // by platform and id
					s.onDeleteUser(func(user store.User) {
						for platform, id := range user.SocialIDs {
							deleted.keep(keyOf(user.App)+platform+"/"+id, true)
						}
					})
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						for _, id := range ids {
							borne := false
							err := eachBearer(inner, app, platform, []string{id}, func(store.ID) error { borne = true; return nil })
							if err == nil && !borne && deleted.get(keyOf(app)+platform+"/"+id) {
								return store.ErrNotFound
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
	)
}

// drawnRepetition are the faults of updates that say again what stands, or what stood.
func drawnRepetition() []Fault {
	return slices.Concat(
		breaks("limits.metadata.keys",
			fault("repetition-metadata-keys-add-up", "an update counts the keys of metadata together with those of the user's updates before", keysAddUp)),
		breaks("users.me.update.applies",
			fault("repetition-social-ids-sent-again-lost", "an update takes away those of its social_ids that stand already",
				intercept(updatesUser().and(sends("social_ids")), func(next http.Handler, r *http.Request) *response {
					standing, _ := ownRecord(next, r)["social_ids"].(map[string]any)
					inBody(within("social_ids", func(sent map[string]any) {
						maps.DeleteFunc(sent, func(platform string, id any) bool { return isA[string](id) && standing[platform] == id })
					}))(r)
					return record(next, r)
				}))),
	)
}

// refusalsRollBack takes the first update back that comes after a refused one.
func refusalsRollBack(o *refserver.Options) {
	failed := &memory[bool]{} // by session
	intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
		before := ownRecord(next, r)
		resp := record(next, r)
		switch {
		case resp.status == 400 || resp.status == 422:
			failed.keep(sessionIn(r), before != nil)
		case resp.ok() && failed.keep(sessionIn(r), false):
			call(next, r, http.MethodPut, "/0.2/user", writable(before))
		}
		return resp
	})(o)
}

// writable is what an update must send to bring a user back to what it was.
func writable(user map[string]any) map[string]any {
	fields := map[string]any{"social_ids": map[string]any{}, "metadata": map[string]any{}}
	for _, field := range []string{"user_name", "custom_id", "first_name", "last_name", "email", "url"} {
		fields[field] = fieldText(user, field)
	}
	for field := range fields {
		if value, there := user[field]; there {
			fields[field] = value
		}
	}
	return fields
}

// passwordsOfOldEmails passes over new passwords of users whose email is not their first.
func passwordsOfOldEmails(o *refserver.Options) {
	emails, moved := &memory[string]{}, &memory[bool]{} // by application and id
	combine(
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			resp.object(func(user map[string]any) {
				key, now := appIn(r)+fieldText(user, "id"), fieldText(user, "email")
				if was := emails.keep(key, now); was != "" && was != now {
					moved.keep(key, true)
				}
			})
		}),
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			if moved.get(appIn(r) + fieldText(ownRecord(next, r), "id")) {
				inBody(drop("password"))(r)
			}
			return record(next, r)
		}),
	)(o)
}

// keysAddUp refuses an update whose keys, with those of the updates before, are more than ten.
func keysAddUp(o *refserver.Options) {
	const most = 10
	kept := &memory[map[string]any]{} // by application and id
	intercept(updatesUser().and(sends("metadata")), func(next http.Handler, r *http.Request) *response {
		own := ownRecord(next, r)
		key, all := appIn(r)+fieldText(own, "id"), map[string]any{}
		maps.Copy(all, kept.get(key))
		maps.Copy(all, metadataIn(r))
		if own != nil && len(all) > most && len(metadataIn(r)) <= most {
			return answer(r, http.StatusUnprocessableEntity, complaint("metadata holds too many keys"))
		}
		resp := record(next, r)
		if resp.ok() {
			kept.keep(key, all)
		}
		return resp
	})(o)
}
