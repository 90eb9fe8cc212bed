package model

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// payloads make the bodies that users and events are created and updated with. Values
// that the target refused once are not used again.
type payloads struct {
	plain   bool                      // plain values alone
	refused map[string]bool           // field and class
	used    func(field, class string) // is told of each value
}

// payload is the body of a request, with the fields whose values may be refused.
type payload struct {
	fields    Fields
	refusable map[string]string // field to class
	plainer   Fields            // the same with plain values there
	optional  bool              // these may be refused, too
}

func (p *payloads) begin(fixed Fields) *payload {
	d := &payload{fields: Fields{}, refusable: map[string]string{}, plainer: Fields{}}
	maps.Copy(d.fields, fixed)
	maps.Copy(d.plainer, fixed)
	return d
}

// with adds the fields of another.
func (d *payload) with(o *payload) *payload {
	maps.Copy(d.fields, o.fields)
	maps.Copy(d.plainer, o.plainer)
	maps.Copy(d.refusable, o.refusable)
	d.optional = d.optional || o.optional
	return d
}

// put gives a field the v-th value of a pool, after a turn of the field's own, so
// that fields do not go through their pools in step.
func (p *payloads) put(d *payload, field string, v int, pool []Value, shape func(any) any) {
	chosen := pool[0]
	if !p.plain && v > 0 {
		chosen = pool[(v+turn(field))%len(pool)]
	}
	if p.refused[field+"/"+chosen.Class] {
		chosen = pool[0]
	}
	if p.used != nil {
		p.used(field, chosen.Class)
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
func (p *payloads) refuse(d *payload) {
	for field, class := range d.refusable {
		p.refused[field+"/"+class] = true
	}
}

func asIs(v any) any { return v }

// filled puts a token into a form of ids and names: as it is for *, as a number for %, as one
// with zeros before it for #, as one that is too much for a double for ^, as a UUID in upper
// case for @.
func filled(form, token string) string {
	h := fnv.New128a()
	h.Write([]byte(token))
	sum := h.Sum(nil)
	switch form {
	case "#":
		return fmt.Sprintf("00%012d", binary.BigEndian.Uint64(sum)%1e12)
	case "^":
		return strconv.FormatUint(1e18+binary.BigEndian.Uint64(sum)%8e18, 10)
	case "%":
		return strconv.FormatUint(1e12+binary.BigEndian.Uint64(sum)%8e12, 10)
	case "@":
		digits := fmt.Sprintf("%X", sum)
		return digits[:8] + "-" + digits[8:12] + "-4" + digits[13:16] + "-A" + digits[17:20] + "-" + digits[20:]
	}
	return strings.Replace(form, "*", token, 1)
}

// leaveOut takes a field away, and the parts of it.
func (d *payload) leaveOut(name string) {
	delete(d.fields, name)
	delete(d.plainer, name)
	maps.DeleteFunc(d.refusable, func(field, _ string) bool { return field == name || strings.HasPrefix(field, name+".") })
}

// only is one field of it.
func (d *payload) only(name string) *payload {
	for other := range maps.Clone(d.fields) {
		if other != name {
			d.leaveOut(other)
		}
	}
	return d
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
