package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

func TestPagesNameCommandsThereAre(t *testing.T) {
	t.Parallel()
	testkit.KnowsItsPages(t, program{stderr: io.Discard}.command(), filepath.Join("..", ".."), 20)
}
