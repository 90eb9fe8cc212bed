package refserver

import (
	"bytes"
	"iter"
	"net/http"
	"strconv"
	"sync"
)

// output writes a body to a response. A small one is held and sent with its
// length; of a large one only a part is held at any time, however slowly the client reads.
type output struct {
	w      http.ResponseWriter
	status int
	held   bytes.Buffer
	begun  bool
	err    error
}

// heldMost is how much of a list is held before a part of it is sent.
const heldMost = 32 << 10

// outputs lends outputs, so that responses share their memory.
type outputs struct{ free sync.Pool }

func (p *outputs) lend(w http.ResponseWriter, status int) *output {
	out, ok := p.free.Get().(*output)
	if !ok {
		out = new(output)
	}
	out.w, out.status, out.begun, out.err = w, status, false, nil
	return out
}

func (p *outputs) takeBack(o *output) {
	o.w = nil
	if o.held.Cap() <= 2*heldMost {
		o.held.Reset()
		p.free.Put(o)
	}
}

// Write never fails: once the client is gone, the rest is thrown away.
func (o *output) Write(p []byte) (int, error) {
	if o.err == nil {
		o.held.Write(p)
	}
	return len(p), nil
}

// spill sends the buffer, if it is large.
func (o *output) spill() {
	if o.held.Len() >= heldMost && o.err == nil {
		o.send()
	}
}

func (o *output) send() {
	if !o.begun {
		o.begun = true
		o.w.WriteHeader(o.status)
	}
	if o.err == nil {
		_, o.err = o.w.Write(o.held.Bytes())
	}
	o.held.Reset()
}

// finish sends the rest and returns why the client did not take it all.
func (o *output) finish() error {
	o.held.WriteByte('\n')
	if !o.begun {
		o.w.Header()["Content-Length"] = []string{strconv.Itoa(o.held.Len())}
	}
	o.send()
	return o.err
}

// list is a JSON array that is made while it is sent.
type list struct {
	items iter.Seq[[]byte]   // JSON; nil is none
	keep  func(whole []byte) // may be nil; is given the array, if it is not large
}

// listOf lists each of some rows as item shows it.
func listOf[T any](rows []T, item func(row *T) text) list {
	return list{items: func(yield func([]byte) bool) {
		for i := range rows {
			if !yield(item(&rows[i])) {
				return
			}
		}
	}}
}

func (l list) writeTo(o *output) {
	o.held.WriteByte('[')
	if l.items != nil {
		separator := ""
		for item := range l.items {
			o.held.WriteString(separator)
			separator = ","
			o.Write(item)
			if o.spill(); o.err != nil {
				break
			}
		}
	}
	o.held.WriteByte(']')
	if l.keep != nil && !o.begun {
		l.keep(bytes.Clone(o.held.Bytes()))
	}
}
