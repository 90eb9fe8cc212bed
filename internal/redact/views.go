package redact

import "strings"

// view is a decoded text, and its place in the text before decoding.
type view struct {
	plain      string
	folded     string
	form       Form
	start, end func(int) int // of a byte of the decoded text, of the byte before
}

// rounds is how often escapes in escapes are decoded.
const rounds = 4

// views calls look for a text as it stands, with its escapes decoded, and for what is encoded in it as far
// as that is worth a look; nil is that none of it is.
func views(text string, worth func(plain []byte) bool, look func(view)) {
	same := func(i int) int { return i }
	whole := view{text, fold(text), Plain, same, same}
	look(whole)
	encoded(whole, worth, look)
	var kinds []kindOfEscape
	for _, e := range escapes {
		if strings.IndexByte(text, e.mark) >= 0 {
			kinds = append(kinds, e)
		}
	}
	for _, e := range kinds {
		if len(kinds) == 1 && e.mark != '+' {
			break // the first round below decodes the same
		}
		if plain, at := Unescape(text, e.decode); plain != text {
			look(view{plain, fold(plain), Plain, at.of, at.of})
		}
	}
	if len(kinds) == 0 {
		return
	}
	inner, places := text, positions(nil)
	for range rounds {
		if !mayEscape(inner) {
			return
		}
		plain, at := Unescape(inner, anyEscape)
		if plain == inner {
			return
		}
		inner, places = plain, at.through(places)
		v := view{inner, fold(inner), Plain, places.of, places.of}
		look(v)
		if strings.TrimSpace(inner) == "" {
			return
		}
		encoded(v, worth, look)
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
	base64OfSecret = 8 // characters of base64 that hold a secret at the least
	hexOfSecret    = 12
)

// encoding is a way in which texts are encoded: so many bytes in so many characters.
type encoding struct {
	form              Form
	bytes, characters int
	decode            func(to []byte, text string) []byte
}

var (
	inBase64 = encoding{Base64, 3, 4, decodeBase64}
	inHex    = encoding{Hex, 1, 2, decodeHex}
)

// encoded calls look for each text that is encoded in base64, or in hexadecimal digits.
func encoded(v view, worth func([]byte) bool, look func(view)) {
	if worth == nil {
		return
	}
	text, plain := v.plain, make([]byte, 0, 256)
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
		try := func(at int, e encoding) {
			if plain = e.decode(plain[:0], text[at:to]); worth(plain) {
				look(inside(v, at, to, string(plain), e))
			}
		}
		if to-from >= base64OfSecret {
			for shift := range inBase64.characters {
				try(from+shift, inBase64)
			}
		}
		if digits && to-from >= hexOfSecret {
			for shift := range inHex.characters {
				try(from+shift, inHex)
			}
		}
		from = to
	}
}

// inside is the text that a part of a view encodes.
func inside(v view, from, to int, plain string, e encoding) view {
	return view{plain, fold(plain), e.form,
		func(i int) int { return v.start(from + i*e.characters/e.bytes) },
		func(i int) int { return v.end(min(to, from+(i*e.characters+e.bytes-1)/e.bytes)) }}
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

func decodeBase64(plain []byte, text string) []byte {
	bits, n := uint32(0), 0
	for i := 0; i < len(text); i++ {
		bits, n = bits<<6|uint32(base64Value[text[i]]), n+6
		if n >= 8 {
			n -= 8
			plain = append(plain, byte(bits>>n))
		}
	}
	return plain
}

func decodeHex(plain []byte, text string) []byte {
	for i := 0; i+1 < len(text); i += 2 {
		plain = append(plain, byte(hexValue(text[i])<<4|hexValue(text[i+1])))
	}
	return plain
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
