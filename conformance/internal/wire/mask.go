package wire

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

type piece = result.Piece

// pattern is one spelling of a secret to look for.
type pattern struct {
	text    string
	folded  string // in lower case
	name    string // the variable of a whole match
	anyCase bool   // a match in another case is called the same
	encoded []piece
}

// minRun is how long a part of the pattern must be to be hidden, in bytes: half a secret
// must not show either.
func (p *pattern) minRun() int {
	if len(p.text) <= seedSize {
		return len(p.text)
	}
	return min(2*seedSize, len(p.text)-1)
}

// seedSize is how many bytes of a pattern show where a full comparison is worth it.
const seedSize = 8

// seed is a place in a pattern.
type seed struct {
	of *pattern
	at int
}

// patterns finds secrets in texts. Adding one costs no more than its length.
type patterns struct {
	halves map[string]*pattern            // the secrets by each of their short beginnings, see cutOff
	short  map[[minSecret]byte][]*pattern // those shorter than a seed, by their beginnings
	seeds  map[[seedSize]byte][]seed
}

func newPatterns() *patterns {
	return &patterns{halves: map[string]*pattern{}, short: map[[minSecret]byte][]*pattern{}, seeds: map[[seedSize]byte][]seed{}}
}

// add adds a secret in the spellings that a server may give it.
func (ps *patterns) add(secret, name string) {
	plain := &pattern{text: secret, name: name}
	ps.addOne(plain)
	for n := MinSecretEcho; n <= min(len(secret), longestHalf); n++ {
		if ps.halves[secret[:n]] == nil {
			ps.halves[secret[:n]] = plain
		}
	}
	if len(secret) < MinSecretEcho {
		return
	}
	ps.addOne(&pattern{text: hex.EncodeToString([]byte(secret)), name: name + "_HEX", anyCase: true})
	for before := range 3 {
		encoded := base64Inside(secret, before)
		ps.addOne(&pattern{text: encoded, name: name + "_BASE64"})
		if forURLs := strings.NewReplacer("+", "-", "/", "_").Replace(encoded); forURLs != encoded {
			ps.addOne(&pattern{text: forURLs, name: name + "_BASE64"})
		}
	}
}

// base64Inside is the part of a text's base64 that its neighbours do not change, where so
// many bytes stand before it.
func base64Inside(text string, before int) string {
	whole := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), text...))
	return whole[(before*8+5)/6 : (before+len(text))*8/6]
}

func (ps *patterns) addOne(p *pattern) {
	p.folded = foldASCII(p.text)
	if len(p.folded) < seedSize {
		key := [minSecret]byte([]byte(p.folded))
		ps.short[key] = append(ps.short[key], p)
		return
	}
	add := func(at int) {
		key := [seedSize]byte([]byte(p.folded[at:]))
		ps.seeds[key] = append(ps.seeds[key], seed{p, at})
	}
	last := len(p.folded) - seedSize
	for at := 0; at < last; at += seedSize {
		add(at)
	}
	add(last)
}

// match is where a text holds a pattern, or enough of it.
type match struct {
	of       *pattern
	from, to int // in the text as it stands
	name     string
}

// find lists the matches in a text; at tells for each of its bytes, and for its
// end, where it stands in the original.
func (ps *patterns) find(text string, at func(int) int) []match {
	folded := foldASCII(text)
	var found []match
	seen := map[*pattern]int{} // up to where a pattern was matched
	partFrom, partTo := -1, -1 // the latest partial match, reported for one pattern only: the passwords of a run begin alike
	add := func(p *pattern, from, to int) {
		name := p.name
		switch {
		case to-from < len(p.text):
			name += "_PART"
		case !p.anyCase && text[from:to] != p.text:
			name += "_RECASED"
		}
		seen[p] = to
		found = append(found, match{p, at(from), at(to), name})
	}
	for i := 0; i+minSecret <= len(folded); i++ {
		for _, p := range ps.short[[minSecret]byte([]byte(folded[i:]))] {
			if strings.HasPrefix(text[i:], p.text) { // too short to be found in another case
				add(p, i, i+len(p.text))
			}
		}
		if i+seedSize > len(folded) {
			continue
		}
		for _, s := range ps.seeds[[seedSize]byte([]byte(folded[i:]))] {
			from, to := s.run(folded, i)
			part := to-from < len(s.of.text)
			if to-from < s.of.minRun() || part && from == partFrom && to == partTo || i < seen[s.of] {
				continue
			}
			if part {
				partFrom, partTo = from, to
			}
			add(s.of, from, to)
		}
	}
	return found
}

// run is how far a text agrees with the seed's pattern around the seed.
func (s seed) run(text string, i int) (from, to int) {
	from, to = i, i+seedSize
	for at := s.at; at > 0 && from > 0 && text[from-1] == s.of.folded[at-1]; at-- {
		from--
	}
	for at := s.at + seedSize; at < len(s.of.folded) && to < len(text) && text[to] == s.of.folded[at]; at++ {
		to++
	}
	return from, to
}

// foldASCII puts ASCII letters in lower case, byte by byte.
func foldASCII(s string) string {
	if !strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// cutOff lists the beginnings of secrets that a cut has left in front of its
// mark, and that are too short to be found as runs.
func (ps *patterns) cutOff(s string) []match {
	const cut = "…"
	var found []match
	for at := 0; ; {
		i := strings.Index(s[at:], cut)
		if i < 0 {
			return found
		}
		end := at + i
		for n := min(end, longestHalf); n >= MinSecretEcho; n-- {
			if p := ps.halves[s[end-n:end]]; p != nil {
				found = append(found, match{p, end - n, end, p.name + "_PART"})
				break
			}
		}
		at = end + len(cut)
	}
}

// longestHalf is the length in bytes from which a secret's beginning is found as a run.
const longestHalf = 2 * seedSize

// cutUp cuts a text at its matches. Where they overlap, the longer one is whole
// and nothing of the other is left; of two alike, a secret goes before the part of one.
func cutUp(s string, matches []match) []piece {
	if len(matches) == 0 {
		return []piece{{Text: s}}
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(strings.Count(a.name, "_PART"), strings.Count(b.name, "_PART")), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.from, b.from))
	})
	owner := make([]int, len(s)) // 1 + the match that hides the byte, 0 for none
	for i, m := range matches {
		for k := m.from; k < m.to; k++ {
			if owner[k] == 0 {
				owner[k] = i + 1
			}
		}
	}
	var pieces []piece
	for from := 0; from < len(s); {
		to := from + 1
		for to < len(s) && owner[to] == owner[from] {
			to++
		}
		p := piece{Text: s[from:to]}
		if owner[from] > 0 {
			p.Var = partName(matches[owner[from]-1], from, to)
			if m := matches[owner[from]-1]; m.of != nil && p.Var == m.of.name {
				p.Base64 = m.of.encoded
			}
		}
		pieces = append(pieces, p)
		from = to
	}
	return pieces
}

func partName(m match, from, to int) string {
	if (from > m.from || to < m.to) && !strings.HasSuffix(m.name, "_PART") {
		return m.name + "_PART"
	}
	return m.name
}
