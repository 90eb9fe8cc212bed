package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// programVariable makes the test's binary the command itself, for tests that need a process.
const programVariable = "REFSERVER_TESTED_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(speedVariable) != "" {
		if err := serveForSpeed(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if address := os.Getenv(mapVariable); address != "" {
		if err := serveMap(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(programVariable) != "" {
		main()
	}
	if err := os.Setenv(programVariable, "yes"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

func TestBinaryServesOverTLSAndStopsOnSIGTERM(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "refserver")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, output)
	}
	command := exec.CommandContext(t.Context(), binary, "--addr", "127.0.0.1:0")
	command.Env = append(os.Environ(), "REFSERVER_APP_TOKEN=")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	greeting := greeted(t, stdout)
	caFile := field(t, greeting, "CA file")
	status := createUser(t, field(t, greeting, "base URL"), caFile, field(t, greeting, "app token"))
	if status != http.StatusCreated {
		t.Errorf("creating a user: status %d", status)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil || !regexp.MustCompile(`^[\d:.]+ POST /0.2/users 201 [\d.]+ms app:1\n$`).MatchString(stderr.String()) {
		t.Errorf("SIGTERM: %v, stderr %q", err, stderr.String())
	}
	if _, err := os.Stat(caFile); !os.IsNotExist(err) {
		t.Errorf("the temporary CA file is left behind: %v", err)
	}
}

func TestWaysToServe(t *testing.T) {
	caOut := filepath.Join(t.TempDir(), "ca.pem")
	caDir := t.TempDir()
	var discard bytes.Buffer
	if code := run(t.Context(), []string{"trust", "--ca-dir", caDir}, &discard, &discard); code != exitOK {
		t.Fatal(discard.String())
	}
	certFile, keyFile, ownCA := ownCertificate(t)
	for name, way := range map[string]struct {
		args   []string
		scheme string
		caFile string
	}{
		"plain HTTP":      {[]string{"--http"}, "http://", ""},
		"CA file kept":    {[]string{"--ca-out", caOut}, "https://", caOut},
		"own certificate": {[]string{"--tls-cert", certFile, "--tls-key", keyFile}, "https://", ownCA},
		"every interface": {[]string{"--addr", ":0", "--ca-out", caOut + "2"}, "https://localhost:", caOut + "2"},
		"every address":   {[]string{"--addr", "0.0.0.0:0", "--ca-dir", caDir, "--host", "app.test", "--fault", ""}, "https://localhost:", filepath.Join(caDir, "refserver-ca.pem")},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"--addr", "127.0.0.1:0", "--app-token", "given-app", "--app-token", "other-app"}, way.args...)
			greeting, stop, exit := inProcess(t, args...)
			defer stop()
			baseURL := field(t, greeting, "base URL")
			if !strings.HasPrefix(baseURL, way.scheme) {
				t.Errorf("base URL %s, want %s", baseURL, way.scheme)
			}
			if got := field(t, greeting, "app token"); got != "given-app" {
				t.Errorf("the greeting tells the app token %q, want the first given", got)
			}
			for _, token := range []string{"given-app", "other-app"} {
				if status := createUser(t, baseURL, way.caFile, token); status != http.StatusCreated {
					t.Errorf("creating a user in %s: status %d", token, status)
				}
			}
			stop()
			if code := <-exit; code != exitOK {
				t.Errorf("exit %d after a stop", code)
			}
		})
	}
	if _, err := os.Stat(caOut); err != nil {
		t.Errorf("the CA file that was asked for is gone: %v", err)
	}
}

func TestAppTokenFromTheEnvironment(t *testing.T) {
	t.Setenv("REFSERVER_APP_TOKEN", "env-app")
	greeting, stop, exit := inProcess(t, "--addr", "127.0.0.1:0", "--http", "--rate-limit", "1")
	defer stop()
	if strings.Contains(greeting, "env-app") {
		t.Error("the greeting repeats an app token that was given in the environment")
	}
	baseURL := field(t, greeting, "base URL")
	for i, want := range []int{http.StatusCreated, http.StatusTooManyRequests} {
		if status := createUser(t, baseURL, "", "env-app"); status != want {
			t.Errorf("user %d under a limit of 1: status %d, want %d", i+1, status, want)
		}
	}
	stop()
	if code := <-exit; code != exitOK {
		t.Errorf("exit %d", code)
	}
}

