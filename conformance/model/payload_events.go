package model

import (
	"encoding/json"
	"maps"
	"strings"
)

// event returns the fields of an event. The kinds of events take turns.
func (p *bodyGenerator) event(v int) *drawnPayload {
	d := p.begin(nil)
	p.put(d, "verb", v, verbs(), asIs)
	const atZero, often = 4, 13
	if v%often == atZero && !p.plain {
		d.fields["latitude"], d.fields["longitude"] = json.Number("0"), json.Number("0")
		d.fallback["latitude"], d.fallback["longitude"] = d.fields["latitude"], d.fields["longitude"]
		return d
	}
	p.fill(d, v, hasOptional)
	return d
}

// full returns the fields of an event that has them all.
func (p *bodyGenerator) full(v int) *drawnPayload {
	d := p.begin(nil)
	p.put(d, "verb", v, verbs(), asIs)
	p.fill(d, v, func(int, int) bool { return true })
	return d
}

// fill adds some of the optional fields to an event.
func (p *bodyGenerator) fill(d *drawnPayload, v int, has func(v, i int) bool) {
	for i, field := range []struct {
		name string
		pool []Value
	}{
		{"language", languages()}, {"priority", texts()}, {"location", texts()},
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

func (p *bodyGenerator) object(d *drawnPayload, v int) {
	parts := p.begin(nil)
	const often = 9
	if v%often == 0 { // several events share an object
		p.put(parts, "object.id", 0, texts(), asIs)
	} else {
		p.put(parts, "object.id", v, texts(), asIs)
	}
	if hasOptional(v, 1) {
		p.put(parts, "object.type", v, objectTypes(), asIs)
		p.put(parts, "object.display_name", v, displayNames(), asIs)
	}
	if hasOptional(v, 2) {
		p.put(parts, "object.url", v, urls(), asIs)
	}
	d.fields["object"], d.fallback["object"] = nested(parts.fields), nested(parts.fallback)
	maps.Copy(d.refusable, parts.refusable)
	maps.Copy(d.classes, parts.classes)
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
	for i, v := range all {
		if v.Refusable && len(v.JSON.(string)) > 100 {
			all[i] = refusable("90 wide characters", strings.Repeat("längé ", 15)+".")
		}
	}
	return all
}
