// Command conform judges a Social Activity Feed Service against its contract.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// memoryLimit is the heap size from which on the garbage collector works harder, in bytes:
// half of what a run may take.
const memoryLimit = 96 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), endingSignals()...)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a reader that has gone does not change the verdict
	last := &lastActs{}
	context.AfterFunc(ctx, func() { endAtNextSignal(last) })
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, program: called(os.Args), last: last}))
}

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }

// endAtNextSignal ends the program at the next signal, with its last acts and without the rest of
// its clean-up. The default would not: Ginkgo handles signals, too.
func endAtNextSignal(last *lastActs) {
	next := make(chan os.Signal, 1)
	signal.Notify(next, endingSignals()...)
	code := 128 // plus the signal's number, as in a shell
	if number, ok := (<-next).(syscall.Signal); ok {
		code += int(number)
	}
	last.do()
	os.Exit(code)
}

// called is the name of the program for commands to paste: its path if it is not on the
// search path.
func called(args []string) string {
	if len(args) == 0 || args[0] == "" {
		return "conform"
	}
	return args[0]
}
