package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/socialfeed/conform/refserver/child"
	"github.com/spf13/cobra"
)

// newExec is the command that runs another one beside a fake of its own.
func newExec(stderr io.Writer) *cobra.Command {
	var set settings
	command := &cobra.Command{
		Use:     "exec [flags] -- COMMAND [ARGUMENTS]",
		Short:   "Run a command beside a server of its own, and return its code",
		Long:    "Starts on a free port, tells the command by environment variables where the server is and what to trust\n(REFSERVER_URL, REFSERVER_APP_TOKEN, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and more), and stops with it.",
		Example: "  refserver exec --seed demo:users=50 -- npm test\n  refserver exec -- sh -c 'curl -u \"$REFSERVER_APP_TOKEN:\" \"$REFSERVER_URL/versions\"'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("exec needs a command: refserver exec -- COMMAND")
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			return execute(command.Context(), set, args, command.OutOrStdout(), stderr)
		},
	}
	flags := command.Flags()
	flags.SetInterspersed(false)
	flags.StringVar(&set.addr, "addr", "127.0.0.1:0", "`HOST:PORT` to listen on; port 0 picks one")
	set.flags(flags)
	flags.StringVar(&set.control, "control", "127.0.0.1:0", "`HOST:PORT` of the control plane, or off")
	flags.StringVar(&set.log, "log", "off", "log each request to stderr: `requests`, json or off")
	exclusive(command)
	return command
}

// execute serves while the command runs.
func execute(ctx context.Context, set settings, args []string, stdout, stderr io.Writer) error {
	s, err := set.start(ctx, stderr)
	if err != nil {
		return err
	}
	defer s.trust.remove()
	bundle, err := s.bundle()
	if err != nil {
		return err
	}
	defer os.Remove(bundle)
	serving, stop := context.WithCancel(context.WithoutCancel(ctx)) // the server outlives the command, whatever ends that
	served := make(chan error, 1)
	go func() { served <- s.until(serving) }()
	code, err := s.command(ctx, set, bundle, args, stdout, stderr)
	stop()
	if broke := <-served; err == nil {
		err = broke
	}
	if err == nil && code != 0 {
		return exitCode(code)
	}
	return err
}

// command runs the command and returns its code. It gets the signal that stops this one.
func (s *running) command(ctx context.Context, set settings, bundle string, args []string, stdout, stderr io.Writer) (int, error) {
	told := s.greeting(set, bundle).service()
	told.AppToken = cmp.Or(told.AppToken, os.Getenv("REFSERVER_APP_TOKEN"))
	code, err := child.Run(ctx, args, told, os.Stdin, stdout, stderr)
	if err != nil {
		return 0, fmt.Errorf("exec: %w", err)
	}
	return code, nil
}
