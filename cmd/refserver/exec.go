package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/socialfeed/conform/refserver/child"
	"github.com/spf13/cobra"
)

// newExec is the command that runs another command together with a server of its own.
func (p program) newExec() *cobra.Command {
	var set settings
	command := &cobra.Command{
		Use:     "exec [flags] -- COMMAND [ARGUMENTS]",
		Short:   "Start a server, run a command beside it, and exit with the command's code",
		Long:    "exec starts a server on a free port, runs the command, and stops the server when the command ends. Environment variables give the command the URL, the app token and the CA (REFSERVER_URL, REFSERVER_APP_TOKEN, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and more).",
		Example: "  refserver exec --seed demo:users=50 -- npm test\n  refserver exec -- sh -c 'curl -u \"$REFSERVER_APP_TOKEN:\" \"$REFSERVER_URL/versions\"'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("exec needs a command: refserver exec -- COMMAND")
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			return p.execute(command.Context(), set, args)
		},
	}
	flags := command.Flags()
	flags.SetInterspersed(false)
	flags.StringVar(&set.addr, "addr", "127.0.0.1:0", "`HOST:PORT` to listen on; port 0 picks one")
	set.flags(flags)
	flags.StringVar(&set.control, "control", "127.0.0.1:0", "`HOST:PORT` of the control plane, or off")
	flags.StringVar(&set.log, "log", "off", "`FORM` of a line for each request on stderr: requests, json or off")
	exclusive(command)
	return command
}

// execute serves while the command runs. The command's exit code is the error.
func (p program) execute(ctx context.Context, set settings, args []string) error {
	s, err := p.start(ctx, &set)
	if err != nil {
		return err
	}
	defer s.trust.remove()
	bundle, err := s.bundle()
	if err != nil {
		return err
	}
	defer os.Remove(bundle)
	service := s.greeting(set, bundle).service()
	service.AppToken = cmp.Or(service.AppToken, os.Getenv("REFSERVER_APP_TOKEN"))
	serving, stop := context.WithCancel(context.WithoutCancel(ctx)) // a signal ends the command first, the server after it
	served := make(chan error, 1)
	go func() { served <- s.until(serving) }()
	command := child.Command{Args: args, Stdin: os.Stdin, Stdout: p.stdout, Stderr: p.stderr, Hurry: p.again}
	code, err := command.Run(ctx, service)
	stop()
	serveErr := <-served
	switch {
	case err != nil:
		return fmt.Errorf("exec: %w", err)
	case serveErr != nil:
		return serveErr
	case code != 0:
		return exitCode(code)
	}
	return nil
}
