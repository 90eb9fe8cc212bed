package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
)

// cleanCommand deletes the users that killed runs have left on a target.
func cleanCommand(std streams) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "clean --base-url URL",
		Short: "Delete the users that a killed run left on a target",
		Long: `clean deletes users that earlier runs have left on the target, because the run was killed or the
target refused the deletion. Each run writes the names of its users to a file in the user's cache
folder before it creates them, and removes the file at the end. The file has no secret: clean needs
the same app token. It does not touch the users of runs that are still going on.`,
		Example: "  CONFORM_APP_TOKEN=… conform clean --base-url https://feeds.example.com",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.completeTarget(cmd.Flags()); err != nil {
				return err
			}
			if s.config.UsersDir = usersDir(); s.config.UsersDir == "" {
				return errors.New("there is no cache folder, and so nothing is written down there")
			}
			j, err := conformance.New(s.config)
			if err != nil {
				return err
			}
			cleaned, err := j.Clean(cmd.Context())
			if err != nil {
				return unjudged(cmd.Context(), orWait(err))
			}
			fmt.Fprintf(std.out, "%s deleted from %s\n", result.Plural(cleaned.Deleted, "user"), s.config.Target.BaseURL)
			if len(cleaned.Left) > 0 {
				const most = 20
				fmt.Fprintf(std.err, "conform: %s could not be deleted: %s\n", result.Plural(len(cleaned.Left), "user"), strings.Join(cleaned.Left[:min(len(cleaned.Left), most)], ", "))
				return exit(exitNoVerdict)
			}
			return nil
		},
	}
	cmd.Flags().SortFlags = false
	s.bindTarget(cmd)
	return cmd
}

// usersDir is the folder where runs record their users, "" for none.
func usersDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "conform", "users")
}
