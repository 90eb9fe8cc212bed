// Command refserver serves the contract from memory, as a local fake for client developers.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/socialfeed/conform/refserver/child"
)

func main() {
	ctx, again := interruptible(context.Background())
	os.Exit(program{os.Stdout, os.Stderr, again}.run(ctx, os.Args[1:]))
}

// interruptible returns a context that the first signal to stop ends, and one that the second one
// ends: what has begun to stop then hurries.
func interruptible(parent context.Context) (ctx, again context.Context) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	ctx, stop := context.WithCancelCause(parent)
	again, hurry := context.WithCancelCause(parent)
	go func() {
		stop(child.Interrupted{By: (<-signals).(syscall.Signal)})
		hurry(child.Interrupted{By: (<-signals).(syscall.Signal)})
	}()
	return ctx, again
}
