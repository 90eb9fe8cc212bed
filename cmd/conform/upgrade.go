package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/socialfeed/conform/conformance/restarts"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/pflag"
)

// checkUpgrade refuses --upgrade where conform cannot start both targets.
func (s *compareSettings) checkUpgrade(targets []string) error {
	if !s.upgrade {
		return nil
	}
	for _, target := range targets {
		if isURL(target) {
			return fmt.Errorf("--upgrade takes two commands that start a server, got a URL: conform stops only what it starts itself")
		}
	}
	if s.newToken() != "" {
		return errors.New("--upgrade takes no token for the new target: it finds what applications of the old one have left, so both have the same")
	}
	if err := restarts.Supported(); err != nil {
		return fmt.Errorf("--upgrade: %w", err)
	}
	return nil
}

// tryUpgrade has the old target fill a database, and starts the new one on it.
func (s *compareSettings) tryUpgrade(ctx context.Context, flags *pflag.FlagSet, targets []string, std streams) (*result.Upgrade, error) {
	data, remove, err := freshData()
	if err != nil {
		return nil, err
	}
	defer remove()
	n, err := sessionOf(append(s.given(flags), targetFlag(targets[0])), std)
	if err != nil {
		return nil, err
	}
	n.line.say("having the old target fill a database, and starting the new one on it")
	n.data = data
	of := *n.settings
	of.exec = targets[1]
	old, lastOfOld, err := n.restartable()
	if err != nil {
		return nil, err
	}
	now, lastOfNew, err := (&session{settings: &of}).restartable()
	if err != nil {
		return nil, err
	}
	for _, process := range []*restarts.Command{old, now} {
		defer std.last.add(process.Close)()
		defer process.Close()
	}
	u, err := restarts.Upgrade(ctx, restarts.UpgradeConfig{Target: old.Target, Old: old, New: now, Seed: s.config.Seed})
	if errors.Is(err, restarts.ErrNothingKept) {
		return nil, noVerdict{fmt.Errorf("--upgrade: %w: both commands are to keep their data in the folder that they find as DATA in their environment", restarts.ErrNothingKept)}
	}
	if err != nil || strings.Contains(fmt.Sprint(u.Changes), restarts.Serves) {
		fmt.Fprintf(std.err, "the last lines of the old target:\n%sthe last lines of the new target:\n%s", lastOfOld.text(), lastOfNew.text())
	}
	if err != nil {
		return nil, unjudged(ctx, fmt.Errorf("--upgrade: %w", err))
	}
	return u, nil
}

// freshData is an empty folder for the data of a server, and what removes it.
func freshData() (path string, remove func(), err error) {
	if path, err = os.MkdirTemp("", "conform-data-"); err != nil {
		return "", nil, fmt.Errorf("making a folder for the data of a target: %w", err)
	}
	return path, func() { _ = os.RemoveAll(path) }, nil // what cannot be removed stays among temporary files
}
