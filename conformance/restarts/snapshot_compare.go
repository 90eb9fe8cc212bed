package restarts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// comparison collects what a snapshot shows otherwise than another of the same play.
type comparison struct {
	changes  []result.UpgradeChange
	hide     *strings.Replacer  // of tokens
	unlike   map[[2]string]bool // places and paths that differ by themselves
	loggedIn bool               // between the snapshots: times of the latest login differ
	at       string             // the endpoint whose answer is compared
}

const (
	theStatus  = "status"
	theSession = "session"
	noField    = "nothing"
)

// compare compares two snapshots. What the old one alone has was not read again, which is told by the
// logins that are refused.
func (c *comparison) compare(old, now snapshot) {
	for _, n := range slices.Sorted(maps.Keys(old.sessions)) {
		c.at = "GET " + me
		switch was, is := old.sessions[n], now.sessions[n]; {
		case was.ok() && !is.ok():
			c.add(result.UpgradeChange{Rule: Sessions, What: theSession, Old: "served", New: is.String()})
		case !was.ok() && is.ok():
			c.add(result.UpgradeChange{Rule: EndedSessions, What: theSession, Old: was.String(), New: "served"})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(now.answers)) {
		was, known := old.answers[key]
		is := now.answers[key]
		c.at = is.endpoint
		switch {
		case !known && !is.answer.ok() && strings.HasPrefix(key, "login "):
			c.add(result.UpgradeChange{What: theStatus, Old: "200", New: is.answer.String()})
		case !known:
		case was.answer.status != is.answer.status:
			c.add(result.UpgradeChange{Rule: ruleOfStatus(was.answer, is.answer), What: theStatus, Old: was.answer.String(), New: is.answer.String()})
		case was.answer.ok():
			c.value("$", was.answer.body, is.answer.body)
		}
	}
}

func ruleOfStatus(was, is answer) string {
	const serverErrors = 500
	switch {
	case is.unanswered(), is.status >= serverErrors:
		return Serves
	case !was.ok() && is.ok():
		return Deleted
	}
	return ""
}

// add counts a change, or one that is like it.
func (c *comparison) add(change result.UpgradeChange) {
	change.Endpoint, change.Times = c.at, 1
	if c.unlike[[2]string{c.at, change.What}] {
		return
	}
	alike := func(other result.UpgradeChange) bool {
		sameKind := change.What != theStatus || change.Old == other.Old && change.New == other.New
		return other.Endpoint == change.Endpoint && other.What == change.What && other.Rule == change.Rule && other.Allowed == change.Allowed && sameKind
	}
	if i := slices.IndexFunc(c.changes, alike); i >= 0 {
		c.changes[i].Times++
		return
	}
	change.Old, change.New = c.hide.Replace(change.Old), c.hide.Replace(change.New)
	c.changes = append(c.changes, change)
}

// value compares values of answers at a path.
func (c *comparison) value(at string, was, is any) {
	old, isObject := was.(map[string]any)
	now, stillObject := is.(map[string]any)
	list, isList := was.([]any)
	nowList, stillList := is.([]any)
	switch {
	case isObject && stillObject:
		c.object(at, old, now)
	case isList && stillList:
		c.list(at, list, nowList)
	case c.loggedIn && strings.HasSuffix(at, ".last_login"):
	case !same(was, is):
		c.add(result.UpgradeChange{What: at, Old: brief(was), New: brief(is)})
	}
}

func (c *comparison) object(at string, was, is map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if now, there := is[name]; there {
			c.value(at+"."+name, was[name], now)
		} else {
			c.add(result.UpgradeChange{What: at + "." + name, Old: brief(was[name]), New: noField})
		}
	}
	clients := slices.ContainsFunc([]string{".metadata", ".social_ids", ".display_name"}, func(suffix string) bool { return strings.HasSuffix(at, suffix) })
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, there := was[name]; !there {
			c.add(result.UpgradeChange{What: at + "." + name, Old: noField, New: brief(is[name]), Allowed: !clients})
		}
	}
}

// list compares lists: users and events by their ids, since only the feed has an order.
func (c *comparison) list(at string, was, is []any) {
	before, order := byID(was)
	after, newOrder := byID(is)
	if before == nil || after == nil {
		if len(was) != len(is) {
			c.add(result.UpgradeChange{What: at, Old: brief(was), New: brief(is)})
			return
		}
		for n := range was {
			c.value(at+"[]", was[n], is[n])
		}
		return
	}
	for _, id := range order {
		if now, there := after[id]; there {
			c.value(at+"[]", before[id], now)
		} else {
			c.add(result.UpgradeChange{Rule: Order, What: at + "[]", Old: brief(before[id]), New: noField})
		}
	}
	for _, id := range newOrder {
		if _, there := before[id]; !there {
			c.add(result.UpgradeChange{Rule: Deleted, What: at + "[]", Old: noField, New: brief(after[id])})
		}
	}
	order = slices.DeleteFunc(order, func(id string) bool { return after[id] == nil })
	newOrder = slices.DeleteFunc(newOrder, func(id string) bool { return before[id] == nil })
	if strings.HasSuffix(c.at, feed) && !slices.Equal(order, newOrder) {
		c.add(result.UpgradeChange{What: "order of " + at, Old: strings.Join(order, ", "), New: strings.Join(newOrder, ", ")})
	}
}

// byID are the items of a list by their ids, and the ids in their order; nil where an item has none, or two
// have the same.
func byID(list []any) (items map[string]map[string]any, order []string) {
	items = map[string]map[string]any{}
	for _, item := range list {
		record, _ := item.(map[string]any)
		id := text(record["id"])
		if _, twice := items[id]; twice || id == "" {
			return nil, nil
		}
		items[id], order = record, append(order, id)
	}
	return items, order
}

// same reports whether values are the same for clients: times may be written otherwise.
func same(was, is any) bool {
	if number, ok := was.(json.Number); ok {
		other, ok := is.(json.Number)
		return ok && sameNumber(number, other)
	}
	one, isText := was.(string)
	other, stillText := is.(string)
	if !isText || !stillText || one == other {
		return was == is
	}
	a, errA := time.Parse(time.RFC3339, one)
	b, errB := time.Parse(time.RFC3339, other)
	return errA == nil && errB == nil && a.Equal(b)
}

// sameNumber compares whole numbers exactly, which ids are.
func sameNumber(was, is json.Number) bool {
	_, errWas := was.Int64()
	_, errIs := is.Int64()
	if was == is || errWas == nil && errIs == nil {
		return was == is
	}
	a, errA := was.Float64()
	b, errB := is.Float64()
	return errA == nil && errB == nil && a == b
}

// brief is a value in a few words.
func brief(value any) string {
	const most = 80
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%T", value)
	}
	if runes := []rune(string(content)); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(content)
}
