package model

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// fake is a server of the contract in memory, written apart from the model, with
// dialects and faults.
type fake struct {
	mu      sync.Mutex
	dialect dialect
	fault   string
	now     time.Time
	names   int
	users   []*fakeUser
	edges   []edge
	events  []*fakeEvent
	count   map[string]int
	sent    int
	stale   map[string]Response // by user: a feed kept from before
}

// dialect is what the fake does where the contract is silent. The zero value:
// friends at once, kinds stand, ends whole, sessions stay, kept, replaced.
type dialect struct {
	mutual, oneKind, endsHalf, single, logoutAll, updateEnds, clears, merges, unique, strict, ownEvents, friendsFollow, stringIDs bool
	conflict, noSocial, noURL, hidesEmail, wholeSeconds, backless                                                                 bool
	cap                                                                                                                           int
}

func (d dialect) choices() Choices {
	return Choices{FriendsAtOnce: tri(!d.mutual), KindsStand: tri(!d.oneKind), EndsWhole: tri(!d.endsHalf), Concurrent: tri(!d.single),
		LogoutKeeps: tri(!d.logoutAll), UpdateKeeps: tri(!d.updateEnds), KeepsUser: tri(!d.clears), KeepsEvent: tri(!d.clears),
		MergesMaps: tri(d.merges), NamesRecur: Yes, SocialConnects: tri(!d.noSocial)}
}

type fakeUser struct {
	id      int
	fields  Fields
	tokens  []string
	created time.Time
	updated time.Time
	entered time.Time // its latest login
	gone    bool
}

type edge struct {
	from, to int
	kind     string
	since    time.Time
}

type fakeEvent struct {
	id, owner        int
	fields           Fields
	created, updated time.Time
	gone             bool
}

func newFake(d dialect, fault string) *fake {
	return &fake{dialect: d, fault: fault, now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), count: map[string]int{}, stale: map[string]Response{}}
}

func (f *fake) Unique() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names++
	return "q" + strconv.FormatInt(int64(46656+f.names*7), 36)
}

func (f *fake) Password() string { return "pw" + f.Unique() }

func (f *fake) Do(_ context.Context, r Request) (Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent++
	f.now = f.now.Add(time.Millisecond)
	answer := f.serve(decoded(r.Body), r)
	answer.Evidence = fmt.Sprintf("%d %d %s", r.Endpoint, answer.Status, r.ID)
	if answer.Body != nil {
		answer.Body = decoded(answer.Body)
	}
	return answer, nil
}

