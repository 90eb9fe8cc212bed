package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// mine is the list of one's own that shows the same as a list of a user, for rules
// that are booked there.
func mine(at rules.Endpoint) rules.Endpoint {
	if at >= rules.FollowsOf {
		return at - rules.FollowsOf + rules.MyFollows
	}
	return at
}

// listed reports whether a user is in a list of another's. Whether friends count
// as followed and followers is open.
func (w *World) listed(at rules.Endpoint, owner, other int) Tri {
	if !w.users[other].lives() || !w.users[owner].lives() || owner == other {
		return No
	}
	p := pair{owner, other}
	switch mine(at) {
	case rules.MyFollows:
		return orOpen(w.relation(p).follow, w.friends(p))
	case rules.MyFollowers:
		return orOpen(w.relation(p.reversed()).follow, w.friends(p))
	}
	return w.friends(p)
}

func orOpen(t, friends Tri) Tri {
	if t == No && friends != No {
		return Unknown
	}
	return t
}

// judgeList compares a list of users with the world.
func (w *World) judgeList(v view, r Response) []Difference {
	if !w.users[v.owner].lives() {
		if r.Refused() {
			return nil
		}
		return []Difference{{Rule: "connections.lists.unknown-user", At: v.at, Expected: "a refusal for a deleted user", Actual: r.show(), key: v.entry("")}}
	}
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		rule, at := listRule(v.at)
		if w.listsNobody(v) {
			rule, at = "connections.lists.empty", v.at
		}
		return []Difference{{Rule: rule, At: at, Expected: "200 and an array of users", Actual: r.show(), key: v.entry("")}}
	}
	var found []Difference
	var shown []int
	for _, o := range objects {
		id := idText(o["id"])
		who, known := w.userByID(id)
		switch {
		case !known:
			rule, at := listRule(v.at)
			if slices.ContainsFunc(w.users, func(u *user) bool { return same(o["user_name"], u.name) }) {
				rule, at = "users.id-stable", v.at
			}
			found = append(found, Difference{Rule: rule, At: at, key: v.entry(id), Expected: "connected users alone", Actual: "user " + id})
		case slices.Contains(shown, who):
			rule, at := listRule(v.at)
			found = append(found, Difference{Rule: rule, At: at, key: v.entry("twice " + id), Expected: "user " + id + " once", Actual: "it stands there twice"})
		case w.listed(v.at, v.owner, who) == No:
			found = append(found, w.extraUser(v, who))
		default:
			found = append(found, w.staleUser(v, who, o)...)
		}
		shown = append(shown, who)
	}
	for who, u := range w.users {
		if w.listed(v.at, v.owner, who) == Yes && !slices.Contains(shown, who) && len(objects) < promisedLength {
			rule, at := w.missingUserRule(v, who)
			found = append(found, Difference{Rule: rule, At: at, symptom: "missing from " + listName(v.at), key: v.entry(idText(u.id)),
				Expected: fmt.Sprintf("user %d in the %s of user %d", who, listName(v.at), v.owner),
				Actual:   fmt.Sprintf("a list of %d users without it", len(objects))})
		}
	}
	return found
}

// listsNobody reports whether a list must be empty.
func (w *World) listsNobody(v view) bool {
	for who := range w.users {
		if w.listed(v.at, v.owner, who) != No {
			return false
		}
	}
	return true
}

func listName(at rules.Endpoint) string {
	return map[rules.Endpoint]string{rules.MyFollows: "follows", rules.MyFollowers: "followers", rules.MyFriends: "friends"}[mine(at)]
}

func listRule(at rules.Endpoint) (string, rules.Endpoint) {
	if at >= rules.FollowsOf {
		return "connections.lists.of-user", at
	}
	return "connections.lists." + listName(at), at
}

