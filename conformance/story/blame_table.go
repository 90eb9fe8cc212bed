package story

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

func always(*cause) bool { return true }

// fixed returns an endpoint.
func fixed(at rules.Endpoint) func(*cause) rules.Endpoint {
	return func(*cause) rules.Endpoint { return at }
}

// seen is the endpoint whose answer shows the difference.
func seen(c *cause) rules.Endpoint { return c.At }

func ownList(c *cause) rules.Endpoint { return c.At.OwnList() }

// blames returns the table: the rule to blame for a difference is that of the first row that fits.
func blames() []blame {
	return slices.Concat(blamesOfActions(), blamesOfFeeds(), blamesOfLists(), blamesOfSearches(), blamesOfUsers(), blamesOfEvents())
}

// blamesOfActions are about statuses and sessions.
func blamesOfActions() []blame {
	refusedMetadata := func(reached limit) func(*cause) bool {
		return func(c *cause) bool {
			return c.Want != nil && limitOf(c.Want.first()) == reached
		}
	}
	status := []DiffKind{WrongStatus}
	return []blame{
		{isolation, func(c *cause) rules.Endpoint { return isolationEndpoint(c.At) }, []DiffKind{Foreign}, always},
		{"limits.metadata.characters", seen, status, refusedMetadata(limitOfCharacters)},
		{"limits.metadata.keys", seen, status, refusedMetadata(limitOfKeys)},
		{"limits.metadata.key-length", seen, status, refusedMetadata(limitOfKeyLength)},
		{"limits.metadata.value-length", seen, status, refusedMetadata(limitOfValueLength)},
		{"users.me.update.applies", fixed(rules.UpdateMe), []DiffKind{LostUpdate}, func(c *cause) bool { return c.At == rules.UpdateMe }},
		{"events.update.applies", fixed(rules.UpdateEvent), []DiffKind{LostUpdate}, always},
	}
}

// blamesOfFeeds are about what a feed shows.
func blamesOfFeeds() []blame {
	inFeed := func(when func(*cause) bool) func(*cause) bool {
		return func(c *cause) bool { return c.At == rules.Feed && when(c) }
	}
	extra, missing := []DiffKind{Extra}, []DiffKind{Missing}
	wasFriend := func(c *cause) bool { return c.there.atDeletion != nil && c.there.atDeletion.friends == Yes }
	return []blame{
		{"feed.empty", seen, []DiffKind{Unreadable}, inFeed((*cause).nobodyListed)},
		{"feed.status", seen, []DiffKind{Unreadable}, inFeed(always)},
		{"auth.no-effect", fixed(rules.CreateEvent), []DiffKind{Stranger}, inFeed(func(c *cause) bool { return c.Want.allows(endedSessionsValue) })},
		{"feed.merge", seen, []DiffKind{Copy}, inFeed(always)},
		{"feed.only-connected", seen, []DiffKind{Stranger}, inFeed(always)},
		{"feed.event-delete", fixed(rules.DeleteEvent), extra, inFeed(func(c *cause) bool {
			owner := &c.w.users[c.event.owner]
			return c.event.deleted > 0 && (owner.lives() || c.event.deleted < owner.deleted)
		})},
		{"feed.purge.no-return", fixed(rules.CreateUser), extra, inFeed(func(c *cause) bool {
			return !c.w.users[c.event.owner].lives() && c.nameReused()
		})},
		{"feed.purge.friends", fixed(rules.DeleteMe), extra, inFeed(func(c *cause) bool { return !c.w.users[c.event.owner].lives() && wasFriend(c) })},
		{"feed.unfollow", fixed(rules.DeleteConnection), extra, inFeed(func(c *cause) bool {
			was := c.there.atDeletion
			return was != nil && was.follow == No && was.friends == No && c.there.ended > 0
		})},
		{"feed.purge.followers", fixed(rules.DeleteMe), extra, inFeed(func(c *cause) bool { return !c.w.users[c.event.owner].lives() })},
		{"feed.unfollow", fixed(rules.DeleteConnection), extra, inFeed(func(c *cause) bool { return c.there.ended > 0 })},
		{"feed.only-connected", seen, extra, inFeed(always)},
		{"feed.no-duplicates", seen, []DiffKind{Twice}, inFeed(func(c *cause) bool { return c.there.follow == Yes && c.friends != No })},
		{"feed.merge", seen, []DiffKind{Twice}, inFeed(always)},
		{"feed.order", seen, []DiffKind{WrongOrder}, always},

		{"connections.delete.only-own", fixed(rules.DeleteConnection), missing, inFeed(func(c *cause) bool {
			return c.there.follow == Yes && c.othersEnd(c.owner, c.event.owner, max(c.there.followed, c.lastShown-1))
		})},
		{"events.delete.others", fixed(rules.DeleteEvent), missing, inFeed(func(c *cause) bool { return c.lastShown > 0 && c.deletedWrongly() == byOwner })},
		{"auth.no-effect", fixed(rules.DeleteEvent), missing, inFeed(func(c *cause) bool { return c.lastShown > 0 && c.deletedWrongly() == byEndedSession })},
		{"feed.purge.keeps-others", fixed(rules.DeleteMe), missing, inFeed(func(c *cause) bool { return c.lastOf("delete user", "change event") == "delete user" })},
		{"feed.follow.new-events", seen, missing, inFeed(func(c *cause) bool {
			return c.lastOf("change event") != "" && c.event.changed >= c.lastShown && c.there.follow == Yes
		})},
		{"feed.friends", fixed(rules.CreateEvent), missing, inFeed(func(c *cause) bool { return c.lastOf("change event") != "" && c.event.changed >= c.lastShown })},
		{"feed.merge", seen, missing, inFeed(func(c *cause) bool {
			return c.lastShown > c.ended() && len(c.happened) > 0 || c.showsSomething() && c.severalFollowed()
		})},
		{"feed.friends", fixed(rules.CreateEvent), missing, inFeed(func(c *cause) bool { return c.there.follow != Yes })},
		{"social.connects", fixed(rules.ConnectSocial), missing, inFeed(func(c *cause) bool { return c.there.bySocial })},
		{"feed.follow.new-events", fixed(rules.CreateConnection), missing, inFeed(func(c *cause) bool { return c.event.created > c.there.followed })},
		{"feed.refollow", fixed(rules.CreateConnection), missing, inFeed(func(c *cause) bool { return c.there.follows > 1 })},
		{"feed.follow.earlier-events", fixed(rules.CreateConnection), missing, inFeed(always)},
	}
}

