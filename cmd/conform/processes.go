package main

import (
	"bufio"
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
	Ask      *ask                  `json:"ask,omitempty"`
	Result   *conformance.Result   `json:"result,omitempty"`
}

// ask is a child's wish to send requests: the rate is shared by all processes.
// The parent answers, when it grants it, with one line on the child's input.
type ask struct {
	Category conformance.Category `json:"category"`
	Requests int                  `json:"requests"`
}

// stopWait is how long a child may take to clean up after it is told to stop.
const stopWait = 100 * time.Second

// play plays one part in a child process.
func (p processes) play(ctx context.Context, part conformance.Part) (conformance.Result, error) {
	child := exec.CommandContext(ctx, p.program, playCommandName)
	child.Cancel = func() error { return interrupt(child.Process) }
	child.WaitDelay = stopWait
	ownGroup(child)
	var complaints strings.Builder
	child.Stderr = &complaints
	input, err := child.StdinPipe()
	if err != nil {
		return conformance.Result{}, fmt.Errorf("speaking to a process: %w", err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		return conformance.Result{}, fmt.Errorf("listening to a process: %w", err)
	}
	if err := child.Start(); err != nil {
		return conformance.Result{}, fmt.Errorf("starting a process: %w", err)
	}
	result, heard := p.converse(ctx, part, input, output)
	if err := child.Wait(); err != nil && ctx.Err() == nil {
		return conformance.Result{}, fmt.Errorf("process for shard %d/%d: %w: %s",
			part.Shard.Index, part.Shard.Of, err, strings.TrimSpace(complaints.String()))
	}
	return result, heard
}

// converse tells a child its part and hears it out, up to its result.
func (p processes) converse(ctx context.Context, part conformance.Part, input io.WriteCloser, output io.Reader) (conformance.Result, error) {
	defer input.Close()
	if err := json.NewEncoder(input).Encode(order{p.config, part.Shard}); err != nil {
		return conformance.Result{}, fmt.Errorf("telling a process its part: %w", err)
	}
	// Leave is also given after an interrupt: a child cleans up then.
	granting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	decoder := json.NewDecoder(output)
	for {
		var w word
		if err := decoder.Decode(&w); err != nil {
			return conformance.Result{}, fmt.Errorf("a process ended without a result: %w", err)
		}
		switch {
		case w.Result != nil:
			return *w.Result, nil
		case w.Progress != nil:
			part.Progress(*w.Progress)
		case w.Ask != nil:
			go grant(granting, part.Permit, *w.Ask, input)
		}
	}
}

// grant answers a child once leave is given. A child that has ended by then
// hears nothing of it.
func grant(ctx context.Context, permit conformance.Permit, a ask, input io.Writer) {
	if permit(ctx, a.Category, a.Requests) == nil {
		_, _ = io.WriteString(input, "\n")
	}
}

const playCommandName = "play-shard"

// playCommand is the child's side.
func playCommand(std streams) *cobra.Command {
	return &cobra.Command{
		Use: playCommandName, Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			input := bufio.NewReader(std.in)
			line, err := input.ReadBytes('\n')
			if err != nil {
				return fmt.Errorf("reading what to play: %w", err)
			}
			var o order
			if err := json.Unmarshal(line, &o); err != nil {
				return fmt.Errorf("understanding what to play: %w", err)
			}
			j, err := conformance.New(o.Config, scenarios.Register)
			if err != nil {
				return err
			}
			parent := hear(input, std.out)
			played := make(chan conformance.Result, 1)
			go func() {
				played <- j.Play(cmd.Context(), conformance.Part{Shard: o.Shard, Progress: parent.progress, Permit: parent.permit})
			}()
			select {
			case result := <-played:
				return parent.say(word{Result: &result})
			case <-parent.gone:
				return errOrphaned
			}
		},
	}
}

// parent is the child's end of the conversation.
type parent struct {
	grants chan struct{} // one value for each answer
	gone   chan struct{} // closed when the parent is
	out    *json.Encoder
}

// errOrphaned ends a child whose parent was killed: nobody is left to give it
// leave, or to hear its result.
var errOrphaned = errors.New("the parent process is gone")

// hear listens to the parent's answers, up to the end of the input. An answer
// that came too late for who asked waits for the next one.
func hear(input io.ByteReader, out io.Writer) *parent {
	const late = 64 // more than are ever under way
	p := &parent{grants: make(chan struct{}, late), gone: make(chan struct{}), out: json.NewEncoder(out)}
	go func() {
		defer close(p.gone)
		for {
			if _, err := input.ReadByte(); err != nil {
				return
			}
			p.grants <- struct{}{}
		}
	}()
	return p
}

func (p *parent) say(w word) error {
	if err := p.out.Encode(w); err != nil {
		return fmt.Errorf("telling the parent process: %w", err)
	}
	return nil
}

// progress is for a person's sake: a parent that does not hear it will not hear
// the result either, and that is an error.
func (p *parent) progress(now conformance.Progress) { _ = p.say(word{Progress: &now}) }

// permit asks the parent for leave.
func (p *parent) permit(ctx context.Context, c conformance.Category, requests int) error {
	if err := p.say(word{Ask: &ask{c, requests}}); err != nil {
		return err
	}
	select {
	case <-p.grants:
		return ctx.Err()
	case <-p.gone:
		return errOrphaned
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
