package model

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// wardrobe dresses users and events in values. Values that the target refused
// once are not used again.
type wardrobe struct {
	plain   bool            // plain values alone
	refused map[string]bool // field and class
	worn    func(field, class string)
}

// dress is the fields of a request with the fields whose values may be refused.
type dress struct {
	fields    Fields
	refusable map[string]string // field to class
	plainer   Fields            // the same with plain values there
}

func (w *wardrobe) begin(fixed Fields) *dress {
	d := &dress{fields: Fields{}, refusable: map[string]string{}, plainer: Fields{}}
	maps.Copy(d.fields, fixed)
	maps.Copy(d.plainer, fixed)
	return d
}

// with adds the fields of another.
func (d *dress) with(o *dress) *dress {
	maps.Copy(d.fields, o.fields)
	maps.Copy(d.plainer, o.plainer)
	maps.Copy(d.refusable, o.refusable)
	return d
}

// put gives a field the v-th value of a pool, after a turn of the field's own, so
// that fields do not go through their pools in step.
func (w *wardrobe) put(d *dress, field string, v int, pool []Value, shape func(any) any) {
	chosen := pool[0]
	if !w.plain && v > 0 {
		chosen = pool[(v+turn(field))%len(pool)]
	}
	if w.refused[field+"/"+chosen.Class] {
		chosen = pool[0]
	}
	if w.worn != nil {
		w.worn(field, chosen.Class)
	}
	d.fields[field], d.plainer[field] = shape(chosen.JSON), shape(pool[0].JSON)
	if chosen.Refusable || chosen.Class != pool[0].Class && tooLong(field, d.fields[field]) {
		d.refusable[field] = chosen.Class
	}
}

// long reports whether a text is longer than what every target takes: the
// contract promises no length.
func long(v any) bool {
	const promised = 20
	s, ok := v.(string)
	return ok && utf8.RuneCountInString(s) > promised
}

func turn(field string) int {
	h := fnv.New32a()
	h.Write([]byte(field))
	return int(h.Sum32() % 1009)
}

// refuse takes the values that may be refused out of use.
func (w *wardrobe) refuse(d *dress) {
	for field, class := range d.refusable {
		w.refused[field+"/"+class] = true
	}
}

func asIs(v any) any { return v }

// user are the fields to create a user with, or to change its profile to. The
// token stands in every field whose value is to be its own.
func (w *wardrobe) user(v int, token string) *dress {
	d := w.begin(nil)
	w.put(d, "social_ids", v, socialIDs(), func(form any) any {
		network, id, _ := strings.Cut(form.(string), ":")
		return Fields{network: filled(id, token)}
	})
	w.put(d, "custom_id", v, customIDs(), func(form any) any { return filled(form.(string), "c"+token) })
	suffixed := func(value any) any { return fmt.Sprintf("%s %v", token, value) }
	w.put(d, "first_name", v, texts(), suffixed)
	w.put(d, "last_name", v, texts(), func(value any) any {
		if value == texts()[0].JSON {
			return value
		}
		return fmt.Sprintf("%v %s", value, token)
	})
	if w.plain || has(v, 0) { // some have less
		w.put(d, "url", v, urls(), asIs)
		w.put(d, "metadata", v, metadata(), asIs)
	}
	return d
}

// names are the fields that a user logs in by.
func (w *wardrobe) names(v int, token string) *dress {
	d := w.begin(nil)
	w.put(d, "user_name", v, userNames(), func(form any) any { return filled(form.(string), token) })
	w.put(d, "email", v, emails(), func(format any) any { return fmt.Sprintf(format.(string), token) })
	return d
}

// password is one that was made, in a form that servers mistake. They are to take
// hashes, and may refuse any other form.
func (w *wardrobe) password(v int, made string) *dress {
	d := w.begin(nil)
	w.put(d, "password", v, passwords(), func(form any) any { return strings.Replace(form.(string), "*", made, 1) })
	return d
}

// filled puts a token into a form of ids and names: as it is for *, as digits for #,
// as a UUID in upper case for @.
func filled(form, token string) string {
	h := fnv.New128a()
	h.Write([]byte(token))
	sum := h.Sum(nil)
	switch form {
	case "#":
		return fmt.Sprintf("00%018d", binary.BigEndian.Uint64(sum)%1e18)
	case "@":
		return fmt.Sprintf("%X-%X-4%X-A%X-%X", sum[:4], sum[4:6], sum[6:8][:1], sum[8:10][:1], sum[10:16])
	}
	return strings.Replace(form, "*", token, 1)
}

