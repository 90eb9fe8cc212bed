package refserver

import (
	"net/http"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// Choices settles points where the contract is silent or contradicts itself. The zero
// value of every field is the friendly default; the README's table names the dialects
// with other values.
type Choices struct {
	// Transport.
	ComposeText          bool          // text in decomposed form is composed (transport item 3); default: kept as sent
	Times                TimeFormat    // how timestamps are written (transport item 4)
	SendEmptyCollections bool          // empty maps and lists inside a resource are sent; default: omitted as blank
	UserAgentStatus      int           // the status of a request without a User-Agent: 400 (default) or 403
	ClockSkew            time.Duration // the difference between the clocks of two replicas that take turns; 0: there is one clock
	EntityTags           bool          // answers to reads have an ETag, and are 304 to a client that has them already; default: no ETags
	TextBytes            int           // the most bytes in a user's name, or in an event's language, priority or location; 0 is any number
	TrimTexts            bool          // blanks around these texts are dropped; default: kept
	RequireAccept        bool          // a missing Accept and */* are refused with 406; default: both fine
	ContentTypeCharset   bool          // responses say application/json; charset=utf-8
	FurtherFields        bool          // resources, and objects of events, have fields that the contract does not list

	// Ids.
	UserIDs          IDForm // the form of user ids; the login answer's is a string always
	EventIDs         IDForm // the form of event ids
	StringReferences bool   // ids in connections and events are strings, whatever form they have elsewhere

	// Sessions.
	SingleSession    bool          // a login ends the user's earlier sessions
	LogoutEverywhere bool          // a logout ends the user's other sessions too
	SessionsEnd      SessionsEnd   // which updates of the user end its sessions
	SessionLifetime  time.Duration // how long a session lasts; 0 is 30 days
	SessionsPerUser  int           // the most sessions of a user; one more ends the oldest; 0 is 1,000

	// Users.
	RefuseActivatedBoolean bool // activated as a boolean is 422; default: string and boolean are taken
	RefuseSocialIDsArray   bool // social_ids as an array is 422; default: taken, keyed by position
	RefuseUnknownFields    bool // a field the contract does not know is 422; default: ignored
	RefuseServerFields     bool // a field that the server sets is 422; default: ignored
	RequireCredentials     bool // create and update need password and email; default: user_name suffices
	UniqueUserNames        bool // a second user with the same user_name is 409; default: allowed
	ReserveUserNames       bool // the user_name of a deleted user stays taken; default: free again
	UniqueEmails           bool // a second user with the same email is 409; default: allowed
	UniqueCustomIDs        bool // the same for custom_id
	ClearOmittedUserFields bool // an update clears the fields that it does not send, except the password; default: kept
	ClearOmittedPlaces     bool // an update without url or coordinates clears them; default: kept
	RefuseFormerPasswords  bool // an update to an earlier password of the user is 422; default: accepted
	MergeMaps              bool // an update adds to metadata and social_ids, of events too; default: replaced whole
	LowerCaseEmails        bool // emails are stored and compared in lower case; default: as sent
	HideEmail              bool // a user's email is shown to that user alone
	HideProfile            bool // so are its custom_id, social_ids, url and metadata
	ProfileToConnected     bool // these are shown to the user's followers and friends, and to no others
	OmitUnsetLastLogin     bool // last_login is omitted before the first login; default: the zero value
	SendImage              bool // users carry an image

	// Search.
	BlankQuery   QueryAnswer // q empty
	MissingQuery QueryAnswer // q missing
	ExcludeSelf  bool        // the session's user is not among the results

	// Connections.
	MissingType        store.ConnectionType // the type of a connection without one; default: refused
	DuplicateStatus    int                  // the same connection again: 201 (default), 200 or 409
	AllowSelf          bool                 // a connection to oneself is created; default: refused
	MutualFriends      bool                 // friends only after the other side's own; default: one side suffices
	ReciprocalConflict bool                 // if one side suffices, the other side's own is 409; default: 201
	FriendsFollow      bool                 // friends are among follows and followers too
	SecondKind         SecondKind           // the effect of a follow beside a friend connection to the same user, and the other way round
	FollowedPath       bool                 // /0.2/users/{UserID}/followed answers as well
	KeepPlatformID     bool                 // platform_user_id becomes one of the user's social_ids; default: not kept

	// Events and feed.
	OmitZeros               bool          // coordinates of 0 are not returned
	OmitObjectURL           bool          // an object's url is not returned
	FillInEvents            bool          // an event without language or priority has one of the server's; default: none
	UsersEventsPath         bool          // POST /0.2/users/events answers as well
	ClearOmittedEventFields bool          // an update clears the fields that it does not send, except the verb; default: kept
	OthersEventStatus       int           // the status of a change to another user's event: 403 (default) or 404
	OwnEvents               bool          // the feed holds one's own events too
	Lag                     time.Duration // how far feeds, lists and search lag
	RecordsLag              bool          // the records of users lag as far; default: they are up to date
	ListLength              int           // the most users or events in a list, a search or a feed; 0 is all
	FeedLength              int           // the number of newest events that a feed keeps; older ones do not come back; 0 is all

	// Versions, errors, limits.
	VersionsCredentials   Credentials // the credentials for GET /versions
	DisabledVersionStatus int         // the status under /0.1: 410 (default) or 404
	RequiredStatus        int         // the status of missing fields and exceeded limits: 422 (default) or 400
	NonObjectStatus       int         // the status of a body that is JSON but not an object: 400 (default) or 422
	MinimalErrors         bool        // every error's body is {}; default: only a 400's
	RateScope             RateScope   // who shares a rate limit
	RateHeaders           RateHeaders // the headers that show it
}

// IDForm is a form of ids. Clients are to take ids as opaque.
type IDForm string

const (
	IntegerIDs     IDForm = ""
	BigIntegerIDs  IDForm = "big"    // integers above 2^53, which a float64 cannot represent
	DigitStringIDs IDForm = "digits" // strings of digits
	UUIDs          IDForm = "uuid"
)

// TimeFormat is a way to write timestamps, all of them RFC 3339.
type TimeFormat string

const (
	Microseconds TimeFormat = ""        // UTC with Z and six digits of fraction
	WholeSeconds TimeFormat = "seconds" // UTC with Z, no fraction
	OffsetTimes  TimeFormat = "offset"  // a numeric offset, and fractions
	KeptMillis   TimeFormat = "kept"    // three digits of fraction; six in the answer to a create, before it is stored
	KeptSeconds  TimeFormat = "cut"     // no fraction; six digits in the answer to a create
	NearSeconds  TimeFormat = "rounded" // the same, but rounded instead of cut
)

// SecondKind is the effect of a second connection, of the other kind, to the same user.
type SecondKind string

const (
	BothStand   SecondKind = ""
	TakesPlace  SecondKind = "replace" // the second takes the first one's place
	RefusedKind SecondKind = "409"
)

// SessionsEnd says which updates of a user end its sessions.
type SessionsEnd string

const (
	NeverByUpdate    SessionsEnd = ""
	ByPasswordChange SessionsEnd = "password"
	ByAnyUpdate      SessionsEnd = "update"
)

// QueryAnswer is the answer to a search without a term.
type QueryAnswer string

const (
	FindsNone    QueryAnswer = ""
	FindsAll     QueryAnswer = "all"
	RefusesQuery QueryAnswer = "400"
)

// Credentials are the tokens that an endpoint needs (the contract's Authentication part).
type Credentials string

const (
	NoCredentials Credentials = ""
	AppToken      Credentials = "app"
	BothTokens    Credentials = "both"
)

// RateScope says who shares a rate limit.
type RateScope string

const (
	PerApplication RateScope = ""
	PerUser        RateScope = "user"
	PerAddress     RateScope = "address"
)

// RateHeaders says which headers show a rate limit.
type RateHeaders string

const (
	RetryAfter    RateHeaders = ""      // Retry-After on a 429
	NoRateHeaders RateHeaders = "none"  // nothing
	QuotaAndRetry RateHeaders = "quota" // also X-RateLimit-Limit, -Remaining and -Reset on every answer
)

// withDefaults gives the statuses left zero their defaults.
func (c Choices) withDefaults() Choices {
	if c.SessionLifetime == 0 {
		c.SessionLifetime = 30 * 24 * time.Hour
	}
	if c.SessionsPerUser == 0 {
		c.SessionsPerUser = 1000
	}
	for _, s := range []struct {
		status   *int
		fallback int
	}{
		{&c.UserAgentStatus, http.StatusBadRequest},
		{&c.DuplicateStatus, http.StatusCreated},
		{&c.OthersEventStatus, http.StatusForbidden},
		{&c.DisabledVersionStatus, http.StatusGone},
		{&c.RequiredStatus, http.StatusUnprocessableEntity},
		{&c.NonObjectStatus, http.StatusBadRequest},
	} {
		if *s.status == 0 {
			*s.status = s.fallback
		}
	}
	return c
}

// policy is the store's part of the choices.
func (c Choices) policy() store.Policy {
	return store.Policy{
		UniqueUserName:       c.UniqueUserNames,
		ReserveUserName:      c.ReserveUserNames,
		UniqueEmail:          c.UniqueEmails,
		UniqueCustomID:       c.UniqueCustomIDs,
		MaxSessions:          c.SessionsPerUser,
		SessionLifetime:      c.SessionLifetime,
		OneSession:           c.SingleSession,
		LogoutEndsAll:        c.LogoutEverywhere,
		PasswordEndsSessions: c.SessionsEnd == ByPasswordChange,
		UpdateEndsSessions:   c.SessionsEnd == ByAnyUpdate,
		MutualFriends:        c.MutualFriends,
		OneFriendConnection:  c.ReciprocalConflict,
		FriendsFollow:        c.FriendsFollow,
		OneKind:              c.SecondKind == TakesPlace,
		SecondKindConflicts:  c.SecondKind == RefusedKind,
		OwnEvents:            c.OwnEvents,
		Lag:                  c.Lag,
		UsersLag:             c.RecordsLag,
	}
}
