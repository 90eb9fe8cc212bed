package sourcemutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// Fate is what became of a mutant.
type Fate string

const (
	Killed    Fate = "killed"    // a rule fails or warns
	Survived  Fate = "survived"  // the verdict is green
	Undecided Fate = "undecided" // the run ended without a verdict: nobody is blamed
	TimedOut  Fate = "timed out" // the run did not end in its time
	Broken    Fate = "broken"    // the server does not start: no mutant that a service could be
)

// Outcome is a mutant with what a run made of it.
type Outcome struct {
	Mutant
	Fate     Fate
	Rule     string // the first that fails or warns
	Endpoint string // of its first check that does
	Requests int
	Reached  bool          // whether the changed place was executed
	Choices  []string      // answered otherwise than without the mutant
	Deep     time.Duration // for how long stories were drawn; 0 where a plain run was enough
	Note     string        // how an undecided run ended
}

// Judge judges mutants with the command conform, as a user runs it.
type Judge struct {
	Program *Program
	Conform string // the command
	Folder  string // for reports
	Seed    int64
	Usual   map[string]string // the answers of the server without a mutant, by choice
}

const (
	startTime = 20 * time.Second // until the server says where it is
	plainTime = 10 * time.Minute // of a run that is not deep, on a busy machine
)

// server is a running mutant.
type server struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	stderr  *bytes.Buffer
	baseURL string
	caFile  string
}

// start starts a mutant, 0 for none. errBroken is returned where it does not start.
func (j *Judge) start(ctx context.Context, number int) (*server, error) {
	// A mutant may ask for memory without end.
	cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 6291456; exec "$0" "$@"`, j.Program.Path, firstToken, secondToken)
	cmd.Env = append(os.Environ(), mutantVariable+"="+strconv.Itoa(number))
	cmd.WaitDelay = time.Second
	s := &server{cmd: cmd, stderr: &bytes.Buffer{}}
	cmd.Stderr = s.stderr
	var err error
	if s.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting a mutant: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting a mutant: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a mutant: %w", err)
	}
	late := time.AfterFunc(startTime, func() { cmd.Process.Kill() })
	var where struct {
		BaseURL string `json:"base_url"`
		CA      string `json:"ca_pem"`
	}
	err = json.NewDecoder(out).Decode(&where)
	late.Stop()
	if err != nil {
		s.stop()
		return nil, errBroken
	}
	s.baseURL, s.caFile = where.BaseURL, filepath.Join(j.Folder, fmt.Sprintf("ca-%d.pem", number))
	if err := os.WriteFile(s.caFile, []byte(where.CA), 0o600); err != nil {
		s.stop()
		return nil, fmt.Errorf("keeping the certificate: %w", err)
	}
	return s, nil
}

var errBroken = errors.New("the server does not start")

const firstToken, secondToken = "first-application-token", "second-application-token"

// stop ends the server, and reports whether its mutant was reached.
func (s *server) stop() (reached bool) {
	s.stdin.Close()
	const patience = 2 * time.Second // for requests that hang
	late := time.AfterFunc(patience, func() { s.cmd.Process.Kill() })
	defer late.Stop()
	s.cmd.Wait() // it is of no interest how a mutant ends
	return strings.Contains(s.stderr.String(), reachedLine)
}

// Judge judges one mutant: plain, or with drawn stories for so long.
func (j *Judge) Judge(ctx context.Context, m Mutant, deep time.Duration) (Outcome, error) {
	o := Outcome{Mutant: m, Deep: deep}
	s, err := j.start(ctx, m.Number)
	if errors.Is(err, errBroken) {
		o.Fate = Broken
		return o, nil
	} else if err != nil {
		return o, err
	}
	report, note, err := j.run(ctx, s, fmt.Sprintf("%d-%s.json", m.Number, deep), deep)
	o.Reached = s.stop()
	if err != nil {
		return o, err
	}
	o.Note = note
	if report == nil {
		o.Fate = TimedOut
		return o, nil
	}
	o.read(report, j.Usual)
	return o, nil
}

// run runs conform against a server. It returns no report where the run does not end in its time.
func (j *Judge) run(ctx context.Context, s *server, name string, deep time.Duration) (*result.Report, string, error) {
	path := filepath.Join(j.Folder, name)
	arguments := []string{"--base-url", s.baseURL, "--ca-cert", s.caFile, "--seed", strconv.FormatInt(j.Seed, 10), "--rate", "100000",
		"--settle", "1s", "--corpus", "", "--quiet", "--report", "json=" + path}
	if deep > 0 {
		arguments = append(arguments, "--deep="+deep.String(), "--max-failures", "1")
	}
	ctx, cancel := context.WithTimeout(ctx, plainTime+2*deep)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.Conform, arguments...)
	cmd.Dir = j.Folder // where there is no conform.yaml
	cmd.Env = append(os.Environ(), "CONFORM_APP_TOKEN="+firstToken, "CONFORM_SECOND_APP_TOKEN="+secondToken)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, "", nil // what took too long is an outcome
	}
	data, readErr := os.ReadFile(path)
	if readErr != nil {
		if err != nil { // it gave no report, and says why
			return &result.Report{Verdict: result.Incomplete}, lastLine(out), nil
		}
		return nil, "", fmt.Errorf("conform wrote no report: %w", readErr)
	}
	report := &result.Report{}
	if err := json.Unmarshal(data, report); err != nil {
		return nil, "", fmt.Errorf("reading a report of conform: %w", err)
	}
	return report, report.EndedBy, nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// read takes from a report what became of the mutant.
func (o *Outcome) read(report *result.Report, usual map[string]string) {
	for _, n := range report.Summary.Requests {
		o.Requests += n
	}
	for _, choice := range report.Choices {
		if before, ok := usual[choice.Rule]; ok && before != choice.Answer {
			o.Choices = append(o.Choices, fmt.Sprintf("%s: %s", choice.Rule, choice.Answer))
		}
	}
	for _, rule := range report.Rules {
		if rule.Status != result.Fail && rule.Status != result.Warn {
			continue
		}
		o.Fate, o.Rule = Killed, rule.ID
		for _, check := range rule.Checks {
			if check.Status == rule.Status {
				o.Endpoint = check.Endpoint
				return
			}
		}
		return
	}
	o.Fate = Survived
	if report.Verdict != result.Conformant {
		o.Fate = Undecided
	}
}

// Baseline judges the server without a mutant, notes its choices, and returns an error where
// anything at all is blamed.
func (j *Judge) Baseline(ctx context.Context) error {
	s, err := j.start(ctx, 0)
	if err != nil {
		return fmt.Errorf("the server without a mutant: %w", err)
	}
	defer s.stop()
	report, note, err := j.run(ctx, s, "baseline.json", 0)
	if err != nil {
		return err
	}
	if report == nil {
		return errors.New("judging the server without a mutant took too long")
	}
	var o Outcome
	if o.read(report, nil); o.Fate != Survived {
		return fmt.Errorf("the server without a mutant is %s: %s %s %s", o.Fate, o.Rule, o.Endpoint, note)
	}
	j.Usual = map[string]string{}
	for _, choice := range report.Choices {
		j.Usual[choice.Rule] = choice.Answer
	}
	return nil
}
