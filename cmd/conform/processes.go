package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/scenarios"
)

// processes plays shards in processes of their own, each a copy of this program:
// Ginkgo runs one suite at a time in a process.
type processes struct {
	program string
	config  conformance.Config
}

// order is what a child process is told, on its standard input: it holds tokens,
// which arguments and the environment would show to others.
type order struct {
	Config conformance.Config `json:"config"`
	Shard  conformance.Shard  `json:"shard"`
}

// word is what a child process says, one JSON value after the other.
type word struct {
	Progress *conformance.Progress `json:"progress,omitempty"`
	Result   *conformance.Result   `json:"result,omitempty"`
}

// stopWait is how long a child may take to clean up after it is told to stop.
const stopWait = 100 * time.Second

// play plays one shard in a child process.
func (p processes) play(ctx context.Context, shard conformance.Shard, progress func(conformance.Progress)) (conformance.Result, error) {
	config := p.config
	config.Rate = max(1, config.Rate/shardsHere(config.Shard, shard))
	input, err := json.Marshal(order{config, shard})
	if err != nil {
		return conformance.Result{}, fmt.Errorf("telling a process its part: %w", err)
	}
	child := exec.CommandContext(ctx, p.program, playCommandName)
	child.Stdin = strings.NewReader(string(input))
	child.Cancel = func() error { return interrupt(child.Process) }
	child.WaitDelay = stopWait
	ownGroup(child)
	var complaints strings.Builder
	child.Stderr = &complaints
	output, err := child.StdoutPipe()
	if err != nil {
		return conformance.Result{}, fmt.Errorf("listening to a process: %w", err)
	}
	if err := child.Start(); err != nil {
		return conformance.Result{}, fmt.Errorf("starting a process: %w", err)
	}
	result, heard := listen(output, progress)
	if err := child.Wait(); err != nil && ctx.Err() == nil {
		return conformance.Result{}, fmt.Errorf("process for shard %d/%d: %w: %s", shard.Index, shard.Of, err, strings.TrimSpace(complaints.String()))
	}
	return result, heard
}

// shardsHere is among how many processes of this machine the request rate is divided.
func shardsHere(whole, part conformance.Shard) int { return part.Of / max(1, whole.Of) }

// listen hears a child out, up to its result.
func listen(output io.Reader, progress func(conformance.Progress)) (conformance.Result, error) {
	decoder := json.NewDecoder(output)
	for {
		var w word
		if err := decoder.Decode(&w); err != nil {
			return conformance.Result{}, fmt.Errorf("a process ended without a result: %w", err)
		}
		if w.Result != nil {
			return *w.Result, nil
		}
		if w.Progress != nil {
			progress(*w.Progress)
		}
	}
}

const playCommandName = "play-shard"

// playCommand is the child's side.
func playCommand(std streams) *cobra.Command {
	return &cobra.Command{
		Use: playCommandName, Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var o order
			if err := json.NewDecoder(std.in).Decode(&o); err != nil {
				return fmt.Errorf("reading what to play: %w", err)
			}
			j, err := conformance.New(o.Config, scenarios.Register)
			if err != nil {
				return err
			}
			encoder := json.NewEncoder(std.out)
			var told error
			result := j.Play(cmd.Context(), o.Shard, func(p conformance.Progress) {
				told = errors.Join(told, encoder.Encode(word{Progress: &p}))
			})
			return errors.Join(told, encoder.Encode(word{Result: &result}))
		},
	}
}
