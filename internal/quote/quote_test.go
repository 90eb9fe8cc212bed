package quote_test

import (
	"testing"

	"github.com/socialfeed/conform/internal/quote"
)

func TestShell(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":              `''`,
		"plain":         `'plain'`,
		"$HOME `id` \\": "'$HOME `id` \\'",
		"it's":          `'it'\''s'`,
		"''":            `''\'''\'''`,
		"two\nlines":    "'two\nlines'",
	} {
		if got := quote.Shell(text); got != want {
			t.Errorf("Shell(%q) is %s, not %s", text, got, want)
		}
	}
}