func decoded(v any) any {
	if v == nil {
		return nil
	}
	literal, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	d := json.NewDecoder(strings.NewReader(string(literal)))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func refuse(status int) Response { return Response{Status: status, Body: Fields{}} }

func (f *fake) serve(body any, r Request) Response {
	fields, _ := body.(map[string]any)
	switch r.Endpoint {
	case rules.CreateUser:
		return f.create(fields)
	case rules.Login:
		return f.login(fields)
	}
	me := f.bySession(r.Session)
	if me == nil {
		return refuse(401)
	}
	id, _ := strconv.Atoi(r.ID)
	switch r.Endpoint {
	case rules.Logout:
		if f.dialect.logoutAll {
			me.tokens = nil
		}
		if f.fault == "logout keeps the session when there are two" && len(me.tokens) > 1 {
			return Response{Status: 204}
		}
		me.tokens = slices.DeleteFunc(me.tokens, func(t string) bool { return t == r.Session })
		return Response{Status: 204}
	case rules.GetMe:
		return Response{Status: 200, Body: f.user(me, me)}
	case rules.UpdateMe:
		return f.update(me, fields)
	case rules.DeleteMe:
		return f.leave(me)
	case rules.GetUser:
		if u := f.live(id); u != nil {
			return Response{Status: 200, Body: f.user(u, me)}
		}
		return refuse(404)
	case rules.SearchUsers:
		return f.search(r.Query["q"], me)
	case rules.CreateConnection:
		to, _ := strconv.Atoi(idText(fields["user_to_id"]))
		if f.live(to) == nil || to == me.id {
			return refuse(404)
		}
		return f.connect(me.id, to, fields["type"].(string))
	case rules.DeleteConnection:
		return f.disconnect(me.id, id)
	case rules.MyFollows, rules.MyFollowers, rules.MyFriends:
		return f.list(r.Endpoint, me.id, me)
	case rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		if f.live(id) == nil {
			return refuse(404)
		}
		return f.list(mine(r.Endpoint), id, me)
	case rules.ConnectSocial:
		return f.social(me, fields)
	case rules.CreateEvent:
		if f.strict(fields) {
			return refuse(422)
		}
		e := &fakeEvent{id: len(f.events) + 1000, owner: me.id, fields: fields, created: f.now, updated: f.now}
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
		return Response{Status: 201, Body: f.event(e)}
	case rules.UpdateEvent, rules.DeleteEvent:
		return f.onEvent(me, id, fields, r.Endpoint)
	case rules.Feed:
		return f.feed(me)
	}
	return refuse(404)
}

func (f *fake) bySession(token string) *fakeUser {
	for _, u := range f.users {
		if !u.gone && slices.Contains(u.tokens, token) && token != "" {
			return u
		}
	}
	return nil
}

func (f *fake) live(id int) *fakeUser {
	if id < 1 || id > len(f.users) || f.users[id-1].gone {
		return nil
	}
	return f.users[id-1]
}

func (f *fake) taken(fields Fields, but *fakeUser) bool {
	return f.dialect.unique && slices.ContainsFunc(f.users, func(u *fakeUser) bool {
		return u != but && !u.gone && u.fields["user_name"] == fields["user_name"]
	})
}

func (f *fake) strict(fields Fields) bool {
	if !f.dialect.strict {
		return false
	}
	for name, v := range fields {
		if name == "metadata" {
			continue
		}
		if s, ok := v.(string); ok && (len([]rune(s)) > 60 || strings.ContainsAny(s, "\r\n\t")) {
			return true
		}
		if o, ok := v.(map[string]any); ok && f.strict(o) {
			return true
		}
	}
	name, _ := fields["user_name"].(string)
	return strings.ContainsAny(name, "@. %/+")
}

func (f *fake) create(fields Fields) Response {
	if f.strict(fields) || f.taken(fields, nil) {
		return refuse(422)
	}
	u := &fakeUser{id: len(f.users) + 1, fields: fields, created: f.now, updated: f.now}
	f.users = append(f.users, u)
	if f.fault == "a namesake inherits the feed's events" {
		for _, former := range f.users[:len(f.users)-1] {
			if former.gone && former.fields["user_name"] == fields["user_name"] {
				former.gone = false
				former.tokens = nil
			}
		}
	}
	view := f.user(u, u)
	view["session_token"] = f.token(u)
	return Response{Status: 201, Body: view}
}

func (f *fake) token(u *fakeUser) string {
	f.names++
	token := fmt.Sprintf("token-%d-%d", u.id, f.names)
	if f.dialect.single {
		u.tokens = nil
	}
	u.tokens = append(u.tokens, token)
	u.entered = u.updated
	return token
}

func (f *fake) login(fields Fields) Response {
	for _, u := range f.users {
		if u.gone && f.fault != "deleted users log in" || u.fields["password"] != fields["password"] {
			continue
		}
		for _, by := range []string{"user_name", "email"} {
			if v, sent := fields[by]; sent && u.fields[by] == v {
				return Response{Status: 200, Body: Fields{"id": strconv.Itoa(u.id), "session_token": f.token(u)}}
			}
		}
	}
	return refuse(401)
}

func (f *fake) id(n int) any {
	if f.dialect.stringIDs {
		return strconv.Itoa(n)
	}
	return n
}

func (f *fake) time(t time.Time) string {
	if f.dialect.wholeSeconds {
		return t.Format(time.RFC3339)
	}
	return t.Format(time.RFC3339Nano)
}

func (f *fake) user(u, viewer *fakeUser) Fields {
	view := maps.Clone(u.fields)
	delete(view, "password")
	if f.dialect.hidesEmail && u != viewer {
		delete(view, "email")
	}
	view["id"], view["created_at"], view["updated_at"], view["enabled"] = f.id(u.id), f.time(u.created), f.time(u.updated), true
	if !u.entered.IsZero() {
		view["last_login"] = f.time(u.entered)
	}
	return view
}

func (f *fake) update(u *fakeUser, fields Fields) Response {
	if f.strict(fields) || f.taken(fields, u) {
		return refuse(422)
	}
	was := u.fields
	u.fields = f.renewed(u.fields, fields, "password")
	if f.fault == "a second update loses the metadata" && u.updated.After(u.created) {
		delete(u.fields, "metadata")
	}
	if f.fault == "an update goes back in time" && u.updated.After(u.created) {
		u.updated = u.created
	} else {
		u.updated = f.now
	}
	if f.fault == "the former name finds a renamed user" && was["user_name"] != fields["user_name"] {
		f.count["was "+was["user_name"].(string)] = u.id
	}
	if f.dialect.updateEnds {
		u.tokens = nil
	}
	return Response{Status: 201, Body: f.user(u, u)}
}

func (f *fake) renewed(was, fields Fields, keep string) Fields {
	now := Fields{}
	if !f.dialect.clears {
		now = maps.Clone(was)
	} else if v, there := was[keep]; there {
		now[keep] = v
	}
	for name, v := range fields {
		older, isMap := was[name].(map[string]any)
		newer, _ := v.(map[string]any)
		if isMap && f.dialect.merges && name != "object" {
			v = merged(older, newer)
		}
		now[name] = v
	}
	return now
}

func (f *fake) leave(u *fakeUser) Response {
	if f.fault == "a purge misses friends who followed first" {
		for _, e := range f.edges {
			if e.kind == "friend" && e.to == u.id && f.has(e.from, u.id, "follow") {
				f.stale[fmt.Sprintf("%d-%d", e.from, u.id)] = Response{Status: 1}
			}
		}
	}
	if f.fault == "a purge misses who followed again" {
		for _, e := range f.edges {
			if e.to == u.id && f.count[fmt.Sprintf("follow %d %d", e.from, u.id)] > 1 {
				f.stale[fmt.Sprintf("%d-%d", e.from, u.id)] = Response{Status: 1}
			}
		}
	}
	u.gone = true
	if f.fault == "deleted users stay among followers of the followed" {
		return Response{Status: 204}
	}
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return e.from == u.id || e.to == u.id })
	return Response{Status: 204}
}

