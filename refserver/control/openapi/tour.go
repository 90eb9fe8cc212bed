package openapi

// step is a request of the tour: the story that collections tell, in which two users see every endpoint.
type step struct {
	chapter   string
	operation string // the id of the operation
	as        person
	path      string // the operation's own if it is blank
	body      string
	status    int
	keeps     []kept
	holds     []claim
}

// person is the sender of a request.
type person string

const (
	nobody person = ""
	author person = "author"
	reader person = "reader"
)

// kept is a field of an answer that a variable keeps.
type kept struct{ field, variable string }

// claim is a condition on an answer: a sentence, and a JavaScript expression over body, the answer's body as
// a value, and kept(name), the text of a variable.
type claim struct{ says, expression string }

// tour is a story that holds on every service that follows the contract and shows writes at once. It makes its own
// users and deletes them.
func tour() []step {
	const begin, connect, events, end = "Two users", "Connections", "Events and the feed", "Clean-up"
	has := func(says, field, variable string) []claim {
		return []claim{{says, `body.some((entry) => String(entry.` + field + `) === kept("` + variable + `"))`}}
	}
	lacks := func(says, field, variable string) []claim {
		return []claim{{says, `!body.some((entry) => String(entry.` + field + `) === kept("` + variable + `"))`}}
	}
	isList := []claim{{"the answer is a list", "Array.isArray(body)"}}
	is := func(says, field, variable string) []claim {
		return []claim{{says, `String(body.` + field + `) === kept("` + variable + `")`}}
	}
	create := func(who person) step {
		return step{begin, "createUser", nobody, "/0.2/users?withLogin=true", newUser(who), 201,
			[]kept{{"id", who.variable("id")}, {"user_name", who.variable("name")}, {"session_token", who.variable("session")}}, nil}
	}
	logIn := func(chapter string, who person) step {
		return step{chapter, "logIn", nobody, "", `{"user_name": "{{` + who.variable("name") + `}}", "password": "` + password + `"}`, 200,
			[]kept{{"session_token", who.variable("session")}}, nil}
	}
	const ofAuthor = "/0.2/users/{{author_id}}"
	return []step{
		create(author),
		create(reader),
		logIn(begin, reader),
		{begin, "listVersions", reader, "", "", 200, nil, []claim{{"0.2 is current", `body.some((entry) => entry.version === "0.2" && entry.status === "current")`}}},
		{begin, "getMe", reader, "", "", 200, nil, is("the user is the session's", "id", "reader_id")},
		{begin, "updateMe", author, "", changedUser, 201, nil, is("the user is the session's", "id", "author_id")},
		logIn(begin, author), // some services end sessions after an update

		{connect, "createConnection", reader, "", `{"user_to_id": "{{author_id}}", "type": "follow"}`, 201, nil, is("it goes to the author", "user_to_id", "author_id")},
		{connect, "getUser", reader, ofAuthor, "", 200, nil, is("the user is the one asked for", "id", "author_id")},
		{connect, "searchUsers", reader, "/0.2/users/search?q={{author_name}}", "", 200, nil, has("the author is found", "id", "author_id")},
		{connect, "listFollows", reader, "", "", 200, nil, has("the reader follows the author", "id", "author_id")},
		{connect, "listFollowers", author, "", "", 200, nil, has("the reader follows the author", "id", "reader_id")},
		{connect, "listFriends", reader, "", "", 200, nil, isList},
		{connect, "listFollowsOf", reader, ofAuthor + "/follows", "", 200, nil, isList},
		{connect, "listFollowersOf", reader, ofAuthor + "/followers", "", 200, nil, has("the reader follows the author", "id", "reader_id")},
		{connect, "listFriendsOf", reader, ofAuthor + "/friends", "", 200, nil, isList},
		{connect, "connectSocial", reader, "", `{"platform": "example", "type": "follow", "platform_user_id": "{{reader_name}}", "connection_ids": ["{{author_name}}"]}`, 201, nil, nil},

		{events, "createEvent", author, "", `{"verb": "like", "language": "en", "object": {"id": "song-7", "type": "song", "display_name": {"en": "Waltz"}}}`, 201,
			[]kept{{"id", "event_id"}}, nil},
		{events, "getFeed", reader, "", "", 200, nil, has("the feed has the event", "id", "event_id")},
		{events, "updateEvent", author, "/0.2/user/events/{{event_id}}", `{"verb": "like", "location": "Vienna"}`, 200, nil,
			append(is("the event is the one named", "id", "event_id"), claim{"the location is changed", `body.location === "Vienna"`})},
		{events, "deleteEvent", author, "/0.2/user/events/{{event_id}}", "", 204, nil, nil},
		{events, "getFeed", reader, "", "", 200, nil, lacks("the event has left the feed", "id", "event_id")},
		{events, "deleteConnection", reader, "/0.2/user/connections/{{author_id}}", "", 204, nil, nil},
		{events, "listFollows", reader, "", "", 200, nil, lacks("the reader follows the author no more", "id", "author_id")},

		{end, "logOut", reader, "", "", 204, nil, nil},
		{end, "getMe", reader, "", "", 401, nil, nil},
		logIn(end, reader),
		{end, "deleteMe", reader, "", "", 204, nil, nil},
		{end, "deleteMe", author, "", "", 204, nil, nil},
	}
}

// password is that of the tour's users, hashed as a client should.
const password = "9f86d081884c7d65"

// random is a placeholder in bodies for a text that differs at each place and in each run.
const random = "{{random}}"

// newUser is the body that creates a person's user.
func newUser(who person) string {
	return `{"user_name": "` + string(who) + `-` + random + `", "password": "` + password + `", "email": "` + random + `@example.com"}`
}

// changedUser is the body that changes the author; the reader then finds the author by the same name on a network.
const changedUser = `{"user_name": "{{author_name}}", "password": "` + password + `", "email": "` + random + `@example.com", "first_name": "Ada", "social_ids": {"example": "{{author_name}}"}}`

// variable is the name of a person's variable.
func (p person) variable(of string) string { return string(p) + "_" + of }
