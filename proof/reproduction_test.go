package proof_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// reproduction is what the script of a failure told: its exit code where the fault is,
// and where it is not.
type reproduction struct {
	Tried           bool
	With, Without   int
	Said, SaidSound string
	Missing         string   // why there is no script
	Kept            []string // what the stories of the report show there, where there is no fault
}

// tells reports whether the script tells the fault from none.
func (r reproduction) tells() bool { return r.Tried && r.With == 1 && r.Without == 0 }

// String is the column of the table.
func (r reproduction) String() string {
	switch {
	case !r.Tried:
		return ""
	case r.tells():
		return string(yes)
	}
	return string(no)
}

// accusations are what finds a failure where there is none: the script, or a story that a later run plays.
func (r reproduction) accusations() []string {
	var all []string
	if r.Tried && r.Missing == "" && r.Without == 1 {
		all = append(all, "its script finds the failure on a server without faults")
	}
	for _, each := range r.Kept {
		all = append(all, "its story fails on a server without faults: "+each)
	}
	return all
}

func (r reproduction) problems(fault faults.Fault) []string {
	switch {
	case !r.Tried || r.tells():
		return nil
	case r.Missing != "":
		return []string{"has no reproduction: " + r.Missing}
	case r.With != 1:
		return []string{fmt.Sprintf("the script of %s exits %d where the fault is: %s", fault.Rule, r.With, r.Said)}
	}
	return []string{fmt.Sprintf("the script of %s exits %d where there is no fault: %s", fault.Rule, r.Without, r.SaidSound)}
}

// reproduce makes the script of a rule's first failure, and runs it against the target
// and against a server without faults, on which it also plays what the report has of drawn stories.
func reproduce(r *result.Report, rule string, bad conformance.Target) (reproduction, error) {
	if rule == "" {
		return reproduction{}, nil
	}
	text, good := &strings.Builder{}, sound()
	kept, err := played(r, good)
	told := reproduction{Tried: true, Missing: "none of its checks has one", Kept: kept}
	if err != nil {
		return told, err
	}
	for _, each := range r.Rules {
		i := slices.IndexFunc(each.Checks, func(c result.Check) bool { return c.Reproduction != nil })
		if each.ID == rule && i >= 0 {
			told.Missing = ""
			if err := script.Write(text, script.Shell, r, each, each.Checks[i]); err != nil {
				told.Missing = err.Error()
			}
		}
	}
	if told.Missing != "" {
		return told, nil
	}
	if told.With, told.Said, err = scripted(text.String(), bad); err != nil {
		return told, err
	}
	told.Without, told.SaidSound, err = scripted(text.String(), good)
	return told, err
}

// played plays the stories of a report against a target, as a run does that kept them, and returns what fails.
func played(r *result.Report, target conformance.Target) ([]string, error) {
	stories := map[string]string{}
	for _, rule := range r.Rules {
		for _, check := range rule.Checks {
			if check.LeftStory() {
				stories[rule.ID+" at "+check.Endpoint] = string(check.Story)
			}
		}
	}
	if len(stories) == 0 {
		return nil, nil
	}
	again, err := conformance.Run(context.Background(), conformance.Config{Target: target, Settle: time.Second, Rate: 100_000, Seed: 1}, func(s *conformance.Suite) {
		for place, story := range stories {
			s.Story(place, story)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("playing stories again: %w", err)
	}
	var failed []string
	for _, rule := range again.Rules {
		for _, check := range rule.Checks {
			if check.FoundBroken() {
				failed = append(failed, fmt.Sprintf("%s: %s (%s)", rule.ID, check.Message, check.Scenario))
			}
		}
	}
	return failed, nil
}

// sound is a server without faults, which serves for as long as the process lives.
var sound = sync.OnceValue(func() conformance.Target {
	options := refserver.Options{AppTokens: []string{"first-application-token", "second-application-token"}, RateLimit: -1}
	server, err := refserver.New(options)
	if err != nil {
		panic(err)
	}
	ts := httptest.NewTLSServer(server)
	return conformance.Target{BaseURL: ts.URL, AppToken: options.AppTokens[0], SecondAppToken: options.AppTokens[1],
		CACert: certificateOf(ts)}
})

// scripted runs a script against a target.
func scripted(text string, target conformance.Target) (code int, out string, err error) {
	dir, err := os.MkdirTemp("", "reproduction")
	if err != nil {
		return 0, "", err
	}
	defer os.RemoveAll(dir)
	script, ca := filepath.Join(dir, "script.sh"), filepath.Join(dir, "ca.pem")
	if err := errors.Join(os.WriteFile(script, []byte(text), 0o600), os.WriteFile(ca, target.CACert, 0o600)); err != nil {
		return 0, "", err
	}
	const most = 2 * time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", script)
	cmd.Env = append(os.Environ(), "BASE_URL="+target.BaseURL, "APP_TOKEN="+target.AppToken, "SECOND_APP_TOKEN="+target.SecondAppToken, "CA_CERT="+ca)
	said, err := cmd.CombinedOutput()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return 0, "", fmt.Errorf("running a script: %w", err)
	}
	const few = 600
	return cmd.ProcessState.ExitCode(), string(said[max(0, len(said)-few):]), nil
}

// unreproduced is why no script can show a fault, blank where one can.
func unreproduced(f faults.Fault) string {
	if rates(f) {
		return "it takes more requests than a script has"
	}
	byName := map[string]string{
		"feed-purged-show-every-other-time":         "it shows every other time, whoever asks",
		"users-update-answers-earlier-updated-at":   "the time that it is compared with stands in a read alone",
		"feed-shows-whom-others-follow":             "whose event it shows depends on who else is there",
		"users-own-record-of-first":                 "whom it shows depends on who was there first",
		"feed-user-ids-rounded":                     "whose id a rounded one is depends on who else is there",
		"auth-credentials-without-colon-answer-403": "the credentials stand in a form of which a report tells nothing",
		"auth-event-under-unknown-app-done-anyway":  "it takes a token that the judge makes up from a real one",
		"auth-scheme-not-looked-at":                 "the credentials stand in a form of which a report tells nothing",
	}
	return cmp.Or(map[string]string{
		"errors.no-content-empty": "curl shows no body behind a 204",
		"transport.https-only":    "it is about another scheme",
		"users.password-hidden":   "the answer holds a secret, which no report has",
		"errors.no-secret-echo":   "the answer holds a secret, which no report has",
		"auth.app-token-unknown":  "it takes a token that the judge makes up from a real one",
		"auth.session-unknown":    "it takes a token that the judge makes up from a real one",
	}[f.Rule], byName[f.Name])
}