func (f *fake) search(term string, me *fakeUser) Response {
	found := []any{}
	for _, u := range f.users {
		hit := false
		for was, id := range f.count {
			hit = hit || id == u.id && strings.HasPrefix(was, "was "+term)
		}
		for _, field := range []string{"user_name", "first_name", "last_name", "email"} {
			v, _ := u.fields[field].(string)
			hit = hit || strings.Contains(strings.ToLower(v), strings.ToLower(term))
		}
		if hit && !u.gone {
			found = append(found, f.user(u, me))
		}
	}
	return Response{Status: 200, Body: found}
}

func (f *fake) has(from, to int, kind string) bool {
	return slices.ContainsFunc(f.edges, func(e edge) bool { return e.from == from && e.to == to && e.kind == kind })
}

func (f *fake) drop(from, to int, kinds ...string) int {
	before := len(f.edges)
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return e.from == from && e.to == to && slices.Contains(kinds, e.kind) })
	return before - len(f.edges)
}

func (f *fake) friends(a, b int) bool {
	if f.dialect.mutual {
		return f.has(a, b, "friend") && f.has(b, a, "friend")
	}
	return f.has(a, b, "friend") || f.has(b, a, "friend")
}

func (f *fake) connect(from, to int, kind string) Response {
	view := Fields{"user_from_id": f.id(from), "user_to_id": f.id(to), "type": kind, "enabled": true}
	if f.has(from, to, kind) || kind == "friend" && f.dialect.conflict && !f.dialect.mutual && f.has(to, from, kind) {
		if f.dialect.conflict {
			return refuse(409)
		}
		return Response{Status: 201, Body: view}
	}
	if f.dialect.oneKind {
		f.drop(from, to, "follow", "friend")
	}
	key := fmt.Sprintf("%s %d %d", kind, from, to)
	f.count[key]++
	if f.fault == "a third follow is forgotten" && f.count[key] == 3 {
		return Response{Status: 201, Body: view}
	}
	f.edges = append(f.edges, edge{from, to, kind, f.now})
	return Response{Status: 201, Body: view}
}

