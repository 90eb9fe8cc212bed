//go:build unix

package main

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestPagesRunAsWritten pastes the shell commands of the pages, one after another, as a reader does who has a server, an app
// token and tests of a client. Each must end as its comment says (exit N), or with 0.
func TestPagesRunAsWritten(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash", "curl", "ssh-keygen", "sha256sum")
	const waivers = "#Accept a known deviation for now"
	pages := map[string]struct {
		fault      string   // of the reader's server
		made       []string // files that the reader has, by runs of conform that write them
		before     string   // what the reader did before
		configured bool     // whether the reader's settings name the server
	}{
		"README.md":                   {},
		"docs/configuration.md":       {},
		"docs/from-nothing.md":        {before: "touch server.py"},
		"docs/install.md":             {before: signsARelease},
		"docs/judge-a-server.md":      {},
		"docs/over-time.md":           {made: []string{"old.json", "new.json"}},
		"docs/pipelines.md":           {configured: true},
		"docs/pipelines.md" + waivers: {fault: "versions-current-says-supported", configured: true},
		"docs/reports.md":             {fault: "feed-purge-forgets-followers", made: []string{"a.json", "b.json", "report.json"}},
		"docs/restarts.md":            {},
		"docs/local-fake.md":          {made: []string{"session.har"}},
		"docs/verify-your-client.md":  {},
	}
	for page, text := range testkit.Pages(t, filepath.Join("..", "..")) {
		name := filepath.ToSlash(strings.TrimPrefix(page, filepath.Join("..", "..")+string(filepath.Separator)))
		commands, _ := testkit.ShellCommands(text)
		_, pasted := pages[name]
		if len(commands) > 0 && !pasted && !strings.Contains(text, "<!-- Not pasted by a test: ") && name != "docs/detection.md" { // whose mutants take an hour
			t.Errorf("%s has commands that nobody tries, and does not say why", name)
		}
	}
	for page, has := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			r := newReader(t, has.fault, has.configured)
			defer r.interrupt()
			for _, name := range has.made {
				r.run("conform --base-url $TARGET_URL --report "+strings.TrimPrefix(filepath.Ext(name), ".")+"="+name, strings.Contains(has.fault, "feed"))
			}
			if has.before != "" {
				r.run(has.before, false)
			}
			path, section, _ := strings.Cut(page, "#")
			text := read(t, filepath.Join("..", "..", path))
			before, after, found := strings.Cut(text, "\n## "+strings.TrimPrefix(waivers, "#")+"\n")
			if one, rest, _ := strings.Cut(after, "\n## "); found && section != "" {
				text = one
			} else if found {
				text = before + "\n## " + rest
			}
			commands, blocks := testkit.ShellCommands(text)
			if len(commands) == 0 {
				t.Fatal("the page has no command")
			}
			for i, command := range commands {
				r.paste(command)
				if i+1 < len(commands) && blocks[i+1] == blocks[i] && !strings.Contains(command, "&\n") {
					r.interrupt() // the next command of the block comes when this one has ended
				}
			}
		})
	}
}

// signsARelease makes what the page on installing verifies.
const signsARelease = `ssh-keygen -q -t ed25519 -N '' -f key && echo "conform-release $(cut -d' ' -f1,2 key.pub)" > allowed_signers &&
	echo a program > program && sha256sum program > SHA256SUMS && ssh-keygen -q -Y sign -f key -n conform-release SHA256SUMS`

// reader is one who pastes commands.
type reader struct {
	t          *testing.T
	folder     string
	env        []string
	exports    string // the exports up to now
	replaced   *strings.Replacer
	background *exec.Cmd // the server that the last command started
}

var serves = regexp.MustCompile(`(?m)^(bin/)?(refserver --|conform watch |conform next )`)

