package store

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkSearch searches for one user of many, once the blocks are indexed.
func BenchmarkSearch(b *testing.B) {
	for _, users := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("users=%d", users), func(b *testing.B) {
			s, err := New(Policy{}, time.Now)
			if err != nil {
				b.Fatal(err)
			}
			for i := range users {
				if _, err := s.CreateUser(1, User{UserName: fmt.Sprintf("person%07d", i), Email: fmt.Sprintf("person%07d@example.com", i), FirstName: "Ann", LastName: "Person"}); err != nil {
					b.Fatal(err)
				}
			}
			term := fmt.Sprintf("person%07d@", users/2)
			for began := time.Now(); !s.indexed(1); {
				if found, _ := s.Search(1, term); len(found) != 1 || time.Since(began) > time.Minute {
					b.Fatalf("found %d users, and the index is not made after a minute", len(found))
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := s.Search(1, term); len(found) != 1 {
					b.Fatalf("found %d users", len(found))
				}
			}
		})
	}
}
