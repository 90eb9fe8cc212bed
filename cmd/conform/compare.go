package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// compareSettings are the flags of conform compare.
type compareSettings struct {
	settings    // bound, to declare the flags of a run
	format      string
	newAppToken string
	upgrade     bool
}

// newAppToken is the flag for the token of the new target alone.
const newAppToken = "new-app-token"

// compareCommand runs the same on two targets, and says what is different.
func compareCommand(std streams) *cobra.Command {
	var s compareSettings
	cmd := &cobra.Command{
		Use:   "compare [flags] OLD NEW",
		Short: "List what changed for clients between two versions of a server",
		Long: `compare plays the same scenarios, with the same seed, on two targets, first the old one, then the
new one, and lists every difference by endpoint and rule: rules newly broken or fixed, changed
choices, requests answered with another status, fields gone or new, and answers that are slower by
more than they vary. OLD and NEW are URLs, or commands that start a server, as with --exec: a
command finds PORT, BASE_URL and APP_TOKEN in its environment, and DATA, an empty folder for its
data. If answers differ beyond the rules, both targets are played a second time, and only
differences that repeat are listed.`,
		Example: `  conform compare https://feeds.example.com https://staging.feeds.example.com
  conform compare --format markdown './server-v1' './server-v2' > changes.md
  conform compare --upgrade './server-v1 --db "$DATA/db"' './server-v2 --db "$DATA/db"'`,
		Args: arguments(2, 2, "compare takes two targets, the old one and the new one: URLs, or commands that start a server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return compareTargets(cmd.Context(), &s, cmd.Flags(), args, std)
		},
	}
	run := &cobra.Command{}
	s.bind(run)
	f := cmd.Flags()
	f.SortFlags = false
	bindDiffFormat(cmd, &s.format)
	for _, name := range []string{"app-token", "app-token-file", "second-app-token", "second-app-token-file", "ca-cert", "insecure", "allow-http",
		"rule", "part", "endpoint", "level", "skip", "jobs", "seed", "rate", "settle", "hold", "request-timeout", "timeout", "wait", "quiet", "no-color", "config"} {
		f.AddFlag(run.Flags().Lookup(name))
	}
	f.StringVar(&s.newAppToken, newAppToken, "", "`TOKEN` of an application of the new target, if it is another; better in CONFORM_NEW_APP_TOKEN")
	f.BoolVar(&s.upgrade, "upgrade", false, "also start NEW on what OLD left in DATA, and compare what both show of it; needs two commands")
	return cmd
}

// compareTargets judges both targets, and writes the differences.
func compareTargets(ctx context.Context, s *compareSettings, flags *pflag.FlagSet, targets []string, std streams) error {
	if !slices.Contains(report.DiffFormats(), s.format) {
		return fmt.Errorf("--format takes %s, got %q", strings.Join(report.DiffFormats(), ", "), s.format)
	}
	if err := s.checkUpgrade(targets); err != nil {
		return err
	}
	if s.config.Seed == 0 {
		s.config.Seed = rand.Int64N(1 << 31)
	}
	var upgrade *result.Upgrade
	if s.upgrade {
		var err error
		if upgrade, err = s.tryUpgrade(ctx, flags, targets, std); err != nil {
			return err
		}
	}
	d, err := s.compare(ctx, flags, targets, std)
	if err == nil && !d.Traffic.Empty() {
		again, unconfirmed := s.compare(ctx, flags, targets, std)
		if err = unconfirmed; err == nil {
			d.Traffic.Confirm(again.Traffic)
		}
	}
	if err != nil {
		return err
	}
	d.Upgrade = upgrade
	if err := report.Diff(std.out, s.format, d, s.layout(std.out)); err != nil && !readerGone(err) {
		return err
	}
	switch {
	case d.Noticeable():
		return exit(exitNonConformant)
	case d.Lost():
		return exit(exitNoVerdict)
	}
	return nil
}

// compare plays the same on both targets.
func (s *compareSettings) compare(ctx context.Context, flags *pflag.FlagSet, targets []string, std streams) (*result.Diff, error) {
	var reports []*result.Report
	for i, target := range targets {
		side := []string{"the old target", "the new target"}[i]
		args := append(s.given(flags), targetFlag(target))
		if token := s.newToken(); i == 1 && token != "" {
			args = append(args, "--app-token="+token)
		}
		r, err := judgeSide(ctx, args, side, std)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", side, err)
		}
		reports = append(reports, r)
	}
	return result.Compare(reports[0], reports[1]), nil
}

// newToken is the app token of the new target, "" if it is that of the old one.
func (s *compareSettings) newToken() string {
	if s.newAppToken != "" {
		return s.newAppToken
	}
	return os.Getenv(variable(newAppToken))
}

// targetFlag names a target by its URL, or by the command that starts it.
func targetFlag(target string) string {
	if isURL(target) {
		return "--base-url=" + target
	}
	return "--exec=" + target
}

func isURL(target string) bool {
	return strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "http://")
}

// given are the flags of the command that all runs have as well, with their seed.
func (s *compareSettings) given(flags *pflag.FlagSet) []string {
	args := []string{fmt.Sprintf("--seed=%d", s.config.Seed)}
	flags.Visit(func(f *pflag.Flag) {
		switch list, several := f.Value.(pflag.SliceValue); {
		case f.Name == "format", f.Name == newAppToken, f.Name == "seed", f.Name == "upgrade":
		case several:
			for _, value := range list.GetSlice() {
				args = append(args, "--"+f.Name+"="+value)
			}
		default:
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	return args
}

// sessionOf is the session of a run with arguments.
func sessionOf(args []string, std streams) (*session, error) {
	s := settings{serverName: "its server"}
	run := &cobra.Command{}
	s.bind(run)
	run.Flags().String(newAppToken, "", "") // its variable is known, too
	if err := run.Flags().Parse(append(args, "--corpus=")); err != nil {
		return nil, err
	}
	return newSession(&s, run.Flags(), std)
}

// judgeSide judges one of the targets, with all exchanges in the report.
func judgeSide(ctx context.Context, args []string, side string, std streams) (*result.Report, error) {
	n, err := sessionOf(args, std)
	if err != nil {
		return nil, err
	}
	data, remove, err := freshData()
	if err != nil {
		return nil, err
	}
	defer remove()
	n.data, n.config.KeepExchanges = data, true
	n.line.say("judging " + side)
	running, stop, err := n.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	r, err := n.run(running)
	switch {
	case err != nil:
		return nil, unjudged(running, err)
	case r.EndedBy != "":
		return nil, noVerdict{errors.New(r.EndedBy)}
	}
	return r, nil
}
