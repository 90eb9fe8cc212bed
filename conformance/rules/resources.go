package rules

// Resource is one of the objects that requests and answers hold (the contract's part Resources
// and their fields).
type Resource string

// The resources. Session is the answer to a login without details.
const (
	NoResource Resource = ""
	User       Resource = "User"
	Connection Resource = "Connection"
	Event      Resource = "Event"
	Object     Resource = "Object" // nested in an event
	Session    Resource = "Session"
	Version    Resource = "Version"
)

// Field is a documented field of a resource.
type Field struct {
	Name string
	// Type is the field's type in answers, "" where no answer has it.
	Type Type
	// Sent are the types that a client may send, the documented one first; nil where the
	// server sets the field.
	Sent []Type
	// Open are further types that a server may accept or refuse.
	Open []Type
	// Identifies says that every answer with the resource has the field.
	Identifies bool
	// Limited says that the contract's Limits of metadata hold for it.
	Limited bool
	// Of is the resource that a nested object is.
	Of Resource
}

// Limits of metadata, in entries and characters (the contract's part Limits, 3).
const (
	MetadataKeys        = 10
	MetadataKeyLength   = 40
	MetadataValueLength = 500
)

// Fields lists the resource's fields in the contract's order.
func (r Resource) Fields() []Field {
	switch r {
	case User:
		return userFields()
	case Connection:
		return connectionFields()
	case Event:
		return eventFields()
	case Object:
		return []Field{{Name: "id", Type: TextType, Sent: sent(TextType), Identifies: true}, text("type"), text("url"), {Name: "display_name", Type: TextMapType, Sent: sent(TextMapType)}}
	case Session:
		return []Field{serverSet("id", IDType), serverSet("session_token", TextType)}
	case Version:
		return []Field{serverSet("version", TextType), serverSet("status", TextType)}
	}
	return nil
}

func userFields() []Field {
	return []Field{
		identifying("id", IDType),
		text("custom_id"),
		{Name: "social_ids", Type: TextMapType, Sent: sent(TextMapType, TextListType)}, // a list in Endpoint rule 1
		text("user_name"),
		{Name: "password", Sent: sent(TextType)},
		text("first_name"),
		text("last_name"),
		text("email"),
		text("url"),
		metadata(),
		{Name: "activated", Type: FlagType, Sent: sent(TextType), Open: sent(FlagType)}, // a string in Endpoint rule 1
		serverSet("enabled", FlagType),
		serverSet("last_login", TimeType),
		serverSet("image", ImagesType),
		serverSet("created_at", TimeType),
		serverSet("updated_at", TimeType),
		serverSet("session_token", TextType),
	}
}

func connectionFields() []Field {
	return []Field{
		identifying("user_from_id", IDType),
		{Name: "user_to_id", Type: IDType, Sent: sent(IDType), Identifies: true},
		{Name: "type", Type: KindType, Sent: sent(KindType), Identifies: true},
		serverSet("confirmed_at", TimeType),
		serverSet("enabled", FlagType),
		serverSet("created_at", TimeType),
		serverSet("updated_at", TimeType),
	}
}

func eventFields() []Field {
	return []Field{
		identifying("id", IDType),
		serverSet("user_id", IDType),
		text("verb"),
		text("language"),
		text("priority"),
		text("location"),
		{Name: "latitude", Type: NumberType, Sent: sent(NumberType)},
		{Name: "longitude", Type: NumberType, Sent: sent(NumberType)},
		metadata(),
		{Name: "object", Type: ObjectType, Sent: sent(ObjectType), Of: Object},
		serverSet("enabled", FlagType),
		serverSet("created_at", TimeType),
		serverSet("updated_at", TimeType),
	}
}

func sent(types ...Type) []Type { return types }

func text(name string) Field { return Field{Name: name, Type: TextType, Sent: sent(TextType)} }

func metadata() Field {
	return Field{Name: "metadata", Type: TextMapType, Sent: sent(TextMapType), Limited: true}
}

func serverSet(name string, t Type) Field { return Field{Name: name, Type: t} }

func identifying(name string, t Type) Field { return Field{Name: name, Type: t, Identifies: true} }
