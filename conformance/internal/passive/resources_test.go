package passive

import (
	"testing"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

func TestTimestampsRule(t *testing.T) {
	at := func(field, value string) *wire.Exchange {
		return answered(rules.GetMe, 200, `{"id":1,"`+field+`":`+value+`}`)
	}
	checkPassive(t, "transport.timestamps", passiveTable{
		kept: cases{
			"created at once":         created(rules.CreateEvent, 201, "2026-01-02T03:04:05Z"),
			"created with an offset":  created(rules.CreateEvent, 201, "2026-01-02T08:04:04+05:00"),
			"a clock that is behind":  created(rules.CreateEvent, 201, "2026-01-02T02:57:00Z"),
			"a clock of last year":    created(rules.CreateEvent, 201, "2025-01-02T03:04:05Z"),
			"read later":              created(rules.GetMe, 200, "2026-01-02T02:04:05Z"),
			"a connection made again": created(rules.CreateConnection, 201, "2026-01-02T02:04:05Z"),
			"UTC":                     at("created_at", `"2026-01-02T03:04:05Z"`),
			"year 0000":               at("last_login", `"0000-01-01T00:00:00Z"`),
			"fraction":                at("updated_at", `"2026-01-02T03:04:05.000001-03:30"`),
			"lower case":              at("created_at", `"2026-01-02t03:04:05z"`),
			"leap second":             at("created_at", `"2016-12-31T23:59:60Z"`),
			"a wrong type":            at("created_at", `1767322800`), // the rule about types has it
			"an event":                answered(rules.Feed, 200, `[{"id":1,"created_at":"2026-01-02T03:04:05Z"}]`),
			"a confirmation":          answered(rules.CreateConnection, 201, `{"type":"friend","confirmed_at":"2026-01-02T03:04:05Z"}`),
		},
		broken: cases{
			"no zone":        at("created_at", `"2026-01-02T03:04:05"`),
			"a space":        at("created_at", `"2026-01-02 03:04:05Z"`),
			"RFC 1123":       at("last_login", `"Fri, 02 Jan 2026 03:04:05 GMT"`),
			"a date":         at("updated_at", `"2026-01-02"`),
			"digits":         at("created_at", `"1767322800"`),
			"no colon":       at("created_at", `"2026-01-02T03:04:05+0100"`),
			"in a list":      answered(rules.MyFollows, 200, `[`+testUser+`,{"id":2,"created_at":"today"}]`),
			"a connection":   answered(rules.CreateConnection, 201, `{"type":"follow","created_at":"today"}`),
			"a confirmation": answered(rules.CreateConnection, 201, `{"type":"friend","confirmed_at":"soon"}`),
			"login's user":   answered(rules.Login, 200, `{"id":"1","last_login":"now"}`, asking("withUserDetails=true")),
		},
		irrelevant: cases{
			"a null":          at("created_at", `null`),
			"none":            answered(rules.GetMe, 200, `{"id":1}`),
			"metadata":        answered(rules.GetMe, 200, `{"id":1,"metadata":{"created_at":"yesterday"}}`),
			"a refusal":       answered(rules.GetMe, 422, `{"created_at":"wrong"}`),
			"a version entry": answered(rules.Versions, 200, `[{"version":"0.2","created_at":"once"}]`),
		},
	})
}

// created answers the request that creates something, at a moment of the answer's Date.
func created(e rules.Endpoint, status int, at string) *wire.Exchange {
	return answered(e, status, `{"id":1,"created_at":"`+at+`"}`, func(x *wire.Exchange) { x.RespHeader.Set("Date", "Fri, 02 Jan 2026 03:04:05 GMT") })
}

func TestLocalTimesUnderAnotherOffsetAreWarnedOf(t *testing.T) {
	for _, at := range []string{"2026-01-02T04:04:05.25Z", "2026-01-01T22:04:05Z", "2026-01-02T08:34:04Z", "2026-01-02T03:04:05+01:00"} {
		if f := ruled(t, "transport.timestamps", created(rules.CreateEvent, 201, at)); f.problem == "" || !f.lenient {
			t.Errorf("%s: %+v, want a warning", at, f)
		}
	}
}

func TestBlankOmitted(t *testing.T) {
	checkPassive(t, "transport.blank-omitted", passiveTable{
		kept: cases{
			"no blank":    answered(rules.GetMe, 200, testUser),
			"client maps": answered(rules.GetMe, 200, `{"id":1,"metadata":{"a":"","":""},"social_ids":{"a":""}}`),
			"a name":      answered(rules.CreateEvent, 201, `{"id":1,"object":{"id":"o","display_name":{"en":""}}}`),
			"empty maps":  answered(rules.GetMe, 200, `{"id":1,"metadata":{},"image":[]}`),
			"a space":     answered(rules.GetMe, 200, `{"id":1,"first_name":" "}`),
			"a zero":      answered(rules.CreateEvent, 201, `{"id":0,"latitude":0,"enabled":false}`),
		},
		broken: cases{
			"a user":       answered(rules.GetMe, 200, `{"id":1,"last_name":""}`),
			"in a list":    answered(rules.SearchUsers, 200, `[`+testUser+`,{"id":2,"url":""}]`),
			"a connection": answered(rules.CreateConnection, 201, `{"type":"follow","confirmed_at":""}`),
			"an event":     answered(rules.UpdateEvent, 200, `{"id":1,"language":""}`),
			"an object":    answered(rules.Feed, 200, `[{"id":1,"object":{"id":"o","type":""}}]`),
			"login's user": answered(rules.Login, 200, `{"id":"1","email":""}`, asking("withUserDetails=true")),
		},
		irrelevant: cases{
			"an empty list": answered(rules.Feed, 200, `[]`),
			"a refusal":     answered(rules.GetMe, 404, `{"message":""}`),
			"the versions":  answered(rules.Versions, 200, `[{"version":""}]`),
			"brief login":   answered(rules.Login, 200, `{"id":"1","first_name":""}`),
		},
	})
}

func TestUserTypes(t *testing.T) {
	with := func(fields string) *wire.Exchange { return answered(rules.GetMe, 200, `{"id":1,`+fields+`}`) }
	checkPassive(t, "users.types", passiveTable{
		kept: cases{
			"a user":       answered(rules.GetMe, 200, testUser),
			"a string id":  answered(rules.GetUser, 200, `{"id":"x"}`),
			"a negative":   answered(rules.GetUser, 200, `{"id":-7}`),
			"every field":  with(`"custom_id":"a","social_ids":{"x":"y"},"user_name":"a","first_name":"a","last_name":"a","email":"a","url":"a","metadata":{"a":"b"},"activated":true,"enabled":false,"last_login":"t","created_at":"t","updated_at":"t"`),
			"more fields":  with(`"score":1.5,"tags":[1]`),
			"nulls":        with(`"email":null,"metadata":{"a":null}`), // a rule of their own
			"sent so":      answered(rules.UpdateMe, 201, `{"id":1,"social_ids":["a"]}`, sending(`{"social_ids":["a"]}`)),
			"login's user": answered(rules.Login, 200, `{"id":"1","session_token":"t"}`, asking("withUserDetails=true")),
		},
		broken: cases{
			"no id":            answered(rules.GetMe, 200, `{"user_name":"ada"}`),
			"a fraction as id": answered(rules.GetMe, 200, `{"id":1.5}`),
			"an exponent":      answered(rules.GetMe, 200, `{"id":1e3}`),
			"a boolean id":     answered(rules.GetMe, 200, `{"id":true}`),
			"an object as id":  answered(rules.GetMe, 200, `{"id":{"$oid":"x"}}`),
			"activated a text": with(`"activated":"true"`),
			"enabled a number": with(`"enabled":1`),
			"custom_id number": with(`"custom_id":7`),
			"metadata a list":  with(`"metadata":[]`),
			"a number in it":   with(`"metadata":{"a":1}`),
			"social a list":    with(`"social_ids":["a"]`),
			"a unix time":      with(`"created_at":1767322800`),
			"in a list":        answered(rules.MyFriends, 200, `[`+testUser+`,{"id":2,"email":[]}]`),
			"sent otherwise":   answered(rules.CreateUser, 201, `{"id":1,"social_ids":["a"]}`, sending(`{"social_ids":{"a":"b"}}`)),
			"login's user":     answered(rules.Login, 200, `{"id":"1","enabled":"yes"}`, asking("withUserDetails=true")),
		},
		irrelevant: cases{
			"brief login": answered(rules.Login, 200, `{"id":1.5}`),
			"an error":    answered(rules.GetMe, 404, `{"id":false}`),
			"no list":     answered(rules.SearchUsers, 200, `{"users":[]}`),
			"an event":    answered(rules.CreateEvent, 201, `{"verb":1}`),
		},
	})
}

func TestImageShape(t *testing.T) {
	with := func(image string) *wire.Exchange { return answered(rules.GetMe, 200, `{"id":1,"image":`+image+`}`) }
	checkPassive(t, "users.image-shape", passiveTable{
		kept: cases{
			"no image": answered(rules.GetMe, 200, testUser), "none yet": with(`[]`), "null": with(`null`),
			"two": with(`[{"url":"a"},{"url":"b","width":3}]`),
		},
		broken: cases{
			"a text": with(`"a"`), "an object": with(`{"url":"a"}`), "texts": with(`["a"]`), "a number as url": with(`[{"url":1}]`),
			"no url": with(`[{"url":"a"},{"href":"b"}]`), "in a list": answered(rules.FriendsOf, 200, `[{"id":1},{"id":2,"image":7}]`),
		},
		irrelevant: cases{
			"an event": answered(rules.CreateEvent, 201, `{"id":1,"image":7}`), "a refusal": answered(rules.GetMe, 403, `{"image":7}`),
		},
	})
}

func TestConnectionTypes(t *testing.T) {
	checkPassive(t, "connections.types", passiveTable{
		kept: cases{
			"numbers": answered(rules.CreateConnection, 201, `{"user_from_id":1,"user_to_id":2,"type":"follow"}`),
			"texts":   answered(rules.CreateConnection, 201, `{"user_from_id":"1","user_to_id":"2","type":"friend","enabled":true,"extra":1}`),
		},
		broken: cases{
			"another type": answered(rules.CreateConnection, 201, `{"user_from_id":1,"user_to_id":2,"type":"Follow"}`),
			"no type":      answered(rules.CreateConnection, 201, `{"user_from_id":1,"user_to_id":2}`),
			"no target":    answered(rules.CreateConnection, 201, `{"user_from_id":1,"type":"follow"}`),
			"a list of id": answered(rules.CreateConnection, 201, `{"user_from_id":[1],"user_to_id":2,"type":"follow"}`),
			"enabled text": answered(rules.CreateConnection, 201, `{"user_from_id":1,"user_to_id":2,"type":"follow","enabled":"true"}`),
		},
		irrelevant: cases{
			"a refusal": answered(rules.CreateConnection, 422, `{"type":7}`), "social": answered(rules.ConnectSocial, 201, `{}`),
		},
	})
}

func TestConfirmedAt(t *testing.T) {
	checkPassive(t, "connections.confirmed-at", passiveTable{
		kept: cases{
			"a follow": answered(rules.CreateConnection, 201, `{"user_from_id":1,"user_to_id":2,"type":"follow"}`),
			"a null":   answered(rules.CreateConnection, 201, `{"type":"follow","confirmed_at":null}`), // the rule about null has it
		},
		broken: cases{
			"a time":     answered(rules.CreateConnection, 201, `{"type":"follow","confirmed_at":"2026-01-02T03:04:05Z"}`),
			"a zero one": answered(rules.CreateConnection, 200, `{"type":"follow","confirmed_at":"0000-01-01T00:00:00Z"}`),
		},
		irrelevant: cases{
			"a friend":  answered(rules.CreateConnection, 201, `{"type":"friend","confirmed_at":"2026-01-02T03:04:05Z"}`),
			"a refusal": answered(rules.CreateConnection, 409, `{"type":"follow","confirmed_at":"x"}`),
		},
	})
}

func TestEventTypes(t *testing.T) {
	with := func(fields string) *wire.Exchange { return answered(rules.UpdateEvent, 200, `{"id":1,`+fields+`}`) }
	checkPassive(t, "events.types", passiveTable{
		kept: cases{
			"every field": with(`"user_id":"1","verb":"a","language":"a","priority":"a","location":"a","latitude":-1e-9,"longitude":7,"metadata":{},"object":{"id":"o","type":"t","url":"u","display_name":{"en":"x"}},"enabled":true`),
			"a feed":      answered(rules.Feed, 200, `[{"id":"a"},{"id":12743631303647841,"x":null}]`),
		},
		broken: cases{
			"no id": answered(rules.CreateEvent, 201, `{"verb":"like"}`), "a verb": with(`"verb":7`), "latitude": with(`"latitude":"52.5"`),
			"priority": with(`"priority":1`), "object": with(`"object":"o"`), "object's id": with(`"object":{"id":7}`),
			"no object id": with(`"object":{"type":"t"}`), "names": with(`"object":{"id":"o","display_name":"x"}`),
			"a name": with(`"object":{"id":"o","display_name":{"en":1}}`), "in a feed": answered(rules.Feed, 200, `[{"id":1},{"id":2,"metadata":"x"}]`),
		},
		irrelevant: cases{
			"an empty feed": answered(rules.Feed, 200, `[]`), "a refusal": answered(rules.CreateEvent, 422, `{"verb":7}`), "a user": answered(rules.GetMe, 200, `{"verb":7}`),
		},
	})
}
