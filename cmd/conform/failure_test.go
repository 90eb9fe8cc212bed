//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestReproducibleRefusesEndpointsThatAreNone asks for a failure where no endpoint is.
func TestReproducibleRefusesEndpointsThatAreNone(t *testing.T) {
	r := withStories(kept)
	r.Rules[0].Checks[0].Reproduction = &result.Reproduction{}
	for endpoint, found := range map[int]bool{0: true, 10: true, 9: false, 23: false, -1: false} {
		_, err := reproducible(r, r.Rules[0].ID, endpoint)
		if (err == nil) != found || err != nil && endpoint != 9 && !strings.Contains(err.Error(), "--endpoint") {
			t.Errorf("at %d: %v", endpoint, err)
		}
	}
}
