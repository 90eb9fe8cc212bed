package wire

import "time"

// Observed completes an exchange between others that a recorder saw: when it began, and how long
// the whole bodies were.
func (x *Exchange) Observed(started time.Time, sentSize, size int) *Exchange {
	x.started, x.sentSize, x.size = started, sentSize, size
	return x
}

// Decoded spares decoding bodies that were decoded before.
func (x *Exchange) Decoded(sent any, sentErr error, received any, receivedErr error) {
	x.sent.once.Do(func() { x.sent.value, x.sent.err = sent, sentErr })
	x.received.once.Do(func() { x.received.value, x.received.err = received, receivedErr })
}
