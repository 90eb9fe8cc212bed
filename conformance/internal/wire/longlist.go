package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// A target may hold a million users, and answer a search with all of them. Of such a list the judge
// holds what it can judge: the first elements, for their shape, and those of the run's own users. The
// others are counted as they are read.
const (
	longList     = 64 << 10         // bytes from which on a list is thinned
	maxSample    = 32 << 10         // bytes of its first elements that are kept
	maxList      = 512 << 20        // bytes of a list that are read
	listPatience = 30 * time.Second // how long the rest of a list is read, after its first maxBody bytes
)

// thinning is what was read of a long list, and is no longer held.
type thinning struct {
	elements int
	size     int  // bytes
	passed   int  // elements that are not held
	cut      bool // the rest of the list was not read
}

// Partial reports whether only the beginning of a list was read: what is not in it may follow.
func (x *Exchange) Partial() bool { return x.thinned.cut }

type sampleKey struct{}

// WithSample has a request's answer be read no further than its form is judged, where it is a long list.
func WithSample(ctx context.Context) context.Context {
	return context.WithValue(ctx, sampleKey{}, true)
}

func wantsSample(ctx context.Context) bool { return ctx.Value(sampleKey{}) != nil }

// startsList reports whether a body begins as a JSON array does.
func startsList(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("["))
}

// thin reads a list and returns it with the elements that are held, and whether that is a list to its
// end: where the list is no JSON, what is held ends there. The error is the reader's, or says that the
// list is too long.
func (x *Exchange) thin(list io.Reader, sample bool, mine *own) (body []byte, whole bool, err error) {
	source := &stepReader{Reader: list, left: maxBody}
	decoder := json.NewDecoder(source)
	held := bytes.NewBufferString("[")
	_, err = decoder.Token()
	for err == nil && decoder.More() {
		var element json.RawMessage
		if err = decoder.Decode(&element); err != nil {
			break
		}
		sampled := x.thinned.elements == 0 || held.Len()+len(element) <= maxSample
		x.thinned.elements++
		x.thinned.size, source.left = int(decoder.InputOffset()), maxBody
		switch {
		case x.thinned.size > maxList:
			return held.Bytes(), false, fmt.Errorf("the list in a %d is longer than %d bytes", x.Status, maxList)
		case sample && !sampled:
			x.thinned.cut = true
			x.thinned.passed++
			return append(held.Bytes(), ']'), true, nil
		case !sampled && !mine.has(element):
			x.thinned.passed++
			continue
		case held.Len() > 1:
			held.WriteByte(',')
		}
		if held.Write(element); held.Len() > maxBody {
			return held.Bytes(), false, fmt.Errorf("the run's own elements of the list in a %d are longer than %d bytes", x.Status, maxBody)
		}
	}
	if err == nil {
		_, err = decoder.Token() // the end of the list
	}
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			return append(held.Bytes(), ']'), true, source.failure()
		}
	}
	return held.Bytes(), false, source.failure()
}

// stepReader reads no more bytes than are left for the next step, and keeps its error.
type stepReader struct {
	io.Reader
	left int
	err  error
}

func (r *stepReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		r.err = fmt.Errorf("an element of the list is longer than %d bytes", maxBody)
		return 0, r.err
	}
	n, err := r.Reader.Read(p[:min(len(p), r.left)])
	r.left, r.err = r.left-n, err
	return n, err
}

// failure is why no more could be read, nil at the end.
func (r *stepReader) failure() error {
	if errors.Is(r.err, io.EOF) && !errors.Is(r.err, io.ErrUnexpectedEOF) {
		return nil
	}
	return r.err
}

// LongLists is what a run read of lists that it does not hold.
type LongLists struct {
	Answers  int // that were thinned
	Elements int // of the longest one that was read to its end, 0 where none was
	Bytes    int // of the same
}

type longLists struct {
	mu   sync.Mutex
	seen LongLists
}

func (l *longLists) count(t thinning) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen.Answers++; t.elements > l.seen.Elements && !t.cut {
		l.seen.Elements, l.seen.Bytes = t.elements, t.size
	}
}

// LongLists is what was read of lists that are not held whole, up to now.
func (w *Wire) LongLists() LongLists {
	w.lists.mu.Lock()
	defer w.lists.mu.Unlock()
	return w.lists.seen
}
