package redact

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// A run has hundreds of passwords that begin alike.
func known(n int) (*Secrets, []string) {
	s, all := New(), make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("0011223344556677%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))[:64]
		s.Add(all[i], "PASSWORD")
	}
	return s, all
}

func BenchmarkAdd(b *testing.B) {
	const n = 500
	for b.Loop() {
		known(n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/secret")
}

// BenchmarkHarmlessText searches a feed that holds no secret.
func BenchmarkHarmlessText(b *testing.B) {
	s, _ := known(500)
	text := strings.Repeat(`{"id":"5","user_id":"12","verb":"liked","language":"en","created_at":"2026-01-02T12:00:00Z","metadata":{"mood":"fine"}},`, 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.All(text, Loose)
	}
}

// BenchmarkEscapes searches a text in which everything may be an escape.
func BenchmarkEscapes(b *testing.B) {
	s, all := known(500)
	text := strings.Repeat(`{"password":"a\"b%41+&amp;`+all[3]+`"},`, 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.All(text, Loose)
	}
}