func (f *fake) disconnect(from, to int) Response {
	if f.fault == "the followed can end a follow" && f.drop(to, from, "follow") > 0 {
		return Response{Status: 204}
	}
	kinds := []string{"follow", "friend"}
	if f.fault == "an end leaves the friend where both kinds stand" && f.has(from, to, "follow") && f.has(from, to, "friend") {
		kinds = kinds[:1]
	}
	n := f.drop(from, to, kinds...)
	if !f.dialect.endsHalf {
		n += f.drop(to, from, kinds[1:]...)
	}
	if n == 0 {
		return refuse(404)
	}
	if f.fault == "the feed is stale after a refollow" && f.count[fmt.Sprintf("follow %d %d", from, to)] > 1 {
		f.stale[fmt.Sprintf("%d-%d", from, to)] = Response{Status: 1}
	}
	return Response{Status: 204}
}

func (f *fake) social(me *fakeUser, fields Fields) Response {
	if f.dialect.noSocial {
		return Response{Status: 201, Body: Fields{}}
	}
	for _, u := range f.users {
		ids, _ := u.fields["social_ids"].(map[string]any)
		for _, id := range fields["connection_ids"].([]any) {
			if !u.gone && u != me && same(ids[fields["platform"].(string)], id) {
				f.connect(me.id, u.id, fields["type"].(string))
			}
		}
	}
	return Response{Status: 201, Body: Fields{}}
}

func (f *fake) list(at rules.Endpoint, owner int, me *fakeUser) Response {
	found := []any{}
	for _, u := range f.users {
		shown := false
		switch at {
		case rules.MyFollows:
			shown = f.has(owner, u.id, "follow") || f.dialect.friendsFollow && f.friends(owner, u.id)
		case rules.MyFollowers:
			shown = f.has(u.id, owner, "follow") || f.dialect.friendsFollow && f.friends(owner, u.id)
		case rules.MyFriends:
			shown = f.friends(owner, u.id)
		}
		if shown && (!u.gone || f.fault == "deleted users stay among followers of the followed" && at == rules.MyFollowers) {
			found = append(found, f.user(u, me))
		}
	}
	if f.fault == "a list ends one short of twenty" && len(found) >= 20 {
		found = found[:19]
	}
	if c := f.dialect.cap; c > 0 && len(found) > c {
		found = found[:c]
	}
	return Response{Status: 200, Body: found}
}

func (f *fake) event(e *fakeEvent) Fields {
	view := maps.Clone(e.fields)
	if o, ok := view["object"].(map[string]any); ok && f.dialect.noURL {
		o = maps.Clone(o)
		delete(o, "url")
		view["object"] = o
	}
	view["id"], view["user_id"], view["enabled"] = f.id(e.id), f.id(e.owner), true
	view["created_at"], view["updated_at"] = f.time(e.created), f.time(e.updated)
	return view
}

