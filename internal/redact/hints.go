package redact

import "strings"

// needles are such that a text without any of them, in letters of any size, and without escapes holds
// nothing that a name tells of.
var needles = append([]string{"://", "bearer ", "basic "}, hints[:]...)

// begins has, for each first byte of a needle, a bit for the second one, of which the last five bits count.
var begins = func() (bits [256]uint32) {
	for _, n := range needles {
		bits[n[0]] |= 1 << (n[1] % 32)
	}
	return bits
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

// mayTell reports whether names may tell of a secret in a text, its escapes decoded. It is quick if
// they do not.
func mayTell(text string) bool {
	before := byte(0)
	for i := 0; i < len(text); i++ {
		c := small[text[i]]
		switch c {
		case '\\', '%', '+', '&':
			return true
		}
		if begins[before]&(1<<(c%32)) != 0 {
			for _, n := range needles {
				if len(text)-i+1 >= len(n) && strings.EqualFold(text[i-1:i-1+len(n)], n) {
					return true
				}
			}
		}
		before = c
	}
	return false
}