func (w *World) extraUser(v view, who int) Difference {
	d := Difference{symptom: "there among " + listName(v.at), key: v.entry(idText(w.users[who].id)),
		Expected: fmt.Sprintf("no user %d in the %s of user %d", who, listName(v.at), v.owner), Actual: "the user is there"}
	there, back := w.relation(pair{v.owner, who}), w.relation(pair{who, v.owner})
	ended := max(there.ended, back.ended)
	d.Rule, d.At = listRule(v.at)
	switch {
	case !w.users[who].lives():
		d.Rule, d.At = "connections.lists.after-user-delete", mine(v.at)
	case ended > 0:
		d.Rule, d.At = "connections.delete.removes", rules.DeleteConnection
	case there.follow == Yes || back.follow == Yes:
		d.Rule, d.At = "connections.lists.one-way", mine(v.at)
	}
	return d
}

// missingUserRule blames a user whom a list lacks: on what happened since it was
// seen there, or on the list.
func (w *World) missingUserRule(v view, who int) (string, rules.Endpoint) {
	p := pair{v.owner, who}
	there, back := w.relation(p), w.relation(p.reversed())
	if there.follow == Yes && w.endedByOther(p, there.followed) || back.follow == Yes && w.endedByOther(p.reversed(), back.followed) {
		return "connections.delete.only-own", rules.DeleteConnection
	}
	if last := w.seen[v.entry(idText(w.users[who].id))]; last > max(there.ended, back.ended, 0) {
		for _, h := range slices.Backward(w.since(last - 1)) {
			switch {
			case h.kind == Leave:
				return "connections.lists.after-user-delete", mine(v.at)
			case h.kind == End:
				return "connections.delete.removes", rules.DeleteConnection
			}
		}
	}
	switch {
	case there.bySocial || back.bySocial:
		return "social.connects", rules.ConnectSocial
	case mine(v.at) == rules.MyFriends && there.asked == Yes && back.asked == Yes && v.at == rules.MyFriends:
		return "connections.friends.mutual", rules.CreateConnection
	}
	return listRule(v.at)
}

// staleUser compares what a list tells of a user with the user. What it does not
// tell is no difference: a list may tell less.
func (w *World) staleUser(v view, who int, o Fields) []Difference {
	u := w.users[who]
	for name, want := range u.fields {
		got := valueOf(o, name)
		if want.or(absent{}).allows(got) {
			continue
		}
		rule, at := "users.me.update.applies", rules.UpdateMe
		if u.changed == 0 {
			rule, at = listRule(v.at)
		}
		return []Difference{{Rule: rule, At: at, key: v.entry("stale " + idText(u.id)),
			Expected: fmt.Sprintf("user %d with %s %s in the %s of user %d", who, name, want.show(), listName(v.at), v.owner),
			Actual:   showValue(got)}}
	}
	return nil
}

// judgeUser compares a user as it or another sees it with the world.
func (w *World) judgeUser(v view, r Response) []Difference {
	u := w.users[v.owner]
	if v.at == rules.GetMe && v.session >= 0 {
		return w.judgeSession(v, r)
	}
	if !u.lives() {
		if r.Refused() {
			return nil
		}
		return []Difference{{Rule: "users.me.delete.gone", At: rules.DeleteMe, key: v.entry(""),
			Expected: fmt.Sprintf("404 for user %d, which was deleted", v.owner), Actual: r.show()}}
	}
	rule, at := "users.me.get", rules.GetMe
	if v.at == rules.GetUser {
		rule, at = "users.get.other", rules.GetUser
	}
	o := r.object()
	if r.Status == 200 && same(o["user_name"], u.name) && idText(o["id"]) != idText(u.id) {
		rule = "users.id-stable"
	}
	if r.Status != 200 || idText(o["id"]) != idText(u.id) {
		return []Difference{{Rule: rule, At: at, key: v.entry(""), Expected: fmt.Sprintf("200 and user %s", idText(u.id)), Actual: r.show()}}
	}
	var found []Difference
	for name, want := range u.fields {
		if name == "email" && v.at == rules.GetUser {
			want = want.or(absent{}) // whether others see it is open
		}
		got := valueOf(o, name)
		if want.allows(got) {
			continue
		}
		switch {
		case got == hauntedValue:
			rule, at = "auth.no-effect", rules.UpdateMe
		case u.changed > 0:
			rule, at = unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
		default:
			rule, at = unicodeRule(want, got, v.at, rule)
		}
		found = append(found, Difference{Rule: rule, At: at, key: v.entry(name),
			Expected: fmt.Sprintf("user %d with %s %s", v.owner, name, want.show()), Actual: showValue(got)})
	}
	return append(found, w.judgeTimes(v, u, o)...)
}

