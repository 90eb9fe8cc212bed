package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/like"
)

// likeInto chooses what makes the server behave like the one of a report.
func (set *settings) likeInto(first *control.Settings) error {
	if set.like == "" {
		return nil
	}
	file, err := os.Open(set.like)
	if err != nil {
		return fmt.Errorf("--like: %w", err)
	}
	defer file.Close()
	observed, err := like.Read(file)
	if err != nil {
		return fmt.Errorf("--like %s: %w", set.like, err)
	}
	fit := like.Of(observed)
	for name, value := range fit.Choose {
		first.Choose[name] = value
	}
	set.fit = &fit
	return nil
}

// tellFit says what the server does like the one of the report, and what it does not.
func (set *settings) tellFit(out io.Writer) {
	if set.fit == nil {
		return
	}
	var chosen []string
	for name, value := range set.fit.Choose {
		chosen = append(chosen, name+"="+value)
	}
	slices.Sort(chosen)
	if len(chosen) == 0 {
		chosen = []string{"the default choices"}
	}
	fmt.Fprintf(out, "refserver: like the server of %s: %s\n", set.like, strings.Join(chosen, ", "))
	told := map[string]bool{}
	for _, choice := range set.fit.Other {
		if line := fmt.Sprintf("%.60q: %.200q", choice.Rule, choice.Answer); !told[line] {
			told[line] = true
			fmt.Fprintf(out, "refserver: unlike it, since no choice does the same: %s\n", line)
		}
	}
	fmt.Fprintf(out, "refserver: the report cannot tell, and --choose sets: %s\n", strings.Join(set.fit.Untold, ", "))
}
