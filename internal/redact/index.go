package redact

import (
	"encoding/binary"
	"slices"
	"strings"
)

// Window is how many consecutive bytes a text may not share with a secret of more: seven characters of
// a token are of no use to anybody, and eight are shared by chance with none.
const Window = 8

const (
	// shortest is the length in bytes below which a secret is not looked for: that would garble texts.
	shortest = 3
	// shortestInside is the length from which a secret is looked for inside of words.
	shortestInside = 6
)

// secret is a text that is to be kept.
type secret struct {
	text, folded, name string
}

// window is where eight bytes are in a secret, the first one that has them.
type window struct {
	of     *secret
	at     int32
	starts []int // lengths of the secrets that begin with the window
}

// index finds secrets, and parts of them, in a text. Adding one costs what its length is, a search what
// the length of the text is, however many secrets there are.
type index struct {
	folded  map[string][]*secret // those of a window and more, by their folded text
	windows map[uint64]window
	filter  []uint64 // a bit for each window's hash
	short   map[[shortest]byte][]*secret
	begins  [256]uint32        // for each first byte of a short one, a bit for the second, of which the last five bits count
	cut     map[string]*secret // by beginnings shorter than a window, see cutOff
	public  map[uint64]bool    // windows that a part may share with a secret
}

func newIndex(public []string) index {
	x := index{folded: map[string][]*secret{}, windows: map[uint64]window{}, filter: make([]uint64, 64), short: map[[shortest]byte][]*secret{},
		cut: map[string]*secret{}, public: map[uint64]bool{}}
	for _, text := range public {
		text = fold(text)
		for i := 0; i+Window <= len(text); i++ {
			x.public[key(text[i:])] = true
		}
	}
	return x
}

// isPublic reports whether a text of a window or more is a part of the public ones.
func (x *index) isPublic(text string) bool {
	text = fold(text)
	for i := 0; i+Window <= len(text); i++ {
		if !x.public[key(text[i:])] {
			return false
		}
	}
	return true
}

func key(folded string) uint64 { return binary.LittleEndian.Uint64([]byte(folded[:Window])) }

// bit is a window's place in the filter.
func (x *index) bit(key uint64) (word int, mask uint64) {
	h := key * 0x9E3779B97F4A7C15 >> 32 & uint64(len(x.filter)*64-1)
	return int(h / 64), 1 << (h % 64)
}

func (x *index) add(s *secret) {
	if len(s.folded) >= shortestInside {
		for n := shortestInside; n < min(Window, len(s.text)); n++ {
			if x.cut[s.text[:n]] == nil {
				x.cut[s.text[:n]] = s
			}
		}
	}
	if len(s.folded) < Window {
		at := [shortest]byte([]byte(s.folded))
		x.short[at] = append(x.short[at], s)
		x.begins[at[0]] |= 1 << (at[1] % 32)
		return
	}
	x.folded[s.folded] = append(x.folded[s.folded], s)
	for i := 0; i+Window <= len(s.folded); i++ {
		k := key(s.folded[i:])
		w, known := x.windows[k]
		switch {
		case !known && (i == 0 || !x.public[k]):
			w = window{of: s, at: int32(i)}
		case i > 0:
			continue
		}
		if i == 0 && !slices.Contains(w.starts, len(s.folded)) {
			w.starts = append(slices.Clip(w.starts), len(s.folded))
		}
		x.windows[k] = w
		x.mark(k)
	}
}

// mark enters a window in the filter, which grows so that few of its bits are set.
func (x *index) mark(k uint64) {
	const sparse = 16
	if len(x.windows)*sparse <= len(x.filter)*64 {
		word, mask := x.bit(k)
		x.filter[word] |= mask
		return
	}
	x.filter = make([]uint64, 4*len(x.filter))
	for k := range x.windows {
		word, mask := x.bit(k)
		x.filter[word] |= mask
	}
}

// worth reports whether a decoded text may hold a secret, known or named: it has a window of one, or is
// plain text.
func (x *index) worth(plain []byte) bool {
	printable, k := len(plain) >= shortestInside, uint64(0)
	for i, c := range plain {
		printable = printable && ' ' <= c && c <= '~'
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		k = k>>8 | uint64(c)<<56
		if i >= Window-1 {
			if word, mask := x.bit(k); x.filter[word]&mask != 0 {
				return true
			}
		}
	}
	return printable
}

// hit is where a text has a secret, or a part of it.
type hit struct {
	of       *secret
	from, to int
}

// find calls found for what a text has of secrets; folded is the text in small letters.
func (x *index) find(text, folded string, found func(hit)) {
	if len(x.short) > 0 {
		x.findShort(text, folded, found)
	}
	until := map[*secret]int(nil) // up to where a part of a secret was found
	k := uint64(0)
	for end := range len(folded) {
		k = k>>8 | uint64(folded[end])<<56
		i := end - Window + 1
		if i < 0 {
			continue
		}
		if word, mask := x.bit(k); x.filter[word]&mask == 0 {
			continue
		}
		w, known := x.windows[k]
		if !known {
			continue
		}
		for _, n := range w.starts {
			if i+n <= len(folded) {
				for _, s := range x.folded[folded[i:i+n]] {
					found(hit{s, i, i + n})
				}
			}
		}
		if i < until[w.of] || x.public[k] {
			continue
		}
		h := extended(hit{w.of, i, i + Window}, int(w.at), folded)
		if until == nil {
			until = map[*secret]int{}
		}
		until[w.of] = h.to - Window + 1
		found(h)
	}
}

// extended is a hit as far as the text agrees with the secret, in which it begins at so many bytes.
func extended(h hit, at int, folded string) hit {
	secret := h.of.folded
	end := at + Window
	for at > 0 && h.from > 0 && folded[h.from-1] == secret[at-1] {
		at, h.from = at-1, h.from-1
	}
	for end < len(secret) && h.to < len(folded) && folded[h.to] == secret[end] {
		end, h.to = end+1, h.to+1
	}
	return h
}

func (x *index) findShort(text, folded string, found func(hit)) {
	for i := 0; i+shortest <= len(folded); i++ {
		if x.begins[folded[i]]&(1<<(folded[i+1]%32)) == 0 {
			continue
		}
		for _, s := range x.short[[shortest]byte([]byte(folded[i:i+shortest]))] {
			if strings.HasPrefix(text[i:], s.text) && (len(s.text) >= shortestInside || isWord(text, i, i+len(s.text))) {
				found(hit{s, i, i + len(s.text)})
			}
		}
	}
}

// isWord reports whether a part of a text has no letters and digits beside it.
func isWord(text string, from, to int) bool {
	return (from == 0 || !isAlphanumeric(text[from-1])) && (to == len(text) || !isAlphanumeric(text[to]))
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// cutOff calls found for beginnings of secrets that a cut has left before its mark, and that are
// shorter than a window.
func (x *index) cutOff(s string, found func(hit)) {
	const mark = "…"
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return
		}
		end := at + i
		for n := min(end, Window-1); n >= shortestInside; n-- {
			if known := x.cut[s[end-n:end]]; known != nil {
				found(hit{known, end - n, end})
				break
			}
		}
		at = end + len(mark)
	}
}

// fold puts ASCII letters in lower case, byte by byte.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if c := b[i]; 'A' <= c && c <= 'Z' {
					b[i] = c + 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
