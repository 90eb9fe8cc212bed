package play

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

func (f *fake) post(me *fakeUser, fields value.Fields) exchange.Response {
	if f.strict(fields) || fields["verb"] == nil {
		return refuse(422)
	}
	e := &fakeEvent{id: f.base + len(f.events) + 1000, owner: me.id, fields: fields, created: f.now, updated: f.now}
	if f.fault == "an event's metadata with digits becomes blank" {
		if m, ok := fields["metadata"].(map[string]any); ok && m["size"] != nil {
			delete(m, "size")
		}
	}
	if f.fault == "a priority of zero is lost" && fields["priority"] == "0" {
		delete(fields, "priority")
	}
	if f.fault == "a latitude of zero is lost" && fmt.Sprint(fields["latitude"]) == "0" {
		delete(fields, "latitude")
	}
	f.events = append(f.events, e)
	if f.fault == "a third event is stored twice" && len(f.events)%3 == 0 {
		again := *e
		again.id++
		f.events = append(f.events, &again)
	}
	return exchange.Response{Status: 201, Body: f.event(e)}
}

func (f *fake) event(e *fakeEvent) value.Fields {
	view := maps.Clone(e.fields)
	if o, ok := view["object"].(map[string]any); ok && f.dialect.noURL {
		o = maps.Clone(o)
		delete(o, "url")
		view["object"] = o
	}
	if f.dialect.omitsZeros {
		maps.DeleteFunc(view, func(name string, v any) bool {
			return strings.HasSuffix(name, "itude") && value.Same(v, json.Number("0"))
		})
	}
	if f.dialect.fillsIn {
		view = value.Merge(value.Fields{"language": "en", "priority": "normal"}, view)
	}
	view["id"], view["user_id"], view["enabled"] = f.id(e.id), f.id(e.owner), true
	view["created_at"], view["updated_at"] = f.time(e.created), f.time(e.updated)
	return view
}

// unknown answers a request for what is not there: to delete it is done, on some.
func (f *fake) unknown(at rules.Endpoint) exchange.Response {
	if f.dialect.unknownIsGone && at.Method() == http.MethodDelete {
		return exchange.Response{Status: 204}
	}
	return refuse(404)
}

func (f *fake) onEvent(me *fakeUser, id int, fields value.Fields, at rules.Endpoint) exchange.Response {
	which := id - f.base - 1000
	if which < 0 || which >= len(f.events) || f.events[which].gone || f.live(f.events[which].owner) == nil {
		return f.unknown(at)
	}
	e := f.events[which]
	if e.owner != me.id {
		if f.fault == "a friend may change an event" && at == rules.UpdateEvent && f.friends(me.id, e.owner) {
			e.fields = f.renewed(e.fields, fields, "verb")
		}
		return refuse(403)
	}
	if at == rules.DeleteEvent {
		if f.fault == "a changed event cannot be taken from feeds" && e.updated.After(e.created) {
			f.stale["event "+strconv.Itoa(e.id)] = exchange.Response{Status: 1}
		}
		e.gone = true
		return exchange.Response{Status: 204}
	}
	if f.strict(fields) {
		return refuse(422)
	}
	loses := f.fault == "an update of the verb alone loses the metadata" && len(fields) == 1 && fields["verb"] != nil
	e.fields, e.updated = f.renewed(e.fields, fields, "verb"), f.now
	answer := exchange.Response{Status: 200, Body: f.event(e)}
	if loses {
		delete(e.fields, "metadata")
	}
	if f.fault == "the second change is not in feeds" {
		if f.count["changes "+strconv.Itoa(e.id)]++; f.count["changes "+strconv.Itoa(e.id)] == 1 {
			f.stale["shown "+strconv.Itoa(e.id)] = exchange.Response{Body: f.event(e)}
		}
	}
	return answer
}

func (f *fake) feed(me *fakeUser) exchange.Response {
	var shown []*fakeEvent
	for _, e := range f.events {
		_, stale := f.stale[fmt.Sprintf("%d-%d", me.id, e.owner)]
		_, left := f.stale["event "+strconv.Itoa(e.id)]
		connected := f.has(me.id, e.owner, "follow") || f.friends(me.id, e.owner) && (!f.dialect.backless || f.later(me.id, e)) || f.dialect.ownEvents && e.owner == me.id
		if (connected && !e.gone && f.live(e.owner) != nil) || stale && !e.gone || left && connected {
			shown = append(shown, e)
		}
	}
	sort.SliceStable(shown, func(i, j int) bool { return shown[i].created.After(shown[j].created) })
	shown = slices.DeleteFunc(shown, func(e *fakeEvent) bool {
		follows := func(d edge) bool {
			return d.kind == "follow" && d.from == me.id && d.to == e.owner && d.since.After(e.created)
		}
		_, taken := f.stale["taken "+strconv.Itoa(e.id)]
		return taken || f.fault == "a feed shows one user's events" && e.owner != shown[0].owner || f.fault == "events of before a follow are not in feeds" && slices.ContainsFunc(f.edges, follows) ||
			f.fault == "a user's first event is in no feed" && e == f.events[slices.IndexFunc(f.events, func(each *fakeEvent) bool { return each.owner == e.owner })]
	})
	if f.fault == "the feed ends one short of twenty" && len(shown) >= 20 {
		shown = shown[:19]
	}
	if c := f.dialect.cap; c > 0 && len(shown) > c {
		shown = shown[:c]
	}
	views := []any{}
	for _, e := range shown {
		view := f.event(e)
		if was, there := f.stale["shown "+strconv.Itoa(e.id)]; there {
			view = was.Body.(value.Fields)
		}
		views = append(views, view)
	}
	f.count["feeds"]++
	return exchange.Response{Status: 200, Body: views}
}

// later reports whether an event came after the friendship.
func (f *fake) later(reader int, e *fakeEvent) bool {
	return slices.ContainsFunc(f.edges, func(d edge) bool {
		return d.kind == "friend" && (d.from == reader && d.to == e.owner || d.to == reader && d.from == e.owner) && d.since.Before(e.created)
	})
}
