package store

import "sync/atomic"

// encoding keeps what one state of a row is encoded as. The copies of a row that
// the store gives away share it.
type encoding struct{ text atomic.Pointer[[]byte] }

// Encoded returns what encode makes of the event, and asks it once for each state
// of the event. It is of no use for an event that was altered outside the store.
func (e *Event) Encoded(encode func(*Event) []byte) []byte { return encoded(e.encoding, e, encode) }

// Encoded is as with Event.
func (u *User) Encoded(encode func(*User) []byte) []byte { return encoded(u.encoding, u, encode) }

// EncodedInPassing is Encoded without the cache: for one of many users, which may not be read again.
func (u *User) EncodedInPassing(encode func(*User) []byte) []byte {
	if u.encoding != nil {
		if text := u.encoding.text.Load(); text != nil {
			return *text
		}
	}
	return encode(u)
}

func encoded[T any](kept *encoding, row *T, encode func(*T) []byte) []byte {
	if kept == nil {
		return encode(row)
	}
	if text := kept.text.Load(); text != nil {
		return *text
	}
	text := encode(row)
	kept.text.Store(&text)
	return text
}
