package main

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/rules"
)

// tolerance is a rule that a client can live with one of the service's choices, and the
// exchanges by which it met the choice.
type tolerance struct {
	rule  string // without its prefix client.tolerates.
	shows shows
}

// shows reports whether an exchange shows the choice.
type shows func(e rules.Endpoint, x *clients.Exchange) bool

// tolerances are those of every choice that a dialect makes, by the choice's name.
func tolerances() map[string]tolerance {
	all := map[string]tolerance{}
	for _, some := range []map[string]tolerance{toleratedForms(), toleratedRefusals(), toleratedConnections(), toleratedContents()} {
		maps.Copy(all, some)
	}
	return all
}

// showLists are the endpoints that answer lists of users.
func showLists() []rules.Endpoint {
	return []rules.Endpoint{rules.SearchUsers, rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf}
}

// showUsers are the endpoints that answer users, one or many.
func showUsers() []rules.Endpoint {
	return append(showLists(), rules.CreateUser, rules.Login, rules.GetMe, rules.UpdateMe, rules.GetUser)
}

// showEvents are the endpoints that answer events, one or many.
func showEvents() []rules.Endpoint {
	return []rules.Endpoint{rules.CreateEvent, rules.UpdateEvent, rules.Feed}
}

// toleratedForms are the rules about forms of values in responses.
func toleratedForms() map[string]tolerance {
	resources := slices.Concat(showUsers(), showEvents(), []rules.Endpoint{rules.CreateConnection})
	return map[string]tolerance{
		"user-ids":          {"ids", succeeds(showUsers()...)},
		"event-ids":         {"ids", succeeds(showEvents()...)},
		"string-references": {"ids-mixed", succeeds(rules.CreateConnection, rules.CreateEvent, rules.Feed)},

		"times":                  {"times", succeeds(resources...)},
		"send-empty-collections": {"blanks", succeeds(resources...)},
		"send-image":             {"blanks", succeeds(showUsers()...)},
		"omit-unset-last-login":  {"blanks", succeeds(rules.CreateUser)},
		"clock-skew":             {"times", succeeds(resources...)},
		"trim-texts":             {"text", succeeds(rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent)},
		"lower-case-emails":      {"text", sends("email", rules.CreateUser, rules.UpdateMe)},
		"entity-tags":            {"text", succeeds(rules.GetMe, rules.GetUser, rules.Feed)},
		"compose-text":           {"text", succeeds(rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent)},
		"content-type-charset":   {"text", answers()},
		"further-fields":         {"extra-fields", succeeds(resources...)},
	}
}

// toleratedRefusals are the rules about requests that may be refused, and how.
func toleratedRefusals() map[string]tolerance {
	return map[string]tolerance{
		"refuse-unknown-fields":    {"strict-input", succeeds(rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.CreateConnection)},
		"refuse-server-fields":     {"strict-input", succeeds(rules.CreateUser, rules.UpdateMe, rules.CreateEvent)},
		"refuse-activated-boolean": {"strict-input", sends("activated", rules.CreateUser, rules.UpdateMe)},
		"refuse-social-ids-array":  {"strict-input", sends("social_ids", rules.CreateUser, rules.UpdateMe)},
		"text-bytes":               {"strict-input", answers(rules.CreateUser, rules.UpdateMe, rules.CreateEvent, rules.UpdateEvent)},
		"require-accept":           {"strict-input", answers()},
		"require-credentials":      {"strict-input", answers(rules.CreateUser, rules.UpdateMe)},
		"blank-query":              {"strict-input", without("q=", rules.SearchUsers)},
		"missing-query":            {"strict-input", without("q=", rules.SearchUsers)},

		"minimal-errors":          {"errors", refuses()},
		"required-status":         {"errors", refuses(400, 422)},
		"non-object-status":       {"errors", refuses(400, 422)},
		"user-agent-status":       {"errors", refuses(400, 403)},
		"others-event-status":     {"errors", refuses(403, 404)},
		"disabled-version-status": {"errors", refuses(404, 410)},
	}
}

// toleratedConnections are the rules about unique users, and connections between two users.
func toleratedConnections() map[string]tolerance {
	return map[string]tolerance{
		"unique-user-names":   {"unique", answers(rules.CreateUser, rules.UpdateMe)},
		"reserve-user-names":  {"unique", answers(rules.CreateUser, rules.UpdateMe)},
		"unique-emails":       {"unique", sends("email", rules.CreateUser, rules.UpdateMe)},
		"unique-custom-ids":   {"unique", sends("custom_id", rules.CreateUser, rules.UpdateMe)},
		"missing-type":        {"connections", answers(rules.CreateConnection)},
		"duplicate-status":    {"connections", answers(rules.CreateConnection)},
		"allow-self":          {"connections", answers(rules.CreateConnection)},
		"second-kind":         {"connections", answers(rules.CreateConnection)},
		"keep-platform-id":    {"connections", succeeds(rules.ConnectSocial)},
		"mutual-friends":      {"friends", sends("friend", rules.CreateConnection, rules.ConnectSocial)},
		"reciprocal-conflict": {"friends", sends("friend", rules.CreateConnection, rules.ConnectSocial)},
		"friends-follow":      {"friends", sends("friend", rules.CreateConnection, rules.ConnectSocial)},
	}
}

