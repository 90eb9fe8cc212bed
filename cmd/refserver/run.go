package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the server broke while it served
	exitUsage  = 2 // a flag, a file or the address is wrong
)

// errServing marks what goes wrong once the server is up.
var errServing = errors.New("serving")

// settings are the command's flags.
type settings struct {
	addr         string
	plainHTTP    bool
	certFile     string
	keyFile      string
	caFile       string
	appTokens    []string
	rateLimit    int
	dialect      string
	listDialects bool
	fault        string
	listFaults   bool
}

// run is the whole command: it serves until the context ends, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	command := newCommand(stderr)
	command.SetArgs(args)
	command.SetOut(stdout)
	command.SetErr(stderr)
	err := command.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "refserver: %v\n", err)
	if errors.Is(err, errServing) {
		return exitFailed
	}
	return exitUsage
}

func newCommand(stderr io.Writer) *cobra.Command {
	var set settings
	command := &cobra.Command{
		Use:           "refserver",
		Short:         "Serve the social activity feed contract from memory, over TLS",
		Example:       "  refserver --addr 127.0.0.1:0 --dialect uuid-ids",
		Args:          cobra.NoArgs,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(command *cobra.Command, _ []string) error {
			switch {
			case set.listDialects:
				return listDialects(command.OutOrStdout())
			case set.listFaults:
				return listFaults(command.OutOrStdout())
			}
			return serve(command.Context(), set, command.OutOrStdout(), stderr)
		},
	}
	command.CompletionOptions.DisableDefaultCmd = true
	flags := command.Flags()
	flags.StringVar(&set.addr, "addr", "127.0.0.1:8443", "`HOST:PORT` to listen on; port 0 picks one")
	flags.BoolVar(&set.plainHTTP, "http", false, "serve plain HTTP, for local tools that cannot do TLS")
	flags.StringVar(&set.certFile, "tls-cert", "", "`FILE` with your own certificate (PEM); default: one is made at each start")
	flags.StringVar(&set.keyFile, "tls-key", "", "`FILE` with its key (PEM)")
	flags.StringVar(&set.caFile, "ca-out", "", "`FILE` to write the made certificate's authority to; default: a temporary file, removed on exit")
	flags.StringArrayVar(&set.appTokens, "app-token", nil, "an application's `TOKEN`, repeatable (or REFSERVER_APP_TOKEN); default: one is made and printed")
	flags.IntVar(&set.rateLimit, "rate-limit", 1000, "requests a minute in each category, for each application; 0 is no limit")
	flags.StringVar(&set.dialect, "dialect", "default", "`NAME` of the choices where the contract is silent")
	flags.BoolVar(&set.listDialects, "list-dialects", false, "list the dialects and exit")
	flags.StringVar(&set.fault, "fault", "", "`NAME` of a fault to have: the server then breaks one rule of the contract")
	flags.BoolVar(&set.listFaults, "list-faults", false, "list the faults, each with the rule it breaks, and exit")
	command.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	for _, other := range []string{"http", "tls-cert"} {
		command.MarkFlagsMutuallyExclusive("ca-out", other)
	}
	command.MarkFlagsMutuallyExclusive("http", "tls-cert")
	return command
}

// version is that of the tag the command was built from, or one that Go makes of
// the commit, with what it was built for.
func version() string {
	built := "dev"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		built = strings.TrimPrefix(info.Main.Version, "v")
	}
	return fmt.Sprintf("%s (%s, %s/%s)", built, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func listDialects(stdout io.Writer) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, dialect := range refserver.Dialects() {
		fmt.Fprintf(table, "%s\t%s\n", dialect.Name, dialect.Summary)
	}
	return table.Flush()
}

func listFaults(stdout io.Writer) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	for _, fault := range faults.All() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", fault.Name, fault.Rule, fault.Summary)
	}
	return table.Flush()
}

// options turns the flags into the server's options. The second result is the
// app token to tell, blank where the environment gave it.
func (set settings) options() (refserver.Options, string, error) {
	options := refserver.Options{AppTokens: set.appTokens, RateLimit: set.rateLimit, AllowPlainHTTP: set.plainHTTP}
	if set.rateLimit < 0 {
		return options, "", fmt.Errorf("--rate-limit %d is negative", set.rateLimit)
	}
	if set.rateLimit == 0 {
		options.RateLimit = -1
	}
	dialect, err := findDialect(set.dialect)
	if err != nil {
		return options, "", err
	}
	options.Choices = dialect.Choices
	if token := os.Getenv("REFSERVER_APP_TOKEN"); token != "" && len(options.AppTokens) == 0 {
		options.AppTokens = []string{token}
	}
	if len(set.appTokens) > 0 {
		return options, set.appTokens[0], nil
	}
	if len(options.AppTokens) > 0 {
		return options, "", nil
	}
	made := refserver.NewAppToken()
	options.AppTokens = []string{made}
	return options, made, nil
}

func findDialect(name string) (refserver.Dialect, error) {
	for _, dialect := range refserver.Dialects() {
		if dialect.Name == name {
			return dialect, nil
		}
	}
	return refserver.Dialect{}, fmt.Errorf("there is no dialect %q; --list-dialects names them", name)
}
