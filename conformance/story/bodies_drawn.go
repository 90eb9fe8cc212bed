package story

import (
	"fmt"
	"maps"
	"slices"
)

// The bodies of generated steps. Each field takes a value of its pool that was not sent in it yet, as
// long as there are such.

// drawn is a body with the fields that a valid server may refuse, and the classes of its values.
type drawn struct {
	body      Fields
	refusable []string
	marks     []weighed
}

// pools are the values of each field.
type pools struct {
	texts, verbs, languages, latitudes, longitudes, metadata, objectTypes, displayNames, urls []Value
	userNames, emails, passwords, customIDs, socialIDs                                        []Value
}

func newPools() pools {
	return pools{texts(), verbs(), languages(), numbers("90"), numbers("180"), metadata(), objectTypes(), displayNames(), urls(),
		userNames(), emails(), passwords(), customIDs(), socialIDs()}
}

// put gives a field a value of a pool, shaped by a function.
func (g *Generator) put(d *drawn, do, field string, pool []Value, shape func(any) any) {
	v := pool[0]
	for range 4 { // tries to find a new one
		v = pool[g.IntN(len(pool))]
		if v.Large && !g.large {
			v = pool[0]
		}
		if g.seen[Mark{do, field, v.Class}] == 0 {
			break
		}
	}
	d.body[field] = shape(v.JSON)
	if v.Refusable || v.Class != pool[0].Class && tooLong(field, d.body[field]) {
		d.refusable = append(d.refusable, field)
	}
	d.marks = append(d.marks, weighed{Mark{do, field, v.Class}, weightOfValue})
}

func asIs(v any) any { return v }

// withToken returns a function that puts a token before or behind a text, or leaves it alone.
func (g *Generator) withToken() func(any) any {
	switch g.IntN(3) {
	case 0:
		return asIs
	case 1:
		return func(v any) any { return fmt.Sprintf("%v %s", v, unique) }
	}
	return func(v any) any { return fmt.Sprintf("%s %v", unique, v) }
}

// profile returns fields of a user but its names; some are left out.
func (g *Generator) profile(do string) drawn {
	d := drawn{body: Fields{}}
	g.put(&d, do, "first_name", g.pools.texts, func(v any) any { return fmt.Sprintf("%s %v", unique, v) })
	g.put(&d, do, "last_name", g.pools.texts, g.withToken())
	g.put(&d, do, "social_ids", g.pools.socialIDs, asIs)
	g.put(&d, do, "custom_id", g.pools.customIDs, asIs)
	g.put(&d, do, "url", g.pools.urls, asIs)
	g.put(&d, do, "metadata", g.pools.metadata, asIs)
	return g.some(d, "first_name")
}

// newUser returns all that a user is created with.
func (g *Generator) newUser() drawn {
	d := g.profile("create")
	for name, v := range plainUser() {
		if _, there := d.body[name]; !there && (name == "social_ids" || name == "password") {
			d.body[name] = v
		}
	}
	g.put(&d, "create", "user_name", g.pools.userNames, asIs)
	g.put(&d, "create", "email", g.pools.emails, asIs)
	return d
}

// renamed returns new names.
func (g *Generator) renamed() drawn {
	d := drawn{body: Fields{}}
	g.put(&d, "update", "user_name", g.pools.userNames, asIs)
	g.put(&d, "update", "email", g.pools.emails, asIs)
	return d
}

// secret returns a new password.
func (g *Generator) secret() drawn {
	d := drawn{body: Fields{}}
	g.put(&d, "update", "password", g.pools.passwords, asIs)
	return d
}

// event returns the fields of an event; some are left out.
func (g *Generator) event(do string) drawn {
	d := drawn{body: Fields{}}
	g.put(&d, do, "verb", g.pools.verbs, asIs)
	g.put(&d, do, "language", g.pools.languages, asIs)
	g.put(&d, do, "priority", g.pools.texts, asIs)
	g.put(&d, do, "location", g.pools.texts, asIs)
	g.put(&d, do, "latitude", g.pools.latitudes, asIs)
	g.put(&d, do, "longitude", g.pools.longitudes, asIs)
	g.put(&d, do, "metadata", g.pools.metadata, asIs)
	object := drawn{body: Fields{}}
	g.put(&object, do+" object", "id", g.pools.texts, asIs)
	g.put(&object, do+" object", "type", g.pools.objectTypes, asIs)
	g.put(&object, do+" object", "url", g.pools.urls, asIs)
	g.put(&object, do+" object", "display_name", g.pools.displayNames, asIs)
	object = g.some(object, "id")
	d.body["object"] = object.body
	if d.marks = append(d.marks, object.marks...); len(object.refusable) > 0 {
		d.refusable = append(d.refusable, "object")
	}
	return g.some(d, "verb")
}

// some leaves out fields, now and then, but for one that is required.
func (g *Generator) some(d drawn, required string) drawn {
	const often = 4
	for _, name := range slices.Sorted(maps.Keys(d.body)) {
		if name != required && g.IntN(often) == 0 {
			delete(d.body, name)
		}
	}
	sent := func(field string) bool { _, there := d.body[field]; return there }
	d.refusable = slices.DeleteFunc(d.refusable, func(field string) bool { return !sent(field) })
	d.marks = slices.DeleteFunc(d.marks, func(m weighed) bool { return !sent(m.Circumstance) && !sent("object") })
	return d
}

// only returns the body reduced to one field.
func (d drawn) only(field string) drawn {
	o := drawn{body: Fields{field: d.body[field]}}
	if slices.Contains(d.refusable, field) {
		o.refusable = []string{field}
	}
	o.marks = slices.DeleteFunc(slices.Clone(d.marks), func(m weighed) bool { return m.Circumstance != field })
	return o
}
