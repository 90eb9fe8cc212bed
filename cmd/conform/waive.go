package main

import (
	"fmt"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// readWaivers reads the file that --waivers names, if it names one.
func (s *settings) readWaivers() error {
	if s.waivers == "" {
		return nil
	}
	data, err := readBounded(s.reach("waivers"), s.waivers)
	if err != nil {
		return fmt.Errorf("--waivers: %w; conform waive REPORT.json drafts such a file", err)
	}
	if s.accepted, err = result.ReadWaivers(data); err != nil {
		return fmt.Errorf("--waivers %s: %w", s.waivers, err)
	}
	return nil
}

// apply applies the waivers to a report, if there are any.
func (s *settings) apply(r *result.Report, c *rules.Catalogue) {
	if s.waivers != "" {
		s.accepted.Apply(r, c, r.StartedAt)
	}
}

// drafted is after how many days a drafted waiver expires.
const drafted = 30

// waiveCommand drafts waivers.
func waiveCommand(std streams) *cobra.Command {
	var path, until, failOn string
	var force bool
	cmd := &cobra.Command{
		Use:   "waive REPORT.json",
		Short: "Draft the waivers for what fails in a report",
		Long: `waive drafts a waivers file that covers all current failures of the report. Waivers of the run that
still apply stay in it. Write the reason of each new waiver: a run does not accept the file without
it.`,
		Args: arguments(1, 1, "waive takes one JSON report, such as report.json"),
		RunE: ofReport(std, func(_ *cobra.Command, r *result.Report) error {
			expires := time.Now().AddDate(0, 0, drafted)
			if until != "" {
				day, err := time.Parse(time.DateOnly, until)
				if err != nil {
					return fmt.Errorf("--expires takes a day as YYYY-MM-DD, got %q", until)
				}
				expires = day
			}
			switch level := rules.Level(failOn); level {
			case "":
			case rules.Must, rules.Should:
				r.FailOn = level
			default:
				return fmt.Errorf("--fail-on takes must or should, got %q", failOn)
			}
			if err := noClobber(path, force); err != nil {
				return err
			}
			waivers := result.DraftWaivers(r, expires)
			if err := writeTo(path, std, waivers.Write); err != nil {
				return err
			}
			fmt.Fprintln(std.err, drafting(r, waivers))
			return nil
		}),
	}
	cmd.Flags().StringVarP(&path, "output", "o", "-", "`FILE` to write; - is stdout")
	cmd.Flags().BoolVar(&force, "force", false, "write over a file that is there already")
	cmd.Flags().StringVar(&failOn, "fail-on", "", "what is waived: broken rules of the level must, or warnings (should) as well; the report's by default")
	cmd.Flags().StringVar(&until, "expires", "", fmt.Sprintf("the last `DAY` of new waivers, YYYY-MM-DD; %d days ahead by default", drafted))
	return cmd
}

// drafting says what was drafted, and which failures cannot be waived.
func drafting(r *result.Report, waivers result.Waivers) string {
	unjudged, kept := 0, 0
	for _, rule := range r.Rules {
		if rule.Status == result.Error {
			unjudged++
		}
	}
	for _, w := range r.Waivers {
		if !w.State.Gates() {
			kept++
		}
	}
	said := fmt.Sprintf("waivers: %d new; write the reason of each before use", len(waivers)-kept)
	if len(waivers) == kept {
		said = "nothing fails: there is nothing to waive"
	}
	if kept > 0 {
		said += fmt.Sprintf("; %d kept", kept)
	}
	if unjudged > 0 {
		said += fmt.Sprintf("; %s could not be judged, which is not for waiving", result.Plural(unjudged, "rule"))
	}
	return said
}