func (w *World) judgeTimes(v view, u *user, o Fields) []Difference {
	var found []Difference
	if !sameInstant(o["created_at"], u.created) {
		found = append(found, Difference{Rule: "users.me.update.keeps-identity", At: rules.UpdateMe, key: v.entry("created_at"),
			Expected: "created_at " + showValue(u.created), Actual: showValue(valueOf(o, "created_at"))})
	}
	was, okWas := instant(u.updated)
	now, okNow := instant(o["updated_at"])
	if okWas && okNow && now.Before(was) {
		found = append(found, Difference{Rule: "users.me.update.updated-at", At: rules.UpdateMe, key: v.entry("updated_at"),
			Expected: "updated_at " + showValue(u.updated) + " or later", Actual: showValue(o["updated_at"])})
	}
	if at, ok := instant(o["last_login"]); v.at == rules.GetMe && u.entered && (!ok || at.Year() <= 1) {
		found = append(found, Difference{Rule: "sessions.login.last-login", At: rules.GetMe, key: v.entry("last_login"),
			Expected: "last_login as the time of a login", Actual: showValue(valueOf(o, "last_login"))})
	}
	return found
}

// unicodeRule is the rule about text that comes back, where a text with more than
// ASCII came back as something like it; else it is the other rule.
func unicodeRule(want lawful, got any, at rules.Endpoint, otherwise string) (string, rules.Endpoint) {
	switch at {
	case rules.CreateUser, rules.GetMe, rules.UpdateMe, rules.CreateEvent:
		if slices.ContainsFunc(want, func(v any) bool { return garbled(v, got) }) {
			return "transport.unicode-roundtrip", at
		}
	}
	return otherwise, at
}

// garbled reports whether a text, or what holds texts, looks like what has become
// of another that has more than ASCII in it.
func garbled(want, got any) bool {
	from, to := asText(want), asText(got)
	kept := asciiOf(from)
	if kept == from || to == "" {
		return false
	}
	return to == kept || (asciiOf(to) != to || strings.Contains(to, "?")) && within(kept, to)
}

// asText is a text, or the JSON of what holds texts.
func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if _, ok := v.(map[string]any); !ok {
		return ""
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return ""
	}
	return b.String()
}

func ascii(s string) bool { return asciiOf(s) == s }

func asciiOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s)
}

// within reports whether the letters of one text stand in another in their order.
func within(letters, text string) bool {
	for _, r := range letters {
		i := strings.IndexRune(text, r)
		if i < 0 {
			return false
		}
		text = text[i+utf8.RuneLen(r):]
	}
	return true
}

// judgeSession looks whether a session works as long as it must, and no longer.
func (w *World) judgeSession(v view, r Response) []Difference {
	u := w.users[v.owner]
	switch state := u.sessions[v.session].state; {
	case state == No && !u.lives() && !r.Refused():
		return []Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, key: v.entry(fmt.Sprint("session ", v.session)),
			Expected: fmt.Sprintf("401 for a session of user %d, which was deleted", v.owner), Actual: fmt.Sprint(r.Status)}}
	case state == No && u.lives() && r.Status != 401:
		return []Difference{{Rule: "sessions.logout.destroys", At: rules.Logout, key: v.entry(fmt.Sprint("session ", v.session)),
			Expected: fmt.Sprintf("401 for a session that user %d ended", v.owner), Actual: fmt.Sprint(r.Status)}}
	case state == Yes && r.OK() && idText(r.object()["id"]) != idText(u.id):
		return []Difference{{Rule: "users.me.get", At: rules.GetMe, key: v.entry(fmt.Sprint("session ", v.session)),
			Expected: "user " + idText(u.id), Actual: fmt.Sprint(r.Status)}}
	}
	return nil
}