func (f *fake) onEvent(me *fakeUser, id int, fields Fields, at rules.Endpoint) Response {
	if id < 1000 || id >= 1000+len(f.events) || f.events[id-1000].gone || f.live(f.events[id-1000].owner) == nil {
		return refuse(404)
	}
	e := f.events[id-1000]
	if e.owner != me.id {
		if f.fault == "a friend may change an event" && at == rules.UpdateEvent && f.friends(me.id, e.owner) {
			e.fields = f.renewed(e.fields, fields, "verb")
		}
		return refuse(403)
	}
	if at == rules.DeleteEvent {
		if f.fault == "a changed event cannot be taken from feeds" && e.updated.After(e.created) {
			f.stale["event "+strconv.Itoa(e.id)] = Response{Status: 1}
		}
		e.gone = true
		return Response{Status: 204}
	}
	if f.strict(fields) {
		return refuse(422)
	}
	loses := f.fault == "an update of the verb alone loses the metadata" && len(fields) == 1 && fields["verb"] != nil
	e.fields, e.updated = f.renewed(e.fields, fields, "verb"), f.now
	answer := Response{Status: 200, Body: f.event(e)}
	if loses {
		delete(e.fields, "metadata")
	}
	if f.fault == "the second change is not in feeds" {
		if f.count["changes "+strconv.Itoa(e.id)]++; f.count["changes "+strconv.Itoa(e.id)] == 1 {
			f.stale["shown "+strconv.Itoa(e.id)] = Response{Body: f.event(e)}
		}
	}
	return answer
}

func (f *fake) feed(me *fakeUser) Response {
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
			view = was.Body.(Fields)
		}
		views = append(views, view)
	}
	f.count["feeds"]++
	return Response{Status: 200, Body: views}
}

// later reports whether an event came after the friendship.
func (f *fake) later(reader int, e *fakeEvent) bool {
	return slices.ContainsFunc(f.edges, func(d edge) bool {
		return d.kind == "friend" && (d.from == reader && d.to == e.owner || d.to == reader && d.from == e.owner) && d.since.Before(e.created)
	})
}

// gridTarget refuses every input with a defect, or takes them all.
type gridTarget struct {
	*fake
	lenient bool
}

func (g *gridTarget) Do(ctx context.Context, r Request) (Response, error) {
	if r.Raw != "" || mistyped(r.Body) || lacking(r) {
		if g.lenient {
			return Response{Status: 201, Body: Fields{"id": json.Number("1")}}, nil
		}
		return refuse(422), nil
	}
	return g.fake.Do(ctx, r)
}

// mistyped reports whether a body is one of the grid's: every text in it is where
// a text belongs, and the like.
func mistyped(body any) bool {
	fields, _ := body.(map[string]any)
	for name, v := range fields {
		switch v := v.(type) {
		case string:
			if slices.Contains([]string{"latitude", "longitude", "metadata", "object", "social_ids", "connection_ids"}, name) {
				return true
			}
		case map[string]any:
			if !slices.Contains([]string{"metadata", "object", "social_ids"}, name) {
				return true
			}
			for inner, each := range v {
				_, text := each.(string)
				names, isMap := each.(map[string]any)
				if inner == "display_name" && (!isMap || mistypedTexts(names)) || inner != "display_name" && !text {
					return true
				}
			}
		case []any:
			if name != "connection_ids" || mistypedList(v) {
				return true
			}
		case json.Number, int:
			if !slices.Contains([]string{"latitude", "longitude", "user_to_id"}, name) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func mistypedTexts(o Fields) bool {
	for _, v := range o {
		if _, text := v.(string); !text {
			return true
		}
	}
	return false
}

func mistypedList(list []any) bool {
	return slices.ContainsFunc(list, func(v any) bool { _, text := v.(string); return !text })
}

// lacking reports whether a request lacks what its endpoint requires, or has too much.
func lacking(r Request) bool {
	fields, _ := r.Body.(map[string]any)
	for name := range required(r.Endpoint) {
		if _, there := fields[name]; !there {
			return true
		}
	}
	metadata, _ := fields["metadata"].(map[string]any)
	for key, v := range metadata {
		if s, _ := v.(string); len([]rune(key)) > 40 || len([]rune(s)) > 500 {
			return true
		}
	}
	if object, there := fields["object"].(map[string]any); there && object["id"] == nil {
		return true
	}
	kind, _ := fields["type"].(string)
	return len(metadata) > 10 || kind != "" && kind != "follow" && kind != "friend"
}
