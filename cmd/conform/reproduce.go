package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
	"github.com/spf13/cobra"
)

// reproduceCommand writes a script that shows a failure without conform.
func reproduceCommand(std streams) *cobra.Command {
	var rule, path, form, at string
	var endpoint int
	cmd := &cobra.Command{
		Use:   "reproduce REPORT.json --rule RULE",
		Short: "Write a script that shows a failure with curl and jq alone",
		Long: `reproduce writes a POSIX shell script that shows a failure of a report without conform. The script
creates its users, repeats the steps that led to the failure, sends the deciding request, prints the
expected and the actual answer, and deletes its users. It needs curl and jq, and the app token in
APP_TOKEN. It trusts the report's --ca-cert, even if CURL_CA_BUNDLE is set; CA_CERT names another
file, BASE_URL another target. It exits 1 if the failure shows, 0 if not, 2 if it cannot tell.

--as hurl writes a file for Hurl, if a status shows the failure; --as http a file for the HTTP
clients of editors; --as go a test with the project's typed client. If the form cannot express the
story, the command says why and writes nothing.

--shorten URL removes requests one by one, with the token in APP_TOKEN, as long as the failure still
shows on that target and does not show on the reference server.`,
		Example: `  conform reproduce report.json --rule feed.purge.followers -o purge.sh
  APP_TOKEN=… sh purge.sh
  conform reproduce report.json --rule users.create.status --as hurl -o create.hurl
  APP_TOKEN=… conform reproduce report.json --rule feed.order --shorten https://feeds.example.com -o order.sh`,
		Args: arguments(1, 1, "reproduce takes one JSON report, such as report.json"),
		PreRunE: func(*cobra.Command, []string) error {
			if !slices.Contains(strings.Split(script.Forms(), ", "), form) {
				return fmt.Errorf("--as takes %s, got %q", script.Forms(), form)
			}
			return nil
		},
		RunE: ofReport(std, func(cmd *cobra.Command, r *result.Report) error {
			if story := restartsStory(r, rule); story != nil && at == "" {
				return reproduceRestarts(story, r, rule, form, path, std)
			}
			f, err := reproducible(r, rule, endpoint)
			if err == nil && at != "" {
				f.check, err = shorten(cmd.Context(), f, at, std)
			}
			if err != nil {
				return err
			}
			return writeTo(path, std, func(w io.Writer) error { return script.Write(w, script.Form(form), f.report, f.rule, f.check) })
		}),
	}
	cmd.Flags().StringVar(&rule, "rule", "", "the `RULE` that is broken")
	cmd.Flags().IntVar(&endpoint, "endpoint", 0, "number `N` of the endpoint, if the rule is broken at several; 0: the first")
	cmd.Flags().StringVar(&form, "as", string(script.Shell), "`FORM` of what is written: "+script.Forms())
	completeFixed(cmd, "as", strings.Split(script.Forms(), ", ")...)
	cmd.Flags().StringVar(&at, "shorten", "", "leave out the requests that the failure does not need, by trying at the target's base `URL`")
	cmd.Flags().StringVarP(&path, "output", "o", "-", "`FILE` for the script; - is stdout")
	return cmd
}

// failure is a failed check of a report, with the rule it judged.
type failure struct {
	report *result.Report
	rule   result.Rule
	check  result.Check
}

// reproducible is the first failure of a rule in a report that a script can be made of.
func reproducible(r *result.Report, id string, endpoint int) (failure, error) {
	if id == "" {
		return failure{}, errors.New("reproduce takes the rule that is broken, such as --rule feed.order")
	}
	if endpoint < 0 || endpoint > int(rules.Versions) {
		return failure{}, fmt.Errorf("--endpoint takes 1 to %d, got %d", int(rules.Versions), endpoint)
	}
	i := slices.IndexFunc(r.Rules, func(rule result.Rule) bool { return rule.ID == id })
	if i < 0 {
		return failure{}, unknownRule(rules.Load(), id)
	}
	for _, check := range r.Rules[i].Checks {
		if check.Reproduction != nil && check.Reproduction.Unscriptable() == "" && (endpoint == 0 || check.Endpoint == rules.Endpoint(endpoint).String()) {
			return failure{r, r.Rules[i], check}, nil
		}
	}
	if all := brokenAt(r.Rules[i]); endpoint != 0 && len(all) > 0 && !slices.Contains(all, rules.Endpoint(endpoint).String()) {
		return failure{}, fmt.Errorf("%s is not broken at #%d; it is at %s", id, endpoint, strings.Join(all, ", "))
	}
	again := shell.MustLine(shell.Call("conform", shell.Plain("replay"), shell.Plain("--rule"), plain.Word(id))) + " plays its scenarios again"
	if r.Rules[i].ShownInPassing() {
		again = view.DrawAgain(r) + " plays all again"
	}
	switch r.Rules[i].Status {
	case result.Fail, result.Warn:
		return failure{}, fmt.Errorf("no script can show what the report has of %s: it takes requests at once, more of them than a script has, or what only the judge sees; %s", id, again)
	case result.Unstable:
		return failure{}, fmt.Errorf("no script shows %s surely: it came out differently when repeated; %s", id, again)
	}
	if slices.ContainsFunc(r.Rules[i].Checks, func(c result.Check) bool { return c.SeenOnce() }) {
		return failure{}, fmt.Errorf("a drawn story showed that %s is broken, and there was no time to play it again: conform replay plays it", id)
	}
	return failure{}, fmt.Errorf("the report has nothing of %s to reproduce: the rule is not broken there", id)
}

// brokenAt are the endpoints at which a rule is broken.
func brokenAt(rule result.Rule) []string {
	var all []string
	for _, check := range rule.Checks {
		if check.FoundBroken() && check.Endpoint != "" && !slices.Contains(all, check.Endpoint) {
			all = append(all, check.Endpoint)
		}
	}
	return all
}
