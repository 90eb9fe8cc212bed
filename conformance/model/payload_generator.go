package model

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A bodyGenerator makes the bodies that users and events are created and updated with. Values that the
// target has refused are not used again.
type bodyGenerator struct {
	plain   bool                      // plain values alone
	refused map[string]bool           // field and class
	used    func(field, class string) // is called with each value
}

// drawnPayload is the body of a request, and its fields whose values may be refused.
type drawnPayload struct {
	fields    Fields
	refusable map[string]string // field to class
	fallback  Fields            // the same with plain values for them
	optional  bool              // the fallback may be refused, too
	classes   map[string]string // field to class, of the fields that a pool gave a value
}

// coverageKeys returns the field and class of each value that a pool gave, behind the kind of the write.
func (d *drawnPayload) coverageKeys(kind Kind) iter.Seq[string] {
	return func(yield func(string) bool) {
		for field, class := range d.classes {
			outer, _, _ := strings.Cut(field, ".")
			if _, there := d.fields[outer]; !there {
				continue
			}
			for each := range strings.SplitSeq(class, "; ") { // of a mixture
				if !yield(kind.String() + "/" + field + "/" + each) {
					return
				}
			}
		}
	}
}

func (p *bodyGenerator) begin(fixed Fields) *drawnPayload {
	d := &drawnPayload{fields: Fields{}, refusable: map[string]string{}, fallback: Fields{}, classes: map[string]string{}}
	maps.Copy(d.fields, fixed)
	maps.Copy(d.fallback, fixed)
	return d
}

// with adds the fields of another payload.
func (d *drawnPayload) with(o *drawnPayload) *drawnPayload {
	maps.Copy(d.fields, o.fields)
	maps.Copy(d.fallback, o.fallback)
	maps.Copy(d.refusable, o.refusable)
	maps.Copy(d.classes, o.classes)
	d.optional = d.optional || o.optional
	return d
}

// put gives a field the v-th value of a pool. The numbering is shifted by field, so that fields
// do not go through their pools in step.
func (p *bodyGenerator) put(d *drawnPayload, field string, v int, pool []Value, shape func(any) any) {
	chosen := pool[0]
	if !p.plain && v > 0 {
		chosen = pool[(v+stableHash(field))%len(pool)]
	}
	p.give(d, field, chosen, pool[0], shape)
}

// give gives a field a value, or the plain one where the target has refused it.
func (p *bodyGenerator) give(d *drawnPayload, field string, chosen, plain Value, shape func(any) any) {
	if p.refused[field+"/"+chosen.Class] {
		chosen = plain
	}
	if p.used != nil {
		p.used(field, chosen.Class)
	}
	d.classes[field] = chosen.Class
	d.fields[field], d.fallback[field] = shape(chosen.JSON), shape(plain.JSON)
	if chosen.Refusable || chosen.Class != plain.Class && tooLong(field, d.fields[field]) {
		d.refusable[field] = chosen.Class
	}
}

// long reports whether a text is longer than what every target accepts: the contract promises
// no length.
func long(v any) bool {
	const promised, bytes = 20, 40 // which some servers count
	s, ok := v.(string)
	return ok && (utf8.RuneCountInString(s) > promised || len(s) > bytes)
}

// markRefused excludes the values of a payload that may be refused from further use.
func (p *bodyGenerator) markRefused(d *drawnPayload) {
	for field, class := range d.refusable {
		p.refused[field+"/"+class] = true
	}
}

func asIs(v any) any { return v }

// fillForm puts a token into a form of an id or name: * stands for the token itself, % for a
// number, # for a number with leading zeros, ^ for a number too big for a double, ~ for one with an
// exponent, @ for a UUID in upper case, ! for the 32 hexadecimal digits of one.
func fillForm(form, token string) string {
	sum := hashOf(token)
	switch form {
	case "#":
		return fmt.Sprintf("00%012d", binary.BigEndian.Uint64(sum)%1e12)
	case "+":
		return fmt.Sprintf("+49%011d", binary.BigEndian.Uint64(sum)%1e11)
	case "^":
		return strconv.FormatUint(1e18+binary.BigEndian.Uint64(sum)%8e18, 10)
	case "~":
		return fmt.Sprintf("%de%02d", 1e4+binary.BigEndian.Uint64(sum)%9e4, binary.BigEndian.Uint64(sum)/9e4%100)
	case "%":
		return strconv.FormatUint(1e12+binary.BigEndian.Uint64(sum)%8e12, 10)
	case "!":
		return fmt.Sprintf("%x", sum)
	case "@":
		return UUID(token)
	}
	return strings.Replace(form, "*", token, 1)
}

// UUID returns a UUID in upper case that is derived from a token.
func UUID(token string) string {
	digits := fmt.Sprintf("%X", hashOf(token))
	return digits[:8] + "-" + digits[8:12] + "-4" + digits[13:16] + "-A" + digits[17:20] + "-" + digits[20:]
}

func hashOf(token string) []byte {
	h := fnv.New128a()
	h.Write([]byte(token))
	return h.Sum(nil)
}

// drop removes a field and its nested fields.
func (d *drawnPayload) drop(name string) {
	delete(d.fields, name)
	delete(d.fallback, name)
	maps.DeleteFunc(d.refusable, func(field, _ string) bool { return field == name || strings.HasPrefix(field, name+".") })
}

// keepOnly removes all fields but one.
func (d *drawnPayload) keepOnly(name string) *drawnPayload {
	for other := range maps.Clone(d.fields) {
		if other != name {
			d.drop(other)
		}
	}
	return d
}

// hasOptional reports whether the v-th event has the i-th field: the first has all, the second none,
// and the others some.
func hasOptional(v, i int) bool {
	if v <= 1 {
		return v == 0
	}
	const kinds = 5
	mixed := scatter(v)
	return mixed%kinds != 1 && (mixed%kinds < 3 || (mixed/kinds+i)%2 == 0)
}

// emptied makes the metadata of something new empty, now and then, if it has any. What an
// update with empty metadata means is open.
func (p *bodyGenerator) emptied(d *drawnPayload, v int) {
	const field, class, often = "metadata", "empty", 11
	if _, there := d.fields[field]; !there || scatter(v)%often != 0 || p.refused[field+"/"+class] {
		return
	}
	d.drop(field)
	d.fields[field], d.fallback[field] = Fields{}, Fields{"mood": "good"}
	d.refusable[field] = class
}

// keepOne drops all fields but one that v chooses.
func (d *drawnPayload) keepOne(v int) *drawnPayload {
	names := eventFields()
	for i := range names {
		name := names[(v/3+i)%len(names)]
		if _, there := d.fields[name]; there {
			return d.keepOnly(name)
		}
	}
	return d
}
