package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/socialfeed/conform/internal/help"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // serving failed
	exitUsage  = 2 // a flag, a file or the address is wrong
)

// errServing marks errors after the start.
var errServing = errors.New("serving")

// errNotServing marks the answers of a server that refserver health asked.
var errNotServing = errors.New("not serving")

// exitCode is the exit code of the command that exec ran.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("the command ended with %d", int(c)) }

// program is the command with its surroundings.
type program struct {
	stdout, stderr io.Writer
	again          context.Context // ends at the second signal to stop
}

// run runs the command until the context ends, and returns the exit code.
func (p program) run(ctx context.Context, args []string) int {
	command := p.command()
	command.SetArgs(args)
	command.SetOut(p.stdout)
	command.SetErr(p.stderr)
	err := command.ExecuteContext(ctx)
	var code exitCode
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(p.stderr, "refserver: %v\n", plainly(err))
	if errors.Is(err, errServing) || errors.Is(err, errNotServing) {
		return exitFailed
	}
	return exitUsage
}

func (p program) command() *cobra.Command { return p.commandWith(new(settings)) }

// commandWith is the command whose flags fill the settings.
func (p program) commandWith(set *settings) *cobra.Command {
	var listDialectsFlag, listChoicesFlag, listFaultsFlag bool
	command := &cobra.Command{
		Use:   "refserver",
		Short: "Serve the social activity feed contract from memory, over TLS",
		Long: `refserver is a local fake of the Social Activity Feed Service. It serves the whole contract from memory
over TLS, with a certificate that it makes itself. At the start it prints the base URL, an app token,
the CA file for clients, and a link to its console in the browser. SIGINT or SIGTERM stops it.

Exit: 0 stopped · 1 serving failed · 2 usage`,
		Example: "  refserver --seed demo:users=50\n  refserver --dialect lagging+uuid-ids --weather 429,after=5\n" +
			"  refserver exec -- npm test",
		Args:          noArguments,
		Version:       help.Built(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(command *cobra.Command, _ []string) error {
			switch {
			case listDialectsFlag:
				return printed(command.OutOrStdout(), refserver.Dialects(), func(d refserver.Dialect) []string { return []string{d.Name, d.Summary} })
			case listChoicesFlag:
				return printed(command.OutOrStdout(), (refserver.Choices{}).Settings(), func(c refserver.Setting) []string { return []string{c.Name, c.Value} })
			case listFaultsFlag:
				return printed(command.OutOrStdout(), append(faults.All(), faults.SecondOrder()...),
					func(f faults.Fault) []string { return []string{f.Name, f.Rule, f.Summary} })
			}
			set.defaultControl = !command.Flags().Changed("control")
			return p.serve(command.Context(), *set)
		},
	}
	command.SetFlagErrorFunc(flagError)
	flags := command.Flags()
	flags.StringVar(&set.addr, "addr", defaultAddr, "`HOST:PORT` to listen on; port 0 picks one")
	set.flags(flags)
	flags.StringVar(&set.control, "control", defaultControl, "`HOST:PORT` of the control plane and its console, or off; if the default port is taken, a free one is used")
	flags.StringArrayVar(&set.controlHosts, "control-host", nil, "host `NAME` or address that the control plane accepts, repeatable; required where --control is not a loopback address")
	flags.StringVar(&set.log, "log", "requests", "`FORM` of the request log on stderr: requests, json or off")
	flags.StringVar(&set.print, "print", "text", "`FORM` of the connection details on stdout: text, env or json")
	flags.BoolVar(&set.stopWithInput, "stop-with-stdin", false, "stop when standard input closes, which it does when the parent process ends")
	flags.BoolVar(&listDialectsFlag, "list-dialects", false, "list the dialects and exit")
	flags.BoolVar(&listChoicesFlag, "list-choices", false, "list the choices with their defaults and exit")
	flags.BoolVar(&listFaultsFlag, "list-faults", false, "list the faults, each with the rule it breaks, and exit")
	exclusive(command)
	command.AddCommand(p.newExec(), newTrust(), newOpenAPI(), newHealth(), help.ManCommand("refserver"))
	help.Lay(command)
	return command
}

// exclusive declares which of a server's flags exclude each other.
func exclusive(command *cobra.Command) {
	for _, made := range []string{"ca-out", "ca-dir", "host"} {
		for _, other := range []string{"http", "tls-cert"} {
			command.MarkFlagsMutuallyExclusive(made, other)
		}
	}
	command.MarkFlagsMutuallyExclusive("http", "tls-cert")
	command.MarkFlagsMutuallyExclusive("like", "dialect")
}

// printed writes a line for each of several things, in columns.
func printed[T any](stdout io.Writer, all []T, columns func(T) []string) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, each := range all {
		fmt.Fprintln(table, strings.Join(columns(each), "\t"))
	}
	return table.Flush()
}