func newReader(t *testing.T, fault string, configured bool) *reader {
	t.Helper()
	target := faultyTarget(t, fault)
	r := &reader{t: t, folder: t.TempDir()}
	bin := filepath.Join(r.folder, "bin")
	if err := os.Symlink(os.Getenv(programsVariable), bin); err != nil {
		t.Fatal(err)
	}
	r.standIn("editor", `sed -i 's/reason: .*/reason: known, and fixed soon/' "$1"`)
	for _, tests := range []string{"npm", "pytest", "go", "your-client-tests"} {
		r.standIn(tests, `[ "$1" = install ] || `+clientVariable+"="+lawfulClient+" exec '"+os.Args[0]+"'")
	}
	for _, elsewhere := range []string{"make", "pip", "docker"} { // which tests of their own run
		r.standIn(elsewhere, "")
	}
	r.env = append(command(t).Env, "HOME="+r.folder, "PATH="+r.folder+":"+bin+":"+os.Getenv("PATH"), "TARGET_URL="+target[1], "SERVICE_URL="+target[1], "CONFORM_APP_TOKEN="+appToken, "EDITOR=editor",
		"CONFORM_CA_CERT="+target[5], "CONFORM_RATE=30000", "CONFORM_JOBS=2", "CONFORM_CORPUS=", "CONFORM_RULE=versions.*,feed.purge.followers", "CI=1")
	if configured {
		r.env = append(r.env, "CONFORM_BASE_URL="+target[1])
	}
	free := freeAddress(t)
	r.replaced = strings.NewReplacer("https://localhost:8443 --ca-cert ca.pem", target[1], "https://feeds.example.com", target[1], "https://staging.feeds.example.com", target[1], "=...", "="+appToken,
		"127.0.0.1:8443", free, "127.0.0.1:8080", free, "0.0.0.0:8445", "127.0.0.1:0", "bin/refserver ", "bin/refserver --control off --addr "+free+" ",
		"refserver --seed", "refserver --control off --addr 127.0.0.1:0 --seed", "refserver --like", "refserver --control off --addr 127.0.0.1:0 --like",
		"events=10000", "events=100", "1/8", "1/1", "--faults ", "--faults=versions-current-says-supported ", "client -- ", "client --dialects none --weather weather-503 -- ")
	for _, version := range []string{"server-v1", "server-v2", "python3"} {
		r.standIn(version, `exec refserver --http --control off --rate-limit 0 --addr "127.0.0.1:$PORT" --app-token "$APP_TOKEN"`)
	}
	return r
}

// standIn puts a program beside the reader's files.
func (r *reader) standIn(name, script string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		r.t.Fatal(err)
	}
}

// paste runs a command of a page, or starts it where it serves, up to its first line.
func (r *reader) paste(command string) {
	r.t.Helper()
	written := r.replaced.Replace(command)
	switch {
	case strings.HasPrefix(written, "export "):
		r.exports += written
	case serves.MatchString(written):
		r.start(strings.Replace(written, "&\n", "\n", 1))
	case strings.Contains(written, "$REFSERVER_"): // within tests beside which the fake runs
		r.run("refserver exec -- bash -ec '"+strings.ReplaceAll(written, "'", `'\''`)+"'", false)
	default:
		r.run(written, strings.Contains(command, "# exit 1:"))
	}
}

func (r *reader) shell(script string) *exec.Cmd {
	cmd := exec.CommandContext(r.t.Context(), "bash", "-e", "-o", "pipefail", "-c", r.exports+script)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.folder, r.env, time.Second
	return cmd
}

func (r *reader) run(script string, fails bool) {
	r.t.Helper()
	output, err := r.shell(script).CombinedOutput()
	code := exitConformant
	if exited := new(exec.ExitError); errors.As(err, &exited) {
		code = exited.ExitCode()
	} else if err != nil {
		r.t.Fatal(err)
	}
	want := []int{exitConformant}
	switch {
	case fails:
		want = []int{exitNonConformant}
	case strings.HasPrefix(script, "conform har "): // of a client that is not the page's
		want = []int{exitConformant, exitNonConformant, exitNoVerdict}
	}
	if !slices.Contains(want, code) {
		r.t.Errorf("$ %s%s\nexit %d, want %d", script, output, code, want)
	}
}

func (r *reader) start(script string) {
	r.t.Helper()
	r.interrupt()
	cmd := r.shell("exec " + script)
	said, err := cmd.StdoutPipe()
	cmd.Stderr = cmd.Stdout
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); err != nil {
		r.t.Errorf("$ %s%s\n%v", script, line, err)
	}
	r.background = cmd
}

// interrupt ends what serves, as Ctrl-C does.
func (r *reader) interrupt() {
	if r.background == nil {
		return
	}
	if err := r.background.Process.Signal(syscall.SIGINT); err != nil {
		r.t.Error(err)
	}
	_ = r.background.Wait()
	if code := r.background.ProcessState.ExitCode(); code != exitConformant && code != exitNoVerdict { // where nothing was to be judged
		r.t.Errorf("%s: %v", r.background.Args, r.background.ProcessState)
	}
	r.background = nil
}

// freeAddress is one at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
