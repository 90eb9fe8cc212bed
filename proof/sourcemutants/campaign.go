package sourcemutants

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Campaign says which mutants are judged, and how.
type Campaign struct {
	Root   string // of the module
	Folder string // for all that is made on the way
	Seed   int64  // of the sample, and of the runs
	Only   string // if set, a part of the keys of those that the sample is drawn of
	Sample int    // how many are judged
	AtOnce int
	Deep   time.Duration // for which stories are drawn against what a plain run does not find; 0 for none
	// DeepFor says of which mutants that a plain run does not find.
	DeepFor func(Mutant) bool
	Known   map[string]Outcome // of an earlier run, by key: is not judged again
	Told    func(Outcome)      // gets each outcome, from one goroutine at a time
}

// Run judges a sample of the mutants, each plain first.
func (c Campaign) Run(ctx context.Context) ([]Outcome, error) {
	program, err := Build(ctx, c.Root, c.Folder)
	if err != nil {
		return nil, err
	}
	conform := filepath.Join(c.Folder, "conform")
	if err := goBuild(ctx, c.Root, conform, "./cmd/conform"); err != nil {
		return nil, err
	}
	reports := filepath.Join(c.Folder, "reports")
	if err := os.Mkdir(reports, 0o700); err != nil {
		return nil, fmt.Errorf("making a folder for reports: %w", err)
	}
	judge := &Judge{Program: program, Conform: conform, Folder: reports, Seed: c.Seed}
	if err := judge.Baseline(ctx); err != nil {
		return nil, err
	}
	asked := slices.DeleteFunc(program.Mutants, func(m Mutant) bool { return !strings.Contains(m.Key(), c.Only) })
	return c.judge(ctx, judge, Sample(asked, c.Seed, c.Sample))
}

func (c Campaign) judge(ctx context.Context, judge *Judge, sample []Mutant) ([]Outcome, error) {
	outcomes := make([]Outcome, len(sample))
	told := make(chan Outcome)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for o := range told {
			c.Told(o)
		}
	}()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.AtOnce)
	for i, m := range sample {
		group.Go(func() error {
			o, err := c.fateOf(ctx, judge, m)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Key(), err)
			}
			outcomes[i] = o
			told <- o
			return nil
		})
	}
	err := group.Wait()
	close(told)
	<-done
	return outcomes, err
}

// fateOf judges one mutant plain, and then deep where that is green and asked for.
func (c Campaign) fateOf(ctx context.Context, judge *Judge, m Mutant) (Outcome, error) {
	o, known := c.Known[m.Key()]
	// An edit of the source may have moved the key to another place, and a busy machine is slow.
	if known = known && o.Line == m.Line && o.Fate != TimedOut; !known {
		var err error
		if o, err = judge.Judge(ctx, m, 0); err != nil {
			return o, err
		}
	}
	o.Mutant = m
	if c.Deep <= o.Deep || o.Fate != Survived || !c.DeepFor(m) {
		return o, nil
	}
	deep, err := judge.Judge(ctx, m, c.Deep)
	if deep.Fate == Killed {
		return deep, err
	}
	o.Deep, o.Requests = c.Deep, deep.Requests
	return o, err
}
