package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/socialfeed/conform/conformance/report/html"
	"github.com/spf13/cobra"
)

// gridCommand compares implementations by their reports.
func gridCommand(std streams) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "grid REPORT.json... --out FOLDER",
		Short: "Compare implementations on a page, by their reports",
		Long: `grid writes a static page, index.html, of implementations by endpoints and by rules, with the
HTML report of each, and a badge for shields.io (https://img.shields.io/endpoint?url=…/NAME.badge.json).
It needs the JSON reports alone. An implementation has the name and version of --implementation,
or else the name of its file.`,
		Example: `  conform --base-url https://a.example.com --implementation name=A,version=1.2 --report json=a.json
  conform grid a.json b.json --out public`,
		Args: arguments(1, html.MostReports, "grid takes JSON reports, up to "+fmt.Sprint(html.MostReports)+", such as a.json b.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			if path == "" {
				return errors.New("grid needs a folder to write to: --out FOLDER")
			}
			if err := takesFolder(anywhere{}, path); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			grid := html.NewGrid(func(name string, write func(io.Writer) error) error {
				return writeFile(anywhere{}, filepath.Join(path, name), write)
			})
			for _, arg := range args {
				r, err := readReport(arg, std)
				if err != nil {
					return err
				}
				if err := grid.Add(r, arg); err != nil {
					return fmt.Errorf("%s: %w", arg, err)
				}
			}
			if err := grid.WriteIndex(); err != nil {
				return fmt.Errorf("writing the page: %w", err)
			}
			fmt.Fprintln(std.err, "written: "+filepath.Join(path, "index.html"))
			return nil
		},
	}
	cmd.Flags().StringVar(&path, "out", "", "`FOLDER` to write to; it is made, and files of the same names are written over")
	return cmd
}
