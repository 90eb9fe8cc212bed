package faults

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// thirteenthUserData are the faults of certain texts of users, where they are kept and looked up.
func thirteenthUserData() []Fault {
	leftOut := strings.Fields("a about an are as at be by com de en for from how i in is it la of on or that the this to was what when where who will with und www")
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-user-url-parameters-sorted", "the url of a new user comes back with the parameters of its query in alphabetical order",
				rewriteBody(createsUser(), mapText("url", parametersSorted)))),
		breaks("sessions.login.user-name",
			fault("data-login-name-with-at-taken-for-email", "a login looks a user name with an @ up among the emails",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
						if email == "" && strings.Contains(userName, "@") {
							userName, email = "", userName
						}
						return inner.Identify(app, userName, email, password)
					}
				}))),
		breaks("search.last-name",
			fault("data-search-stop-words-missed-in-last-names", "a search does not find a last name by a word that full-text indexes leave out, such as de",
				overlooks(lastName, func(_, term string) bool { return slices.Contains(leftOut, folded(term)) }))),
		breaks("social.connects",
			fault("data-social-id-on-two-platforms-found-on-one", "a user who has the same social id on two platforms is found on the alphabetically last of them alone",
				overrideStore(func(_ refserver.Store, s *overrides) {
					s.passOverContacts(func(_ store.App, _ store.ID, platform string, contact store.User) bool {
						for other, id := range contact.SocialIDs {
							if other > platform && id == contact.SocialIDs[platform] {
								return true
							}
						}
						return false
					})
				}))),
	)
}

// parametersSorted sorts the parameters in the query of a URL.
func parametersSorted(url string) string {
	url, fragment, hasFragment := strings.Cut(url, "#")
	path, query, hasQuery := strings.Cut(url, "?")
	if hasQuery {
		parameters := strings.Split(query, "&")
		slices.Sort(parameters)
		path += "?" + strings.Join(parameters, "&")
	}
	if hasFragment {
		path += "#" + fragment
	}
	return path
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

// thirteenthEventData are those of certain values of events, where they are kept and shown.
func thirteenthEventData() []Fault {
	isModel := func(value any) bool {
		name, _ := value.(string)
		return slices.Contains([]string{"user", "session", "connection", "event"}, folded(name))
	}
	protected := func(metadata map[string]any) {
		for _, column := range []string{"id", "user_id", "enabled", "created_at", "updated_at"} {
			delete(metadata, column)
		}
	}
	hasCustomID := func(inner refserver.Store, _ *overrides) func(store.App, store.ID, store.ID) bool {
		return func(app store.App, owner, _ store.ID) bool {
			user, missing := inner.User(app, owner)
			return missing == nil && user.CustomID != ""
		}
	}
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("data-purge-forgets-users-with-custom-id", "the events of a deleted user who had a custom_id stay in the feeds of followers, where they are kept under it",
				purgePassesOver(allOf, readers(followersAlone).where(hasCustomID), atOnce))),
		breaks("events.create.echo",
			fault("data-event-metadata-loses-column-names", "the metadata of a new event loses the keys that are called like fields that the server sets",
				rewriteBody(createsEvent(), within("metadata", protected)))),
		breaks("feed.follow.new-events",
			fault("data-event-with-half-a-position-in-no-feed", "a new event that has a latitude and no longitude, or the other way round, reaches no follower",
				overrideStore(func(_ refserver.Store, s *overrides) {
					s.hideNewEvents(func(event store.Event) bool { return (event.Latitude == nil) != (event.Longitude == nil) })
				}))),
		breaks("events.update.applies",
			fault("data-event-change-drops-object-type-of-a-model", "a change of an event drops a type of its object that is called like a resource of the service, such as user",
				rewriteBody(updatesEvent(), within("object", ignoring("type", isModel))))),
	)
}

// hideNewEvents leaves events out of the feeds of followers who are no friends, and who
// followed before the event was posted.
func (s *overrides) hideNewEvents(out func(event store.Event) bool) {
	since := firstFollows(s)
	s.hideFromFeeds(func(r reader, event store.Event) bool {
		followed := since(r.app, r.id, event.Owner)
		return !followed.IsZero() && event.CreatedAt.After(followed) && !r.befriends(event.Owner) && out(event)
	})
}
