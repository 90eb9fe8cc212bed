package rules

import (
	"net/http"
	"slices"
)

// Request returns the endpoint's request.
func (e Endpoint) Request() Request {
	request := e.request()
	if request.Refused == nil {
		request.Refused = []int{http.StatusUnprocessableEntity, http.StatusBadRequest}
	}
	return request
}

func (e Endpoint) request() Request {
	switch e {
	case CreateUser:
		return Request{
			Body: bodyOf(User, Param{Field: named("user_name"), Required: "users.create.user-name-required", Sample: NewName}, sampled("password", NewPassword), sampled("email", NewEmail),
				further("first_name", NewText), further("last_name", NewText), further("url", "https://a.example/u"), further("metadata", map[string]any{"mood": "good"})),
			Query:     []QueryParam{{Name: "withLogin", Flag: true}},
			WrongType: "users.create.wrong-type", Malformed: "users.create.malformed-json", NotAnObject: "users.create.not-an-object",
		}
	case Login:
		return Request{
			Body: []Param{
				{Field: text("user_name"), WrongType: "sessions.login.unknown-user", Sample: OwnName},
				{Field: text("email"), WrongType: "sessions.login.unknown-user"},
				{Field: text("password"), Required: "sessions.login.password-required", WrongType: "sessions.login.wrong-password", Sample: OwnPassword},
			},
			Query:  []QueryParam{{Name: "withUserDetails", Flag: true}},
			Either: []string{"user_name", "email"}, EitherRule: "sessions.login.identifier-required",
			Refused: []int{401, 400, 403, 404, 422}, // as insufficient credentials, too
		}
	case UpdateMe:
		return Request{
			Body: bodyOf(User, Param{Field: named("user_name"), Required: "users.me.update.user-name-required", Sample: OwnName},
				Param{Field: named("email"), Sample: OwnEmail, Further: NewEmail}, sampled("password", OwnPassword),
				further("last_name", NewText), further("metadata", map[string]any{"mood": "other"}), further("activated", "true")),
			WrongType: "users.me.update.wrong-type",
		}
	case GetUser, FollowsOf, FollowersOf, FriendsOf:
		rule := "connections.lists.unknown-user"
		if e == GetUser {
			rule = "users.get.unknown"
		}
		return Request{Path: []PathParam{{Sample: OwnID, Unknown: rule, UnknownRefused: unknownID()}}}
	case SearchUsers:
		return Request{Query: []QueryParam{{Name: "q", Sample: OwnName}}}
	case CreateConnection:
		return Request{
			Body: bodyOf(Connection, Param{Field: named("user_to_id"), Required: "connections.create.target-required", Unknown: "connections.create.unknown-target", Sample: OtherID},
				Param{Field: named("type"), Invalid: "connections.create.type-invalid", Sample: "follow"}),
			WrongType: "connections.create.wrong-type",
		}
	case DeleteConnection:
		return Request{Path: []PathParam{{Sample: OtherID, Unknown: "connections.delete.unknown", UnknownRefused: unknownOrDone()}}}
	case ConnectSocial:
		return socialRequest()
	case CreateEvent:
		return Request{
			Body: eventBody(Param{Field: named("verb"), Required: "events.create.verb-required", Sample: "like"},
				Param{Field: named("object"), Identified: "events.create.object-id-required", Further: pictured()}),
			WrongType: "events.create.wrong-type", Malformed: "events.create.malformed-json",
		}
	case UpdateEvent:
		return Request{
			Path: []PathParam{{Sample: OwnEventID, Unknown: "events.update.unknown", UnknownRefused: unknownID()}},
			Body: eventBody(sampled("verb", "like"), further("object", pictured())), WrongType: "events.update.wrong-type",
		}
	case DeleteEvent:
		return Request{Path: []PathParam{{Sample: OwnEventID, Unknown: "events.delete.unknown", UnknownRefused: unknownOrDone()}}}
	}
	return Request{}
}

func socialRequest() Request {
	const rule = "social.required"
	return Request{
		Body: []Param{
			{Field: text("platform"), Required: rule, Sample: "facebook"},
			{Field: Field{Name: "type", Sent: sent(KindType)}, Required: rule, Invalid: "social.type-invalid", Sample: "follow"},
			{Field: text("platform_user_id"), Required: rule, Sample: NewText},
			{Field: Field{Name: "connection_ids", Sent: sent(TextListType)}, Required: rule, Sample: []any{NewText}},
		},
		WrongType: "social.wrong-type",
	}
}

// unknownID are the statuses that refuse an id that nobody has.
func unknownID() []int { return []int{404, 400, 422} }

// unknownOrDone are those with which a deletion may answer such an id: there is nothing to delete.
func unknownOrDone() []int { return []int{404, 204, 400, 401, 403, 405, 406, 409, 410, 415, 422} }

func eventBody(verb, object Param) []Param {
	return bodyOf(Event, verb, object, further("language", "en"), further("priority", NewText), further("location", NewText))
}

func pictured() map[string]any { return map[string]any{"id": "picture-7", "type": "picture"} }

// bodyOf returns the fields of a resource that a client may send, in the contract's order, with
// the endpoint's additions.
func bodyOf(r Resource, special ...Param) []Param {
	fields := r.Fields()
	body := make([]Param, 0, len(fields))
	for _, field := range fields {
		if field.Sent == nil {
			continue
		}
		param := Param{}
		if at := slices.IndexFunc(special, func(s Param) bool { return s.Name == field.Name }); at >= 0 {
			param = special[at]
		}
		param.Field = field
		body = append(body, param)
	}
	return body
}

func named(name string) Field { return Field{Name: name} }

func sampled(name string, value any) Param { return Param{Field: named(name), Sample: value} }

func further(name string, value any) Param { return Param{Field: named(name), Further: value} }
