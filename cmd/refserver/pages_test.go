package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

func TestPagesNameCommandsThereAre(t *testing.T) {
	t.Parallel()
	testkit.KnowsItsPages(t, newCommand(io.Discard), filepath.Join("..", ".."), 20)
}
