package har

import (
	"bufio"
	"context"
	"errors"
	"io"
	"unicode/utf8"
)

// Bounds of what is read of one entry. What is beyond them is left out, and an entry that lacks
// something is judged as one that was redacted.
const (
	maxText  = 512 << 10 // bytes of a text as it stands in the archive
	maxItems = 1000      // of a list or an object
	maxEntry = 2 << 20   // bytes
	maxOther = 64 << 10  // bytes of a text outside of the entries
	maxDepth = 1000
)

// entryDepth is how many lists and objects are open within an entry: the archive, its log, the
// entries and the entry itself.
const entryDepth = 4

// trimmer reads JSON and bounds what is in it: long texts, lists and objects are shortened. It
// tells where in the archive each entry is.
type trimmer struct {
	ctx context.Context
	in  *bufio.Reader
	at  int64 // of the next byte of the archive
	out []byte
	err error // of the archive's reader
	put int64 // bytes that were handed on before out

	open     []int // items of each list and object that is open
	below    int   // how many are open around what is read
	skipping int   // depth of the list or object whose rest is left out, 0 for none
	entry    span
	passed   []span // entries that were not asked for yet
	spent    int    // bytes of the entry so far

	text  text
	word  int  // bytes of a number or name so far
	space bool // the latest byte was one
}

// text is the state within a text.
type text struct {
	inside  bool
	escape  int  // bytes that belong to an escape and are still to come
	first   bool // the next of them says which escape it is
	size    int
	cutting bool
}

// span is where an entry is.
type span struct {
	from, to int64 // in the archive
	end      int64 // in what was handed on
}

// newTrimmer reads JSON from an offset of an archive, where so many lists and objects are open.
func newTrimmer(ctx context.Context, from io.Reader, at int64, below int) *trimmer {
	const buffer = 64 << 10
	return &trimmer{ctx: ctx, in: bufio.NewReaderSize(from, buffer), at: at, below: below}
}

var errDeep = errors.New("it is nested too deep")

// Read reads on.
func (t *trimmer) Read(p []byte) (int, error) {
	for len(t.out) == 0 && t.err == nil {
		t.fill()
	}
	if len(t.out) == 0 {
		return 0, t.err
	}
	n := copy(p, t.out)
	t.out, t.put = t.out[n:], t.put+int64(n)
	return n, nil
}

// fill takes the next bytes of the archive.
func (t *trimmer) fill() {
	if t.err = t.ctx.Err(); t.err != nil {
		return
	}
	if _, t.err = t.in.Peek(1); t.err != nil {
		return
	}
	next, _ := t.in.Peek(t.in.Buffered())
	t.out = make([]byte, 0, len(next)+utf8.UTFMax)
	for _, c := range next {
		t.at++
		if t.text.inside {
			t.within(c)
		} else {
			t.between(c)
		}
	}
	_, _ = t.in.Discard(len(next)) // which are buffered
	if len(t.open) > maxDepth {
		t.err = errDeep
	}
}

// emit hands a byte on, unless it is left out.
func (t *trimmer) emit(c byte) {
	if t.skipping == 0 {
		t.out = append(t.out, c)
		t.spent++
	}
}

func (t *trimmer) depth() int { return t.below + len(t.open) }

func (t *trimmer) full() bool { return t.depth() >= entryDepth && t.spent >= maxEntry }

// hexDigits is how many follow \u.
const hexDigits = 4

// within takes a byte of a text.
func (t *trimmer) within(c byte) {
	w := &t.text
	if w.escape == 0 && c == '"' {
		if w.cutting {
			for _, mark := range []byte("…") { // as what was redacted
				t.emit(mark)
			}
		}
		t.emit(c)
		w.inside = false
		return
	}
	most := maxText
	if t.depth() < entryDepth {
		most = maxOther
	}
	w.cutting = w.cutting || w.escape == 0 && utf8.RuneStart(c) && (w.size >= most || t.full())
	switch {
	case w.escape > 0:
		if w.escape--; w.first && c == 'u' {
			w.escape = hexDigits
		}
		w.first = false
	case c == '\\':
		w.escape, w.first = 1, true
	}
	w.size++
	if !w.cutting {
		t.emit(c)
	}
}

// between takes a byte outside of texts.
func (t *trimmer) between(c byte) {
	if blank := c == ' ' || c == '\t' || c == '\n' || c == '\r'; blank {
		if !t.space {
			t.emit(c)
		}
		t.space, t.word = true, 0
		return
	}
	t.space = false
	switch c {
	case '"':
		t.text = text{inside: true}
		t.emit(c)
	case '{', '[':
		t.begin(c)
	case '}', ']':
		t.end(c)
	case ',':
		t.next(c)
	case ':':
		t.emit(c)
	default:
		const longest = 64 // of a number
		if t.word++; t.word <= longest {
			t.emit(c)
		}
		return
	}
	t.word = 0
}

func (t *trimmer) begin(c byte) {
	t.open = append(t.open, 0)
	if t.depth() == entryDepth {
		t.entry, t.spent = span{from: t.at - 1}, 0
	}
	t.emit(c)
}

func (t *trimmer) end(c byte) {
	if t.skipping == t.depth() {
		t.skipping = 0
	}
	t.emit(c)
	if t.depth() == entryDepth && t.skipping == 0 {
		t.entry.to, t.entry.end = t.at, t.put+int64(len(t.out))
		t.passed = append(t.passed, t.entry)
	}
	t.open = t.open[:max(0, len(t.open)-1)]
}

func (t *trimmer) next(c byte) {
	if n := len(t.open); n > 0 && t.depth() >= entryDepth && t.skipping == 0 {
		if t.open[n-1]++; t.open[n-1] >= maxItems || t.full() {
			t.skipping = t.depth()
		}
	}
	t.emit(c)
}

// entryAt is where the entry is that ends at an offset of what was handed on; false where none
// does. The entries before it are forgotten.
func (t *trimmer) entryAt(end int64) (span, bool) {
	for len(t.passed) > 0 && t.passed[0].end <= end {
		found := t.passed[0]
		if t.passed = t.passed[1:]; found.end == end {
			return found, true
		}
	}
	return span{}, false
}