// blamesOfLists are about what the lists of connections show.
func blamesOfLists() []blame {
	inList := func(when func(*cause) bool) func(*cause) bool {
		return func(c *cause) bool { return c.At.ListsConnections() && when(c) }
	}
	extra, missing := []DiffKind{Extra}, []DiffKind{Missing}
	const many = 10 // if one of many is missing, the list is to blame
	rows := []blame{
		{"connections.lists.unknown-user", seen, []DiffKind{Gone}, inList(always)},
		{"connections.lists.empty", seen, []DiffKind{Unreadable}, inList((*cause).nobodyListed)},
		{"users.id-stable", seen, []DiffKind{WrongID}, inList(always)},
		{"connections.lists.after-user-delete", ownList, extra, inList(func(c *cause) bool { return !c.subject.lives() })},
		{"connections.delete.removes", fixed(rules.DeleteConnection), extra, inList(func(c *cause) bool { return c.ended() > 0 })},
		{"connections.lists.one-way", ownList, extra, inList(func(c *cause) bool { return c.there.follow == Yes || c.back.follow == Yes })},
		{"connections.delete.only-own", fixed(rules.DeleteConnection), missing, inList(func(c *cause) bool {
			who := c.View.subject
			return !c.list(rules.MyFriends) && (c.there.follow == Yes && c.othersEnd(c.owner, who, c.there.followed) || c.back.follow == Yes && c.othersEnd(who, c.owner, c.back.followed))
		})},
		{"connections.lists.after-user-delete", ownList, missing, inList(func(c *cause) bool { return c.lastOf("delete user", "disconnect") == "delete user" })},
		{"connections.delete.removes", fixed(rules.DeleteConnection), missing, inList(func(c *cause) bool { return c.lastOf("disconnect") != "" })},
		{"social.connects", fixed(rules.ConnectSocial), missing, inList(func(c *cause) bool {
			return (c.there.bySocial || c.back.bySocial) && c.lastShown == 0 && !c.shownToOwner() && !c.shownToOther()
		})},
		{"connections.friends.mutual", fixed(rules.CreateConnection), missing, func(c *cause) bool {
			both := c.there.asked == Yes && c.back.asked == Yes || c.w.choices[c.App].FriendsAtOnce != Yes
			return c.At == rules.MyFriends && both && c.friendsOfOwner() < many
		}},
		{"users.me.update.applies", fixed(rules.UpdateMe), []DiffKind{WrongField}, inList(func(c *cause) bool { return c.subject.changed > 0 })},
		{"users.me.update.keeps-identity", fixed(rules.UpdateMe), []DiffKind{WrongTime}, inList(func(c *cause) bool { return c.subject.changed > 0 })},
	}
	any := []DiffKind{Unreadable, Stranger, Twice, Extra, Missing, WrongField, WrongTime}
	return append(rows,
		blame{"connections.lists.of-user", seen, any, inList((*cause).ofUser)},
		blame{"connections.lists.follows", seen, any, func(c *cause) bool { return c.At == rules.MyFollows }},
		blame{"connections.lists.followers", seen, any, func(c *cause) bool { return c.At == rules.MyFollowers }},
		blame{"connections.lists.friends", seen, any, func(c *cause) bool { return c.At == rules.MyFriends }})
}