func customIDs() []Value {
	return []Value{text("plain", "*"), text("digits alone", "#"), text("digits at the end", "*007"), text("upper case", "*AB"), text("dash", "*-x"),
		refusable("underscore", "*_y"), refusable("a UUID in upper case", "@"), refusable("slash", "*/a"), refusable("dots", "*.a.b"),
		refusable("colon", "*:z"), refusable("at", "*@w"), refusable("percent", "*%20"), refusable("non-ASCII", "*é")}
}

// socialIDs are networks with the forms of the ids there.
func socialIDs() []Value {
	return []Value{text("plain", "facebook:*"), text("digits alone", "facebook:#"), text("a network in two cases", "GitHub:*"), text("upper case", "facebook:*AB"),
		text("dash", "twitter:*-x"), refusable("comma", "facebook:*,a"), refusable("a network with a blank", "my network:*"), refusable("underscore", "LinkedIn:*_y")}
}

func userNames() []Value {
	return []Value{text("plain", "*"), text("digits at the end", "*007"), refusable("dash", "*-b"), refusable("underscore", "*_b"), refusable("dot", "*.b"), refusable("blank", "* b"),
		refusable("upper case", "*ABC"), refusable("non-ASCII", "*é"), refusable("emoji", "*👍🏽"), refusable("plus", "*+b"), refusable("an @", "*@b.example"),
		refusable("percent", "*%b"), refusable("slash", "*/b"), refusable("digits alone", "#"), refusable("more than 32", "*"+strings.Repeat("long", 9))}
}

func passwords() []Value {
	return []Value{text("plain", "*"), text("upper case", "*ABC"), refusable("percent", "*%41"), refusable("colon", "*:a"), refusable("blanks", " * a "),
		refusable("non-ASCII", "*é"), refusable("beyond the basic plane", "*𝒜"), refusable("quotes", `*"'`), refusable("backslash", `*\n`), refusable("plus", "*+a")}
}

func emails() []Value {
	return []Value{text("plain", "%s@example.com"), refusable("mixed case", "Me.%s@example.com"), refusable("tag", "%s+tag@example.com"),
		refusable("apostrophe", "o'%s@example.com"), refusable("subdomain", "%s@mail.example.com")}
}

// event are the fields of an event. The kinds of events take turns.
func (w *wardrobe) event(v int) *dress {
	d := w.begin(nil)
	w.put(d, "verb", v, verbs(), asIs)
	const atZero, often = 4, 13
	if v%often == atZero && !w.plain {
		d.fields["latitude"], d.fields["longitude"] = json.Number("0"), json.Number("0")
		d.plainer["latitude"], d.plainer["longitude"] = d.fields["latitude"], d.fields["longitude"]
		return d
	}
	w.fill(d, v, has)
	return d
}

// full are the fields of an event that has them all.
func (w *wardrobe) full(v int) *dress {
	d := w.begin(nil)
	w.put(d, "verb", v, verbs(), asIs)
	w.fill(d, v, func(int, int) bool { return true })
	return d
}

// fill gives an event some of the fields that it need not have.
func (w *wardrobe) fill(d *dress, v int, has func(v, i int) bool) {
	for i, field := range []struct {
		name string
		pool []Value
	}{
		{"language", languages()}, {"priority", texts()}, {"location", texts()},
		{"latitude", numbers("90")}, {"longitude", numbers("180")}, {"metadata", metadata()},
	} {
		if has(v, i) {
			w.put(d, field.name, v, field.pool, asIs)
		}
	}
	if has(v, len("object")) {
		w.object(d, v)
	}
}

// leaveOut takes a field away.
func (d *dress) leaveOut(name string) {
	delete(d.fields, name)
	delete(d.plainer, name)
	delete(d.refusable, name)
}

// has reports whether the v-th event has the i-th field: the first has all, the
// second none, and the others some.
func has(v, i int) bool {
	if v <= 1 {
		return v == 0
	}
	const kinds = 5
	mixed := turn(strconv.Itoa(v)) // apart from the turns of the pools
	return mixed%kinds != 1 && (mixed%kinds < 3 || (mixed/kinds+i)%2 == 0)
}

