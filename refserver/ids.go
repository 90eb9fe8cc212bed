package refserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver/store"
)

// The numbers from which ids count up in the default form. They are far apart, so that a client that confuses the
// kinds fails.
const (
	FirstUserID  = 20_000
	FirstEventID = 700_000_000
)

// beyondFloat is the first number that a float64 cannot hold.
const beyondFloat = 1<<53 + 1

// Beyond 2^53 a float64 holds the even numbers alone: ids there are odd.
const oddStep = 2

// idForm writes the store's numbers as ids and reads them back.
type idForm struct {
	form  IDForm
	first uint64
	step  uint64
}

func newIDForm(form IDForm, first uint64) idForm {
	if form == BigIntegerIDs {
		return idForm{form, first + beyondFloat, oddStep}
	}
	return idForm{form, first, 1}
}

// text is the form of the id in a path.
func (f idForm) text(id store.ID) string {
	n := f.first + f.step*uint64(id)
	if f.form == UUIDs {
		return uuid(n)
	}
	return strconv.FormatUint(n, 10)
}

// value is the form of the id in a body.
func (f idForm) value(id store.ID) any {
	if f.form == IntegerIDs || f.form == BigIntegerIDs {
		return json.Number(f.text(id))
	}
	return f.text(id)
}

// parse reads an id; it reports false for a text that is not exactly of this form.
func (f idForm) parse(text string) (store.ID, bool) {
	var n uint64
	var err error
	if f.form == UUIDs {
		n, err = parseUUID(text)
	} else {
		n, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil || n < f.first {
		return 0, false
	}
	id := store.ID((n - f.first) / f.step)
	return id, f.text(id) == text
}

// scatter and gather are inverse to each other modulo 2^64: consecutive numbers
// become UUIDs far apart, so that no client can count on their order.
const (
	scatter = 0x9E3779B97F4A7C15
	gather  = 0xF1DE83E19937733D
)

func uuid(n uint64) string {
	bits := n * scatter
	return fmt.Sprintf("%08x-%04x-4%03x-9%03x-5eed%08x", bits>>32, bits>>16&0xffff, bits>>4&0xfff, bits&0xfff, bits&0xffffffff)
}

// parseUUID reads the number back from the first and the last group; the caller
// compares the rest.
func parseUUID(text string) (uint64, error) {
	high, rest, _ := strings.Cut(text, "-")
	low := rest[max(0, len(rest)-8):]
	bits, err := strconv.ParseUint(high+low, 16, 64)
	return bits * gather, err
}

// pathID reads an id from the path; whatever no user or event has is not found.
func pathID(form idForm, what, text string) (store.ID, error) {
	id, ok := form.parse(text)
	if !ok {
		return 0, notFound(what)
	}
	return id, nil
}
