package refserver

import (
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// Dialect is a named set of choices: another server that follows the contract.
type Dialect struct {
	Name    string
	Summary string
	Choices Choices
}

// Dialects lists the dialects, the default first. Together they exercise every
// setting of every choice.
func Dialects() []Dialect {
	return []Dialect{
		{"default", "the friendly defaults", Choices{}},
		{"big-ids", "ids are integers above 2^53", Choices{UserIDs: BigIntegerIDs, EventIDs: BigIntegerIDs}},
		{"digit-string-ids", "ids are strings of digits", Choices{UserIDs: DigitStringIDs, EventIDs: DigitStringIDs}},
		{"uuid-ids", "ids are UUIDs", Choices{UserIDs: UUIDs, EventIDs: UUIDs}},
		{"mixed-ids", "user ids are integers in a User and strings elsewhere; event ids are UUIDs; there are further fields",
			Choices{EventIDs: UUIDs, StringReferences: true, FurtherFields: true}},
		{"offset-times", "times with a numeric offset, empty collections sent, responses name their charset",
			Choices{Times: OffsetTimes, SendEmptyCollections: true, ContentTypeCharset: true, SendImage: true}},
		{"whole-seconds", "times without fractions, no last_login before a login, decomposed text is composed",
			Choices{Times: WholeSeconds, OmitUnsetLastLogin: true, ComposeText: true}},
		{"mutual-friends", "friends only after the other side's own request, and then followers too",
			Choices{MutualFriends: true, FriendsFollow: true}},
		{"one-connection", "one connection of a user to another, of one kind, friends only after the other side's own; user names are unique for ever; times are of milliseconds once kept",
			Choices{MutualFriends: true, SecondKind: RefusedKind, UniqueUserNames: true, ReserveUserNames: true, Times: KeptMillis}},
		{"strict-unique", "names are unique, password and email required, duplicates conflict",
			Choices{UniqueUserNames: true, UniqueEmails: true, UniqueCustomIDs: true, RequireCredentials: true,
				DuplicateStatus: 409, ReciprocalConflict: true}},
		{"strict-input", "fields and values that the contract does not list are refused",
			Choices{RefuseUnknownFields: true, RefuseServerFields: true, RefuseActivatedBoolean: true,
				RefuseSocialIDsArray: true, RequireAccept: true, UserAgentStatus: 403, NonObjectStatus: 422,
				BlankQuery: RefusesQuery, MissingQuery: RefusesQuery}},
		{"lenient", "a connection without a type is a follow, self connections are allowed, a blank search finds all",
			Choices{MissingType: store.Follow, AllowSelf: true, DuplicateStatus: 200, BlankQuery: FindsAll, MissingQuery: FindsAll}},
		{"own-events", "the feed holds one's own events; all have a language and a priority; limits are per user, and told in headers",
			Choices{OwnEvents: true, FillInEvents: true, RateScope: PerUser, RateHeaders: QuotaAndRetry}},
		{"adding", "an update adds to metadata and social_ids; of one user to another there is a follow or a friend connection, not both",
			Choices{MergeMaps: true, SecondKind: TakesPlace}},
		{"lagging", "feeds, lists and search stay 300 ms behind", Choices{Lag: 300 * time.Millisecond}},
		{"single-session", "one session per user, for an hour; a changed password ends it",
			Choices{SingleSession: true, SessionsEnd: ByPasswordChange, SessionLifetime: time.Hour}},
		{"wary-sessions", "a logout, and any update of the user, ends all of its sessions, which are ten at most",
			Choices{LogoutEverywhere: true, SessionsEnd: ByAnyUpdate, SessionsPerUser: 10}},
		{"aliases", "the paths of the reference definition answer too; a connection without a type is a friend's; a platform's id is kept",
			Choices{KeepPlatformID: true, FollowedPath: true, UsersEventsPath: true, MissingType: store.Friend, VersionsCredentials: AppToken}},
		{"terse", "errors say nothing, emails, further ids, coordinates of 0 and urls of objects are kept back, searches leave oneself out",
			Choices{MinimalErrors: true, HideEmail: true, HideProfile: true, OmitObjectURL: true, OmitZeros: true, ExcludeSelf: true, RequiredStatus: 400,
				OthersEventStatus: 404, DisabledVersionStatus: 404, RateHeaders: NoRateHeaders, RateScope: PerAddress}},
		{"replacing", "an update clears what it does not send; the versions need a session",
			Choices{ClearOmittedUserFields: true, ClearOmittedEventFields: true, VersionsCredentials: BothTokens}},
		{"guarded", "profiles are shown to who follows their user alone, former passwords are refused, an update clears an omitted url or coordinates and keeps the rest",
			Choices{ProfileToConnected: true, RefuseFormerPasswords: true, ClearOmittedPlaces: true}},
		{"tidy", "emails are kept in lower case, texts without the blanks around them and in 40 bytes, times without the fraction that the answer to a create has",
			Choices{LowerCaseEmails: true, TrimTexts: true, TextBytes: 40, Times: KeptSeconds}},
		{"rounding", "times are rounded to the second once kept; an update adds to metadata and social_ids; the url of an object is left out",
			Choices{Times: NearSeconds, MergeMaps: true, OmitObjectURL: true}},
		{"replicas", "all that is read stays 300 ms behind; the two replicas that write have clocks three seconds apart; there are ETags",
			Choices{Lag: 300 * time.Millisecond, RecordsLag: true, ClockSkew: 3 * time.Second, EntityTags: true}},
		{"short-feeds", "a feed keeps the newest 20 events, and what was pushed out does not come back", Choices{FeedLength: 20}},
		{"short-lists", "feeds, lists and searches show ten entries", Choices{ListLength: 10}},
	}
}
