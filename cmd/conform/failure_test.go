//go:build unix

package main

import (
	"slices"
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

// TestShorteningTrustsWhatTheRunTrusted takes the authority from among a report's flags.
func TestShorteningTrustsWhatTheRunTrusted(t *testing.T) {
	for want, trust := range map[string][][]string{
		"":       {nil, {"--insecure"}, {"--exec", "python3 server.py"}, {"--ca-cert"}},
		"ca.pem": {{"--ca-cert", "ca.pem"}, {"--ca-cert", "ca.pem", "--exec", "python3 server.py"}},
	} {
		for _, flags := range trust {
			if got := authorityOf(slices.Clone(flags)); got != want {
				t.Errorf("%v: %q, want %q", flags, got, want)
			}
		}
	}
}