// toleratedContents are the rules about the contents of lists, updates, sessions and versions.
func toleratedContents() map[string]tolerance {
	return map[string]tolerance{
		"lag":                  {"lag", succeeds(slices.Concat(showLists(), []rules.Endpoint{rules.Feed})...)},
		"records-lag":          {"lag", succeeds(rules.GetUser, rules.GetMe)},
		"list-length":          {"lists", succeeds(slices.Concat(showLists(), []rules.Endpoint{rules.Feed})...)},
		"feed-length":          {"lists", succeeds(rules.Feed)},
		"own-events":           {"lists", succeeds(rules.Feed)},
		"hide-profile":         {"lists", succeeds(slices.Concat(showLists(), []rules.Endpoint{rules.GetUser})...)},
		"profile-to-connected": {"lists", succeeds(slices.Concat(showLists(), []rules.Endpoint{rules.GetUser})...)},
		"hide-email":           {"lists", succeeds(slices.Concat(showLists(), []rules.Endpoint{rules.GetUser})...)},
		"omit-object-url":      {"lists", succeeds(showEvents()...)},
		"omit-zeros":           {"blanks", succeeds(showEvents()...)},
		"fill-in-events":       {"blanks", succeeds(showEvents()...)},
		"exclude-self":         {"lists", succeeds(rules.SearchUsers)},

		"merge-maps":                 {"updates", succeeds(rules.UpdateMe, rules.UpdateEvent)},
		"clear-omitted-user-fields":  {"updates", succeeds(rules.UpdateMe)},
		"clear-omitted-event-fields": {"updates", succeeds(rules.UpdateEvent)},
		"clear-omitted-places":       {"updates", succeeds(rules.UpdateMe, rules.UpdateEvent)},
		"refuse-former-passwords":    {"updates", answers(rules.UpdateMe)},

		"single-session":    {"sessions", succeeds(rules.Login)},
		"sessions-per-user": {"sessions", succeeds(rules.Login)},
		"session-lifetime":  {"sessions", succeeds(rules.Login, rules.GetMe)},
		"sessions-end":      {"sessions", succeeds(rules.UpdateMe)},
		"logout-everywhere": {"sessions", succeeds(rules.Logout)},

		"versions-credentials": {"versions", answers(rules.Versions)},
		"followed-path":        {"versions", asks("/followed")},
		"users-events-path":    {"versions", asks("/users/events")},
		"rate-scope":           {"rate-headers", answers()},
		"rate-headers":         {"rate-headers", answers()},
	}
}

// ruleOf is the rule that a client can live with a choice of this value.
func ruleOf(name, value string) string {
	suffix := tolerances()[name].rule
	if suffix == "ids" {
		suffix += "-" + value
	}
	return "client.tolerates." + suffix
}

// at reports whether the endpoint is one of these; none stand for all.
func at(e rules.Endpoint, of []rules.Endpoint) bool { return len(of) == 0 || slices.Contains(of, e) }

func answers(of ...rules.Endpoint) shows {
	return func(e rules.Endpoint, x *clients.Exchange) bool { return at(e, of) && x.Status > 0 }
}

func succeeds(of ...rules.Endpoint) shows {
	return func(e rules.Endpoint, x *clients.Exchange) bool { return at(e, of) && x.Status/100 == 2 }
}

func refuses(statuses ...int) shows {
	return func(_ rules.Endpoint, x *clients.Exchange) bool {
		return x.Status/100 == 4 && (len(statuses) == 0 || slices.Contains(statuses, x.Status))
	}
}

func sends(text string, of ...rules.Endpoint) shows {
	return func(e rules.Endpoint, x *clients.Exchange) bool {
		return at(e, of) && strings.Contains(string(x.Body), text)
	}
}

// asks is shown by a request whose path has this suffix.
func asks(suffix string) shows {
	return func(_ rules.Endpoint, x *clients.Exchange) bool {
		path, _, _ := strings.Cut(x.Target, "?")
		return strings.HasSuffix(path, suffix)
	}
}

func without(parameter string, of ...rules.Endpoint) shows {
	return func(e rules.Endpoint, x *clients.Exchange) bool {
		_, query, _ := strings.Cut(x.Target, "?")
		value, given := strings.CutPrefix(query, parameter)
		return at(e, of) && (!given || value == "" || value[0] == '&')
	}
}

func acceptsGzip(_ rules.Endpoint, x *clients.Exchange) bool {
	return takesGzip(x.Header) && len(x.RespBody) > 0
}

func takesGzip(h http.Header) bool { return strings.Contains(h.Get("Accept-Encoding"), "gzip") }
