package redact

import "strings"

// needles are such that a text without any of them, in letters of any size, and without escapes holds
// nothing that a name tells of.
var needles = append([]string{"://", "bearer ", "basic "}, hints[:]...)

// needle tells for each two bytes, of small letters, whether a needle begins with them.
var needle = func() (begins [1 << 16]bool) {
	for _, n := range needles {
		begins[int(n[0])<<8|int(n[1])] = true
	}
	return begins
}()

// small are the bytes with ASCII letters in lower case.
var small = func() (bytes [256]byte) {
	for i := range bytes {
		bytes[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			bytes[i] += 'a' - 'A'
		}
	}
	return bytes
}()

// mayTell reports whether names may tell of a secret in a text, its escapes decoded. It is quick where
// they do not.
func mayTell(text string) bool {
	before := 0
	for i := 0; i < len(text); i++ {
		c := small[text[i]]
		switch c {
		case '\\', '%', '+', '&':
			return true
		}
		if needle[before|int(c)] && i > 0 {
			for _, n := range needles {
				if len(text)-i+1 >= len(n) && strings.EqualFold(text[i-1:i-1+len(n)], n) {
					return true
				}
			}
		}
		before = int(c) << 8
	}
	return false
}
