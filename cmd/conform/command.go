package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/internal/help"
	"github.com/spf13/cobra"
)

// The exit codes, as pipelines read them.
const (
	exitConformant    = 0
	exitNonConformant = 1
	exitUsage         = 2
	exitNoVerdict     = 3
)

// streams are the command's input and outputs.
type streams struct {
	in       io.Reader
	out, err io.Writer
	program  string    // as it was called
	screen   io.Writer // err as it is, for what draws on a terminal
	last     *lastActs // nil for none
}

// exit is an error that carries an exit code and has already been printed.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// noVerdict is an error other than a usage error: the run has no verdict.
type noVerdict struct{ error }

// run runs the command and returns its exit code.
func run(ctx context.Context, args []string, std streams) int {
	log.SetOutput(io.Discard) // net/http logs what servers send unasked; the judge reports it
	std.screen = std.err
	log := clean.NewWriter(std.err, clean.Log)
	std.err = log
	code := execute(ctx, args, std)
	_ = log.Flush() // there is nowhere to report an error
	return code
}

// execute runs the command and prints its error, cleaned.
func execute(ctx context.Context, args []string, std streams) int {
	root := rootCommand(std)
	args = withOptionalValue(args, "--deep", isDuration)
	root.SetArgs(withOptionalValue(args, "--last-failed", isReport))
	root.SetOut(std.out)
	root.SetErr(std.err)
	err := root.ExecuteContext(ctx)

	var code exit
	var none noVerdict
	switch {
	case err == nil:
		return exitConformant
	case errors.As(err, &code):
		return int(code)
	case readerGone(err):
		return exitConformant
	case errors.As(err, &none):
		fmt.Fprintf(std.err, "conform: %v\n", err)
		return exitNoVerdict
	}
	fmt.Fprintf(std.err, "conform: %v\n", err)
	return exitUsage
}

// readerGone reports whether an error is that nobody reads stdout any more: it changes no
// exit code. Another pipe that breaks is a report that could not be written.
func readerGone(err error) bool {
	var at *fs.PathError
	return errors.As(err, &at) && at.Path == os.Stdout.Name() && errors.Is(at, syscall.EPIPE)
}

// withOptionalValue lets the value of a flag that needs none follow as a word of its own:
// "--deep 5m" means "--deep=5m".
func withOptionalValue(args []string, flag string, isOne func(string) bool) []string {
	joined := []string{}
	for i := 0; i < len(args); i++ {
		if args[i] == flag && i+1 < len(args) && isOne(args[i+1]) {
			joined = append(joined, flag+"="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}

func isDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

func isReport(text string) bool { return strings.HasSuffix(text, ".json") }

func rootCommand(std streams) *cobra.Command {
	var s settings
	root := &cobra.Command{
		Use:   "conform",
		Short: "Judge a Social Activity Feed Service against its contract",
		Long: strings.TrimSpace(`
conform judges a server against the contract of the Social Activity Feed Service,
endpoint by endpoint and rule by rule, by sending it requests.

Without --base-url it judges the reference server, which it starts by itself.
Progress goes to stderr, the report to stdout.

Every flag is also an environment variable (--jobs: CONFORM_JOBS) and a key of the
configuration file (jobs), which conform init drafts; the flag overrides the variable,
the variable the file.

Exit: 0 conformant · 1 not conformant · 2 usage or configuration ·
3 no verdict (target unreachable, run interrupted, or some rules could not be judged)`),
		Example: strings.Trim(`
  conform
  CONFORM_APP_TOKEN=… conform --base-url https://feeds.example.com
  conform --base-url https://127.0.0.1:8443 --ca-cert ca.pem --part feed
  conform --report json=report.json --quiet`, "\n"),
		Args:          noArguments,
		Version:       help.Built(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return judge(cmd.Context(), &s, cmd.Flags(), std)
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SuggestionsMinimumDistance = 2
	s.bind(root)
	addCommands(root, std)
	refuseOtherShells(root)
	refuseEmpty(root)
	help.Lay(root)
	return root
}

// addCommands adds the commands beside the root's own, in groups as the help shows them.
func addCommands(root *cobra.Command, std streams) {
	const besides = "more"
	for _, group := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"clients", "For clients:", []*cobra.Command{clientCommand(std), harCommand(std), watchCommand(std)}},
		{"reports", "Working with reports:", []*cobra.Command{diffCommand(std), driftCommand(std), gridCommand(std), keepCommand(std), mergeCommand(std), nextCommand(std), replayCommand(std), reportCommand(std), reproduceCommand(std), waiveCommand(std)}},
		{besides, "Other commands:", []*cobra.Command{cleanCommand(std), compareCommand(std), contractCommand(std), explainCommand(std), initCommand(std), help.ManCommand("conform"), rulesCommand(std)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, command := range group.commands {
			command.GroupID = group.id
			root.AddCommand(command)
		}
	}
	root.SetHelpCommandGroupID(besides)
	root.SetCompletionCommandGroupID(besides)
}

// many stands for any number of arguments.
const many = math.MaxInt

// arguments refuses fewer or more arguments than a command takes, with a usage in one line.
func arguments(least, most int, usage string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return errors.New(usage)
		}
		return nil
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command or argument %q%s see conform --help", args[0], asked(argumentHint(cmd, args[0])))
}
