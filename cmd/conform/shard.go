package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

const (
	// autoShard takes the index from the pod's environment.
	autoShard = "auto"
	// completionIndex is set by Kubernetes in each pod of an Indexed Job, from 0.
	completionIndex = "JOB_COMPLETION_INDEX"
)

// readShard reads --shard, if it is given.
func (s *settings) readShard() (err error) {
	if s.shard == "" {
		return nil
	}
	if s.config.Shard, err = parseShard(s.shard); err == nil && s.config.RateLimits && s.config.Shard.Of > 1 {
		return errors.New("--rate-limits cannot be judged beside other shards: judge them in a run of their own")
	}
	return err
}

// parseShard reads the value of --shard: I/N, or auto/N in a pod of an Indexed
// Job, which takes its index from the environment.
func parseShard(text string) (conformance.Shard, error) {
	index, of, found := strings.Cut(text, "/")
	n, err := strconv.Atoi(of)
	if !found || err != nil || n < 1 {
		return conformance.Shard{}, wrongShard(text)
	}
	if index == autoShard {
		return ownShard(n)
	}
	i, err := strconv.Atoi(index)
	if err != nil || i < 1 || n < i {
		return conformance.Shard{}, wrongShard(text)
	}
	return conformance.Shard{Index: i, Of: n}, nil
}

func wrongShard(text string) error {
	return fmt.Errorf("--shard takes I/N with 1 ≤ I ≤ N, or auto/N in a pod of an Indexed Job, got %q", text)
}

// ownShard is the shard of this pod among n.
func ownShard(n int) (conformance.Shard, error) {
	text, set := os.LookupEnv(completionIndex)
	if !set {
		return conformance.Shard{}, fmt.Errorf("--shard auto/%d: there is no %s, which Kubernetes sets in the pods of an Indexed Job; elsewhere say I/%d",
			n, completionIndex, n)
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= n {
		return conformance.Shard{}, fmt.Errorf("--shard auto/%d: %s is %q, want 0 to %d: the Job's completions are to be as many as the shards",
			n, completionIndex, text, n-1)
	}
	return conformance.Shard{Index: i + 1, Of: n}, nil
}