// shownToOwner reports whether the owner's own list has shown the subject since it was connected.
func (c *cause) shownToOwner() bool {
	v := sighting{at: c.At.OwnList(), viewer: c.owner, owner: c.owner, subject: c.View.subject}
	return c.w.shown[v] > max(c.ended(), 0)
}

// shownToOther reports whether the subject's own list has shown the owner since they were connected.
func (c *cause) shownToOther() bool {
	theirs := map[rules.Endpoint]rules.Endpoint{rules.MyFollows: rules.MyFollowers, rules.MyFollowers: rules.MyFollows, rules.MyFriends: rules.MyFriends}[c.At.OwnList()]
	v := sighting{at: theirs, viewer: c.View.subject, owner: c.View.subject, subject: c.owner}
	return c.w.shown[v] > max(c.ended(), 0)
}

// blamesOfSearches are about what a search finds.
func blamesOfSearches() []blame {
	in := func(when func(*cause) bool) func(*cause) bool {
		return func(c *cause) bool { return c.At == rules.SearchUsers && when(c) }
	}
	missing := []DiffKind{Missing}
	by := func(field string) func(*cause) bool {
		return in(func(c *cause) bool { return c.Field == field })
	}
	sameCase := func(c *cause) bool {
		value, _ := c.subject.fields[c.Field].first().(string)
		return strings.Contains(value, c.Term)
	}
	return []blame{
		{"search.no-match-empty", seen, []DiffKind{Unreadable}, in(func(c *cause) bool { return !c.w.users[c.owner].lives() || c.Step.How == formerTerm })},
		{"search.status", seen, []DiffKind{Unreadable}, in(always)},
		{"users.id-stable", seen, []DiffKind{WrongID}, in(always)},
		{"search.deleted-excluded", seen, []DiffKind{Extra}, in(func(c *cause) bool { return c.subject != nil && !c.subject.lives() })},
		{"search.non-match-excluded", seen, []DiffKind{Extra}, in(always)},
		{"search.literal-term", seen, missing, in(func(c *cause) bool {
			return c.Field != "email" && c.Step.How != wholeTerm && strings.ContainsAny(c.Term, `%_*.\`)
		})},
		{"search.case-insensitive", seen, missing, in(func(c *cause) bool { return c.Step.How == upperTerm && ascii(c.Term) })},
		{"search.unicode-case", seen, missing, in(func(c *cause) bool { return !sameCase(c) && !ascii(c.Term) })},
		{"search.exact", seen, missing, in(func(c *cause) bool {
			return c.Field == "user_name" && strings.EqualFold(c.Term, c.subject.name) && utf8.RuneCountInString(c.Term) > 0
		})},
		{"search.user-name", seen, missing, by("user_name")},
		{"search.first-name", seen, missing, by("first_name")},
		{"search.last-name", seen, missing, by("last_name")},
		{"search.email", seen, missing, by("email")},
		{"users.me.update.applies", fixed(rules.UpdateMe), []DiffKind{WrongField}, in(func(c *cause) bool { return c.subject.changed > 0 })},
		{"users.me.update.keeps-identity", fixed(rules.UpdateMe), []DiffKind{WrongTime}, in(func(c *cause) bool { return c.subject.changed > 0 })},
		{"search.status", seen, []DiffKind{WrongField, WrongTime}, in(always)},
	}
}

// endedSessionsValue marks what requests try to write that must be refused.
const endedSessionsValue = "of an ended session"
