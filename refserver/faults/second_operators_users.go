package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// whoWasRenamed remembers the users who changed their user names.
func whoWasRenamed(s *overrides) *memory[bool] {
	renamed := &memory[bool]{}
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), true)
		}
	})
	return renamed
}

// former remembers what an attribute of users was before they changed it.
func former(s *overrides, of attribute) *memory[bool] {
	was := &memory[bool]{}
	s.onUpdateUser(func(before, after store.User) {
		if of(before) != of(after) {
			was.keep(keyOf(before.App, before.ID)+of(before), true)
		}
	})
	return was
}

// signedEvents remembers the user names under which events were posted.
func signedEvents(inner refserver.Store, s *overrides) *memory[string] {
	names := &memory[string]{} // by event
	s.onCreateEvent(func(event store.Event) {
		if user, err := inner.User(event.App, event.Owner); err == nil {
			names.keep(keyOf(event.App, event.ID), user.UserName)
		}
	})
	return names
}

// withDeleted adds to users those that were kept under a key and are deleted now,
// and keeps them all.
func withDeleted(inner refserver.Store, app store.App, kept *memory[[]store.User], key string, users []store.User) []store.User {
	for _, user := range kept.get(key) {
		if _, gone := inner.User(app, user.ID); gone != nil {
			users = append(users, user)
		}
	}
	kept.keep(key, slices.Clone(users))
	return users
}

// withUser adds the user of a response to a list that lacks it.
func withUser(list []any, read *response) []any {
	user := objectOf(read.body)
	known := slices.ContainsFunc(list, func(item any) bool {
		other, _ := item.(map[string]any)
		return fieldText(other, "id") == fieldText(user, "id")
	})
	if !read.ok() || user == nil || known {
		return list
	}
	return append(list, user)
}

// recordsShown answers readings of the own record that are refused.
func recordsShown(of func(token string) ([]byte, bool)) mutation {
	return rewriteResponse(readsOwnRecord(), onStatus(401, func(r *http.Request, resp *response) {
		if record, is := of(sessionIn(r)); is && sessionIn(r) != "" {
			resp.status, resp.body = 200, record
			resp.header.Del("WWW-Authenticate")
		}
	}))
}

// afterEnd makes a mutation that knows the requests, by body or by path, about a
// user to whom the session's user ended a connection before.
func afterEnd(mutate func(again match) mutation) mutation {
	return func(o *refserver.Options) {
		ended := &memory[bool]{} // by session and id
		key := func(r *http.Request) string {
			if r.Method == http.MethodPost {
				return sessionIn(r) + fieldText(requestObject(r), "user_to_id")
			}
			return sessionIn(r) + lastSegment(r)
		}
		combine(
			mutate(func(r *http.Request) bool { return ended.get(key(r)) }),
			rewriteResponse(disconnects(), func(r *http.Request, resp *response) {
				if resp.status == 204 {
					ended.keep(key(r), true)
				}
			}),
		)(o)
	}
}

// passOverContacts lets a user who connects by social ids miss those who bear one of them and are so.
func (s *overrides) passOverContacts(out func(app store.App, from store.ID, platform string, contact store.User) bool) {
	connect := s.connectSocial
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		all, err := s.Store.Search(app, "")
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			return slices.ContainsFunc(all, func(user store.User) bool {
				own, has := user.SocialIDs[platform]
				return has && own == id && out(app, from, platform, user)
			})
		})
		return connect(app, from, platform, left, typ)
	}
}

// passwordsHad remembers the passwords of users in order, by email.
func passwordsHad(had *memory[[]string]) mutation {
	return rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
		body := requestObject(r)
		password, email := fieldText(body, "password"), fieldText(body, "email")
		if !resp.ok() || password == "" {
			return
		}
		had.update(email, func(all []string) []string {
			if len(all) > 0 && all[len(all)-1] == password {
				return all
			}
			return append(slices.Clip(all), password)
		})
	})
}
