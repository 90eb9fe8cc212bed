package main

import (
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// TestRunsBesideOneAnother has three runs judge one target with one app token at the same time: none
// disturbs another, and none leaves anything behind.
func TestRunsBesideOneAnother(t *testing.T) {
	t.Parallel()
	target := reference(t, func(o *refserver.Options) { o.RateLimit = -1 })
	flags := append(serve(t, target), "--second-app-token", secondAppToken, "--jobs", "3")
	t.Run("runs", func(t *testing.T) {
		for range 3 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				judged(t, flags...).wants(t, exitConformant)
			})
		}
	})
	empty(t, target)
}
