package passive

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// decodedExchange is an exchange as passive rules look at it: the body decoded once,
// the resources in it found.
type decodedExchange struct {
	*wire.Exchange
	value     any   // the decoded body
	broken    error // why there is none
	resources []resource
	mistakes  *mistakes // the judge's own, up to now
}

// resource is one object of the contract in a response.
type resource struct {
	kind   rules.Resource
	where  string // its place in the body, "" for the body itself
	record jsonvalue.Record
}

func (o *decodedExchange) decode() {
	if len(o.RespBody) == 0 {
		return
	}
	if o.value, o.broken = o.Value(); o.broken == nil && o.Status/100 == 2 {
		o.resources = resourcesIn(o.Exchange, o.value)
	}
}

// resourcesIn finds the resources of a successful response by its endpoint.
func resourcesIn(x *wire.Exchange, value any) []resource {
	answer := x.Endpoint.Answer()
	if x.Endpoint == rules.Login {
		if withDetails, _ := strconv.ParseBool(x.URL.Query().Get("withUserDetails")); withDetails {
			answer.Resource = rules.User
		}
	}
	switch answer.Resource {
	case rules.User, rules.Connection, rules.Event:
	default:
		return nil
	}
	if answer.List {
		return resourcesOf(answer.Resource, value)
	}
	return resourceAt(answer.Resource, "", value)
}

func resourcesOf(k rules.Resource, value any) []resource {
	list, _ := value.([]any)
	var found []resource
	for i, item := range list {
		found = append(found, resourceAt(k, "["+strconv.Itoa(i)+"]", item)...)
	}
	return found
}

func resourceAt(k rules.Resource, where string, value any) []resource {
	record, ok := jsonvalue.AsRecord(value)
	if !ok {
		return nil
	}
	found := []resource{{k, where, record}}
	if object, nested := jsonvalue.AsRecord(record["object"]); nested && k == rules.Event {
		found = append(found, resource{rules.Object, where + ".object", object})
	}
	return found
}

// has reports whether the response holds a resource of the kind.
func (o *decodedExchange) has(k rules.Resource) bool {
	return slices.ContainsFunc(o.resources, func(r resource) bool { return r.kind == k })
}

// sentArray reports whether the request carried the field as an array: what comes
// back for it is then the target's choice.
func (o *decodedExchange) sentArray(field string) bool {
	value, err := o.Sent()
	if err != nil {
		return false
	}
	record, _ := jsonvalue.AsRecord(value)
	_, is := record[field].([]any)
	return is
}

func (o *decodedExchange) refused() bool   { return o.Status/100 == 4 }
func (o *decodedExchange) succeeded() bool { return o.Status/100 == 2 }

// refusedBeforeService reports whether a request was refused whose URL is not one: a percent sign in it
// begins no escape. What parses HTTP in front of the service, a proxy or a library, may refuse it
// in a format of its own.
func (o *decodedExchange) refusedBeforeService() bool {
	return o.refused() && brokenEscape.MatchString(o.URL.EscapedPath()+"?"+o.URL.RawQuery)
}

// brokenEscape finds a percent sign without two hexadecimal digits (RFC 3986, section 2.1).
var brokenEscape = regexp.MustCompile(`%(?:[^0-9A-Fa-f]|.[^0-9A-Fa-f]|.?$)`)

// walk visits every object of a decoded body with its path; visit reports whether to go deeper.
func walk(value any, path string, visit func(path, key string, value any) bool) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range jsonvalue.SortedKeys(v) { // so that equal answers give equal messages
			if visit(path, key, v[key]) {
				walk(v[key], path+"."+key, visit)
			}
		}
	case []any:
		for i, item := range v {
			at := path + "[" + strconv.Itoa(i) + "]"
			if visit(at, "", item) {
				walk(item, at, visit)
			}
		}
	}
}

// clientsOwn reports whether a field's contents are the client's: their keys and values say
// nothing about the target.
func clientsOwn(key string) bool {
	return key == "metadata" || key == "social_ids" || key == "display_name"
}
