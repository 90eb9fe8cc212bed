package rules

import "strings"

// Param is a field of a request's body.
type Param struct {
	Field
	// Required is the rule that a server breaks which accepts the request without the field, ""
	// where the field is optional.
	Required string
	// Sample is the field's value in a valid request with no more than that needs: a Source, a list
	// with one, or the value itself; nil where the field is left out.
	Sample any
	// Further is a value that the request may have as well; nil for none.
	Further any
}

// Source is what fills in a value of a valid request: it differs from run to run.
type Source string

// The sources of values.
const (
	NewText     Source = "a text that nothing else has"
	NewName     Source = "a user name that nobody has"
	NewEmail    Source = "an email that nobody has"
	NewPassword Source = "a password"
	OwnName     Source = "the sender's user name" // at a login, of who logs in
	OwnEmail    Source = "the sender's email"
	OwnPassword Source = "the sender's password"
	OwnID       Source = "the sender's id"
	OtherID     Source = "another user's id"
	OwnEventID  Source = "the id of an event of the sender's"
)

// Request is what an endpoint takes, and the rules about what it must refuse.
type Request struct {
	Path  []Source // for the path's parameters
	Query []QueryParam
	Body  []Param // nil where there is none
	// Either are fields of which a request needs one, with the rule about it.
	Either     []string
	EitherRule string
	// The rules that a server breaks which accepts what they name, "" where no rule does.
	WrongType, Malformed, NotAnObject string
}

// QueryParam is a parameter of a URL's query.
type QueryParam struct {
	Name   string
	Sample Source // of a valid request, "" where it has none
	Flag   bool   // true or false
}

// Request returns what the endpoint takes.
func (e Endpoint) Request() Request {
	switch e {
	case CreateUser:
		return Request{
			Body: bodyOf(User, Param{Field: named("user_name"), Required: "users.create.user-name-required", Sample: NewName}, sampled("password", NewPassword), sampled("email", NewEmail),
				further("first_name", "Ada"), further("last_name", "Byron"), further("url", "https://a.example/u"), further("metadata", map[string]any{"mood": "good"})),
			Query:     []QueryParam{{Name: "withLogin", Flag: true}},
			WrongType: "users.create.wrong-type", Malformed: "users.create.malformed-json", NotAnObject: "users.create.not-an-object",
		}
	case Login:
		return Request{
			Body: []Param{
				{Field: text("user_name"), Sample: OwnName}, {Field: text("email")},
				{Field: text("password"), Required: "sessions.login.password-required", Sample: OwnPassword},
			},
			Query:  []QueryParam{{Name: "withUserDetails", Flag: true}},
			Either: []string{"user_name", "email"}, EitherRule: "sessions.login.identifier-required",
		}
	case UpdateMe:
		return Request{
			Body: bodyOf(User, Param{Field: named("user_name"), Required: "users.me.update.user-name-required", Sample: OwnName},
				Param{Field: named("email"), Sample: OwnEmail, Further: "other@refused.example"}, sampled("password", OwnPassword),
				further("last_name", "Byron"), further("metadata", map[string]any{"mood": "other"}), further("activated", "true")),
			WrongType: "users.me.update.wrong-type",
		}
	case GetUser, FollowsOf, FollowersOf, FriendsOf:
		return Request{Path: []Source{OwnID}}
	case SearchUsers:
		return Request{Query: []QueryParam{{Name: "q", Sample: OwnName}}}
	case CreateConnection:
		return Request{
			Body:      bodyOf(Connection, Param{Field: named("user_to_id"), Required: "connections.create.target-required", Sample: OtherID}, sampled("type", "follow")),
			WrongType: "connections.create.wrong-type",
		}
	case DeleteConnection:
		return Request{Path: []Source{OtherID}}
	case ConnectSocial:
		return socialRequest()
	case CreateEvent:
		return Request{
			Body:      eventBody(Param{Field: named("verb"), Required: "events.create.verb-required", Sample: "like"}),
			WrongType: "events.create.wrong-type", Malformed: "events.create.malformed-json",
		}
	case UpdateEvent:
		return Request{Path: []Source{OwnEventID}, Body: eventBody(sampled("verb", "like")), WrongType: "events.update.wrong-type"}
	case DeleteEvent:
		return Request{Path: []Source{OwnEventID}}
	}
	return Request{}
}

