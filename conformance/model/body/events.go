package body

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
)

// Event returns the fields of an event. The kinds of events take turns.
func (p *Generator) Event(v int) *Drawn {
	d := p.Begin(nil)
	p.put(d, "verb", v, verbs(), asIs)
	const atZero, often = 4, 13
	if v%often == atZero && !p.Plain {
		d.Fields["latitude"], d.Fields["longitude"] = json.Number("0"), json.Number("0")
		d.Fallback["latitude"], d.Fallback["longitude"] = d.Fields["latitude"], d.Fields["longitude"]
		return d
	}
	p.fill(d, v, HasOptional)
	return d
}

// full returns the fields of an event that has them all.
func (p *Generator) full(v int) *Drawn {
	d := p.Begin(nil)
	p.put(d, "verb", v, verbs(), asIs)
	p.fill(d, v, func(int, int) bool { return true })
	return d
}

// fill adds some of the optional fields to an event.
func (p *Generator) fill(d *Drawn, v int, has func(v, i int) bool) {
	for i, field := range []struct {
		name string
		pool []Value
	}{
		{"language", languages()}, {"priority", Texts()}, {"location", Texts()},
		{"latitude", numbers("90")}, {"longitude", numbers("180")}, {"metadata", metadata()},
	} {
		if has(v, i) {
			p.put(d, field.name, v, field.pool, asIs)
		}
	}
	if has(v, len("object")) {
		p.object(d, v)
	}
}

func (p *Generator) object(d *Drawn, v int) {
	parts := p.Begin(nil)
	const often = 9
	if v%often == 0 { // several events share an object
		p.put(parts, "object.id", 0, Texts(), asIs)
	} else {
		p.put(parts, "object.id", v, Texts(), asIs)
	}
	if HasOptional(v, 1) {
		p.put(parts, "object.type", v, objectTypes(), asIs)
		p.put(parts, "object.display_name", v, displayNames(), asIs)
	}
	if HasOptional(v, 2) {
		p.put(parts, "object.url", v, urls(), asIs)
	}
	d.Fields["object"], d.Fallback["object"] = nested(parts.Fields), nested(parts.Fallback)
	maps.Copy(d.Refusable, parts.Refusable)
	maps.Copy(d.classes, parts.classes)
}

func nested(dotted value.Fields) value.Fields {
	o := value.Fields{}
	for name, v := range dotted {
		o[name[len("object."):]] = v
	}
	return o
}

func verbs() []Value {
	all := Texts()
	all[0] = text("plain", "like")
	for i, v := range all {
		if v.Refusable && len(v.JSON.(string)) > 100 {
			all[i] = refusable("90 wide characters", strings.Repeat("längé ", 15)+".")
		}
	}
	return all
}
