package help

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// ManCommand is the command that writes the manual pages of the commands that it is among.
func ManCommand(program string) *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages, one for each command",
		Example: "  " + program + " man /usr/local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("man takes the folder to write the pages to")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			const shared = 0o755
			if err := os.MkdirAll(args[0], shared); err != nil {
				return fmt.Errorf("making the folder for the manual pages: %w", err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // so that pages do not differ from day to day
			header := &doc.GenManHeader{Title: strings.ToUpper(program), Section: "1", Source: program + " " + Version()}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("writing the manual pages: %w", err)
			}
			cmd.PrintErrf("the manual pages are in %s\n", args[0])
			return nil
		},
	}
}
