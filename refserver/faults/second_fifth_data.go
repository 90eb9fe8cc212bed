package faults

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fifthUserData are the faults of certain texts of users, where they are tidied and where
// they are compared.
func fifthUserData() []Fault {
	blanks := regexp.MustCompile(" {2,}")
	squeezed := func(text string) string { return blanks.ReplaceAllString(text, " ") }
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-first-name-blanks-squeezed", "several blanks in a row in a new user's first name become one",
				rewriteBody(createsUser(), mapText("first_name", squeezed)))),
		breaks("users.me.update.applies",
			fault("data-update-of-email-tag-alone-ignored", "an update that changes the +tag of the email alone leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.Email
							if change(user); emailWithoutTag(user.Email) == emailWithoutTag(before) {
								user.Email = before
							}
						})
					}
				}))),
		breaks("sessions.login.unknown-user",
			fault("data-login-email-without-dots", "a login by an email that nobody has finds who has it with other dots before the @", overrideStore(emailsAlikeButForDots))),
		breaks("search.non-match-excluded",
			fault("data-search-quotes-mark-a-phrase", "a search for a term in double quotes finds who has it without them",
				finding(func(user store.User, term string, found bool) bool {
					phrase, opens := strings.CutPrefix(term, `"`)
					phrase, closes := strings.CutSuffix(phrase, `"`)
					return found || opens && closes && phrase != "" && anyAttribute(user, func(value string) bool { return holdsText(value, phrase) })
				}))),
		breaks("social.connects",
			fault("data-social-id-zero-passed-over", "connecting by social identifiers takes the identifier 0 for none",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						given := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "0" })
						return inner.ConnectSocial(app, from, platform, given, typ)
					}
				}))),
	)
}

// emailsAlikeButForDots looks for an email as it stands, and then as a provider of mail does
// to which dots mean nothing.
func emailsAlikeButForDots(inner refserver.Store, s *overrides) {
	undotted := func(email string) string {
		name, host, _ := strings.Cut(email, "@")
		return strings.ReplaceAll(name, ".", "") + "@" + host
	}
	s.identify = func(app store.App, userName, email string, password []byte) (store.User, error) {
		user, err := inner.Identify(app, userName, email, password)
		if err == nil || email == "" {
			return user, err
		}
		all, unread := inner.Search(app, "")
		if unread != nil {
			return user, unread
		}
		for _, other := range all {
			if other.Email == "" || undotted(other.Email) != undotted(email) {
				continue
			}
			if bearer, unknown := inner.Identify(app, userName, other.Email, password); unknown == nil {
				return bearer, nil
			}
		}
		return user, err
	}
}

// fifthEventData are those of certain values of events.
func fifthEventData() []Fault {
	tags := regexp.MustCompile(`<[^<>]*>`)
	stripped := func(text string) string { return tags.ReplaceAllString(text, "") }
	return slices.Concat(
		breaks("events.create.echo",
			fault("data-display-name-tags-stripped", "what looks like a tag of HTML is dropped from the display names of a new event's object",
				rewriteBody(createsEvent(), within("object", eachText("display_name", stripped))))),
		breaks("events.update.applies",
			fault("data-change-of-region-alone-ignored", "a change of an event to another region of the language that stands leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						return inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							before := event.Language
							if change(event); before != "" && language(event.Language) == language(before) {
								event.Language = before
							}
						})
					}
				}))),
		breaks("feed.event-shape",
			fault("data-feed-object-that-is-a-user-unnamed", "in a feed an object of the type user is looked up among the users, and has no display name",
				rewriteEach(readsFeed(), within("object", func(object map[string]any) {
					if fieldText(object, "type") == "user" {
						delete(object, "display_name")
					}
				})))),
		breaks("feed.purge.followers",
			fault("data-purge-forgets-shared-objects", "those of a deleted user's events stay in the feed of a follower that are on an object on which the feed has another's event", overrideStore(sharedObjectsStay))),
	)
}

// sharedObjectsStay shows the events on one object together, and takes such a group out of a
// feed with the last of its users alone.
func sharedObjectsStay(inner refserver.Store, s *overrides) {
	stale := keepStaleReads(s)
	s.deleteUser = func(app store.App, id store.ID) error {
		left := map[store.ID][]store.Event{}
		for _, reader := range followersAlone(inner, s)(app, id) {
			feed, err := inner.Feed(app, reader)
			if err != nil {
				continue
			}
			left[reader] = without(ownedBy(inner, app, reader, id), func(event store.Event) bool {
				return !slices.ContainsFunc(feed, func(other store.Event) bool { return other.Owner != id && onSameObject(other, event) })
			})
		}
		err := inner.DeleteUser(app, id)
		for reader, events := range left {
			if err == nil {
				stale.keep(app, reader, events, atOnce(time.Now()))
			}
		}
		return err
	}
}

func onSameObject(one, other store.Event) bool {
	return one.Object != nil && other.Object != nil && one.Object.ID == other.Object.ID
}
