package redact

import "strings"

// view is a text as it reads once it is decoded, and where that is in the text as it stands.
type view struct {
	plain      string
	folded     string
	form       Form
	start, end func(int) int // of a byte of the decoded text, of the byte before
}

// rounds is how often escapes in escapes are decoded.
const rounds = 4

// views calls look for a text as it stands, with its escapes decoded, and for what is encoded in it.
func views(text string, look func(view)) {
	same := func(i int) int { return i }
	whole := view{text, fold(text), Plain, same, same}
	look(whole)
	encoded(whole, look)
	kinds := 0
	for _, e := range escapes {
		if strings.IndexByte(text, e.mark) < 0 {
			continue
		}
		kinds++
		if plain, at := Unescape(text, e.decode); plain != text {
			look(view{plain, fold(plain), Plain, at.of, at.of})
		}
	}
	if kinds == 0 {
		return
	}
	inner, places := text, positions(nil)
	for range rounds {
		plain, at := Unescape(inner, anyEscape)
		if plain == inner {
			return
		}
		if inner, places = plain, at.through(places); strings.TrimSpace(inner) == "" {
			return
		}
		v := view{inner, fold(inner), Plain, places.of, places.of}
		look(v)
		encoded(v, look)
	}
}

// positions has, for each byte of a decoded text and for its end, its place in the original; nil is a
// text that is the original.
type positions []int32

func (p positions) of(i int) int { return int(p[i]) }

// through are the places in the text that the original was decoded from.
func (p positions) through(outer positions) positions {
	if outer != nil {
		for i := range p {
			p[i] = outer[p[i]]
		}
	}
	return p
}

const (
	base64Of8 = 11 // characters of base64 that hold eight bytes at the least
	hexOf8    = 16
)

// encoded calls look for each text that is encoded in base64, or in hexadecimal digits.
func encoded(v view, look func(view)) {
	text := v.plain
	for from := 0; from < len(text); {
		if base64Value[text[from]] < 0 {
			from++
			continue
		}
		to, digits := from, true
		for to < len(text) && base64Value[text[to]] >= 0 {
			digits = digits && hexValue(text[to]) >= 0
			to++
		}
		if to-from >= base64Of8 {
			for shift := range 4 {
				lookInside(v, from+shift, to, look, decodeBase64, 4, 3, Base64)
			}
		}
		if digits && to-from >= hexOf8 {
			for shift := range 2 {
				lookInside(v, from+shift, to, look, decodeHex, 2, 1, Hex)
			}
		}
		from = to
	}
}

// lookInside looks at a part of a view that encodes a text: each of its bytes with so many characters of
// so many.
func lookInside(v view, from, to int, look func(view), decode func(string) string, characters, bytes int, form Form) {
	if plain := decode(v.plain[from:to]); len(plain) >= Window {
		look(view{plain, fold(plain), form,
			func(i int) int { return v.start(from + i*characters/bytes) },
			func(i int) int { return v.end(min(to, from+(i*characters+bytes-1)/bytes)) }})
	}
}

// base64Value are the values of base64's characters, in both alphabets, and -1 for any other.
var base64Value = func() (values [256]int8) {
	for i := range values {
		values[i] = -1
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		values[c] = int8(i)
	}
	values['-'], values['_'] = values['+'], values['/']
	return values
}()

func decodeBase64(text string) string {
	plain := make([]byte, 0, len(text)*3/4)
	bits, n := uint32(0), 0
	for i := 0; i < len(text); i++ {
		bits, n = bits<<6|uint32(base64Value[text[i]]), n+6
		if n >= 8 {
			n -= 8
			plain = append(plain, byte(bits>>n))
		}
	}
	return string(plain)
}

func decodeHex(text string) string {
	plain := make([]byte, len(text)/2)
	for i := range plain {
		plain[i] = byte(hexValue(text[2*i])<<4 | hexValue(text[2*i+1]))
	}
	return string(plain)
}

func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
