// Command conform judges a Social Activity Feed Service against its contract.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// memoryLimit is from where on memory is collected eagerly, in bytes: half of what a run
// may take, whatever a target sends.
const memoryLimit = 96 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a reader that has seen enough does not change the verdict
	context.AfterFunc(ctx, stop)   // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, program: called(os.Args)}))
}

// called is the program as it was called, for commands to name it so that they can
// be pasted: by its path where it is not on the search path.
func called(args []string) string {
	if len(args) == 0 || args[0] == "" {
		return "conform"
	}
	return args[0]
}
