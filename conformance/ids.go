package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/client"
)

// UnusedID makes an id of the same shape as a real one (number or string, the
// same kinds of characters in the same places) that no user or event has.
func UnusedID(like client.ID) client.ID {
	text := like.String()
	stem := strings.TrimRight(text, digits)
	if stem == "" || stem == "-" {
		return reissue(like, stem+unusedNumber(text[len(stem):]))
	}
	const enough = 8 // varied characters, or it may be another's id
	from := len(text) / 2
	const uuid, lastGroup = 36, 24
	if len(text) == uuid && strings.LastIndexByte(text, '-') == lastGroup-1 {
		from = lastGroup // the groups before it hold a UUID's version and variant, which a server may check
	}
	head, tail := text[:from], []byte(text[from:])
	varied := 0
	for i, b := range tail {
		switch {
		case strings.IndexByte(digits, b) >= 0:
			tail[i] = byte('0' + rand.IntN(10))
		case b >= 'a' && b <= 'f': // kept hexadecimal, which a UUID needs
			tail[i] = byte('a' + rand.IntN(6))
		case b >= 'A' && b <= 'F':
			tail[i] = byte('A' + rand.IntN(6))
		default:
			continue
		}
		varied++
	}
	switch candidate := head + string(tail); {
	case varied < enough: // a prefix and a short number
		return client.ParseID(stem + unusedNumber(text[len(stem):]))
	case candidate != text:
		return client.ParseID(candidate)
	}
	return UnusedID(like)
}

const digits = "0123456789"

// unusedNumber keeps the magnitude of long numbers and goes far beyond short
// ones, yet stays within 32 bits there, where a target may keep its ids.
func unusedNumber(like string) string {
	const short = 9
	if len(like) <= short {
		return strconv.Itoa(1_900_000_000 + rand.IntN(100_000_000))
	}
	tail := make([]byte, len(like)-3)
	for i := range tail {
		tail[i] = byte('0' + rand.IntN(10))
	}
	if candidate := like[:3] + string(tail); candidate != like {
		return candidate
	}
	return unusedNumber(like)
}

// reissue gives another number the form, JSON number or string, of a real id.
func reissue(like client.ID, number string) client.ID {
	literal := strconv.Quote(number)
	if form, err := json.Marshal(like); err == nil && form[0] != '"' {
		literal = number
	}
	var id client.ID
	if err := json.Unmarshal([]byte(literal), &id); err != nil {
		panic(fmt.Sprintf("an id of digits does not decode: %v", err))
	}
	return id
}