// judgeLogin looks at a login that must not work: a deleted user's.
func (w *World) judgeLogin(v view, r Response) []Difference {
	if r.Refused() || idText(r.object()["id"]) != idText(w.users[v.owner].id) {
		return nil // whoever took the name since may log in
	}
	return []Difference{{Rule: "sessions.deleted-user", At: rules.DeleteMe, key: v.entry(""),
		Expected: fmt.Sprintf("no login of user %d, which was deleted", v.owner), Actual: fmt.Sprint(r.Status)}}
}

// judgeSearch looks whether a user is found by what it is called now, and no
// longer by what it was called. Whether users find themselves is open.
func (w *World) judgeSearch(v view, r Response) []Difference {
	u := w.users[v.owner]
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		if !u.lives() || v.field == "former" { // where nobody may be found
			return []Difference{{Rule: "search.no-match-empty", At: rules.SearchUsers, Expected: "200 and []", Actual: r.show(), key: v.entry("")}}
		}
		return []Difference{{Rule: "search.status", At: rules.SearchUsers, Expected: "200 and an array of users", Actual: r.show(), key: v.entry("")}}
	}
	there := slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(u.id) })
	d := Difference{At: rules.SearchUsers, key: v.entry(v.term)}
	switch {
	case !u.lives() && there:
		d.Rule, d.Expected, d.Actual = "search.deleted-excluded", "no deleted user", "the user is there"
	case !u.lives():
		return nil
	case v.field == "former" && there && slices.Contains(u.former, v.term):
		d.Rule, d.Expected, d.Actual = "search.non-match-excluded", "no user by what it was called before", "the user is there"
	case v.field != "former" && !there && v.viewer != v.owner && u.surely(v.field, v.term) && len(objects) < promisedLength:
		d.Rule = map[string]string{"user_name": "search.user-name", "first_name": "search.first-name", "last_name": "search.last-name", "email": "search.email"}[v.field]
		if v.exact && !u.spelled(v.field, v.term) {
			d.Rule = "search.unicode-case"
		}
		if v.term != strings.ToLower(v.term) && ascii(v.term) && v.term == strings.ToUpper(v.term) {
			d.Rule = "search.case-insensitive"
		}
		if v.field != "email" && strings.ContainsAny(v.term, `%_*.\`) {
			d.Rule = "search.literal-term"
		}
		if slices.ContainsFunc(objects, func(o Fields) bool { return same(o["user_name"], u.name) }) {
			d.Rule = "users.id-stable"
		}
		d.Expected, d.Actual = fmt.Sprintf("user %d by its %s", v.owner, v.field), fmt.Sprintf("%d other users", len(objects))
	default:
		return nil
	}
	return []Difference{d}
}

// spelled reports whether a text stands in a field in the same case.
func (u *user) spelled(field, text string) bool {
	value, _ := u.fields[field].first().(string)
	return strings.Contains(value, text)
}

// surely reports whether a field of a user holds a text, whatever was left open.
// In a map it is the value of any key.
func (u *user) surely(field, text string) bool {
	values := u.fields[field]
	for _, v := range values {
		switch value := v.(type) {
		case string:
			if !strings.Contains(strings.ToLower(value), strings.ToLower(text)) {
				return false
			}
		case map[string]any:
			if !slices.ContainsFunc(slices.Collect(maps.Values(value)), func(each any) bool { return same(each, text) }) {
				return false
			}
		default:
			return false
		}
	}
	return len(values) > 0
}
