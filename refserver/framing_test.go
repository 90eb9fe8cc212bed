package refserver

import (
	"bytes"
	"testing"
)

// FuzzFraming: however the bytes of a connection arrive, they mean the same, and
// nothing is changed but one byte of an ambiguous head.
func FuzzFraming(f *testing.F) {
	f.Add([]byte("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n"), 3)
	f.Add([]byte("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: 1\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 1)
	f.Add([]byte("POST / HTTP/1.1\nTransfer-Encoding: chunked\nContent-Length: 3\n\n"), 2)
	f.Add([]byte("Content-Length: 9223372036854775807\n\nTransfer-Encoding: chunked\n\nfffffffffffffff\n"), 5)
	f.Fuzz(func(t *testing.T, sent []byte, piece int) {
		var whole, parts framing
		atOnce, inPieces := bytes.Clone(sent), bytes.Clone(sent)
		whole.watch(atOnce)
		for rest, n := inPieces, max(1, piece%100); len(rest) > 0; rest = rest[min(n, len(rest)):] {
			parts.watch(rest[:min(n, len(rest))])
		}
		changed := 0
		for i := range sent {
			if sent[i] != atOnce[i] {
				changed++
			}
		}
		if whole.ambiguous != parts.ambiguous || changed > 1 || changed == 1 && !whole.ambiguous {
			t.Errorf("at once: %+v, %d bytes changed; in pieces: %+v", whole, changed, parts)
		}
	})
}