func TestMistakesAreOneLineAndExit2(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	kept := filepath.Join(t.TempDir(), "ca.pem")
	notes := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(notes, []byte("my notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(notes, link); err != nil {
		t.Fatal(err)
	}
	for name, mistake := range map[string]struct {
		args []string
		says string
	}{
		"address in use":      {[]string{"--addr", busy.Addr().String(), "--ca-out", kept}, "in use already"},
		"no port":             {[]string{"--addr", "localhost"}, "--addr localhost: want HOST:PORT"},
		"no such port":        {[]string{"--addr", "127.0.0.1:99999"}, "want HOST:PORT"},
		"mistyped command":    {[]string{"exce", "--", "true"}, "did you mean exec? see refserver --help"},
		"mistyped exec flag":  {[]string{"exec", "--fualt", "x", "--", "true"}, "did you mean --fault? see refserver --help"},
		"mistyped dialect":    {[]string{"--dialect", "big-ids+lagigng"}, "did you mean lagging? --list-dialects names them"},
		"mistyped fault":      {[]string{"--fault", "users-create-answer-200"}, "did you mean"},
		"cert without key":    {[]string{"--tls-cert", "cert.pem"}, "--tls-cert needs --tls-key FILE with its key"},
		"CA in no folder":     {[]string{"--addr", "127.0.0.1:0", "--ca-out", "/nope/ca.pem"}, "writing --ca-out: /nope/ca.pem: no such file or directory"},
		"unknown flag":        {[]string{"--adr", "x"}, "did you mean --addr? see refserver --help"},
		"unknown dialect":     {[]string{"--dialect", "klingon"}, "klingon"},
		"key without cert":    {[]string{"--tls-key", "key.pem"}, "--tls-key needs --tls-cert FILE"},
		"no such cert":        {[]string{"--addr", "127.0.0.1:0", "--tls-cert", "none.pem", "--tls-key", "none.pem"}, "none.pem"},
		"CA of plain HTTP":    {[]string{"--http", "--ca-out", kept}, "--ca-out and --http exclude each other"},
		"mistyped seed":       {[]string{"--seed", "dmo"}, `there is no seed "dmo": it is demo, `},
		"negative limit":      {[]string{"--rate-limit", "-1"}, "--rate-limit"},
		"token with a colon":  {[]string{"--app-token", "hush:hush"}, "colon"},
		"an argument":         {[]string{"serve"}, "serve"},
		"dialects that clash": {[]string{"--dialect", "big-ids+uuid-ids"}, "do not compose"},
		"a choice alone":      {[]string{"--choose", "lag"}, "NAME=VALUE"},
		"unknown choice":      {[]string{"--choose", "leg=10s"}, "--list-choices"},
		"unknown fault":       {[]string{"--fault", "nothing"}, "--list-faults"},
		"wrong weather":       {[]string{"--weather", "rain"}, "rain"},
		"wrong seed":          {[]string{"--seed", "demo:people=3"}, "people=3"},
		"two seeds":           {[]string{"--seed", "demo", "--seed-file", "x"}, "give one"},
		"no such seed file":   {[]string{"--seed-file", "none.yaml"}, "none.yaml"},
		"wrong clock":         {[]string{"--clock", "noon"}, "noon"},
		"wrong log":           {[]string{"--log", "loud"}, "--log loud"},
		"wrong memory":        {[]string{"--max-memory", "much"}, "--max-memory"},
		"wrong print":         {[]string{"--print", "xml"}, "--print xml"},
		"control for all":     {[]string{"--control", "0.0.0.0:8444"}, "--control-host NAME"},
		"host of no control":  {[]string{"--control-host", "a b"}, "--control-host a b"},
		"control nowhere":     {[]string{"--control", "on"}, "HOST:PORT or off"},
		"busy control":        {[]string{"--addr", "127.0.0.1:0", "--control", busy.Addr().String(), "--ca-out", kept}, "--control"},
		"host of plain HTTP":  {[]string{"--http", "--host", "x.test"}, "host"},
		"wrong host":          {[]string{"--host", "a b"}, "a b"},
		"token of a world":    {[]string{"--worlds", "te", "--app-token", "test"}, "--worlds"},
		"CA over a file":      {[]string{"--addr", "127.0.0.1:0", "--ca-out", notes}, "something else"},
		"CA over a link":      {[]string{"--addr", "127.0.0.1:0", "--ca-out", link}, "no regular file"},
		"data of another":     {[]string{"--addr", "127.0.0.1:0", "--data", notes}, "--data"},
		"data nowhere":        {[]string{"--addr", "127.0.0.1:0", "--data", "/nowhere/world.json"}, "--data"},
		"exec of nothing":     {[]string{"exec"}, "needs a command"},
		"exec of no program":  {[]string{"exec", "--", "no-such-program-here"}, "no-such-program-here"},
		"trust of nothing":    {[]string{"trust"}, "ca-dir"},
		"wrong format":        {[]string{"openapi", "--format", "raml"}, "raml"},
		"no address":          {[]string{"openapi", "--format", "http", "--base-url", "https://x\n### 2\nGET https://y"}, "--base-url"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), mistake.args, &stdout, &stderr); code != exitUsage {
				t.Errorf("exit %d, want %d", code, exitUsage)
			}
			line := stderr.String()
			if strings.Count(line, "\n") != 1 || !strings.Contains(line, mistake.says) || strings.Contains(line, "hush") {
				t.Errorf("stderr %q", line)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout.String())
			}
		})
	}
	if text, err := os.ReadFile(notes); err != nil || string(text) != "my notes" {
		t.Errorf("a file of the user's own was overwritten: %s (%v)", text, err)
	}
	if _, err := os.Stat(kept); !os.IsNotExist(err) {
		t.Errorf("a server that did not start wrote its CA file: %v", err)
	}
}

func TestListDialects(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"--list-dialects"}, &stdout, &stderr); code != exitOK || stderr.Len() > 0 {
		t.Fatalf("exit %d, stderr %q", code, stderr.String())
	}
	for _, name := range []string{"default", "mutual-friends", "uuid-ids"} {
		if !regexp.MustCompile(`(?m)^` + name + ` +\w`).MatchString(stdout.String()) {
			t.Errorf("%s is not listed with a summary:\n%s", name, stdout.String())
		}
	}
}
