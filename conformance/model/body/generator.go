package body

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// A Generator makes the bodies that users and events are created and updated with. Values that the
// target has refused are not used again.
type Generator struct {
	Plain   bool                      // plain values alone
	Refused map[string]bool           // field and class
	Used    func(field, class string) // is called with each value
}

// Drawn is the body of a request, and its fields whose values may be refused.
type Drawn struct {
	Fields    value.Fields
	Refusable map[string]string // field to class
	Fallback  value.Fields      // the same with plain values for them
	Optional  bool              // the fallback may be refused, too
	classes   map[string]string // field to class, of the fields that a pool gave a value
}

// coverageKeys returns the field and class of each value that a pool gave, behind the kind of the write.
func (d *Drawn) coverageKeys(kind story.Kind) iter.Seq[string] {
	return func(yield func(string) bool) {
		for field, class := range d.classes {
			outer, _, _ := strings.Cut(field, ".")
			if _, there := d.Fields[outer]; !there {
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

// Begin returns a body with some fields as they are given.
func (p *Generator) Begin(fixed value.Fields) *Drawn {
	d := &Drawn{Fields: value.Fields{}, Refusable: map[string]string{}, Fallback: value.Fields{}, classes: map[string]string{}}
	maps.Copy(d.Fields, fixed)
	maps.Copy(d.Fallback, fixed)
	return d
}

// With adds the fields of another payload.
func (d *Drawn) With(o *Drawn) *Drawn {
	maps.Copy(d.Fields, o.Fields)
	maps.Copy(d.Fallback, o.Fallback)
	maps.Copy(d.Refusable, o.Refusable)
	maps.Copy(d.classes, o.classes)
	d.Optional = d.Optional || o.Optional
	return d
}

// put gives a field the v-th value of a pool. The numbering is shifted by field, so that fields
// do not go through their pools in step.
func (p *Generator) put(d *Drawn, field string, v int, pool []Value, shape func(any) any) {
	chosen := pool[0]
	if !p.Plain && v > 0 {
		chosen = pool[(v+value.Hash(field))%len(pool)]
	}
	p.give(d, field, chosen, pool[0], shape)
}

// give gives a field a value, or the plain one where the target has refused it.
func (p *Generator) give(d *Drawn, field string, chosen, plain Value, shape func(any) any) {
	if p.Refused[field+"/"+chosen.Class] {
		chosen = plain
	}
	if p.Used != nil {
		p.Used(field, chosen.Class)
	}
	d.classes[field] = chosen.Class
	d.Fields[field], d.Fallback[field] = shape(chosen.JSON), shape(plain.JSON)
	if chosen.Refusable || chosen.Class != plain.Class && TooLong(field, d.Fields[field]) {
		d.Refusable[field] = chosen.Class
	}
}

// Long reports whether a text is longer than what every target accepts: the contract promises
// no length.
func Long(v any) bool {
	const promised, bytes = 20, 40 // which some servers count
	s, ok := v.(string)
	return ok && (utf8.RuneCountInString(s) > promised || len(s) > bytes)
}

// MarkRefused excludes the values of a payload that may be refused from further use.
func (p *Generator) MarkRefused(d *Drawn) {
	for field, class := range d.Refusable {
		p.Refused[field+"/"+class] = true
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

// Drop removes a field and its nested fields.
func (d *Drawn) Drop(name string) {
	delete(d.Fields, name)
	delete(d.Fallback, name)
	maps.DeleteFunc(d.Refusable, func(field, _ string) bool { return field == name || strings.HasPrefix(field, name+".") })
}

// KeepOnly removes all fields but one.
func (d *Drawn) KeepOnly(name string) *Drawn {
	for other := range maps.Clone(d.Fields) {
		if other != name {
			d.Drop(other)
		}
	}
	return d
}

// HasOptional reports whether the v-th event has the i-th field: the first has all, the second none,
// and the others some.
func HasOptional(v, i int) bool {
	if v <= 1 {
		return v == 0
	}
	const kinds = 5
	mixed := value.Scatter(v)
	return mixed%kinds != 1 && (mixed%kinds < 3 || (mixed/kinds+i)%2 == 0)
}

// emptied makes the metadata of something new empty, now and then, if it has any. What an
// update with empty metadata means is open.
func (p *Generator) emptied(d *Drawn, v int) {
	const field, class, often = "metadata", "empty", 11
	if _, there := d.Fields[field]; !there || value.Scatter(v)%often != 0 || p.Refused[field+"/"+class] {
		return
	}
	d.Drop(field)
	d.Fields[field], d.Fallback[field] = value.Fields{}, value.Fields{"mood": "good"}
	d.Refusable[field] = class
}

// KeepOne drops all fields but one that v chooses.
func (d *Drawn) KeepOne(v int) *Drawn {
	names := value.EventFields()
	for i := range names {
		name := names[(v/3+i)%len(names)]
		if _, there := d.Fields[name]; there {
			return d.KeepOnly(name)
		}
	}
	return d
}