func socialRequest() Request {
	const rule = "social.required"
	return Request{
		Body: []Param{
			{Field: text("platform"), Required: rule, Sample: "facebook"},
			{Field: Field{Name: "type", Sent: sent(KindType)}, Required: rule, Sample: "follow"},
			{Field: text("platform_user_id"), Required: rule, Sample: NewText},
			{Field: Field{Name: "connection_ids", Sent: sent(TextListType)}, Required: rule, Sample: []any{NewText}},
		},
		WrongType: "social.wrong-type",
	}
}

func eventBody(verb Param) []Param {
	return bodyOf(Event, verb, further("language", "en"), further("priority", "high"), further("location", "Berlin"),
		further("object", map[string]any{"id": "picture-7", "type": "picture"}))
}

// bodyOf returns the fields of a resource that a client may send, in the contract's order, with
// what the endpoint adds to some of them.
func bodyOf(r Resource, special ...Param) []Param {
	var body []Param
	for _, field := range r.Fields() {
		if field.Sent == nil {
			continue
		}
		param := Param{}
		for _, s := range special {
			if s.Name == field.Name {
				param = s
			}
		}
		param.Field = field
		body = append(body, param)
	}
	return body
}

func named(name string) Field { return Field{Name: name} }

func sampled(name string, value any) Param { return Param{Field: named(name), Sample: value} }

func further(name string, value any) Param { return Param{Field: named(name), Further: value} }

// Positions lists the places of the body that have a documented type: its fields and, behind a
// dot, those of the objects in them.
func (r Request) Positions() []Param {
	var all []Param
	for _, param := range r.Body {
		all = append(all, param)
		for _, inner := range param.Of.Fields() {
			inner.Name = param.Name + "." + inner.Name
			all = append(all, Param{Field: inner})
		}
	}
	return all
}

// Param returns the parameter of a name, behind a dot that of an object in the body.
func (r Request) Param(name string) (Param, bool) {
	for _, param := range r.Positions() {
		if param.Name == name {
			return param, true
		}
	}
	return Param{}, false
}

// Required maps the required fields of the body to the rules about them.
func (r Request) Required() map[string]string {
	required := map[string]string{}
	for _, param := range r.Body {
		if param.Required != "" {
			required[param.Name] = param.Required
		}
	}
	return required
}

// ValidBody returns the body of a valid request with no more than it needs, nil for an endpoint
// without a body. fill gives the values of the sources.
func (r Request) ValidBody(fill func(Source) any) map[string]any {
	if r.Body == nil {
		return nil
	}
	body := map[string]any{}
	for _, param := range r.Body {
		switch sample := param.Sample.(type) {
		case nil:
		case Source:
			body[param.Name] = fill(sample)
		case []any:
			list := make([]any, len(sample))
			for i, item := range sample {
				list[i] = item
				if source, is := item.(Source); is {
					list[i] = fill(source)
				}
			}
			body[param.Name] = list
		default:
			body[param.Name] = sample
		}
	}
	return body
}

// FurtherFields returns what a valid body may hold beside what it needs, nil for nothing.
func (r Request) FurtherFields() map[string]any {
	var all map[string]any
	for _, param := range r.Body {
		if param.Further != nil {
			if all == nil {
				all = map[string]any{}
			}
			all[param.Name] = param.Further
		}
	}
	return all
}

// Parent splits the name of a position into the object that it stands in and its own name; the
// object is "" for a field of the body itself.
func Parent(position string) (object, name string) {
	if object, name, nested := strings.Cut(position, "."); nested {
		return object, name
	}
	return "", position
}
