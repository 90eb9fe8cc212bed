package model

// Rules returns the rules that a story can show broken.
func Rules() []string {
	return []string{
		"auth.app-isolation", "auth.no-effect",
		"connections.create.follow", "connections.create.friend", "connections.delete.only-own", "connections.delete.removes",
		"connections.delete.status", "connections.delete.unknown", "connections.friends.mutual", "connections.lists.after-user-delete", "connections.lists.empty",
		"connections.lists.followers", "connections.lists.follows", "connections.lists.friends", "connections.lists.of-user", "connections.lists.one-way",
		"connections.lists.unknown-user",
		"errors.no-5xx",
		"events.create.body", "events.create.coordinates", "events.create.echo", "events.create.owner", "events.create.status", "events.delete.others",
		"events.delete.status", "events.delete.unknown", "events.update.applies", "events.update.keeps-identity", "events.update.others", "events.update.partial",
		"events.update.status", "events.update.unknown",
		"feed.empty", "feed.event-delete", "feed.event-shape", "feed.follow.earlier-events", "feed.follow.new-events", "feed.friends", "feed.merge",
		"feed.no-duplicates", "feed.only-connected", "feed.order", "feed.purge.followers", "feed.purge.friends", "feed.purge.keeps-others", "feed.purge.no-return",
		"feed.refollow", "feed.status", "feed.unfollow", "feed.update-visible",
		"limits.metadata.characters", "limits.metadata.key-length", "limits.metadata.keys", "limits.metadata.value-length",
		"search.case-insensitive", "search.deleted-excluded", "search.email", "search.exact", "search.first-name", "search.last-name",
		"search.literal-term", "search.no-match-empty", "search.non-match-excluded", "search.status", "search.unicode-case", "search.user-name",
		"sessions.create-with-login", "sessions.deleted-user", "sessions.login.details", "sessions.login.email", "sessions.login.last-login",
		"sessions.login.user-name", "sessions.logout.destroys", "sessions.logout.relogin", "sessions.logout.status",
		"social.connects", "social.status",
		"transport.unicode-roundtrip",
		"users.create.body", "users.create.echo", "users.create.last-login-unset", "users.create.status", "users.get.other", "users.id-stable",
		"users.me.delete.gone", "users.me.delete.status", "users.me.get", "users.me.update.applies", "users.me.update.keeps-identity", "users.me.update.password",
		"users.me.update.status", "users.me.update.updated-at",
		"versions.current", "versions.status",
	}
}