func (w *wardrobe) object(d *dress, v int) {
	parts := w.begin(nil)
	const often = 4
	if v%often == 0 { // several events are about the same object
		w.put(parts, "object.id", 0, texts(), asIs)
	} else {
		w.put(parts, "object.id", v, texts(), asIs)
	}
	if has(v, 1) {
		w.put(parts, "object.type", v, objectTypes(), asIs)
		w.put(parts, "object.display_name", v, displayNames(), asIs)
	}
	if has(v, 2) {
		w.put(parts, "object.url", v, urls(), asIs)
	}
	d.fields["object"], d.plainer["object"] = nested(parts.fields), nested(parts.plainer)
	maps.Copy(d.refusable, parts.refusable)
}

func nested(dotted Fields) Fields {
	o := Fields{}
	for name, v := range dotted {
		o[name[len("object."):]] = v
	}
	return o
}

func verbs() []Value {
	all := texts()
	all[0] = text("plain", "like")
	return slices.DeleteFunc(all, func(v Value) bool { return v.Refusable && len(v.JSON.(string)) > 100 })
}

// Wardrobe dresses the users and events that others create in awkward values. The
// values that the target refuses, as it may, are not used again.
type Wardrobe struct {
	mu      sync.Mutex
	refused map[string]bool
	short   bool // the target refused something with a text longer than what every target takes
}

// Dress is the fields of a user or an event, and the same with plain values.
type Dress struct {
	Fields, Plain Fields
	// Risky tells that a valid server may refuse the values.
	Risky bool
	dress *dress
}

// NewWardrobe returns a wardrobe of all values.
func NewWardrobe() *Wardrobe { return &Wardrobe{refused: map[string]bool{}} }

// User is a profile; the token stands in what must be the user's own. Some have
// less of it, some nothing. None has a custom_id: what takes one for the id would
// break everything.
func (w *Wardrobe) User(v int, token string) *Dress {
	const rare = 4
	return w.wear(func(inner *wardrobe) *dress {
		d := inner.user(v, token)
		for i, name := range []string{"custom_id", "first_name", "last_name", "url", "metadata", "social_ids"} {
			if i == 0 || (v+i)%rare == 0 {
				d.leaveOut(name)
			}
		}
		return d
	})
}

// Newcomer is a profile with names, whose beginnings are given. Passwords stay as they
// were made: who cleans up after a run that was killed makes them again.
func (w *Wardrobe) Newcomer(v int, token string) *Dress {
	d := w.User(v, token)
	return w.wear(func(inner *wardrobe) *dress { return d.dress.with(inner.names(v, token)) })
}

// Event is the fields of an event.
func (w *Wardrobe) Event(v int) *Dress {
	const atZero, often, fields = 4, 13, 7
	return w.wear(func(inner *wardrobe) *dress {
		if v%often == atZero {
			return inner.event(v)
		}
		d := inner.full(v)
		for i, name := range eventFields()[1:] { // one or two are left out
			if v%fields == i || v%(fields+2) == i {
				d.leaveOut(name)
			}
		}
		return d
	})
}

func (w *Wardrobe) wear(choose func(*wardrobe) *dress) *Dress {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := choose(&wardrobe{refused: w.refused})
	if w.short {
		for name, v := range maps.Clone(d.fields) {
			if tooLong(name, v) {
				d.leaveOut(name)
			}
		}
	}
	return &Dress{Fields: d.fields, Plain: d.plainer, Risky: len(d.refusable) > 0 || tooLong("", d.fields), dress: d}
}

// tooLong reports whether a value has a text in it that is longer than what every
// target takes. What metadata take is told, and passwords are as long as hashes.
func tooLong(name string, v any) bool {
	if name == "metadata" || name == "password" {
		return false
	}
	if o, ok := v.(map[string]any); ok {
		for name, each := range o {
			if tooLong(name, each) {
				return true
			}
		}
	}
	return long(v)
}

// GiveUp takes the values of a dress that may be refused out of use.
func (w *Wardrobe) GiveUp(d *Dress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.short = w.short || tooLong("", d.Fields)
	(&wardrobe{refused: w.refused}).refuse(d.dress)
}

// AwkwardText is the v-th of the short texts that no valid server refuses.
func AwkwardText(v int) string {
	const short = 8 // behind a name of the scenario's own
	return unrefusable(slices.DeleteFunc(texts(), func(each Value) bool { return utf8.RuneCountInString(each.JSON.(string)) > short }), v).(string)
}

// AwkwardID is a token in the v-th of the forms of ids that no valid server refuses.
func AwkwardID(v int, token string) string {
	return filled(unrefusable(customIDs(), v).(string), token)
}

func unrefusable(pool []Value, v int) any {
	pool = slices.DeleteFunc(pool, func(each Value) bool { return each.Refusable })
	return pool[v%len(pool)].JSON
}
