package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/internal/help"
	"github.com/socialfeed/conform/internal/shell"
	"github.com/socialfeed/conform/scenarios"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// initCommand writes a configuration file for a target.
func initCommand(std streams) *cobra.Command {
	var s settings
	var path string
	var force bool
	cmd := &cobra.Command{
		Use:   "init --base-url URL",
		Short: "Write a configuration file for a target, after a look at it",
		Long: `init looks at a target (is it the service, does it take the token, how fast does it answer,
how far do its feeds lag) and writes a configuration file with every setting explained.
It creates a few users, and deletes them again. Nothing is written when the target cannot
be judged.`,
		Example: `  CONFORM_APP_TOKEN=… conform init --base-url https://feeds.example.com
  conform init --base-url https://127.0.0.1:8443 --ca-cert ca.pem --app-token-file token -o ci/conform.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.completeTarget(cmd.Flags()); err != nil {
				return err
			}
			if err := noClobber(path, force); err != nil {
				return err
			}
			probe, err := probe(cmd.Context(), s, newProgress(std.screen, false))
			if err != nil {
				return err
			}
			text, err := s.draft(cmd.Flags(), probe, filepath.Dir(path))
			if err != nil {
				return err
			}
			return save(path, text, std)
		},
	}
	cmd.Flags().SortFlags = false
	s.bindTarget(cmd)
	cmd.Flags().DurationVar(&s.wait, "wait", 0, "how long to wait for the target to come up")
	cmd.Flags().StringVarP(&path, "output", "o", defaultConfigFile, "`FILE` to write; - is stdout")
	cmd.Flags().BoolVar(&force, "force", false, "write over a file that is there already")
	return cmd
}

// completeTarget is complete for a command that only takes a target.
func (s *settings) completeTarget(flags *pflag.FlagSet) error {
	s.fixed = []string{"output", "force"}
	if err := s.gatherFrom(flags, nil); err != nil {
		return err
	}
	if err := s.readTokens(); err != nil {
		return err
	}
	if s.config.Target.BaseURL == "" {
		return errors.New("there is no target: give --base-url, or set CONFORM_BASE_URL")
	}
	if s.wait < 0 {
		return errors.New("--wait must not be below zero")
	}
	s.config.Version = help.Version()
	s.config.Names = flagNames()
	return s.readCA()
}

func probe(ctx context.Context, s settings, line *progress) (conformance.Probe, error) {
	j, err := conformance.New(s.config, scenarios.Register)
	if err != nil {
		return conformance.Probe{}, err
	}
	if err := awaitTarget(ctx, j, s.wait, "", line); err != nil {
		return conformance.Probe{}, err
	}
	line.say("looking at " + s.config.Target.BaseURL)
	probe, err := j.Probe(ctx)
	if err != nil {
		return probe, unjudged(ctx, orWait(err))
	}
	return probe, nil
}

func save(path, text string, std streams) error {
	err := writeTo(path, std, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil || path == "-" {
		return err
	}
	fmt.Fprintf(std.err, "wrote %s; judge the target with: %s\n", path, shell.MustLine(shell.Call("conform", shell.Plain("--config"), plain.Word(path))))
	return nil
}
